"""What vectors tell of the memories of an index, as the bytes of one file: a row of small numbers
for each passage, and the tokens of each memory.

Pure over arrays and bytes; importing it imports NumPy. What was cut or garbled is damage, never
another answer.

    head     magic, dim, how many memories, rows and tokens, CRC-32 of the tables, of the rows
    tables   a uint32 each memory: its row number, where its rows end, where its tokens end, the
             CRC-32 of its tokens; a float32 each row: its length
    tokens   uint32, memory after memory
    rows     int8, dim each
"""

import struct
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy as np

from ktw.token_lists import END, Lists
from ktw.vectors import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAGIC = b"ktwvec1" + sys.byteorder[:1].encode()
_HEAD = struct.Struct("<8s6I")
_TYPES = ("u4", "u4", "u4", "u4", "f4", "u4", "i1")


class BadFile(ValueError):
    """The bytes are no whole file of this machine's for this model."""


class Kept(NamedTuple):
    """The columns of the file: `numbers`, `row_ends`, `token_ends` and `checks` have a value for
    each memory, in ascending order of row numbers; `lengths` and `rows` one for each passage."""

    numbers: "NDArray[np.uint32]"
    row_ends: "NDArray[np.uint32]"
    token_ends: "NDArray[np.uint32]"
    checks: "NDArray[np.uint32]"
    lengths: "NDArray[np.float32]"
    tokens: "NDArray[np.uint32]"
    rows: "NDArray[np.int8]"

    @property
    def vectors(self) -> Vectors:
        return Vectors(self.numbers, self.row_ends, self.rows, self.lengths)

    def lists(self, numbers: Sequence[int]) -> Lists:
        """The tokens of those memories that it holds, by row number. Raises BadFile."""
        found: Lists = {}
        asked = np.array(numbers, dtype=np.int64)
        at, held = _places(self.numbers, asked)
        for number, place in zip(asked[held].tolist(), at[held].tolist(), strict=True):
            start = self.token_ends[place - 1] if place else 0
            listed = self.tokens[start : self.token_ends[place]]
            if crc32(listed.data) != self.checks[place] or listed[-1] != END:
                raise BadFile("a list of tokens is garbled")
            found[number] = listed
        return found


def kept(vectors: Vectors, lists: Lists) -> Kept:
    """The columns of some memories, given in the same order by both."""
    empty = np.zeros(0, dtype=np.uint32)
    ends = np.cumsum([len(listed) for listed in lists.values()], dtype=np.uint32)
    checks = np.array([crc32(listed.data) for listed in lists.values()], dtype=np.uint32)
    tokens = np.concatenate([empty, *lists.values()])
    return Kept(vectors.numbers, vectors.ends, ends, checks, vectors.lengths, tokens, vectors.rows)


def nothing(dim: int) -> Kept:
    """The columns of no memory."""
    none, no_rows = np.zeros(0, dtype=np.uint32), np.zeros((0, dim), dtype=np.int8)
    return Kept(none, none, none, none, np.zeros(0, dtype=np.float32), none, no_rows)


def missing(known: Kept, wanted: "NDArray[np.uint32]") -> "NDArray[np.uint32]":
    """Those of the wanted row numbers that it does not hold."""
    return wanted[~_places(known.numbers, wanted)[1]]


def joined(parts: Sequence[Kept], wanted: "NDArray[np.uint32]") -> Kept:
    """The columns of the wanted memories, each of which stands in one of the parts."""
    columns = [np.concatenate(each) for each in zip(*parts, strict=True)]
    numbers, checks = columns[0], columns[3]
    order = np.argsort(numbers, kind="stable")
    places = order[np.searchsorted(numbers[order], wanted)]
    rows, row_ends = _taken(_ends([part.row_ends for part in parts]), places)
    tokens, token_ends = _taken(_ends([part.token_ends for part in parts]), places)
    taken = (columns[4][rows], columns[5][tokens], columns[6][rows])
    return Kept(wanted, row_ends, token_ends, checks[places], *taken)


def _ends(parts: Sequence["NDArray[np.uint32]"]) -> "NDArray[np.int64]":
    """Where the pieces of several columns end once these stand one behind the other."""
    counts = [np.diff(ends.astype(np.int64), prepend=0) for ends in parts]
    return np.cumsum(np.concatenate(counts))


def _taken(
    ends: "NDArray[np.int64]", places: "NDArray[np.intp]"
) -> tuple["NDArray[np.int64]", "NDArray[np.uint32]"]:
    """The positions of all that is in the pieces at some places, and where these pieces end."""
    counts = np.diff(ends, prepend=0)
    starts, wanted = (ends - counts)[places], counts[places]
    new_ends = np.cumsum(wanted)
    return (
        np.arange(wanted.sum()) + np.repeat(starts - (new_ends - wanted), wanted),
        new_ends.astype(np.uint32),
    )


def _places(
    numbers: "NDArray[np.uint32]", asked: "NDArray[Any]"
) -> tuple["NDArray[np.intp]", "NDArray[np.bool_]"]:
    """Where each number that is asked for stands, and whether it does."""
    if not len(numbers):
        return np.zeros(len(asked), dtype=np.intp), np.zeros(len(asked), dtype=np.bool_)
    at = np.minimum(np.searchsorted(numbers, asked), len(numbers) - 1)
    return at, numbers[at] == asked


def encoded(columns: Kept) -> bytes:
    """The bytes of the file."""
    tables = b"".join(column.tobytes() for column in columns[:5])
    rows = columns.rows.tobytes()
    counts = (len(column) for column in (columns.numbers, columns.rows, columns.tokens))
    head = _HEAD.pack(_MAGIC, columns.rows.shape[1], *counts, crc32(tables), crc32(rows))
    return b"".join((head, tables, columns.tokens.tobytes(), rows))


def decoded(data: Any, dim: int) -> Kept:
    """The columns as views of a buffer that holds the file. Raises BadFile."""
    if len(data) < _HEAD.size:
        raise BadFile("no head")
    magic, width, memories, rows, tokens, *checks = _HEAD.unpack_from(data)
    sizes = [4 * memories] * 4 + [4 * rows, 4 * tokens, rows * dim]
    starts = np.cumsum([_HEAD.size, *sizes]).tolist()
    if (magic, width, len(data)) != (_MAGIC, dim, starts[-1]):
        raise BadFile("another head, or another length")
    parts = [memoryview(data)[start:end] for start, end in pairwise(starts)]
    tables = memoryview(data)[_HEAD.size : starts[5]]
    if [crc32(tables), crc32(parts[6])] != checks:
        raise BadFile("the tables or the rows are garbled")
    columns: list[Any] = [
        np.frombuffer(part, dtype=of) for part, of in zip(parts, _TYPES, strict=True)
    ]
    columns[-1] = columns[-1].reshape(-1, dim)
    found = Kept(*columns)
    if not (_grow(found.numbers) and _end(found.row_ends, rows) and _end(found.token_ends, tokens)):
        raise BadFile("the tables make no sense")
    return found


def _grow(column: "NDArray[np.uint32]") -> bool:
    return bool((column[1:] > column[:-1]).all())


def _end(ends: "NDArray[np.uint32]", size: int) -> bool:
    """Whether pieces that are not empty make up the whole."""
    return _grow(ends) and (int(ends[0]) > 0 and int(ends[-1]) == size if len(ends) else not size)
