"""How well the words of a question stand in each memory: BM25F from the statistics of live
documents alone.

Pure over a catalogue and postings. Formula: Robertson and Zaragoza 2009 (BM25F); measurements
stand in `bench/quality.md`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ktw.catalogue import Catalogue
from ktw.postings import Postings
from ktw.terms import FIELDS
from ktw.text import tokens

K1 = 1.2
WEIGHTS = {"title": 3.0, "body": 1.0, "keys": 0.8}
# B of a field is its mean length over that plus this many terms. Among turns of ten words a longer
# one says more, among records of 500 it repeats itself.
SHORT = 40


class Term(NamedTuple):
    """A term of a question: how rare it is, and what it adds to each memory that holds it."""

    idf: float
    gains: Mapping[int, float]


def terms_of(catalogue: Catalogue, postings: Postings, question: str) -> dict[str, Term]:
    """The terms of a question in sorted order, those too that stand nowhere."""
    fields, count = _fields(catalogue), catalogue.size
    found = {}
    for term in sorted(tokens.words(question)):
        weights = _weights(fields, catalogue.row_at, postings, term)
        idf = math.log(1 + (count - len(weights) + 0.5) / (len(weights) + 0.5))
        gains = {at: idf * weight * (K1 + 1) / (K1 + weight) for at, weight in weights.items()}
        found[term] = Term(idf, gains)
    return found


def bm25f(terms: Mapping[str, Term]) -> dict[int, float]:
    """Row number to BM25F score, of every memory that holds a term."""
    scores: dict[int, float] = {}
    for term in terms.values():
        scores = _summed(scores, dict(term.gains))
    return scores


def length_norm(mean: float) -> float:
    """B for a field of that mean length: near 0 for short texts, near 1 for long ones."""
    return mean / (mean + SHORT)


def mean_length(lengths: Sequence[int]) -> float:
    """The mean length of a field, in terms; 0 where there is no memory."""
    return sum(lengths) / max(1, len(lengths))


class _Field(NamedTuple):
    """What BM25F needs of a field: its weight, 1 - B, B over the mean length, and the lengths by
    position."""

    name: str
    weight: float
    base: float
    slope: float
    lengths: Sequence[int]


def _fields(catalogue: Catalogue) -> list[_Field]:
    fields = []
    for name, lengths in zip(FIELDS, catalogue.lengths, strict=True):
        mean = mean_length(lengths)
        norm = length_norm(mean)
        fields.append(_Field(name, WEIGHTS[name], 1 - norm, norm / (mean or 1.0), lengths))
    return fields


def _weights(
    fields: Sequence[_Field], row_at: Mapping[int, int], postings: Postings, term: str
) -> dict[int, float]:
    """Row number to the field-weighted, length-normalised frequency of one term."""
    found: dict[int, float] = {}
    for name, weight, base, slope, lengths in fields:
        shares = {
            number: weight * count / (base + slope * lengths[row_at[number]])
            for number, count in postings.occurrences(name, term)
            if number in row_at
        }
        found = _summed(found, shares)
    return found


def _summed(one: dict[int, float], other: dict[int, float]) -> dict[int, float]:
    """The sums of values; both are used up. The smaller joins the larger."""
    few, many = sorted((one, other), key=len)
    for number, value in few.items():
        many[number] = many.get(number, 0.0) + value
    return many
