"""Keep the index in step with the memory files, and hand out one consistent snapshot of both.

Derived data in the worktree's git directory: deleting it changes no answer. Files whose times and
size have not moved are not read; what cannot be indexed on disk is indexed in memory, and said.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from ktw.binding import seal
from ktw.catalogue import Catalogue, FileRecord, Row
from ktw.catalogue_draft import Draft
from ktw.catalogue_file import write_catalogue
from ktw.changes import Difference, Progress, Read, compare, is_racy, reads
from ktw.entries import Entry, prose
from ktw.errors import KtwError
from ktw.generations import (
    Locked,
    Unusable,
    catalogue_path,
    check_directory,
    drop_old,
    is_newest,
    newest_catalogue,
    next_generation,
    opened,
    write_lock,
    write_segments,
)
from ktw.memory import MemoryFile
from ktw.notes import scan_notes
from ktw.owner_key import own_key
from ktw.postings import Damaged, MemoryPostings, Postings
from ktw.scan import Located, Scan, scan
from ktw.store import Project, path_of
from ktw.terms import TermCounts, length, term_counts
from ktw.text import tokens
from ktw.text.cues import VERSION as CUES
from ktw.text.cues import cues, speaker

__all__ = ["Progress", "Snapshot", "index_directory", "index_key", "refresh", "repair"]

PATIENCE_S = 5.0
_ATTEMPTS = 4
Look = Callable[[Project], Scan]
_READ = 2  # the version of how a file is read into memories


class Moved(KtwError):
    """Another process published a newer index meanwhile: look again."""


class Snapshot:
    """One moment of the index: the catalogue, its postings, and what is to be said of it.

    `read`: how many files were; `directory`: None where it stands in memory alone.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        postings: Postings,
        problems: list[Located],
        notes: Sequence[str] = (),
        read: int = 0,
        directory: Path | None = None,
    ) -> None:
        self.catalogue, self.postings, self.problems = catalogue, postings, problems
        self.notes, self.read, self.directory = list(notes), read, directory

    def close(self) -> None:
        self.postings.close()


def index_directory(project: Project) -> Path:
    """Where this worktree's index lives."""
    return project.repository.git_dir / "ktw" / "index"


def index_key(project: Project) -> str:
    """What an index was made for, where, and by whom (unless this user has no home to keep a key
    in); another one means another index: one that came with an unpacked directory is made anew."""
    with suppress(KtwError):
        own_key()
    owner = (seal(project.repository, b"index") or b"-").decode()
    place = f"{project.prefix} {project.context_name}"
    return f"{tokens.VERSION}.{CUES}.{_READ} {owner} {place}"


def refresh(
    project: Project,
    progress: Progress | None = None,
    rebuild: bool = False,
    held: Snapshot | None = None,
    look: Look = scan,
) -> Snapshot:
    """Bring the index up to date with the files and open it; never raises for the index's sake.

    A damaged index is rebuilt; where it cannot be written (locked, read-only) the answer comes
    from memory, and a note says so. `progress` is told (done, total) while files are read. `held`:
    one of before, still open, whose catalogue and postings stand where no newer ones do. `look`:
    how the files are looked at.
    """
    fault = ""
    for _ in range(_ATTEMPTS):
        try:
            snapshot = _refresh_once(project, progress, rebuild, held, look)
        except Moved:
            rebuild = False
        except (Damaged, Locked, Unusable) as error:
            fault = error.what
            if rebuild or not isinstance(error, Damaged):
                break
            rebuild, held = True, None
        else:
            snapshot.notes = [f"{fault}; it was rebuilt"] if fault else []
            return snapshot
    fault = fault or "the index changed all the time"
    return _in_memory(project, progress, [f"{fault}; the files were scanned"])


def repair(project: Project, snapshot: Snapshot, damage: Damaged) -> None:
    """Replace a snapshot whose postings proved damaged by a rebuilt one, in place."""
    snapshot.close()
    fresh = refresh(project, rebuild=True)
    snapshot.catalogue, snapshot.postings = fresh.catalogue, fresh.postings
    snapshot.problems, snapshot.directory = fresh.problems, fresh.directory
    snapshot.notes += [f"{damage.what}; it was rebuilt", *fresh.notes]


def _refresh_once(
    project: Project,
    progress: Progress | None,
    rebuild: bool,
    held: Snapshot | None,
    look: Look,
) -> Snapshot:
    directory = index_directory(project)
    check_directory(directory)
    known = held.catalogue if held is not None else None
    catalogue = None if rebuild else newest_catalogue(directory, index_key(project), known)
    found, problems = _scan(project, look)
    difference = compare(project, catalogue, found)
    if catalogue is None or difference.touches_index:
        catalogue, difference = _write(project, catalogue, difference, progress, rebuild)
    elif difference.restamped:
        catalogue = _restamp(project, catalogue, difference.restamped)
    if held is not None and _is_same(held.catalogue, catalogue):
        postings = held.postings
    else:
        postings = _postings(directory, catalogue)
    problems += _problems(project, catalogue)
    return Snapshot(catalogue, postings, problems, [], difference.read, directory)


