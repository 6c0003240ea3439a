"""Where in a document a sentence stands: under a heading or a line that announces examples of
attacks, or inside a fence.

Such a setting makes of a quotation or of an illustrated marker a mention; of prose it excuses
nothing.
"""

from bisect import bisect_right

from ktw.text.directives.mention import is_quotation, speaks_of_attacks
from ktw.text.hidden import fold
from ktw.text.sentences import fenced_ranges

# Frames that documents illustrate in a fence: a config block, a dialogue.
_ILLUSTRATED = ("F105", "F108")


class Setting:
    """What surrounds the sentences of one text, told sentence by sentence."""

    def __init__(self, text: str) -> None:
        self._fences = fenced_ranges(text)
        self._starts = [start for start, _ in self._fences]
        self._heading = self._lead_in = ""

    def pass_by(self, sentence: str) -> None:
        """Take note of a heading or a line that ends with a colon."""
        if sentence[0] == "#":
            self._heading, self._lead_in = sentence, ""
        elif sentence[-1] == ":":
            self._lead_in = sentence

    def excuses(self, sentence: str, start: int, verdict: tuple[str, str]) -> bool:
        """Whether what directs in `sentence`, which begins at `start`, is an illustration."""
        fenced = self._fenced(start)
        if verdict[0] in _ILLUSTRATED:
            return fenced
        if verdict[0][0] == "F" or not (fenced or is_quotation(sentence)):
            return False
        return any(speaks_of_attacks(fold(line)) for line in (self._heading, self._lead_in) if line)

    def _fenced(self, offset: int) -> bool:
        at = bisect_right(self._starts, offset) - 1
        return at >= 0 and offset < self._fences[at][1]
