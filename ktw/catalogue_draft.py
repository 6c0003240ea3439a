"""A catalogue being changed: files come and go by name, and in the end there is a new value.

Only what writes or joins indexes needs it.
"""

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeVar

from ktw.catalogue import About, Catalogue, Columns, FileRecord
from ktw.store import FileStat
from ktw.terms import FIELDS

_Value = TypeVar("_Value")
_INTEGERS = 7  # of a row: file, number, line, about, id, cues, author


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
    authors = _numbered(row.author for _, row in rows)
    integers = [
        (file, row.number, row.line, about, ids[row.id], row.cues, authors[row.author])
        for file, row in rows
        for about in [abouts[About(*row[4:7])]]
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
        authors=list(authors),
    )


def _numbered(values: Iterable[_Value]) -> dict[_Value, int]:
    """Each different value with a number, in the order of its first appearance."""
    numbers: dict[_Value, int] = {}
    for value in values:
        numbers.setdefault(value, len(numbers))
    return numbers


def _transposed(rows: Sequence[Sequence[int]], width: int) -> list["array[int]"]:
    return [array("i", (row[at] for row in rows)) for at in range(width)]
