"""Untrust: a person takes an approval back. The claim goes, and this clone's ledger forgets it."""

from ktw.errors import Refused
from ktw.evidence import Evidence
from ktw.memory import parse_memory
from ktw.operations.approving import (
    Outcome,
    refuse_half_done,
    rewritten,
    told_as,
    verdicts_now,
)
from ktw.operations.candidate import Candidate
from ktw.operations.recording import Act, LedgerFiles, record
from ktw.store import Project


def check_withdrawal(chosen: Candidate) -> None:
    """Raise Refused where the memory claims no approval."""
    if not (chosen.file.trusted_at or chosen.file.trusted_by):
        raise Refused("that memory claims no approval", "There is nothing to withdraw.")


def withdraw(project: Project, chosen: Candidate, commit: bool = True) -> Outcome:
    """Take a claim out of a memory file, and out of this clone's ledger.

    Raises Refused where there is none.
    """
    refuse_half_done(project)
    check_withdrawal(chosen)
    change = rewritten(chosen, [("trusted_at", None), ("trusted_by", None)])
    made = parse_memory(change.path, change.new)
    with Evidence(project) as evidence:
        subject = evidence.subject(chosen.file)
        entries: LedgerFiles = {subject.record_path: None}
        if not evidence.is_in_ledger(chosen.file):
            entries = {}
        policy = evidence.reading.policy
        signed = policy and "signed" in policy.methods and evidence.signed(subject).holds
        merged = evidence.approved_at_ref(chosen.file.path) is not None
    notes = ((_STILL_SIGNED,) if signed else ()) + ((_STILL_MERGED,) if merged else ())
    message = f"Withdraw the approval of memory {told_as(made)}"
    commit_id = record(project, Act([change], entries), message, commit)
    ((path, verdict),) = verdicts_now(project, [made])
    return Outcome(path, verdict, commit_id, notes)


_STILL_MERGED = (
    "the trust ref still holds these words: they stay in force until this is merged there. To end "
    "them in this clone at once: ktw revoke"
)
_STILL_SIGNED = (
    "a signed list still names these words: an old copy of the file would count again. Only a line "
    "in the `revoked` list ends that"
)
