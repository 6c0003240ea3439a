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

    def _any(self, words: tuple[str, ...]) -> int:
        found = 0
        for word in words:
            found |= self.at.get(word, 0)
        return found


def can_match(source: str, places: Places) -> bool:
    """False only where the phrase of that source matches nowhere in the view."""
    here = places.all
    for element in source.split():
        here = _past(element, here, places)
        if not here:
            return False
    return True


def _past(element: str, here: int, places: Places) -> int:
    """The places that the element leads to from any of `here`."""
    if element == "^":
        here &= places.begins
        for _ in range(_MOST_LEADS):
            here |= _past_words(LEAD, here, places)
        return here
    if element == "$":
        return here & places.ends
    if element.startswith(".."):
        for _ in range(int(element[2:])):
            here |= here << 1
        return here & places.all
    moved = _past_words(element.rstrip("?"), here, places)
    return here | moved if element.endswith("?") else moved


def _past_words(element: str, here: int, places: Places) -> int:
    choice = _choice(element)
    met = places.all >> 1 if choice.has_shape else 0
    for word in choice.words.intersection(places.at):
        met |= places.at[word]
    moved = (here & met) << 1
    for first in choice.rows.keys() & places.at.keys():
        for row in choice.rows[first]:
            moved |= _past_row(row, here, places)
    return moved


def _past_row(row: tuple[str, ...], here: int, places: Places) -> int:
    """The places behind the words of `row`, each right behind the one before."""
    for word in row:
        here = (here & places.at.get(word, 0)) << 1
    return here


class _Choice(NamedTuple):
    """What one element may be: a word, a row of words by its first one, or anything."""

    words: frozenset[str]
    rows: Mapping[str, list[tuple[str, ...]]]
    has_shape: bool


@cache
def _choice(element: str) -> _Choice:
    texts, shapes = alternatives(element)
    rows: dict[str, list[tuple[str, ...]]] = {}
    for row in (tuple(text.split(" ")) for text in texts if " " in text):
        rows.setdefault(row[0], []).append(row)
    return _Choice(frozenset(text for text in texts if " " not in text), rows, bool(shapes))
