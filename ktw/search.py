"""Rank memories for a question: BM25F over live documents, cosine where vectors exist, one prior.

Pure over a snapshot: no git, no clock, no text. Each term of a score has a name, for `--explain`.
Formulas: Robertson and Zaragoza 2009 (BM25F); measurements stand in the project's own `context/`.
"""

import heapq
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ktw.catalogue import About, Catalogue, Place
from ktw.postings import Postings
from ktw.terms import FIELDS
from ktw.text import tokens

K1 = 1.2
WEIGHTS = {"title": 1.6, "body": 1.0, "keys": 0.8}
LENGTH_NORM = {"title": 0.3, "body": 0.5, "keys": 0.3}
LEXICAL_SHARE, COSINE_SHARE = 0.35, 0.65
CANDIDATES = 100
STATUS_PRIOR = {"superseded": 0.5}
KIND_PRIOR = {"note": 0.5}
RECENCY_GAIN, RECENCY_HALF_LIFE = 0.05, timedelta(days=180)
_DIGITS = 9


Signals = tuple[float, ...]
_SIGNAL_NAMES = ("lexical", "cosine")


class Hit(NamedTuple):
    """A memory found, its score, and the named parts that the score is the product or sum of."""

    place: Place
    score: float
    parts: tuple[tuple[str, float], ...]


def rank(
    catalogue: Catalogue,
    postings: Postings,
    question: str,
    now: datetime,
    cosines: Mapping[int, float] | None = None,
    limit: int | None = None,
) -> list[Hit]:
    """Memories that share a term with `question`, best first; ties in file order.

    `cosines`: row number to cosine for every memory; then memories near in meaning join, as long
    as some memory shares a term (no cosine tells "nothing found"). `limit`: only the best so many.
    """
    lexical = bm25f(catalogue, postings, question)
    if not lexical:
        return []
    base = _lexical_only(lexical) if cosines is None else _fused(catalogue, lexical, cosines)
    scored = _scored(catalogue, base, now)
    chosen = scored if limit is None else heapq.nsmallest(limit, scored)
    return [_hit(catalogue, scored, base[scored[-1]], now) for scored in sorted(chosen)]


def _scored(
    catalogue: Catalogue, base: Mapping[int, Signals], now: datetime
) -> list[tuple[float, int, int]]:
    """Every candidate as (minus score, position, row number): sorted, the best comes first."""
    priors = [math.prod(_factors(about, now).values()) for about in catalogue.abouts]
    row_at, about = catalogue.row_at, catalogue.about
    scored = []
    for number, signals in base.items():
        at = row_at[number]
        scored.append((-round(sum(signals) * priors[about[at]], _DIGITS), at, number))
    return scored


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
    catalogue: Catalogue, lexical: Mapping[int, float], cosines: Mapping[int, float]
) -> dict[int, Signals]:
    """The lexical and the vector candidates, each signal brought to 0..1 (cosine over all)."""
    low, high = min(cosines.values(), default=0.0), max(cosines.values(), default=1.0)
    best = max(lexical.values()) or 1.0
    spread = (high - low) or 1.0
    chosen = set(_top(catalogue, lexical)) | set(_top(catalogue, cosines))
    return {
        number: (
            LEXICAL_SHARE * lexical.get(number, 0.0) / best,
            COSINE_SHARE * (cosines.get(number, low) - low) / spread,
        )
        for number in chosen
    }


def _top(catalogue: Catalogue, scores: Mapping[int, float]) -> list[int]:
    """The best candidates; ties by file and line, so that row numbers decide nothing."""
    at = catalogue.row_at
    return heapq.nsmallest(CANDIDATES, scores, key=lambda number: (-scores[number], at[number]))


def _hit(
    catalogue: Catalogue, scored: tuple[float, int, int], signals: Signals, now: datetime
) -> Hit:
    score, at, number = scored
    place = catalogue.place(number)
    assert place is not None
    factors = _factors(catalogue.abouts[catalogue.about[at]], now)
    told = tuple(factor for factor in factors.items() if factor[1] != 1.0)
    return Hit(place, -score, (*zip(_SIGNAL_NAMES, signals, strict=False), *told))


def _factors(about: About, now: datetime) -> dict[str, float]:
    """The prior of a memory, by name: what the sum of its signals is multiplied with."""
    return {
        "kind": KIND_PRIOR.get(about.kind, 1.0),
        "status": STATUS_PRIOR.get(about.status, 1.0),
        "recency": _recency(about.created_at, now),
    }


def _recency(created_at: str, now: datetime) -> float:
    made = parse_time(created_at)
    if made is None or made > now:
        return 1.0
    return 1.0 + RECENCY_GAIN * math.pow(0.5, (now - made).days / RECENCY_HALF_LIFE.days)


def parse_time(text: str) -> datetime | None:
    """An ISO 8601 date or time as an aware time (UTC where it names no zone), or None."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
