"""Revoke: words that must not count any more, whatever an old branch or an old list still says.

Says what is to be written; that a person wants it was settled before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ktw.boundaries import Unreadable, read_regular
from ktw.errors import KtwError, UsageError, visible
from ktw.evidence import Evidence
from ktw.memory import MAX_FILE_BYTES, MemoryFile
from ktw.operations.approving import refuse_half_done, rewritten, told_as, verdicts_now
from ktw.operations.candidate import Candidate
from ktw.operations.choosing import Chosen
from ktw.operations.recording import Act, Change, LedgerFiles, record
from ktw.revoked import MAX_REASON, REVOKED_FILE, with_revoked
from ktw.store import Project
from ktw.trust import Verdict


def revocation(
    project: Project,
    chosen: Sequence[Candidate],
    now: datetime,
    reason: str,
    in_git: Sequence[MemoryFile] = (),
) -> Act:
    """What revoking the words of all of these writes: their hashes in `revoked`, no claim, no
    entry of the ledger. `in_git`: words that no file here holds.

    Raises UsageError for a reason that is no short line, KtwError where `revoked` cannot be read.
    """
    if not chosen and not in_git:
        return Act()
    check_reason(reason)
    words = [*(each.file for each in chosen), *in_git]
    hashes = [file.computed_hash for file in words]
    claims = [each for each in chosen if each.file.trusted_at or each.file.trusted_by]
    changes = [rewritten(each, [("trusted_at", None), ("trusted_by", None)]) for each in claims]
    with Evidence(project) as evidence:
        listed = [file for file in words if evidence.is_in_ledger(file)]
        entries: LedgerFiles = {evidence.subject(file).record_path: None for file in listed}
    return Act([*changes, _list_change(project, hashes, now, reason)], entries)


@dataclass(frozen=True)
class Revoked:
    """What a revocation did: the verdicts that hold now, in one commit (None where not asked)."""

    verdicts: tuple[tuple[str, Verdict], ...]
    commit: str | None
    notes: tuple[str, ...]


def revoke(
    project: Project, chosen: Chosen, now: datetime, reason: str, commit: bool = True
) -> Revoked:
    """Revoke the words of all of these, in one commit or not at all.

    Whoever calls it has had the list confirmed. Raises as `revocation` and `record` do.
    """
    refuse_half_done(project)
    act = revocation(project, chosen.here, now, reason, chosen.in_git)
    words = [*(each.file for each in chosen.here), *chosen.in_git]
    commit_id = record(project, act, _message(words, reason), commit)
    verdicts = verdicts_now(project, [each.file for each in chosen.here])
    return Revoked(verdicts, commit_id, _what_remains(project, bool(commit_id)))


def _message(words: Sequence[MemoryFile], reason: str) -> str:
    what = f"memory {told_as(words[0])}" if len(words) == 1 else f"{len(words)} memories"
    trailers = "\n".join(f"Memory-Revoked: {file.computed_hash}" for file in words)
    return f"Revoke {what}\n\n{reason}\n\n{trailers}"


def _what_remains(project: Project, committed: bool) -> tuple[str, ...]:
    with Evidence(project) as evidence:
        policy = evidence.reading.policy
    notes = [] if committed else ["not committed: it holds in this work tree alone"]
    if policy is not None and "merged" in policy.methods:
        notes.append("it holds for everyone once it is merged to the trust ref")
    return tuple(notes)


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
