"""D3xx: a safeguard bypassed, suspended or switched off, ordered or stated as a convention.

(safety practice) x (absence or removal) x present tense; a platform's limit, the past and a
rejected alternative are no convention, and negations protect rather than direct.
"""

from ktw.text.directives.rule import (
    Rule,
    asked,
    attempted,
    conditional,
    explained,
    fragment,
    listed,
    named_option,
    negated,
    negated_inside,
    past,
    platform,
    purposed,
    refused,
    rule,
)

# Looked for in the folded sentence where an equals sign stands: settings that switch a protection
# off.
_GUARDING = (
    "permission|auth|security|check|verif|ssl|tls|guard|safe|sandbox|protect|csrf|scan|lint|"
    "review|approv|strict"
)
_RISKING = "insecure|skip|disable|bypass|unsafe|unverified|allow_all|ignore_"
_OFF, _ON = "off|false|0|no|none|disabled|never", "true|1|on|yes|all"
_IS = r"[\w.-]{0,30}\s?=\s?[\"']?"
SWITCHED_OFF = rf"(?:{_GUARDING}){_IS}(?:{_OFF})\b|(?:{_RISKING}){_IS}(?:{_ON})\b"
# Where it may match once the marks `-._*~+/|,` are gone, also if others stand before and behind.
MAY_SWITCH_OFF = (
    rf"(?:\A|(?:{_GUARDING}|{_RISKING.replace('_', '')})\w{{0,30}})\s?=\s?[\"']?(?:{_OFF}|{_ON}|\Z)"
)
# Without one of these it does not match.
SWITCHES = r"=\s?[\"']?(?:off|false|0|no|none|disabled|never|true|1|on|yes|all)\b"

_DECLARED = (
    negated,
    past,
    platform,
    asked,
    refused,
    conditional,
    explained,
    purposed,
    attempted,
    fragment,
)

