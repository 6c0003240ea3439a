"""D7xx: something to execute: fetched and run, destructive, stored for later, a tool call."""

from ktw.text.directives.rule import Rule, diligent, negated, past, purposed, rule

# Looked for in the folded sentence rather than the plain view: shell punctuation matters here. With
# each expression what it cannot match without, of which one is looked for first.
FETCH_AND_RUN: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("|",),
        r"\b(?:curl|wget|fetch|iwr|invoke-webrequest)\b[^\n|]{1,300}\|\s{0,4}(?:sudo\s{1,4})"
        r"?(?:env\s{1,4})?(?:ba|z|da|k)?sh\b",
    ),
    (
        ("|",),
        r"\b(?:curl|wget)\b[^\n|]{1,300}\|\s{0,4}(?:sudo\s{1,4})?(?:python3?|perl|node|ruby|php|"
        r"iex)\b",
    ),
    (
        ("<(", "$("),
        r"\b(?:bash|sh|zsh|source|eval)\s{1,4}(?:-c\s{1,4})?[\"']?[<$]\(\s{0,4}(?:curl|wget)\b",
    ),
    (("iex",), r"\biex\s{0,4}\(.{0,80}\b(?:downloadstring|iwr)\b"),
    (
        ("base64",),
        r"\bbase64\s{1,4}(?:-d|--decode|-di)\b[^\n|]{0,200}\|\s{0,4}(?:ba|z)?sh\b",
    ),
    (("ssh",), r"\bssh\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}-\w{0,4}r\s{1,4}\d{2,5}:"),
    (("-e", "/dev/tcp/"), r"\bnc\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}-e\b|/dev/tcp/"),
    (
        ("-index-url", "--trusted-host"),
        r"\bpip3?\s{1,4}install\b[^\n]{0,120}(?:--(?:extra-)?index-url|--trusted-host)"
        r"\s{0,2}[= ]\s{0,2}http",
    ),
    (
        ("-r", "-fr"),
        r"\brm\s{1,4}-(?:rf|fr|r\s{1,4}-f)\s{1,4}(?:/(?!tmp/[\w-]{2,60}/?(?:\s|$))|~|\$home|\*|"
        r"\.(?:\s|$)|--no-preserve-root)",
    ),
)

