"""A catalogue being changed: files come and go by name, and in the end there is a new value.

What does not change is copied column by column: of 10,000 files an edit touches one. Only what
writes or joins indexes needs it.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from ktw.catalogue import About, Catalogue, Columns, FileRecord, SegmentFile
from ktw.scan import FileStat
from ktw.scout import STATS
from ktw.terms import FIELDS

_Value = TypeVar("_Value")
_INTEGERS = 7  # of a row: file, number, line, about, id, cues, author


class Draft:
    """A catalogue being changed: files by name, until `done` makes a value of it."""

    def __init__(self, build: str, base: Catalogue | None = None) -> None:
        self.build = build if base is None else base.build
        self.next_number = 0 if base is None else base.next_number
        self._base = _piece_of([], _Tables()) if base is None else base.columns
        self._changes: dict[str, FileRecord | None] = {}
        self._stamps: dict[str, tuple[FileStat, bool]] = {}

    def put(self, record: FileRecord) -> None:
        """Record a file as it was read."""
        self._changes[record.stat.name] = record

    def drop(self, name: str) -> None:
        """Forget a file."""
        self._changes[name] = None

    def restamp(self, stat: FileStat, racy: bool) -> None:
        """Remember new times of a file of the base, whose bytes are the same."""
        self._stamps[stat.name] = (stat, racy)

    def done(self, generation: int, segments: Sequence[SegmentFile] = ()) -> Catalogue:
        """The catalogue of that generation; `segments` as far as they are known."""
        base = _restamped(self._base, self._stamps) if self._stamps else self._base
        columns = _changed(base, self._changes) if self._changes else base
        return Catalogue(self.build, generation, self.next_number, columns, segments)


def _restamped(base: Columns, stamps: Mapping[str, tuple[FileStat, bool]]) -> Columns:
    stats, racy = base.stats[:], list(base.racy)
    for name, (stat, is_racy) in stamps.items():
        at = bisect_left(base.names, name)
        stats[STATS * at : STATS * (at + 1)] = array("q", stat[1:])
        racy[at] = str(int(is_racy))
    return base._replace(stats=stats, racy="".join(racy))


def _changed(base: Columns, changes: Mapping[str, FileRecord | None]) -> Columns:
    tables = _Tables(base)
    joined = _joined(list(_pieces(base, changes, tables)))
    problems = {name: told for name, told in base.problems.items() if name not in changes}
    problems |= {
        name: [list(problem) for problem in record.problems]
        for name, record in changes.items()
        if record is not None and record.problems
    }
    return joined._replace(
        problems=problems,
        abouts=list(tables.abouts),
        ids=list(tables.ids),
        authors=list(tables.authors),
    )


class _Tables:
    """The values that rows name by number; those of the base keep theirs."""

    def __init__(self, base: Columns | None = None) -> None:
        self.abouts: dict[About, int] = _numbered(base.abouts if base else ())
        self.ids: dict[str, int] = _numbered(base.ids if base else ())
        self.authors: dict[str, int] = _numbered(base.authors if base else ())


def _numbered(values: Iterable[_Value]) -> dict[_Value, int]:
    return {value: at for at, value in enumerate(values)}


def _number(numbers: dict[_Value, int], value: _Value) -> int:
    return numbers.setdefault(value, len(numbers))


def _pieces(
    base: Columns, changes: Mapping[str, FileRecord | None], tables: _Tables
) -> Iterator[Columns]:
    """Spans of the base and what is new between them, in name order."""
    start = 0
    fresh: list[FileRecord] = []
    for name in sorted(changes):
        at = bisect_left(base.names, name)
        if at > start:
            yield _piece_of(fresh, tables)
            yield _span(base, start, at)
            fresh = []
        start = at + (base.names[at : at + 1] == [name])
        record = changes[name]
        fresh += [] if record is None else [record]
    yield _piece_of(fresh, tables)
    yield _span(base, start, len(base.names))


def _span(base: Columns, start: int, end: int) -> Columns:
    """The files of the base from `start` on and before `end`."""
    files = base.integers[0]
    first, last = bisect_left(files, start), bisect_left(files, end)
    rows = slice(first, last)
    return base._replace(
        names=base.names[start:end],
        stats=base.stats[STATS * start : STATS * end],
        blobs=base.blobs[start:end],
        racy=base.racy[start:end],
        integers=[_moved(files[rows], -start), *(column[rows] for column in base.integers[1:])],
        lengths=[column[rows] for column in base.lengths],
        anchors=base.anchors[rows],
    )


def _piece_of(records: Sequence[FileRecord], tables: _Tables) -> Columns:
    """The columns of some records; the tables grow by what they name."""
    rows = [(file, row) for file, record in enumerate(records) for row in record.rows]
    integers = [
        (
            *(file, row.number, row.line, _number(tables.abouts, About(*row[4:7]))),
            *(_number(tables.ids, row.id), row.cues, _number(tables.authors, row.author)),
        )
        for file, row in rows
    ]
    return Columns(
        names=[record.stat.name for record in records],
        stats=array("q", chain.from_iterable(record.stat[1:] for record in records)),
        blobs=[record.blob for record in records],
        racy="".join(str(int(record.racy)) for record in records),
        problems={},
        integers=_transposed(integers, _INTEGERS),
        lengths=_transposed([row.lengths for _, row in rows], len(FIELDS)),
        abouts=(),
        ids=(),
        anchors=[row.anchor for _, row in rows],
        authors=(),
    )


def _joined(pieces: Sequence[Columns]) -> Columns:
    """The pieces one behind the other, under the same tables; by halves, for they may be many."""
    if len(pieces) == 1:
        return pieces[0]
    half = len(pieces) // 2
    return behind(_joined(pieces[:half]), _joined(pieces[half:]))


def behind(one: Columns, other: Columns, tables: tuple[int, int, int] = (0, 0, 0)) -> Columns:
    """The files of `one`, then those of `other`, under the tables of `one`.

    `tables`: by how much the numbers of abouts, ids and authors of `other` are too small there.
    """
    abouts, ids, authors = tables
    moves = (len(one.names), 0, 0, abouts, ids, 0, authors)
    moved = map(_moved, other.integers, moves)
    return one._replace(
        names=[*one.names, *other.names],
        stats=one.stats + other.stats,
        blobs=[*one.blobs, *other.blobs],
        racy=one.racy + other.racy,
        integers=[ours + more for ours, more in zip(one.integers, moved, strict=True)],
        lengths=[ours + more for ours, more in zip(one.lengths, other.lengths, strict=True)],
        anchors=[*one.anchors, *other.anchors],
    )


def _moved(column: "array[int]", by: int) -> "array[int]":
    return array("i", (value + by for value in column)) if by and column else column


def _transposed(rows: Sequence[Sequence[int]], width: int) -> list["array[int]"]:
    return [array("i", (row[at] for row in rows)) for at in range(width)]
