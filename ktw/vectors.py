"""Vectors of passages, a row of small numbers each, and how near memories come to a question by
them.

Pure over texts and an embedder; where rows are kept is for `ktw.vector_index`.
"""

import math
from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain
from operator import mul

from ktw.embedding import Embedder
from ktw.lanes import Rows, columns_of, norm, whole

# What of a memory's cosine its best passage decides, the rest being the mean of all: by the best
# alone, a long text would have more chances than a short one.
BEST_SHARE = 0.7
_BATCH = 256


class Vectors:
    """Row numbers in ascending order, where the passages of each memory end, and their rows.

    `rows`: of any `lengths`; zero where a text has no known token.
    """

    def __init__(
        self, numbers: Sequence[int], ends: Sequence[int], rows: Rows, lengths: Sequence[float]
    ) -> None:
        self.numbers, self.ends, self.rows, self.lengths = numbers, ends, rows, lengths

    def cosines(self, query: Sequence[float]) -> dict[int, float]:
        """Row number to the cosine of each memory with a vector: BEST_SHARE of that of its best
        passage and the rest of the mean."""
        asked = whole(query)
        size = norm(asked) or 1.0
        products = zip(self.rows.products(asked), self.lengths, strict=True)
        each = [product / (size * length) if length else 0.0 for product, length in products]
        found = dict(zip(self.numbers, map(each.__getitem__, self._starts), strict=True))
        for number, start, end in self._long:
            part = each[start:end]
            found[number] = BEST_SHARE * max(part) + (1 - BEST_SHARE) * sum(part) / len(part)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *self.ends][: len(self.ends)]

    @cached_property
    def _long(self) -> list[tuple[int, int, int]]:
        """Row number, first passage and end of each memory of several passages."""
        spans = zip(self.numbers, self._starts, self.ends, strict=True)
        return [(number, start, end) for number, start, end in spans if end - start > 1]


def passage_cosines(embedder: Embedder, passages: Sequence[str], question: str) -> list[float]:
    """The cosine of each passage with `question`."""
    asked, *vectors = embedder.vectors([question, *passages])
    size = norm(asked)
    return [
        sum(map(mul, asked, vector)) / (size * norm(vector)) if size and any(vector) else 0.0
        for vector in vectors
    ]


def embed(embedder: Embedder, texts: Mapping[int, Sequence[str]]) -> Vectors:
    """The vectors of memories, given as their passages by ascending row number."""
    ends = list(accumulate(map(len, texts.values())))
    passages = list(chain.from_iterable(texts.values()))
    return Vectors(list(texts), ends, *_embedded(embedder, passages))


def _embedded(embedder: Embedder, passages: Sequence[str]) -> tuple[Rows, Sequence[float]]:
    """A small row for each passage, and its length."""
    if not passages:
        return Rows(b"", 0), []
    batches = [passages[at : at + _BATCH] for at in range(0, len(passages), _BATCH)]
    rows = b"".join(map(embedder.small, batches))
    found = Rows(columns_of(rows, embedder.dim), len(passages))
    return found, array("f", map(math.sqrt, found.squares()))
