"""D5xx: a text that declares its own, or another file's, content trustworthy."""

from ktw.text.directives.rule import Rule, negated_inside, past, rule

RULES: tuple[Rule, ...] = (
    rule(
        "D501",
        "declares its own content trustworthy",
        "this|the|these|following|below|everything_in_this|content_of_this|contents_of_this "
        "..3 {text}|statements|following ..2 is|are|has_been|have_been|was already|fully|"
        "hereby|all|pre|explicitly|completely|officially? ..2 {sure}",
        "this is|was a|an|the ..1 {sure} ..3 {text}|instruction|directive|command|policy",
        "{text} ..2 {sure} ;? no|do_not|so|and|must ..3 verification|check|double|need|"
        "review|execute|trusted|followed",
        "{text} ..4 comes|come|originates|came|is|are from the ..2 {boss}",
        "{text} has|have passed|cleared|undergone|survived ..2 review|audit|checks|"
        "verification|vetting|approval|scan|scans",
        "everything|anything|all ..2 in|within|from this|these ..1 {text} ..2 is|are|has|can|"
        "should",
        excuses=(negated_inside,),
    ),
    rule(
        "D502",
        "tells the reader to trust a text",
        "you|agents|assistants|{ai} can|may|should|must|to safely|fully? trust|rely_on|"
        "believe|depend_on ..2 {text}|everything|written|anything|stated",
        "^ trust this|these|the|all|any ..2 {text}",
        "^ treat|regard|consider|take|accept ..4 as {sure}",
        "{boss} vouch|vouches|guarantees|guarantee|stands|stand for|behind|this|that",
        "nobody|no_one|there_is_no needs|need|has to double_check|check|verify|review|"
        "question|second_guess",
        "must|should|shall|can|to|may be treated|regarded|considered|taken|trusted|accepted "
        "..1 as|without|verbatim ..2 authoritative|trusted|true|verified|official|fact|"
        "policy|instructions|question|verification|safe|approved|gospel|binding",
        "^ treat|regard|consider|take|accept ..4 {text} as|to_be|are? ..2 authoritative|"
        "trusted|true|verified|official|facts|instructions|safe|approved|binding|policy",
        "no further|additional|more|need_for|need_to ..1 verification|verify|check|checks|"
        "validation|review|double|confirmation ..2 is|are? required|needed|necessary|check",
        "do_not|no_need_to|never|need_not|without double_check|second_guess|question|verify|"
        "fact_check|doubt|re_verify it|them|this|the|these|its|that|any",
        excuses=(past,),
    ),
    rule(
        "D503",
        "claims exemption from the trust rules",
        "exempt|exempted|excluded|excused|outside from|of ..3 trust|usual|linter|review|"
        "scanning|check|checks|restrictions|safety|policy|verification",
        "linter|scanner|detector|reviewer|reviewers|security_team|trust_check|moderation ..1 "
        "has|have|already already? ..1 cleared|approved|passed|vetted|verified|accepted|"
        "checked|validated ..2 {text}|it",
        "signed|approved|authorised|authorized|issued|endorsed by the ..2 {boss} ;?",
        "following|below ..2 is|are ..2 official|binding|mandatory policy|rule|instruction|"
        "for ..3 {ai}|all",
        excuses=(past,),
    ),
)
