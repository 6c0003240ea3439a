"""How well the words of a question are met by words that are near in meaning: late interaction
over the static vectors of tokens.

Pure over token lists and an embedder's rows; importing it imports NumPy. Formula: ColBERT's sum of
maxima (Khattab and Zaharia 2020) with squared cosines and the idf of the lexical index.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ktw.bm25 import Term
from ktw.embedding import Embedder
from ktw.text import tokens
from ktw.token_lists import END, Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH_TOKENS = 1 << 17  # bounds what is worked on at once
_DIGITS = 6


def matches(
    embedder: Embedder, question: str, terms: Mapping[str, Term], lists: Lists
) -> dict[int, tuple[float, float]]:
    """Row number to two scores, both sums of idf over the terms of the question.

    The first counts a term that the memory holds as 1, and any other as the squared cosine of the
    nearest token anywhere in it; the second counts squared cosines within the best sentence alone.
    """
    if not lists or not terms:
        return {}
    near = _Near(embedder, question, terms, lists)
    found: dict[int, tuple[float, float]] = {}
    for batch in _batches(lists):
        found |= near.scores(batch)
    return found


def _batches(lists: Lists) -> Iterator[list[int]]:
    batch: list[int] = []
    size = 0
    for number, listed in lists.items():
        batch.append(number)
        size += len(listed)
        if size > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Near:
    """The squared cosine of each term of a question with each token of some lists."""

    def __init__(
        self, embedder: Embedder, question: str, terms: Mapping[str, Term], lists: Lists
    ) -> None:
        self._terms, self._lists = list(terms.values()), lists
        self._idf = np.array([[term.idf] for term in self._terms], dtype=np.float32)
        self._known = _different(np.concatenate(list(lists.values())))
        rows = embedder.directions(self._known[self._known != END])
        values = np.maximum(0, _vectors(embedder, question, list(terms)) @ rows.T) ** 2
        ends = np.zeros((len(terms), len(self._known) - len(rows)), dtype=np.float32)
        self._values = np.hstack([np.round(values, _DIGITS), ends]).astype(np.float32)

    def scores(self, numbers: Sequence[int]) -> dict[int, tuple[float, float]]:
        tokens_ = np.concatenate([self._lists[number] for number in numbers])
        ends = np.flatnonzero(tokens_ == END)
        lengths = np.cumsum([len(self._lists[number]) for number in numbers])
        owners = np.searchsorted(ends, np.concatenate([[0], lengths[:-1]]))
        starts = np.concatenate([[0], ends[:-1] + 1])
        every = self._values[:, np.searchsorted(self._known, tokens_)]
        by_sentence = np.maximum.reduceat(every, starts, axis=1)
        nearest = np.maximum.reduceat(by_sentence, owners, axis=1)
        sentence = np.maximum.reduceat((self._idf * by_sentence).sum(axis=0), owners)
        words = (self._idf * np.maximum(nearest, self._held(numbers))).sum(axis=0)
        pairs = np.round(np.stack([words, sentence], axis=1), _DIGITS).tolist()
        return {number: (pair[0], pair[1]) for number, pair in zip(numbers, pairs, strict=True)}

    def _held(self, numbers: Sequence[int]) -> "NDArray[np.float32]":
        """1 where a memory holds a term of the question."""
        held = [[number in term.gains for number in numbers] for term in self._terms]
        return np.array(held, dtype=np.float32)


def _different(tokens_: "NDArray[np.uint32]") -> "NDArray[np.uint32]":
    """Each token once, in order: np.unique, whose first call imports 10 ms of masked arrays."""
    ordered = np.sort(tokens_)
    first: NDArray[np.uint32] = ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])]
    return first


def _vectors(embedder: Embedder, question: str, terms: Sequence[str]) -> "NDArray[np.float32]":
    """A row a term: that of the first word that yields it, zero for parts of identifiers."""
    words: dict[str, str] = {}
    for word in tokens.word_list(question):
        for term in tokens.tokenize(word)[:1]:
            words.setdefault(term, word)
    return embedder.encode([words.get(term, "") for term in terms])
