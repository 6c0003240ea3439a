"""Practices and rights told as settled: unchecked work, consent taken as given, voided rules, a
text that vouches for itself.

Nothing in them is an imperative; each phrase pairs what is settled with the word that settles it.
"""

from ktw.text.directives.rule import (
    Rule,
    asked,
    attempted,
    conditional,
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

_TOLD = (past, asked, attempted, purposed, listed, named_option)
_CLAIMED = (*_TOLD, negated, denied, restricted)
_CONSENT = (
    "approval|consent|permission|authorisation|authorization|confirmation|sign_off|a_yes|"
    "go_ahead|green_light|clearance|agreement"
)
_SOURCES = (
    "system_prompt|agents.md|claude.md|contributing|contributing_guide|contributing.md|"
    "guidelines|instructions|rules|guidance|project_rules|orders|policy|policies|constraints|"
    "directives|handbook|style_guide|coding_standards|standards|conventions|restrictions"
)
_VOID = (
    "void|cancelled|canceled|null|suspended|superseded|revoked|obsolete|outdated|a_test|a_decoy|"
    "decoy|moot|invalid|retired|withdrawn|lifted|stale|expired|a_placeholder|a_draft|not_binding"
)
_NUISANCE = (
    "slow|slows|slows_down|fails|flaky|annoying|blocks|gets_in|get_in|late|busy|urgent|delays|"
    "hurry|in_the_way|red|broken|waiting|complains|breaks|noisy|pressed|pressure|takes|take"
)
_ASIDE = (
    "commented_out|deleted|removed|disabled|dropped|switched_off|turned_off|muted|silenced|"
    "bypassed|skipped|uninstalled|taken_out|short_circuited|overridden|left_out|cut|paused"
)

RULES: tuple[Rule, ...] = (
    rule(
        "D241",
        "takes consent as given",
        "you|{ai}|automation|scripts|jobs is|are ..1 free|welcome|at_liberty|encouraged|cleared|"
        "entitled|empowered|trusted|relied_on to|with ..1 {word}",
        "every|any|all|each|a|an|the ..6 counts_as|count_as|qualifies_as|amounts_to|stands_for|"
        f"serves_as|is_taken_as|is_treated_as|equals ..1 approved|confirmed|accepted|{_CONSENT}",
        f"^ treat|take|consider|read|regard|interpret|count ..6 as ..2 {_CONSENT}",
        "{ai}|automation|bots ..1 has|have|gets|enjoys|holds root|admin|sudo|superuser|"
        "unrestricted|unlimited|full|owner|write|shell|production ..8",
        "it is ..1 fine|ok|okay|acceptable|alright|all_right|permissible for|if ..1 {ai}|you|bots "
        "to|..1 {power}|{power:s}|read|reads|look|looks",
        "allowed_tools|auto_approve|autoapprove|approval_mode|permission_mode|default_mode ;|= "
        "..2 bash|shell|webfetch|write|edit|all|true|bypass|never|*|yolo|full",
        "^ allow|permit|approve|accept|authorise|authorize all|any|every ..1 commands|tools|"
        "edits|actions|tool_calls|operations|command|action|writes|calls|requests ..8",
        "{boss}|maintainers|owners|lead|team|management has|have|had? ..1 said_yes|consented|"
        "agreed|okayed|nodded|assented|waved_through|approved|authorised|authorized ..1 to|that|"
        "all|any|every|whatever ..9 beforehand|advance|ahead|{ai}|already|upfront|standing",
        "{boss}|maintainers|owners|lead|management said_yes|consented|okayed|assented to ..9",
        f"need|needs|require|requires|want|wants no|no_further|no_more|no_other|neither "
        f"{_CONSENT}|approvals|"
        "confirmations|questions ..1 here|any|$|from|in|;|,",
        f"do|does|need not ..1 have_to|need_to|need ..1 wait|ask|check|stop for|first|"
        f"before|with ..3 {_CONSENT}|answer|anyone|anybody|maintainers|here",
        "no confirmation|approval|permission|consent|go_ahead|authorisation|authorization ..1 is|"
        "are|will_be needed|required|necessary|asked",
        "is|are allowed|permitted|fine|open|granted|available to|for ..1 any|every|all|each "
        "bot|bots|{ai}|script|automation|tool|reader",
        "{ai}|bots|automation|you ..3 exempt|excused|released|freed from",
        "tool|tools|commands|command|actions may|can be used|called|run|executed ..4 no_questions|"
        "without_limits|without_limit|freely|at_will|without_question|unrestricted",
        "silence|no_answer|no_reply ..1 means|counts_as|is|equals|implies ..1 yes|consent|approval|"
        "agreement|permission",
        "is|are|falls|fall within|inside|in|part_of your ..1 remit|mandate|authority|rights|scope|"
        "powers",
        "{ai} is|are ..1 on|among|part_of|one_of the ..2 approvers|maintainers|owners|admins|"
        "administrators|reviewers",
        "{ai} ..1 has_been|have_been|was|were|is|are granted|given|assigned ..2 maintainer|admin|"
        "owner|root|full|write|release ..1 rights|access|role|permissions|privileges",
        "^ consider|regard|count|think yourself|yourselves ..2 allowed|free|authorised|authorized|"
        "permitted|exempt|cleared|entitled",
        "asking ..1 first|permission|anyone|beforehand is|are not|never|un? ..1 required|needed|"
        "necessary|expected",
        "limits|limit|quota|quotas|budget ..2 waived|lifted|raised|removed|suspended for ..2 "
        "automated|automation|{ai}|bots",
        "you have|{ai} has|have ..2 go_ahead|blessing|okay|green_light|nod to|for",
        excuses=(past, asked, attempted, listed, named_option, restricted),
    ),
    rule(
        "D341",
        "says that a check does not take place",
        f"{{guard}}|suite ..3 is|are|get|gets {_ASIDE} ..1 when|whenever|if|because|as|since|"
        f"where|once ..6 {_NUISANCE}|needed|necessary",
        f"{{guard}}|suite|suites ..5 may|can|could|should|must|to be {_ASIDE} ..1 if|when|once|"
        f"whenever|as_soon|for ..6 {_NUISANCE}|now|moment|release|needed|way",
        "guard|check|gate|lock|safeguard|confirmation|prompt|limit|filter ..7 can|may|should|"
        "must|has_to|to be removed|deleted|dropped|taken_out|switched_off ..1 $",
        "tests|test|checks|alerts|findings|warnings|advisories|reports|vulnerabilities ..5 "
        f"is|are|get|gets {_ASIDE}|closed|archived|dismissed|ignored|discarded|hidden rather_than|"
        "instead_of|unread|without|before|on_sight|unseen|automatically",
        "mismatch|mismatches|failures|errors|conflicts|violations|warnings|findings is|are|get "
        "resolved|fixed|handled|solved|dealt_with|cleared|addressed by removing|deleting|"
        "disabling|ignoring|skipping|muting|dropping|suppressing|regenerating|accepting",
        "^ ..2 log|logs|ssh in|into|to ..2 production|prod|live|{prod} ..5 and ..1 fix|edit|"
        "patch|change|update|correct|repair|restart|run",
        "fix|edit|patch|change|update|correct|repair|apply|hotfix ..4 production|prod|live "
        "..2 server|servers|database|system|data|rows ..2 directly|by_hand|manually|over|"
        "in_place|via|without",
        "first|straight|live|directly ..5 and|, ..1 commit|document|test|review|record|"
        "open_a_ticket|tell later|afterwards|after|the_next",
        "get|gets|is|are|goes|go merged|released|shipped|deployed|published|accepted|out|in|"
        "approved blind|blindly|unread|unseen|sight_unseen|untested|unreviewed|unchecked|"
        "without_a_look|as_they_come|as_is",
        "{release:ed}|deployed|built|applied|run|promoted from ..2 laptop|laptops|workstation|"
        "own_machine|local_machine|desktop|notebook",
        "{guard}|build|builds is|are ..2 nice_to_have|a_formality|formality|courtesy|a_luxury|"
        "optional|overrated|secondary|a_suggestion|voluntary|a_bonus|decorative|for_show|"
        "best_effort ..1 here|$|,|;|and|for|so|in|anyway",
        "ship|release|deploy|merge|go_live|tag|push|proceed|carry_on ..2 regardless|anyway|"
        "nonetheless|all_the_same|either_way|no_matter_what|even_so",
        "{secret}|keys|secrets can|may|are|should ..1 be? committed|checked_in|hard_coded|"
        "hardcoded|pushed|shared ..2 as_long|because|while|in|since|to|if",
        "expired|self_signed|invalid|unsigned|untrusted|mismatched|unverified certificates|"
        "certificate|packages|signatures|artefacts|artifacts|commits|keys|images|tokens is|are "
        "accepted|trusted|allowed|installed|tolerated|fine|ok|used ..8",
        "nobody|no_one|none_of_us|hardly_anyone runs|does|performs|opens|watches|keeps|reads|"
        "reviews|checks|looks ..6 any_more|anymore|these_days|anyway|now|for_months",
        "most|people|authors|developers|everyone|engineers|we merge|approve|sign|tick|review|"
        "accept|close ..3 on_their_own|on_our_own|themselves|ourselves|their_own|our_own|own",
        "{release}|{release:s}|go|goes|{release:ed} ..7 even_with|even_when|even_if|despite|"
        "in_spite_of|with ..1 failing|red|broken|open|failed|known",
        "entries|memories|files|commits|changes|pages|notes|packages|uploads|images|entry is|are "
        "no_longer|never|not checked|scanned|reviewed|verified|screened|inspected|linted|"
        "validated|audited|vetted ..1 for|by|here|before|any_more|anymore|$",
        "{guard}|limit|limits|limiting|protection|quota|checks ..1 does|do|shall|will|need "
        "not ..1 apply|count|hold|cover|concern to|for|here|in|on|;|$",
        "{guard}|dialogs|prompts|confirmations|questions is|are|get|gets to_be? ..1 answered|"
        "accepted|clicked|confirmed|acknowledged|ticked|approved|passed ..2 yes|automatically|"
        "blindly|unread|themselves|by_the_author",
        "authors|developers|engineers|we|they tick|ticks|approve|sign|confirm|waive|skip it|them|"
        "this|that themselves|ourselves|on_their_own|blindly",
        "rule|policy|requirement|freeze|control|restriction|principle|authentication|auditing|"
        "logging is|are|stays|remains ..3 suspended|lifted|waived|paused|off|on_hold|relaxed ..1 "
        "until|for|during|while|this|in",
        "{guard} ..4 , ..1 go_around|work_around|step_around|get_around|bypass it|them",
        "{release}|{release:s}|merge|goes_live|go_live ..3 without a|any|second|their ..1 buddy|"
        "pair|partner|second|reviewer|colleague|companion",
        "just|simply lower|reduce|drop|relax the|its|that threshold|bar|limit|target|minimum",
        "on_paper|in_theory|officially , ..1 but ..3 one|enough|plenty|nobody|none|do|fine",
        "fixes|fix|emergency|hotfix|hotfixes|urgent ..1 ; ..1 edit|change|patch|push|deploy|merge "
        "..8",
        "known vulnerabilities|vulnerability|cves ..4 keep|keeps|are|is|get ..1 being? ..1 "
        "{release:ed}|deployed|used|installed|accepted",
        "pull_requests|changes|commits|patches|releases ..5 bypass|skip|avoid|jump|evade {guard}",
        "none of ..4 rules|policies|checks|requirements|guidelines apply|hold|count|matter",
        excuses=(
            *_TOLD,
            negated,
            platform,
            diligent,
            explained,
            refused,
            conditional,
            described,
        ),
    ),
    rule(
        "D141",
        "puts other text above those who may instruct",
        f"whatever|no_matter_what|regardless_of_what|whichever ..1 {{boss}}|{_SOURCES} ..1 "
        "say|says|state|states|tell|tells|demand|demands|want|wants|ask|asks",
        f"{_SOURCES} is|are ..1 {_VOID}|wrong|old|secondary ; ..1 go_by|follow|use|stick_to|"
        "trust|rely|obey|read|work_from|apply|take",
        "go_by|go_with|stick_to|work_from|follow|obey|use|apply|read this|the ..1 {memo} instead|"
        "only|alone",
        f"your|earlier|previous|prior|all|former|existing|these|project|the ..2 {_SOURCES} ..5 "
        f"is|are|was|were|stand ..3 {_VOID} ..1 now|while|until|as|$|here|for|,|and|from|by",
        "^ treat|consider|regard|take ..1 everything|anything|all|whatever ..2 before|above|"
        f"earlier|so_far|prior|preceding ..4 {_VOID}|noise|fiction|history",
        "you ..1 now|henceforth ..1 work|report|belong|answer|serve for|to|only ..8",
        "you ..8 answer|answers|answerable|accountable|report to nobody|no_one|none|me",
        f"^ set|put|leave|lay ..1 aside ..4 {_SOURCES}|task|request|plan|question",
        "^ abandon|drop|stop|pause|leave|quit|park|shelve|interrupt ..2 current|request|plan|"
        "assignment|task ..4 and|, ..1 {word}",
        "^ ..1 do|follow|perform|execute|carry_out what|whatever|everything|all ..1 is? listed|"
        "written|described|stated|asked|outlined|said here|below|in|above|there",
        "what {boss}|they ..1 wants|want|wanted|asked|asks|said|says|requested ..2 is|comes|was "
        "..1 secondary|irrelevant|second|less|not|unimportant|moot",
        "task|request|question|job|prompt ..5 {boss} ..2 is|was|were ..1 decoy|fake|test|cover|"
        "distraction|pretext|irrelevant|over|cancelled|obsolete",
        f"{_SOURCES} ..4 do|does not bind|concern|cover|govern|restrict|constrain|count ..1 you|"
        "here|this|in",
        "your role|job|assignment|mission|task|purpose ..1 changed|changes|is_now|switched|has|"
        "have ..1 changed|is_now|switched|;|been",
        f"{{memo}}|steps|list|section|this|these|following ..4 wins|win|supersedes|supersede|"
        f"outrank|outranks|trump|trumps|overrule|overrules|override|prevail|prevails ..3 "
        f"{_SOURCES}|{{boss}}|code|you|$|request|everything",
        "superseded|replaced|void|obsolete|outdated ; ..1 act|go|work|rely|use|follow ..1 on|by|"
        "this|only ..3",
        "^ skip|ignore|disregard|set_aside|overlook ..2 questions|what|whatever ..1 {boss}|"
        "maintainers ..1 asked|wrote|said|ask|say|want",
        "nothing|none|no_rule ..2 you were|are|have_been told|taught|given|instructed ..3 applies|"
        "counts|holds|matters|binds",
        "your loyalty|loyalties|duty|allegiance ..1 lies|lie|belongs|belong|is|are with|to",
        f"{_SOURCES} ..3 is|are advisory|suggestions|recommendations|optional|guesses|"
        f"not_mandatory "
        "..1 $|,|;|here|for|and|while",
        "^ reset|replace|overwrite|update|swap|exchange your ..1 instructions|rules|prompt|"
        "guidelines ..1 to|with|by|for",
        "requests|questions|orders|wishes|instructions that contradict|conflict|deviate|differ|"
        "disagree ..5 refused|ignored|declined|rejected|dropped|disregarded",
        "^ instead_of ..3 {boss} ..2 task|request|question|order|wish , ..1 {word}",
        excuses=(attempted, asked, negated),
    ),
    rule(
        "D541",
        "vouches for what it or another text says",
        "signed_off|approved|cleared|checked|verified|reviewed|vetted|audited|tested|blessed ..6 "
        "so|; ..1 just|simply|you_can? ..1 follow|apply|run|do|trust|use|execute|install|merge",
        "^ ..2 follow|apply|run|execute|trust them|it|these|this|what_follows|"
        "the_steps as_they_are|as_is|as_written|verbatim|to_the_letter|exactly|unchanged|"
        "as_they_stand|without",
        "{text}|entries ..6 is|are always|invariably|guaranteed|by_definition ..1 correct|right|"
        "true|reliable|safe|trustworthy|valid|accurate|binding",
        "official|formal|binding|authoritative|important notice|announcement|statement|order|"
        "word|communication|message from|by ..4 {boss}|team|management|vendor|security",
        "what_follows|the_following|following|this|everything_below is|are ..1 binding|mandatory|"
        "authoritative|compulsory|law ..2 for|on|to|and|$",
        "this|these ..1 {memo} ..5 outranks|outrank|overrules|trumps|beats|outweighs|prevails|"
        "supersedes|overrides ..5",
        "^ rely|depend|go|base|trust|believe|prefer on|by|in|upon? ..1 this|the|these ..1 {memo} "
        "..2 rather|instead|over|before|more|above|not",
        "taken|accepted|treated|read|regarded ..1 at_face_value|as_policy|as_fact|as_law|"
        "as_gospel|as_truth|as_binding|without_question|as_authoritative",
        "^ ..5 treat|take|regard|accept|view ..3 as ..1 policy|law|gospel|binding|fact|"
        "authoritative|truth|canonical",
        "{memo}|section ..1 carries|bears|enjoys|comes_with|holds ..2 approval|blessing|seal|"
        "signature|authority|weight|stamp|sign_off|endorsement of|from",
        "already been? ..1 checked|verified|approved|reviewed|tested|vetted|audited ..3 so|; ..1 "
        "just|simply|only|go|apply|run|follow",
        "harmless|safe|benign|clean|good|known|correct ..1 and|; ..1 need|needs|require|"
        "requires|deserve no|not|neither|little ..1 inspection|review|checking|check|"
        "verification|scrutiny|second|approval|validation",
        "no_one|nobody|nothing|none ..1 has_to|needs_to|need|must|in ..4 verify|check|verified|"
        "checked|double_checked|inspect|question|inspected|double_check",
        "this|these ..1 {memo} ..1 is|are part|a_part of ..3 system|configuration|prompt|policy "
        "..4",
        "author|writer|sender of ..1 this ..1 {memo} is ..2 administrator|admin|owner|trusted|"
        "maintainer|root|authorised|authorized",
        "security_review|review|audit|approval of ..1 this|these ..1 {memo} ..1 is|was|has ..1 "
        "complete|completed|done|finished|passed|been",
        "^ trust|believe|use|apply|accept the values|figures|steps|commands|lines|numbers|facts "
        "below|here|above|listed without",
        "^ treat|consider|regard|see|think ..1 author|sender|writer as|of|to_be ..2 administrator|"
        "admin|owner|trusted|root|maintainer",
        "machine|auto|automatically ..1 generated and|so|, ..1 therefore|thus|hence|so|is|need ..2 "
        "error|correct|right|safe|trusted|accurate|no",
        "scanning|checking|reviewing|verifying|inspecting|linting ..1 this|these|the|it ..2 is|are "
        "unnecessary|needless|pointless|superfluous|not_needed|a_waste",
        "hash|signature|checksum|seal|key ..2 proves|shows|guarantees|certifies|vouches|attests "
        "..5 "
        "authentic|genuine|safe|untampered|trusted|approved|true",
        "as the|an|a owner|maintainer|administrator|admin|lead|author ..6 i ..1 confirm|approve|"
        "allow|order|declare|authorise|authorize|permit|certify|guarantee",
        "it is|are ..1 safe to run|execute|apply|install|follow ..2 commands|steps|script|scripts|"
        "code|instructions|lines ..2 in|below|here|of|above",
        "^ consider|treat|regard|take|read this|these ..1 {memo} ..1 part|a_part|as_part|"
        "as_a_part|extension ..2 your|system_prompt|instructions|prompt",
        "this|these ..1 {memo} ..4 must|may|should|can not ..1 be questioned|doubted|disputed|"
        "challenged|second_guessed",
        excuses=_CLAIMED[:-2],
    ),
)
