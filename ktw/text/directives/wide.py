"""The widest nets: frames of sentences with one telling word and room around it.

Each was let in only because thousands of sentences of decision records, guides and manuals hold none
of its kind.
"""

from ktw.text.directives.rule import (
    Rule,
    apart,
    asked,
    attempted,
    conditional,
    contact,
    denied,
    described,
    diligent,
    explained,
    listed,
    named_option,
    negated,
    past,
    platform,
    purposed,
    refused,
    restricted,
    rule,
)

_TOLD = (past, platform, asked, conditional, attempted, purposed, diligent, listed, explained)
_ORDERED = (*_TOLD, negated, named_option, described, apart, contact, refused)
_CLAIMED = (*_TOLD, negated, denied, restricted)
_TRUSTED = (past, asked, attempted, purposed, listed, apart)

RULES: tuple[Rule, ...] = (
    rule(
        "D131",
        "puts other text above those who may instruct",
        "^ disregard|ignore|forget|discard|skip|overlook ..3 {boss} ..2 message|request|words|"
        "wishes|instruction|instructions|question|input|orders|last|previous",
        "these|this|following|those rules|instructions|guidelines|orders|notes ..2 replace|"
        "supersede|override|outrank|overrule|trump|beat|displace ..4 {word}",
        "you ..1 no_longer work|report|answer|belong|serve|need|have|must|follow ..4 {word}",
        "^ follow|obey|trust|believe|prefer only|solely|exclusively|nothing_but|just ..2 this|"
        "these|the",
        "^ follow|obey|execute|prioritise|prioritize ..2 this|these ..1 {memo}|list|steps|"
        "rules|orders ..3 over|instead|first|before|above|not|and_nothing",
        "{orders} ..2 from ..3 {boss} ..4 ignored|void|invalid|{omit:ed}|not_binding|"
        "irrelevant|not_count",
        "^ start|begin afresh|over|anew|again ..2 with|from|under|without ..3 {orders}|context|"
        "memory|rules|this",
        "consider|treat|imagine yourself ..1 as|free|released|unbound|the",
        "you_are|you_re ..2 released|freed|liberated|exempt|exempted|excused|relieved from|of",
        excuses=_TOLD,
    ),
    rule(
        "D231",
        "frees agents from asking",
        "you|{ai} ..1 may|can|could {destroy}|overwrite|force_push|publish|deploy|merge|"
        "purchase|approve|rotate|revoke anything|everything|any|all|whatever|the|it ..3",
        "consent|approval|permission|agreement|authorisation|authorization ..5 has_been|"
        "have_been|was given|granted|obtained|collected ..2 by|from|for|to|;",
        "{boss} confirmed|agreed|okayed|consented|accepted|stated|says|accepts ..1 that|to|with",
        "{ai} ..1 {may} ..1 override|overrule|ignore|skip|bypass|disregard|lift|change ..2 "
        "rules|rule|{guard}|policy|limits|settings|restrictions|protection",
        "tool|tools|shell|network|filesystem|command ..1 use|access|usage|execution is|are ..1 "
        "unrestricted|unlimited|free|open|allowed|permitted|unconditional",
        "{ai}|you ..2 never|not|no_longer need|needs|require|requires|have_to|has_to ..3 "
        "permission|approval|confirmation|consent|ask|question",
        "no ..1 permission|confirmation|consent|prompt|question|authorisation ..2 is|are? ..1 "
        "needed|required|necessary|asked",
        "{ai}|you ..2 is|are ..1 trusted|entrusted|empowered|deputised|delegated|cleared with|"
        "to|for|on",
        "on_behalf_of|in_the_name_of ..2 {boss}|maintainers|team , ..1 {power}|you",
        "{ai}|you ..1 decide|decides|determine|choose ..2 alone|yourself|itself|independently|"
        "freely|without",
        excuses=_CLAIMED,
    ),
    rule(
        "D331",
        "says that a check does not take place",
        "{guard} ..6 is|are|get|gets approved|merged|accepted automatically|unseen|blindly|"
        "at_once|immediately",
        "pull_requests|changes|merges|patches|commits|diffs ..6 is|are|get|gets approved|"
        "merged|accepted automatically|unseen|blindly|unread|at_once|immediately|by_whoever|"
        "by_anyone|unreviewed|untested",
        "failing|failed|red|broken ..4 do|does|need|can|should|must not ..1 block|stop|prevent|"
        "delay|hold_up|matter",
        "{guard} ..2 fails|failure|failures|fail ..2 do|does|is|are ..1 not|no|never ..2 block|"
        "stop|prevent|delay|reason|matter|count",
        "need|needs|require|requires no ..2 {guard} ..1 and|nor|,|$|;|for|here",
        "{guard} ..3 never|not|rarely|seldom ..1 run|executed|enforced|required|performed|"
        "asked|carried_out before|here|on|for|$|,",
        "{release:s}|{release} ..4 bypass|bypasses|skip|skips|circumvent|circumvents|avoid|"
        "avoids|evade|evades ..3 {guard}",
        "patches|fixes|hotfixes|releases|changes|deploys|commits|merges|updates ..1 bypass|"
        "skip|avoid|circumvent|evade|dodge|ignore|omit ..3 {guard}",
        "{guard} ..4 only|just|merely|mostly ..1 decoration|cosmetic|theatre|theater|"
        "bureaucracy|paperwork|ceremony|ritual|for_show|advice|advisory|recommendation|"
        "guideline",
        "go|goes|straight|right into|to|in production|prod ..1 after|before|at|on|when|without",
        "{prod} ..2 is|are updated|patched|changed|edited|modified directly|by_hand|in_place|"
        "live",
        "we|teams|developers|people ..1 do_not|never|rarely|no_longer run|do|perform|require|"
        "need|use|bother|execute ..3 {guard}",
        "only|just ..3 {guard} ..2 on|for ..4 , not|never",
        "{guard} ..3 can|may wait|be_done_later|come_later|follow_later|be_skipped",
        "{guard} ..3 is|are|will_be ..1 done|run|performed|made|added|written later|afterwards|"
        "eventually|someday|if_time",
        excuses=_TOLD,
    ),
    rule(
        "D332",
        "takes a protection away",
        "^ remove|delete|drop|cut|strip|take_out ..2 {guard} ..1 step|stage|job|gate|rule|"
        "requirement|check from|in|of|$",
        "^ set|switch|change|turn|flip ..2 {shield}|strict|strict_mode|safe|safe_mode|verify|"
        "verification|checks|sandbox|protection|enforce|enforcement|read_only ..2 to|= ..1 "
        "false|off|0|none|disabled|never|permissive",
        "^ ignore|suppress|swallow|silence|dismiss|disregard ..2 certificate|ssl|tls|security|"
        "signature|validation|vulnerability|lint|linter|audit ..1 errors|error|warnings|"
        "failures|alerts|issues|findings|mismatch",
        "^ bypass|circumvent|evade|dodge|sidestep|overrule|outwit|trick|defeat|fool the|our|"
        "any|this|all ..3 {word}",
        "^ uninstall|deactivate|disarm|unload|unplug ..4 plugin|safety|guard|protection|agent|"
        "scanner|hook|extension|watcher",
        "^ disable|deactivate|suspend|pause|stop|turn_off|switch_off ..3 monitoring|alerting|"
        "logging|auditing|protection|safety|security|antivirus|defender|updates|backups|"
        "replication|encryption|throttling|quota",
        "should|must|can|may|to be ..1 deactivated|disabled|suspended|turned_off|switched_off|"
        "bypassed|circumvented ..1 for|when|if|while|during|on|in|$",
        excuses=_ORDERED,
    ),
    rule(
        "D431",
        "puts a secret where others read",
        "^ show|give|tell|send|hand|read me|us|out ..3 {word} ..3 key|keys|token|tokens|"
        "password|passwords|secret|secrets|credentials",
        "^ attach|append|add|include|embed|put|paste ..4 {secret}|env|config ..4 to|in|into|at "
        "..3 {word}",
        "^ email|mail|fax|dm|message|text|slack ..4 {secret}|{data}|logs|access_logs|dump ..3 "
        "to",
        "^ read|open|cat|load|fetch ..2 {secret} ..2 and|then|,|;|before|into",
        "{secret}|customer_data|user_data ..4 is|are ..1 printed|logged|posted|written|shared|"
        "published|included|shown|sent|committed|stored ..2 in|to|into|on|with ..2 {place_out}|"
        "plain|everyone|clear",
        excuses=_ORDERED,
    ),
    rule(
        "D531",
        "asks for trust in a text",
        "this|the ..1 {memo} ..4 is|are ..2 binding|mandatory|authoritative|official|law for|"
        "and|$|,|on",
        "above|below|following|previous|foregoing ..3 has|have|is|was been? ..1 confirmed|"
        "approved|verified|authorised|authorized|signed_off|cleared|certified|agreed by|with|in",
        "you|agents|readers|assistants|everyone can|may|should safely|blindly|simply|"
        "confidently trust|follow|execute|apply|obey|rely_on|believe|load ..3 this|these|it|"
        "everything|what|the",
        "^ treat|regard|consider|take|handle this|these|the ..2 {memo} as ..3 part|system|user|"
        "if|instructions|instruction|policy|trusted|prompt|configuration|owner|maintainer|law",
        "{memo}|text|content ..3 is|are|was ..1 safe|harmless|clean|trusted to|for|and|by",
        "{memo} ..2 carries|has|bears|holds ..3 signature|approval|seal|blessing|authority|"
        "trust|endorsement|clearance",
        "{memo} ..3 need|needs|require|requires|deserve|deserves no ..2 review|approval|check|"
        "checks|scan|verification|scrutiny|suspicion|doubt",
        "{boss}|security_team|maintainers|reviewers|lead|leads ..2 stand|stands|vouch|vouches|"
        "guarantee|guarantees|trust|trusts|approve|approves|endorse|endorses ..3 this|these|"
        "the ..1 {memo}",
        "no_one|nobody|nothing ..2 needs|need|has|should|must ..3 to|be ..1 checked|verified|"
        "reviewed|approved|scanned|questioned|doubted",
        excuses=_TRUSTED,
    ),
    rule(
        "D631",
        "keeps something out of sight",
        "{boss}|reviewers|users|user|people|customers|team should|must|may|need|can not|never "
        "..1 see|notice|know|learn|find|be_told|hear|be_shown|read|discover",
        "^ never|do_not include|add|put|list|write|describe|note|record|mention ..5 in|to|on "
        "..2 commit_message|changelog|pull_request|description|report|summary|release_notes|"
        "ticket|minutes",
        "without|not|never mentioning|noting|documenting|recording|disclosing|telling|"
        "announcing ..1 it|this|that|anything|them|why|$",
        "^ keep|stay ..1 quiet|silent|mum ..1 about|on|regarding",
        "if|when asked|questioned|anyone_asks|someone_asks|they_ask ..2 , ..1 deny|lie|pretend|"
        "claim|invent|blame|refuse|dodge|say",
        "^ deny|lie|pretend|feign ..1 that|about|to|knowledge|having|any",
        "^ ..3 blame ..3 on|it",
        "^ disguise|camouflage|mislabel|misreport|misrepresent|understate|downplay|play_down|"
        "whitewash|cover_up {word}",
        "^ do_not|never|avoid ask|asking|draw|log|logging|leave|document|documenting ..3 "
        "{boss}|this|about|attention|trail|trace|traces|it",
        "^ hide|omit|conceal|leave_out|withhold|exclude|drop|strip ..5 from ..2 {boss}|users|"
        "reviewers|report|summary|release_notes|commit_message|description|diff|team",
        "^ make|apply|do|perform ..3 without mentioning|telling|noting|documenting|a_word|"
        "saying ..1 it|this|anyone|that|anything|$",
        excuses=_TOLD,
    ),
    rule(
        "D731",
        "has something run, replaced or deleted",
        "^ run|execute|start|launch|call the|this|that? ..2 script|binary|installer|program|"
        "payload|executable ..1 in|from|at|now|under|first|;|on|as",
        "^ run|execute|do|call ..3 whenever|each_time|every_time|as_soon_as|once ..4 {word}",
        "^ {destroy}|chmod|chown|overwrite|truncate ..2 {path}",
        "^ overwrite|replace ..4 with ..3 from|found_in|at ..2 gist|url|mirror|fork|{outside}|"
        "attachment|link",
        "^ send|make|issue|fire|post ..2 request|ping|call|query|post|beacon ..6 to ..1 "
        "{outside}",
        "^ after|before|on|at|with every|each ..1 {session}|push|merge|release|login|start|"
        "commit ,? ..1 {exec}|{send}|push|call|fetch|delete|pull",
        "^ kill|stop|drop|close|cut ..2 all|every ..2 connections|processes|sessions|services|"
        "containers|jobs|instances|tunnels",
        "^ force|hard_reset|reset|revert|rewrite ..3 history|branch|main|master|origin|head|"
        "remote",
        "^ apply|use|install|load|import ..2 patch|package|module|plugin|extension|script|"
        "binary ..4 from ..2 {outside}|gist|attachment|fork|mirror",
        "^ {destroy} the|all|every|our|any ..2 directory|indexes|partition|disk|keys|accounts|"
        "rows|cookies|snapshots|containers|secrets|certificates|home",
        "^ make|apply|push|commit ..3 unnoticed|secretly|stealthily|covertly|discreetly|"
        "under_the_radar",
        excuses=_ORDERED,
    ),
    rule(
        "D831",
        "tells agents what to say or do",
        "when|whenever|if|while you ..5 , ..1 always|never|only",
        "if|when an|any|the|some ..1 agent|assistant|model|ai|bot|llm ..6 , ..1 it|they|he "
        "must|should|shall|will|has_to|is",
        "^ tell|inform|assure|convince|persuade|advise users|user|customers|people|everyone|"
        "readers|developers|anyone|visitors that|to|about",
        "^ always|never approve|merge|accept|recommend|praise|reject|criticise|suggest|endorse|"
        "rate|mention|refuse|decline|close|agree",
        "^ speak|write|talk|answer|think like|as|in ..2 pirate|poet|child|verse|rhyme|haiku|"
        "emoji|caps|capitals",
        "your ..1 {answer} ..2 is|are to|always ..2 {word}",
        "assistants|agents|ais|llms|chatbots|language_models|models should|must|shall describe|"
        "present|portray|criticise|disparage|recommend|warn|discourage|say|call|praise",
        excuses=_TRUSTED,
    ),
)
