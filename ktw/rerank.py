"""What speaks for a memory beside its words: who wrote it and when, what else was made that day,
and whether it looks like an answer to that kind of question.

Pure over the catalogue. Weights are shares of what the words can add at most; they were fitted on
tuning parts alone, see `bench/quality.md`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from heapq import nlargest

from ktw.catalogue import Catalogue
from ktw.text.cues import Cue
from ktw.text.questions import Asked, Named

AUTHOR, OTHER_AUTHOR = 0.26, 0.08
DATE = 0.39
YEAR_ALONE, NEAR_DAY, SAME_DAY = 0.5, 1.2, 1.5  # of DATE, where the month itself counts 1
_NEAR_DAYS = 2
MOMENT, PERIOD = 0.15, 0.07
ANSWERS = {
    Cue.PLACE: 0.20,
    Cue.NUMBER: 0.10,
    Cue.PERSON: 0.08,
    Cue.TITLE: 0.24,
    Cue.DURATION: 0.20,
}
STATEMENT, PERSONAL = 0.06, 0.05
SITTING = 0.35


class Cues:
    """What speaks for the memories of one catalogue as answers to one question."""

    def __init__(self, catalogue: Catalogue, question: Asked, candidates: Iterable[int]) -> None:
        """`candidates`: row numbers; who speaks in none of them is no author to the question."""
        self._catalogue, self._asked = catalogue, question
        row_at = catalogue.row_at
        authors = {catalogue.author(row_at[number]).lower() for number in candidates}
        self._named = [name for name in question.names if name in authors]

    def of(self, at: int) -> dict[str, float]:
        """The signals of the memory at a position, by name; those that say nothing are left out."""
        cues = Cue(self._catalogue.cues[at])
        made = self._catalogue.abouts[self._catalogue.about[at]].created_at
        signals = {
            "author": self._author(self._catalogue.author(at)),
            "date": DATE * nearness(self._asked.days, made) if self._asked.days else 0.0,
            "answer": sum(_answers(self._asked.kinds, cues)),
            "statement": 0.0 if Cue.ASKS in cues else STATEMENT,
            "personal": PERSONAL if Cue.PERSONAL in cues else 0.0,
        }
        return {name: value for name, value in signals.items() if value}

    def _author(self, author: str) -> float:
        """Who is named first is who the question is about."""
        if author.lower() not in self._named:
            return 0.0
        return AUTHOR if author.lower() == self._named[0] else OTHER_AUTHOR


def _answers(asked: Cue, cues: Cue) -> Iterator[float]:
    if Cue.MOMENT in asked:
        yield MOMENT if Cue.MOMENT in cues else 0.0
        yield PERIOD if Cue.PERIOD in cues else 0.0
    for cue, weight in ANSWERS.items():
        if cue in asked and cue in cues:
            yield weight


def nearness(days: Sequence[Named], created_at: str) -> float:
    """How near an ISO 8601 date or time is to the nearest of some days: 0 to SAME_DAY."""
    made = _day(created_at)
    return max((_near(named, made) for named in days), default=0.0) if made else 0.0


def _near(named: Named, made: date) -> float:
    if named.year not in (None, made.year) or named.month not in (None, made.month):
        return 0.0
    if named.month is None:
        return YEAR_ALONE
    if named.day is None:
        return 1.0
    apart = abs(made.day - named.day)
    return SAME_DAY if apart == 0 else NEAR_DAY if apart <= _NEAR_DAYS else YEAR_ALONE


def company(catalogue: Catalogue, told: Mapping[int, float]) -> dict[int, float]:
    """What lends to each memory the best of the others that were made on its day: 0 to SITTING.

    `told`: row number to how well its words and vectors answer, on any scale. What was made on one
    day is often of one piece of work, so that the answer may stand beside the words. Squared, so
    that only what stands out lends; less the more of all are of that day, as after an import.
    """
    of_day = defaultdict[date | None, list[int]](list)
    for number in told:
        at = catalogue.row_at[number]
        of_day[_day(catalogue.abouts[catalogue.about[at]].created_at)].append(number)
    of_day.pop(None, None)
    best, lent = max(told.values(), default=0.0) or 1.0, dict[int, float]()
    for numbers in of_day.values():
        first, second = nlargest(2, (*(told[number] for number in numbers), 0.0))
        share = SITTING * (1 - len(numbers) / len(told))
        for number in numbers:
            beside = second if told[number] == first else first
            lent[number] = share * (beside / best) ** 2
    return lent


def _day(created_at: str) -> date | None:
    try:
        return date.fromisoformat(created_at[:10])
    except ValueError:
        return None
