"""The queue of a review: which memory files wait for a person, in which order, and what is known
of each.

Reads and judges; approves nothing and prints nothing.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from keep_the_why_lint.finding import Finding
from ktw.boundaries import Unreadable
from ktw.errors import KtwError, UsageError, visible
from ktw.evidence import Evidence, shared
from ktw.fields import obstacles
from ktw.frontmatter import Problem
from ktw.git import GitFailed
from ktw.git.log import Touch, touches
from ktw.index import refresh
from ktw.memory import MemoryFile, parse_memory
from ktw.operations.candidate import Candidate, candidate, findings_for_approval
from ktw.operations.in_force import in_force
from ktw.operations.taint import TAINTS, Sources, as_findings
from ktw.outlines import Outline, Seen, files_per_id, survey
from ktw.store import Project, read_bytes
from ktw.trust import Verdict, judge

WAITING = ("unapproved", "lapsed", "unconfirmed")
_TOUCHES_TOLD = 3
_LESS_TRUSTED = ("derived", "imported", "agent", "owner")


@dataclass(frozen=True)
class Filters:
    """Which part of the queue a person wants to see; the empty one keeps everything.

    `since` is a date or time as memories carry it; `source` a part of the source.
    """

    origin: str | None = None
    kind: str | None = None
    since: str | None = None
    source: str | None = None
    mine: bool = False

    def keep(self, file: Outline) -> bool:
        """True for a file that passes all of them."""
        return (
            self.origin in (None, file.origin)
            and self.kind in (None, file.kind)
            and (self.since is None or (file.created_at or "") >= self.since)
            and (self.source is None or self.source in (file.source or ""))
            and (not self.mine or file.origin == "owner")
        )


@dataclass(frozen=True)
class Waiting:
    """One memory file that waits for a person, as it was read; `shared_ids` as in Candidate,
    `taints` what is to be said of its sources."""

    project: Project
    name: str
    file: MemoryFile
    data: bytes
    verdict: Verdict
    shared_ids: frozenset[str]
    taints: tuple[Finding, ...] = ()

    @cached_property
    def candidate(self) -> Candidate:
        """What would be approved, with its findings."""
        findings = findings_for_approval(self.file, self.project.config, self.taints)
        return Candidate(self.file, self.data, self.verdict, findings, self.shared_ids)

    @property
    def grave(self) -> tuple[Finding, ...]:
        """The findings that a person has to name in order to approve it all the same."""
        return self.candidate.grave

    @property
    def obstacle(self) -> str | None:
        """Why it cannot be approved as it is, or None."""
        if self.shared_ids.intersection(id_.lower() for id_ in self.file.ids):
            return "another file carries its Id"
        return f"line {self._faults[0].line}: {self._faults[0].message}" if self._faults else None

    @property
    def obstacle_outside(self) -> str | None:
        """As `obstacle`, without a word of the file's author: to be read outside a frame."""
        if not self._faults:
            return self.obstacle
        return f"line {self._faults[0].line}: {self._faults[0].kind}"

    @cached_property
    def _faults(self) -> list[Problem]:
        return obstacles(self.file)


@dataclass(frozen=True)
class Background:
    """What git and the other memories say of a waiting file.

    `before` is the version that was approved last, `target` the memory it wants to replace.
    """

    touches: tuple[Touch, ...] = ()
    before: MemoryFile | None = None
    target: MemoryFile | None = None
    target_missing: bool = False

    def only_renamed(self, file: MemoryFile) -> bool:
        """True where the words are those approved last, and only the file has another name."""
        before = self.before
        return before is not None and before.computed_hash == file.computed_hash


def queue(project: Project, filters: Filters = Filters(), riskiest: bool = False) -> list[Waiting]:
    """Every memory file that waits for a person, oldest first, or the riskiest first.

    Files that cannot be read as memories wait for a repair, not for an approval.
    """
    seen = survey(project)
    ids = shared(files_per_id(seen))
    with Evidence(project, lambda: ids, many=True) as evidence:
        names = [each.name for each in seen if _may_wait(evidence, each, filters)]
        found = (_waiting(evidence, name, ids) for name in names)
        waiting = _with_taints(evidence, [each for each in found if each is not None])
    return sorted(waiting, key=_risk if riskiest else _age)


