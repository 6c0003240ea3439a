"""From what ranking found to an answer: judged on the bytes read, rendered, with what was left out
and what is to be said of each memory."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ktw.catalogue import Catalogue
from ktw.evidence import Evidence
from ktw.git import GitFailed
from ktw.limits import MORE_LIMIT
from ktw.operations.aging import Aging
from ktw.operations.finding import read_places
from ktw.operations.in_force import InForce, Parts, with_edits
from ktw.operations.taint import Sources
from ktw.recalled import NO_COMMIT, record
from ktw.render import Find, Reading, Shown, show
from ktw.search import Hit, Ranked
from ktw.store import Project

_RELEVANT_SHARE = 0.3
# Below it lie two of five questions that nothing answers, and one of fifty that something does.
FEW = 0.25
FEW_WORDS = "weak: the best of these holds few of the words asked"
_BY_WORDS = frozenset(("lexical", "words", "sentence", "cosine"))


class Found(NamedTuple):
    """One memory of an answer, rendered, with its score and what the score is made of."""

    reading: Reading
    shown: Shown
    score: float
    parts: Parts


class Answer:
    """What recall found for one question, and what it left out; `faded` counts what fits and has
    left recall. Made empty, and filled."""

    def __init__(
        self, question: str, mode: str, model: str | None, notices: Sequence[str] = ()
    ) -> None:
        self.question, self.mode, self.model = question, mode, model
        self.found: list[Found] = []
        self.omitted: list[Reading] = []
        self.notices = list(notices)
        self.faded = 0

    @property
    def withheld(self) -> int:
        return sum(found.shown.withheld for found in self.found)


class Answering:
    """Fills answers from one set of git facts."""

    def __init__(
        self,
        project: Project,
        evidence: Evidence,
        catalogue: Catalogue,
        in_force: InForce,
        aging: Aging,
    ) -> None:
        self._project, self._evidence, self._in_force = project, evidence, in_force
        self._aging = aging
        self._sources = Sources(project, evidence, catalogue, in_force)

    def fill(self, answer: Answer, ranked: Ranked, limit: int, budget: int, find: Find) -> Answer:
        """The answer with at most `limit` memories, `budget` characters of text each: around what
        `find` finds in a longer one."""
        rows: list[tuple[float, Parts, Reading]] = []
        answer.faded = ranked.faded
        for row in with_edits(self._in_force, *self._read(ranked.hits, limit)):
            if self._aging.has_faded(row[2]):
                answer.faded += 1
            elif len(rows) < limit:
                rows.append(row)
            else:
                answer.omitted.append(row[2])
        told = self._aging.told([self._sources.told(reading) for _, _, reading in rows])
        for (score, parts, _), reading in zip(rows, told, strict=True):
            answer.found.append(Found(reading, show(reading, budget, find), score, parts))
        if answer.found and ranked.held < FEW:
            answer.notices.append(FEW_WORDS)
        return answer

    def _read(
        self, hits: Sequence[Hit], limit: int
    ) -> tuple[Sequence[Hit], Sequence[Reading | None]]:
        hits = [hit for hit in hits if _answers(hit, hits[0])]
        best = hits[0].score if hits else 0.0
        relevant = [hit for hit in hits[:MORE_LIMIT] if hit.score >= _RELEVANT_SHARE * best]
        chosen = hits[: max(limit, len(relevant))]
        places = [hit.place for hit in chosen]
        return chosen, read_places(self._project, self._evidence, places, self._in_force.readings)


def _answers(hit: Hit, best: Hit) -> bool:
    """A hit that shares a word with the question, or comes near the best one in meaning."""
    return dict(hit.parts)["lexical"] > 0 or _nearness(hit) >= _RELEVANT_SHARE * _nearness(best)


def _nearness(hit: Hit) -> float:
    """What a hit says of the question itself, whoever wrote it and however it is put."""
    return sum(value for name, value in hit.parts if name in _BY_WORDS)


def note_shown(evidence: Evidence, shown: Iterable[Reading]) -> None:
    """Note the approved ones among memories that were shown, where the hook is wanted."""
    if not evidence.reading.notes_recalled:
        return
    addresses = [one.address for one in shown if one.verdict.approved]
    try:
        head = evidence.objects.commit("HEAD") or NO_COMMIT
    except GitFailed:
        return
    record(evidence.project.repository.git_dir, head, addresses)
