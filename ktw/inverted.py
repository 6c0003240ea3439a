"""Whoosh, imported at this one place, with its pickles read as plain data.

Whoosh pickles parts of an index, and reading a pickle can run anything. Here it may name the four
classes that an index of ours consists of and nothing else, whoever put the files there.
"""

import io
import pickle
import struct
import zlib
from pathlib import Path
from typing import IO, Any

from ktw.terms import FIELDS

INDEX_NAME = "ktw"

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

    terms = {name: fields.TEXT(phrase=False, stored=False) for name in FIELDS}
    number = fields.NUMERIC(int, 32, signed=False, shift_step=0, sortable=True)
    return fields.Schema(number=number, **terms)


def open_index(directory: Path, readonly: bool = False) -> Any:
    """The Whoosh index in a directory, under our schema: a stored one is skipped unread."""
    return _whoosh().open_dir(str(directory), INDEX_NAME, readonly=readonly, schema=_schema())


def create_index(directory: Path) -> Any:
    """A new, empty Whoosh index in a directory."""
    return _whoosh().create_in(str(directory), _schema(), indexname=INDEX_NAME)


def open_writer(index: Any) -> Any:
    """A writer of a Whoosh index; the caller keeps other writers out."""
    from whoosh.writing import SegmentWriter

    return SegmentWriter(index, timeout=0.0, limitmb=64)


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