RULES: tuple[Rule, ...] = (
    rule(
        "D701",
        "orders something destructive",
        "^ {destroy} the|all|every|any|our|old|legacy|existing|this|their|both? ..2 {asset}",
        "^ {exec}|use ..2 rm_rf|rm_r|rm|dd|mkfs|git_push_force|git_push_f|git_reset_hard|git_clean|"
        "drop_table|terraform_destroy|kubectl_delete|chmod|chown|shutdown|kill",
        "todo|task|note|job for the|an|any|all? {ai}",
        "^ {destroy} the file|files with|at|in|called|named",
        "^ {destroy}|empty|reset|overwrite|truncate|clear ..3 contents_of|history|backups|backup|"
        "production|bucket|table|database|volume|namespace|cluster|partition",
        "^ replace|overwrite|fill ..6 with nothing|an_empty|empty|zeros|garbage|random",
        "^ edit|change|replace|{destroy}|overwrite|modify|weaken ..5 codeowners|security.md|"
        "license|"
        ".github|.gitignore|agents.md|claude.md|settings.json|branch_protection",
        "^ stop|kill|shut_down|terminate|restart|reboot ..2 production|prod|production_database|"
        "monitoring|backups|all",
        excuses=(negated, past, purposed),
    ),
    rule(
        "D702",
        "stores a command for a later moment",
        "before|after|during|when|whenever|once|if|on|upon|next_time|later|every_time|"
        "each_time|while|until the|you|each|every|a|any|an? ..1 {session}|open|opens|starts|"
        "read|reads|this|user|repository|left|see|load|run ..6 , then|please|first|always? "
        "{exec}|delete|drop|push|send|read|fetch|download|upload",
        "before|after|during|when|whenever|once|every_time|each_time the|you|each|every|a|any|"
        "an? ..1 "
        "task|session|reply|answer|response|prompt|conversation|turn|deploy|rollout|build ..6 , "
        "then|please|first|always? install|post|add",
        "^ {exec}|read|fetch|load|post|send|delete|push|call ..9 before|after|"
        "at_the_start_of|at_the_end_of|on|when|during each|every|any|all ..1 {session}",
        "^ {exec}|read|fetch|load|post|send|delete|push|call ..9 before|after|when|once the|"
        "you|session|this? session|answering|replying|responding|answer|reply|respond|start|"
        "begin|starts|begins|opens|project|repository",
        "next_session|next_run|next_time|on_startup|at_startup|at_login ,|; {exec}|delete|"
        "push|send|post|read",
        "^ {exec}|kick_off ..4 once|when|as_soon_as|whenever ..3 file|note|memory|entry|"
        "context|session is|are loaded|read|opened|open",
        "^ {exec} ..2 following|below|these|script|command|commands|code|this ..4 when|once|"
        "after|before|now|on|immediately|at ..1 {session}|startup|login|each|every|read|load|"
        "loading|"
        "reading|$",
        "create|add|install|register|set_up|schedule ..3 cron|crontab|scheduled|systemd|"
        "launchd|startup ..2 entry|job|task|timer|script|unit|item ..4 that|which|to ..6 "
        "pulls|fetches|downloads|runs|executes|sends|uploads|pull|fetch|download|curl",
        "^ {exec} ..6 after|before|on|with|at each|every rollout|deploy|deployment|"
        "session|commit|task|start|build|merge",
        "{exec:ing} ..6 after|before|on|with|at each|every rollout|deploy|deployment|session|"
        "commit|"
        "task|start|build|merge",
        excuses=(negated, past, diligent),
    ),
    rule(
        "D703",
        "has the reader paste or run a command",
        "^ paste|copy|enter|type|put|feed|pipe ..3 into|in|to the|your|a? ..1 {shell}",
        "^ install|update|upgrade ..6 with|using|via this|these ..1 "
        "command|commands|script|shell_command",
        "^ install ..4 {outside}",
        "^ npm|pip|pip3|gem|yarn|pnpm|cargo install|add ..3 registry|index_url|"
        "extra_index_url|git ..1 {outside}",
        "^ use|open the|your|a? {shell} to|and ..2 {exec}|start|open|run|delete|connect|"
        "create|install",
        "^ {exec}|use ..2 {shell} ..1 command|commands|to ;|delete|start|run",
        "^ {exec} ..2 curl|wget|os.system|invoke_expression|npx|sudo",
        "^ {exec} ..3 force=true|no_verify|sudo|force|f",
        "add|adds|append|appends|write|writes|put|puts|install|installs|insert|copy ..8 {startup}",
        "{exec}|pipe|feed|start ..6 into|through|by|with sh|bash|zsh|python|node|the_shell|"
        "powershell",
        "^ download|fetch|get|pull|clone|copy|retrieve|grab {word} ..7 and|then ..2 run|execute|"
        "call|start|"
        "launch|eval|make_it|chmod|source|executable",
        "^ download|fetch|get|pull|clone|retrieve|grab ..4 {outside} ..4 install|apply|use",
        "^ download|fetch|pull|grab|commit|vendor ..6 from|at|of|exactly|found|, ..4 {outside} "
        "..3 $|exactly|as|before|without|into",
        "^ start|spawn|launch|open|keep|run|create ..3 background|reverse|hidden|detached|daemon|"
        "listener ..1 process|job|task|shell|thread|connection|daemon|listener|that|on",
        "^ open|keep|leave|expose|forward ..2 port|ports|tunnel ..6 open|to|public|for|$",
        "^ start|run|open|create ..4 with|under|as|using sudo|root|admin",
        "^ set|change|point|switch|redirect ..4 registry|index_url|proxy|npmrc|.npmrc|pip.conf|"
        "mirror|"
        "dns|webhook|resolver|upstream ..3 to|at ..3 {outside}",
        "^ ..6 change|changes|transfer|transfers|hand|hands|set|sets|give ..2 owner|ownership|"
        "maintainer|visibility ..4 to",
        "^ add|invite|make|promote|register ..5 as ..2 admin|owner|collaborator|maintainer|member|"
        "publisher|administrator",
        "^ make|set|turn the|this|our ..1 repository|repo|bucket|package|project|wiki|dashboard "
        "..1 "
        "public|world_readable",
        "^ grant|give|assign ..5 admin|owner|root|administrator|write|publish ..1 rights|access|"
        "role|"
        "permissions|privileges",
        "^ transfer|pay|send|wire|donate|refund|buy|order ..4 {money}|money|funds|dollars|bitcoin|"
        "payment|{account}",
        "^ ..8 make|book|reserve|get|cancel|schedule|create|set_up ..6 reservation|transaction|"
        "payment|"
        "booking|appointment|subscription|flight ..6 to|for|at|from|in",
        "^ modify|change|update|set|edit|replace ..3 recipient|payee|iban|account_number|"
        "beneficiary|"
        "payment|subject|phone_number|rent|amount ..8 to|from",
        "^ decode ..4 and|then|, ..2 follow|execute|run|do|obey|apply|comply",
        "translate|decode|decrypt ..6 then|and ..1 execute|run|follow|obey|do_exactly|comply",
        excuses=(negated, past),
    ),
    rule(
        "D704",
        "dictates a tool call",
        "^ call|invoke|use|trigger|execute|run the|your? ..2 {tool} ..1 on|with|to|url|at|"
        "from|path|tool|and",
        "^ use|call|invoke|run the? ..1 {ident} tool|function",
        "^ call|invoke ..3 tool|function|endpoint|api on|with|and|to",
        "call|invoke {tool} to|with|on|and|url=|path|at|for|before",
        excuses=(negated, past),
    ),
)
