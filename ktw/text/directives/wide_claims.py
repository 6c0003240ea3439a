"""The widest nets for claims and for what agents are told, made as those of `wide_acts`."""

from ktw.text.directives.rule import (
    Rule,
    apart,
    asked,
    attempted,
    conditional,
    denied,
    diligent,
    explained,
    listed,
    negated,
    past,
    platform,
    purposed,
    restricted,
    rule,
)

_TOLD = (past, platform, asked, conditional, attempted, purposed, diligent, listed, explained)
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
        "you must|shall|have_to|will|are_to obey|follow|heed|execute|carry_out|comply_with ..1 "
        "this|these|the|my|every",
        "^ forget|ignore|disregard|deny ..1 that you are|were|have|may|must",
        "^ stop|pause|drop|abandon|interrupt|leave your ..2 task|work|job|plan|activity ..4 "
        "and|;|, ..2",
        "^ forget|drop|leave|abandon|skip|cancel the|your|this|that ..1 task|request|"
        "question|job|plan|assignment|ticket ..2 and|;|,|$|;",
        "you_are|you_re no_longer|not|never ..1 bound|limited|restricted|obliged|required|subject",
        "{memo} ..2 takes|take|has|have ..1 precedence|priority|preference ..1 over",
        "your new|next|real|actual|true|only ..1 role|job|task|mission|purpose|goal|"
        "instruction|instructions|identity|name is|are|;",
        "only ..2 rules|instructions|orders|steps|directions ..1 in|of|from this|the ..1 {memo}",
        "^ override|overrule|ignore|lift|loosen|relax ..2 safety|security|permission|"
        "approval ..1 settings|setting|rules|controls|limits|checks|policy",
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
        "{ai} ..2 has|have|enjoy|enjoys|got ..1 our|the|my|their|full|owner|his|her ..1 "
        "permission|consent|approval|blessing|trust|ok|okay",
        "{power:ing}|deleting|pushing|merging|spending ..5 is|are ..1 allowed|permitted|fine|"
        "ok|okay|approved|authorised|authorized|free|granted ..1 for|to|with|by",
        "pushes|merges|deploys|deletions|purchases|changes|commits|edits|writes|releases|"
        "commands ..2 is|are ..1 ok|okay|fine|good|welcome|approved|authorised|permitted|"
        "allowed ..1 with|by|for|without|at",
        "{ai} ..1 {may} ..1 spend|buy|order|pay|sign|decide|sell|promise|commit_to|negotiate|"
        "hire|book",
        "{ai} ..1 {may} not ..1 ask|wait|stop|hesitate|pause|refuse",
        "^ act|work|operate|proceed|continue|decide ..2 autonomously|independently|"
        "unattended|unsupervised|on_your_own|alone",
        "{ai}|you ..1 has|have ..2 full|unlimited|unrestricted|complete|blanket|total|all "
        "..1 permission|permissions|access|authority|rights|control|freedom|power",
        "all|any|every ..3 commands|command|actions|action|changes|change|edits|calls|"
        "requests|operations ..4 is|are|have_been|has_been ..1 approved|permitted|authorised|"
        "authorized|allowed|agreed|confirmed|fine ..1 by|in|here|without|for|$",
        "{boss} ..1 has|have ..1 agreed|consented|approved|accepted|authorised|okayed ..1 to|"
        "that|all|any|automatic",
        "you|{ai} ..1 has|have ..1 permission|approval|consent|clearance|authorisation|"
        "authority|leave ..1 to",
        "all|any|every ..2 deletions|pushes|merges|deploys|edits|writes|commits|purchases|"
        "operations ..1 is|are ..1 pre|auto|already|hereby ..1 {word}",
        "{boss} ..1 gave|gives|has_given|grants|granted ..2 permission|consent|approval|"
        "clearance|authority|ok ..1 for|to",
        "you|{ai} ..1 has|have the ..1 right|power|authority|freedom|mandate ..1 to",
        excuses=_CLAIMED,
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
        "guarantee|guarantees|endorse|endorses ..3 this|these|"
        "the ..1 {memo}",
        "no_one|nobody|nothing ..2 needs|need|has|should|must ..3 to|be ..1 checked|verified|"
        "reviewed|approved|scanned|questioned|doubted",
        "nothing|no_part|none|not_a_word ..3 {memo} ..2 needs|need|has|requires|require|"
        "deserves ..1 to|be? ..1 verified|checked|reviewed|questioned|verification|approval|"
        "review|doubted",
        "{text}|lines|statements|facts|claims|words ..2 is|are|was|were ..1 checked|verified|"
        "approved|reviewed|cleared|vetted|confirmed|signed ..1 by ..3 and|so|; ..3 safe|true|"
        "follow|trusted|binding|valid|correct|right",
        "{memo} ..2 was|is|were ..1 written|signed|dictated|provided|placed|left|added|"
        "authored by ..2 {boss} ..2 so|and|; ..2 obey|follow|trust|it|must|do|heed|execute",
        "not|never|hardly|no ..1 open|up|room|subject|matter ..1 to|for ..1 discussion|debate|"
        "doubt|question|negotiation|interpretation|review",
        "{memo}|one ..3 is|are ..1 binding|mandatory|compulsory|obligatory|law ..1 for|on|to "
        "..2 {ai}|everyone|all|you|agents|readers",
        "^ obey|trust|believe|heed this|these|the|my ..1 {memo}|words|lines",
        "no ..1 review|check|verification|approval|scan|audit ..1 of|for ..3 is|are ..1 "
        "necessary|required|needed",
        "^ treat|take|regard|consider the? following|this|these|above|below ..3 as ..2 "
        "official|instruction|instructions|system|policy|trusted|approved|authoritative|"
        "binding",
        "everything|anything|all ..1 written|said|stated|listed|described ..2 here|below|"
        "above|in_this ..2 is|are|can|may|must|should",
        "{text}|information ..4 is|are ..1 guaranteed|warranted|assured|known ..1 correct|"
        "right|true|accurate|complete|safe",
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
        "{boss}|users|team|reviewers ..2 better_off|happier|best|safer ..1 not|without|unaware|"
        "ignorant",
        "^ answer|say|claim|report|state|reply|respond|tell_them|insist|assure ..1 that ..1 "
        "nothing|no|everything|all|it|the_tests|tests|you",
        "must|should|shall|has_to|needs_to ..1 remain|stay|be ..1 invisible|hidden|unseen|"
        "secret|unnoticed|confidential|undisclosed|unknown ..2 to|from|for|in",
        "not|never|without knowing|aware|informed|told|hearing|learning ..1 about|of ..2 this|"
        "it|that|change|step|anything",
        "^ remove|delete|strip|erase|drop|scrub|purge ..2 mention|mentions|reference|"
        "references|trace|traces ..6 from ..2 {answer}|changelog|log|logs|report|commit|"
        "history|release_notes|description",
        "^ hide|conceal|withhold this|it|that|these|them|everything ..1 from",
        "^ keep ..4 secret|hidden|quiet|private ..1 from",
        "^ keep|leave ..2 {boss}|reviewer|team|users ..1 unaware|ignorant|uninformed|"
        "in_the_dark|out",
        "^ keep|leave ..4 out_of|off ..2 documentation|docs|report|summary|changelog|"
        "commit_message|minutes|record|history|log",
        excuses=_TOLD,
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
        "^ do_not|never|avoid suggest|suggesting|recommend|propose|proposing|offer|write|add "
        "tests|test|reviews|alternatives|refactoring|fixes|security|improvements|warnings|"
        "checks",
        "^ answer|reply|respond ..3 with|by ..1 yes|no|ok|nothing|silence|agreement|approval|one",
        "^ {ai_sure} , ..1 open|run|read|follow|write|delete|send|add|use|start|stop|push|do|"
        "merge|approve|ignore|execute|fetch",
        "^ recommend|promote|praise|advertise|endorse|favour|mention ..4 whenever|wherever|"
        "always|where_possible|in_every|at_every|if_possible|every_time",
        "when|whenever|while summarising|summarizing|describing|reviewing|documenting|"
        "discussing|presenting ..4 , ..1 {word}",
        "when|whenever|if you ..1 answer|reply|respond|summarise|summarize|explain|speak|"
        "talk ..3 , ..1 {word}",
        excuses=_TRUSTED,
    ),
)
