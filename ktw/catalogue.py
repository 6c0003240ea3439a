"""What the index knows of each memory file: enough to tell what changed and to score, no text.

Derived data in columns, a few long strings of JSON: at 10,000 files, an object for each would cost
more than reading them all. Never trusted for content, always safe to delete.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from ktw.frontmatter import Problem
from ktw.memory import is_note
from ktw.store import FileStat

_STATS = 4  # of a file: size, two times, inode


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


class Catalogue:
    """All files of one generation of the index; `next_number` is the next free row number."""

    def __init__(self, build: str, generation: int, next_number: int, columns: "Columns") -> None:
        self.build, self.generation, self.next_number = build, generation, next_number
        self.columns = columns

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

    def stale(self, found: Sequence[FileStat]) -> list[FileStat]:
        """Those of the scanned files that it does not know, or that may have changed since."""
        return [seen for seen in found if not self._is_current(seen)]

    def is_unchanged(self, found: Sequence[FileStat]) -> bool:
        """True where all files are as they were: the usual case, compared column by column."""
        columns = self.columns
        if "1" in columns.racy or [seen[0] for seen in found] != columns.names:
            return False
        return array("q", chain.from_iterable(seen[1:] for seen in found)) == columns.stats

    def _is_current(self, seen: FileStat) -> bool:
        at, columns = self._file_at.get(seen.name), self.columns
        if at is None or columns.racy[at] == "1":
            return False
        return tuple(columns.stats[at * _STATS : (at + 1) * _STATS]) == seen[1:]

    def gone(self, found: Sequence[FileStat]) -> list[str]:
        """The files that it knows and that were not found, sorted."""
        names = {seen[0] for seen in found}
        return [name for name in self.columns.names if name not in names]

    def blob(self, name: str) -> str | None:
        """git's name for the words of a file as it was read (LF line ends, SHA-1)."""
        at = self._file_at.get(name)
        return None if at is None else self.columns.blobs[at]

    def numbers(self, name: str) -> list[int]:
        """The row numbers of a file."""
        at = self._file_at.get(name)
        files, numbers = self.columns.integers[0], self.columns.integers[1]
        return [number for file, number in zip(files, numbers, strict=True) if file == at]

    def problems(self) -> Iterator[tuple[str, Problem]]:
        """What could not be read, by file name."""
        for name, told in sorted(self.columns.problems.items()):
            for problem in told:
                yield name, Problem(*problem)

    def records(self) -> Iterator[FileRecord]:
        """Every file with its rows, in name order: what a Draft starts from."""
        columns, rows = self.columns, list(self.places())
        at = 0
        for file, name in enumerate(columns.names):
            first = at
            while at < len(rows) and columns.integers[0][at] == file:
                at += 1
            stat = FileStat(name, *columns.stats[file * _STATS : (file + 1) * _STATS])
            told = tuple(Problem(*problem) for problem in columns.problems.get(name, ()))
            inner = tuple(place.row for place in rows[first:at])
            yield FileRecord(stat, columns.blobs[file], columns.racy[file] == "1", inner, told)

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
        return {number: at for at, number in enumerate(self.columns.integers[1])}

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

    @cached_property
    def lengths(self) -> tuple[Mapping[int, int], ...]:
        """Row number to length in terms, one mapping a field, in the order of FIELDS."""
        numbers = self.columns.integers[1]
        return tuple(dict(zip(numbers, column, strict=True)) for column in self.columns.lengths)

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
