"""Say of a memory that it helped, and pin it: marks in this clone's git notes, never in its file.

Nothing here lowers a memory. Of what an agent says only that it was said counts (for recency); its
pin keeps a memory from fading and no more, and it undoes no person's pin.
"""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from ktw import marks
from ktw.atomic import hold_lock
from ktw.errors import Refused, UsageError, visible
from ktw.git import Objects
from ktw.marks import PINNED, PROOFS, SELF_REPORT, UNPINNED, Mark, Note
from ktw.memory import is_uuid
from ktw.operations.superseding import all_of, may_change
from ktw.policy import read_policy
from ktw.priors import strength
from ktw.render import Reading
from ktw.store import Project

EVIDENCE = (*PROOFS, SELF_REPORT)
UNATTENDED = "unattended"
_PATIENCE_S = 20.0


class Reinforced(NamedTuple):
    """What was noted of the memory at an address: whether it counts for `strength` or `recency`,
    and the strength that its marks alone give it now (1.0 is none). `again`: it would count for
    strength, had the same not been noted today already."""

    address: str
    evidence: str
    counts_for: str
    strength: float
    again: bool = False


class Pinned(NamedTuple):
    """Whether a memory is pinned now, and whether that is new."""

    address: str
    pinned: bool
    changed: bool


def reinforce(
    project: Project, reference: str, evidence: str, by: str | None, now: datetime
) -> Reinforced:
    """Note that a memory helped. `by`: the agent that says so, None for a person at a terminal.

    Only a person's proof is strength, each kind once a day. Raises NotFound, and UsageError for
    another evidence or in a clone without a policy.
    """
    if evidence not in EVIDENCE:
        raise UsageError(
            f"'{visible(evidence)}' is no evidence that ktw knows", f"One of: {', '.join(EVIDENCE)}"
        )
    _check_policy(project)
    one = all_of(project, reference)[0]
    mark = Mark(now, evidence, by or "")
    before: list[Mark] = []

    def noted(note: Note) -> Mark:
        before[:] = note.marks
        return mark

    note, _ = _write(project, _name(one), f"Reinforce {one.address}", noted)
    proves = evidence in PROOFS and by is None
    again = proves and mark.once in {earlier.once for earlier in before if not earlier.agent}
    counts_for = "strength" if proves and not again else "recency"
    return Reinforced(one.address, evidence, counts_for, strength(note.earned, now), again)


def pin(project: Project, reference: str, pinned: bool, by: str | None, now: datetime) -> Pinned:
    """Pin a memory, or take the pin off; approval and file stay as they are.

    Raises NotFound, UsageError in a clone without a policy, and Refused where an agent would pin
    what its owner wrote or approved, or undo a person's pin.
    """
    _check_policy(project)
    readings = all_of(project, reference)
    one = readings[0]
    if not may_change(readings, by is not None):
        raise Refused(f"{one.address} is its owner's: a person pins it", "Ask the person to.")

    def wanted(note: Note) -> Mark | None:
        held = note.pin
        if not pinned and held is not None and by is not None and not held.agent:
            raise Refused(f"a person pinned {one.address}", "Ask the person to take the pin off.")
        is_so = held is not None and not (pinned and held.agent and by is None)
        return None if is_so == pinned else Mark(now, PINNED if pinned else UNPINNED, by or "")

    message = f"{'Pin' if pinned else 'Unpin'} {one.address}"
    _, mark = _write(project, _name(one), message, wanted)
    return Pinned(one.address, pinned, mark is not None)


def _name(one: Reading) -> str:
    return one.address if is_uuid(one.address) else f"{one.file.slug}#{one.entry.anchor}"


def _check_policy(project: Project) -> None:
    """Raise UsageError where marks would count for nothing: they might have come with the files."""
    reading = read_policy(project)
    if reading.policy is None:
        raise UsageError(f"this clone has no approval policy: {reading.why}", reading.todo)
    if not reading.marks_count:
        raise UsageError(
            f"a remote's fetch setting writes {marks.REF}, so marks here are not this clone's own",
            "Narrow it, for example: git config --edit",
        )


def _write(
    project: Project, name: str, message: str, wanted: Callable[[Note], Mark | None]
) -> tuple[Note, Mark | None]:
    """Add the wanted mark, if any, to the note as it is at that moment; both, as they are then."""
    from ktw.git.refs import rewrite_files

    done: list[tuple[Note, Mark | None]] = []

    def files(objects: Objects, tip: str) -> dict[str, bytes | None]:
        note = marks.note_of(objects, tip, name)
        mark = wanted(note)
        note = note if mark is None else note.with_mark(mark)
        done.append((note, mark))
        return {} if mark is None else marks.note_files(objects, tip, note)

    with hold_lock(project.repository.common_dir / "ktw" / "marks.lock", _PATIENCE_S):
        rewrite_files(project.repository, marks.REF, files, message)
    return done[-1]
