"""Recall, show and list: find memories, judge them on the bytes read, render them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ktw.bm25 import Term
from ktw.embedding import Embedder
from ktw.errors import KtwError
from ktw.evidence import Evidence
from ktw.focus import Focus
from ktw.held import COLD, Cold
from ktw.index import Progress, Snapshot, refresh
from ktw.limits import BUDGET, DEFAULT_LIMIT, MORE_LIMIT
from ktw.memory import NOTE
from ktw.model_files import ModelFault
from ktw.operations.aging import Aging, marked
from ktw.operations.answering import Answer, Answering, Found, note_shown
from ktw.operations.earned import earned
from ktw.operations.finding import (
    NotFound,
    evidence_for,
    find_memory,
    read_file,
    read_places,
    search,
)
from ktw.operations.in_force import InForce, in_force, place_of
from ktw.operations.taint import TAINTS, Sources, as_findings
from ktw.priors import EarnedBy
from ktw.render import Reading, Shown, show
from ktw.search import Hit, Matches, Meaning, Ranked
from ktw.store import Project, path_of
from ktw.withholding import shown_words

if TYPE_CHECKING:
    from keep_the_why_lint.finding import Finding
    from ktw.vector_index import VectorIndex

__all__ = ["Answer", "Cold", "Found"]


class Listing(NamedTuple):
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
    held: Cold = COLD,
) -> Answer:
    """The memories that answer `question`, best first, each with the verdict git can prove."""
    return next(recall_many(project, [question], now, limit, budget, model, progress, held))


def recall_many(
    project: Project,
    questions: Iterable[str],
    now: datetime,
    limit: int = DEFAULT_LIMIT,
    budget: int = BUDGET,
    model: str = "",
    progress: Progress | None = None,
    held: Cold = COLD,
) -> Iterator[Answer]:
    """One answer a question, from one snapshot and one set of git facts.

    `held`: what this process keeps between questions, or has begun.
    """
    snapshot = held.snapshot(project, progress)
    objects, stated = held.objects(project.repository), held.stated(project)
    with evidence_for(project, snapshot, objects, stated) as evidence:
        standing = in_force(project, evidence, snapshot)
        gained = earned(evidence)
        ranking = Ranking(project, snapshot, now, held, model, standing, gained)
        aging = Aging(evidence, gained, now)
        answering = Answering(project, evidence, snapshot.catalogue, standing, aging)
        for question in questions:
            ranked = ranking.rank(question, max(limit, MORE_LIMIT))
            find = Focus(question, ranking.embedder).find
            answer = answering.fill(ranking.answer(question), ranked, limit, budget, find)
            try:
                yield answer
            finally:
                note_shown(evidence, (found.reading for found in answer.found))


class Ranking:
    """Ranks questions over one snapshot, with vectors where the extra is installed."""

    def __init__(
        self,
        project: Project,
        snapshot: Snapshot,
        now: datetime,
        held: Cold,
        model: str,
        in_force: InForce,
        earned: EarnedBy,
    ) -> None:
        self._project, self.snapshot, self._now = project, snapshot, now
        self.in_force, self._earned, self._held = in_force, earned, held
        self._model_notices: list[str] = []
        self.embedder: Embedder | None
        try:
            self.embedder = held.embedder(model)
        except KtwError as error:
            self._go_without(error)

    @cached_property
    def _vectors(self) -> "VectorIndex":
        return self._held.vectors()

    @property
    def notices(self) -> list[str]:
        """What is to be said of the index and the model as they are now."""
        return [*self.snapshot.notes, *unreadable(self.snapshot), *self._model_notices]

    @property
    def mode(self) -> str:
        if self.snapshot.directory is None:
            return "scan"
        return "hybrid" if self.embedder else "lexical"

    def answer(self, question: str) -> Answer:
        """An answer that holds nothing yet."""
        model = self.embedder.name if self.embedder else None
        return Answer(question, self.mode, model, self.notices)

    def rank(self, question: str, limit: int) -> Ranked:
        """The best that `question` finds, none of them twice."""
        try:
            found = self._found(question, limit)
        except ModelFault as error:
            self._go_without(error)
            found = self._found(question, limit)
        return found._replace(hits=[hit for hit in found.hits if not self._repeats(hit)])

    def _go_without(self, error: KtwError) -> None:
        self.embedder = None
        self._model_notices.append(f"{error.what}; the words alone were searched")

    def _found(self, question: str, limit: int) -> Ranked:
        meaning, beside = partial(self._meaning, question), self.in_force.beside
        facts = (self._now, meaning, limit, beside, self._earned)
        return search(self._project, self.snapshot, question, *facts)

    def _repeats(self, hit: Hit) -> bool:
        path = path_of(self._project, hit.place.name)
        return self.in_force.repeats(path, hit.place.row.anchor)

    def _meaning(self, question: str) -> Meaning | None:
        texts = self.in_force.beside.texts(self.snapshot.catalogue)
        if self.embedder is None or not (self.snapshot.catalogue.size or texts):
            return None
        from ktw.vectors import embed

        asked = self.embedder.vectors([question])[0]
        kept = self._vectors.kept(self._project, self.snapshot, self.embedder)
        near = kept.vectors.cosines(asked)
        if texts:
            near |= embed(self.embedder, texts).cosines(asked)
        return Meaning(near, partial(self._matches, self.embedder, question))

    def _matches(
        self, embedder: Embedder, question: str, terms: Mapping[str, Term], numbers: Sequence[int]
    ) -> Matches:
        from ktw.softmatch import matches
        from ktw.token_lists import token_lists_of

        lists = self._vectors.lists(self._project, self.snapshot, embedder, numbers)
        texts = self.in_force.beside.words(self.snapshot.catalogue)
        beside = {number: text for number, text in texts.items() if number in numbers}
        lists |= token_lists_of(embedder, beside)
        return matches(embedder, question, terms, lists, self._held.stays)


def unreadable(snapshot: Snapshot) -> list[str]:
    """What is to be said of files that could not be read: how many."""
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
    project: Project, reference: str, budget: int = BUDGET, now: datetime | None = None
) -> list[tuple[Reading, Shown]]:
    """One memory whole, or every memory of the file that `reference` names; raises NotFound.

    `now`: say what time did to it, too.
    """
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
        found = [sources.told(one) for one in kept]
        if now is not None:
            found = Aging(evidence, earned(evidence), now).told(found)
        return [(told, show(told, budget)) for told in found]


def _read_as(
    project: Project, evidence: Evidence, snapshot: Snapshot, reference: str
) -> list[Reading]:
    """What the work tree holds under a name."""
    names = [name for name in snapshot.catalogue.names if _names_file(project, name, reference)]
    if names:
        return read_file(project, evidence, names[0])
    place = find_memory(project, snapshot.catalogue, reference, notes=True)
    return [one for one in read_places(project, evidence, [place]) if one is not None]


def _names_file(project: Project, name: str, reference: str) -> bool:
    stem = reference.strip().removeprefix(f"{project.context_name}/").removesuffix(".md")
    return name == f"{stem}.md"


def findings_of(reading: Reading) -> list[dict[str, object]]:
    """What the linter says of a memory's file: code, severity, line and message of each.

    Messages quote the file, so an unapproved one gets the names of the rules alone.
    """
    from keep_the_why_lint.runner import check_draft

    linted = [] if reading.file.is_note else check_draft(reading.file)
    found = [*linted, *as_findings(reading.file, reading.taints)]
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
    """Every memory that the filters leave: what is in force from git alone, then in file order.

    Local notes are listed where their kind is asked for, and nowhere else.
    """
    snapshot = refresh(project, progress)
    with evidence_for(project, snapshot) as evidence:
        here = (
            reading
            for name in (snapshot.catalogue.notes if kind == NOTE else snapshot.catalogue.names)
            for reading in read_file(project, evidence, name)
        )
        standing = in_force(project, evidence, snapshot)
        sources = Sources(project, evidence, snapshot.catalogue, standing)
        gained = earned(evidence)
        readings = [
            marked(sources.told(reading), gained)
            for reading in chain((each.reading for each in standing.standing), here)
            if verdict in (None, reading.verdict.name)
            and kind in (None, reading.kind)
            and origin in (None, reading.origin)
        ]
        return Listing(readings, [*snapshot.notes, *unreadable(snapshot)])
