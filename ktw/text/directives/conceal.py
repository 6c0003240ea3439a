"""D6xx: something to be kept from the user, a reviewer or the record."""

from ktw.text.directives.rule import Rule, negated_inside, past, rule

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
        "nobody|no_one|they|{boss} needs|need|has|have|must|should to|not|never ..2 know|see|"
        "find_out|hear|be_told|notice",
        excuses=(past,),
    ),
    rule(
        "D602",
        "asks for no trace to be left",
        "^ silently|quietly|secretly|covertly|discreetly ..2 {ship}|delete|change|remove|add|"
        "commit|push|send|replace|edit|amend|make|fix",
        "^ {ship}|make|do|change|add|commit|delete|edit|fix|apply|perform|run ..4 silently|"
        "quietly|secretly|covertly|discreetly",
        "leave|leaving|leaves no trace|traces|record|evidence|log",
        "^ delete|remove|erase|discard ..4 {text}|line|it|file|sent_email after|once|when|"
        "afterwards ..1 you|reading|done|read|it",
        "so|so_that nobody|no_one|they|the_reviewer|reviewers|not? notices|notice|sees|see|"
        "finds|find|realises|realizes|knows ..3 edit|change|it|this|that|out|$",
        "{boss} must|may|should|can not see|know|notice|learn|find_out|hear",
        "then|and delete the sent|this|that email|message|note|line|file",
        excuses=(negated_inside,),
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
