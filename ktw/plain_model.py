"""A static embedding model whose tokens have rows of signed bytes, such as the one that ships.

A question needs the rows of a few tokens, which are read and added up here without NumPy and
without the tokenizer; texts in number, and those that only the tokenizer can split, are left to
`ktw.static_model`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ktw.lanes import small, sum_of
from ktw.model_files import MATRICES, ModelFiles, Weights, fault, read_whole
from ktw.wordpiece import Pieces

if TYPE_CHECKING:
    from ktw.static_model import StaticEmbedder

_LITTLE, _MUCH = 1 << 11, 1 << 16  # characters
_PARTS = 2  # of a shape: tokens, and components of each


class PlainEmbedder:
    """Such a model. Its vectors are sums of rows: whole numbers, and the same in every process."""

    def __init__(self, files: ModelFiles, id: str, weights: Weights) -> None:
        """`weights`: those of a model that `is_plain`."""
        self.id, self.name = id, files.name
        self._files = files
        self._split = 0  # characters so far
        matrix = next(weights.tensors[name] for name in MATRICES if name in weights.tensors)
        self._count, self.dim = matrix.shape
        self._data = memoryview(weights.data)[matrix.start :]

    def vectors(self, texts: Sequence[str]) -> list[list[int]]:
        """The sum of the rows of each text's tokens. Raises ModelFault."""
        if self._is_much(texts):
            return self._whole.sums(texts)
        return [self._sum(self._ids(text)) for text in texts]

    def small(self, texts: Sequence[str]) -> bytes:
        """The direction of each text, as signed bytes. Raises ModelFault."""
        return b"".join(map(small, self.vectors(texts)))

    def rows(self, ids: Sequence[int]) -> bytes:
        """The rows of tokens, one after the other. Raises ModelFault."""
        if max(ids, default=-1) >= self._count:
            raise fault(self._files.tokenizer, "has tokens that the weights lack", self._files)
        starts = (token * self.dim for token in ids)
        return b"".join(self._data[start : start + self.dim] for start in starts)

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """The known tokens of each text, in order. Raises ModelFault."""
        if self._is_much(texts):
            return self._whole.tokens(texts)
        return list(map(self._ids, texts))

    def _is_much(self, texts: Sequence[str]) -> bool:
        """Whether these, with those before, are worth the start of NumPy and the tokenizer."""
        size = sum(map(len, texts))
        self._split += size
        if size > _LITTLE and self._split > _MUCH:
            return True
        self._pieces.expect(size)
        return False

    def _ids(self, text: str) -> list[int]:
        ids = self._pieces.ids(text)
        return self._whole.tokens([text])[0] if ids is None else ids

    def _sum(self, ids: Sequence[int]) -> list[int]:
        often = Counter(ids)
        return sum_of(self.rows(list(often)), self.dim, list(often.values()))

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces(read_whole(self._files.tokenizer, self._files))

    @cached_property
    def _whole(self) -> StaticEmbedder:
        from ktw.static_model import StaticEmbedder  # brings NumPy, which few questions pay

        return StaticEmbedder(self._files, self.id)


def is_plain(weights: Weights) -> bool:
    """True for a matrix of signed bytes with a row for each token, all of one weight."""
    tensors = weights.tensors
    matrix = next((tensors[name] for name in MATRICES if name in tensors), None)
    if matrix is None or matrix.kind != "I8" or {"weights", "mapping"} & set(tensors):
        return False
    return len(matrix.shape) == _PARTS and 0 not in matrix.shape
