"""The verdicts of all memory files of a project at once, on bytes read now.

Asks no index: what a verdict needs of a file is its outline, kept by content. Shows no text.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ktw.boundaries import Unreadable
from ktw.evidence import Evidence, shared
from ktw.memory import is_uuid, place_address
from ktw.outlines import Outline, Seen, files_per_id, survey
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
def verdicts(project: Project) -> Iterator[tuple[list[FileVerdict], Evidence]]:
    """Every memory file with its verdict, and the evidence that they rest on, still open."""
    seen = survey(project)
    with Evidence(project, lambda: shared(files_per_id(seen)), many=True) as evidence:
        yield [_file_verdict(evidence, each) for each in seen], evidence


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
