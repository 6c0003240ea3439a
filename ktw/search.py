"""Rank memories for a question: BM25F over live documents, cosine where vectors exist, priors.

Pure over a snapshot: no git, no clock, no text. Each term of a score has a name, for `--explain`.
Formulas: Robertson and Zaragoza 2009 (BM25F); measurements stand in the project's own `context/`.
"""

import heapq
import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from ktw.catalogue import Catalogue, Place
from ktw.postings import Postings
from ktw.priors import NOBODY, Priors
from ktw.terms import FIELDS
from ktw.text import tokens

K1 = 1.2
WEIGHTS = {"title": 1.6, "body": 1.0, "keys": 0.8}
LENGTH_NORM = {"title": 0.3, "body": 0.5, "keys": 0.3}
LEXICAL_SHARE, COSINE_SHARE = 0.35, 0.65
CANDIDATES = 100
_DIGITS = 9


Signals = tuple[float, ...]
_SIGNAL_NAMES = ("lexical", "cosine")


class Hit(NamedTuple):
    """A memory found, its score, and the named parts that the score is the product or sum of."""

    place: Place
    score: float
    parts: tuple[tuple[str, float], ...]


class Ranked(NamedTuple):
    """What a question finds, best first; apart from it the best of what has faded, and how many
    such there are."""

    hits: list[Hit]
    faded: list[Hit]
    faded_count: int


def rank(
    catalogue: Catalogue,
    postings: Postings,
    question: str,
    now: datetime,
    cosines: Mapping[int, float] | None = None,
    limit: int | None = None,
) -> list[Hit]:
    """The hits of `ranked`, where nothing was earned."""
    priors = Priors(catalogue, NOBODY, now)
    return ranked(catalogue, postings, question, priors, cosines, limit).hits


def ranked(
    catalogue: Catalogue,
    postings: Postings,
    question: str,
    priors: Priors,
    cosines: Mapping[int, float] | None = None,
    limit: int | None = None,
) -> Ranked:
    """Memories that share a term with `question`, best first; ties in file order.

    `cosines`: row number to cosine for every memory; then memories near in meaning join, as long
    as some memory shares a term (no cosine tells "nothing found"). `limit`: only the best so many.
    """
    lexical = bm25f(catalogue, postings, question)
    if not lexical:
        return Ranked([], [], 0)
    if cosines is None:
        base = _lexical_only(lexical)
    else:
        base = _fused(catalogue, lexical, cosines, priors)
    fresh, faded = _scored(catalogue, base, priors)

    def best(scored: list[_Scored]) -> list[Hit]:
        chosen = scored if limit is None else heapq.nsmallest(limit, scored)
        return [_hit(catalogue, each, base[each[-1]], priors) for each in sorted(chosen)]

    return Ranked(best(fresh), best(faded), len(faded))


_Scored = tuple[float, int, int]


def _scored(
    catalogue: Catalogue, base: Mapping[int, Signals], priors: Priors
) -> tuple[list[_Scored], list[_Scored]]:
    """Every candidate as (minus score, position, row number): sorted, the best comes first; those
    that have faded apart."""
    row_at = catalogue.row_at
    fresh: list[_Scored] = []
    faded: list[_Scored] = []
    for number, signals in base.items():
        at = row_at[number]
        scored = (-round(sum(signals) * priors.product(at), _DIGITS), at, number)
        (faded if priors.has_faded(at) else fresh).append(scored)
    return fresh, faded


def bm25f(catalogue: Catalogue, postings: Postings, question: str) -> dict[int, float]:
    """Row number to BM25F score, from the statistics of live documents alone."""
    fields = _fields(catalogue)
    count = catalogue.size
    scores: dict[int, float] = {}
    for term in sorted(tokens.words(question)):
        weights = _term_weights(fields, postings, term)
        idf = math.log(1 + (count - len(weights) + 0.5) / (len(weights) + 0.5))
        for number, weight in weights.items():
            gain = idf * weight * (K1 + 1) / (K1 + weight)
            scores[number] = scores.get(number, 0.0) + gain
    return scores


class _Field(NamedTuple):
    """What BM25F needs of a field: weight, 1 - B, B over the mean length, lengths by row number."""

    name: str
    weight: float
    base: float
    slope: float
    lengths: Mapping[int, int]


def _fields(catalogue: Catalogue) -> list[_Field]:
    fields = []
    for name, lengths in zip(FIELDS, catalogue.lengths, strict=True):
        mean = sum(lengths.values()) / max(1, len(lengths)) or 1.0
        norm = LENGTH_NORM[name]
        fields.append(_Field(name, WEIGHTS[name], 1 - norm, norm / mean, lengths))
    return fields


def _term_weights(fields: Sequence[_Field], postings: Postings, term: str) -> dict[int, float]:
    """Row number to the field-weighted, length-normalised frequency of one term."""
    found: dict[int, float] = {}
    for name, weight, base, slope, lengths in fields:
        for number, count in postings.occurrences(name, term):
            length = lengths.get(number)
            if length is not None:
                share = weight * count / (base + slope * length)
                found[number] = found.get(number, 0.0) + share
    return found


def _lexical_only(lexical: Mapping[int, float]) -> dict[int, Signals]:
    best = max(lexical.values()) or 1.0
    return {number: (score / best,) for number, score in lexical.items()}


def _fused(
    catalogue: Catalogue,
    lexical: Mapping[int, float],
    cosines: Mapping[int, float],
    priors: Priors,
) -> dict[int, Signals]:
    """The lexical and the vector candidates, each signal brought to 0..1 (cosine over all)."""
    low, high = min(cosines.values(), default=0.0), max(cosines.values(), default=1.0)
    best = max(lexical.values()) or 1.0
    spread = (high - low) or 1.0
    chosen = set(_top(catalogue, lexical, priors)) | set(_top(catalogue, cosines, priors))
    return {
        number: (
            LEXICAL_SHARE * lexical.get(number, 0.0) / best,
            COSINE_SHARE * (cosines.get(number, low) - low) / spread,
        )
        for number in chosen
    }


def _top(catalogue: Catalogue, scores: Mapping[int, float], priors: Priors) -> list[int]:
    """The best candidates, priors counted in: no pile of notes takes all the places. Ties by file
    and line, so that row numbers decide nothing."""
    at = catalogue.row_at
    return heapq.nsmallest(
        CANDIDATES,
        scores,
        key=lambda number: (-scores[number] * priors.product(at[number]), at[number]),
    )


def _hit(catalogue: Catalogue, scored: _Scored, signals: Signals, priors: Priors) -> Hit:
    score, at, number = scored
    place = catalogue.place(number)
    assert place is not None
    told = tuple(factor for factor in priors.factors(at).items() if factor[1] != 1.0)
    return Hit(place, -score, (*zip(_SIGNAL_NAMES, signals, strict=False), *told))
