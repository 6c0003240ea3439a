"""Revoke: words that must not count any more, whatever an old branch or an old list still says.

Says what is to be written; that a person wants it was settled before.
"""

from collections.abc import Sequence
from datetime import datetime

from ktw.boundaries import Unreadable, read_regular
from ktw.errors import KtwError, UsageError, visible
from ktw.evidence import Evidence
from ktw.memory import MAX_FILE_BYTES
from ktw.operations.approving import rewritten
from ktw.operations.candidate import Candidate
from ktw.operations.recording import Act, Change, LedgerFiles
from ktw.revoked import MAX_REASON, REVOKED_FILE, with_revoked
from ktw.store import Project


def revocation(project: Project, chosen: Sequence[Candidate], now: datetime, reason: str) -> Act:
    """What revoking the words of all of these writes: their hashes in `revoked`, no claim, no
    entry of the ledger.

    Raises UsageError for a reason that is no short line, KtwError where `revoked` cannot be read.
    """
    if not chosen:
        return Act()
    check_reason(reason)
    hashes = [each.file.computed_hash for each in chosen]
    claims = [each for each in chosen if each.file.trusted_at or each.file.trusted_by]
    changes = [rewritten(each, [("trusted_at", None), ("trusted_by", None)]) for each in claims]
    with Evidence(project) as evidence:
        listed = [each.file for each in chosen if evidence.is_in_ledger(each.file)]
        entries: LedgerFiles = {evidence.subject(file).record_path: None for file in listed}
    return Act([*changes, _list_change(project, hashes, now, reason)], entries)


def check_reason(reason: str) -> None:
    """Raise UsageError unless `reason` is one line that a list of revoked words may hold."""
    if not reason.strip() or len(reason) > MAX_REASON or visible(reason) != reason:
        raise UsageError(
            f"a reason is one line of 1 to {MAX_REASON} characters",
            "Say in a few words why these must not count any more.",
        )


def _list_change(project: Project, hashes: Sequence[str], now: datetime, reason: str) -> Change:
    path = project.context / REVOKED_FILE
    try:
        old: bytes | None = read_regular(path, project.context, MAX_FILE_BYTES)
    except Unreadable as error:
        if error.kind != "missing":
            raise KtwError(
                f"the list of revoked words cannot be read: {error.why}", "Mend it first."
            ) from error
        old = None
    new = with_revoked(old or b"", hashes, now.strftime("%Y-%m-%d"), reason)
    return Change(f"{project.context_name}/{REVOKED_FILE}", old, new)
