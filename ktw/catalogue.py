"""What the index knows of each memory file: enough to tell what changed and to score, no text.

Plain data, written and read as JSON; never trusted for content, always safe to delete. Records stay
packed lists until one is asked for: at 10,000 files, making objects would cost more than reading.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ktw.derived import read_sealed, write_sealed
from ktw.frontmatter import Problem
from ktw.store import FileStat
from ktw.terms import FIELDS

SCHEMA = 4
_COARSE_NS, _FINE_NS = 2_000_000_000, 100_000_000
_STAT, _BLOB, _RACY, _ROWS, _PROBLEMS = range(5)

_Packed = list[Any]


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


@dataclass
class Catalogue:
    """All files of one generation of the index. `next_number` is the next free row number."""

    build: str
    generation: int
    next_number: int = 0
    _files: dict[str, _Packed] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The files it knows, sorted."""
        return sorted(self._files)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def stale(self, found: Sequence[FileStat]) -> list[FileStat]:
        """Those of the scanned files that it does not know, or that may have changed since."""
        known = self._files
        return [
            seen
            for seen in found
            if (packed := known.get(seen[0])) is None
            or packed[_RACY]
            or tuple(packed[_STAT]) != seen[1:]
        ]

    def gone(self, found: Sequence[FileStat]) -> list[str]:
        """The files that it knows and that were not found, sorted."""
        names = {seen[0] for seen in found}
        return sorted(name for name in self._files if name not in names)

    def blob(self, name: str) -> str | None:
        """The content id under which a file was read."""
        return self._files[name][_BLOB] if name in self._files else None

    def numbers(self, name: str) -> list[int]:
        """The row numbers of a file."""
        return [row[0] for row in self._files[name][_ROWS]] if name in self._files else []

    def places(self) -> Iterator[Place]:
        """Every memory, files in name order."""
        for name in self.names:
            for row in self._files[name][_ROWS]:
                yield Place(name, Row(*row))

    @cached_property
    def by_number(self) -> Mapping[int, tuple[str, _Packed]]:
        """Row number to file name and packed row, for `place`."""
        return {row[0]: (name, row) for name, p in self._files.items() for row in p[_ROWS]}

    def place(self, number: int) -> Place | None:
        """The memory with that row number, None for one that is gone."""
        found = self.by_number.get(number)
        return Place(found[0], Row(*found[1])) if found else None

    @cached_property
    def lengths(self) -> tuple[Mapping[int, int], ...]:
        """Row number to length in terms, one mapping a field, in the order of FIELDS."""
        rows = [row for packed in self._files.values() for row in packed[_ROWS]]
        first = len(Row._fields) - len(FIELDS)
        return tuple({row[0]: row[first + at] for row in rows} for at in range(len(FIELDS)))

    def files_per_id(self) -> Mapping[str, int]:
        """How many files carry each Id."""
        count: dict[str, int] = {}
        for packed in self._files.values():
            for id_ in {row[3] for row in packed[_ROWS] if row[3]}:
                count[id_] = count.get(id_, 0) + 1
        return count

    def problems(self) -> Iterator[tuple[str, Problem]]:
        """What could not be read, by file name."""
        for name in self.names:
            for problem in self._files[name][_PROBLEMS]:
                yield name, Problem(*problem)

    # --- changes, made before a generation is published ---------------------------------------

    def put(
        self,
        stat: FileStat,
        blob: str,
        racy: bool,
        rows: Sequence[Row],
        problems: Sequence[Problem],
    ) -> None:
        """Record a file as it was read."""
        told = [[problem.kind, problem.line, problem.message] for problem in problems]
        self._files[stat.name] = [
            list(stat[1:]),
            blob,
            int(racy),
            [list(row) for row in rows],
            told,
        ]

    def restamp(self, stat: FileStat, racy: bool) -> None:
        """Remember new times of a file whose bytes are the same."""
        self._files[stat.name][_STAT] = list(stat[1:])
        self._files[stat.name][_RACY] = int(racy)

    def drop(self, name: str) -> None:
        """Forget a file."""
        self._files.pop(name, None)


def is_racy(stat: FileStat, now_ns: int) -> bool:
    """True where a later change could leave the same times: git's racy rule, both clocks."""
    window = _COARSE_NS if stat.mtime_ns % 1_000_000_000 == 0 else _FINE_NS
    return max(stat.mtime_ns, stat.ctime_ns) + window >= now_ns


def read_catalogue(path: Path, key: str) -> Catalogue | None:
    """The catalogue at `path` when it is whole and was made under `key`, else None."""
    told = read_sealed(path)
    if told is None:
        return None
    data = json.loads(told)
    if data["schema"] != SCHEMA or data["key"] != key:
        return None
    return Catalogue(data["build"], data["generation"], data["next"], data["files"])


def write_catalogue(path: Path, key: str, catalogue: Catalogue) -> bool:
    """Write it whole; False where the place cannot be written."""
    data = {
        "schema": SCHEMA,
        "key": key,
        "build": catalogue.build,
        "generation": catalogue.generation,
        "next": catalogue.next_number,
        "files": catalogue._files,
    }
    return write_sealed(path, json.dumps(data, separators=(",", ":")).encode())
