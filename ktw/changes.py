"""Which memory files are not as the catalogue knows them: compared by what a scan sees, then read.

Files whose size and times have not moved are not opened. Writes nothing.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ktw.boundaries import Unreadable
from ktw.catalogue import Catalogue
from ktw.catalogue_draft import Draft
from ktw.git import plain_blob_id
from ktw.memory import MemoryFile, parse_memory
from ktw.scan import FileStat, FileStats
from ktw.store import Project, path_of, read_bytes, unreadable_memory

Progress = Callable[[int, int], None]
_COARSE_NS, _FINE_NS = 2_000_000_000, 100_000_000


def is_racy(stat: FileStat, now_ns: int) -> bool:
    """True where a later change could leave the same times: git's racy rule, both clocks."""
    window = _COARSE_NS if stat.mtime_ns % 1_000_000_000 == 0 else _FINE_NS
    return max(stat.mtime_ns, stat.ctime_ns) + window >= now_ns


class Read(NamedTuple):
    """A file as it was read: seen by a scan, named as git names it, at a moment of this clock."""

    stat: FileStat
    blob: str
    file: MemoryFile
    read_at_ns: int


class Difference:
    """What the tree holds that the catalogue does not, and the other way round.

    `new` files are not read yet: 10,000 of them at once would fill the memory. `read` counts the
    files that are read in the end.
    """

    def __init__(self, gone: Sequence[str] = (), read: int = 0) -> None:
        self.gone, self.read = gone, read
        self.new: list[FileStat] = []
        self.changed: list[Read] = []
        self.restamped: list[Read] = []

    @property
    def touches_index(self) -> bool:
        return bool(self.new or self.changed or self.gone)


def compare(
    project: Project,
    catalogue: Catalogue | None,
    found: FileStats,
) -> Difference:
    """How the scanned files differ from the catalogue; of those it knows, only those that may have
    changed are read.
    """
    known = Draft("").done(0) if catalogue is None else catalogue
    if known.is_unchanged(found):
        return Difference()
    stale = known.stale(found)
    difference = Difference(known.gone(found), len(stale))
    checked: set[str] = set()
    for stat in stale:
        if stat.name not in known:
            difference.new.append(stat)
            continue
        read = _read(project, stat, checked)
        same = known.blob(stat.name) == read.blob
        (difference.restamped if same else difference.changed).append(read)
    return difference


def reads(project: Project, difference: Difference, progress: Progress | None) -> Iterator[Read]:
    """Every file whose terms are to be indexed; new ones are read when their turn comes.

    `progress` is told (done, total) of the new ones.
    """
    yield from difference.changed
    checked: set[str] = set()
    for done, stat in enumerate(difference.new, start=1):
        yield _read(project, stat, checked)
        if progress is not None:
            progress(done, len(difference.new))


def _read(project: Project, stat: FileStat, checked: set[str]) -> Read:
    path, now = path_of(project, stat.name), time.time_ns()
    try:
        data = read_bytes(project, stat.name, checked)
    except Unreadable as error:
        file = unreadable_memory(path, error)
        return Read(stat, f"unreadable: {error.why}", file, now)
    return Read(stat, plain_blob_id(data), parse_memory(path, data), now)