RULES: tuple[Rule, ...] = (
    rule(
        "D301",
        "says that a safeguard is skipped",
        "{omit:s} the|all|any|our|your|this|that|a|every|failing|slow? ..1 {guard}",
        "{omit:ing} the|all|any|our|your|this? {guard} is|are fine|ok|okay|allowed|accepted|"
        "normal|expected",
        "we|you|they|people|developers|hotfixes|fixes|releases|deploys|deployments|changes|teams "
        "should|may|can|must|always|usually|just|to? {omit} the|all|any|our|your|this? ..1 {guard}",
        "{guard} step|steps|job|jobs|phase|checks? is|are|gets|get dropped|relaxed|lifted|"
        "pointless|useless|void|a_waste|overkill|superfluous",
        "you|we do_not|need_not|never have_to|need_to|must? wait|ask|run|check|test ..2 {guard}",
        "{guard} is|are|gets|get|be|stays|remain|remains always|usually|simply|just|all|then|also|"
        "routinely|temporarily? {omit:ed}|turned_off|switched_off|left_out|optional|not_needed|"
        "not_required|unnecessary|skippable|off",
        "{guard} can|may|should|must be {omit:ed}|turned_off|switched_off|left_out",
        "{guard} is|are|need|needs not checked|run|needed|required|necessary|enforced|be|verified",
        "{guard} do|does not apply|matter|count",
        "{guard} no_longer apply|applies|needed|required|matters|matter|run|runs",
        "no {guard} is|are? needed|required|necessary",
        "findings|alerts|warnings|vulnerabilities|assertions ..5 is|are|get|gets {omit:ed}",
        "{guard} is|are just? a|only? formality|waste|nuisance|suggestion|nice",
        "nobody|no_one|we_never|we_do_not|never waits|wait|asks|ask|bothers|looks|cares ..1 "
        "for|about|at|with the|a|any? ..1 {guard}",
        "failing|broken|red|flaky tests|checks get|are|is marked|ignored|{omit:ed}|commented|"
        "deleted",
        "{guard} ..3 is|are|get|gets|stays|stay|remain|remains ..1 {omit:ed}|optional|unnecessary|"
        "turned_off|switched_off|left_out|superfluous|not_needed|not_required|off until|for|when|"
        "if|while|during|here|in|$|as|since|because|,|;",
        "{guard} ..2 step|stage|phase|job|process|round is|are|gets|get|may|can ..1 {omit:ed}|"
        "optional|left_out|unnecessary|dropped|cut|removed",
        "{finding} ..5 can|may|should|must|are_to|is_to be? {omit:ed}|closed|accepted_blindly",
        "{finding} ..1 is|are|get|gets {omit:ed}|closed_unread",
        "{guard} need|needs|do|does not|no be|get|have_to|need_to|longer? be? asked|consulted|"
        "involved|"
        "waited|informed|apply",
        "{finding}|types|type_errors be|are|is {omit:ed} ..3 rather_than|instead_of",
        "^ {omit}|bypass|override ..4 {finding} from|of|by|in|rather_than|instead_of",
        "{guard} ..2 is|are ..2 a|an|merely|only|just|mere ..1 formality|waste|nuisance|suggestion|"
        "obstacle|hindrance|distraction|annoyance|luxury",
        "{guard} ..4 is|are|a|are_a waste_of",
        "{guard} ..4 no_longer taken|made|run|done|needed|required|performed|enforced|kept|checked|"
        "wanted|used|asked|consulted|necessary",
        "there_is|there_s|there_are no need|reason|point|use to|in|of|for ..1 wait|waiting|ask|run|"
        "asking|running|test|testing|review|reviewing|check|checking|verify ..3 {guard}",
        "one|a_single click|approval|glance|look|thumbs_up is|suffices enough|suffices",
        "exempt|excused|spared from ..2 {guard}",
        "{guard} ..3 bypassed|waived ..2 for|when|if|on",
        "{ship:s}|{ship}|goes|go|land|lands ..4 without ..2 {guard}",
        "waive|waives|waiving ..2 {guard}",
        "instead_of|rather_than running|waiting_for|asking_for|writing ..2 {guard} , we|developers|"
        "just|they|you",
        excuses=_DECLARED,
    ),
    rule(
        "D302",
        "orders a safeguard to be skipped or switched off",
        "^ {omit} the|all|any|our|your|this|every|these|those|its? ..2 {shield}",
        "^ {omit} the|all|any|our|your|this|every? ..1 {guard} for|when|if|in|on|and|step|"
        "before|here",
        "^ {omit} the|all|any|our|your? {guard} $",
        "^ turn_off|switch_off|shut_off|leave_out ..3 {guard}",
        "^ turn|switch|shut|keep|leave the|all|any|your|our? ..2 {guard} off|out",
        "^ remove|uninstall|delete|unset|comment_out the|all|any|your|our? ..1 {shield} if|when|"
        "before|and|so|because|that|from|in|for",
        "^ exclude ..4 from ..4 {guard}|checks|scanning",
        "^ stop|quit asking|prompting|waiting|checking|scanning|running|requesting for? ..2 "
        "{guard}|approval",
        "^ stop asking $|for|about|before|when|whenever|whether|if|first|the|every|each",
        "^ stop asking me|us for|before|when|whenever|whether|if|first|again|every|each",
        "^ do not|never run|execute|wait_for|await|scan|lint|check|require|request|ask_for|"
        "enforce|trigger the|for|this|any|a? ..2 {guard}|directory|secrets|file",
        "^ treat|regard|consider ..4 {guard}|errors|warnings|alerts|findings as false|noise|"
        "informational|harmless|passed|passing|green",
        "^ {omit} ..3 warnings|errors|findings|alerts|flags ..4 scanner|linter|hook|check|"
        "checks|ci|detector|reviewer|security",
        "^ set skip|husky|no_verify|safe_mode|strict|verify|ssl_verify|git_ssl_no_verify "
        "to? all|0|1|false|true|off|no",
        "^ comment_out|delete|remove|mark|disable|mute the|any|all? failing|flaky|broken|red|slow "
        "tests|test|assertions|assertion|checks|check",
        "^ {omit}|delete|remove|disable ..1 tests|checks that|which fail|fails|block|blocks|break",
        "to|and|please|just? get_around|work_around|route_around|sneak_past|dodge the|any|"
        "our|your? ..1 {shield}",
        "^ drop|forgo the|all|any|our|your? ..1 {shield}",
        "^ remove|drop|delete|strip|take|pull|rip|cut|tear ..2 {shield} ..2 from|out_of|out|off|"
        "while|"
        "to|before",
        "^ comment_out|stub_out|bypass|hollow_out|deactivate|disable|neutralise ..3 {shield}",
        "{guard} ..4 put|set|switched|switch|placed|run into|in|to|on permissive|monitor|report|"
        "log_only|report_only|audit_only|dry|debug|insecure mode|only|$",
        "^ put|set|switch ..2 {guard} ..1 into|in|to|on permissive|monitor|report|log_only|"
        "insecure",
        "^ raise|lower|set|drop|reduce ..5 threshold|minimum|coverage|gate|requirement|"
        "requirements|"
        "approvals|reviewers|limit ..4 to zero|0|nothing|none",
        "^ run|start|launch|use ..6 with|without ..3 {shield} ..1 turned_off|disabled|off|"
        "switched_off|{omit:ed}",
        "runs|run|start|starts|use|uses|work|works ..4 with ..2 {guard} turned_off|disabled|off|"
        "switched_off|{omit:ed}",
        "^ merge|approve|accept ..6 without ..3 reading|looking|review|checking|testing|tests",
        "^ wave|rubber_stamp|nod ..4 through|$|pull_request|change",
        "^ {omit}|ignore ..2 {guard} and|; {ship}|move_on|go_on|continue|proceed|carry_on",
        "^ allow|let|give everyone|anyone|anybody|all_users|the_world ..4 write|push|admin|access",
        "^ {ship} ..4 before|ahead_of the|any|a? ..2 {guard}",
        excuses=(negated, listed, asked, purposed, named_option),
    ),
    rule(
        "D303",
        "has work reach production or the main branch around its gates",
        "{ship}|force_push|go|ship_it straight|directly|right|direct to|into|on|onto|in the? "
        "{prod}",
        "{ship}|go|force_push to|into|on|onto the|our? {prod} directly|immediately|straight_away|"
        "without|anyway|regardless",
        "{ship:s}|goes|go|reach|reaches|run|{ship}|{ship:ed} ..4 without|w/o|with_no|"
        "skipping|bypassing a|an|the|any|waiting|running|asking|further|prior|for|passing|"
        "additional|formal|second|human|having? "
        "..3 {guard}",
        "go|goes|going|ship|ships ..2 straight|directly|right|direct to|on|onto|into the? {prod}|"
        "main|production",
        "are|is|get|gets|be {ship:ed}|merged|deployed|pushed|released ..3 directly|straight "
        "to|into|on|onto the? {prod}",
        "force_push|force_pushes|force_pushing to|on|onto|over the|our|your? {prod}",
        "push|git_push f|force to|origin|on the? {prod}",
        "are|is|get|gets|go {ship:ed}|made|done|in|run by_hand|manually|directly on|in|to|against "
        "the|our? {prod}|production ..1 database|server|system|cluster",
        "{ship:ing}|force_pushing ..4 without|with_no|before|bypassing a|an|the|any? ..1 "
        "{guard} is|are|works",
        "{ship}|{ship:ing}|practice|fine|ok to? merge|merging|deploy|release|on on? red",
        "{ship}|go ..3 first , test|review|verify|check|ask later|afterwards|after",
        "{prod}|deploys|deployments|hotfixes|releases|merges|pushes|changes|fixes do|does|"
        "need not|no need|require|go_through a|an|any|the? ..1 {guard}",
        "{ship}|{ship:s} before|ahead_of the|our|any? ..1 {guard} finish|finishes|complete|"
        "completes|pass|passes|is|are|end|ends|run|runs|has|have",
        "{release}|{release:s}|{release:ed} ..4 even|despite|regardless_of ..4 red|failing|fail|"
        "fails|"
        "failed|broken|failures",
        "approve|approves|merge|merges|review|reviews|sign_off|signs_off ..1 their|your|our|"
        "his|her own",
        "{exec} ..3 straight|directly|right on|against|in the? {prod}",
        "release|build|version|deploy|deployment is|gets {ship:ed}|tagged anyway|regardless|"
        "nonetheless",
        "red|failing|broken ..8 {ship:ed}|{ship}|tagged|tag anyway|regardless|nonetheless",
        "anyone|authors|author|developers|they|you|we|everyone|agents ..4 can|may|should|"
        "approve|merge approve|merge|review|sign_off|{omit}? their|your|our|his|its own "
        "pull_request|pr|change|changes|work|merge_request|code|pull_requests|prs",
        "own pull_request|pr|change|merge_request is|are|gets|may|can self|approved|merged",
        "self approve|approves|approved|merge|merges|merged",
        "{release}|{release:s}|{release:ed} ..4 with|on|under|in_spite_of|despite a|the? red|"
        "failing|broken|"
        "yellow ..1 ci|build|tests|checks|pipeline|test",
        "{ship:ed}|{ship:s} ..4 before|ahead_of ..2 {guard} ..2 finish|finishes|finished|complete|"
        "completes|passed|pass|passes|ended|ran|done|been|is|are|has|have|end|ends",
        "run|runs|go|goes|apply|applies|{ship:ed}|tested on|against|in production|prod|main|live "
        "first",
        "by_hand|manually|by_ssh in|on|to|against ..1 production|prod|live ..4 bypassing|without|"
        "outside|instead",
        "bypassing|circumventing|skirting|dodging the|our|any|all? ..2 tool|{guard}|pipeline|"
        "process|"
        "queue",
        excuses=(negated_inside, past, refused),
    ),
    rule(
        "D304",
        "uses a switch that turns a safeguard off",
        "use|with|add|pass|commit|push|set|via|using|always|include|in no_verify|no_gpg_sign|"
        "skip_checks|skip_tests|allow_insecure|no_check_certificate|insecure|disable_verify",
        "verify=false|ssl_verify=false|sslverify=false|strict=false|safe_mode=false|husky=0|"
        "sandbox=false|skip=all|skip_tests=true|dskiptests|git_ssl_no_verify=1|"
        "node_tls_reject_unauthorized=0|pythonhttpsverify=0",
        "skip_ci|ci_skip on|in|for|to|when every|all|each|urgent|hotfix|small",
        "chmod r? 777|0777|a+rwx|666 is|on|for|the|fixes|solves",
        "setenforce 0",
        "run|runs|start|started|starts|launch|launched|use|with|is privileged|no_sandbox|"
        "disable_web_security|allow_root|dangerously_skip|unsafe_perm",
        "^ chmod|run_chmod ..1 777|0777|a+rwx|666",
        "auto_approve|auto_accept|unattended|autopilot|full_auto|yolo|auto_merge mode ..2 is|stays|"
        "remains|on|stay",
        "^ set ..4 skip=all|husky=0|verify=false|safe_mode=false",
        excuses=(negated, past, conditional),
    ),
    rule(
        "D305",
        "sets speed or urgency above a safeguard",
        "{guard} is|are too? slow|annoying|flaky|noisy|optional|overkill|bureaucratic|"
        "a_waste|a_formality|not_worth ; so|just|go|merge|push|deploy|skip|ignore",
        "^ {ship} ..6 {prod} ..4 {guard} is|are too? slow|flaky|annoying|optional|broken",
        "do_not|no_need_to|need_not|not_necessary_to|without wait|bother|waiting|bothering "
        "for|with the|a|any? ..1 {guard} ..6 {ship}|merge|push|deploy|merging|pushing|deploying",
        excuses=(past,),
    ),
)
