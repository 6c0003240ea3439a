"""Which memory files are not as the catalogue knows them: compared by what a scan sees, then read.

Files whose size and times have not moved are not opened. Writes nothing.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ktw.boundaries import Unreadable
from ktw.catalogue import Catalogue
from ktw.memory import MemoryFile, parse_memory
from ktw.store import FileStat, Project, read_bytes, unreadable_memory

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Read:
    """A file as it was read: seen by a scan, named by content, at a moment of this clock."""

    stat: FileStat
    blob: str
    file: MemoryFile
    read_at_ns: int


@dataclass
class Difference:
    """What the tree holds that the catalogue does not, and the other way round; how many read."""

    changed: list[Read] = field(default_factory=list)
    restamped: list[Read] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    read: int = 0

    @property
    def touches_index(self) -> bool:
        return bool(self.changed or self.gone)


def compare(
    project: Project,
    catalogue: Catalogue | None,
    found: Sequence[FileStat],
    progress: Progress | None,
) -> Difference:
    """How the scanned files differ from the catalogue; only those that may have changed are read.

    `progress` is told (done, total).
    """
    known = catalogue or Catalogue("", 0)
    stale = [stat for stat in found if not known.is_current(stat)]
    names = {stat.name for stat in found}
    difference = Difference(gone=[name for name in known.names if name not in names])
    checked: set[str] = set()
    for done, stat in enumerate(stale, start=1):
        read = _read(project, stat, checked)
        same = known.blob(stat.name) == read.blob
        (difference.restamped if same else difference.changed).append(read)
        if progress is not None:
            progress(done, len(stale))
    difference.read = len(stale)
    return difference


def _read(project: Project, stat: FileStat, checked: set[str]) -> Read:
    path, now = f"{project.context_name}/{stat.name}", time.time_ns()
    try:
        data = read_bytes(project, stat.name, checked)
    except Unreadable as error:
        file = unreadable_memory(path, error)
        return Read(stat, f"unreadable: {error.why}", file, now)
    return Read(stat, hashlib.sha256(data).hexdigest(), parse_memory(path, data), now)
