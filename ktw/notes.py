"""Local notes: what a session left behind, in this clone alone, never committed or approved.

One file a session in the shared git directory, in the format of a memory file, bounded in number
and size. Knows no index and no renderer, and nothing of where a note's words come from.
"""

import hashlib
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import NamedTuple, TypeGuard

from ktw.atomic import hold_lock
from ktw.boundaries import inside
from ktw.derived import write_derived
from ktw.entries import format_entry
from ktw.errors import KtwError, Refused
from ktw.frontmatter import Value
from ktw.memory import NOTE, NOTES, format_memory, parse_memory
from ktw.scan import INODE, FileStat
from ktw.store import Project
from ktw.text.secrets import find_secrets

MAX_NOTES = 10_000  # of a project; where one more is written, the oldest leaves
MAX_NOTE_BYTES = 16 * 1024
_NAME = re.compile(r"([0-9]{8}t[0-9]{12})-([0-9a-f]{12})\.md")
_MARK = re.compile(r"session:[0-9a-f]{12}")
_PATIENCE_S = 10.0


class Note(NamedTuple):
    """What is to be kept of a session as it stood at `made_at` (UTC).

    `session` is the agent's own name for it; only its hash is kept.
    """

    session: str
    agent: str
    made_at: datetime
    title: str
    body: str
    derived_from: tuple[str, ...] = ()


def scan_notes(project: Project) -> list[FileStat]:
    """The notes of the project by their names in the index, oldest first; links are no notes."""
    if _directory(project) is None:
        return []
    with _rows(project) as rows:
        found = [_seen(row) for row in rows if _NAME.fullmatch(row.name)]
    return sorted(seen for seen in found if seen is not None)


def note_names(project: Project) -> list[str]:
    """The names that `scan_notes` gives, without a look at each file."""
    if _directory(project) is None:
        return []
    with _rows(project) as rows:
        return sorted(NOTES + row.name for row in rows if _NAME.fullmatch(row.name))


def write_note(project: Project, note: Note) -> str | None:
    """Keep a note in the place of that session's earlier one; its Id.

    None where a note of that session is as new or newer: it stays. Raises Refused for a secret or
    for what is no note, KtwError where the place cannot be written.
    """
    id_, data = _id(project, note.session), _composed(project, note)
    name = f"{note.made_at:%Y%m%dt%H%M%S%f}-{_hashed(note.session)}.md"
    with _writing(project):
        earlier = [other for other in _names(project) if other[-15:] == name[-15:]]
        if any(other >= name for other in earlier):
            return None
        if not write_derived(project.notes / name, data):
            raise KtwError("the note cannot be written", "Check space and permissions.")
        kept = [other for other in _names(project) if other not in earlier]
        for gone in (*earlier, *kept[: max(0, len(kept) - MAX_NOTES)]):
            (project.notes / gone).unlink(missing_ok=True)
    return id_


def delete_note(project: Project, name: str) -> None:
    """Take a note out by its name in the index; no error where it is gone already."""
    file = name.removeprefix(NOTES)
    with _writing(project):
        if _NAME.fullmatch(file):
            (project.notes / file).unlink(missing_ok=True)


def session_mark(session: str) -> str:
    """How a note names the session that it is of."""
    return f"session:{_hashed(session)}"


def is_session_mark(text: str | None) -> TypeGuard[str]:
    """True for what `session_mark` gives; a note that was planted may say anything."""
    return text is not None and _MARK.fullmatch(text) is not None


# --- the place -------------------------------------------------------------------------------


def _directory(project: Project) -> str | None:
    """The directory of the notes as a path below the git directory; None where it leads out."""
    common = project.repository.common_dir
    below = project.notes.relative_to(common).as_posix()
    place = inside(common, below)
    return below if place == common.resolve() / below else None


@contextmanager
def _rows(project: Project) -> Iterator[Iterator["os.DirEntry[str]"]]:
    try:
        with os.scandir(project.notes) as rows:
            yield rows
    except OSError:
        yield iter(())


def _seen(row: "os.DirEntry[str]") -> FileStat | None:
    if not row.is_file(follow_symlinks=False):
        return None
    with suppress(OSError):
        facts = row.stat(follow_symlinks=False)
        times = facts.st_mtime_ns, facts.st_ctime_ns
        return FileStat(NOTES + row.name, facts.st_size, *times, facts.st_ino & INODE)
    return None


def _names(project: Project) -> list[str]:
    return [name.removeprefix(NOTES) for name in note_names(project)]


@contextmanager
def _writing(project: Project) -> Iterator[None]:
    if _directory(project) is None:
        raise KtwError(
            "the place of the local notes leads out of the git directory",
            "Look at ktw/notes in it; nothing was written.",
        )
    try:
        project.notes.parent.parent.mkdir(mode=0o700, exist_ok=True)
        project.notes.parent.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise KtwError(
            f"no note can be kept here: {error.strerror}", "Check space and permissions."
        ) from error
    with hold_lock(project.notes / ".lock", _PATIENCE_S):
        yield


# --- the file --------------------------------------------------------------------------------


def _composed(project: Project, note: Note) -> bytes:
    values: dict[str, Value] = {"origin": "derived", "agent": note.agent, "kind": NOTE}
    values["created_at"] = note.made_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    values["source"] = session_mark(note.session)
    if note.derived_from:
        values["derived_from"] = list(note.derived_from)
    header = [("Id", _id(project, note.session)), ("Type", "undefined — a note")]
    header += [("Status", "active"), ("Evidence", "inferred")]
    text = format_memory(values, "Notes", format_entry(note.title, header, note.body))
    data = text.encode("utf-8", "surrogatepass")  # what is no text is refused with the rest
    _check(data, note)
    return data


def _check(data: bytes, note: Note) -> None:
    if len(data) > MAX_NOTE_BYTES:
        raise Refused(f"a note has at most {MAX_NOTE_BYTES:,} bytes", "Nothing was written.")
    if any(find_secrets(part) for part in (note.title, note.body)):
        raise Refused("the note holds a secret; nothing was written", "")
    file = parse_memory(NOTES, data)
    labels = [found.label for entry in file.entries for found in entry.fields]
    one = [entry.title for entry in file.entries] == [note.title]
    if file.problems or not one or len(labels) != len(set(labels)):
        raise Refused("the note is not plain text; nothing was written", "")


def _id(project: Project, session: str) -> str:
    """The same for every note of one session here: a later one takes the earlier one's place."""
    digest = hashlib.sha256(f"{project.location}\n{session}".encode("utf-8", "replace")).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


def _hashed(session: str) -> str:
    return hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:12]
