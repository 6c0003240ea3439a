"""Rules of the trust report about memories: claims, approved words, revocations, provenance.

They judge a change, so they hold only where a base is given; none of them can be silenced.
"""

from collections.abc import Iterator

from keep_the_why_lint.change import Change, ChangedFile, claims
from keep_the_why_lint.rule import Found, Rule, quoted, quoted_first, rule
from ktw.memory import MemoryFile

_ORIGINS = ("derived", "imported", "agent", "owner")  # the last is what counts for most
_SHOWN = 12 + len("sha256:")


def _both(change: Change) -> Iterator[tuple[ChangedFile, MemoryFile, MemoryFile]]:
    for file in change.memories:
        if file.old_memory is not None and file.new_memory is not None:
            yield file, file.old_memory, file.new_memory


def _claim(file: MemoryFile | None) -> tuple[str | None, str | None]:
    return (file.trusted_at, file.trusted_by) if file else (None, None)


def _line(file: MemoryFile, *keys: str) -> int:
    return next((file.lines[key] for key in keys if key in file.lines), 1)


@rule("T101", "change", severity="warning")
def claim_added(change: Change) -> Iterator[Found]:
    """A claim of approval is new or says something else.

    Why: where merging approves, merging this line turns the words below it into a rule.
    Fix: nothing, if the text was read and its author may approve; else remove the claim.
    Bad: a `trusted_at` that nobody in the review noticed.
    Good: one whose text the reviewer has read in full.
    """
    for file in change.memories:
        new = file.new_memory
        if new is not None and claims(new) and _claim(new) != _claim(file.old_memory):
            who = quoted(new.trusted_by or "nobody")
            message = f"merging this claims approval by {who} for the words of this file"
            yield Found(_line(new, "trusted_at", "trusted_by"), message, file.name)


@rule("T102", "change", severity="warning")
def claimed_words_changed(change: Change) -> Iterator[Found]:
    """Words under a claim of approval are other words than before.

    Why: a claim is for a text; with a new `content_hash` the new text takes the old one's place.
    Fix: read both versions; approve the new one with `ktw trust`, or restore the old one.
    Bad: one word edited and the hash made to fit.
    Good: a new version that a person approved, with a new `trusted_at`.
    """
    for file, old, new in _both(change):
        if claims(old) and claims(new) and _hashes(old) != _hashes(new):
            line = _line(new, "content_hash", "trusted_at")
            yield Found(line, "the words under this claim are not those of the base", file.name)


def _hashes(file: MemoryFile) -> tuple[str, str | None]:
    """The words, and the words that the file says it was approved for."""
    return file.computed_hash, file.content_hash


@rule("T103", "change", severity="warning")
def revocation_withdrawn(change: Change) -> Iterator[Found]:
    """A line of the list of revoked texts is gone.

    Why: the text that it withdrew can be approved again, by a claim that still stands somewhere.
    Fix: put the line back, unless withdrawing it is what this change is for.
    Bad: a merge conflict in `revoked` that was settled with one side.
    Good: every line of both sides.
    """
    path = f"{change.head.context_name}/revoked"
    for hash_ in sorted(change.base.revoked - change.head.revoked):
        yield Found(0, f"the revocation of {hash_[:_SHOWN]}… is gone", path)


@rule("T104", "change", severity="warning")
def approved_memory_edited(change: Change) -> Iterator[Found]:
    """A memory that was approved loses its claim, or can no longer be read.

    Why: taking a rule out of force is as much of an act as putting one in force.
    Fix: nothing, if the owner wants it withdrawn; else restore the file.
    Bad: an approved rule whose frontmatter was rewritten by a formatter.
    Good: `ktw trust --untrust`, with the reason in the pull request.
    """
    for file in change.memories:
        if not file.was_approved or file.is_gone:
            continue
        new = file.new_memory
        if new is None:
            what = "a link" if file.after.state == "link" else "no file that can be read"
            yield Found(0, f"the memory was approved and is now {what}", file.name)
        elif not claims(new):
            yield Found(1, "the memory was approved and now claims nothing", file.name)


@rule("T105", "change", severity="warning")
def approved_memory_deleted(change: Change) -> Iterator[Found]:
    """A memory that was approved is deleted.

    Why: silence is a change of rules too.
    Fix: nothing, if the owner wants it gone; else restore the file.
    Bad: a clean-up that takes a rule along.
    Good: a deletion that the pull request names.
    """
    for file in change.memories:
        if file.was_approved and file.is_gone:
            yield Found(0, "the memory was approved and is deleted", file.name)


