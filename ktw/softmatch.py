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


def matches(
    embedder: Embedder, question: str, terms: Mapping[str, Term], lists: Lists
) -> dict[int, tuple[float, float]]:
    """Row number to two scores, both sums of idf over the terms of the question.

    The first counts a term that the memory holds as 1, and any other as the squared cosine of the
    nearest token anywhere in it; the second counts squared cosines within the best sentence alone.
    """
    if not lists or not terms:
        return {}
    listed = {number: tokens_.tolist() for number, tokens_ in lists.items()}
    near = _near(embedder, _vectors(embedder, question, list(terms)), listed.values())
    idf, nothing = [term.idf for term in terms.values()], (0.0,) * len(terms)
    found = {}
    for number, each in listed.items():
        sentences = list(_best(near, each, nothing))
        anywhere = map(max, *sentences, sentences[0])
        held = (float(number in term.gains) for term in terms.values())
        words = sum(map(mul, idf, map(max, anywhere, held)))
        found[number] = (words, max(sum(map(mul, idf, sentence)) for sentence in sentences))
    return found


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
    embedder: Embedder, vectors: Sequence[Sequence[float]], lists: Iterable[Sequence[int]]
) -> dict[int, _Nearness]:
    """Each token of some lists, and how near it comes to each vector."""
    known = sorted(set(chain.from_iterable(lists)) - {END})
    rows = Rows(columns_of(embedder.rows(known), embedder.dim), len(known))
    lengths = list(map(math.sqrt, rows.squares()))
    columns = [_squared_cosines(rows, lengths, whole(vector)) for vector in vectors]
    return dict(zip(known, zip(*columns, strict=True), strict=True))


def _squared_cosines(rows: Rows, lengths: Sequence[float], vector: Sequence[int]) -> list[float]:
    size = norm(vector) or 1.0
    return [
        (product / (size * length)) ** 2 if product > 0 else 0.0
        for product, length in zip(rows.products(vector), lengths, strict=True)
    ]


def _vectors(embedder: Embedder, question: str, terms: Sequence[str]) -> Sequence[Sequence[float]]:
    """One a term: that of the first word that yields it, zero for parts of identifiers."""
    words: dict[str, str] = {}
    for word in tokens.word_list(question):
        for term in tokens.tokenize(word)[:1]:
            words.setdefault(term, word)
    return embedder.vectors([words.get(term, "") for term in terms])
