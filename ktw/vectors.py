"""Vectors of passages, a row of small numbers each, and how near memories come to a question by
them.

Pure over texts and an embedder; where rows are kept is for `ktw.vector_index`.
"""

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from operator import mul
from typing import NamedTuple

from ktw.embedding import Embedder
from ktw.lanes import Rows, columns_of, norm, whole

# What of a memory's cosine its best passage decides, the rest being the mean of all: by the best
# alone, a long text would have more chances than a short one.
BEST_SHARE = 0.7
_BATCH = 256


class Vectors(NamedTuple):
    """Row numbers in ascending order, where the passages of each memory end, and their rows.

    `rows`: of any `lengths`; zero where a text has no known token.
    """

    numbers: Sequence[int]
    ends: Sequence[int]
    rows: Rows
    lengths: Sequence[float]

    def cosines(self, query: Sequence[float]) -> dict[int, float]:
        """Row number to the cosine of each memory with a vector: BEST_SHARE of that of its best
        passage and the rest of the mean."""
        asked = whole(query)
        size = norm(asked) or 1.0
        products = zip(self.rows.products(asked), self.lengths, strict=True)
        each = [product / (size * length) if length else 0.0 for product, length in products]
        if len(each) == len(self.numbers):
            return dict(zip(self.numbers, each, strict=True))
        return dict(zip(self.numbers, _shared(each, self.ends), strict=True))


def _shared(each: Sequence[float], ends: Sequence[int]) -> Iterator[float]:
    for start, end in pairwise(chain((0,), ends)):
        if end - start == 1:
            yield each[start]
        else:
            part = each[start:end]
            yield BEST_SHARE * max(part) + (1 - BEST_SHARE) * sum(part) / len(part)


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
