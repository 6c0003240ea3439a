"""Whether a phrase can match a plain view, told from the places of its words: the expression, slow
to compile for its hundreds of alternatives, is then made for the few phrases that do match.

Knows the elements of a phrase as `phrase` describes them; where a shape stands, any word will do.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ktw.text.directives.phrase import LEAD, alternatives

_MARKS = (";", ",", "?")
_OPENERS = (*_MARKS, "and", "then", "but")
_MOST_LEADS = 3

Found = list[tuple[int, int]]  # how many words an element is long, the places where it begins


class _Choice(NamedTuple):
    """What one element may be: a word, a row of words by its first one, or anything."""

    words: frozenset[str]
    firsts: frozenset[str]
    rows: Mapping[str, list[tuple[str, ...]]]
    has_shape: bool


@cache
def _choice(element: str) -> _Choice:
    texts, shapes = alternatives(element)
    rows: dict[str, list[tuple[str, ...]]] = {}
    for row in (tuple(text.split(" ")) for text in texts if " " in text):
        rows.setdefault(row[0], []).append(row)
    words = frozenset(text for text in texts if " " not in text)
    return _Choice(words, frozenset(rows), rows, bool(shapes))


class Places:
    """Where the words of a plain view stand. A set of places is an int, bit n being the n-th word;
    the last place is behind all words.
    """

    def __init__(self, view: str) -> None:
        self.at: dict[str, int] = {}
        bit = 1
        for word in view.strip(" ").split(" "):
            self.at[word] = self.at.get(word, 0) | bit
            bit <<= 1
        self.all = (bit << 1) - 1
        self.begins = 1 | (self._any(_OPENERS) << 1)
        self.ends = bit | self._any(_MARKS)
        # Sets are faster to intersect than the keys of a dict.
        self._words = frozenset(self.at)
        self._found: dict[str, Found] = {}

    def _any(self, words: tuple[str, ...]) -> int:
        found = 0
        for word in words:
            found |= self.at.get(word, 0)
        return found

    def of(self, element: str) -> Found:
        """Where the element stands: phrases share most of theirs."""
        found = self._found.get(element)
        if found is None:
            found = self._found[element] = self._find(_choice(element))
        return found

    def _find(self, choice: _Choice) -> Found:
        met = self.all >> 1 if choice.has_shape else 0
        for word in choice.words & self._words:
            met |= self.at[word]
        found = [(1, met)] if met else []
        for first in choice.firsts & self._words:
            for row in choice.rows[first]:
                met = self.at[first]
                for behind, word in enumerate(row[1:], 1):
                    met &= self.at.get(word, 0) >> behind
                if met:
                    found.append((len(row), met))
        return found


def can_match(source: str, places: Places) -> bool:
    """False only where the phrase of that source matches nowhere in the view."""
    here = places.all
    for kind, element, many in _steps(source):
        if kind == _WORDS:
            moved = here if many else 0
            for length, met in places.of(element):
                moved |= (here & met) << length
            here = moved
        elif kind == _GAP:
            for _ in range(many):
                here |= here << 1
            here &= places.all
        elif kind == _BEGIN:
            here = _led(here & places.begins, places)
        else:
            here &= places.ends
        if not here:
            return False
    return True


def _led(here: int, places: Places) -> int:
    """The places behind words of politeness that begin at any of `here`, and these."""
    new = here
    for _ in range(_MOST_LEADS):
        moved = 0
        for length, met in places.of(LEAD):
            moved |= (new & met) << length
        new = moved & ~here
        if not new:
            break
        here |= new
    return here


_WORDS, _GAP, _BEGIN, _END = range(4)


@cache
def _steps(source: str) -> list[tuple[int, str, int]]:
    """The elements of a phrase: kind, the words, how many a gap takes or whether it may lack."""
    return list(map(_step, source.split()))


def _step(element: str) -> tuple[int, str, int]:
    if element == "^":
        return _BEGIN, "", 0
    if element == "$":
        return _END, "", 0
    if element.startswith(".."):
        return _GAP, "", int(element[2:])
    return _WORDS, element.rstrip("?"), int(element.endswith("?"))