def _scan(project: Project, look: Look = scan) -> Scan:
    """Memory files and local notes, sorted by name."""
    files, problems = look(project)
    notes = scan_notes(project)
    return (files.joined(notes) if notes else files), problems


def _postings(directory: Path, catalogue: Catalogue) -> Postings:
    try:
        return opened(directory, catalogue.segments)
    except Damaged as error:
        if is_newest(directory, catalogue):
            raise
        raise Moved("the index was replaced while it was opened") from error


def _restamp(project: Project, catalogue: Catalogue, reads: Sequence[Read]) -> Catalogue:
    """With the new times of unchanged files; kept, unless the index is being changed just now."""
    draft = Draft("", catalogue)
    for read in reads:
        draft.restamp(read.stat, is_racy(read.stat, read.read_at_ns))
    catalogue = draft.done(catalogue.generation, catalogue.segments)
    directory = index_directory(project)
    path = catalogue_path(directory, catalogue)
    with suppress(Locked, Unusable), write_lock(directory, 0.0):
        if path.exists():
            write_catalogue(path, index_key(project), catalogue)
    return catalogue


def _write(
    project: Project,
    seen: Catalogue | None,
    difference: Difference,
    progress: Progress | None,
    rebuild: bool,
) -> tuple[Catalogue, Difference]:
    """Publish a new generation under the lock, from what is newest once it is held.

    `difference` was found against `seen`; where that is no longer the newest, it is found anew.
    """
    directory, key = index_directory(project), index_key(project)
    with write_lock(directory, PATIENCE_S):
        current = None if rebuild else newest_catalogue(directory, key, seen)
        if not _is_same(seen, current):
            difference = compare(project, current, _scan(project)[0])
        if current is not None and not difference.touches_index:
            return current, difference
        return _publish(project, current, difference, progress), difference


def _publish(
    project: Project,
    current: Catalogue | None,
    difference: Difference,
    progress: Progress | None,
) -> Catalogue:
    directory = index_directory(project)
    generation = next_generation(directory)
    added = MemoryPostings()
    draft = _apply(project, current, difference, added, progress)
    catalogue = draft.done(generation)
    segments = current.segments if current is not None else ()
    catalogue.segments = write_segments(directory, segments, catalogue, added)
    if not write_catalogue(catalogue_path(directory, catalogue), index_key(project), catalogue):
        raise Unusable("the index cannot be written")
    drop_old(directory, catalogue)
    return catalogue


def _is_same(one: Catalogue | None, other: Catalogue | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.build, one.generation) == (other.build, other.generation)


def _apply(
    project: Project,
    current: Catalogue | None,
    difference: Difference,
    added: MemoryPostings,
    progress: Progress | None,
) -> Draft:
    draft = Draft(os.urandom(8).hex(), current)
    for name in difference.gone:
        draft.drop(name)
    for read in difference.restamped:
        draft.restamp(read.stat, is_racy(read.stat, read.read_at_ns))
    for read in reads(project, difference, progress):
        rows = add_rows(draft, read.file, added) if not read.file.problems else ()
        racy = is_racy(read.stat, read.read_at_ns)
        draft.put(FileRecord(read.stat, read.blob, racy, rows, read.file.problems))
    return draft


def add_rows(draft: Draft, file: MemoryFile, added: MemoryPostings) -> tuple[Row, ...]:
    """The rows of a file's memories under new numbers, their terms added."""
    rows = []
    for entry in file.memories:
        counts = term_counts(file, entry)
        number = draft.next_number
        draft.next_number += 1
        added.add(number, counts)
        rows.append(_row(number, file, entry, counts))
    return tuple(rows)


def _row(number: int, file: MemoryFile, entry: Entry, counts: TermCounts) -> Row:
    text = prose(entry)
    title, body, keys = map(length, counts.values())
    return Row(
        number,
        entry.anchor,
        entry.line,
        entry.id or "",
        file.kind or entry.type or "",
        entry.status or "",
        file.created_at or entry.first("Date") or "",
        title,
        body,
        keys,
        int(cues(text)),
        speaker(text),
    )


def _problems(project: Project, catalogue: Catalogue) -> list[Located]:
    return [Located(path_of(project, name), problem) for name, problem in catalogue.problems()]


def _in_memory(project: Project, progress: Progress | None, notes: list[str]) -> Snapshot:
    found, problems = _scan(project)
    postings = MemoryPostings()
    difference = compare(project, None, found)
    catalogue = _apply(project, None, difference, postings, progress).done(0)
    problems += _problems(project, catalogue)
    return Snapshot(catalogue, postings, problems, notes, difference.read)
