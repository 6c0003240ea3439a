"""Vectors of passages, a row of small numbers each, and how near memories come to a question by
them.

Pure over texts and an embedder; where rows are kept is for `ktw.vector_index`. NumPy is imported
only where it is used.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from ktw.embedding import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What of a memory's cosine its best passage decides, the rest being the mean of all: by the best
# alone, a long text would have more chances than a short one.
BEST_SHARE = 0.7
_BATCH, _BLOCK = 256, 1 << 13


class Vectors(NamedTuple):
    """Row numbers in ascending order, where the passages of each memory end, and their rows.

    `rows`: int8 of shape (passages, dim) of any `lengths`; zero where a text has no known token.
    """

    numbers: "NDArray[np.uint32]"
    ends: "NDArray[np.uint32]"
    rows: "NDArray[np.int8]"
    lengths: "NDArray[np.float32]"

    def cosines(self, query: "NDArray[np.float32]") -> dict[int, float]:
        """Row number to the cosine of each memory with a unit vector: BEST_SHARE of that of its
        best passage and the rest of the mean."""
        import numpy as np

        if not len(self.numbers):
            return {}
        each = _row_cosines(self.rows, self.lengths, query)
        ends = self.ends.astype(np.int64)
        counts = np.diff(ends, prepend=0)
        starts = ends - counts
        best = np.maximum.reduceat(each, starts)
        mean = np.add.reduceat(each, starts) / counts
        values = np.round(BEST_SHARE * best + (1 - BEST_SHARE) * mean, 6)
        return dict(zip(self.numbers.tolist(), values.tolist(), strict=True))


def passage_cosines(embedder: Embedder, passages: Sequence[str], question: str) -> list[float]:
    """The cosine of each passage with `question`."""
    rows, lengths = _embedded(embedder, passages)
    each = _row_cosines(rows, lengths, embedder.encode([question])[0])
    return [round(float(cosine), 6) for cosine in each]


def embed(embedder: Embedder, texts: Mapping[int, Sequence[str]]) -> Vectors:
    """The vectors of memories, given as their passages by ascending row number."""
    import numpy as np

    numbers = np.array(list(texts), dtype=np.uint32)
    ends = np.array(list(accumulate(map(len, texts.values()))), dtype=np.uint32)
    return Vectors(numbers, ends, *_embedded(embedder, list(chain.from_iterable(texts.values()))))


def _embedded(
    embedder: Embedder, passages: Sequence[str]
) -> tuple["NDArray[np.int8]", "NDArray[np.float32]"]:
    """A small row for each passage, and its length."""
    import numpy as np

    batches = [passages[at : at + _BATCH] for at in range(0, len(passages), _BATCH)]
    empty = np.zeros((0, embedder.dim), dtype=np.int8)
    rows = np.concatenate([empty, *(_small(embedder.encode(batch)) for batch in batches)])
    wide = (rows[at : at + _BLOCK].astype(np.float32) for at in range(0, len(rows), _BLOCK))
    squares = [np.einsum("ij,ij->i", block, block) for block in wide]
    return rows, np.sqrt(np.concatenate([np.zeros(0, dtype=np.float32), *squares]))


def _row_cosines(
    rows: "NDArray[np.int8]", lengths: "NDArray[np.float32]", query: "NDArray[np.float32]"
) -> "NDArray[np.float32]":
    """Cosine of every row; in blocks, for as float32 the rows take four times the room."""
    import numpy as np

    found = np.zeros(len(rows), dtype=np.float32)
    for at in range(0, len(rows), _BLOCK):
        found[at : at + _BLOCK] = rows[at : at + _BLOCK].astype(np.float32) @ query
    found /= np.where(lengths > 0, lengths, np.float32(1))
    return found


def _small(rows: "NDArray[np.float32]") -> "NDArray[np.int8]":
    """Rows whose largest component is 127: the direction is kept to within 0.001 of a cosine."""
    import numpy as np

    peaks = np.abs(rows).max(axis=1, keepdims=True, initial=0)
    return np.rint(rows * (127 / np.where(peaks > 0, peaks, 1))).astype(np.int8)
