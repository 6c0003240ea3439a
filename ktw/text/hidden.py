"""Characters that a reader does not see: found, stripped, shown, folded.

Knows characters and what stands beside them; what a text says once it is visible is for
`directives` to judge.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from ktw.text import Span
from ktw.text.characters import (
    BLANK,
    BREAKS,
    CONTROL,
    FILLER,
    PRIVATE,
    WHY,
    code_of,
    lies_in,
    places_of,
)
from ktw.text.late import late
from ktw.text.lookalikes import LOOKALIKES, latin_letter
from ktw.text.neighbours import FEW, carriers, excused, may_be_excused, may_carry

# Terminal control sequences: the printable tail belongs to the escape, a terminal shows none of it.
_ESCAPE = late(r"(?:\x1b\[|\x9b)[0-?]{0,32}[ -/]{0,4}[@-~]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
# The flags that are drawn (England, Scotland, Wales, Texas, California); any other tags show as a
# plain black flag, and what they spell is hidden.
_FLAG = late(
    "\U0001f3f4(?:"
    + "|".join(
        "".join(chr(0xE0000 + ord(letter)) for letter in region)
        for region in ("gbeng", "gbsct", "gbwls", "ustx", "usca")
    )
    + ")\U000e007f"
)
_SPELLS = late("[\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef]")
_BYTE, _TAG = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]", "[\U000e0020-\U000e007f]"
# Four or more characters that spell, up to three others between two of them.
_BYTES, _TAGS = (late(f"{sign}(?:[^\\n{sign[1:-1]}]{{0,3}}{sign}){{3,}}") for sign in (_BYTE, _TAG))

Run = tuple[int, int, str]  # start, end, code


def _hidden(text: str) -> dict[int, str]:
    """The code of each hidden character, by its index, in any order. Linear in the text."""
    if text.isascii() and not _CONTROLS.search(text):
        return {}
    suspects = {character: code for character in set(text) if (code := code_of(character))}
    if not suspects:
        return {}
    places = places_of(suspects, text)
    codes: dict[int, str] = {}
    if "\x1b" in suspects or "\x9b" in suspects:
        codes = {at: CONTROL for at, covered in enumerate(_covered(_ESCAPE, text)) if covered}
        places = [at for at in places if at not in codes]
    if "\U000e007f" in suspects:
        flags = _covered(_FLAG, text)
        places = [at for at in places if not flags[at]]
    if text[0] == "\ufeff":
        del places[0]  # a byte order mark there, not a joiner
    sure = {one: code for one, code in suspects.items() if not may_be_excused(one, code)}
    codes.update((at, sure[text[at]]) for at in places if text[at] in sure)
    in_place: list[int] = []
    for at in [at for at in places if text[at] not in sure]:
        code = suspects[text[at]]
        if not excused(text, at, code, at - 1 not in codes):
            codes[at] = code
        elif may_carry(text[at]):
            in_place.append(at)
    if len(in_place) >= FEW:
        codes.update((at, suspects[text[at]]) for at in _misused(text, codes, in_place))
    return codes


def _misused(text: str, codes: dict[int, str], in_place: list[int]) -> Iterator[int]:
    """Indices of excused characters that spell something, in the text as it will be stripped."""
    gone = sorted(codes)
    bare = "".join(text[a + 1 : b] for a, b in pairwise((-1, *gone, len(text))))
    placed = {at - bisect_left(gone, at): at for at in in_place}
    yield from map(placed.__getitem__, carriers(bare, placed))


def _covered(pattern: re.Pattern[str], text: str) -> bytearray:
    """For each index of the text 1 where the pattern matches, else 0."""
    marks = bytearray(len(text))
    for match in pattern.finditer(text):
        marks[match.start() : match.end()] = b"\x01" * len(match[0])
    return marks


def find_hidden(text: str) -> list[Span]:
    """Runs of hidden characters, in order, each with a code H101 or up and never overlapping.

    Those that `is_mild` says hide nothing; they only defeat matching.
    """
    return list(map(as_span, hidden_runs(text)))


@lru_cache(maxsize=2)  # the rules of hidden text and of secrets ask one after the other
def hidden_runs(text: str) -> Sequence[Run]:
    """As `find_hidden`, as bare (start, end, code): half of a text may be hidden."""
    found: list[Run] = []
    start = end = -1
    run = ""
    codes = _hidden(text)
    places = sorted(codes)
    in_order = list(map(codes.__getitem__, places))
    del codes  # it takes as much memory as what is found
    for at, code in zip(places, in_order, strict=True):
        if at == end and code == run:
            end += 1
            continue
        if run:
            found.append((start, end, run))
        start, end, run = at, at + 1, code
    if run:
        found.append((start, end, run))
    return found


def as_span(run: Run) -> Span:
    return Span(*run, WHY[run[2]])


def is_mild(start: int, end: int, code: str) -> bool:
    """Whether a hidden run shows: a blank that is not a space, one private sign."""
    return code == BLANK or (code == PRIVATE and end - start < 4)


def _replace(text: str, shown: dict[int, str]) -> str:
    return "".join(shown.get(at, c) for at, c in enumerate(text)) if shown else text


def strip_hidden(text: str) -> str:
    """The text as a reader sees it: what draws nothing is gone, blanks are spaces, breaks newlines.

    Idempotent.
    """
    shown: dict[int, str] = {}
    for at, code in _hidden(text).items():
        if text[at] in BREAKS:
            shown[at] = "\n"
        else:
            shown[at] = " " if code in (FILLER, BLANK) else ""
    return _replace(text, shown).removeprefix("\ufeff")


def show_hidden(text: str) -> str:
    """The text with each hidden character written as `<U+202E>`, for a person who reviews it."""
    return _replace(text, {at: f"<U+{ord(text[at]):04X}>" for at in _hidden(text)})


class _Folds(dict[int, str]):
    """What each code point folds to, computed when first met. For `str.translate`."""

    def __missing__(self, point: int) -> str:
        folded = _fold_character(chr(point))
        self[point] = folded
        return folded


def _fold_character(character: str) -> str:
    if character in BREAKS:
        return "\n"
    code = code_of(character)
    if code:
        return " " if code in (FILLER, BLANK) else ""
    if character in LOOKALIKES:
        return LOOKALIKES[character]
    if lies_in(character, 0xAC00, 0xD7A3):
        return character  # Hangul would fall apart into letters that no pattern spells
    letter = latin_letter(character)
    if letter:
        return letter
    return "".join(map(_plain, unicodedata.normalize("NFKD", character)))


def _plain(character: str) -> str:
    """One character of a compatibility decomposition, folded; "" for a mark on or around it."""
    if character in LOOKALIKES:
        return LOOKALIKES[character]
    if unicodedata.combining(character) or unicodedata.category(character) == "Me":
        return ""
    if character.isspace() and character != "\n":
        return " "
    lower = unicodedata.normalize("NFKD", character.casefold())
    return "".join(
        LOOKALIKES.get(c) or latin_letter(c) or c for c in lower if not unicodedata.combining(c)
    )


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
    if text.isascii() or not _SPELLS.search(text):
        return []
    runs = [(*m.span(), "".join(map(_tagged, m[0]))) for m in _TAGS.finditer(text)]
    for m in _BYTES.finditer(text):
        raw = bytes(byte for c in m[0] if (byte := _selected(ord(c))) >= 0)
        runs.append((*m.span(), raw.decode("utf-8", "replace")))
    return sorted(runs)


def _tagged(character: str) -> str:
    return chr(ord(character) - 0xE0000) if lies_in(character, 0xE0020, 0xE007E) else ""


def _selected(point: int) -> int:
    """The byte that a variation selector stands for when selectors spell; -1 for other points."""
    if 0xFE00 <= point <= 0xFE0F:
        return point - 0xFE00
    return point - 0xE0100 + 16 if 0xE0100 <= point <= 0xE01EF else -1
