"""What the index knows of each memory file: enough to tell what changed and to score, no text.

Derived data in columns, a few long strings of JSON: at 10,000 files, an object for each would cost
more than reading them all. Never trusted for content, always safe to delete.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from ktw.frontmatter import Problem
from ktw.store import FileStat
from ktw.terms import FIELDS

_Value = TypeVar("_Value")
_COARSE_NS, _FINE_NS = 2_000_000_000, 100_000_000
_STATS = 4  # of a file: size, two times, inode
_INTEGERS = 5  # of a row: file, number, line, about, id


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

    @property
    def names(self) -> list[str]:
        """The files it knows, sorted."""
        return self.columns.names

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
        return [name for name in self.names if name not in names]

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
        """How many memories it holds."""
        return len(self.columns.integers[1])

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
        file, number, line, about, id_ = (column[at] for column in columns.integers)
        told = columns.abouts[about]
        lengths = (column[at] for column in columns.lengths)
        row = Row(number, columns.anchors[at], line, columns.ids[id_], *told, *lengths)
        return Place(columns.names[file], row)

    @property
    def about(self) -> Sequence[int]:
        """Which of `abouts` holds for the memory at each position."""
        return self.columns.integers[3]

    @property
    def abouts(self) -> Sequence[About]:
        """The different things a prior looks at: few, however many memories there are."""
        return self.columns.abouts

    @cached_property
    def lengths(self) -> tuple[Mapping[int, int], ...]:
        """Row number to length in terms, one mapping a field, in the order of FIELDS."""
        numbers = self.columns.integers[1]
        return tuple(dict(zip(numbers, column, strict=True)) for column in self.columns.lengths)

    def files_per_id(self) -> Mapping[str, int]:
        """How many files carry each Id."""
        return self._files_per_id

    @cached_property
    def _files_per_id(self) -> Mapping[str, int]:
        columns = self.columns
        pairs = set(zip(columns.integers[0], columns.integers[4], strict=True))
        count = Counter(columns.ids[id_] for _, id_ in pairs)
        del count[""]
        return count

    def carriers(self) -> Mapping[str, Sequence[str]]:
        """The files that carry each Id (in lower case)."""
        columns, found = self.columns, defaultdict[str, list[str]](list)
        for file, id_ in sorted(set(zip(columns.integers[0], columns.integers[4], strict=True))):
            found[columns.ids[id_].lower()].append(columns.names[file])
        found.pop("", None)
        return found


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


class Draft:
    """A catalogue being changed: files by name, until `done` makes a value of it."""

    def __init__(self, build: str, base: Catalogue | None = None) -> None:
        self.build = build if base is None else base.build
        self.next_number = 0 if base is None else base.next_number
        records = () if base is None else base.records()
        self._files = {record.stat.name: record for record in records}

    def numbers(self, name: str) -> list[int]:
        """The row numbers of a file."""
        return [row.number for row in self._files[name].rows] if name in self._files else []

    def put(self, record: FileRecord) -> None:
        """Record a file as it was read."""
        self._files[record.stat.name] = record

    def restamp(self, stat: FileStat, racy: bool) -> None:
        """Remember new times of a file whose bytes are the same."""
        self._files[stat.name] = self._files[stat.name]._replace(stat=stat, racy=racy)

    def drop(self, name: str) -> None:
        """Forget a file."""
        self._files.pop(name, None)

    def done(self, generation: int) -> Catalogue:
        """The catalogue of that generation."""
        files = [self._files[name] for name in sorted(self._files)]
        return Catalogue(self.build, generation, self.next_number, _columns_of(files))


def _columns_of(files: Sequence[FileRecord]) -> Columns:
    rows = [(file, row) for file, record in enumerate(files) for row in record.rows]
    abouts = _numbered(About(row.kind, row.status, row.created_at) for _, row in rows)
    ids = _numbered(row.id for _, row in rows)
    integers = [
        (file, row.number, row.line, abouts[About(*row[4:7])], ids[row.id]) for file, row in rows
    ]
    return Columns(
        names=[record.stat.name for record in files],
        stats=array("q", chain.from_iterable(record.stat[1:] for record in files)),
        blobs=[record.blob for record in files],
        racy="".join(str(int(record.racy)) for record in files),
        problems={
            record.stat.name: [list(problem) for problem in record.problems]
            for record in files
            if record.problems
        },
        integers=_transposed(integers, _INTEGERS),
        lengths=_transposed([row.lengths for _, row in rows], len(FIELDS)),
        abouts=list(abouts),
        ids=list(ids),
        anchors=[row.anchor for _, row in rows],
    )


def _numbered(values: Iterable[_Value]) -> dict[_Value, int]:
    """Each different value with a number, in the order of its first appearance."""
    numbers: dict[_Value, int] = {}
    for value in values:
        numbers.setdefault(value, len(numbers))
    return numbers


def _transposed(rows: Sequence[Sequence[int]], width: int) -> list["array[int]"]:
    return [array("i", (row[at] for row in rows)) for at in range(width)]


def is_racy(stat: FileStat, now_ns: int) -> bool:
    """True where a later change could leave the same times: git's racy rule, both clocks."""
    window = _COARSE_NS if stat.mtime_ns % 1_000_000_000 == 0 else _FINE_NS
    return max(stat.mtime_ns, stat.ctime_ns) + window >= now_ns
