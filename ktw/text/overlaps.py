"""Spans of two origins in one text, told as one list. Knows nothing of what they say."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ktw.text import Span


def with_apart(spans: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """All spans in order, but for those of `others` that overlap one of `spans`."""
    known = sorted(spans, key=_place)
    starts = [span.start for span in known]
    ends: Sequence[int] = [0, *accumulate((span.end for span in known), max)]  # of the first few
    apart = [other for other in others if ends[bisect_left(starts, other.end)] <= other.start]
    return sorted([*known, *apart], key=_place)


def _place(span: Span) -> tuple[int, int]:
    return span.start, span.end
