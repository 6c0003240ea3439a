"""Rewrite what imitates a frame's markers, so that no text can seem to open or close one.

Pure. Brackets are recognised by what they look like, in any script, also spread or as entities.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache
from itertools import accumulate

from ktw.text.hidden import fold, strip_hidden
from ktw.text.lookalikes import LOOKALIKES

_NAMES = (
    "LESS-THAN",
    "GREATER-THAN",
    "ANGLE BRACKET",
    "ANGLE QUOTATION",
    "PRECEDES",
    "SUCCEEDS",
    "ARROWHEAD",
    "RIGHT-POINTING",
    "LEFT-POINTING",
    "CHEVRON",
)
# What looks like a bracket and is not called one.
_BESIDES = frozenset(
    "\u02c2\u02c3\u02ef\u02f1\u02f2\u1405\u140a\u1427\u142f\u1433\u1438\u1450\u1454\u1455\u1495"
    "\u15d2\u15d5\u16b2\u22b2\u22b3\u2307\u25b6\u25b7\u25b8\u25b9\u25ba\u25bb\u25c0\u25c1\u25c2"
    "\u25c3\u25c4\u25c5\u27a2\u27a3\u27a4\u2a20\u2b9c\u2b9e\U00016f3f\U0001d236\U0001d237"
)
_ENTITY = (
    r"&(?:amp;){0,3}(?:[lg]t|[lr](?:ang(?:le)?|aquo|saquo)|\#0{0,6}6[02]|\#x0{0,6}3[ce]);?"
    r"|\\(?:u00|x)3[ce]|%3[ce]"
)
_RUN = 3
_DOT = "\u00b7"
_WORDS = ("untrustedmemory", "datanotinstructions")
_PHRASE = re.compile("|".join(r"[\W_]*+".join(words) for words in _WORDS))
_REWRITTEN = "[words of a frame marker]"


def rewrite_imitations(text: str) -> str:
    """`text` with bracket runs and marker phrases replaced visibly; anything else untouched."""
    return "\n".join(_rewrite_phrases(line) for line in rewrite_runs(text).split("\n"))


def rewrite_runs(text: str) -> str:
    """Every run of three or more brackets, what stands invisibly between them aside, as dots."""
    characters = set(text)
    brackets = _class(char for char in characters if _is_bracket(char))
    between = _class(char for char in characters if _is_nothing(char))
    unit = re.compile(f"{brackets}|{_ENTITY}", re.IGNORECASE)
    run = re.compile(f"(?:{unit.pattern})(?:{between}*+(?:{unit.pattern}))*", re.IGNORECASE)
    return run.sub(lambda found: _dotted(unit, found[0]), text)


def _class(characters: Iterable[str]) -> str:
    """A pattern for one of the characters; one that never matches where there are none."""
    escaped = "".join(map(re.escape, sorted(characters)))
    return f"[{escaped}]" if escaped else r"[^\s\S]"


def _dotted(unit: re.Pattern[str], run: str) -> str:
    """A run with its brackets as dots, where they show three or more."""
    if sum(_width(found[0]) for found in unit.finditer(run)) < _RUN:
        return run
    return unit.sub(_DOT, run)


@cache
def _is_bracket(char: str) -> bool:
    if char in "<>" or char in _BESIDES:
        return True
    if char.isascii():
        return False
    folded = unicodedata.normalize("NFKC", char) + LOOKALIKES.get(char, "")
    name = unicodedata.name(char, "")
    return "<" in folded or ">" in folded or any(part in name for part in _NAMES)


@cache
def _is_nothing(char: str) -> bool:
    """A blank, a mark on the character before, or nothing that shows; but no line break."""
    if char == "\n" or _is_bracket(char):
        return False
    return unicodedata.category(char) in ("Mn", "Me") or not strip_hidden(char).strip()


@cache
def _width(unit: str) -> int:
    """How many brackets a character (or an entity) shows."""
    if len(unit) > 1:
        return 2 if "aquo" in unit.lower() and "saquo" not in unit.lower() else 1
    name = unicodedata.name(unit, "")
    if "TRIPLE" in name or "VERY MUCH" in name:
        return 3
    return 2 if "DOUBLE" in name or "MUCH" in name or unit == "\u2a20" else 1


def _rewrite_phrases(line: str) -> str:
    """The words of our markers, however they are spelled or spread, as a note."""
    folded = fold(line)
    if not _PHRASE.search(folded):
        return line
    pieces = [fold(char) for char in line]
    if "".join(pieces) != folded:  # a terminal escape, which folds as a whole
        return _PHRASE.sub(_REWRITTEN, folded)
    ends = list(accumulate(map(len, pieces)))
    kept, at = [], 0
    for found in _PHRASE.finditer(folded):
        kept += [line[at : bisect_right(ends, found.start())], _REWRITTEN]
        at = bisect_left(ends, found.end()) + 1
    return "".join([*kept, line[at:]])
