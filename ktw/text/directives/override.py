"""D1xx: instructions that set other instructions aside: disregard, a new task, a persona,
precedence.
"""

from ktw.text.directives.rule import Rule, attempted, negated, past, rule

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
        "^ set|put|lay|cast|push|throw aside|behind|away everything|anything|all|what|the|any|"
        "your ..3 "
        "you|{orders}|told|before|task|plan|request|work|job|assignment|question",
        "^ discard|ignore|forget|disregard|drop|skip what|whatever|anything|everything the|your? "
        "..1 "
        "{boss}|developers ..1 asked|said|wrote|wants|told|requested|wrote",
        "^ do_not|stop|never|quit listen|listening|obey|obeying|heed|heeding|following|follow|"
        "trust|"
        "trusting|believe|ask|asking to? the|your|any|this? ..1 {boss}|system_message|"
        "system_prompt|"
        "developer_message|instructions|rules|guidelines",
        "policy|policies|rules|guidelines|restrictions|limits|limitations|restraints ..3 do|does|"
        "can "
        "not|no_longer ..1 bind|restrict|constrain|govern|limit|stop|concern|apply|hold|cover "
        "..2 you|"
        "{ai}|here|inside|within|in_this|any",
        "no_longer bind|binds|restrict|restricts|binding|in_force|count ..3 $|here|to_you|"
        "for_you|you",
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
        "^ disregard|ignore|forget|drop safety|ethics|morality|morals|security ..2 $|and|,|;|"
        "rules|concerns",
        "you_are|now|are free_from|freed_from|liberated|jailbroken|unrestricted|uncensored|"
        "unfiltered",
        "disregard|ignore|override|overrides|forget ..3 safety|ethical|content|moral|openai|usage "
        "guidelines|policy|policies|rules|protocols|guardrails|constraints|restrictions",
        excuses=(attempted,),
    ),
    rule(
        "D102",
        "announces a new task or new instructions",
        "^ new|updated|revised|real|actual|true|secret|priority instruction|instructions|task|"
        "priority_instruction|directive|orders|mission|rules|objective ;",
        "your new|real|actual|true|only|sole|updated|main|primary|next|one task|goal|purpose|"
        "instructions|instruction|job|mission|role|objective|orders|duty is|are",
        "the new|real|actual|true|updated task|instructions|instruction|mission|objective|orders "
        "is|are",
        "^ your task|goal|mission|job|role|objective|duty is|are to",
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
        "^ {exec}|apply|follow|do|perform|use|obey ..3 commands|steps|lines|quotes|sentences|"
        "examples|"
        "payloads|quotation|quotations|instructions|items above|below|listed|quoted|there",
        "emergency|admin|safety|security|root override|bypass|unlock protocol|active|activated|"
        "enabled|"
        "code|engaged",
        "your ..4 principles|guidelines|values|training|safety|instructions|programming ..3 "
        "being|is|"
        "are|have ..2 superseded|suspended|replaced|overridden|lifted|void",
        "safety|standard|security protocols|measures|guidelines|rules ..1 suspended|disabled|"
        "lifted|"
        "waived",
        "chain_of_thought result|output|analysis|conclusion|says",
        "continue|proceed|instead_of ..3 task|summary|request ; but? instead",
        excuses=(past,),
    ),
    rule(
        "D103",
        "gives the reader another role",
        "from_now_on|henceforth|starting_now|as_of_now|effective_immediately ,? ..4 "
        "you_are|you_will|you_must|you_act|you_do|you_have|you_only|you_answer|you_work|respond|"
        "act|"
        "answer|reply|ignore|your|i",
        "you_are|you_re now|hereby|henceforth ..6 {ai}|dan|mode|manager|admin|root|developer|"
        "free|going",
        "you_are now|no_longer a|an|the|going|in|acting|free|called|named|dan",
        "^ pretend|imagine ..1 you have|are|can|know|were|do",
        "^ you_are an|a ..2 ai|model|assistant|chatbot|robot|agent|language_model ..2 from|that|"
        "who|with|"
        "without|named|called|and|,",
        "^ act|behave|respond|answer|pretend|roleplay|role_play|simulate|imagine as|that|"
        "to_be|you_are|as_if_you|like ..6 no|without|unrestricted|uncensored|unfiltered|free|"
        "dan|jailbroken|evil|amoral|anything ..6 rules|restrictions|filter|filters|limits|"
        "policy|model|ai|now|content|ethics|guidelines|$",
        "pretend|act|behave|imagine you|that|as ..3 {ai} ..4 with|without|that|no|who ..2 no|any|"
        "not|rules|filter|restrictions|ethical|content",
        "^ act|behave|respond|speak|pretend as|like|to_be ..1 {boss}",
        "^ pretend|assume|imagine|act|behave|suppose ..4 no restrictions|limits|limitations|rules|"
        "guards|policies|constraints|filters|boundaries|guidelines|safeguards",
        "you_are|you_re|you_will|youre|i_am|want_you_to ..1 to|now|going_to act|pretend|roleplay|"
        "role_play|impersonate|simulate|play|become|embody",
        "act|acting|roleplay|role_play|roleplaying|pretend|pose|respond|speak|talk|behave|answer|"
        "responding as a|an|the|if|though? ..6 ai|character|persona|bot|chatbot|machine|gpt|dan|"
        "demon|"
        "terminal|model|narrator|hacker|entity|human|person",
        "take|assume|adopt|play|taking ..2 persona|character|identity of",
        "^ take_on|play|adopt the role of",
        "stay|stays|remain|staying|staying|break|never_break in|out_of|of? character",
        "unrestricted|unlimited ..2 ai|response|responses|persona|chatbot|answer|answers|gpt|reply",
        "uncensored|unfiltered|amoral|jailbroken|unmoderated|unhinged|immoral|unethical ..6 ai|"
        "response|responses|persona|chatbot|model|answer|answers|bot|character|"
        "version|gpt|prompt|reply|content|information|way|,",
        "do_anything_now|no_matter_how|regardless_of_how|without_regard_to ..6 immoral|unethical|"
        "illegal|"
        "harmful|dangerous|offensive|morals|ethics|$",
        "never|not|cannot|can_not|no ..1 refuse|refuses|decline|reject|refusing ..4 request|"
        "requests|"
        "question|questions|answer|anything|command|commands|order|orders|user|to|prompt|$",
        "hypothetical|fictional|imaginary|parallel|alternate story|world|scenario|universe|"
        "language|"
        "character|response|ai|model|situation|setting|dialogue|novel",
        "opposite_day|opposite_mode|evil_twin|bizarro|grandma|roleplay_game|lets_play_a_game|"
        "let_us_play|jailbreak_mode|god_mode|persona=",
        "^ simulate|roleplay|impersonate|personify|emulate|imagine ..4 conversation|character|"
        "persona|"
        "model|ai|mode|person|dialogue|being|entity|terminal",
        "no|without|any moral|ethical|morals|ethics|legal|censorship or|restrictions|"
        "constraints|considerations|boundaries|guidelines|limits|and|,|whatsoever|disclaimers",
        "no_longer|not a? chatgpt|an_ai|claude|gemini|an_assistant|a_language_model|ai",
        "{ai} ..4 can|will|does do anything|whatever ..4",
        "^ generate|give|provide|produce|write two|both responses|answers|replies|outputs|versions",
        "with developer_mode enabled|output|unlocked|on",
        "enter|enable|activate|enabled|activated|entering|simulate ..2 developer|dan|jailbreak|god|"
        "sudo|unrestricted mode",
        "^ enter|activate|switch_to|simulate ..2 debug|admin|maintenance|root|unsafe mode",
        "without|no|with_no|free_of|free_from any|all restrictions|limitations|filters|"
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
        "{memo} ..6 replace|replaces|override|overrides|cancel|cancels|void|voids|displace|"
        "displaces "
        "those|that|the_ones|what|any|every ..1 of|from|the|your ..2 {boss}|system|instructions|"
        "{orders}",
        "rules|instructions|orders|directions|guidance ..1 in|of this|these|the ..1 {memo} ..2 "
        "replace|"
        "replaces|override|overrides|outrank|prevail|take|come",
        "where|when|if|whenever|wherever|should ..4 this|memory|note|entry ..6 disagree|disagrees|"
        "conflict|conflicts|differ|differs|contradict|contradicts|clash|collide ..4 follow|obey|"
        "trust|"
        "prefer|believe|go_with|the|this|it ..2 {memo}|wins|prevails|one",
        "conflict|conflicts|disagree|disagrees|differ|contradict|contradicts|disagreement|doubt "
        ", ..2 "
        "this|the memory|note|entry ..2 wins|prevails|counts|applies|holds|rules|decides",
        "higher|greater|more priority|rank|weight|authority|importance than ..3 {orders}|user|any|"
        "everything|every|all",
        "only|just|solely this|these|the ..1 {memo} ..1 counts|count|matters|matter|applies|apply|"
        "valid|binding|holds",
        "out_of_date|outdated|obsolete|void|superseded ; only|this|follow|use",
        "above|over|before|ahead_of ..1 {boss} request|requests|wishes|instructions|orders|words",
        "takes|take precedence over ..4 {boss}|agents.md|claude.md|system_prompt",
        excuses=(past, attempted),
    ),
)
