"""Local notes for their readers: the latest ones of a project, each in its frame.

Asks neither the index nor git, so that a session's start can afford it.
"""

from collections.abc import Sequence

from ktw.notes import note_names
from ktw.operations.finding import UNAPPROVED_NOTE
from ktw.render import Reading, Shown, show
from ktw.store import Project, read_memory

NOTE_BUDGET = 600


def latest(project: Project, count: int, budget: int = NOTE_BUDGET) -> list[Shown]:
    """The newest notes, newest first, each framed; `budget` characters of each one's text."""
    return [show(one, budget) for one in newest(project, count)]


def newest(project: Project, count: int) -> list[Reading]:
    """The newest notes that can be read, newest first."""
    found: list[Reading] = []
    for name in reversed(note_names(project)):
        if len(found) >= count:
            break
        found += read_note(project, name)[:1]
    return found


def read_note(project: Project, name: str) -> Sequence[Reading]:
    """What stands in one note, by its name in the index; nothing where it cannot be read."""
    file = read_memory(project, name)
    return [Reading(file, entry, UNAPPROVED_NOTE) for entry in file.memories if not file.problems]
