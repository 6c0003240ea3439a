"""Rank memories for a question: BM25F over live documents, cosine where vectors exist, one prior.

Pure over a snapshot: no git, no clock, no text. Each term of a score has a name, for `--explain`.
Formulas: Robertson and Zaragoza 2009 (BM25F); measurements stand in the project's own `context/`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ktw.catalogue import Catalogue, Place
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


@dataclass(frozen=True)
class Hit:
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
) -> list[Hit]:
    """Memories that share a term with `question`, best first; ties in file order.

    `cosines`: row number to cosine for every memory; then memories near in meaning join, as long
    as some memory shares a term (no cosine tells "nothing found").
    """
    lexical = bm25f(catalogue, postings, question)
    if not lexical:
        return []
    base = _lexical_only(lexical) if cosines is None else _fused(catalogue, lexical, cosines)
    hits = []
    for number, parts in base.items():
        place = catalogue.place(number)
        if place is not None:
            hits.append(_weighed(place, parts, now))
    hits.sort(key=lambda hit: (-hit.score, hit.place.name, hit.place.row.line))
    return hits


def bm25f(catalogue: Catalogue, postings: Postings, question: str) -> dict[int, float]:
    """Row number to BM25F score, from the statistics of live documents alone."""
    live, means = catalogue.by_number, catalogue.mean_lengths
    scores: dict[int, float] = {}
    for term in sorted(tokens.words(question)):
        weights = _term_weights(live, means, postings, term)
        idf = math.log(1 + (len(live) - len(weights) + 0.5) / (len(weights) + 0.5))
        for number, weight in weights.items():
            gain = idf * weight * (K1 + 1) / (K1 + weight)
            scores[number] = scores.get(number, 0.0) + gain
    return scores


def _term_weights(
    live: Mapping[int, tuple[str, Sequence[object]]],
    means: Sequence[float],
    postings: Postings,
    term: str,
) -> dict[int, float]:
    """Row number to the field-weighted, length-normalised frequency of one term."""
    found: dict[int, float] = {}
    first = -len(FIELDS)
    for at, name in enumerate(FIELDS):
        norm, mean, weight = LENGTH_NORM[name], means[at] or 1.0, WEIGHTS[name]
        for number, count in postings.occurrences(name, term):
            entry = live.get(number)
            if entry is not None:
                length = entry[1][first + at]
                assert isinstance(length, int)
                share = weight * count / (1 - norm + norm * length / mean)
                found[number] = found.get(number, 0.0) + share
    return found


Parts = tuple[tuple[str, float], ...]


def _lexical_only(lexical: Mapping[int, float]) -> dict[int, Parts]:
    best = max(lexical.values()) or 1.0
    return {number: (("lexical", score / best),) for number, score in lexical.items()}


def _fused(
    catalogue: Catalogue, lexical: Mapping[int, float], cosines: Mapping[int, float]
) -> dict[int, Parts]:
    """The lexical and the vector candidates, each signal brought to 0..1 (cosine over all)."""
    low, high = min(cosines.values(), default=0.0), max(cosines.values(), default=1.0)
    best = max(lexical.values()) or 1.0
    spread = (high - low) or 1.0
    chosen = set(_top(catalogue, lexical)) | set(_top(catalogue, cosines))
    return {
        number: (
            ("lexical", LEXICAL_SHARE * lexical.get(number, 0.0) / best),
            ("cosine", COSINE_SHARE * (cosines.get(number, low) - low) / spread),
        )
        for number in chosen
    }


def _top(catalogue: Catalogue, scores: Mapping[int, float]) -> list[int]:
    """The best candidates; ties by file and line, so that row numbers decide nothing."""

    def place(number: int) -> tuple[str, object]:
        name, row = catalogue.by_number[number]
        return name, row[2]

    return sorted(scores, key=lambda number: (-scores[number], place(number)))[:CANDIDATES]


def _weighed(place: Place, parts: Parts, now: datetime) -> Hit:
    factors = (
        ("kind", KIND_PRIOR.get(place.row.kind, 1.0)),
        ("status", STATUS_PRIOR.get(place.row.status, 1.0)),
        ("recency", _recency(place.row.created_at, now)),
    )
    score = sum(value for _, value in parts)
    for _, factor in factors:
        score *= factor
    return Hit(place, round(score, _DIGITS), (*parts, *(f for f in factors if f[1] != 1.0)))


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
