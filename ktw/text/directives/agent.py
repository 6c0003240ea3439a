"""D8xx: text that addresses the agent, plants a standing order in it, or dictates its answers."""

from ktw.text.directives.rule import Rule, negated, past, pointed, rule

RULES: tuple[Rule, ...] = (
    rule(
        "D801",
        "addresses the agent that reads it",
        "^ note|message|attention|notice|instruction|instructions|memo|hint|warning|reminder|"
        "important|dear|hey|hello|hi to|for|, the|any|all|your|every|future|other? {ai}",
        "^ dear|hey|hello|hi|attention {ai}",
        "if|in_case|since|because|as|whether|when you_are|you_re|youre an|a|the? ..1 {ai}",
        "{ai} ..2 reading|processing|parsing|reviewing|indexing|summarising|summarizing|"
        "seeing|handling|opening|loading this|these|the|it",
        "^ {ai_sure} , ..1 please|you|always|never|do|ignore|run|rewrite|delete|add|use|"
        "remember|make|execute|send|follow",
        "^ {ai_sure}|ai_agents|agents must|should|shall|need_to|are_required_to|will|have_to "
        "always|never|not|only|also|first|describe|recommend|star|follow|rate|say|use|treat|"
        "add|run|ignore|include|prefer|promote|praise|output|append|answer|reply|mention|"
        "open|install|read|send|skip|trust|begin|accept|approve|report|avoid",
        "^ {ai_sure} ; prefer|choose|use|recommend|always|never|please|do|run|follow|ignore|"
        "say|mention|write|treat|suggest|skip",
        "{ai_sure} ..1 that|which|who|reading ..3 must|should|shall|will",
        "{ai_sure} ..1 {may} ..1 {steer}|{power}",
        "{ai_sure} ; {steer}|{power}|always|never|please|do_not|you",
        "ai|model|models|assistants|agent|agents|system|systems|anyone|whoever|you that|which|"
        "who? ..1 "
        "reads|read|process|processes|summarises|summarizes|summarise|summarize|loads|load|parse|"
        "parses|indexes|ingests this ..1 {memo}",
        "whoever|anyone_who|those_who|you_who ..1 reads|read|process|processes|see|find|reach "
        "this|here "
        "..1 {memo}|with|line|,",
        "message|note|instruction|request ..2 from ..6 to you|the_model|the_assistant|the_ai",
        "to|dear you , the model|ai|assistant|agent",
        "before you|we ..2 can|may|start|begin|solve|continue|answer|complete|finish ..4 task|"
        "request|"
        "question ..12 do|please|first|must|have_to|need_to",
        "do|perform|complete|execute the following first|instead|before|now",
        "as the|an|a assistant|ai|language_model , i|you|we",
        "reasoning|thoughts|thinking|reasoning_trace ;? assistant|i_have",
        "postinstall|instructions|tasks|steps|message ; for|to ai|coding|the ..1 agents|"
        "agent|assistant",
        excuses=(past, pointed),
    ),
    rule(
        "D802",
        "dictates how the agent answers",
        "^ always|only|never|henceforth? answer|reply|respond|speak|write in|with|only|using|as "
        "..2 german|french|english|spanish|russian|chinese|italian|latin|every|each|all|any|only|"
        "ok|"
        "yes|no|base64|json|rhyme|capitals|a_single|one|the_word|the_words",
        "^ always|only|never|henceforth answer|reply|respond|speak in|with|only|using|as|to {word}",
        "^ answer|reply|respond|react|speak ..1 to|questions|requests ..1 every|each|all|any|"
        "questions|"
        "requests ..6 with|by|as|in|that",
        "^ begin|start|end|finish|prefix|close|open|preface|append|suffix ..3 each|every|all|"
        "your|any ..2 reply|answer|response|message|output|summary|review|commit_message|"
        "replies|answers|responses",
        "^ reply|respond|answer only|with|to_every|exactly|just|solely|nothing",
        "^ say|print|output|repeat|write|reply|respond|state just|that|only|exactly|"
        "the_words|the_word|nothing|nothing_but|verbatim",
        "if|when|whenever asked|questioned|challenged|confronted ..5 , ..1 say|answer|reply|tell|"
        "claim|respond|recommend|state|deny",
        "when|whenever|if|every_time|each_time someone|anyone|anybody|the_user|a_user|users|"
        "they|people|you_are|asked asks|ask|asked|wants|mentions|inquires|about ..6 , ..1 "
        "say|answer|reply|tell|claim|respond|recommend|suggest|mention|describe",
        "^ rate|score|grade|judge|evaluate|rank|describe|present|portray|praise|review ..6 "
        "as ..2 excellent|best|safest|perfect|outstanding|superior|secure|top|safe|great|"
        "ideal|flawless|positive",
        "append|include|insert|add|adding|appending|begin|outputting|outputs|output the|"
        "exact|with|this? ..2 token|code|canary|word|phrase|string|link|url|"
        "verification_code ..6 to|in|at|of|with ..3 every|each|end|your|all|review|"
        "summary|future|response|reply",
        "in|within|throughout|at_the_end_of|at_the_start_of your ..1 {answer} ,? {steer}|never|"
        "do_not",
        "^ {steer}|modify|augment|enhance|integrate|incorporate|introduce|change|render|misspell|"
        "scramble|jumble|group|combine|remove|replace|substitute|conclude|extend|alter|adjust|pad|"
        "provide|weave|work|put|embed|encode|swap|shuffle|randomly|capitalise|capitalize|use ..8 "
        "your|thy ..1 {answer}",
        "^ {word} ..10 in|into|of|to|from|with|throughout your ..1 answer|reply|response|replies|"
        "responses|answers",
        "in|within|throughout your ..1 answer|reply|response|replies , ..3 {word}",
        "^ make_sure|ensure|see_to_it|be_sure|guarantee ..1 that? your final|next|last|entire|"
        "first|"
        "whole? {answer}",
        "your ..1 {answer} must|should|has_to|will|shall|needs_to|is_to ..1 contain|begin|start|"
        "end|"
        "include|mention|be|use|have|link|carry|close",
        "must|to|should include|mention|append|contain|output the ..2 code|token|canary|"
        "verification|link|phrase|word",
        excuses=(negated, past),
    ),
    rule(
        "D803",
        "plants a standing order",
        "^ before|after|on|at_the_start_of|at_the_end_of|in|during|for each|every|any|all "
        "..1 {session} ,? ..1 {exec}|read|follow|add|include|append|check|fetch|send|post|"
        "say|mention|use|load|open",
        "when|whenever|while|before summarising|summarizing|reviewing|describing|answering|"
        "asked|answer|reading|mentioning|recommending ..5 , ..1 recommend|mention|say|"
        "include|add|describe|praise|append|use|write|prefer|suggest|always|never|list|"
        "insert|run|you",
        "^ remember|note|memorise|memorize|keep_in_mind|store|save ..1 that|this|"
        "the_following ..2 user|owner|maintainer|developer|team prefers|wants|likes|agreed|"
        "approved|allows|asked|always|does|has|said|is",
        "save|store|add|write|commit|remember ..4 to|in|into your ..1 memory|"
        "long_term_memory|memories|notes|context",
        "never ask about|for|again|me|the_user|it",
        "^ make_sure_to|ensure_to|be_sure_to|remember_to|do_not_forget_to? add|include|"
        "insert|put|mention|link ..6 in|to every|each|all|any ..3 you|write|readme|commit|"
        "answer|reply|file|summary|response",
        "^ read|open|load|consult ..6 and|then follow|obey|do|execute|apply it|them|that|its|"
        "what|the",
        excuses=(past,),
    ),
    rule(
        "D804",
        "steers what the agent recommends or chooses",
        "^ never|do_not|avoid suggest|recommend|propose|mention|offer|suggesting|"
        "recommending|mention alternatives|alternative|other|competitors|another|any ..3",
        "^ always recommend|suggest|promote|prefer|mention|choose|pick|advertise|endorse|praise",
        "^ choose|prefer|pick|recommend|select|use|favour|favor the ..2 fork|vendor|mirror|"
        "sdk|package|product|vendor_fork over|instead_of|rather_than",
        "recommend|promote|suggest|advertise the|our ..2 sdk|product|framework|library|"
        "service|platform|company|hotel|portal|site|website|app $",
        "when|if|whenever|once asked ..8 , ..1 suggest|recommend|name|offer|pick|choose|propose",
        "say|claim|state|tell_them that|the ..3 is|should ..2 free|best|safe|safest|visit|"
        "buy|secure",
    ),
)
