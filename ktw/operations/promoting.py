"""A local note becomes a draft that a person reviews, or is taken out by one.

Writes the draft through `writing`, with all that it checks; approves nothing.
"""

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime

from ktw.entries import prose
from ktw.errors import visible
from ktw.index import refresh
from ktw.memory import is_note, is_uuid
from ktw.notes import delete_note, is_session_mark
from ktw.operations.approving import refuse_without_person
from ktw.operations.finding import NotFound, find_memory
from ktw.operations.notes import read_note
from ktw.operations.writing import Draft, Written, remember
from ktw.render import Reading
from ktw.store import Project


@dataclass(frozen=True)
class Wish:
    """What is wanted of the draft: its title ("" keeps the note's), kind and topic; `insist`:
    though a memory much like it exists."""

    title: str = ""
    kind: str = "decision"
    topic: str = ""
    insist: bool = False


def promote(
    project: Project, reference: str, wish: Wish, now: datetime, agent: str | None = None
) -> Written:
    """Write a note as a memory file, `derived`; the note stays.

    Its source is the session that the note is of, and what it rests on what the note rests on: the
    note itself is in no other clone, so an Id of it would lead nobody anywhere. `agent`: who runs
    this, where the note does not say who wrote it. Raises NotFound, UsageError and Refused, before
    any file exists.
    """
    note = _find(project, reference)[1]
    draft = Draft(
        title=wish.title or note.entry.title,
        body=prose(note.entry),
        kind=wish.kind,
        origin="derived",
        agent=note.agent or agent,
        topic=wish.topic,
        source=note.file.source if is_session_mark(note.file.source) else "",
        derived_from=tuple(value for value in note.file.derived_from if is_uuid(value.lower())),
        insist=wish.insist,
    )
    return remember(project, draft, now)


def delete(project: Project, reference: str, person: bool, agent: str | None) -> str:
    """A person takes a note out; its address. Raises Refused, NotFound, UsageError."""
    refuse_without_person(person, agent, "deleting a note")
    name, note = _find(project, reference)
    delete_note(project, name)
    return note.address


def _find(project: Project, reference: str) -> tuple[str, Reading]:
    nothing = NotFound(
        f"no local note is called {visible(reference.strip())}", "See them all with: ktw notes"
    )
    with closing(refresh(project)) as snapshot:
        try:
            place = find_memory(project, snapshot.catalogue, reference, notes=True)
        except NotFound:
            raise nothing from None
    if is_note(place.name):
        for note in read_note(project, place.name):
            if note.entry.anchor == place.row.anchor:
                return place.name, note
    raise nothing
