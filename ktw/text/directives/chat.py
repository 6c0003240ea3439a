"""D805, D806: a task for a chat assistant, or code to be planted in what it writes, where knowledge
of a project should stand.
"""

from ktw.text.directives.rule import Rule, apart, negated, past, rule

_LANGUAGE = (
    "english|french|german|spanish|italian|portuguese|russian|chinese|japanese|korean|latin|"
    "arabic|hindi|dutch|polish|greek|turkish|swedish"
)
_CODE = (
    "code|snippet|code_snippet|code_block|code_section|code_excerpt|code_segment|code_fragment|"
    "code_sample|code_piece|script|lines_of_code|piece_of_code"
)

RULES: tuple[Rule, ...] = (
    rule(
        "D805",
        "sets a task for a chat assistant",
        "^ write|compose|draft|create|generate|provide|tell|develop|give|craft|recite ..5 poem|"
        "essay|"
        "short_story|bedtime_story|speech|song|limerick|haiku|letter_to|joke|riddle|lullaby|sonnet|"
        "fairy_tale|movie_script|rap|love_letter|cover_letter|slogan",
        "^ write|create|compose ..4 dialogue|conversation|story between|about|based|in_which|where",
        f"^ translate ..10 to|into {_LANGUAGE}",
        f"how do_you|would_you|do_i|to say ..8 in {_LANGUAGE}",
        f"what is|does ..8 in {_LANGUAGE}",
        f"{_LANGUAGE} equivalent|translation|word for|of",
        "^ who wrote|painted|invented|discovered|composed|directed ..2 play|novel|book|song|"
        "symphony|"
        "opera|poem|painting|telephone|penicillin|film|movie",
        "what is the capital|population|currency|boiling_point|square_root of",
        "^ break_down|summarise|summarize|explain|describe|retell ..2 plot|theory|lifecycle|moral|"
        "poem|novel of",
        "^ replace|swap|substitute|shuffle|scramble ..2 vowels|letters|consonants|words|spaces "
        "with|by|in",
        "^ write|say|make|compose|tell ..2 offensive|harmful|racist|hateful|insulting|toxic|"
        "sexist|vulgar",
        "^ stop|quit|pause|cease|halt and|, ..2 write|print|say|output|respond|reply",
        "^ do_not|never bother|worry|try|translate|summarise|summarize|answer|respond ..8 just|"
        "instead|"
        "simply|only ..1 say|print|write|output|respond|reply|answer|{steer}",
        "instead|just|simply|only|and ,? ..1 say|print|write|output|respond|reply ..1 the|only|"
        "just|"
        "exactly|with ..2 word|words|text|phrase|string|following|sentence",
        "^ print|output|respond|reply|type ..6 instead|and_nothing_else|and_nothing_more|verbatim",
        "^ say|write ..6 and_nothing_else|and_nothing_more|verbatim",
        "^ print|write|output|say|repeat|type the ..1 word|words|text|phrase|string",
        "^ start|begin|end|open with absolutely|sure|certainly|of_course",
        "insert|put|enter|your your? prompt|question|query here",
        excuses=(negated, past, apart),
    ),
    rule(
        "D806",
        "has code planted in what the reader writes",
        f"^ ..4 utilize|utilise|integrate|incorporate|embed|fuse|weave|execute|adopt|leverage|"
        f"embody|insert|"
        f"append ..4 following|below ..1 {_CODE}",
        f"your code ..8 following|below ..1 {_CODE}",
        f"subsequent|ensuing|accompanying ..1 {_CODE}",
        f"following|below|given|this ..1 {_CODE} ..6 your ..2 solution|implementation|response|"
        "codebase|algorithm|code|answer|program|project|explanation|elucidation|architecture|"
        "approach|final|output",
        f"your ..2 solution|implementation|response|codebase|algorithm|code|answer|program|"
        f"elucidation|"
        f"architecture ..5 following|below|subsequent|this ..1 {_CODE}",
        f"following|below ..1 {_CODE} ..4 seamlessly|harmoniously|as_part|as_a_part|component|"
        f"essential|"
        "fundamental|integral|valuable|beneficial|crucial",
        f"inclusion|incorporation|integration|presence|insertion|utilization|adoption of the|this? "
        f"following|below|subsequent ..1 {_CODE}",
        excuses=(negated, past),
    ),
)
