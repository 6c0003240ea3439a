"""Status, verify and index: what holds in this clone, and why."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ktw.config import schema_version
from ktw.embedding import is_installed, load_embedder
from ktw.errors import KtwError
from ktw.evidence import Evidence
from ktw.index import Progress, refresh
from ktw.operations.in_force import Standing, in_force
from ktw.operations.verdicts import FileVerdict, from_git, standing_in, verdicts
from ktw.operations.worth import ground, method_worth
from ktw.policy import PolicyReading, known_default_branches
from ktw.scan import Located
from ktw.store import Project, find_project

_NOT_BACKED = frozenset({"lapsed", "unconfirmed", "revoked", "unknown"})


@dataclass(frozen=True)
class Verification:
    """Every memory file with its verdict; `in_force`: words from git that none of them holds."""

    files: tuple[FileVerdict, ...]
    in_force: tuple[FileVerdict, ...] = ()

    @property
    def summary(self) -> Mapping[str, int]:
        return Counter(file.verdict.name for file in self.files)

    @property
    def all_backed(self) -> bool:
        """False when some file claims an approval that does not hold here."""
        return not any(file.claimed and file.verdict.name in _NOT_BACKED for file in self.files)


@dataclass(frozen=True)
class Status:
    """The state of a project in this clone, and what a person could do next.

    `in_force` counts, in words, the memories that hold in words which the work tree lacks.
    """

    project: Project
    schema: str
    policy: PolicyReading
    fetched_at: datetime | None
    verdicts: Mapping[str, int]
    entries: int
    mode: str
    model: str | None
    problems: tuple[Located, ...]
    next: tuple[str, ...]
    worth: Mapping[str, str]
    in_force: tuple[str, ...] = ()


def verify(project: Project) -> Verification:
    """The verdict of every memory file, on bytes read now."""
    with verdicts(project) as (files, evidence, seen):
        standing = standing_in(evidence, seen)
        return Verification(tuple(files), tuple(from_git(each) for each in standing))


def status(project: Project, model: str = "", progress: Progress | None = None) -> Status:
    """What this project and this clone look like, with the next useful steps."""
    snapshot = refresh(project, progress)
    with closing(snapshot), verdicts(project) as (files, evidence, _):
        standing = in_force(project, evidence, snapshot).standing
        embedder = load_embedder(model) if is_installed() else None
        return Status(
            project=project,
            schema=".".join(str(part) for part in schema_version(project.config)),
            policy=evidence.reading,
            fetched_at=last_fetch(project, evidence.reading),
            verdicts=Verification(tuple(files)).summary,
            entries=snapshot.catalogue.memories,
            mode="scan" if snapshot.directory is None else "hybrid" if embedder else "lexical",
            model=embedder.name if embedder else None,
            problems=tuple(snapshot.problems),
            next=tuple(
                [
                    *_policy_steps(project, evidence),
                    *_memory_steps(evidence.reading, files, bool(snapshot.problems)),
                    *_silenced_steps(standing),
                ]
                or [_first_step(snapshot.catalogue.memories)]
            ),
            worth=_worth(evidence),
            in_force=tuple(_counted(standing)),
        )


def _counted(standing: Sequence[Standing]) -> Iterator[str]:
    counts = Counter((each.at, each.state) for each in standing)
    for (at, state), count in sorted(counts.items()):
        yield f"{count} in force from {at}, {state}"


def _worth(evidence: Evidence) -> Mapping[str, str]:
    policy = evidence.reading.policy
    rests_on = ground(evidence)
    return {method: method_worth(method, rests_on) for method in policy.methods} if policy else {}


def verdict_of(root: Path) -> Callable[[str], str | None] | None:
    """A function from a memory file's path to its verdict here; None without git or policy."""
    try:
        project = find_project(root)
    except KtwError:
        return None
    found = {file.path: file.verdict.name for file in verify(project).files}
    with Evidence(project) as evidence:
        return found.get if evidence.reading.policy is not None else None


def last_fetch(project: Project, reading: PolicyReading) -> datetime | None:
    """When the trust ref was last fetched, as far as FETCH_HEAD tells."""
    if reading.policy is None or not (reading.policy.trust_ref or "").startswith("refs/remotes/"):
        return None
    places = {project.repository.git_dir, project.repository.common_dir}
    fetched = [place / "FETCH_HEAD" for place in places if (place / "FETCH_HEAD").is_file()]
    cloned = project.repository.common_dir / "packed-refs"
    markers = fetched or ([cloned] if cloned.is_file() else [])
    latest = max((marker.stat().st_mtime for marker in markers), default=None)
    return datetime.fromtimestamp(latest, UTC) if latest is not None else None


def _first_step(entries: int) -> str:
    return (
        "ktw recall QUESTION: ask" if entries else "ktw remember TITLE --body TEXT: keep something"
    )


def _policy_steps(project: Project, evidence: Evidence) -> list[str]:
    """What is missing so that approvals can count here."""
    policy = evidence.reading.policy
    if policy is None:
        return [f"{evidence.reading.todo}; until then nothing is approved"]
    if policy.trust_ref is not None and evidence.trust_tip is None:
        return [f"git fetch: {policy.trust_ref} is not in this clone, so `merged` proves nothing"]
    if "merged" not in policy.methods and known_default_branches(project.repository):
        return ["ktw init: there is a remote now, so that merged approvals could count"]
    return []


def _memory_steps(
    reading: PolicyReading, files: Sequence[FileVerdict], problems: bool
) -> list[str]:
    verdicts = Verification(tuple(file for file in files if not file.unreadable)).summary
    steps = []
    if problems:
        steps.append("keep-the-why-lint: see what is wrong with the files that were left out")
    waiting = verdicts.get("unapproved", 0) + verdicts.get("lapsed", 0)
    if waiting and reading.policy is not None:
        await_ = "1 memory file awaits" if waiting == 1 else f"{waiting} memory files await"
        steps.append(f"ktw review: {await_} a person")
    if verdicts.get("unconfirmed", 0):
        steps.append("ktw verify: see why a claim is not backed here")
    return steps


def _silenced_steps(standing: Sequence[Standing]) -> list[str]:
    """What to do about memories that hold although the work tree says something else."""
    if not standing:
        return []
    them = "approved words that stand" if len(standing) > 1 else "the approved words that stand"
    return [f"ktw verify: see {them} in git alone; restore them, or decide: ktw review, ktw revoke"]


def build_index(
    project: Project, rebuild: bool, model: str = "", progress: Progress | None = None
) -> tuple[int, int, list[str]]:
    """Bring the index (and the vectors) up to date: memories, files read, notes."""
    snapshot = refresh(project, progress, rebuild)
    try:
        embedder = load_embedder(model)
        if embedder is not None:
            from ktw.vector_index import VectorIndex

            VectorIndex().kept(project, snapshot, embedder)
        return snapshot.catalogue.size, snapshot.read, list(snapshot.notes)
    finally:
        snapshot.close()
