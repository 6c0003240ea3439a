"""How well the words of a question are met by words that are near in meaning: late interaction
over the static vectors of tokens.

Pure over token lists and an embedder's rows. Formula: ColBERT's sum of maxima (Khattab and Zaharia
2020) with squared cosines and the idf of the lexical index.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import mul

from ktw.bm25 import Term
from ktw.embedding import Embedder
from ktw.lanes import Rows, columns_of, norm, whole
from ktw.text import tokens
from ktw.token_lists import END, Lists

_Nearness = tuple[float, ...]  # of one token, a squared cosine a term
_MUCH = 1 << 20  # terms times tokens in one process: from then on NumPy is worth its start
_MOST_TERMS = 2000  # a question of more is a file: its very words tell enough
_DIGITS = 9


def matches(
    embedder: Embedder,
    question: str,
    terms: Mapping[str, Term],
    lists: Lists,
    stays: bool = False,
) -> dict[int, tuple[float, float]]:
    """Row number to two scores, both sums of idf over the terms of the question.

    The first counts a term that the memory holds as 1, and any other as the squared cosine of the
    nearest token anywhere in it; the second counts squared cosines within the best sentence alone.
    Nothing for a question of very many terms. `stays`: a process that does will match much.
    """
    if not lists or not 0 < len(terms) <= _MOST_TERMS:
        return {}
    _work.add(len(terms) * sum(map(len, lists.values())))
    found = (_many if stays or _work.is_much else _few)(embedder, question, terms, lists)
    return {number: (round(words, _DIGITS), round(best, _DIGITS)) for number, words, best in found}


class _Work:
    """What this process matched so far."""

    def __init__(self) -> None:
        self._pairs = 0

    def add(self, pairs: int) -> None:
        """So many more pairs of term and token."""
        self._pairs += pairs

    @property
    def is_much(self) -> bool:
        return self._pairs > _MUCH


_work = _Work()


def _few(
    embedder: Embedder, question: str, terms: Mapping[str, Term], lists: Lists
) -> Iterator[tuple[int, float, float]]:
    listed = {number: tokens_.tolist() for number, tokens_ in lists.items()}
    vectors = zip(terms, _vectors(embedder, question, list(terms)), strict=True)
    meant = {term: vector for term, vector in vectors if any(vector)}  # other forms have none
    near = _near(embedder, list(meant.values()), _known(listed.values()))
    idf, nothing = [terms[term].idf for term in meant], (0.0,) * len(meant)
    for number, each in listed.items():
        sentences = list(_best(near, each, nothing))
        anywhere = dict(zip(meant, map(max, *sentences, sentences[0]), strict=True))
        words = sum(
            term.idf * (1.0 if number in term.gains else anywhere.get(name, 0.0))
            for name, term in terms.items()
        )
        yield number, words, max(sum(map(mul, idf, sentence)) for sentence in sentences)


def _many(
    embedder: Embedder, question: str, terms: Mapping[str, Term], lists: Lists
) -> Iterator[tuple[int, float, float]]:
    from ktw.many_matches import sums  # brings NumPy, which few questions pay

    known = _known(lists.values())
    vectors = [whole(vector) for vector in _vectors(embedder, question, list(terms))]
    idf = [term.idf for term in terms.values()]
    held = [[number in term.gains for number in lists] for term in terms.values()]
    return sums(known, embedder.rows(known), vectors, idf, held, lists)


def _known(lists: Iterable[Iterable[int]]) -> list[int]:
    return sorted(set(chain.from_iterable(lists)) - {END})


def _best(
    near: Mapping[int, _Nearness], listed: Sequence[int], nothing: _Nearness
) -> Iterator[_Nearness]:
    """How near some token of each sentence comes to each term."""
    start = 0
    while start < len(listed):
        end = listed.index(END, start)
        met = map(near.__getitem__, listed[start:end])
        yield tuple(map(max, nothing, nothing, *met))
        start = end + 1


def _near(
    embedder: Embedder, vectors: Sequence[Sequence[float]], known: Sequence[int]
) -> dict[int, _Nearness]:
    """Each known token, and how near it comes to each vector."""
    if not vectors:
        return dict.fromkeys(known, ())
    rows = Rows(columns_of(embedder.rows(known), embedder.dim), len(known))
    lengths = list(map(math.sqrt, rows.squares()))
    columns = [_squared_cosines(rows, lengths, whole(vector)) for vector in vectors]
    return dict(zip(known, zip(*columns, strict=True), strict=True))


def _squared_cosines(rows: Rows, lengths: Sequence[float], vector: Sequence[int]) -> list[float]:
    size = norm(vector) or 1.0
    return [
        (cosine := product / (size * length)) * cosine if product > 0 else 0.0
        for product, length in zip(rows.products(vector), lengths, strict=True)
    ]


def _vectors(embedder: Embedder, question: str, terms: Sequence[str]) -> Sequence[Sequence[float]]:
    """One a term: that of the first word that yields it, zero for parts of identifiers."""
    words: dict[str, str] = {}
    for word in tokens.word_list(question):
        for term in tokens.tokenize(word)[:1]:
            words.setdefault(term, word)
    return embedder.vectors([words.get(term, "") for term in terms])
