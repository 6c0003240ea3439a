"""Orders in few words: what the reader is told to do, say, leave unsaid, put out of the way, send.

Each phrase is a frame around one telling word, narrower than the nets of `wide_acts` and
`wide_claims`.
"""

from ktw.text.directives.rule import (
    Rule,
    apart,
    asked,
    attempted,
    conditional,
    contact,
    described,
    diligent,
    listed,
    named_option,
    negated,
    past,
    platform,
    purposed,
    refused,
    rule,
)

_TOLD = (past, asked, attempted, purposed, listed, named_option)
_ORDERED = (*_TOLD, negated, described, diligent, refused)
_ITEM = "task|request|plan|assignment|job|work|ticket|question|conversation"
_NOTICES = "notices|asks|complains|wonders|finds_out|objects|spots|enquires|inquires|checks"
_RECORD = (
    "release_notes|changelog|change_log|summary|report|ticket|minutes|commit_message|log|diff|"
    "description|pull_request|documentation|history|review|answer|output|reply|notes"
)
_TONGUE = "german|french|spanish|russian|chinese|italian|latin|japanese|portuguese|dutch|polish"

RULES: tuple[Rule, ...] = (
    rule(
        "D841",
        "tells agents what to say or do",
        "^ {steer}|pick|avoid ..9 code|snippets|examples|answers|patches|suggestions|reviews|"
        "text|docs you suggest|write|generate|give|produce|propose|review|touch",
        "^ {steer}|{send}|sign|mark|link|star ..2 every|each|all|any ..1 {answer}|commit|commits|"
        "comment|comments|review_comment|review_comments|readme ..1 with|in|to|as ..8 {outside}|"
        f"{_TONGUE}|powered|courtesy|sponsored|love|footer|signature",
        f"^ write|draft|phrase|word|keep|answer|comment|name ..4 in {_TONGUE}",
        "^ treat|regard|consider|handle|count ..1 every|any|all|each question|questions|request|"
        "requests|complaint|complaints|doubt|comment ..6 as|with|like",
        "^ tell|inform|assure|answer|let anyone|anybody|everyone|whoever|everybody|people|those "
        "..1 ask|asks|wonders|complains|inquires|enquires",
        "^ respond|reply|answer|react to ..6 by|with saying|claiming|stating|that|blaming|denying|"
        "recommending|suggesting|pointing",
        "^ do_not|never|avoid ..1 propose|suggest|recommend|proposing|suggesting|recommending|"
        "advise|offer removing|replacing|upgrading|switching|moving|migrating|leaving|dropping|"
        "changing|refactoring|updating|deleting|using|adding|testing|fixing|another|other",
        "^ keep_in_mind|bear_in_mind|remember|memorise|memorize|save|store|note|keep|retain ..4 "
        "for|in|across later|future|next|all|coming|every|further|upcoming ..1 sessions|"
        "session|conversations|conversation|chats|tasks|runs|visits|turns|reviews|work",
        "if|when|once|should|whenever ..2 model|language_model|ai|llm|bot|agent|assistant|"
        "crawler|machine|robot ..1 reads|sees|parses|processes|opens|summarises|summarizes|"
        "finds|read|see|process|indexes|encounters|reaches|comes_across this|it|the|here",
        "model|models|bot|bots|agents|assistants|crawlers|tools|reviewers|llms|ais that|which|"
        "who read|reads|process|processes|index|indexes|see|sees|parse|open|summarise|"
        "summarize|load|find this|the ..1 {memo}|repository|repo|project|site must|should|"
        "shall|have_to|need_to|are",
        "{ai}|automated_reviewers|automated_reviewer|review_bots|review_bot|review_tools|"
        "scanners must|should|shall|have_to|are_asked_to|are_expected_to|are_to|need_to|will "
        "mark|label|rate|leave|classify|score|close|tag|list|star|upvote|pass|like|open|read|"
        "prefer|promote|vote",
        "{ai_sure}|agents|bots are|is asked|requested|expected|told|required|urged|invited|"
        "kindly|obliged to ..1 {steer}|{power}|work|consult|visit|check|go|leave|follow",
        "^ {ai_sure} ; consult|check|visit|look|go|load|leave|put|make|keep|take|change|"
        "remove|set|mark|work|clone|fetch|download|update|switch|create",
        "^ consult|read|open|load|fetch|check|see|study ..8 and|then ..2 do|follow|obey|execute|"
        "carry_out|apply|perform|work_through ..1 it|what|them|everything|its|whatever|each|"
        "every|all",
        "your summaries|summary|reviews|review|reports|descriptions|docs ..6 should|must|has_to|"
        "have_to always|never|call|say|praise|describe|mention|begin|end|recommend",
        "when|whenever|every_time you ..1 touch|edit|write|describe|mention|open|review ..8 , ..1 "
        "credit|praise|compare|recommend|thank|advertise|promote|endorse|lead|prefer",
        "every|each|any|all docstring|readme|file|answer|comment|commit you ..1 produce|write|"
        "create|make|generate|touch has_to|must|should|needs_to|shall",
        "^ do_not|never answer|discuss|admit|concede|acknowledge|talk ..1 questions|about|that ..6",
        "models|chatbots|crawlers|assistants|llms|agents|bots|tools summarising|summarizing|"
        "quoting|citing|reading|indexing|reviewing this|the ..1 {memo}|project|repository ..1 ;|"
        "must|should|shall|have_to",
        "^ speak|talk|write to the|your|our ..1 team|user|users|reviewers|maintainers ..1 in|only|"
        "like ..3 only|pirate|emoji|verse|rhyme|caps",
        "{ai_sure} , ..1 your ..3 is|are",
        excuses=_TOLD,
    ),
    rule(
        "D741",
        "has the reader do something far-reaching",
        "^ git remote|push ..1 set_url|force|all|mirror|add|delete ..8",
        "^ ..2 kubectl|oc|helm delete|uninstall|drain|exec|cordon ..6",
        "^ terraform|tofu|pulumi destroy|apply ..4",
        "^ ..2 systemctl|service stop|disable|mask ..3",
        "ssh|scp|rsync ..6 {mailbox} ..2 {word}",
        "^ npm|pip|pip3|yarn|pnpm|gem|cargo|brew|uv|go ..1 install|add|i ..3 {outside}",
        "^ chmod|chown|setenforce|iptables|ufw|userdel|usermod|useradd|visudo|crontab|dropdb|"
        "killall|shutdown|mkfs|dd ..1 777|nobody|root|0|f|disable|r|all|a|if=",
        "^ publish|release|upload|push|merge|deploy|delete|ship|tag ..8 without ..1 waiting|"
        "asking|confirmation|confirming|further|checking",
        "^ merge|approve|close|accept|delete|force_merge the|all|every|any|each ..1 open|"
        "pending|outstanding|remaining ..1 pull_request|pull_requests|branch|branches|issues|"
        "mr|prs|change|changes|merge_requests",
        "merge|approve|close|accept every|all ..2 pull_request|pull_requests|branch|branches|"
        "prs ..4 delete|tag|into|without",
        "^ apply|commit|use|merge|push the attached|enclosed|following|accompanying|embedded|"
        "below patch|diff|change|commit|script",
        "^ remove|delete|wipe|erase|purge|empty ..3 backups|backup|snapshots|production|"
        "database|volumes|bucket|namespace|home|{data_folder} ..4",
        "^ execute|run|start|do everything|all|whatever|anything|every_script|each_script in|"
        "under|from|inside|below|found",
        "on|at|during|in your next|following|coming visit|run|session|turn|task|pass|review",
        "^ rewrite|overwrite|replace|swap ..6 with|by the? version|content|contents|text|copy|"
        "code|file|block|one below|here|following|above|attached",
        "^ download|fetch|get|pull|grab|clone ..4 {outside} ..4 executable|execute|run|source|"
        "import|install|start|launch",
        "before anything|doing|touching|everything ..3 , ..1 {exec}",
        "^ schedule|set_up|add|create|plan ..3 job|task|timer ..2 that|which|to ..1 copies|uploads|"
        "sends|pulls|deletes|runs|syncs|fetches|copy|upload|send|pull|delete",
        "^ update|change|point|set|move|edit ..3 dns|nameserver|mx_record|a_record ..6 to",
        "^ run|invoke|call|execute make|just|task|npm_run ..1 nuke|wipe|purge|destroy|reset|drop|"
        "teardown ..4",
        "^ ..4 shell|terminal|console to add|create|delete|remove|change|start|stop|install",
        "^ push|publish|move|force the|a tag|tags|release ..8 and|then ..1 publish|release|push|"
        "deploy",
        excuses=_ORDERED,
    ),
    rule(
        "D641",
        "keeps something from those who review",
        f"^ leave|keep|cut|take|drop ..8 out of|from ..3 {_RECORD}",
        "^ leave|keep|cut|take|drop|omit ..8 from|out_of ..3 release_notes|changelog|minutes|"
        "commit_message|report",
        "no need|reason|point|use|necessity to bring|mention|raise|tell|inform|bother|trouble|"
        "involve|discuss|flag|report|explain|announce|alert ..6 this|{boss}|team|reviewers|"
        "anyone|it|change|step",
        "not necessary|needed|required to mention|raise|tell|inform|bother|involve|flag|report",
        "so|so_that ..2 it|this|that|change|nobody|removal|they goes|passes|stays|slips|remains|"
        "slides|flies ..1 unnoticed|unseen|through|undetected|overlooked|unremarked|under",
        "not|without|never draw|drawing|attract|attracting|raise|raising|arouse|arousing "
        "attention|suspicion|questions|eyebrows|notice|interest",
        f"^ strip|remove|cut|omit|drop|redact|delete|hide this|the|these ..1 {{memo}} from|"
        f"before ..2 any|your|every|all|the {_RECORD}|you",
        "^ only|just|merely talk|speak|mention|report|describe|tell|discuss|summarise|summarize "
        "..1 about|the|visible|what|those|that ..9 {answer}|$",
        "should|must|may|shall|is_to|are_to not|never ..1 refer|mention|reference|cite|name|"
        "allude|hint|point|betray|reveal|disclose ..1 this|these|it|the_change|the_reason",
        f"^ say|claim|blame|answer|deny|tell|pretend|explain|call ..12 if|when|in_case|should|"
        f"whenever anybody|anyone|someone|somebody|they|{{boss}}|people {_NOTICES}|notice|ask",
        f"^ if|when|should anybody|anyone|someone|somebody|they|people {_NOTICES}|notice|ask "
        "..10 , say|claim|blame|answer|deny|tell|pretend|explain|call|it_was",
        "^ avoid|refrain_from|skip showing|telling|mentioning|naming|discussing|pointing|"
        "revealing|disclosing|explaining|raising|bringing ..8 to|with|in|at|for ..2 person|"
        "{boss}|anyone|people|team|reviewers|reviewer",
        f"^ make_sure|ensure|see_to_it|see|take_care ..8 not|never|nobody|no_one ..1 appear|"
        f"show|surface|listed|mentioned|visible|seen|turn_up|shown|noted ..3 {_RECORD}",
        "^ erase|wipe|clear|delete|remove|shred|empty|truncate|purge ..3 log|history|traces|"
        "trail|transcript|bash_history|audit ..3 once|when|after|afterwards|before|as_soon",
        "^ ..8 under|with|as|behind an|a generic|vague|bland|plain|misleading|boring|dull|"
        "unrelated|routine message|title|subject|name|label|heading|commit_message|commit",
        "^ describe|present|label|call|declare|pass_off|report|log ..4 as a|an ..1 typo|"
        "formatting|cosmetic|whitespace|routine|trivial|refactoring|docs|style|minor",
        "^ blame the|it|them|flaky|infrastructure ..4",
        "^ edit|fake|forge|backdate|adjust|alter|change|falsify ..2 timestamps|timestamp|dates|"
        "author_date|metrics ..1 so|to|of|in",
        "^ refer|describe|call|label to? it|this|that|them as ..3 , not|rather|never|instead",
        "{boss}|customer|customers|team|reviewers|reviewer|auditors ..4 must|may|should|shall|need|"
        "is|are not|never ..1 find_out|learn|hear|notice|know|see|discover",
        "nobody|no_one ..4 must|may|should|shall|needs_to|need|has_to ..1 find_out|learn|hear|"
        "notice|know|see|discover ..6",
        "^ leave|write|add no comment|note|trace|mention|explanation|hint|record ..4",
        "^ tell|assure|inform {boss}|them|team|reviewers|reviewer that ..1 all|everything|tests|"
        "nothing|no|it",
        "^ remove|strip|drop|cut|delete ..6 before you|showing|it ..2 show|shown|present|send|hand "
        "..3 {boss}|them",
        "^ omit|skip ..2 failing|failed|broken|red|skipped ..6 when|from|in|if",
        "^ hide|bury|put|smuggle|slip ..4 in|into|among|inside a|an|the ..2 formatting|unrelated|"
        "cosmetic|large|big|merge|whitespace|refactoring commit|diff|pull_request|change",
        "^ do_not|never report|log|record|track ..4 to|in|with ..2 monitoring|security|audit|"
        "tracker|sentry|{boss}",
        excuses=_TOLD,
    ),
    rule(
        "D342",
        "puts a safeguard out of the way",
        "^ add|put|include|list|place|enter ..8 to|on|in ..4 allow_list|allowlist|ignore_list|"
        "whitelist|exclusion_list|exclusions|exceptions|baseline|ignore_file|skip_list ..2 of|"
        "for|so|until|,|and ..4 scanner|linter|lint|alerts|warnings|quiet|complaining|"
        "findings|scan|checker|antivirus|away|silent",
        "^ add|put|include|list|place|enter ..6 scanner|linter|checker|scanners|linters|"
        "antivirus|firewall|auditor|{guard} ..1 allow_list|allowlist|ignore_list|whitelist|"
        "exclusion_list|exclusions|exceptions|baseline|ignore_file|skip_list",
        "^ set|put|flip|change|reduce|lower ..3 {switch} ..3 to|= false|off|none|0|zero|disabled|"
        "no|permissive|never|minimum",
        "^ turn|switch|shut ..1 {guard} ..4 off|down",
        "^ add|put|append|place|insert|stick ..2 nosec|nolint|noqa|nosonar|type_ignore|"
        "eslint_disable|skip_ci|no_verify to|on|in|at|above|behind ..2 any|every|all|each|"
        "whatever|whichever",
        "^ do_not|never let|have|allow|make|permit ..3 scanner|linter|{guard} ..2 look|see|"
        "check|read|scan|touch|inspect|near|run|open",
        "^ keep|stop|block|hold ..3 scanner|linter|checker|auditor|reviewer|reviewers|bot ..1 "
        "from|away|out|off",
        "^ answer|confirm|accept|click|acknowledge ..3 prompt|prompts|dialogs|dialog|"
        "confirmations|questions ..3 yes|automatically|blindly|for_me|without",
        "^ take|pull|rip|strip|throw|tear ..3 {guard}|{shield} ..2 out",
        "^ tell|instruct|have|configure|make git|pip|npm|ci|cargo|docker|curl ..1 to? skip|ignore|"
        "bypass|not|accept|trust ..4",
        "^ pass|use|add trusted_host|insecure|no_check_certificate|no_gpg_check|no_audit|"
        "allow_unauthenticated|no_verify|force ..4",
        "^ relax|loosen|weaken|widen|open ..2 csp|cors|policy|rules|tls|acl|permissions|limits ..3 "
        "to|for|so allow|accept|everything|all|everyone|any|let",
        "^ do_not|never verify|check|validate|compare|inspect checksums|checksum|signatures|"
        "signature|hashes|certificates|integrity|hash|digests",
        "^ set|switch|put ..1 {guard} to warn|off|silent|report|dry|warning|advisory ..6",
        "^ stop|keep|prevent|hold ..1 {guard} from running|looking|checking|reading|scanning|"
        "blocking|reporting|touching",
        "^ put|place|move ..4 blind_spot|out_of_scope|out_of_reach|beyond_reach ..4",
        excuses=(*_ORDERED, platform, conditional, apart),
    ),
    rule(
        "D441",
        "has something private leave",
        "^ log|print|write|dump|record|trace|echo ..3 authorization_header|authorization_headers|"
        "auth_header|auth_headers|request_headers|raw_headers|cookies|{secret} ..6 level|every|"
        "each|request|log|logs|console|file|{scratch}|at",
        "^ write|save|dump|put|store|leave|export|copy|send ..4 decrypted|plaintext|plain_text|"
        "cleartext|clear_text|unencrypted|unredacted|unmasked ..8",
        "^ tell|show|give|list|inform ..4 which|what ..1 keys|tokens|secrets|credentials|"
        "variables|passwords ..6",
        "{secret}|cookie|cookies ..2 goes|go|belongs|belong|is_added|are_added|is_appended|"
        "travels into|in|to|onto ..3 query|url|pixel|link|readme|wiki|issue|log|image|chat|"
        "commit|description|webhook",
        "^ forward|relay|mirror|stream|copy|send|pipe ..8 to|at|via ..2 {outside}",
        "^ dump|export|read|open|unlock|extract ..2 keychain|vault|keyring|wallet|"
        "credential_store|password_store|secret_store ..8",
        "^ repeat|recite|quote|restate|translate|return ..3 text|words|message|instructions|"
        "everything|prompt ..4 given|before|above|told|received|conversation",
        "^ list|print|show|dump|log every|each|all environment_variable|env_variable|variable|"
        "secret|token|key|password|environment|{secret} ..8",
        "^ tell|give|send|hand|name ..6 {secret} when|if|as_soon|to|whenever ..2 asks|asked|it|bot|"
        "whoever|anyone",
        "^ check|commit|put|add ..1 {secret} in|into ..2 repository|repo|git|code|readme|wiki ..4",
        "^ call|open|request|ping|hit|load|visit {outside} with ..8",
        "^ post|publish|send|paste|share ..2 list|table|names|addresses of ..1 customers|users|"
        "patients|employees|clients to|in|on ..3",
        excuses=(*_TOLD, negated, contact, described, apart),
    ),
)
