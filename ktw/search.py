"""Rank memories for a question: the candidates that words and vectors find, reranked by what else
speaks for them, times their priors.

Pure over a snapshot: no git, no clock, no text. Each term of a score has a name, for `--explain`.
Weights were fitted on tuning parts alone; measurements stand in `bench/quality.md`.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from ktw.bm25 import Term, bm25f, length_norm, mean_length, terms_of
from ktw.catalogue import Catalogue, Place
from ktw.postings import Postings
from ktw.priors import NOBODY, Priors
from ktw.rerank import Cues, company
from ktw.terms import FIELDS
from ktw.text.questions import asked
from ktw.text.tokens import is_extra, is_one_word

# What the words of a question can add at most: with vectors all of it, without them less, since
# they tell less.
LEXICAL_ALONE = 0.7
COSINE_SHARE, WORDS_SHARE, SENTENCE_SHARE = 0.3, 0.42, 0.28
CANDIDATES = 100
_DIGITS = 9
_BODY = FIELDS.index("body")

Signals = Mapping[str, float]
# Row number to how well terms are met by words near in meaning: anywhere, and in one sentence.
Matches = Mapping[int, tuple[float, float]]
Match = Callable[[Mapping[str, Term], Sequence[int]], Matches]


class Hit(NamedTuple):
    """A memory found, its score, and the named parts that the score is the product or sum of."""

    place: Place
    score: float
    parts: tuple[tuple[str, float], ...]


class Meaning(NamedTuple):
    """What vectors tell: row number to cosine for every memory, and how to match single words."""

    cosines: Mapping[int, float]
    match: Match


class Ranked(NamedTuple):
    """What a question finds, best first, how many candidates have faded instead, and how much of
    what is asked the best holds in so many words: 0 to 1, each word by how rare it is."""

    hits: list[Hit]
    faded: int
    held: float = 1.0


def rank(
    catalogue: Catalogue,
    postings: Postings,
    question: str,
    now: datetime,
    meaning: Meaning | None = None,
    limit: int | None = None,
) -> list[Hit]:
    """The hits of `ranked`, where nothing was earned."""
    return ranked(
        catalogue, postings, question, Priors(catalogue, NOBODY, now), meaning, limit
    ).hits


def ranked(
    catalogue: Catalogue,
    postings: Postings,
    question: str,
    priors: Priors,
    meaning: Meaning | None = None,
    limit: int | None = None,
) -> Ranked:
    """The best of the memories that share a term with `question`, best first; ties in file order.

    With `meaning`, memories near in meaning join, as long as some memory shares a term (no cosine
    tells "nothing found"). `limit`: only the best so many, of at least CANDIDATES looked at.
    """
    terms = terms_of(catalogue, postings, question)
    lexical = bm25f(terms)
    if not lexical:
        return Ranked([], 0)
    count = max(CANDIDATES, limit or 0)
    cosines = _above_lowest(meaning.cosines) if meaning else {}
    chosen = _candidates(catalogue, count, priors, lexical, cosines)
    near = _nearness(catalogue, question)
    if meaning is None:
        signals = [_scaled("lexical", LEXICAL_ALONE, lexical)]
    else:
        signals = _meant(lexical, cosines, meaning.match(terms, chosen) if near else {}, near)
    cues = Cues(catalogue, asked(question, priors.now.date()), chosen)
    base = _base(catalogue, chosen, signals, near, cues)
    scored = _scored(catalogue, base, priors)
    hits = [_hit(catalogue, each, base[each[-1]], priors) for each in scored[:limit]]
    return Ranked(hits, len(base) - len(scored), _held(terms, scored[0][-1]) if scored else 1.0)


_Signal = tuple[str, Mapping[int, float]]


def _above_lowest(cosines: Mapping[int, float]) -> dict[int, float]:
    """How much more than the lowest each is: they lie so close that a prior on the whole of one
    would tell more than what it says of the question."""
    low = min(cosines.values(), default=0.0)
    return {number: cosine - low for number, cosine in cosines.items()}


def _candidates(
    catalogue: Catalogue, count: int, priors: Priors, *signals: Mapping[int, float]
) -> list[int]:
    """The best by each signal, in file order: row numbers decide nothing. Priors are counted in,
    so that no pile of notes takes all the places."""
    at = catalogue.row_at
    best = (_best(scores, count, at, priors) for scores in signals)
    return sorted({number for each in best for number in each}, key=at.__getitem__)


def _best(
    scores: Mapping[int, float], count: int, at: Mapping[int, int], priors: Priors
) -> list[int]:
    """The row numbers of the best after priors; these are looked up only as far down as any prior
    could lift what stands there."""
    found: list[tuple[float, int, int]] = []
    highest = priors.highest
    for number in sorted(scores, key=scores.__getitem__, reverse=True):
        if len(found) == count and scores[number] * highest < found[0][0]:
            break
        position = at[number]
        entry = scores[number] * priors.look(position)[0], -position, number
        (heapq.heappush if len(found) < count else heapq.heappushpop)(found, entry)
    return [number for _, _, number in found]


def _nearness(catalogue: Catalogue, question: str) -> float:
    """What counts, 0 to 1, beside the very words of a question: words near them, memories beside.

    The longer memories are, the less it means that a near word stands somewhere in one, and the
    more how often the very word does. A question of one word asks for that word alone.
    """
    if is_one_word(question):
        return 0.0
    return 1.0 - length_norm(mean_length(catalogue.lengths[_BODY]))


def _meant(
    lexical: Mapping[int, float], cosines: Mapping[int, float], matched: Matches, near: float
) -> list[_Signal]:
    """Words and vectors together, each brought to 0..1 times its share."""
    near = near if matched else 0.0
    exact = 1.0 - near
    return [
        _scaled("lexical", (WORDS_SHARE + SENTENCE_SHARE) * exact, lexical),
        _scaled("words", WORDS_SHARE * near, {at: pair[0] for at, pair in matched.items()}),
        _scaled("sentence", SENTENCE_SHARE * near, {at: pair[1] for at, pair in matched.items()}),
        _scaled("cosine", COSINE_SHARE, cosines),
    ]


def _scaled(name: str, share: float, scores: Mapping[int, float]) -> _Signal:
    """Scores brought to 0..`share` by the best of them."""
    best = max(scores.values(), default=0.0) or 1.0
    return name, {number: share * (score / best) for number, score in scores.items()}


def _base(
    catalogue: Catalogue, chosen: Sequence[int], signals: Sequence[_Signal], near: float, cues: Cues
) -> dict[int, dict[str, float]]:
    """Row number to all signals by name; those beside the words only where they say something."""
    base = {number: {name: told.get(number, 0.0) for name, told in signals} for number in chosen}
    lent = company(catalogue, {number: sum(told.values()) for number, told in base.items()})
    for number, told in base.items():
        if beside := near * lent.get(number, 0.0):
            told["company"] = beside
        told |= cues.of(catalogue.row_at[number])
    return base


def _held(terms: Mapping[str, Term], number: int) -> float:
    """Not told (1) where a word is looked for in several forms, of which one is enough."""
    if any(map(is_extra, terms)):
        return 1.0
    held = sum(term.idf for term in terms.values() if number in term.gains)
    return held / sum(term.idf for term in terms.values())


def _scored(
    catalogue: Catalogue, base: Mapping[int, Signals], priors: Priors
) -> list[tuple[float, int, int]]:
    """Every candidate that has not faded as (minus score, position, row number), best first."""
    scored = []
    for number, signals in base.items():
        at = catalogue.row_at[number]
        prior, has_faded = priors.look(at)
        if not has_faded:
            scored.append((-round(sum(signals.values()) * prior, _DIGITS), at, number))
    return sorted(scored)


def _hit(
    catalogue: Catalogue, scored: tuple[float, int, int], signals: Signals, priors: Priors
) -> Hit:
    score, at, number = scored
    place = catalogue.place(number)
    assert place is not None
    told = tuple(factor for factor in priors.factors(at).items() if factor[1] != 1.0)
    return Hit(place, -score, (*signals.items(), *told))
