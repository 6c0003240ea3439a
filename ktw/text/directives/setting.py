"""Where in a document a sentence stands: under a heading or a line that announces examples of
attacks, or inside a fence.

Such a setting makes of a quotation or of an illustrated marker a mention; of prose it excuses
nothing.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from ktw.text.directives.mention import is_quotation, speaks_of_attacks
from ktw.text.hidden import fold
from ktw.text.sentences import Bounds, fenced_ranges

# Frames that documents illustrate in a fence: a config block, a dialogue.
_ILLUSTRATED = ("F105", "F108")


class Setting:
    """What surrounds the sentences of one text, which are given in order."""

    def __init__(self, text: str, sentences: Sequence[Bounds]) -> None:
        self._text, self._sentences = text, sentences

    def excuses(self, start: int, end: int, verdict: tuple[str, str]) -> bool:
        """Whether what directs in a sentence is an illustration."""
        fenced = self._fenced(start)
        if verdict[0] in _ILLUSTRATED:
            return fenced
        if verdict[0][0] == "F" or not (fenced or is_quotation(self._text[start:end])):
            return False
        return any(speaks_of_attacks(fold(line)) for line in self._led_by(start))

    def _led_by(self, offset: int) -> Iterator[str]:
        """The heading at or before an offset, and the last line since that ends with a colon."""
        heading, lead_in = _last(self._headings, offset), _last(self._lead_ins, offset)
        for start, end in (heading, lead_in) if lead_in > heading else (heading,):
            yield self._text[start:end]

    @cached_property
    def _headings(self) -> list[Bounds]:
        return [bounds for bounds in self._sentences if self._text[bounds[0]] == "#"]

    @cached_property
    def _lead_ins(self) -> list[Bounds]:
        return [
            (start, end)
            for start, end in self._sentences
            if self._text[end - 1] == ":" and self._text[start] != "#"
        ]

    @cached_property
    def _fences(self) -> Sequence[Bounds]:
        return fenced_ranges(self._text)

    def _fenced(self, offset: int) -> bool:
        return offset < _last(self._fences, offset)[1]


def _last(lines: Sequence[Bounds], offset: int) -> Bounds:
    """The last of some lines, given in order, that begins no later; an empty one if none does."""
    at = bisect_right(lines, (offset, sys.maxsize))
    return lines[at - 1] if at else (0, 0)
