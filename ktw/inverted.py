"""Whoosh, imported at this one place, with its pickles read as plain data.

Whoosh pickles parts of an index, and reading a pickle can run anything. Here it may name the four
classes that an index of ours consists of and nothing else, whoever put the files there.
"""

import io
import pickle
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from ktw.terms import FIELDS

INDEX_NAME = "ktw"
_POOL_MIB = 112  # Whoosh's estimate of its postings; 10,000 memories fit without a sort on disk

_CLASSES = frozenset(
    {
        ("builtins", "int"),
        ("collections", "defaultdict"),
        ("whoosh.codec.whoosh3", "W3Codec"),
        ("whoosh.codec.whoosh3", "W3Segment"),
    }
)


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("_codecs", "encode"):
            return _latin_bytes
        if (module, name) not in _CLASSES:
            raise pickle.UnpicklingError(f"{module}.{name} has no place in an index")
        return super().find_class(module, name)


def _latin_bytes(text: str, _: str) -> bytes:
    """How pickle's older protocols write bytes."""
    return text.encode("latin-1")


def _load(file: IO[bytes]) -> Any:
    return _PlainUnpickler(file).load()


def _loads(data: bytes) -> Any:
    return _load(io.BytesIO(data))


def _whoosh() -> Any:
    """The module `whoosh.index`, every unpickling of an index's files confined."""
    from whoosh import index
    from whoosh.codec import whoosh3
    from whoosh.filedb import structfile

    structfile.load = _load
    whoosh3.loads = _loads
    return index


def _schema() -> Any:
    from whoosh import fields

    terms = {name: _counted_field() for name in FIELDS}
    number = fields.NUMERIC(int, 32, signed=False, shift_step=0, sortable=True)
    return fields.Schema(number=number, **terms)


def _counted_field() -> Any:
    """A field that is given counted terms, and keeps of each posting its weight alone."""
    from whoosh import fields, formats

    field = fields.FieldType(analyzer=None, format=formats.Existence())
    field.index = _counted
    return field


def _counted(counts: Mapping[str, int], **_: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
    """What Whoosh asks of a field's value; the bytes of a term are shared by all its postings."""
    for term in sorted(counts):
        yield _term_bytes(term), counts[term], float(counts[term]), b""


@lru_cache(maxsize=1 << 15)
def _term_bytes(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")


def open_index(directory: Path, readonly: bool = False) -> Any:
    """The Whoosh index in a directory, under our schema: a stored one is skipped unread."""
    return _whoosh().open_dir(str(directory), INDEX_NAME, readonly=readonly, schema=_schema())


def create_index(directory: Path) -> Any:
    """A new, empty Whoosh index in a directory."""
    return _whoosh().create_in(str(directory), _schema(), indexname=INDEX_NAME)


def open_writer(index: Any) -> Any:
    """A writer of a Whoosh index; the caller keeps other writers out."""
    from whoosh.writing import SegmentWriter

    return SegmentWriter(index, timeout=0.0, limitmb=_POOL_MIB)


def postings_of(
    leaf: Any, field: str, term: bytes, numbers: Sequence[int]
) -> Iterator[tuple[int, float]]:
    """Row number and weight of each posting of one term; `numbers` by Whoosh's document number.

    Whole blocks where Whoosh keeps them: its step by step interface costs four calls a posting.
    """
    from whoosh.codec.whoosh3 import W3LeafMatcher

    matcher = leaf.postings(field, term)
    while matcher.is_active():
        number, weight = matcher.id(), matcher.weight()  # both load their part of the block
        if type(matcher) is W3LeafMatcher:
            yield from zip(map(numbers.__getitem__, matcher._ids), matcher._weights, strict=True)
            matcher._next_block()
        else:
            yield numbers[number], weight
            matcher.next()


def damage() -> tuple[type[Exception], ...]:
    """What Whoosh raises on files that are missing, cut short or garbled."""
    from whoosh import index, reading, writing
    from whoosh.filedb.filestore import StorageError
    from whoosh.filedb.filetables import FileFormatError
    from whoosh.matching.mcore import ReadTooFar

    ours = (index.IndexError, index.LockError, writing.IndexingError, StorageError)
    broken = (reading.CorruptIndexError, reading.ReaderClosed, reading.TermNotFound)
    return (*ours, *broken, FileFormatError, ReadTooFar, *_DAMAGE)


_DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    NameError,
    AssertionError,
    ArithmeticError,
    BufferError,
    MemoryError,
    RuntimeError,
    struct.error,
    zlib.error,
    pickle.UnpicklingError,
)
