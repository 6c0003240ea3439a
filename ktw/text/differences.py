"""What changed between two texts, word by word, as lines of marked pieces. Pure text.

Line by line first (only lines that differ are compared in words), so that a long text with one
changed word costs little.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

Mark = Literal["same", "removed", "added"]

MAX_CHARACTERS = 40_000
_CONTEXT = 2
_MOST_PAIRS = 1_000_000  # of words in one line: comparing them grows with their product
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


class Piece(NamedTuple):
    """A run of text and whether both versions hold it."""

    mark: Mark
    text: str


Line = Sequence[Piece]


def word_differences(old: str, new: str) -> list[Line] | None:
    """The lines that differ, each as pieces, with two unchanged lines around them.

    Empty where the texts are the same; None where they are too long to be compared. An empty line
    of pieces stands for what was left out.
    """
    if len(old) + len(new) > MAX_CHARACTERS:
        return None
    before, after = old.split("\n"), new.split("\n")
    matcher = SequenceMatcher(None, before, after)
    lines: list[Line] = []
    for at, group in enumerate(matcher.get_grouped_opcodes(_CONTEXT)):
        if at:
            lines.append(())
        for _, old_start, old_end, new_start, new_end in group:
            lines += _hunk(before[old_start:old_end], after[new_start:new_end])
    return lines


def _hunk(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    """Line against line where both sides have as many; otherwise what went, then what came."""
    if old == new:
        yield from ([Piece("same", line)] for line in old)
    elif len(old) == len(new):
        yield from (list(_words(one, other)) for one, other in zip(old, new, strict=True))
    else:
        yield from ([Piece("removed", line)] for line in old)
        yield from ([Piece("added", line)] for line in new)


def _words(old: str, new: str) -> Iterator[Piece]:
    before, after = _WORD.findall(old), _WORD.findall(new)
    if len(before) * len(after) > _MOST_PAIRS:
        before, after = [old], [new]
    matcher = SequenceMatcher(None, before, after)
    for action, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if action == "equal":
            yield Piece("same", "".join(before[old_start:old_end]))
            continue
        if old_end > old_start:
            yield Piece("removed", "".join(before[old_start:old_end]))
        if new_end > new_start:
            yield Piece("added", "".join(after[new_start:new_end]))
