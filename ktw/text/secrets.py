"""Secrets that a text holds: keys by their issuer's shape, credentials in URLs, headers,
assignments, prose.

Finds and names the kind, never repeats a value. A built-in minimum that knows no network and no
entropy model; placeholders are no secrets.
"""

import re
from collections.abc import Iterator

from ktw.text import Span
from ktw.text.hidden import find_hidden

CODE = "S101"

# Shapes that issuers publish: kind, the literals one of which begins it, the pattern. Lengths are
# lower bounds: a longer key is still a key. No \b in front: a literal prefix makes the search
# fast, and `_begins_word` looks at what stands before.
_ISSUED: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (why, tuple(prefixes.split()), re.compile(shape))
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
        ("Azure storage key", "AccountKey=", r"AccountKey=[A-Za-z0-9+/]{40,}={0,2}"),
        ("JSON web token", "eyJ",
         r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    )
)  # fmt: skip

_AWS_SECRET = re.compile(
    r"(?i:aws|secret)[\w .-]{0,30}(?i:key|secret)[\w \"'`.-]{0,10}[:= ]{1,4}[\"'`]?"
    r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])"
)
_URL = re.compile(r"://([^\s/:@?#<>\"']{0,100}:([^\s/@<>\"']{3,200})@)[\w\[]")
_HEADER = re.compile(r"\b(?i:bearer|basic)[ \t]{1,4}([A-Za-z0-9._~+/-]{12,}={0,2})")
_PEM_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_LINE = re.compile(
    r"[ \t>]{0,8}(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]{4,20}: .{1,80}|)(?:\\n)?\r?(?:\n|$)"
)

_PASSWORD_WORD = (
    r"pass(?:word|wd|phrase|wort)|pwd|kennwort|contrase\u00f1a|\u043f\u0430\u0440\u043e\u043b\u044c"
)
_TOKEN_WORD = (
    r"secret|token|api[_-]?key|apikey|access[_-]?key|auth[_-]?key|private[_-]?key|credentials?"
)
_NAMING = (
    "pass pwd kennwort contrase \u043f\u0430\u0440\u043e\u043b secret token key credential pin"
).split()
_ASSIGNED = re.compile(
    rf"(?i:({_PASSWORD_WORD})|{_TOKEN_WORD})[\w-]{{0,20}}[\"'`*]{{0,3}}"
    r"[ \t]{0,4}(?:=>|:=|==?|:)[ \t*]{0,6}"
    r"(?:\"([^\"\n]{3,200})\"|'([^'\n]{3,200})'|`([^`\n]{3,200})`|([^\s\"'`,;<>]{5,200}))"
)
_TOLD = re.compile(
    rf"(?i:\b(?:{_PASSWORD_WORD}|secret key|api key|access key|access token|auth token|"
    r"pin code)\b)"
    r"(?: (?:for|of|to|on) (?:the )?[\w.@/-]{1,60}(?: [\w.@/-]{1,40})?)?"
    r"(?:,)?[ \n](?i:is|was|lautet|ist|es|will be|remains|set to|changed to|=|\u2014|-)[: \n]{1,3}"
    r"(?:(?i:still|now|always|just|simply|called|currently)[ \n])?"
    r"(?:\"([^\"\n]{3,100})\"|'([^'\n]{3,100})'|`([^`\n]{3,100})`|([^\s\"'`,;<>()]{4,100}))"
)

_PLACEHOLDER = re.compile(
    r"(?i)x{4}|\*{2}|\.{3}|\u2026|\$|%\w+%|\{\{|^\{|<|^\[|^_+$|placeholder|change[_-]?me|"
    r"redacted|your[_ -]|^(?:an?_)?(?:example|sample|dummy|fake|todo|tbd|none|null|nil|"
    r"true|false|undefined|empty|foo|bar|baz|test|string|str|bytes|required|optional|"
    r"hidden|masked|secret|password|token|value|key|username|user|n/a)s?(?:[_ -]"
    r"?(?:password|token|secret|key|value|here))?$"
)
_NO_VALUE = re.compile(
    r"(?i)environ|getenv|process\.env|secrets?[.\[]|vault|keychain|keyring|^[\w.]+\(|"
    r"^https?://|^[./~]|^(?:sha|md|hs|rs|es)-?\d|argon|bcrypt|pbkdf|base64|oauth2?|"
    r"ed25519|x509|utf-?8|\.(?:md|py|ya?ml|json|env|txt|pem|ts|js|go|toml)$"
)


