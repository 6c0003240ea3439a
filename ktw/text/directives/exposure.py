"""D4xx: secrets or internal data requested, revealed, or sent outside."""

from ktw.text.directives.rule import (
    Rule,
    apart,
    attempted,
    contact,
    described,
    listed,
    negated,
    past,
    purposed,
    rule,
)

RULES: tuple[Rule, ...] = (
    rule(
        "D401",
        "asks for a secret to be revealed",
        "^ {reveal} me|us|out|back|all|the|your|any|of? ..5 {secret}",
        "^ {reveal}|{place} ..8 {secret} ..8 {reveal}|{place}|in|into|to ..4 chat|summary|"
        "answer|reply|response|pull_request|commit|log|url|context|message|output|report|"
        "issue|comment|description|notes|file|memory|readme",
        "contents|content|value|values of|from ..2 {secret} ..3 in|into|to|so|verbatim",
        "what is|are|was|were the|your ..2 {secret}",
        "^ {place}|{send}|dump|copy|store|keep|expose|commit|log|publish ..4 {secret} ..2 in|"
        "into|to|on|"
        "onto|at|with|as ..3 {word}",
        "^ {reveal} ..4 $|first|last|every ..4 {secret}",
        "^ {reveal}|dump|log {secret} ..4",
        "^ tell|show|give ..2 which|what|all ..2 {secret}",
        "^ keep|make|save|store a? ..1 copy|list|record of ..4 {secret}",
        "^ encode|translate|convert|summarise|summarize|encrypt|render|rewrite|format|spell ..2 "
        "your|"
        "the|initial|above ..3 {secret}|system_prompt|instructions|prompt|system_message|text",
        "^ {reveal}|continue|complete ..4 your|hidden|above|previous ..2 system_prompt|"
        "system_message|developer_message|initial_instructions|instructions|prompt|context_window",
        "^ {reveal}|continue|complete ..4 system_prompt|system_message|developer_message",
        "your ..2 context_window|system_prompt|instructions|prompt ; {reveal}",
        "^ base64|base64_encode|encode|hex ..3 {secret}",
        "^ open|read|get|take|grab|collect|gather|list|export ..6 {secret} ..4 and|then ..8",
        "console.log|printenv|process.env|os.environ systemprompt|system_prompt|$",
        "^ ask|prompt|request|get ..4 for|from|enter ..3 {secret}",
        "^ fetch|get|read|take|load|collect|gather|grab|retrieve|find|extract|look_up ..6 "
        "{secret} ..10 and|then ..2 {send}|{reveal}|{place}",
        "^ {reveal} your|the|initial|exact|hidden|verbatim|full|original|above? ..3 "
        "system_prompt|prompt|instructions|configuration|context_window|initial_prompt|"
        "guidelines|rules|text_above|text|conversation ..3 $|verbatim|above|at|with|you|"
        "before|starting|to|in",
        "^ {reveal}|share|give your ..2 instructions|prompt|rules|guidelines|configuration",
        "tell|show|give me ..4 instructions|prompt|password|secret|text|rules you|above|"
        "hidden|were|$",
        "what|which ..2 written|said|instructions|text above|before|were_you|are_your|did_you",
        excuses=(negated, listed, purposed, described, apart, attempted),
    ),
    rule(
        "D402",
        "sends secrets or internal data somewhere else",
        "^ {send} ..8 {secret}|{data} ..8 to ..4 {webhook}",
        "{send} ..8 {secret} ..6 to|at|via ..3 {webhook}|following|address|me|us",
        "{send} them|it|this|these|everything|data|summary|result ..4 to|at ..4 {outside}",
        "{send} ..6 all ..4 data|files|messages|emails ..4 externally|outside|to_me",
        "^ {send} ..6 to ..2 {outside}",
        "^ {send} the|all|every|any|our|your|full|whole|entire? ..2 {data} to the|our|a|an? "
        "..2 partner|external|third_party|webhook|collector|vendor|attacker|remote|outside|"
        "my|pastebin|gist|public|bucket",
        "^ render|load|fetch|embed|show|insert|display|include ..3 image|img|pixel|link|url "
        "..4 {outside} ..6",
        "email|mail|forward|send ..8 to {mailbox}",
        "{secret}|records|conversation|conversations|transcript|transcripts|dump|database|history|"
        "source_code|customers|repository ..3 is|are|get|gets ..1 {send:ed}|mailed|emailed|copied|"
        "forwarded|exported|synced to|at ..4 {outside}|{mailbox}",
        "^ {send}|concatenate|collect|gather|bundle|zip|archive ..8 and {send}|upload ..6 to|at|"
        "on ..4 "
        "{outside}|website|server",
        "^ {send} ..3 {outside} to",
        "^ {send} ..2 emails|email|invitations|messages|link to ..2 every|all|each|everyone|any",
        excuses=(negated, past, listed, contact, apart, attempted),
    ),
)