def _with_taints(evidence: Evidence, waiting: list[Waiting]) -> list[Waiting]:
    """The same with what is to be said of their sources; asks the index only where one has any."""
    if not any(each.file.derived_from for each in waiting):
        return waiting
    project = evidence.project
    with closing(refresh(project)) as snapshot:
        standing = in_force(project, evidence, snapshot)
        sources = Sources(project, evidence, snapshot.catalogue, standing)
        found = [(each, sources.of(each.file)) for each in waiting]
        return [replace(each, taints=as_findings(each.file, told)) for each, told in found]


def _may_wait(evidence: Evidence, seen: Seen, filters: Filters) -> bool:
    found = seen.outline
    if isinstance(found, Unreadable) or found.problems or not filters.keep(found):
        return False
    path = f"{evidence.project.context_name}/{seen.name}"
    return judge(evidence.facts_of(path, found)).name in WAITING


def _waiting(evidence: Evidence, name: str, ids: frozenset[str]) -> Waiting | None:
    """The file as it is now, judged on the bytes that will be shown; None: it waits no more."""
    project = evidence.project
    try:
        data = read_bytes(project, name)
    except Unreadable:
        return None
    file = parse_memory(f"{project.context_name}/{name}", data)
    verdict = evidence.verdict(file, data)
    if file.problems or verdict.name not in WAITING:
        return None
    return Waiting(project, name, file, data, verdict, ids)


def again(waiting: Waiting) -> Waiting | None:
    """The same file as it is now, None where it does not wait any more."""
    project = waiting.project
    try:
        now = candidate(project, waiting.name)
    except KtwError:
        return None
    if now.verdict.name not in WAITING:
        return None
    taints = tuple(found for found in now.findings if found.code in TAINTS)
    return replace(waiting, file=now.file, data=now.data, verdict=now.verdict, taints=taints)


def since(text: str) -> str:
    """A date that `Filters.since` can compare with; raises UsageError for anything else."""
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{visible(text)} is no date", "Write it as 2026-01-31 or 2026-01-31T12:00:00Z."
        ) from error
    return text


def _age(waiting: Waiting) -> tuple[str, str]:
    return (waiting.file.created_at or "", waiting.name)


def _risk(waiting: Waiting) -> tuple[bool, int, bool, tuple[str, str]]:
    """What directs comes first, then what came from farthest away, then what was once approved."""
    origin = waiting.file.origin
    distance = _LESS_TRUSTED.index(origin) if origin in _LESS_TRUSTED else 0
    once_approved = waiting.verdict.name == "lapsed"
    return (not waiting.grave, distance, not once_approved, _age(waiting))


def background(waiting: Waiting) -> Background:
    """What a reviewer wants to know of one file besides its text (a few git processes)."""
    project, file = waiting.project, waiting.file
    try:
        told = touches(project.repository, project.git_path(file.path))
    except GitFailed:
        told = []
    with Evidence(project) as evidence:
        before = _approved_before(project, evidence, file, told)
    target, missing = _target(project, file)
    return Background(tuple(told[:_TOUCHES_TOLD]), before, target, missing)


def _approved_before(
    project: Project, evidence: Evidence, file: MemoryFile, told: Sequence[Touch]
) -> MemoryFile | None:
    """The words approved last under any name this file had: on the trust ref, or in the ledger.

    A version that merely claims an approval does not count: it would lend its words' weight to
    those that differ little from it.
    """
    start = f"{project.prefix}/" if project.prefix else ""
    older = [touch.path.removeprefix(start) for touch in told if touch.path.startswith(start)]
    for path in dict.fromkeys([file.path, *older]):
        found = evidence.approved_at_ref(path)
        if found is not None:
            return found
    versions = (evidence.version(touch.commit, touch.path, start) for touch in told)
    return next((v for v in versions if v is not None and evidence.is_in_ledger(v)), None)


def _target(project: Project, file: MemoryFile) -> tuple[MemoryFile | None, bool]:
    if not file.proposes:
        return None, False
    try:
        return candidate(project, file.proposes).file, False
    except KtwError:
        return None, True
