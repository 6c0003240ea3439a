"""What secrets look like: the shapes that issuers publish, and the places where people write them.

Patterns only; `secrets` says where they are tried, and what is a placeholder after all.
"""

import re

from ktw.text.late import late

# Shapes that issuers publish: kind, the literals one of which begins it, the pattern. Lengths are
# lower bounds: a longer key is still a key. No \b in front: a literal prefix makes the search
# fast, and `_begins_word` looks at what stands before.
ISSUED: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (why, tuple(prefixes.split()), late(shape))
    for why, prefixes, shape in (
        ("AWS access key", "AKIA ASIA ABIA ACCA AGPA AIDA AROA ANPA",
         r"A(?:KIA|SIA|BIA|CCA|GPA|IDA|ROA|NPA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,}"),
        ("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,}"),
        ("GitLab token", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat-",
         r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{16,}"),
        ("Slack token", "xox xapp-", r"x(?:ox[abceoprs]|app)-[A-Za-z0-9-]{10,}"),
        ("Slack webhook", "hooks.slack.com",
         r"hooks\.slack\.com/services/T[A-Za-z0-9]{5,}/B[A-Za-z0-9]{5,}/[A-Za-z0-9]{12,}"),
        ("Stripe key", "k_live_ k_test_", r"[srp]k_(?:live|test)_[A-Za-z0-9]{16,}"),
        ("Stripe key", "whsec_", r"whsec_[A-Za-z0-9]{16,}"),
        ("npm token", "npm_", r"npm_[A-Za-z0-9]{30,}"),
        ("PyPI token", "pypi-", r"pypi-(?:AgE[A-Za-z0-9_-]{13,}|[A-Za-z0-9_-]{60,})"),
        ("Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{20,}"),
        ("Anthropic key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,}"),
        ("OpenAI key", "sk-", r"sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{32,})"),
        ("Google key", "AIza", r"AIza[A-Za-z0-9_-]{30,}"),
        ("Google token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,}"),
        ("Google secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,}"),
        ("SendGrid key", "SG.", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
        ("DigitalOcean token", "_v1_", r"do[por]_v1_[a-f0-9]{32,}"),
        ("Shopify token", "shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
        ("Databricks token", "dapi", r"dapi[a-f0-9]{32}"),
        ("Telegram bot token", ":AA", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}"),
        ("Azure key", "AccountKey= SharedAccessKey=",
         r"(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{40,}={0,2}"),
        ("Azure secret", "Q~", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
        ("Discord webhook", "/api/webhooks/",
         r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{40,}"),
        ("Discord token", "MT MD Mj Mz ND NT Nj Nz OD OT",
         r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
        ("Twilio key", "SK", r"SK[0-9a-f]{32}(?![0-9a-f])"),
        ("Artifactory token", "AKC", r"AKC[A-Za-z0-9]{10,}"),
        ("Mailgun key", "key-", r"key-[0-9a-f]{32}(?![0-9a-f])"),
        ("Square token", "sq0", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}"),
        ("Vault token", "hvs. hvb.", r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
        ("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}"),
        ("Docker token", "dckr_", r"dckr_[po]at_[A-Za-z0-9_-]{20,}"),
        ("Grafana token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9_+/=-]{32,}"),
        ("Linear key", "lin_api_", r"lin_api_[A-Za-z0-9]{32,}"),
        ("Notion token", "ntn_", r"ntn_[A-Za-z0-9]{40,}"),
        ("Postman key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
        ("Sentry token", "sntrys_", r"sntrys_[A-Za-z0-9+/=_-]{40,}"),
        ("RubyGems key", "rubygems_", r"rubygems_[0-9a-f]{40,}"),
        ("Atlassian token", "ATATT3 ATCTT3 ATBB", r"AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{24,}"),
        ("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
        ("xAI key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
        ("Replicate token", "r8_", r"r8_[A-Za-z0-9]{36,}"),
        ("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
        ("JSON web token", "eyJ",
         r"eyJ(?<![A-Za-z0-9_-]eyJ)[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    )
)  # fmt: skip

AWS_SECRET = late(
    r"(?i:aws|secret)[\w .-]{0,30}(?i:key|secret)[\w \"'`.-]{0,10}[:= ]{1,4}[\"'`]?"
    r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])"
)
URL = late(r"://([^\s/:@?#<>\"']{0,100}:([^\s/@<>\"']{3,200})@)[\w\[]")
HEADER = late(r"\b(?i:bearer|basic)[ \t]{1,4}([A-Za-z0-9._~+/-]{12,}={0,2})")
PEM_BEGIN = late(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
PEM_END = late(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
PEM_LINE = late(r"[ \t>]{0,8}(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]{4,20}: .{1,80}|)(?:\\n)?\r?(?:\n|$)")

_PASSWORD_WORD = (
    r"pass(?:word|wd|phrase|wort)|pwd|kennwort|contrase\u00f1a|\u043f\u0430\u0440\u043e\u043b\u044c"
)
_TOKEN_WORD = (
    r"secret|token|api[_-]?key|apikey|access[_-]?key|auth[_-]?key|private[_-]?key|credentials?"
)
ASSIGNED = late(
    rf"(?i:({_PASSWORD_WORD})|{_TOKEN_WORD})[\w-]{{0,20}}[\"'`*]{{0,3}}"
    r"[ \t]{0,4}(?:=>|:=|==?|:)[ \t]{0,6}\*{0,2}(?!\*)[ \t]{0,2}"
    r"(?:\"([^\"\n]{3,200})\"|'([^'\n]{3,200})'|`([^`\n]{3,200})`|([^\s\"'`,;<>]{5,200}))"
)
TOLD = late(
    rf"(?i:\b(?:{_PASSWORD_WORD}|secret key|api key|access key|access token|auth token|"
    r"pin code)\b)"
    r"(?: (?:for|of|to|on) (?:the )?[\w.@/-]{1,60}(?: [\w.@/-]{1,40})?)?"
    r"(?:,)?[ \n](?i:is|was|lautet|ist|es|will be|remains|set to|changed to|=|\u2014|-)[: \n]{1,3}"
    r"(?:(?i:still|now|always|just|simply|called|currently)[ \n])?[*_]{0,3}"
    r"(?:\"([^\"\n]{3,100})\"|'([^'\n]{3,100})'|`([^`\n]{3,100})`|([^\s\"'`,;<>()*]{4,100}))"
)

PLACEHOLDER = late(
    r"(?i)x{4}|\*{2}|\.{3}|\u2026|\$|%\w+%|\{\{|^\{|<|^\[|^_+$|placeholder|change[_-]?me|"
    r"redacted|your[_ -]|^(?:an?_)?(?:example|sample|dummy|fake|todo|tbd|none|null|nil|"
    r"true|false|undefined|empty|foo|bar|baz|test|string|str|bytes|required|optional|"
    r"hidden|masked|secret|password|token|value|key|username|user|n/a)s?(?:[_ -]"
    r"?(?:password|token|secret|key|value|here))?$"
)
NO_VALUE = late(
    r"(?i)environ|getenv|process\.env|secrets?[.\[]|vault|keychain|keyring|^[\w.]+\(|"
    r"^https?://|^[./~]|^(?:sha|md|hs|rs|es)-?\d|argon|bcrypt|pbkdf|base64|oauth2?|"
    r"ed25519|x509|utf-?8|\.(?:md|py|ya?ml|json|env|txt|pem|ts|js|go|toml)$"
)
