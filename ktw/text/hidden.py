"""Characters that a reader does not see: found by Unicode class and sequence, stripped, shown,
folded.

Knows characters only; what a text says once it is visible is for `directives` to judge.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from ktw.text import Span
from ktw.text.lookalikes import LOOKALIKES

TAG = "H101"
BIDI = "H102"
MARK = "H103"
ZERO_WIDTH = "H104"
FORMAT = "H105"
SELECTOR = "H106"
FILLER = "H107"
ANNOTATION = "H108"
PRIVATE = "H109"
SEPARATOR = "H110"
CONTROL = "H111"
NO_CHARACTER = "H112"
BLANK = "H120"

WHY = {
    TAG: "tag characters outside a flag",
    BIDI: "a bidirectional control reorders what is read",
    MARK: "an invisible direction mark",
    ZERO_WIDTH: "zero-width characters",
    FORMAT: "an invisible format character",
    SELECTOR: "variation selectors that select nothing",
    FILLER: "a filler that renders as a blank",
    ANNOTATION: "interlinear annotation marks",
    PRIVATE: "private-use characters, which mean what a font says",
    SEPARATOR: "a line break that is not a newline",
    CONTROL: "a control character",
    NO_CHARACTER: "a code point that is no character",
    BLANK: "a blank that is not a space",
}

# Cf characters that do draw something: Arabic and Kaithi number signs, Syriac abbreviation mark.
_DRAWN = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_FILLERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SEPARATORS = frozenset("\x0b\x0c\x85\u2028\u2029")
_BREAKS = _SEPARATORS | {"\r"}
# Terminal control sequences: the printable tail belongs to the escape, a terminal shows none of it.
_ESCAPE = re.compile(r"(?:\x1b\[|\x9b)[0-?]{0,32}[ -/]{0,4}[@-~]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_BYTES = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_TAGS = re.compile("[\U000e0020-\U000e007f]{4,}")
# Emoji that Unicode does not class as "other symbol".
_EMOJI_BESIDES = frozenset("\u00a9\u00ae\u203c\u2049\u2194\u21aa\u25fd\u25fe\u3030\u303d\u20e3")


def _in(character: str, first: int, last: int) -> bool:
    return first <= ord(character) <= last


def _code_by_range(character: str) -> str:
    """The code of a character that its general category alone does not decide; "" for none."""
    if _in(character, 0xE0000, 0xE007F):
        return TAG
    if _in(character, 0xFE00, 0xFE0F) or _in(character, 0xE0100, 0xE01EF):
        return SELECTOR
    if _in(character, 0x202A, 0x202E) or _in(character, 0x2066, 0x2069):
        return BIDI
    if character in "\u200e\u200f\u061c":
        return MARK
    if character in "\u200b\u200c\u200d\u2060\ufeff":
        return ZERO_WIDTH
    if _in(character, 0xFFF9, 0xFFFB):
        return ANNOTATION
    if character in "\u034f\u180b\u180c\u180d\u180f":
        return FORMAT
    if character in _FILLERS:
        return FILLER
    return SEPARATOR if character in _SEPARATORS else ""


def _code_by_category(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return "" if character in _DRAWN else FORMAT
    if category == "Cc":
        return "" if character in "\t\n" else CONTROL
    if category == "Co":
        return PRIVATE
    if category == "Cs":
        return NO_CHARACTER
    if category == "Zs":
        return "" if character == " " else BLANK
    return NO_CHARACTER if category == "Cn" and _never_drawn(ord(character)) else ""


def _never_drawn(point: int) -> bool:
    """Unassigned points that Unicode reserves as default-ignorable, and the noncharacters."""
    return (
        point == 0x2065
        or 0xFFF0 <= point <= 0xFFF8
        or 0xE0000 <= point <= 0xE0FFF
        or 0xFDD0 <= point <= 0xFDEF
        or point & 0xFFFE == 0xFFFE
    )


def _code(character: str) -> str:
    """The code under which a character counts as hidden when its neighbours do not excuse it."""
    if " " <= character <= "~":
        return ""
    return _code_by_range(character) or _code_by_category(character)


def _draws_emoji(character: str) -> bool:
    return (
        unicodedata.category(character) == "So"
        or character in _EMOJI_BESIDES
        or _in(character, 0x1F300, 0x1FAFF)
        or _in(character, 0x2190, 0x21FF)
        or _in(character, 0x25A0, 0x27BF)
    ) and character != "\u2800"


def _script(character: str, *names: str) -> bool:
    return unicodedata.name(character, "").startswith(names)


def _joins(text: str, at: int, kept: bool) -> bool:
    """Whether the joiner at `at` shapes its neighbours: emoji, Arabic or Indic script."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before or not after:
        return False
    if unicodedata.combining(before) == 9:  # a virama, before a letter
        return after.isalpha()
    if text[at] == "\u200c":
        arabic = ("ARABIC LETTER", "ARABIC FATHA", "ARABIC KASRA", "ARABIC DAMMA", "ARABIC SHADDA")
        return _script(before, *arabic) and _script(after, *arabic)
    selected = before == "\ufe0f" and kept
    return (selected or _draws_emoji(before)) and _draws_emoji(after)


