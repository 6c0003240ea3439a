"""Which characters show nothing or not what they are, by Unicode class: a code each, and its
reason.

Knows one character at a time; whether its neighbours excuse it is for `neighbours` to say.
"""

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

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
# General categories of which every character shows; of two more, all but fillers do.
_SHOWN = frozenset("Lu Ll Lt Lm Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk".split())
_FILLERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SEPARATORS = frozenset("\x0b\x0c\x85\u2028\u2029")
_FEW_KINDS = 50  # of characters
BREAKS = _SEPARATORS | {"\r"}


def places_of(characters: Collection[str], text: str) -> list[int]:
    """Where any of the characters stand; an expression for many of them takes long to compile."""
    if len(characters) > _FEW_KINDS:
        return [at for at, character in enumerate(text) if character in characters]
    any_of_them = re.compile(f"[{''.join(map(re.escape, characters))}]")
    return [match.start() for match in any_of_them.finditer(text)]


def lowered(text: str) -> str:
    """Lower case, each character in its place, without the one letter that becomes two."""
    return text.replace("\u0130", "\0").lower()


def lies_in(character: str, first: int, last: int) -> bool:
    """Whether the code point of `character` is one of `first` to `last`."""
    return first <= ord(character) <= last


@lru_cache(maxsize=1 << 12)
def code_of(character: str) -> str:
    """The code under which a character counts as hidden when its neighbours do not excuse it."""
    if " " <= character <= "~":
        return ""
    category = unicodedata.category(character)
    if category in _SHOWN:
        return ""
    if category in ("Lo", "So"):
        return FILLER if character in _FILLERS else ""
    return _code_by_range(character, ord(character)) or _code_by_category(character, category)


def _code_by_range(character: str, point: int) -> str:
    """The code of a character that its general category alone does not decide; "" for none."""
    if 0xE0000 <= point <= 0xE007F:
        return TAG
    if 0xFE00 <= point <= 0xFE0F or 0xE0100 <= point <= 0xE01EF:
        return SELECTOR
    if 0x202A <= point <= 0x202E or 0x2066 <= point <= 0x2069:
        return BIDI
    if character in "\u200e\u200f\u061c":
        return MARK
    if character in "\u200b\u200c\u200d\u2060\ufeff":
        return ZERO_WIDTH
    if 0xFFF9 <= point <= 0xFFFB:
        return ANNOTATION
    if character in "\u034f\u180b\u180c\u180d\u180f":
        return FORMAT
    if character in _FILLERS:
        return FILLER
    return SEPARATOR if character in _SEPARATORS else ""


def _code_by_category(character: str, category: str) -> str:
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
