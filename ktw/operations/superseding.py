"""Whose memory it is: an agent proposes where a person may change, and a person supersedes.

Every writer that would change, rename, hide, pin or delete a memory asks here first.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime

from ktw.atomic import styled_like
from ktw.entries import Entry
from ktw.errors import UsageError, visible
from ktw.index import refresh
from ktw.memory import edit_memory, is_uuid
from ktw.operations.approving import Recorded, approve_all
from ktw.operations.candidate import candidate
from ktw.operations.finding import NotFound, evidence_for, find_memory, read_places
from ktw.operations.in_force import in_force
from ktw.render import Reading
from ktw.store import Project, replace


def may_change(readings: Sequence[Reading], by_agent: bool) -> bool:
    """False for an agent's surface and a memory that its owner wrote or approved.

    `readings`: the memory here and, where there are such, its words in force in git.
    """
    owned = any(one.origin == "owner" or one.verdict.approved for one in readings)
    return not (by_agent and owned)


def all_of(project: Project, reference: str) -> list[Reading]:
    """The memory that `reference` names, here and as it is in force in git; raises NotFound."""
    snapshot = refresh(project)
    with evidence_for(project, snapshot) as evidence:
        there = in_force(project, evidence, snapshot).named(project, reference)
        try:
            place = find_memory(project, snapshot.catalogue, reference)
            here = [one for one in read_places(project, evidence, [place]) if one is not None]
        except NotFound:
            if not there:
                raise
            here = []
    return [*here, *there]


def target_id(project: Project, reference: str) -> str:
    """The Id of the memory that is to be superseded; raises NotFound, UsageError without one."""
    found = all_of(project, reference)
    if not found or not is_uuid(found[0].address):
        raise UsageError(
            f"{visible(reference)} has no Id that a proposal could name",
            "Give it an Id first, or write a memory of its own.",
        )
    return found[0].address


def supersede(project: Project, old: str, new: str, now: datetime) -> Recorded:
    """A person lets the memory `new` take the place of `old`, and approves both as they are then.

    All or nothing; not committed. Raises as `approve_all` does, and UsageError where the old one
    has no Status line.
    """
    chosen = candidate(project, old)
    entry = next(e for e in chosen.file.memories if (e.id or "").lower() == old)
    with ExitStack() as undo:
        marked = _marked(chosen.file.text, entry, new)
        _write(project, undo, chosen.file.path, chosen.data, marked)
        proposal = candidate(project, new)
        text = edit_memory(proposal.file.text, [("proposes", None)])
        _write(project, undo, proposal.file.path, proposal.data, text)
        both = [candidate(project, new), candidate(project, old)]
        done = approve_all(project, both, now, commit=False, person=True)
        undo.pop_all()
    return done


def _write(project: Project, undo: ExitStack, path: str, data: bytes, text: str) -> None:
    place, new = project.root / path, styled_like(data, text)
    replace(place, new, data)
    undo.callback(replace, place, data, new)


def _marked(text: str, entry: Entry, successor: str) -> str:
    """The text with the entry's status superseded and its successor named."""
    status = next(iter(entry.get("Status")), None)
    if status is None:
        raise UsageError("the memory has no **Status:** line", "Add one, then try again.")
    lines = text.split("\n")
    gone = {field.line - 1 for field in entry.get("Superseded by")}
    lines[status.line - 1] = f"**Status:** superseded\n**Superseded by:** {successor}"
    return "\n".join(line for at, line in enumerate(lines) if at not in gone)
