"""What the index knows of each memory file: enough to tell what changed and to score, no text.

Derived data in columns, a few long strings of JSON: at 10,000 files, an object for each would cost
more than reading them all. Never trusted for content, always safe to delete.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ktw.frontmatter import Problem
from ktw.memory import is_note
from ktw.scan import FileStat, FileStats
from ktw.scout import STATS


class Row(NamedTuple):
    """One memory in the index. `number` is unique for ever within a build; lengths in terms."""

    number: int
    anchor: str
    line: int
    id: str
    kind: str
    status: str
    created_at: str
    title_length: int
    body_length: int
    keys_length: int
    cues: int = 0
    author: str = ""

    @property
    def lengths(self) -> tuple[int, int, int]:
        """The length of each field, in the order of FIELDS."""
        return self.title_length, self.body_length, self.keys_length


class Place(NamedTuple):
    """A memory of the index with the file it stands in."""

    name: str
    row: Row


class About(NamedTuple):
    """What of a memory a prior looks at."""

    kind: str
    status: str
    created_at: str


class FileRecord(NamedTuple):
    """One file as it was read. `racy`: too young then for its times to be proof."""

    stat: FileStat
    blob: str
    racy: bool
    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]


class SegmentFile(NamedTuple):
    """A segment that goes with a catalogue: its file's name, and how many rows it lists, all with
    numbers from `first` on and before `end`."""

    name: str
    rows: int
    first: int
    end: int


class Catalogue:
    """All files of one generation of the index; `next_number` is the next free row number.

    `segments`: where the terms of its rows are listed, and perhaps those of rows that are gone.
    """

    def __init__(
        self,
        build: str,
        generation: int,
        next_number: int,
        columns: "Columns",
        segments: Sequence[SegmentFile] = (),
    ) -> None:
        self.build, self.generation, self.next_number = build, generation, next_number
        self.columns, self.segments = columns, segments

    # --- files --------------------------------------------------------------------------------

    @cached_property
    def names(self) -> list[str]:
        """The memory files it knows, sorted; no local notes."""
        return [name for name in self.columns.names if not is_note(name)]

    @cached_property
    def notes(self) -> list[str]:
        """The local notes it knows, oldest first."""
        return [name for name in self.columns.names if is_note(name)]

    def __contains__(self, name: str) -> bool:
        return name in self._file_at

    @cached_property
    def _file_at(self) -> Mapping[str, int]:
        return {name: at for at, name in enumerate(self.columns.names)}

    def stale(self, found: FileStats) -> list[FileStat]:
        """Those of the scanned files that it does not know, or that may have changed since."""
        at, columns = self._file_at, self.columns
        seen, known, racy = found.stats.tobytes(), columns.stats.tobytes(), columns.racy
        stale = []
        for place, name in enumerate(found.names):
            mine = at.get(name)
            if (
                mine is None
                or racy[mine] == "1"
                or _bytes_at(known, mine) != _bytes_at(seen, place)
            ):
                stale.append(found.stat(place))
        return stale

    def is_unchanged(self, found: FileStats) -> bool:
        """True where all files are as they were: the usual case, compared column by column."""
        columns = self.columns
        same = columns.names == found.names and columns.stats == found.stats
        return same and "1" not in columns.racy

    def gone(self, found: FileStats) -> list[str]:
        """The files that it knows and that were not found, sorted."""
        names = set(found.names)
        return [name for name in self.columns.names if name not in names]

    def blob(self, name: str) -> str | None:
        """git's name for the words of a file as it was read (LF line ends, SHA-1)."""
        at = self._file_at.get(name)
        return None if at is None else self.columns.blobs[at]

    def holds_memories(self, name: str) -> bool:
        """True for a file that it knows and that holds a memory."""
        at = self._file_at.get(name)
        return at is not None and at in self.columns.integers[0]

    def problems(self) -> Iterator[tuple[str, Problem]]:
        """What could not be read, by file name."""
        for name, told in sorted(self.columns.problems.items()):
            for problem in told:
                yield name, Problem(*problem)

    # --- memories -----------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """How many memories it holds, notes among them."""
        return len(self.columns.integers[1])

    @property
    def memories(self) -> int:
        """How many memories stand in memory files."""
        notes = set(self.notes)
        return sum(self.columns.names[file] not in notes for file in self.columns.integers[0])

    @cached_property
    def row_at(self) -> Mapping[int, int]:
        """Row number to the position of the memory in file order."""
        numbers = self.columns.integers[1]
        return dict(zip(numbers, range(len(numbers)), strict=True))

    def place(self, number: int) -> Place | None:
        """The memory with that row number, None for one that is gone."""
        at = self.row_at.get(number)
        return None if at is None else self._place(at)

    def places(self) -> Iterator[Place]:
        """Every memory, files in name order."""
        return (self._place(at) for at in range(self.size))

    def _place(self, at: int) -> Place:
        columns = self.columns
        file, number, line, about, id_, cues, author = (column[at] for column in columns.integers)
        named, told = (columns.anchors[at], line, columns.ids[id_]), columns.abouts[about]
        title, body, keys = (column[at] for column in columns.lengths)
        row = Row(number, *named, *told, title, body, keys, cues, columns.authors[author])
        return Place(columns.names[file], row)

    @property
    def about(self) -> Sequence[int]:
        """Which of `abouts` holds for the memory at each position."""
        return self.columns.integers[3]

    @property
    def abouts(self) -> Sequence[About]:
        """The different things a prior looks at: few, however many memories there are."""
        return self.columns.abouts

    @property
    def cues(self) -> Sequence[int]:
        """What the text of the memory at each position shows (`ktw.text.cues`)."""
        return self.columns.integers[5]

    def author(self, at: int) -> str:
        """Who speaks in the memory at a position, "" where it does not say."""
        return self.columns.authors[self.columns.integers[6][at]]

    @property
    def lengths(self) -> Sequence[Sequence[int]]:
        """How many terms the memory at each position has, a column for each of FIELDS."""
        return self.columns.lengths

    def files_per_id(self) -> Mapping[str, int]:
        """How many memory files carry each Id."""
        return self._files_per_id

    @cached_property
    def _files_per_id(self) -> Mapping[str, int]:
        return Counter(id_ for _, id_ in self._carrying())

    def carriers(self) -> Mapping[str, Sequence[str]]:
        """The memory files that carry each Id (in lower case)."""
        found = defaultdict[str, list[str]](list)
        for name, id_ in self._carrying():
            found[id_.lower()].append(name)
        return found

    def _carrying(self) -> Iterator[tuple[str, str]]:
        """Each memory file with each Id in it, in file order: no note makes an Id stand twice."""
        columns, notes = self.columns, set(self.notes)
        for file, id_ in dict.fromkeys(zip(columns.integers[0], columns.integers[4], strict=True)):
            if columns.ids[id_] and columns.names[file] not in notes:
                yield columns.names[file], columns.ids[id_]


_STAT_BYTES = 8 * STATS


def _bytes_at(stats: bytes, at: int) -> bytes:
    return stats[_STAT_BYTES * at : _STAT_BYTES * (at + 1)]


class Columns(NamedTuple):
    """The columns of a catalogue. `integers` and `lengths` hold one array a row's property each."""

    names: list[str]
    stats: "array[int]"
    blobs: list[str]
    racy: str
    problems: Mapping[str, Sequence[Sequence[Any]]]
    integers: Sequence["array[int]"]
    lengths: Sequence["array[int]"]
    abouts: Sequence[About]
    ids: Sequence[str]
    anchors: Sequence[str]
    authors: Sequence[str]
