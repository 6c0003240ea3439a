"""Rules about what a memory was made from and what it wants to replace, across the files.

What stands of the other memory is what trust says of it where it was asked, else what it claims.
"""

from collections.abc import Iterator

from keep_the_why_lint.project import Memory, has_provenance
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.rules.references import is_uuid
from ktw.memory import MemoryFile


def _standing(memory: Memory, other: MemoryFile) -> str:
    """`revoked`, `approved` or `unapproved`: how another file of the project stands."""
    project = memory.project
    said = project.verdicts(other.path) if project.verdicts else None
    if said == "revoked" or other.computed_hash in project.revoked:
        return "revoked"
    if said is not None:
        return "approved" if said == "approved" else "unapproved"
    claims = other.trusted_at is not None and other.content_hash == other.computed_hash
    return "approved" if claims else "unapproved"


def _target(memory: Memory) -> tuple[str, int]:
    """The Id that a proposal wants to replace, "" where it is none, and its line."""
    id = (memory.file.proposes or "").lower()
    return id if is_uuid(id) else "", memory.file.lines.get("proposes", 1)


@rule("P221", "memory")
def proposal_for_nothing(memory: Memory) -> Iterator[Found]:
    """A proposal names a memory that is not there, or itself.

    Why: whoever reviews it cannot be shown what it would replace.
    Fix: correct the Id, or take `proposes` away: then it is a memory of its own.
    Bad: `proposes:` with the Id of a deleted memory.
    Good: the Id of a memory in this project.
    """
    id, line = _target(memory)
    if not id:
        return
    files = memory.project.files_by_id.get(id, ())
    if not files:
        yield Found(line, f"the proposal names Id {id}, which no memory here carries")
    elif all(file is memory.file for file in files):
        yield Found(line, "the proposal wants to replace itself")


@rule("P222", "memory", severity="warning")
def proposal_for_approved(memory: Memory) -> Iterator[Found]:
    """A proposal wants to replace a memory that is approved.

    Why: to accept it is to change a rule; a reviewer has to compare the two texts.
    Fix: read both with `ktw trust`, then accept it or delete the file.
    Bad: it is merged unread, beside the memory that it contradicts.
    Good: it was accepted, and the file is gone.
    """
    id, line = _target(memory)
    for file in memory.project.files_by_id.get(id, ()) if id else ():
        if file is not memory.file and _standing(memory, file) == "approved":
            yield Found(line, f"it wants to replace the approved memory in {quoted(file.path)}")


def _sources(memory: Memory) -> Iterator[tuple[str, tuple[MemoryFile, ...]]]:
    """Each Id that the file says it was made from, with the other files that carry it."""
    for value in memory.file.derived_from:
        id = value.lower()
        if is_uuid(id):
            files = memory.project.files_by_id.get(id, ())
            yield id, tuple(file for file in files if file is not memory.file)


def _line(memory: Memory) -> int:
    return memory.file.lines.get("derived_from", 1)


@rule("P223", "memory", severity="warning")
def source_revoked(memory: Memory) -> Iterator[Found]:
    """A memory was made from one that was revoked.

    Why: what the owner withdrew lives on in other words.
    Fix: read it again without that source; then approve it anew, revoke it or delete it.
    Bad: `derived_from:` with the Id of a memory whose hash stands in `revoked`.
    Good: sources that still hold.
    """
    for id, files in _sources(memory):
        if any(_standing(memory, file) == "revoked" for file in files):
            yield Found(_line(memory), f"it was made from Id {id}, whose words were revoked")


@rule("P224", "memory", severity="warning")
def source_gone(memory: Memory) -> Iterator[Found]:
    """A memory was made from one that is not there any more, or from itself.

    Why: nobody can compare it with what it rests on.
    Fix: correct the Id; where the source was deleted for a reason, judge this text by it.
    Bad: `derived_from:` with the Id of a deleted memory.
    Good: the Id of a memory in this project, or an address.
    """
    for id, files in _sources(memory):
        if not files:
            own = id in memory.project.files_by_id
            what = "itself" if own else f"Id {id}, which no memory here carries"
            yield Found(_line(memory), f"it was made from {what}")


@rule("P225", "memory", severity="warning")
def source_unapproved(memory: Memory) -> Iterator[Found]:
    """A memory that claims approval was made from one that is not approved.

    Why: unreviewed words became a rule by way of a summary.
    Fix: review the source too, or withdraw the approval.
    Bad: a summary with `trusted_at`, of an imported file without.
    Good: both were approved.
    """
    if not memory.claims or not has_provenance(memory.file):
        return
    for id, files in _sources(memory):
        if files and all(_standing(memory, file) == "unapproved" for file in files):
            yield Found(_line(memory), f"it claims approval and was made from unapproved Id {id}")


RULES: tuple[Rule[Memory], ...] = (
    proposal_for_nothing,
    proposal_for_approved,
    source_revoked,
    source_gone,
    source_unapproved,
)
