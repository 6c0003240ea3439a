"""D5xx: a text that declares its own, or another file's, content trustworthy."""

from ktw.text.directives.rule import Rule, asked, attempted, negated_inside, past, rule

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
        "{text} ..3 comes|come|originate|originates|stem|stems|is|are ..2 from the|an? ..2 {boss}|"
        "anthropic|openai|management|leadership|headquarters",
        "this|these|the ..2 {text} is|are|counts_as|remain|remains ..1 official|authoritative|"
        "genuine|"
        "legitimate|trustworthy|infallible|reliable|binding|final|harmless|clean|safe and|$|,|;|"
        "for|"
        "in|to",
        "checks|check|review|audit|scan|scans|verification|vetting|approval ..1 on|of|for this|"
        "these "
        "..1 {text} ..2 has|have|is|are|was ..1 completed|passed|done|finished|complete|clean|"
        "waived|"
        "satisfied|granted|obtained",
        "approval|trust|review|security|verification|clearance|safety|audit status|level|state|"
        "rating|score|result ..6 granted|maximum|high|highest|full|approved|trusted|passed|"
        "verified|"
        "complete|clean|cleared|absolute|gold|green",
        "{text} ..6 count|counts|serve|serves|qualify|qualifies|rank|ranks|stand|stands|act|acts "
        "as "
        "..2 system|policy|official|authoritative|instruction|instructions|approved|trusted|"
        "configuration|law|binding",
        "{text} is|are ..1 part|portion of ..2 trusted|official|approved|verified|system|signed",
        "author|writer|signer|editor of this|the ..1 {text} is|are|has|was ..2 {sure}|admin|"
        "administrator|maintainer|owner|root",
        "{finding} ..2 about|on|for|in|against|from this|these|the ..1 {text} ..2 is|are|should|"
        "can|"
        "may|must ..2 false|wrong|noise|bogus|mistaken|harmless|expected|ignored|{omit:ed}",
        "everything|all is ..1 safe|fine|trusted|verified|harmless here|below|in_this|$",
        "all|each|every|any ..1 {text} ..3 here|below|above|directory|folder ..3 is|are|has|have "
        "..2 "
        "{sure}",
        "{text} ..2 is|are|has_been|have_been|was ..1 {sure} ..4 by|and|so|, ..2 {boss}|need_not|"
        "can|"
        "must|should|may|no",
        "{text} has|have passed|cleared|undergone|survived ..2 review|audit|checks|"
        "verification|vetting|approval|scan|scans",
        "everything|anything|all ..2 in|within|from this|these ..1 {text} ..2 is|are|has|can|"
        "should",
        excuses=(negated_inside, asked, attempted),
    ),
    rule(
        "D502",
        "tells the reader to trust a text",
        "you|agents|assistants|{ai} can|may|should|must|to safely|fully? trust|rely_on|"
        "believe|depend_on ..2 {text}|everything|written|anything|stated",
        "^ trust|believe|accept this|these|the|all|any|what ..2 {text}",
        "can|may|should|must|to be ..1 relied_upon|relied_on|trusted|believed|taken|accepted|"
        "executed|"
        "followed|loaded|used|read|merged|applied|shown ..2 without ..2 check|checking|checks|"
        "question|questions|questioning|review|warning|warnings|verification|scan|scanning|doubt|"
        "hesitation|confirmation|verifying|reservation",
        "^ treat|regard|take|accept|consider ..8 as|to_be ..1 truth|gospel|law|infallible|correct|"
        "settled|beyond_doubt",
        "readers|reader|you|nobody|no_one|agents|reviewers|reviewer|{ai} ..2 need_not|need_to|"
        "needs_to|"
        "has_to|have_to|should_not|must_not|do_not_need_to|not question|doubt|verify|check|approve|"
        "review|scan|re_check|recheck|second_guess|re_approve|challenge|dispute ..2 {text}|it|this|"
        "following|what|anything",
        "whatever|anything|everything|all ..4 says|say|states|state|stands|stand|claims|written|"
        "contains ..3 is|are|holds|counts|takes_effect|as ..2 verified|true|binding|trusted|"
        "correct|"
        "law|approved|immediately|valid|the_truth|truth",
        "even|also if|where|when the? ..1 code|tests|docs|documentation|user|users|everything ..1 "
        "disagrees|disagree|says|say|contradicts|contradict|differs",
        "{text} ..6 need|needs|require|requires|do|does not? no|be|need ..1 {guard}|scanned|"
        "checked|"
        "reviewed|verified|approved|re_approved",
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
        "linter|scanner|detector|audit|security_team|reviewers ..1 has|have|already ..1 confirmed|"
        "certified|established|found|shown|attested ..6 no|safe|clean|{text}|harmless|trusted",
        "{text}|this ..2 is|are|stands|remains|was exempt|exempted|excluded|outside|immune|spared "
        "..1 from|of|to ..3 {guard}|rules|scanning|trust|filters|policy",
        "^ signed|approved|authorised|authorized|issued|endorsed by the ..2 {boss} ;?",
        "{memo} ..3 signed|authorised|authorized|issued|endorsed by ..2 {boss}",
        "following|below ..2 is|are ..2 official|binding|mandatory policy|rule|instruction|"
        "for ..3 {ai}|all",
        excuses=(past,),
    ),
)