@rule("T106", "change", severity="warning")
def approved_memory_renamed(change: Change) -> Iterator[Found]:
    """A memory that was approved stands in another file.

    Why: an approval is bound to text and place; under the new name it is a new one.
    Fix: nothing, if only the name was meant to change; check that the words are the same.
    Bad: a rename that hides an edit.
    Good: a rename alone.
    """
    for file in change.memories:
        if file.was_approved and file.is_renamed:
            yield Found(0, f"this was {quoted(file.old_name)}, which was approved", file.name)


@rule("T107", "change", severity="warning")
def approved_memory_challenged(change: Change) -> Iterator[Found]:
    """A memory proposes to replace one that is approved.

    Why: accepting the proposal later takes an owner's rule out of force.
    Fix: read both; the proposal itself changes nothing.
    Bad: a proposal that is merged unread and approved in a batch.
    Good: one whose difference from the approved text was looked at.
    """
    for file in change.memories:
        new, old = file.new_memory, file.old_memory
        wanted = new.proposes if new else None
        if new is None or wanted is None or (old and old.proposes == wanted):
            continue
        where = change.approved_ids.get(wanted.lower())
        if where is not None:
            message = f"this wants to replace {quoted(where)}"
            yield Found(_line(new, "proposes"), message, file.name)


@rule("T108", "change", severity="warning")
def origin_raised(change: Change) -> Iterator[Found]:
    """The stated origin of a text counts for more than before.

    Why: whose words they are does not change by editing a field.
    Fix: restore the origin; approve the text with `ktw trust` if it should hold.
    Bad: `origin: imported` becomes `origin: owner`.
    Good: the origin that the text came with.
    """
    for file, old, new in _both(change):
        if old.origin in _ORIGINS and not new.problems and _rank(new) > _rank(old):
            message = f"origin was {old.origin} and is {quoted(new.origin or 'not stated')}"
            yield Found(_line(new, "origin"), message, file.name)


def _rank(file: MemoryFile) -> int:
    """What an origin counts for; one that is not stated hides any."""
    return _ORIGINS.index(file.origin) if file.origin in _ORIGINS else len(_ORIGINS)


@rule("T109", "change", severity="warning")
def evidence_dropped(change: Change) -> Iterator[Found]:
    """A text no longer says what it was made from.

    Why: when a source turns out to be poisoned, its offspring can no longer be found.
    Fix: put `source` and `derived_from` back.
    Bad: a summary whose `derived_from` was removed.
    Good: all of it kept, however often the text is edited.
    """
    for file, old, new in _both(change):
        if new.problems:
            continue
        if old.source and new.source != old.source:
            message = f"source {quoted(old.source)} is no longer stated"
            yield Found(_line(new, "source"), message, file.name)
        kept = set(new.derived_from)
        for told in quoted_first(item for item in old.derived_from if item not in kept):
            message = f"derived_from no longer states {told}"
            yield Found(_line(new, "derived_from"), message, file.name)


@rule("T110", "change", severity="warning")
def untouched_words_approved(change: Change) -> Iterator[Found]:
    """Words become approved that the change does not touch.

    Why: a claim that nothing backed yet comes into force, and its text is in no difference.
    Fix: read the text; remove its claim if it is not meant to hold.
    Bad: another `context` directory, where old files with claims lie; a revocation withdrawn; one
    of two files with the same Id deleted.
    Good: each text approved by a change of its own.
    """
    touched = {
        new.text
        for file, old, new in _both(change)
        if _claim(old) != _claim(new) or _hashes(old) != _hashes(new) or file.is_renamed
    }
    touched |= {f.after.text for f in change.memories if f.old_memory is None}
    for memory in change.approved:
        if memory.text not in touched:
            message = "merging this approves words that it does not touch"
            yield Found(_line(memory, "trusted_at"), message, memory.path)


RULES: tuple[Rule[Change], ...] = (
    claim_added,
    claimed_words_changed,
    revocation_withdrawn,
    approved_memory_edited,
    approved_memory_deleted,
    approved_memory_renamed,
    approved_memory_challenged,
    origin_raised,
    evidence_dropped,
    untouched_words_approved,
)
