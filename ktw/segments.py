"""One part of the inverted file as bytes: which rows hold a term, and how often; never changed
once it is written.

Pure over bytes and seekable files. Nothing is run by reading one, whoever wrote it, and what was
cut or garbled is damage, never a wrong answer.

    head      magic, how many terms, size of the keys, CRC-32 of the three tables that follow
    tables    where each key ends, where each list ends (uint32 each), the keys in order
    lists     CRC-32 of the rest, width of a count (1 or 4), row numbers (uint32), counts

A key is the position of the field in FIELDS as one byte, then the term in UTF-8.
"""

import os
import struct
import sys
from array import array
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import compress
from typing import BinaryIO, NamedTuple
from zlib import crc32

from ktw.terms import FIELDS

_MAGIC = b"ktw1" + sys.byteorder[:1].encode()
_HEAD = struct.Struct("<5sIII")
_LIST_HEAD = struct.Struct("<IB")
_FIELD_BYTE = {name: bytes([at]) for at, name in enumerate(FIELDS)}
_COUNT_TYPES = {1: "B", 4: "I"}
_WIDEST_BYTE = 255


class BadSegment(ValueError):
    """The bytes are no whole segment of this machine's."""


class Listed(NamedTuple):
    """The rows that hold one term, ascending, and how often each of them does."""

    key: bytes
    numbers: "array[int]"
    counts: "array[int]"


def key_of(field: str, term: str) -> bytes:
    """What a term of a field is listed under."""
    return _FIELD_BYTE[field] + term.encode("utf-8", "surrogatepass")


def encoded(old: Sequence[Iterable[Listed]], live: Container[int], new: Iterable[Listed]) -> bytes:
    """One segment of what is `live` in old parts and of a new one; row numbers grow from part to
    part."""
    lists = {one.key: one for one in new}
    for part in reversed(old):
        for one in part:
            known = lists.get(one.key)
            kept = _only(one, live)
            if kept.numbers:
                lists[one.key] = kept if known is None else _behind(kept, known)
    return _written([lists[key] for key in sorted(lists)])


def _only(one: Listed, live: Container[int]) -> Listed:
    kept = array("B", (number in live for number in one.numbers))
    numbers, counts = (array("I", compress(column, kept)) for column in one[1:])
    return Listed(one.key, numbers, counts)


def _behind(one: Listed, other: Listed) -> Listed:
    return Listed(one.key, one.numbers + other.numbers, one.counts + other.counts)


def _written(lists: Sequence[Listed]) -> bytes:
    keys = [one.key for one in lists]
    bodies = [_list_bytes(one) for one in lists]
    tables = _ends(keys).tobytes() + _ends(bodies).tobytes() + b"".join(keys)
    head = _HEAD.pack(_MAGIC, len(keys), sum(map(len, keys)), crc32(tables))
    return b"".join((head, tables, *bodies))


def _ends(pieces: Iterable[bytes]) -> "array[int]":
    ends, end = array("I"), 0
    for piece in pieces:
        end += len(piece)
        ends.append(end)
    return ends


def _list_bytes(one: Listed) -> bytes:
    width = 1 if max(one.counts) <= _WIDEST_BYTE else 4
    body = one.numbers.tobytes() + array(_COUNT_TYPES[width], one.counts).tobytes()
    return _LIST_HEAD.pack(crc32(body), width) + body


class Segment:
    """A segment in an open file, of which only the tables are held; it is closed by its opener."""

    def __init__(self, file: BinaryIO) -> None:
        """Raises BadSegment or OSError."""
        self._file = file
        whole = file.seek(0, os.SEEK_END)
        file.seek(0)
        head = file.read(_HEAD.size)
        if len(head) != _HEAD.size or head[: len(_MAGIC)] != _MAGIC:
            raise BadSegment("not the head of a segment")
        _, terms, size, checksum = _HEAD.unpack(head)
        self._start = _HEAD.size + 8 * terms + size
        tables = file.read(self._start - _HEAD.size) if self._start <= whole else b""
        if _HEAD.size + len(tables) != self._start or crc32(tables) != checksum:
            raise BadSegment("the tables of a segment are not whole")
        self._key_ends, self._list_ends = array("I"), array("I")
        self._key_ends.frombytes(tables[: 4 * terms])
        self._list_ends.frombytes(tables[4 * terms : 8 * terms])
        self._keys = tables[8 * terms :]
        if whole != self._start + (self._list_ends[-1] if terms else 0):
            raise BadSegment("a segment of another length")

    def find(self, key: bytes) -> Listed | None:
        """What is listed under a key; raises BadSegment or OSError."""
        at = bisect_left(range(len(self._key_ends)), key, key=self._key)
        return self._listed(at) if at < len(self._key_ends) and self._key(at) == key else None

    def __iter__(self) -> Iterator[Listed]:
        return map(self._listed, range(len(self._key_ends)))

    def _key(self, at: int) -> bytes:
        return self._keys[self._key_ends[at - 1] if at else 0 : self._key_ends[at]]

    def _listed(self, at: int) -> Listed:
        start, end = self._list_ends[at - 1] if at else 0, self._list_ends[at]
        self._file.seek(self._start + start)
        data = self._file.read(end - start)
        if len(data) != end - start or len(data) < _LIST_HEAD.size:
            raise BadSegment("a list is not whole")
        checksum, width = _LIST_HEAD.unpack_from(data)
        body = data[_LIST_HEAD.size :]
        many, rest = divmod(len(body), 4 + width)
        if crc32(body) != checksum or width not in _COUNT_TYPES or rest:
            raise BadSegment("a list is garbled")
        numbers, counts = array("I"), array(_COUNT_TYPES[width])
        numbers.frombytes(body[: 4 * many])
        counts.frombytes(body[4 * many :])
        return Listed(self._key(at), numbers, counts)