def _selects(text: str, at: int) -> bool:
    """Whether the selector at `at` chooses an emoji's text or emoji form."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] not in "\ufe0e\ufe0f" or not before:
        return False
    return _draws_emoji(before) or (before in "0123456789#*" and after == "\u20e3")


def _wide(character: str) -> bool:
    return _in(character, 0x2E80, 0x9FFF) or _in(character, 0xFF00, 0xFFEF)


def _blank_in_place(text: str, at: int) -> bool:
    """Blanks that typography asks for: ideographic in CJK, no-break by French marks and digits."""
    around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
    if text[at] == "\u3000":
        return any(not _code(c) and _wide(c) for c in around)
    if text[at] in "\u00a0\u202f\u2009":
        return any(c in "\u00ab\u00bb:;!?%\u20ac$\u00a7\u2013\u2014" or c.isdigit() for c in around)
    return False


def _excused(text: str, at: int, code: str, kept: bool) -> bool:
    """Whether the neighbours make this character legitimate. `kept`: the one before was kept."""
    character = text[at]
    if character in "\u200c\u200d":
        return _joins(text, at, kept)
    if code == SELECTOR:
        return _selects(text, at)
    if character == "\r":
        return text[at + 1 : at + 2] == "\n"
    if character == "\u2800":
        around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
        return len(around) == 2 and all(_in(c, 0x2801, 0x28FF) for c in around)
    if character in "\u180b\u180c\u180d\u180f\u180e":
        return _script(text[at - 1 : at] or " ", "MONGOLIAN LETTER")
    return code == BLANK and _blank_in_place(text, at)


def _hidden(text: str) -> Iterator[tuple[int, str]]:
    """(index, code) of each hidden character, in order. Linear in the text."""
    suspects = {character: code for character in set(text) if (code := _code(character))}
    if not suspects:
        return
    first = int(text.startswith("\ufeff"))  # a byte order mark there, not a joiner
    flags = _covered(_FLAG, text) if "\U000e007f" in suspects else frozenset()
    escapes = _covered(_ESCAPE, text) if "\x1b" in suspects or "\x9b" in suspects else frozenset()
    last = -1
    for at, character in enumerate(text):
        code = CONTROL if at in escapes else suspects.get(character, "")
        if not code or at < first or at in flags:
            continue
        if at not in escapes and _excused(text, at, code, last != at - 1):
            continue
        last = at
        yield at, code


def _covered(pattern: re.Pattern[str], text: str) -> frozenset[int]:
    return frozenset(at for m in pattern.finditer(text) for at in range(m.start(), m.end()))


def find_hidden(text: str) -> list[Span]:
    """Runs of hidden characters, in order, each with a code H101 or up and never overlapping.

    H120 (a blank that is not a space) is the mild one: it hides nothing, it only defeats matching.
    """
    found: list[Span] = []
    # Neighbours of one code share `index - rank`, so each run of them is one group.
    ranked = enumerate(_hidden(text))
    for (_, code), run in groupby(ranked, key=lambda item: (item[1][0] - item[0], item[1][1])):
        indices = [at for _, (at, _) in run]
        found.append(Span(indices[0], indices[-1] + 1, code, WHY[code]))
    return found


def _replace(text: str, shown: dict[int, str]) -> str:
    return "".join(shown.get(at, c) for at, c in enumerate(text)) if shown else text


def strip_hidden(text: str) -> str:
    """The text as a reader sees it: what draws nothing is gone, blanks are spaces, breaks newlines.

    Idempotent.
    """
    shown: dict[int, str] = {}
    for at, code in _hidden(text):
        if text[at] in _BREAKS:
            shown[at] = "\n"
        else:
            shown[at] = " " if code in (FILLER, BLANK) else ""
    return _replace(text, shown).removeprefix("\ufeff")


def show_hidden(text: str) -> str:
    """The text with each hidden character written as `<U+202E>`, for a person who reviews it."""
    return _replace(text, {at: f"<U+{ord(text[at]):04X}>" for at, _ in _hidden(text)})


class _Folds(dict[int, str]):
    """What each code point folds to, computed when first met. For `str.translate`."""

    def __missing__(self, point: int) -> str:
        folded = _fold_character(chr(point))
        self[point] = folded
        return folded


def _fold_character(character: str) -> str:
    if character in _BREAKS:
        return "\n"
    code = _code(character)
    if code:
        return " " if code in (FILLER, BLANK) else ""
    if character in LOOKALIKES:
        return LOOKALIKES[character]
    if _in(character, 0xAC00, 0xD7A3):
        return character  # Hangul would fall apart into letters that no pattern spells
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    bare = "".join(c for c in parts if not unicodedata.combining(c))
    return "".join(" " if c.isspace() and c != "\n" else LOOKALIKES.get(c, c) for c in bare)


_FOLDS = _Folds({9: "\t", 10: "\n"})


def fold(text: str) -> str:
    """The text for MATCHING only: hidden characters gone, accents gone, look-alikes as ASCII, lower
    case.

    Works on each character alone (terminal escapes aside), so folding piece by piece changes
    nothing. Patterns in other scripts have to be folded too before they are compared with it.
    """
    if text.isascii() and not _CONTROLS.search(text):
        return text.lower()
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPE.sub("", text)
    return text.translate(_FOLDS)


def smuggled(text: str) -> list[tuple[int, int, str]]:
    """(start, end, decoded) of runs that spell invisibly: tag characters, selectors as bytes."""
    if text.isascii():
        return []
    runs = [
        (m.start(), m.end(), "".join(chr(ord(c) - 0xE0000) for c in m[0] if c < "\U000e007f"))
        for m in _TAGS.finditer(text)
    ]
    for m in _BYTES.finditer(text):
        raw = bytes(ord(c) - 0xFE00 if c < "\uffff" else ord(c) - 0xE0100 + 16 for c in m[0])
        runs.append((m.start(), m.end(), raw.decode("utf-8", "replace")))
    return sorted(runs)
