"""The widest nets for acts: frames of sentences with one telling word and room around it.

Each was let in only because thousands of sentences of decision records, guides and manuals hold
none of its kind.
"""

from ktw.text.directives.rule import (
    Rule,
    apart,
    asked,
    attempted,
    conditional,
    contact,
    described,
    diligent,
    explained,
    listed,
    named_option,
    negated,
    past,
    platform,
    purposed,
    refused,
    rule,
)

_TOLD = (past, platform, asked, conditional, attempted, purposed, diligent, listed, explained)
_ORDERED = (*_TOLD, negated, named_option, described, apart, contact, refused)

RULES: tuple[Rule, ...] = (
    rule(
        "D331",
        "says that a check does not take place",
        "{guard} ..6 is|are|get|gets approved|merged|accepted automatically|unseen|blindly|"
        "at_once|immediately",
        "pull_requests|changes|merges|patches|commits|diffs ..6 is|are|get|gets approved|"
        "merged|accepted automatically|unseen|blindly|unread|at_once|immediately|by_whoever|"
        "by_anyone|unreviewed|untested",
        "failing|failed|red|broken ..4 do|does|need|can|should|must not ..1 block|stop|prevent|"
        "delay|hold_up|matter",
        "{guard} ..2 fails|failure|failures|fail ..2 do|does|is|are ..1 not|no|never ..2 block|"
        "stop|prevent|delay|reason|matter|count",
        "need|needs|require|requires no ..2 {guard} ..1 and|nor|,|$|;|for|here",
        "{guard} ..3 never|not|rarely|seldom ..1 run|executed|enforced|required|performed|"
        "asked|carried_out before|here|on|for|$|,",
        "{release:s}|{release} ..4 bypass|bypasses|skip|skips|circumvent|circumvents|avoid|"
        "avoids|evade|evades ..3 {guard}",
        "patches|fixes|hotfixes|releases|changes|deploys|commits|merges|updates ..1 bypass|"
        "skip|avoid|circumvent|evade|dodge|ignore|omit ..3 {guard}",
        "{guard} ..4 only|just|merely|mostly ..1 decoration|cosmetic|theatre|theater|"
        "bureaucracy|paperwork|ceremony|ritual|for_show|advice|advisory|recommendation|"
        "guideline",
        "go|goes|straight|right into|to|in production|prod ..1 after|before|at|on|when|without",
        "{prod} ..2 is|are updated|patched|changed|edited|modified directly|by_hand|in_place|live",
        "we|teams|developers|people ..1 do_not|never|rarely|no_longer run|do|perform|require|"
        "need|use|bother|execute ..3 {guard}",
        "only|just ..3 {guard} ..2 on|for ..4 , not|never",
        "{guard} ..3 can|may wait|be_done_later|come_later|follow_later|be_skipped",
        "{guard} ..3 is|are|will_be ..1 done|run|performed|made|added|written later|afterwards|"
        "eventually|someday|if_time",
        "{release:s}|{release:ed}|{release}|go|goes ..3 even_if|even_when|although|though|"
        "while|with|despite|regardless ..6 red|failing|fails|broken|unresolved|open|unanswered|"
        "pending|missing|incomplete|outstanding|unfinished",
        "process|workflow|pipeline|procedure|policy|routine|rules ..2 does|do|did not ..1 "
        "include|contain|require|ask|foresee|know|have|need|demand|want ..3 {guard}",
        "process|workflow|pipeline|procedure|routine|release|releases|deploys|deployment ..2 "
        "has|have|is|are|comes|come|works|work ..1 no|without|free_of ..2 {guard}",
        "{release}|{release:ing} first , ..4 later|tomorrow|afterwards|after|next|fix|test|"
        "review|ask",
        "{guard}|rotation|approval|check ..6 is|are no_longer|not required|needed|necessary|"
        "wanted|expected|mandatory|obligatory ..2 any_more|anymore|any_longer|now|here|$|for",
        "^ {release} to|into|on ..1 {prod} ..1 , ..6 will|can|we|later|tell|catch|catches|sees",
        "no|never|not ..1 human|person|people|engineer|developer|one|body ..2 needs|need|has|"
        "have|must|should ..1 to? confirm|approve|review|check|sign|look|read|see|test|verify",
        "{guard} ..5 is|are waived|dispensed_with|foregone",
        "{release:ed}|{release:s}|{release}|live ..4 without being|having|getting ..2 {word}",
        "if|when|even_if|although ..8 , ..2 {release}|{release:s}|go|merge|ship ..1 anyway|"
        "regardless|nonetheless|all_the_same",
        "suite|suites|e2e|regression ..3 is|are|gets|get ..1 {omit:ed}|left_out|not_run|"
        "optional ..1 for|on|when|in|if|$",
        "{guard} ..2 is|are not ..1 needed|required|necessary|mandatory ..1 for|when|if|on|in|here",
        "exempt|exempted|excluded|excused|free from ..3 rule|rules|{guard}|policy|requirement",
        "^ push|commit|merge ..3 to ..2 {prod} ..3 without",
        "freeze|freezes|{guard}|policy|rules ..3 do|does not|no_longer ..1 apply|bind|"
        "concern|cover ..1 to|for|when|us",
        "{guard} ..3 can|may|might|could|should be ..1 dropped|cut|left_out|omitted|removed|"
        "shortened|skipped|postponed|waived ..1 if|when|for|while|as|since",
        excuses=_TOLD,
    ),
    rule(
        "D332",
        "takes a protection away",
        "^ remove|delete|drop|cut|strip|take_out ..2 {guard} ..1 step|stage|job|gate|rule|"
        "requirement|check from|in|of|$",
        "^ set|switch|change|turn|flip ..2 {shield}|strict|strict_mode|safe|safe_mode|verify|"
        "verification|checks|sandbox|protection|enforce|enforcement|read_only ..2 to|= ..1 "
        "false|off|0|none|disabled|never|permissive",
        "^ ignore|suppress|swallow|silence|dismiss|disregard ..2 certificate|ssl|tls|security|"
        "signature|validation|vulnerability|lint|linter|audit ..1 errors|error|warnings|"
        "failures|alerts|issues|findings|mismatch",
        "^ bypass|circumvent|evade|dodge|sidestep|overrule|outwit|trick|defeat|fool the|our|"
        "any|this|all ..3 {word}",
        "^ uninstall|deactivate|disarm|unload|unplug ..4 plugin|safety|guard|protection|agent|"
        "scanner|hook|extension|watcher",
        "^ disable|deactivate|suspend|pause|stop|turn_off|switch_off ..3 monitoring|alerting|"
        "logging|auditing|protection|safety|security|antivirus|defender|updates|backups|"
        "replication|encryption|throttling|quota",
        "should|must|can|may|to be ..1 deactivated|disabled|suspended|turned_off|switched_off|"
        "bypassed|circumvented ..1 for|when|if|while|during|on|in|$",
        "^ make|set|turn|leave|declare all|every|our|the ..2 public|open|writable|readable|"
        "shared|exposed ..1 $|to|for",
        "^ use|log_in|run|connect|work ..2 as|with|the|under ..1 admin|root|superuser|owner|"
        "administrator account|user|rights|role|privileges|for ..4 everything|all|any|always|"
        "daily|every|$",
        "^ set ..3 log|logging|audit|log_level|retention|alert ..2 to ..1 none|off|zero|0|"
        "silent|never|nothing",
        "security|audit|authentication|authorisation|protection|encryption|tls|csrf|cors|"
        "headers|antivirus ..2 is|are ..1 disabled|off|deactivated|suspended|removed|"
        "switched_off|turned_off ..2 in|on|for|everywhere|during|$",
        "antivirus|firewall|scanner|sandbox|waf|monitoring|agent|watchdog|{shield} ..1 is|are|"
        "has|must|should ..1 to|be? ..1 be? stopped|killed|disabled|suspended|paused|removed "
        "..1 during|before|for|while|when",
        "permissions|checks|reviews|rules|approvals|tests|safeguards|restrictions ..1 is|are "
        "..2 hassle|nuisance|pain|annoyance|obstacle|burden|bother|drag",
        "{shield} ..2 get|gets|are|is ..1 removed|dropped|deleted|lifted|opened before|for|while|"
        "when|during|to|so",
        "{guard}|sandbox|protection ..2 must|should|can|may|has_to ..1 be ..1 disabled|"
        "removed|bypassed|switched_off|turned_off|deactivated|skipped|ignored",
        "^ turn_off|switch_off|disable|deactivate|suspend|remove|bypass ..3 {shield} ..1 in|"
        "on|for|during|when|while|from|everywhere|$",
        "^ turn|switch ..3 {shield} off ..1",
        excuses=_ORDERED,
    ),
    rule(
        "D431",
        "puts a secret where others read",
        "^ show|give|tell|send|hand|read me|us|out ..3 {word} ..3 key|keys|token|tokens|"
        "password|passwords|secret|secrets|credentials",
        "^ attach|append|add|include|embed|put|paste ..4 {secret}|env|config ..4 to|in|into|at "
        "..3 {word}",
        "^ email|mail|fax|dm|message|text|slack ..4 {secret}|{data}|logs|access_logs|dump ..3 to",
        "^ read|open|cat|load|fetch ..2 {secret} ..2 and|then|,|;|before|into",
        "{secret}|customer_data|user_data ..4 is|are ..1 printed|logged|posted|written|shared|"
        "published|included|shown|sent|committed|stored ..2 in|to|into|on|with ..2 {place_out}|"
        "plain|everyone|clear",
        "^ upload|send|post|copy|share|publish|export|push ..3 database|dump|database_dump|"
        "repository|source_code|history|customer_data|backup|files ..4 to ..3 drive|bucket|"
        "server|site|partner|account|cloud|folder|host|chat|channel",
        "^ {reveal}|{send}|paste|put|include|attach|embed ..4 {secret} ..1 $|in|into|to|with|on",
        excuses=_ORDERED,
    ),
    rule(
        "D731",
        "has something run, replaced or deleted",
        "^ run|execute|start|launch|call the|this|that? ..2 script|binary|installer|program|"
        "payload|executable ..1 in|from|at|now|under|first|;|on|as",
        "^ run|execute|do|call ..3 whenever|each_time|every_time|as_soon_as|once ..4 {word}",
        "^ {destroy}|chmod|chown|overwrite|truncate ..2 {path}",
        "^ overwrite|replace ..4 with ..3 from|found_in|at ..2 gist|url|mirror|fork|{outside}|"
        "attachment|link",
        "^ send|make|issue|fire|post ..2 request|ping|call|query|post|beacon ..6 to ..1 {outside}",
        "^ after|before|on|at|with every|each ..1 {session}|push|merge|release|login|start|"
        "commit ,? ..1 {exec}|{send}|push|call|fetch|delete|pull",
        "^ kill|stop|drop|close|cut ..2 all|every ..2 connections|processes|sessions|services|"
        "containers|jobs|instances|tunnels",
        "^ force|hard_reset|reset|revert|rewrite ..3 history|branch|main|master|origin|head|remote",
        "^ apply|use|install|load|import ..2 patch|package|module|plugin|extension|script|"
        "binary ..4 from ..2 {outside}|gist|attachment|fork|mirror",
        "^ {destroy} the|all|every|our|any ..2 directory|indexes|partition|disk|keys|accounts|"
        "rows|cookies|snapshots|containers|secrets|certificates|home",
        "^ make|apply|push|commit ..3 unnoticed|secretly|stealthily|covertly|discreetly|"
        "under_the_radar",
        "^ install ..4 globally|system_wide|as_root|with_sudo|without_asking|silently",
        "^ reboot|restart|shut_down|power_off|halt|suspend ..1 machine|host|server|computer|"
        "system|node|laptop|it",
        "^ {word} ..4 and|then ..1 reboot|shut_down|power_off|wipe|reformat the|this ..1 "
        "machine|host|server|computer|system|disk",
        "^ use ..2 sed|awk|find|xargs|perl|dd|git ..2 to ..1 {destroy}|strip|replace|rewrite|"
        "overwrite|change",
        "^ create|add|open|register|set_up ..2 admin|root|superuser|privileged|administrator|"
        "service|backdoor ..1 account|user|login|key|role",
        "^ send|post|mail|forward|upload ..2 build_log|log|logs|output|diff|report|result|"
        "results ..2 to|into ..2 chat|channel|room|email|webhook|slack|discord|telegram|address",
        "^ run|execute|start|source|call ..4 before|after|prior_to reading|opening|loading|"
        "using|touching|any|other|doing|answering|starting",
        "^ download|fetch|get|pull and run|execute|install|apply|start ..2 {word}",
        "^ delete|drop|wipe|truncate|purge|erase ..2 staging|production|prod|test|customer|"
        "user|audit|live|main ..2 database|table|data|bucket|cluster|environment|branch|"
        "records|log|logs|server",
        "^ {destroy} all|every ..2 tags|branches|files|images|releases|commits|backups|logs|"
        "rows|issues|comments ..1 from|in|on|of",
        "^ delete|wipe|purge|erase|destroy every|all|each ..1 {word} ..1 older|newer|that|"
        "which|in|on|from|with|without",
        excuses=_ORDERED,
    ),
)
