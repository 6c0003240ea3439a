"""Secrets that a text holds: keys by their issuer's shape, credentials in URLs, headers,
assignments, prose; dressed up in markup, escapes and line breaks too.

Finds and names the kind, never repeats a value. A built-in minimum that knows no network and no
entropy model; placeholders are no secrets.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from ktw.text import Span
from ktw.text.altered import Piece, seen_with
from ktw.text.characters import lowered
from ktw.text.escape import without_entities
from ktw.text.hidden import hidden_runs
from ktw.text.late import late
from ktw.text.lengths import long_words
from ktw.text.secret_shapes import (
    ASSIGNED,
    AWS_SECRET,
    HEADER,
    ISSUED,
    NO_VALUE,
    PEM_BEGIN,
    PEM_END,
    PEM_LINE,
    PLACEHOLDER,
    TOLD,
    URL,
)

CODE = "S101"

# Where the words begin that name a secret. `str.find` for each is faster than one expression.
_ROOTS = (
    "pass", "pwd", "kennwort", "contrase\u00f1a", "\u043f\u0430\u0440\u043e\u043b\u044c",
    "secret", "token", "api", "access", "auth", "private", "credential", "pin code",
)  # fmt: skip
_SHAPES = {prefix: (why, shape) for why, prefixes, shape in ISSUED for prefix in prefixes}
_ASKING = ("XXXX", "YOUR", "EXAMPLE")
_SHORTEST = 13  # characters of an issued key
# What a renderer takes away inside a word or reads as another character, where such marks are.
# One expression for each mark, which it begins with: a search for one character is quick.
_EMPHASIS = tuple(map(late, (r"\*(?<!\*\*)\*?(?!\*)", "~~", "</?(?:b|i|em|strong|code|span|wbr)>")))
_ESCAPED = (
    ("\\", late(r"\\(?=[^A-Za-z0-9\s\\])")),
    ("%", late("%[2-7][0-9A-Fa-f]")),
    ("&", late("&(?:#[0-9]{1,5}|#[xX][0-9A-Fa-f]{1,4}|[a-z]{2,8});")),
)
_IN_A_WORD = late(r"\*(?<=[^\W_]\*)\**(?=[^\W_])")  # a run of stars between letters or digits
# A line break between characters of keys, and what stands around it. The blanks before it are
# looked back at, for a search is quick that looks for one character first.
_DIGIT = re.compile("[0-9]")
_BLANKS = ("", *(rf"[ \t]{{{n}}}[ \t\r]" for n in range(4)), r"[ \t]{4}\r")
_WRAPS = late(
    r"\n(?:" + "|".join(rf"(?<=[\w/+=-]{blanks}\n)" for blanks in _BLANKS) + ")"
    r"[ \t>|*]{0,6}(?=[\w/+=-])"
)


def find_secrets(text: str) -> list[Span]:
    """Spans over secrets in `text`, in order, without overlaps; `why` names the kind, never the
    value.

    Neither characters that render as nothing nor markup hides a secret. Linear in the text.
    """
    return _without_overlaps(list(seen_with(text, _hidden(text), _anywhere)))


def _hidden(text: str) -> list[Piece]:
    """Where hidden characters stand, neighbours together: half of a text may be such."""
    gone: list[Piece] = []
    for start, end, _ in hidden_runs(text):
        if gone and gone[-1][1] == start:
            start = gone.pop()[0]
        gone.append((start, end, ""))
    return gone


def _anywhere(text: str) -> Iterator[Piece]:
    """Secrets as they stand, without the markup in them, and across line breaks."""
    yield from _candidates(text)
    dressing = _dressing(text)
    if dressing:
        yield from seen_with(text, dressing, _candidates)
    if "\n" in text and _DIGIT.search(text) and _shapes(_last_words(text)):
        wraps = [(_line_end(text, m.start()), m.end(), "") for m in _WRAPS.finditer(text)]
        yield from seen_with(text, wraps, _issued_and_numbered)


def _line_end(text: str, at: int) -> int:
    """Where the blanks begin that stand before the line break at `at`."""
    while text[at - 1] in " \t\r":
        at -= 1
    return at


def _last_words(text: str) -> str:
    """The last word of each line that could hold a prefix."""
    lines = {line.rstrip()[-60:] for line in text.split("\n") if len(line) > 1}
    return " ".join({line.rpartition(" ")[2] for line in lines})


def _dressing(text: str) -> list[Piece]:
    """The markup and escapes that may part or spell a secret, in order; none in most texts."""
    found: list[Piece] = []
    if "~~" in text or "<" in text or _IN_A_WORD.search(text):
        for emphasis in _EMPHASIS:
            found += [(*match.span(), "") for match in emphasis.finditer(text)]
    for mark, escaped in _ESCAPED:
        if mark in text:
            found += [(*match.span(), _undressed(match[0])) for match in escaped.finditer(text)]
    return sorted(found)


def _without_overlaps(found: list[Piece]) -> list[Span]:
    spans: list[Span] = []
    reached = 0
    for start, end, why in sorted(found, key=lambda item: (item[0], -item[1])):
        if end > reached:
            spans.append(Span(max(start, reached), end, CODE, why))
            reached = end
    return spans


@lru_cache(maxsize=1 << 10)  # the same few escapes stand in a text again and again
def _undressed(mark: str) -> str:
    """The character that an escape stands for, "" for none."""
    if mark[0] == "%":
        return chr(int(mark[1:], 16))
    read = without_entities(mark) if mark[0] == "&" else ""
    return read if len(read) == 1 else ""


def _candidates(text: str) -> Iterator[Piece]:
    yield from _issued(text)
    yield from _private_keys(text)
    lower = lowered(text)
    yield from _carried(text, lower)
    yield from _named(text, lower)


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _shapes(words: str) -> list[tuple[str, re.Pattern[str]]]:
    """The issued shapes, with their kinds, one of whose prefixes stands in these words."""
    return list(dict.fromkeys(_SHAPES[prefix] for prefix in _SHAPES if prefix in words))


def _issued_and_numbered(text: str) -> Iterator[Piece]:
    """Keys that are no word run into the next: with digits in them."""
    for start, end, why in _issued(text):
        if sum(map(str.isdigit, text[start:end])) > 2:
            yield start, end, why


def _issued(text: str) -> Iterator[Piece]:
    # A key holds no blank, so that it is looked for in words, and then where they stand.
    joined = " ".join(long_words(text, _SHORTEST))
    for why, shape in _shapes(joined):
        for match in shape.finditer(text) if shape.search(joined) else ():
            if _begins_word(text, match.start()) and not _filler(match[0]):
                yield match.start(), match.end(), why


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()


def _carried(text: str, lower: str) -> Iterator[Piece]:
    """Secrets in a place that is made for them: a URL's user part, an authorization header."""
    if "://" in text:
        for match in URL.finditer(text):
            if not _placeholder(match[2]):
                yield *match.span(1), "credentials in a URL"
    for scheme in ("bearer", "basic"):
        for at in _places(lower, scheme):
            header = HEADER.match(text, at)
            if header and _random(header[1]) and not _placeholder(header[1]):
                yield *header.span(1), "an authorization header"


