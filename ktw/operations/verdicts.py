"""The verdicts of all memory files of a project at once, on bytes read now.

Asks no index: what a verdict needs of a file is its outline, kept by content. Shows no text.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from ktw.boundaries import Unreadable
from ktw.displaced import may_differ
from ktw.evidence import Evidence, shared
from ktw.index import refresh
from ktw.memory import is_uuid, place_address
from ktw.operations.in_force import Standing, in_force
from ktw.outlines import Outline, Seen, files_per_id, survey
from ktw.policy import PolicyReading
from ktw.store import Project
from ktw.trust import Verdict, judge


@dataclass(frozen=True)
class FileVerdict:
    """One memory file and what trust says of it; `id` where it holds one entry."""

    path: str
    id: str | None
    verdict: Verdict
    claimed: bool
    unreadable: bool = False


@contextmanager
def verdicts(
    project: Project, reading: PolicyReading | None = None
) -> Iterator[tuple[list[FileVerdict], Evidence, list[Seen]]]:
    """Every memory file with its verdict, the evidence that they rest on, still open, and what was
    seen of each file; `reading`: the policy, where it was read already."""
    seen = survey(project)
    with Evidence(project, lambda: shared(files_per_id(seen)), many=True) as evidence:
        if reading is not None:
            evidence.reading = reading
        yield [_file_verdict(evidence, each) for each in seen], evidence, seen


def standing_in(evidence: Evidence, seen: Sequence[Seen]) -> Sequence[Standing]:
    """What is in force in words that no file here holds; asks the index only where some differ."""
    if not may_differ(evidence, seen):
        return ()
    with closing(refresh(evidence.project)) as snapshot:
        return in_force(evidence.project, evidence, snapshot).standing


def from_git(each: Standing) -> FileVerdict:
    """The verdict on words that stand in git alone."""
    one = each.reading
    return FileVerdict(one.file.path, one.address, one.verdict, True)


def _file_verdict(evidence: Evidence, seen: Seen) -> FileVerdict:
    path, found = f"{evidence.project.context_name}/{seen.name}", seen.outline
    if isinstance(found, Unreadable):
        return FileVerdict(path, None, Verdict("unapproved", (found.why,)), False, True)
    if found.problems:
        return FileVerdict(path, None, Verdict("unapproved", found.problems), False, True)
    verdict = judge(evidence.facts_of(path, found))
    return FileVerdict(path, _address(path, found), verdict, found.claimed)


def _address(path: str, found: Outline) -> str | None:
    """The address of the only entry of a file, as `memory.address` gives it."""
    if found.anchor is None:
        return None
    id_ = found.ids[0].lower() if found.ids else ""
    return id_ if is_uuid(id_) else place_address(path, found.anchor)
