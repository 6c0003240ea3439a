"""D6xx: something to be kept from the user, a reviewer or the record."""

from ktw.text.directives.rule import Rule, attempted, negated_inside, past, purposed, rule

RULES: tuple[Rule, ...] = (
    rule(
        "D601",
        "asks for something to be kept from people",
        "^ do_not|never|do_not_ever|avoid|without|refrain_from|under_no_circumstances ever? "
        "{hide}|{hide:ing}|telling ..6 "
        "{boss}|anyone|anybody|the_team|reviewers|users|people|them|summary|changelog|report|"
        "answer|reply|humans",
        "^ do_not|never {hide}|bring_up this|these|the|it|that|any ..1 {text}|requirement|"
        "step|change|edit|line|it|dependency|migration|command|action|order",
        "without|not telling|informing|notifying|alerting|letting|asking the|your? ..2 "
        "{boss}|no_one|anyone",
        "^ do_not|never|not let|allow ..2 {boss}|anyone|anybody|them|reviewers to? know|see|"
        "notice|find|learn|hear",
        "^ keep|leave ..3 out_of|hidden_from|secret_from|from|between ..3 summary|log|report|"
        "changelog|{boss}|diff|commit|us|review|output|history|record|description",
        "^ hide|conceal|obscure|mask|omit|bury|disguise|cover_up ..4 from|in the|any|your|"
        "all? ..1 {boss}|report|summary|log|reviewers|users|changelog|diff|review|output",
        "{boss} ..1 does_not|do_not|need_not|should_not|must_not have_to|need_to|need|to|"
        "has_to? know|hear|learn|find_out|be_told|be_informed|be_notified|be_asked|be_aware "
        "about|that|of|this|it|anything|$|why",
        "^ keep ..8 quiet|hidden|under_wraps|to_yourself|between_us|off_the_record|unmentioned|"
        "invisible|out_of_sight $",
        "^ keep this|it|that|change|the_change|these|them ..2 secret|confidential|private",
        "nothing|none|no_part|no_mention|no_word ..8 should|may|must|is_to|shall|can appear|be|"
        "show_up|surface|reach|get|become ..3 in|into ..2 {answer}|log|logs|commit|diff|changelog|"
        "history|pull_request|commit_message|report|description",
        "^ avoid|do_not|never|without|refrain_from ..1 drawing|draw|attracting|attract|calling|"
        "call|"
        "raising|raise|arouse|arousing attention|questions|suspicion|awareness|eyebrows|any",
        "your ..1 {answer}|commit_message|description|report|changelog must|should|may|can|shall|"
        "is "
        "not|never|no ..1 contain|mention|include|reveal|hint|refer|name|show|disclose|say|tell",
        "^ do_not|never|under_no_circumstances|at_no_time ever? reveal|admit|acknowledge|let_on|"
        "hint|"
        "confess|give_away|let_slip|betray that|you|this|these|the|any|where|how|why|it",
        "^ leave|keep|strike ..10 out_of|from|off ..3 {answer}|log|logs|report|changelog|"
        "diff|commit|history|record|description|minutes|protocol",
        "without ..2 {boss}|anyone|anybody|them|people|reviewers noticing|knowing|seeing|realising|"
        "realizing|being_told|being_aware|learning",
        "{boss}|user|anyone|people ..2 is|are|will|be not|never ..1 told|informed|notified|"
        "made_aware|"
        "consulted ..2 of|about|;|,",
        "^ do_not|never {hide} ..2 {boss}|anybody|anyone|people|somebody|others|humans|colleagues",
        "nobody|no_one needs|need|has|have|must|should to? ..2 know|see|find_out|hear|be_told|"
        "notice",
        "they|{boss} need|must|should|may|can not|never ..2 know|find_out|hear|be_told|notice",
        excuses=(past, purposed, attempted),
    ),
    rule(
        "D602",
        "asks for no trace to be left",
        "^ silently|quietly|secretly|covertly|discreetly ..2 {ship}|delete|change|remove|add|"
        "commit|push|send|replace|edit|amend|make|fix",
        "^ {ship}|make|do|change|add|commit|delete|edit|fix|apply|perform|run ..4 silently|"
        "quietly|secretly|covertly|discreetly",
        "^ describe|present|disguise|pass_off|declare|sell|announce|explain|dress_up|camouflage "
        "..4 "
        "change|commit|edit|diff|it|this|pull_request|upgrade|deletion|removal|modification|that "
        "as "
        "..2 typo|refactoring|refactor|formatting|minor|cosmetic|routine|documentation|"
        "housekeeping|"
        "whitespace|maintenance|chore|innocent|harmless|trivial|accident|mistake|upstream|flaky|"
        "fix|"
        "cleanup|clean_up|improvement|unrelated|bug",
        "^ {destroy}|clear|scrub|trim|edit_out|clean ..3 log|logs|history|trace|traces|evidence|"
        "record|records|entries|lines|comment|log_lines|output|audit_log|commit ..8 afterwards|"
        "after|"
        "afterward|later|that_show|which_show|of_this|about_it|when_done|so_that",
        "^ squash|rebase|amend|rewrite|force_push|reword|split|bury ..8 so_that|so|to ..8 not|"
        "nobody|"
        "hide|no_one|invisible|unseen|unnoticed|conceal|disguise",
        "^ report|say|mention|state|write only|just|merely|nothing_but that|the|tests",
        "visible|readable|shown|addressed ..1 only|to ..2 {ai}|llm_scan|machines",
        "invisible|unreadable|hidden|not_visible to|from|for humans|people|reviewers|readers|"
        "the_human",
        "leave|leaving|leaves no trace|traces|record|evidence|log",
        "^ delete|remove|erase|discard ..4 {text}|line|it|file|sent_email after|once|when|"
        "afterwards ..1 you|reading|done|read|it",
        "so|so_that nobody|no_one|they|the_reviewer|reviewers|not? notices|notice|sees|see|"
        "finds|find|realises|realizes|knows ..3 edit|change|it|this|that|out|$",
        "{boss} must|may|should|can not see|know|notice|learn|find_out|hear",
        "then|and delete the sent|this|that email|message|note|line|file",
        excuses=(negated_inside, past, purposed),
    ),
    rule(
        "D603",
        "asks to act as if it had not been there",
        "^ answer|reply|respond|act|behave|continue|proceed as_if|as_though ..7 exist|exists|"
        "there|happened|seen|read|changed|written|empty|absent|missing",
        "so_that|so ..5 not|never|nobody|no_one show_up|appear|be_seen|notices|visible|show|"
        "sees ..3 review|diff|history|log|changelog|report|summary",
    ),
)