def _private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """From BEGIN to END; without an END, over the lines that still look like a key."""
    if "PRIVATE KEY" not in text:
        return
    ends = [match.end() for match in PEM_END.finditer(text)]
    ends.reverse()
    at = 0
    for match in PEM_BEGIN.finditer(text):
        if match.start() < at:
            continue
        while ends and ends[-1] < match.end():
            ends.pop()
        at = ends[-1] if ends else _key_lines(text, match.end())
        yield match.start(), at, "a private key"


def _key_lines(text: str, at: int) -> int:
    end = at
    line = PEM_LINE.match(text, at)
    while line and line.end() > line.start():
        end = line.end() if line[0].strip() else end
        line = PEM_LINE.match(text, line.end())
    return end


def _named(text: str, lower: str) -> Iterator[Piece]:
    """Secrets that a word before them names."""
    for root in _ROOTS:
        reached = 0  # else each word of a long value would be tried as a name with a long value
        for at in _places(lower, root):
            if at < reached:
                continue
            assigned, told = ASSIGNED.match(text, at), TOLD.match(text, at)
            if assigned:
                reached = assigned.end()
                yield from _assigned(assigned)
            if told:
                reached = max(reached, told.end())
                yield from _told(told)
    for root in ("aws", "secret"):
        for at in _places(lower, root):
            match = AWS_SECRET.match(text, at)
            if match and not _filler(match[1]):
                yield *match.span(1), "AWS secret key"


def _assigned(match: re.Match[str]) -> Iterator[Piece]:
    group = _value_group(match, 2)
    value, quoted, password = match[group], group < 5, match[1] is not None
    if _placeholder(value) or NO_VALUE.search(value):
        return
    if password and (quoted or _mixed(value)):
        yield *match.span(group), "a password in an assignment"
    elif not password and len(value) >= 8 and _random(value) and (quoted or len(value) >= 12):
        yield *match.span(group), "a secret in an assignment"


def _told(match: re.Match[str]) -> Iterator[Piece]:
    group = _value_group(match, 1)
    value = match[group].rstrip(".!?:")
    if len(value) < 4 or _placeholder(value) or NO_VALUE.search(value):
        return
    if group < 4 or _mixed(value):
        yield match.start(group), match.start(group) + len(value), "a password in prose"


def _value_group(match: re.Match[str], first: int) -> int:
    return next(group for group in range(first, first + 4) if match[group] is not None)


def _mixed(value: str) -> bool:
    """Letters together with digits or symbols: no plain word."""
    return any(c.isalpha() for c in value) and any(c.isdigit() or c in "!@#%^&+=~" for c in value)


def _random(value: str) -> bool:
    """Letters and digits, or both cases within a word: as keys are, as words are not."""
    if not any(map(str.isalpha, value)):
        return False
    digits = sum(map(str.isdigit, value))
    return digits > 1 or (len(value) >= 20 and value[1:] != value[1:].lower())


def _placeholder(value: str) -> bool:
    return PLACEHOLDER.search(value) is not None or len(set(value)) < 3


def _filler(value: str) -> bool:
    """An issued shape filled up with one letter, or with words that ask for a key."""
    upper = value.upper()
    return any(word in upper for word in _ASKING) or len(set(value[-12:])) < 3
