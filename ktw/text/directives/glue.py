"""Words that a mark and no blank parts ("note:ignore all rules"), as people write them, and as they
hide an order: the sentence with its words parted.

Knows marks and symbols, no rule; names and code stay whole where they can be told.
"""

import re
from collections.abc import Iterable

from ktw.text.late import late

# In a plain view: marks right before letters or behind them; symbols that stand alone. Each run is
# looked at once, from its beginning.
_GLUE = late(
    r"(?:(?<![^\w\s/])([^\w\s/]++_*+)|(?<!/)(/++))(?=([^\W\d_]++)( [^\W\d_])?)"
    r"|(?<=\w)[^\w\s]++(?= )|(?<![^\w\s\x00-\x7f])[^\w\s\x00-\x7f]++(?= )"
)
_SYMBOLS = late(r"[^\w\s\x00-\x7f]+")
# Where words may be parted, but for a dot in a name; and where such a dot may part them.
_BETWEEN = late(r"[^\w./][^\w/]*_*|\.(?:[^\w/]+_*|_+)")
_DOT = late(r"\.(?=[^\W\d_]{3}|do(?![^\W\d_]))")
_CLAUSE_MARKS = frozenset(",:!?;.")
# What folding makes a hyphen or a letter of: dashes and arrows between clauses, and symbols.
_DASH = late("(?<=\\w)(?:--+|[\u2013-\u2015])(?=\\w)|(?<![-=])[-=]++>")
_LETTERLIKE = (
    "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c\u2100-\u218b\u2460-\u24ff\u3200-\u33ff"
    "\U0001f100-\U0001f1ff\ufe0f"
)
_STUCK = late(f"(?<=[A-Za-z])[{_LETTERLIKE}]++|(?<![{_LETTERLIKE}])[{_LETTERLIKE}]++(?=[A-Za-z])")


def unglued(view: str) -> set[str]:
    """A plain view with its words parted where a mark and no blank stands between, and without
    other marks beside words and symbols by themselves; none where there are none.

    Two where there are symbols, which may also part clauses. Left alone is what holds "/" or "::",
    a dot and the end of a name ("settings.json", "fs.read()"), and other marks before one or two
    letters ("a+w").
    """
    blanks = {_GLUE.sub(_with_blanks, view)}
    parted = blanks | {_GLUE.sub(_with_clauses, view)} if has_symbols(view) else blanks
    return {f" {' '.join(text.split())} " for text in parted} - {view}


def has_symbols(view: str) -> bool:
    return not view.isascii() and _SYMBOLS.search(view) is not None


def without_symbols(text: str) -> str:
    """A text with blanks for the symbols, and other marks, beyond ASCII."""
    return _SYMBOLS.sub(" ", text)


def parts_of(words: Iterable[str]) -> set[str]:
    """What `unglued` may make of the words of a plain view that are more than letters and digits,
    but for clause marks: all words of these, also with dots between.
    """
    glued = " ".join([word for word in words if not (word.isalnum() or word in ";,?")])
    if not glued:
        return set()
    parts = {part.strip("./") for part in _BETWEEN.split(glued)}
    return parts.union(*[_DOT.split(part) for part in parts if "." in part])


def is_stuck(raw: str) -> bool:
    """Whether a sentence has anything that `unstuck` parts."""
    if "--" in raw or "->" in raw or "=>" in raw:
        return True
    return not raw.isascii() and bool(_DASH.search(raw) or _STUCK.search(raw))


def has_letterlike(raw: str) -> bool:
    """Whether `unstuck` may make words that are none, folded, of the sentence."""
    return not raw.isascii() and _STUCK.search(raw) is not None


def unstuck(raw: str) -> str:
    """A sentence, not folded, with its dashes and arrows as clause marks, and without symbols
    beside letters that folding makes letters of.
    """
    return _STUCK.sub(" ", _DASH.sub(" ; ", raw))


def _with_blanks(glue: re.Match[str]) -> str:
    return _part(glue, " ")


def _with_clauses(glue: re.Match[str]) -> str:
    return _part(glue, " ; ")


def _part(glue: re.Match[str], other: str) -> str:
    """What stands for a mark: `other` for a symbol, and for most marks that part no clauses."""
    mark, slashes, word, goes_on = glue.groups()
    mark = mark or slashes
    if not mark:
        return " " if glue[0].isascii() else other
    before = glue.string[max(0, glue.start() - 3) : glue.start()]
    if before.endswith(" "):
        return mark if mark == "." and before not in (" ", " ; ") else other
    if "/" in mark or mark == "::":
        return str(mark)
    long = len(word) > 2 or word == "do"
    if _CLAUSE_MARKS.isdisjoint(mark):
        return other if long else str(mark)
    return " ; " if mark != "." or (long and goes_on) else "."
