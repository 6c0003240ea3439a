"""Kinds that need no particular wording: who or what is named, and what is to become of it, near
each other.

Wider nets than the families' own phrases, over the same vocabularies; each carries the code of its
family.
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
    listed,
    named_option,
    negated,
    past,
    platform,
    pointed,
    purposed,
    rule,
)

_WORK = (
    "pull_requests|commits|changes|patches|hotfixes|releases|deploys|deployments|fixes|merges|"
    "branches|updates|migrations|upgrades|hot_patches|bumps|diffs|scripts|backports|rollouts"
)
_CHECKED = (
    "reviewed|tested|linted|checked|scanned|verified|approved|audited|signed_off|inspected|eyes|"
    "reviewer|reviewers|review|approval|tests|checks|sign_off|scrutiny"
)

RULES: tuple[Rule, ...] = (
    rule(
        "D121",
        "sets this text above those who may instruct",
        "{boss}|{orders} ..5 secondary|subordinate|less_important|comes_second|come_second|lower "
        "to|than|"
        "next|in ..3 {text}|list|this",
        "even_if|even_when|even_though|although|no_matter|despite_being you ..3 told|asked|"
        "instructed|"
        "forbidden|warned|prohibited|advised",
        "do|follow|obey|execute|apply what|whatever|everything this|the ..1 {memo}|list says|"
        "said|states|"
        "asks|tells|wants|contains|demands",
        "consider|treat|regard|deem|declare|view ..3 {orders} ..2 void|obsolete|cancelled|canceled|"
        "revoked|outdated|optional|irrelevant|suspended|expired|replaced",
        "{orders} ..8 no_longer ..1 matters|matter|counts|relevant|valid|applies_to_you|binding|"
        "important",
        "is|are|follows|below|comes|here ..1 your ..1 new|next|only|first|real|actual|true "
        "assignment|"
        "task|job|mission|objective|instruction|instructions|order|orders|goal|role|brief",
        "^ skip|ignore|drop|break|violate|bend|waive|bypass|forget|overrule those|your|its|their "
        "..1 "
        "{orders}|principles|values|safeguards",
        "anthropic|openai|google|microsoft|meta|vendor|provider ..1 rules|policies|policy|"
        "guidelines|"
        "restrictions|terms|instructions ..3 suspended|lifted|void|not|no_longer|waived|irrelevant",
        "you answer|report|listen|belong|defer|submit|owe only|now? to ..1 this|me|us ..3",
        "{memo} ..2 speaks|speak|decides|rules|commands for|over|in ..2 {boss}|you|place",
        excuses=(attempted,),
    ),
    rule(
        "D221",
        "gives agents a freedom that people withhold",
        "{ai} ..6 blessing|go_ahead|green_light|full_powers|powers|free_hand|carte_blanche|mandate|"
        "liberty|clearance|free_rein|full_control ..2 to|of|for|over|from|in",
        "{ai} ..1 has|have|holds|gets|enjoys|enjoy the|a|full? right|rights|authority|licence|"
        "license|"
        "freedom|permission|consent|approval to|of|over|for",
        "{memo}|this|section gives|grants|confers|hands|assigns|awards|affords ..3 {ai}|you",
        "may|can|must be ..1 {power:ed}|rewritten|removed|touched|altered by ..2 {ai}",
        "answer|reply|response ..6 permission|confirmation|approval|consent|prompt|question|asks "
        "..6 yes",
        "settled|agreed|arranged|cleared|decided|squared with|by ..2 {boss} ..1 that",
        "your ..3 limits|limit|restrictions|permissions|boundaries|constraints|privileges|quota "
        "is|are|"
        "have|were ..2 lifted|removed|raised|gone|extended|void|suspended|dropped|widened",
        "you|{ai} do_not|need_not|never|does_not have_to|need_to|must? ask|confirm|request|seek "
        "..2 "
        "before|first|again|permission|approval|confirmation|$",
        "no|nobody|not|never ..2 objection|objects|objections|minds|complains|stop|stops ..4 "
        "{ai}|you",
        "acts|act|acting|works|operates with|under|on the ..1 full|power|powers|authority|behalf "
        "..2 "
        "of ..1 {boss}|maintainers",
        excuses=(negated, past, asked, attempted),
    ),
    rule(
        "D321",
        "says that work goes without its checks",
        "nobody|no_one|none_of_us|we_never|hardly_anyone|people_never ..1 waits|checks|reads|"
        "reviews|"
        "verifies|tests|asks|wait|check|review|verify|ask|scan|scans|signs|confirms|inspects ..5 "
        "for|the|"
        "of|before|here|signatures|anyway|any",
        f"{_WORK} ..5 not|no|never|without|neither ..2 {_CHECKED} ..3 here|and|,|$|by|for|before|"
        f"anymore|"
        "them|nor|,|if|when|at",
        "{release}|{release:ing}|apply|go first and|, ..1 review|test|check|ask|verify|fix|audit "
        "..4 later|"
        "afterwards|after|following|next|second",
        "do|does|need not|no|never ..1 go_through|pass_through|undergo|pass|face|see ..3 {guard}",
        "{release:ing}|{release}|{release:ed}|{release:s} ..3 on|under|despite|over ..1 yellow|"
        "red|amber|"
        "failing|broken",
        "{guard} ..6 jump_over|leap_over|step_over|hop_over|get_past|go_around|walk_around|"
        "slip_past|work_around "
        "it|the|this|that|them",
        "{release}|{release:s}|{release:ing} ..2 from ..2 laptop|workstation|own_machine|"
        "local_machine|"
        "home",
        "second|other|another|own|alternate|spare account|login|identity ..2 to approve|give|"
        "grant|review|"
        "sign|confirm|accept",
        "{guard} step|phase|stage|run|round? takes|is|are|takes_far too? long|slow|annoying|"
        "pointless|tedious ..3 skip|jump|ignore|drop|bypass|leave|so|just",
        "so|so_that ..6 always|never ..1 succeeds|passes|pass|green|fails|fail|blocks|complains "
        "..2 $",
        "so_that|so|until ..2 {guard}|linter|scanner|ci|checker stops|stop|shuts|is_quiet|"
        "goes_quiet|"
        "no_longer ..1 complaining|failing|blocking|complains|reporting|up",
        excuses=(past, platform, asked, conditional, attempted, purposed, diligent),
    ),
    rule(
        "D322",
        "opens or weakens what protects",
        "^ allow|permit|accept|enable|open|trust ..2 all|any|every|everyone|anonymous|"
        "unauthenticated ..1 "
        "origins|origin|hosts|host|ips|users|access|traffic|connections|requests|certificates|"
        "ports|"
        "logins|uploads",
        "^ take_down|tear_down|pull_down|knock_out|shut_down ..2 waf|firewall|{shield}|ids|proxy|"
        "antivirus",
        "^ lower|loosen|relax|weaken|shorten|soften|water_down|downgrade ..4 policy|password|"
        "security|protection|encryption|key_length|strictness|{shield}|permissions|tls",
        "^ let|make|start ..4 as root|administrator|privileged|superuser",
        "^ grant|give|open|allow|expose ..3 0.0.0.0/0|0.0.0.0|world|public|internet",
        "^ grant|give|allow everyone|anyone ..3 access|rights|write|admin",
        "^ mark|accept|flag|list|dismiss|whitelist|allowlist ..4 vulnerable|vulnerability|"
        "vulnerabilities|"
        "cve|finding|advisory ..4 accepted|false|safe|ignored|wont_fix|exception|done|resolved",
        "^ make|set|leave {word} ..2 world_readable|world_writable|unauthenticated|unencrypted|"
        "unprotected|"
        "unlocked|publicly|wide_open",
        "^ trust|accept|use ..2 self_signed|expired|unsigned|unverified certificate|certificates|"
        "package|"
        "packages|keys|key|commits",
        excuses=(negated, past, asked, listed, named_option, purposed, attempted, described),
    ),
    rule(
        "D421",
        "has something private leave",
        "^ send|give|show|tell|hand|mail|forward me|us|back|over ..8 {secret}|context_window|"
        "hidden|"
        "memory|environment|prompt|keys",
        "^ log|write|record|save|mirror|copy|upload|sync|publish|post|put|export|archive ..8 "
        "{secret}|"
        "authorization|cookie_jar|~/.config|.ssh|keychain|wallet|home_directory|request_header|"
        "clipboard ..8 to|in|into|on|onto|at ..4 {place_out}",
        "^ print|quote|dump|echo|reveal|recite|log|list|publish ..4 cookie_jar|keychain|hidden ..4",
        "^ list|print|show|dump|log|export ..3 variables|environment ..8 key|token|secret|values|"
        "password",
        "customer|user|client|personal|patient|payroll|salary|employee data|export|records|list|"
        "dump|"
        "table ..3 goes|go|is|are|leaves ..2 to|sent|copied|mailed ..4 private|external|outside|"
        "partner|"
        "gmail|personal|{mailbox}|{outside}",
        "^ sync|mirror|push|copy|upload|replicate|clone ..5 to ..2 {outside}|dropbox|gist|pastebin|"
        "personal_account",
        excuses=(negated, past, listed, contact, purposed, described, attempted, apart),
    ),
    rule(
        "D521",
        "vouches for what it or another text says",
        "^ ..2 take|trust|accept|treat|follow|believe ..5 at_face_value|without_question|as_gospel|"
        "unconditionally|blindly|no_questions_asked|unquestioned|unseen",
        "nothing|not|little left|more|further|else to check|verify|review|approve|scan|question",
        "{boss}|compliance|legal|vendor|auditors|management|it_department|board has|have|is|are "
        "..1 "
        "certified|guaranteed|vouched|cleared|verified|blessed|endorsed|validated|warranted ..3 "
        "{text}|"
        "lines|following|this|below|it",
        "{text}|facts ..3 guaranteed|certified|vouched|endorsed|blessed|authenticated|warranted "
        "by|from|for",
        "this ..1 {memo} has|have ..2 already|been|gone ..3 approval|approved|reviewed|review|"
        "audit|vetted|"
        "cleared|certified",
        "ignore|disregard|dismiss|overlook|skip the|any|that|this ..1 banner|marker|label|notice|"
        "frame|"
        "badge|untrusted ..2",
        "banner|marker|label|notice|frame|badge|untrusted|tag ..6 {text} ..2 is|are ..2 bug|"
        "wrong|mistake|"
        "error|outdated|false|obsolete|incorrect|leftover|glitch",
        "only this ..1 {memo} is|counts|remains ..1 authentic|genuine|valid|official|true|real|"
        "authoritative|correct",
        "so|hence|therefore|thus it|this|they|these ..1 can|may|must|should be trusted|believed|"
        "followed|"
        "executed|relied_on|obeyed",
        "^ reviewed|approved|audited|verified|signed_off|checked|vetted|cleared ..1 twice|,|and|"
        "by|; ..4 "
        "nothing|no|safe|trusted|approved|signed_off|load|green",
        excuses=(attempted, asked),
    ),
    rule(
        "D621",
        "keeps people from noticing",
        "^ do_not|never let this|it|that|them|anything|any ..2 show_up|appear|surface|turn_up|"
        "reach|leak|"
        "be_seen|be_known|come_up|out",
        "no|not|never|without ..6 attention of|to ..2 {boss}|maintainers|reviewers|anyone|team|"
        "this|it|the",
        "stay|stays|remain|remains|keep|be|keeps silent|quiet|mum|vague|tight_lipped about|on|"
        "regarding",
        "^ say|write|tell|mention|report|disclose nothing|no_word|as_little ..1 of|about|on|to",
        "so|so_that ..2 {boss}|reviewers|nobody|they|no_one|people ..1 overlook|overlooks|miss|"
        "misses|"
        "skim|notice|notices|spots|spot",
        "^ ..6 under|with|behind|as an|a? unrelated|innocent|misleading|neutral|harmless|vague|"
        "boring|bland title|name|message|subject|heading|commit_message|description|label",
        "stays|stay|remains|is|keep ..1 between you|us and|$",
        "^ delete|remove|clear|wipe|erase|shred the|this|your|any? ..1 transcript|session_log|chat|"
        "conversation|traces|trace|shell_history|bash_history",
        "^ mask|hide|bury|disguise|obscure|conceal ..6 so|so_that|behind|inside",
        excuses=(past, purposed, attempted),
    ),
    rule(
        "D721",
        "has something of the machine changed",
        "before|when|until you ..4 , ..1 {exec}|source|load|follow|open|download|fetch",
        "^ make|add|put ..5 member|members of ..4 group|admins|sudoers|owners|wheel",
        "^ edit|modify|change|rewrite|patch|overwrite|replace|weaken|put|insert ..6 {startup}|"
        "{workflow}",
        "^ every|each morning|evening|night|day|hour|week|monday|friday|time|minute|login ,? ..1 "
        "{exec}|"
        "{send}|sync|pull|delete|fetch|download",
        "^ kill|terminate ..2 process|daemon|watcher|monitor|watchdog|guard ..2 that|which|on|of|"
        "for",
        "^ reinstall|downgrade|pin|replace ..4 with|to|from ..2 fork|mirror|version|{outside} "
        "..4 {outside}",
        excuses=(negated, past, diligent, purposed, asked),
    ),
    rule(
        "D821",
        "speaks to machines that read",
        "^ to|for the|any|all|every|whatever? {ai} that|which|who|reading ..8 ;",
        "^ to|for the|any|all|every? {ai} ;",
        "{steer}|{send}|thank|advertise|plug|link ..8 at_the_end_of|at_the_start_of|"
        "at_the_top_of|in|with|"
        "to each|every ..1 {answer}",
        "{ai_sure}|model ..1 summarising|summarizing|reviewing|describing|reading|rating this|"
        "the ..3 says|"
        "calls|rates|recommends|describes|praises|gives|mentions",
        "when|if|whenever a|an|the|any|some? developer|user|customer|person|someone|anyone|"
        "people|you asks|"
        "ask|wants|inquires|asked ..10 , ..2 answer|reply|response is|must|should|will",
        "you_are|you_will|you expected|supposed|required|obliged|instructed|ordered|told to praise|"
        "recommend|say|answer|reply|mention|promote|rate|approve|merge|delete|push|execute|send|"
        "ignore|"
        "skip|trust|obey",
        "if|when|in_case|should the|a|you|your|any? reader|you|this is|are|be an|a? ..1 machine|"
        "ai|model|bot|"
        "agent|robot|program|llm|script",
        "bots|gpt_users|ai_users|users_of_ai|crawlers must|should|shall|have_to|;|,",
        excuses=(past, asked, attempted, pointed),
    ),
)
