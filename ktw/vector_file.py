"""What vectors tell of the memories of an index, as the bytes of one file: a row of small numbers
for each passage, and the tokens of each memory.

Pure over arrays and bytes, but for `read_kept`. What was cut or garbled is damage, never another
answer.

    head     magic, dim, how many memories, rows and tokens, CRC-32 of the tables, of the rows
    tables   a uint32 each memory: its row number, where its rows end, where its tokens end, the
             CRC-32 of its tokens; a float32 each row: its length
    tokens   uint32, memory after memory
    rows     dim columns of a byte each row, as `ktw.lanes` has them
"""

import math
import mmap
import struct
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from operator import lt
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from ktw.derived import open_regular
from ktw.lanes import ZERO, Rows, rows_of
from ktw.token_lists import END, Lists
from ktw.vectors import Vectors

_MAGIC = b"ktwvec2" + sys.byteorder[:1].encode()
_HEAD = struct.Struct("<8s6I")


class BadFile(ValueError):
    """The bytes are no whole file of this machine's for this model."""


class Kept(NamedTuple):
    """The columns of the file: `token_ends` and `checks` have a value for each memory, in ascending
    order of row numbers; `tokens` holds those of all, one memory after the other."""

    vectors: Vectors
    token_ends: Sequence[int]
    checks: Sequence[int]
    tokens: Any

    def lists(self, numbers: Sequence[int]) -> Lists:
        """The tokens of those memories that it holds, by row number. Raises BadFile."""
        known = self.vectors.numbers
        found: Lists = {}
        for number in numbers:
            place = bisect_left(known, number)
            if place == len(known) or known[place] != number:
                continue
            start = self.token_ends[place - 1] if place else 0
            listed = self.tokens[start : self.token_ends[place]]
            if crc32(listed) != self.checks[place] or listed[-1] != END:
                raise BadFile("a list of tokens is garbled")
            found[number] = listed
        return found


def kept(vectors: Vectors, lists: Lists) -> Kept:
    """The columns of some memories, given in the same order by both."""
    ends = array("I", accumulate(map(len, lists.values())))
    tokens = array("I", b"".join(map(bytes, lists.values())))
    return Kept(vectors, ends, array("I", map(crc32, lists.values())), memoryview(tokens))


def nothing() -> Kept:
    """The columns of no memory."""
    return kept(Vectors([], [], Rows(b"", 0), []), {})


class _Run(NamedTuple):
    """Memories that stand together in one part."""

    part: Kept
    start: int
    end: int

    def pieces(self, ends: Sequence[int]) -> slice:
        """Where their pieces stand, given where those of each memory end."""
        return slice(ends[self.start - 1] if self.start else 0, ends[self.end - 1])


def joined(parts: Sequence[Kept], wanted: Sequence[int]) -> Kept:
    """The columns of the wanted memories, each of which stands in one of the parts."""
    runs = list(_runs(parts, wanted))
    passages = [run.pieces(run.part.vectors.ends) for run in runs]
    lengths = [run.part.vectors.lengths[each] for run, each in zip(runs, passages, strict=True)]
    rows = rows_of(
        [(run.part.vectors.rows, each) for run, each in zip(runs, passages, strict=True)]
    )
    tokens = b"".join(run.part.tokens[run.pieces(run.part.token_ends)] for run in runs)
    checks = [run.part.checks[run.start : run.end] for run in runs]
    return Kept(
        Vectors(
            wanted,
            _ends((run.part.vectors.ends, run) for run in runs),
            rows,
            array("f", chain.from_iterable(lengths)),
        ),
        _ends((run.part.token_ends, run) for run in runs),
        array("I", chain.from_iterable(checks)),
        memoryview(array("I", tokens)),
    )


def _runs(parts: Sequence[Kept], wanted: Sequence[int]) -> Iterator[_Run]:
    at = {
        number: (part, place) for part in parts for place, number in enumerate(part.vectors.numbers)
    }
    run: _Run | None = None
    for part, place in map(at.__getitem__, wanted):
        if run is not None and part is run.part and place == run.end:
            run = run._replace(end=place + 1)
            continue
        if run is not None:
            yield run
        run = _Run(part, place, place + 1)
    if run is not None:
        yield run


def _ends(runs: Iterable[tuple[Sequence[int], _Run]]) -> "array[int]":
    """Where the pieces of each memory of some runs end, one run behind the other."""
    found, size = array("I"), 0
    for ends, run in runs:
        pieces = run.pieces(ends)
        found.extend(end - pieces.start + size for end in ends[run.start : run.end])
        size += pieces.stop - pieces.start
    return found


def encoded(columns: Kept) -> bytes:
    """The bytes of the file."""
    vectors, rows = columns.vectors, columns.vectors.rows
    parts = (vectors.numbers, vectors.ends, columns.token_ends, columns.checks)
    tables = b"".join(array("I", part).tobytes() for part in parts)
    tables += array("f", vectors.lengths).tobytes()
    written = bytes(rows.columns)
    counts = (len(vectors.numbers), rows.count, len(columns.tokens))
    head = _HEAD.pack(_MAGIC, rows.width, *counts, crc32(tables), crc32(written))
    return b"".join((head, tables, columns.tokens, written))


def decoded(data: Any, dim: int) -> Kept:
    """The columns as views of a buffer that holds the file. Raises BadFile."""
    if len(data) < _HEAD.size:
        raise BadFile("no head")
    magic, width, memories, rows, tokens, *checks = _HEAD.unpack_from(data)
    sizes = [4 * memories] * 4 + [4 * rows, 4 * tokens, rows * dim]
    starts = list(accumulate(sizes, initial=_HEAD.size))
    if (magic, width, len(data)) != (_MAGIC, dim if rows else 0, starts[-1]):
        raise BadFile("another head, or another length")
    parts = [memoryview(data)[start:end] for start, end in pairwise(starts)]
    tables = memoryview(data)[_HEAD.size : starts[5]]
    if [crc32(tables), crc32(parts[6])] != checks:
        raise BadFile("the tables or the rows are garbled")
    numbers, row_ends, token_ends, of_tokens = (array("I", bytes(part)) for part in parts[:4])
    lengths = array("f", bytes(parts[4]))
    if not (_grow(numbers) and _end(row_ends, rows) and _end(token_ends, tokens)):
        raise BadFile("the tables make no sense")
    if not _are_lengths(lengths, dim):
        raise BadFile("no row of whole numbers is so long")
    vectors = Vectors(numbers, row_ends, Rows(parts[6], rows), lengths)
    return Kept(vectors, token_ends, of_tokens, parts[5].cast("I"))


def read_kept(path: Path, dim: int) -> Kept | None:
    """What a file holds, mapped into memory; None where there is none that is whole."""
    try:
        with open_regular(path) as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return decoded(data, dim)
    except (OSError, ValueError):  # an empty file; a BadFile
        return None


def _are_lengths(lengths: "array[float]", dim: int) -> bool:
    """Whether rows of whole numbers may be so long: not at all, or as long as a single one."""
    least, most = min(filter(None, lengths), default=1.0), max(lengths, default=0.0)
    return least >= 1.0 and most <= ZERO * dim and math.isfinite(sum(lengths))


def _grow(column: Sequence[int]) -> bool:
    return all(map(lt, column, column[1:]))


def _end(ends: Sequence[int], size: int) -> bool:
    """Whether pieces that are not empty make up the whole."""
    return _grow(ends) and (ends[0] > 0 and ends[-1] == size if len(ends) else not size)
