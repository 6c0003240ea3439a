"""Recall, show and list: find memories, judge them on the bytes read, render them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ktw.embedding import load_embedder
from ktw.errors import KtwError
from ktw.evidence import Evidence
from ktw.index import Progress, Snapshot, refresh
from ktw.operations.finding import (
    NotFound,
    evidence_for,
    find_memory,
    read_file,
    read_places,
    search,
)
from ktw.operations.in_force import InForce, Parts, in_force, place_of, with_edits
from ktw.operations.taint import TAINTS, Sources, as_findings
from ktw.render import BUDGET, Reading, Shown, show
from ktw.search import Hit, Ranked
from ktw.store import Project
from ktw.withholding import shown_words

if TYPE_CHECKING:
    from keep_the_why_lint.finding import Finding

DEFAULT_LIMIT, MORE_LIMIT = 5, 20
_RELEVANT_SHARE = 0.3


class Found(NamedTuple):
    """One memory of an answer, rendered, with its score and what the score is made of."""

    reading: Reading
    shown: Shown
    score: float
    parts: Parts


@dataclass
class Answer:
    """What recall found for one question, and what it left out."""

    question: str
    mode: str
    model: str | None
    found: list[Found]
    omitted: list[Reading] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    @property
    def withheld(self) -> int:
        return sum(found.shown.withheld for found in self.found)


@dataclass
class Listing:
    """Memories without their text, and what could not be read."""

    readings: list[Reading]
    notices: list[str]


def recall(
    project: Project,
    question: str,
    now: datetime,
    limit: int = DEFAULT_LIMIT,
    budget: int = BUDGET,
    model: str = "",
    progress: Progress | None = None,
) -> Answer:
    """The memories that answer `question`, best first, each with the verdict git can prove."""
    return next(recall_many(project, [question], now, limit, budget, model, progress))


def recall_many(
    project: Project,
    questions: Iterable[str],
    now: datetime,
    limit: int = DEFAULT_LIMIT,
    budget: int = BUDGET,
    model: str = "",
    progress: Progress | None = None,
) -> Iterator[Answer]:
    """One answer a question, from one snapshot and one set of git facts."""
    snapshot = refresh(project, progress)
    with evidence_for(project, snapshot) as evidence:
        standing = in_force(project, evidence, snapshot)
        ranking = _Ranking(project, snapshot, now, model, standing)
        sources = Sources(project, evidence, snapshot.catalogue, standing)
        for question in questions:
            found = ranking.rank(question, max(limit, MORE_LIMIT))
            yield _answer(project, evidence, ranking, sources, question, found.hits, limit, budget)


class _Ranking:
    """Ranks questions over one snapshot, with vectors where the extra is installed."""

    def __init__(
        self, project: Project, snapshot: Snapshot, now: datetime, model: str, in_force: InForce
    ) -> None:
        self._project, self.snapshot, self._now = project, snapshot, now
        self.in_force = in_force
        self._model_notices: list[str] = []
        try:
            self.embedder = load_embedder(model)
        except KtwError as error:
            self.embedder = None
            self._model_notices.append(f"{error.what}; the words alone were searched")

    @property
    def notices(self) -> list[str]:
        """What is to be said of the index and the model as they are now."""
        return [*self.snapshot.notes, *_unreadable(self.snapshot), *self._model_notices]

    @property
    def mode(self) -> str:
        if self.snapshot.directory is None:
            return "scan"
        return "hybrid" if self.embedder else "lexical"

    def rank(self, question: str, limit: int) -> Ranked:
        near, beside = partial(self._cosines, question), self.in_force.beside
        found = search(self._project, self.snapshot, question, self._now, near, limit, beside)
        return found._replace(hits=[hit for hit in found.hits if not self._repeats(hit)])

    def _repeats(self, hit: Hit) -> bool:
        path = f"{self._project.context_name}/{hit.place.name}"
        return self.in_force.repeats(path, hit.place.row.anchor)

    def _cosines(self, question: str) -> Mapping[int, float] | None:
        texts = self.in_force.beside.texts(self.snapshot.catalogue)
        if self.embedder is None or not (self.snapshot.catalogue.size or texts):
            return None
        from ktw.vectors import cosines, cosines_of

        known = cosines(self._project, self.snapshot, self.embedder, question)
        return known | cosines_of(self.embedder, texts, question)


def _answer(
    project: Project,
    evidence: Evidence,
    ranking: _Ranking,
    sources: Sources,
    question: str,
    hits: Sequence[Hit],
    limit: int,
    budget: int,
) -> Answer:
    model = ranking.embedder.name if ranking.embedder else None
    answer = Answer(question, ranking.mode, model, [], notices=ranking.notices)
    hits = [hit for hit in hits if _answers(hit, hits[0])]
    relevant = [hit for hit in hits[:MORE_LIMIT] if hit.score >= _RELEVANT_SHARE * hits[0].score]
    chosen = hits[: max(limit, len(relevant))]
    known = ranking.in_force.readings
    readings = read_places(project, evidence, [hit.place for hit in chosen], known)
    for score, parts, reading in with_edits(ranking.in_force, chosen, readings):
        if len(answer.found) < limit:
            told = sources.told(reading)
            answer.found.append(Found(told, show(told, budget), score, parts))
        else:
            answer.omitted.append(reading)
    return answer


def _answers(hit: Hit, best: Hit) -> bool:
    """A hit that shares a word with the question, or comes near the best one in meaning."""
    return dict(hit.parts)["lexical"] > 0 or hit.score >= _RELEVANT_SHARE * best.score


def _unreadable(snapshot: Snapshot) -> list[str]:
    files = {located.path for located in snapshot.problems}
    if not files:
        return []
    one = len(files) == 1
    what = (
        "1 file could not be read and was"
        if one
        else f"{len(files)} files could not be read and were"
    )
    return [f"{what} left out; see: ktw status"]


def show_memory(
    project: Project, reference: str, budget: int = BUDGET
) -> list[tuple[Reading, Shown]]:
    """One memory whole, or every memory of the file that `reference` names; raises NotFound."""
    snapshot = refresh(project)
    with evidence_for(project, snapshot) as evidence:
        standing = in_force(project, evidence, snapshot)
        kept = standing.named(project, reference)
        try:
            here = _read_as(project, evidence, snapshot, reference)
        except NotFound:
            if not kept:
                raise
            here = []
        kept += [one for one in here if not standing.repeats(*place_of(one))]
        if not kept:
            raise NotFound("that memory cannot be read now", "See why with: ktw status")
        sources = Sources(project, evidence, snapshot.catalogue, standing)
        return [(told, show(told, budget)) for told in map(sources.told, kept)]


def _read_as(
    project: Project, evidence: Evidence, snapshot: Snapshot, reference: str
) -> list[Reading]:
    """What the work tree holds under a name."""
    names = [name for name in snapshot.catalogue.names if _names_file(project, name, reference)]
    if names:
        return read_file(project, evidence, names[0])
    place = find_memory(project, snapshot.catalogue, reference)
    return [one for one in read_places(project, evidence, [place]) if one is not None]


def _names_file(project: Project, name: str, reference: str) -> bool:
    stem = reference.strip().removeprefix(f"{project.context_name}/").removesuffix(".md")
    return name == f"{stem}.md"


def findings_of(reading: Reading) -> list[dict[str, object]]:
    """What the linter says of a memory's file: code, severity, line and message of each.

    Messages quote the file, so an unapproved one gets the names of the rules alone.
    """
    from keep_the_why_lint.runner import check_draft

    found = [*check_draft(reading.file), *as_findings(reading.file, reading.taints)]
    return [
        {"code": f.code, "severity": f.severity, "line": f.line, "message": _told(f, reading)}
        for f in found
    ]


def _told(finding: "Finding", reading: Reading) -> str:
    if finding.code in TAINTS and finding in as_findings(reading.file, reading.taints):
        return finding.message  # in the program's own words and an Id
    if not reading.verdict.approved:
        return finding.rule
    if finding.code.startswith(("D", "F")):
        return finding.message  # in the rule's own words, which speak of directing
    return shown_words(finding.message, "message")


def list_memories(
    project: Project,
    verdict: str | None = None,
    kind: str | None = None,
    origin: str | None = None,
    progress: Progress | None = None,
) -> Listing:
    """Every memory that the filters leave: what is in force from git alone, then in file order."""
    snapshot = refresh(project, progress)
    with evidence_for(project, snapshot) as evidence:
        here = (
            reading
            for name in snapshot.catalogue.names
            for reading in read_file(project, evidence, name)
        )
        standing = in_force(project, evidence, snapshot)
        sources = Sources(project, evidence, snapshot.catalogue, standing)
        readings = [
            sources.told(reading)
            for reading in chain((each.reading for each in standing.standing), here)
            if verdict in (None, reading.verdict.name)
            and kind in (None, reading.kind)
            and origin in (None, reading.origin)
        ]
        return Listing(readings, [*snapshot.notes, *_unreadable(snapshot)])


def titles(project: Project) -> list[tuple[str, str | None]]:
    """Address of every memory, with its title where it is approved: for completion."""
    return [
        (reading.address, reading.entry.title if reading.verdict.approved else None)
        for reading in list_memories(project).readings
    ]
