"""A text with small parts taken out or replaced, and where what is found in it stands before that.

Knows neither what is taken out nor what is looked for.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator

Piece = tuple[int, int, str]  # start, end, and a word about what stands there
Search = Callable[[str], Iterator[Piece]]


def seen_with(text: str, changes: list[Piece], search: Search) -> Iterator[Piece]:
    """What `search` finds once each of `changes` (start, end, one character or none instead) is
    made, as places in `text`.
    """
    found = list(search(_changed(text, changes)))
    begins, sources = _origins(changes) if found else ([], [])

    def source(place: int) -> int:
        part = bisect_right(begins, place) - 1
        return sources[part] + place - begins[part]

    for start, end, why in found:
        yield source(start), source(end - 1) + 1, why


def _changed(text: str, changes: list[Piece]) -> str:
    if not changes:
        return text
    parts: list[str] = []
    at = 0
    for start, end, instead in changes:
        parts += (text[at:start], instead)
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _origins(changes: list[Piece]) -> tuple[list[int], list[int]]:
    """Where each part of a changed text begins in it, and where in the text before."""
    begins, sources = [0], [0]
    at = length = 0
    for start, end, instead in changes:
        length += start - at
        if instead:
            begins.append(length)
            sources.append(start)
            length += 1
        begins.append(length)
        sources.append(end)
        at = end
    return begins, sources
