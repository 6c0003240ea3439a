"""Carry out a sitting: what was approved and what was rejected, in one commit or not at all."""

from collections.abc import Sequence
from datetime import datetime

from ktw.memory import MemoryFile
from ktw.operations import approving
from ktw.operations.candidate import Candidate
from ktw.operations.recording import Act, record
from ktw.operations.revoking import revocation
from ktw.store import Project

REJECTED = "rejected in a review"
_STAYS = "rejected words stay in their files, framed: delete a file that nobody needs"


def carry_out(
    project: Project,
    approved: Sequence[Candidate],
    rejected: Sequence[Candidate],
    now: datetime,
    person: bool = False,
) -> approving.Recorded:
    """Approve and reject all of these in one commit; raises as `approving.approve_all` does.

    Whoever calls it has had the whole list confirmed.
    """
    revoked = revocation(project, rejected, now, REJECTED)
    granted = approving.approval(project, approved, now, person)
    act = Act([*granted.changes, *revoked.changes], {**granted.entries, **revoked.entries})
    commit = record(project, act, _message(granted.approved, len(rejected)))
    files = [*granted.approved, *(each.file for each in rejected)]
    shared_ids = frozenset().union(*(each.shared_ids for each in approved))
    verdicts = approving.verdicts_now(project, files, shared_ids)
    notes = approving.what_remains(project, bool(commit))
    return approving.Recorded(verdicts, commit, (*notes, *((_STAYS,) if rejected else ())))


def _message(approved: Sequence[MemoryFile], rejected: int) -> str:
    turned_down = f"Reject {rejected} {'memory' if rejected == 1 else 'memories'}"
    if not approved:
        return turned_down
    told = approving.message(approved)
    return told if not rejected else told.replace("\n", f"\n\n{turned_down}.\n", 1)
