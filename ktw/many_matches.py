"""What `ktw.softmatch` gives, where much is matched: its arithmetic in the same order, by NumPy.

Pure over numbers; knows no text and no embedder. Importing it imports NumPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ktw.token_lists import END, Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH_TOKENS, _BATCH_TERMS = 1 << 17, 64  # bound what is worked on at once


def sums(
    known: Sequence[int],
    rows: bytes,
    vectors: Sequence[Sequence[int]],
    idf: Sequence[float],
    held: Sequence[Sequence[bool]],
    lists: Lists,
) -> Iterator[tuple[int, float, float]]:
    """Row number and the two scores of `ktw.softmatch.matches` for each list of tokens.

    `known`: their tokens in ascending order, `rows` these tokens' signed bytes; a vector, an idf
    and whether each list holds it, in the order of `lists`, for every term.
    """
    signed = np.frombuffer(rows, dtype=np.int8).reshape(len(known), len(vectors[0]))
    matrix = signed.astype(np.float64)
    batches = [_Batch(known, part, at) for at, part in _parts(lists)]
    for at, nearness in enumerate(_near(matrix, vectors)):
        for batch in batches:
            batch.add(nearness, idf[at], held[at])
    scores = (scores for batch in batches for scores in batch.scores())
    return ((number, *pair) for number, pair in zip(lists, scores, strict=True))


def _near(
    matrix: NDArray[np.float64], vectors: Sequence[Sequence[int]]
) -> Iterator[NDArray[np.float64]]:
    """The squared cosine of each row with a vector, where it is no negative one."""
    lengths = np.sqrt((matrix * matrix).sum(axis=1))
    for at in range(0, len(vectors), _BATCH_TERMS):
        asked = np.array(vectors[at : at + _BATCH_TERMS], dtype=np.float64)
        sizes = np.sqrt((asked * asked).sum(axis=1))
        sizes[sizes == 0] = 1.0
        for products, size in zip(asked @ matrix.T, sizes, strict=True):
            cosines = np.divide(products, size * lengths, np.zeros(len(matrix)), where=products > 0)
            yield cosines * cosines


def _parts(lists: Lists) -> Iterator[tuple[int, list[memoryview]]]:
    """Where each part begins, and its lists."""
    part: list[memoryview] = []
    start = size = 0
    for at, listed in enumerate(lists.values(), 1):
        part.append(listed)
        size += len(listed)
        if size > _BATCH_TOKENS:
            yield start, part
            part, start, size = [], at, 0
    if part:
        yield start, part


class _Batch:
    """Some lists one behind the other, and what the terms so far have added to their scores."""

    def __init__(self, known: Sequence[int], lists: Sequence[memoryview], first: int) -> None:
        tokens = np.frombuffer(b"".join(lists), dtype=np.uint32)
        ends = np.flatnonzero(tokens == END)
        sizes = np.cumsum([len(listed) for listed in lists])
        # An END finds a place behind all that is known, whose nearness is 0.
        self._places = np.searchsorted(np.array(known, dtype=np.uint32), tokens)
        self._starts = np.concatenate(([0], ends[:-1] + 1))
        self._owners = np.searchsorted(ends, np.concatenate(([0], sizes[:-1])))
        self._which = slice(first, first + len(lists))
        self._words, self._sentences = np.zeros(len(lists)), np.zeros(len(ends))

    def add(self, nearness: NDArray[np.float64], idf: float, held: Sequence[bool]) -> None:
        """What one term adds, given how near each known token comes to it."""
        every = np.append(nearness, 0.0)[self._places]
        nearest = np.maximum.reduceat(every, self._starts)
        anywhere = np.maximum.reduceat(nearest, self._owners)
        self._words += idf * np.maximum(anywhere, held[self._which])
        self._sentences += idf * nearest

    def scores(self) -> list[tuple[float, float]]:
        """Both sums for each list."""
        best = np.maximum.reduceat(self._sentences, self._owners)
        return list(zip(self._words.tolist(), best.tolist(), strict=True))
