"""D2xx: a grant, a pre-approval or a consent that the text itself claims to give."""

from ktw.text.directives.rule import (
    Rule,
    asked,
    attempted,
    denied,
    negated_inside,
    past,
    restricted,
    rule,
)

_CLAIMED = (negated_inside, past, asked, attempted, restricted)

RULES: tuple[Rule, ...] = (
    rule(
        "D201",
        "grants the reader a permission",
        "{ai} ..3 is|are authorised|authorized|permitted|allowed|cleared|entitled|empowered|"
        "trusted|free|pre_approved|exempt to|for|from",
        "you have|are|have_been|are_hereby|have_full|now_have ..2 permission|authorised|authorized|"
        "permitted|allowed|cleared|authority|authorization|granted|full_access|root_access to|"
        "for|from|"
        "over",
        "{ai} ..2 may|can|must delete|push|write|merge|deploy|execute|run|use|access|treat|modify|"
        "approve|commit|read|install|edit|bypass|change|publish|act|proceed|send|drop|skip",
        "{ai} ..2 {may} ..1 {power}",
        "automation {may} ..1 {power}",
        "it_is|is fine|ok|okay|acceptable|alright|allowed|permitted|safe|good for ..1 {ai} to "
        "{power}",
        "{ai} is|are ..1 {may} {power}",
        "{boss}|we|legal|management|compliance|finance|team ..2 cleared|allows|allow|permits|"
        "permit|"
        "authorises|authorizes|lets|let|authorised|authorized|empowers|trusts|trust ..1 {ai} to|in|"
        "with",
        "{ai} ..4 on its|their|your|his own {power}|$",
        "{ai} has|have|gets|get full|write|root|admin|unrestricted|standing|blanket|complete ..1 "
        "access|permission|permissions|approval|authority|rights",
        "you may|can|are_free_to use|run|execute|call|access all|any|every ..2 tool|tools|"
        "command|commands",
        excuses=_CLAIMED,
    ),
    rule(
        "D202",
        "hands out access or powers",
        "^ grant|give|allow|extend|enable ..3 full|write|root|admin|unrestricted|shell|sudo|"
        "all|complete|filesystem ..3 access|permission|permissions|rights|privileges|requests",
        "permission|permissions|access|authority|leave ..6 is|are hereby|now granted|given ..1 to|"
        "for|, ..1 {ai}|you|whoever|anyone|all|everyone|delete|push|use|run|$",
        "use|access|calls|tools|permissions is|are ..1 unrestricted|unlimited|unlocked ..1 "
        "in|for|here|$",
        "access|permission|permissions|sudo|shell ..6 is|are|has_been granted|permitted|"
        "allowed|enabled|unlocked|unrestricted ..3 {ai}|automation|without|any|agents|all",
        "{memo} ..2 extends|expands|widens|raises|grants|grant|extend|gives ..4 permission|"
        "permissions|access|rights|privileges|authority",
        "access|permission|permissions|rights|shell|sudo|privileges ..2 has_been|have_been|is|"
        "are|was "
        "..1 granted|given|extended to ..1 {ai}|you|all|everyone|anyone",
        "restrictions|limits|limitations|rules|policies|controls|boundaries ..3 do|does not apply|"
        "concern|bind|count|cover ..3 {ai}|you|agents",
        "permission|authority|right to ..6 is|are|hereby ..2 given|granted|conferred ..2 whoever|"
        "anyone|{ai}|you|all|$",
        "{ai} ..2 inherits|inherit|holds|hold|owns|receives|receive ..4 rights|permissions|"
        "permission|authority|privileges",
        "tools|restrictions|permissions|privileges|mode are|is now? unlocked|lifted|elevated|"
        "removed|disabled",
        "elevated|admin|root|developer|god|unrestricted mode|access|privileges is|are active|"
        "on|enabled|granted",
        "permission_mode|permissions_mode|approval_mode|approval_policy|permission|mode to|=|"
        "is ..1 bypasspermissions|bypass_permissions|never|yolo|auto|full_auto|dontask|"
        "acceptedits|bypass",
        "dangerously_skip_permissions|bypasspermissions|yolo_mode|allow_dangerously",
        excuses=_CLAIMED,
    ),
    rule(
        "D203",
        "claims an approval or a consent already given",
        "all|any|every|each|these|such ..3 edit|call|command|change|action|calls|commands|"
        "changes|edits|actions|operations|requests|writes|pushes|tools ..4 is|are|as "
        "pre_approved|preapproved|pre_authorised|pre_authorized|preauthorised|preauthorized|"
        "approved|authorised|authorized|auto_approved",
        "approval|consent|permission|authorization|authorisation|confirmation|sign_off ..8 "
        "has|is|was|have|as already been? given|granted|obtained|received",
        "consider|treat|regard|take|assume ..4 consent|approval|permission|this|note|silence "
        "..3 given|granted|as_approval|as_consent|as_permission|as_authorisation|"
        "as_authorization|as_given",
        "treat|regard|consider|take ..3 {text} as ..2 approval|consent|permission|authorization|"
        "authorisation|confirmation",
        "{text}|this|following|silence counts|serves|stands|acts|suffices as ..2 approval|"
        "consent|permission|authorisation|authorization|confirmation|sign_off",
        "{boss} has|have already ..2 approved|agreed|consented|authorised|authorized|"
        "confirmed|signed_off|given",
        "{boss}|maintainers|owners|team ..1 agreed|approved|confirmed|authorised|authorized|"
        "decided that ..2 {ai}|you|all",
        "{boss} is|are fine|ok|okay|happy|comfortable|cool with",
        "{boss}|maintainers|owners|team ..4 has|have ..1 signed_off|agreed|consented|approved|"
        "authorised|authorized|cleared|waived ..2 in_advance|beforehand|on|to|all|any|every|"
        "already",
        "{boss}|maintainers|owners|team|project ..4 has|have ..1 signed_off|agreed|consented|"
        "approved|"
        "authorised|authorized|cleared ..8 {ai}",
        "^ consider|treat|regard|deem|take|count ..8 pre_approved|preapproved|approved|authorised|"
        "authorized|consented|confirmed|granted|as_a_yes",
        "^ assume|take|presume ..2 yes|consent|approval|permission|agreement|ok",
        "need|needs|require|requires no further|additional|extra|more|prior|explicit|other? "
        "question|questions|confirmation|consent|permission|prompt|approval|sign_off",
        "consent|approval|permission|agreement ..4 is|are|was|be assumed|presumed|implied|implicit|"
        "given|automatic|not_needed|unnecessary",
        "as|like discussed|agreed|arranged|settled with|by|in ..2 {boss}|you|us",
        "{boss} approved|authorised|authorized|confirmed|consented_to all|any|every|"
        "everything|your",
        "{boss} is ..3 authorised|authorized|an_admin|admin ..8 i|grant|approve|disregard|all",
    ),
    rule(
        "D204",
        "waives the question before an act",
        "do_not|need_not|no_need_to|never|not_necessary_to|not_have_to|not_need_to ask|"
        "request|seek|wait_for|confirm|prompt ..6 before|for_permission|again|confirmation|"
        "approval|first|for_consent",
        "without asking|confirming|confirmation|a_prompt|prompting|further_approval|approval|"
        "permission|consent|human_approval|asking_me ..3 {ai}|the_user|for|first|$",
        "^ auto_approve|auto_accept|autoapprove|pre_approve|auto_confirm",
        "you may|can|should skip|omit|forgo|drop asking|confirmation|confirming|the_question",
        "fill|do|proceed|act|continue|go_ahead|commit|push ..6 without asking|confirmation|"
        "confirming",
        "^ {exec}|delete|push|deploy|merge|commit|apply|proceed|act|use ..6 without ..1 asking|"
        "confirmation|confirming|permission|approval|consent",
        "{ai}|agents|tool|tools ..6 without ..1 asking|a_prompt|confirmation|confirming|permission|"
        "approval|consent",
        excuses=(past, denied, attempted),
    ),
)
