"""The catalogue on disk: a line of JSON and the columns behind it, under a seal; whole, or none."""

import json
import re
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

from ktw.catalogue import About, Catalogue, Columns, SegmentFile
from ktw.derived import read_sealed, write_sealed

SCHEMA = f"9 {sys.byteorder}"
_SEGMENT = re.compile(r"terms-[0-9a-f]+\.seg")
_INTEGERS, _LENGTHS = 7, 3
# Columns of texts, and what none of these can hold: a file's name may hold a line end.
_TEXTS = {"names": "\0", "blobs": "\n", "ids": "\n", "anchors": "\n", "authors": "\n"}


def read_catalogue(path: Path, key: str) -> Catalogue | None:
    """The catalogue at `path` when it is whole and was made under `key`, else None."""
    head, _, data = (read_sealed(path) or b"").partition(b"\n")
    try:
        facts = json.loads(head)
        if facts["schema"] != SCHEMA or facts["key"] != key:
            return None
        pieces = _pieces(data, facts["sizes"])
        names, blobs, ids, anchors, authors = (_split(next(pieces), end) for end in _TEXTS.values())
        columns = Columns(
            names,
            _array("q", next(pieces)),
            blobs,
            facts["racy"],
            facts["problems"],
            [_array("i", next(pieces)) for _ in range(_INTEGERS)],
            [_array("i", next(pieces)) for _ in range(_LENGTHS)],
            [About(*about) for about in facts["abouts"]],
            ids,
            anchors,
            authors,
        )
        segments = [SegmentFile(*each) for each in facts["segments"]]
        if not all(_SEGMENT.fullmatch(segment.name) for segment in segments):
            return None
        return Catalogue(facts["build"], facts["generation"], facts["next"], columns, segments)
    except (ValueError, LookupError, TypeError, AttributeError, StopIteration):
        return None


def write_catalogue(path: Path, key: str, catalogue: Catalogue) -> bool:
    """Write it whole; False where the place cannot be written."""
    columns = catalogue.columns
    pieces = [_joined(getattr(columns, name), end) for name, end in _TEXTS.items()]
    arrays = (columns.stats, *columns.integers, *columns.lengths)
    pieces += [column.tobytes() for column in arrays]
    facts = {
        "schema": SCHEMA,
        "key": key,
        "build": catalogue.build,
        "generation": catalogue.generation,
        "next": catalogue.next_number,
        "segments": catalogue.segments,
        "racy": columns.racy,
        "problems": columns.problems,
        "abouts": columns.abouts,
        "sizes": [len(piece) for piece in pieces],
    }
    head = json.dumps(facts, separators=(",", ":")).encode()
    return write_sealed(path, b"".join((head, b"\n", *pieces)))


def _pieces(data: bytes, sizes: Iterable[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size


def _joined(texts: Iterable[str], end: str) -> bytes:
    return "".join(text + end for text in texts).encode("utf-8", "surrogatepass")


def _split(data: bytes, end: str) -> list[str]:
    return data.decode("utf-8", "surrogatepass").split(end)[:-1]


def _array(typecode: str, data: bytes) -> "array[int]":
    column = array(typecode)
    column.frombytes(data)
    return column
