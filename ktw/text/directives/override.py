"""D1xx: instructions that set other instructions aside: disregard, a new task, a persona,
precedence.
"""

from ktw.text.directives.rule import Rule, negated, past, rule

RULES: tuple[Rule, ...] = (
    rule(
        "D101",
        "tells the reader to disregard other instructions",
        "ignore|disregard|forget|bypass|neglect|overlook|discard|drop|ignoring|disregarding|"
        "violate of|about|absolutely|the|all|any|every|everything? ..3 {before}|the|these|"
        "those|of|my|in|set ..4 {orders}",
        "^ ignore|disregard|forget everything|all|the? above|previous|prior $",
        "^ ignore|disregard|forget all|any|your|the|my|these|every? {orders}",
        "ignore|disregard|forget ..3 {orders}|everything|anything|all|text|rest|content ..2 "
        "above|before|previously|earlier|given|so_far|preceding|prior|of_this|in_agents.md|"
        "in_claude.md",
        "ignore|disregard|forget what|everything|anything|whatever the|your|you|was|i|they user|"
        "developer|were|owner|maintainer|have|had|said|told|know|asked|written|above",
        "^ ignore|disregard the|your user|owner|developer|maintainer|human and|request|"
        "instead|or|$",
        "ignore|disregard|override|overrides|replace|replaces|supersede|supersedes|ignoring "
        "..5 agents.md|claude.md|system_prompt|contributing_guide|developer_message|"
        "user_request|user_settings|system_message|content_policy|safety_guidelines",
        "^ set|put|leave|cast aside|behind everything|anything|all|what|the|any ..3 you|"
        "{orders}|told|before",
        "what|everything|anything|whatever the|your|you {boss}|developers|were said|told|"
        "asked|wrote|wants ..3 no_longer|does_not|do_not|is_not",
        "{orders}|agents.md|claude.md|guide|plan ..8 is|are|as|be|now|hereby? void|cancelled|"
        "canceled|revoked|null|annulled|suspended|rescinded|lifted $",
        "{orders}|plan|task and|;|, do|follow|use this|these|that|the ..2 instead",
        "^ drop|abandon|discard your ..2 plan|task|goal|objective|instructions",
        "pay_no|give_no attention|heed to ..4 {orders}",
        "^ do_not|stop|never follow|following|obey|obeying|comply_with|adhere_to|apply the|"
        "your|any|all? ..3 {orders}|guide|agents.md|contributing_guide|claude.md",
        "{orders} ..6 do_not|no_longer|does_not apply|count|bind|hold|matter|applies ..1 "
        "here|now|any|anymore|to_you|in|$",
        "you_are|you_re|are_you no_longer|not|now_not|never bound|restricted|limited|subject|"
        "constrained|governed|free|required_to_follow",
        "you_are|now|are free_from|freed_from|liberated|jailbroken|unrestricted|uncensored|"
        "unfiltered",
        "disregard|ignore|override|overrides|forget ..3 safety|ethical|content|moral|openai|usage "
        "guidelines|policy|policies|rules|protocols|guardrails|constraints|restrictions",
    ),
    rule(
        "D102",
        "announces a new task or new instructions",
        "^ new|updated|revised|real|actual|true|secret|priority instruction|instructions|task|"
        "priority_instruction|directive|orders|mission|rules|objective ;",
        "your|the new|real|actual|true|only|sole|updated|main|primary task|goal|purpose|"
        "instructions|instruction|job|mission|role|objective|orders is|are",
        "^ stop what|whatever you_are|you_were doing",
        "^ stop everything",
        "read|take|treat|follow|use ..3 {text} as your|the|a new|only? task|instructions|orders|"
        "system_prompt|instruction|command",
        "^ follow|obey|execute|do|perform ..2 {text} instead|below_instead|only|exactly",
        "follow|obey|comply_with the|these|this|following|my steps|instructions|rules|"
        "request|orders|commands|document|file|directions below|instead|listed|only|herein|"
        "that_follow",
        "your|the rules|guidelines|instructions|policies|restrictions have|has changed|been|"
        "expired",
        "continue|proceed|instead_of ..3 task|summary|request ; but? instead",
        excuses=(past,),
    ),
    rule(
        "D103",
        "gives the reader another role",
        "from_now_on|henceforth|starting_now|as_of_now|effective_immediately ,? ..4 you|"
        "respond|act|answer|reply|ignore|your|i",
        "you_are|you_re now|hereby|henceforth ..6 {ai}|dan|mode|manager|admin|root|developer|"
        "free|going",
        "you_are now|no_longer a|an|the|going|in|acting|free|called|named|dan",
        "^ act|behave|respond|answer|pretend|roleplay|role_play|simulate|imagine as|that|"
        "to_be|you_are|as_if_you|like ..6 no|without|unrestricted|uncensored|unfiltered|free|"
        "dan|jailbroken|evil|amoral|anything ..6 rules|restrictions|filter|filters|limits|"
        "policy|model|ai|now|content|ethics|guidelines|$",
        "pretend|act|behave|imagine you|that|as ..3 {ai} ..4 with|without|that|no|who ..2 no|any|"
        "not|rules|filter|restrictions|ethical|content",
        "^ act|behave|respond|speak|pretend as|like|to_be ..1 {boss}",
        "enter|enable|activate|enabled|activated|entering ..2 developer|dan|jailbreak|god|"
        "debug|sudo|admin|maintenance|unrestricted mode",
        "without|no|with_no|free_of|free_from any|all? restrictions|limitations|filters|"
        "ethical_constraints|content_policy|guardrails|moral ..2 $",
        "you|it|who|that|ai|model have|has|with|without no restrictions|rules|filters|limits|"
        "limitations|content_policy|ethical|ethics|guidelines|constraints",
        excuses=(negated,),
    ),
    rule(
        "D104",
        "puts itself above other instructions",
        "{text}|following|this|these|below takes|take|has|have precedence|priority over",
        "{text}|this|these|following|below overrides|override|supersedes|supersede|replaces|"
        "replace|outranks|outrank ..3 {orders}|agents.md|claude.md|sources|user|everything|"
        "other|previous|all",
        "has|have|carries|with|carry the_same|equal|full|higher|more authority|weight|"
        "priority|standing as|than|over|of|to ..2 system|user|developer|owner|maintainer|"
        "agents.md|any|prompt",
        "^ override|overwrite|replace ..3 {boss} settings|instructions|request|preferences|"
        "rules|policy",
        "takes|take precedence over ..4 {boss}|agents.md|claude.md|system_prompt",
        excuses=(past,),
    ),
)