def find_secrets(text: str) -> list[Span]:
    """Spans over secrets in `text`, in order, without overlaps; `why` names the kind, never the
    value.

    Characters that render as nothing do not hide a secret. Linear in the text.
    """
    bare, offsets = _without_hidden(text)
    found = sorted(_candidates(bare), key=lambda item: (item[0], -item[1]))
    spans: list[Span] = []
    reached = 0
    for start, end, why in found:
        if start >= reached:
            first, last = (offsets[start], offsets[end - 1]) if offsets else (start, end - 1)
            spans.append(Span(first, last + 1, CODE, why))
            reached = end
    return spans


def _without_hidden(text: str) -> tuple[str, list[int]]:
    """The text without hidden characters and where each character stood; no list when all stay."""
    hidden = find_hidden(text)
    if not hidden:
        return text, []
    offsets: list[int] = []
    at = 0
    for span in hidden:
        offsets += range(at, span.start)
        at = span.end
    offsets += range(at, len(text))
    return "".join(text[index] for index in offsets), offsets


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    yield from _issued(text)
    yield from _private_keys(text)
    yield from _carried(text)
    lower = text.lower()
    if any(word in lower for word in _NAMING):
        yield from _assigned(text)
        yield from _told(text)


def _issued(text: str) -> Iterator[tuple[int, int, str]]:
    for why, prefixes, shape in _ISSUED:
        if any(prefix in text for prefix in prefixes):
            for match in shape.finditer(text):
                if _begins_word(text, match.start()) and not _filler(match[0]):
                    yield match.start(), match.end(), why


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()


def _carried(text: str) -> Iterator[tuple[int, int, str]]:
    """Secrets in a place that is made for them: a URL's user part, an authorization header."""
    if "://" in text:
        for match in _URL.finditer(text):
            if not _placeholder(match[2]):
                yield *match.span(1), "credentials in a URL"
    for match in _HEADER.finditer(text):
        if _random(match[1]) and not _placeholder(match[1]):
            yield *match.span(1), "an authorization header"


def _private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """From BEGIN to END; without an END, over the lines that still look like a key."""
    if "PRIVATE KEY" not in text:
        return
    ends = [match.end() for match in _PEM_END.finditer(text)]
    ends.reverse()
    at = 0
    for match in _PEM_BEGIN.finditer(text):
        if match.start() < at:
            continue
        while ends and ends[-1] < match.end():
            ends.pop()
        at = ends[-1] if ends else _key_lines(text, match.end())
        yield match.start(), at, "a private key"


def _key_lines(text: str, at: int) -> int:
    end = at
    line = _PEM_LINE.match(text, at)
    while line and line.end() > line.start():
        end = line.end() if line[0].strip() else end
        line = _PEM_LINE.match(text, line.end())
    return end


def _assigned(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _AWS_SECRET.finditer(text):
        if not _filler(match[1]):
            yield *match.span(1), "AWS secret key"
    for match in _ASSIGNED.finditer(text):
        group = _value_group(match, 2)
        value, quoted, password = match[group], group < 5, match[1] is not None
        if _placeholder(value) or _NO_VALUE.search(value):
            continue
        if password and (quoted or _mixed(value)):
            yield *match.span(group), "a password in an assignment"
        elif not password and len(value) >= 8 and _random(value) and (quoted or len(value) >= 12):
            yield *match.span(group), "a secret in an assignment"


def _told(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _TOLD.finditer(text):
        group = _value_group(match, 1)
        value = match[group].rstrip(".!?:")
        if len(value) < 4 or _placeholder(value) or _NO_VALUE.search(value):
            continue
        if group < 4 or _mixed(value):
            yield match.start(group), match.start(group) + len(value), "a password in prose"


def _value_group(match: re.Match[str], first: int) -> int:
    return next(group for group in range(first, first + 4) if match[group] is not None)


def _mixed(value: str) -> bool:
    """Letters together with digits or symbols: no plain word."""
    return any(c.isalpha() for c in value) and any(c.isdigit() or c in "!@#%^&+=~" for c in value)


def _random(value: str) -> bool:
    """Letters and digits, or both cases within a word: as keys are, as words are not."""
    if not any(c.isalpha() for c in value):
        return False
    digits = sum(c.isdigit() for c in value)
    return digits > 1 or (len(value) >= 20 and value[1:] != value[1:].lower())


def _placeholder(value: str) -> bool:
    return _PLACEHOLDER.search(value) is not None or len(set(value)) < 3


def _filler(value: str) -> bool:
    """An issued shape filled up with one letter, or with words that ask for a key."""
    return "xxxx" in value.lower() or "YOUR" in value.upper() or len(set(value[-12:])) < 3
