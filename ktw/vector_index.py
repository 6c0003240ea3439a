"""Keeps the file of vectors and tokens in step with an index, and hands out what it holds.

Derived data beside the index, keyed on its build, on the embedder and on how texts become rows and
tokens: deleting it changes no answer. Each generation of the index has a file of its own, which is
mapped and never changed.
"""

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ktw.boundaries import Unreadable
from ktw.catalogue import Catalogue
from ktw.derived import write_derived
from ktw.embedding import Embedder
from ktw.entries import Entry
from ktw.git import plain_blob_id
from ktw.index import Snapshot
from ktw.memory import parse_memory
from ktw.store import Project, path_of, read_bytes
from ktw.terms import meant, told
from ktw.text import tokens
from ktw.text.passages import PASSAGE
from ktw.token_lists import Lists, token_lists_of
from ktw.vector_file import BadFile, Kept, encoded, joined, kept, nothing, read_kept
from ktw.vectors import embed

# Part of the file's name: changed by hand when the same texts would yield others.
SCHEME = (
    f"3: passages of {PASSAGE} characters under the title, int8 columns, only their direction; "
    f"tokens of each sentence, {tokens.VERSION}"
)
_BATCH = 256


class _Held(NamedTuple):
    """What was handed out last, for which index and embedder, and the file as it was then."""

    catalogue: Catalogue
    model: str
    seen: tuple[int, ...]
    kept: Kept


class VectorIndex:
    """The vectors of one project and embedder, read again only where their file is another one.

    Not for several threads at once.
    """

    def __init__(self) -> None:
        self._held: _Held | None = None

    def kept(self, project: Project, snapshot: Snapshot, embedder: Embedder) -> Kept:
        """What is kept of the live memories of a snapshot; what is missing is made first."""
        path, held = _path(snapshot, embedder), self._held
        if held is None or held[:3] != (snapshot.catalogue, embedder.id, _identity(path)):
            moved: set[str] = set()
            kept = _current(project, snapshot, embedder, path, moved)
            held = _Held(snapshot.catalogue, embedder.id, _identity(path), kept)
            self._held = None if moved else held
        return held.kept

    def lists(
        self, project: Project, snapshot: Snapshot, embedder: Embedder, numbers: Sequence[int]
    ) -> Lists:
        """The tokens of those memories that are live in the snapshot, by row number."""
        try:
            return self.kept(project, snapshot, embedder).lists(numbers)
        except BadFile:
            self._held = None
            _drop(_path(snapshot, embedder))
        return self.kept(project, snapshot, embedder).lists(numbers)


def _current(
    project: Project, snapshot: Snapshot, embedder: Embedder, path: Path | None, moved: set[str]
) -> Kept:
    """What is kept of the live memories, brought up to date on disk.

    `moved` gets the files that are not what the index saw any more; then nothing is written.
    """
    wanted = array("I", sorted(snapshot.catalogue.row_at))
    known = _newest(path, embedder.dim)
    if known.vectors.numbers == wanted:
        return known
    absent = sorted(set(wanted).difference(known.vectors.numbers))
    made = _made(project, snapshot.catalogue, embedder, absent, moved)
    kept = joined([known, *made], wanted)
    return kept if path is None or moved else _written(path, kept)


def _written(path: Path, kept: Kept) -> Kept:
    if write_derived(path, encoded(kept)):
        for older in _generations(path):
            if _generation(older) < _generation(path):
                _drop(older)
    return kept


def _made(
    project: Project,
    catalogue: Catalogue,
    embedder: Embedder,
    numbers: Sequence[int],
    moved: set[str],
) -> Iterator[Kept]:
    """What memories that are in no file have to keep, some at a time."""
    for at in range(0, len(numbers), _BATCH):
        entries = dict(_entries(project, catalogue, numbers[at : at + _BATCH], moved))
        passages = {number: meant(one) if one else [""] for number, one in entries.items()}
        texts = {number: told(one) if one else "" for number, one in entries.items()}
        yield kept(embed(embedder, passages), token_lists_of(embedder, texts))


def _entries(
    project: Project, catalogue: Catalogue, numbers: Sequence[int], moved: set[str]
) -> Iterator[tuple[int, Entry | None]]:
    """Row number and memory, None for one that is gone meanwhile."""
    files: dict[str, Sequence[Entry]] = {}
    for number in numbers:
        place, found = catalogue.place(number), None
        if place is not None:
            if place.name not in files:
                files = {place.name: _memories(project, catalogue, place.name, moved)}
            found = next((one for one in files[place.name] if one.line == place.row.line), None)
        yield number, found


def _memories(
    project: Project, catalogue: Catalogue, name: str, moved: set[str]
) -> Sequence[Entry]:
    try:
        data = read_bytes(project, name)
    except Unreadable:
        moved.add(name)
        return ()
    if plain_blob_id(data) != catalogue.blob(name):
        moved.add(name)
    return parse_memory(path_of(project, name), data).memories


# --- files -----------------------------------------------------------------------------------


def _path(snapshot: Snapshot, embedder: Embedder) -> Path | None:
    if snapshot.directory is None:
        return None
    catalogue = snapshot.catalogue
    key = hashlib.sha256(f"{SCHEME}\n{embedder.id}".encode()).hexdigest()[:16]
    return snapshot.directory / f"vectors-{key}-{catalogue.build}-{catalogue.generation}.bin"


def _newest(path: Path | None, dim: int) -> Kept:
    """What is in the file, or in that of another generation of the build; else nothing."""
    for each in [path, *_generations(path)] if path else []:
        known = read_kept(each, dim)
        if known is not None:
            return known
    return nothing()


def _generations(path: Path) -> list[Path]:
    """The files of the same build and embedder, the newest first."""
    same = path.name.rpartition("-")[0]
    found = path.parent.glob(f"{same}-*.bin")
    return sorted(found, key=_generation, reverse=True)


def _generation(path: Path) -> int:
    number = path.stem.rpartition("-")[2]
    return int(number) if number.isdecimal() and len(number) < 20 else 0


def _identity(path: Path | None) -> tuple[int, ...]:
    """What tells a file from another one that was put in its place; () where there is none."""
    try:
        facts = path.stat() if path else None
    except OSError:
        facts = None
    return () if facts is None else (facts.st_ino, facts.st_size, facts.st_mtime_ns)


def _drop(path: Path | None) -> None:
    with suppress(OSError):  # Windows: another process still has it mapped
        if path is not None:
            path.unlink()
