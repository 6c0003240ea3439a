"""The catalogue on disk: JSON, its size before it, and the columns behind it, under a seal; whole,
or none."""

import json
import re
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ktw.catalogue import About, Catalogue, Columns, SegmentFile
from ktw.derived import view_sealed, write_sealed

SCHEMA = f"10 {sys.byteorder}"
_SEGMENT = re.compile(r"terms-[0-9a-f]+\.seg")
_INTEGERS, _LENGTHS = 7, 3
_SIZE = 8  # bytes
# Columns of texts, and what none of these can hold: a file's name may hold a line end.
_TEXTS = {"names": "\0", "blobs": "\n", "ids": "\n", "anchors": "\n", "authors": "\n"}


def read_catalogue(path: Path, key: str) -> Catalogue | None:
    """The catalogue at `path` when it is whole and was made under `key`, else None."""
    data = view_sealed(path) or memoryview(b"")
    try:
        facts, data = _parted(data)
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
    except (ValueError, LookupError, TypeError, AttributeError, StopIteration, RuntimeError):
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
    return write_sealed(path, b"".join((len(head).to_bytes(_SIZE, "little"), head, *pieces)))


def _parted(data: memoryview) -> tuple[dict[str, Any], memoryview]:
    """The facts, and the columns behind them."""
    size = int.from_bytes(data[:_SIZE], "little")
    return json.loads(bytes(data[_SIZE : _SIZE + size])), data[_SIZE + size :]


def _pieces(data: memoryview, sizes: Iterable[int]) -> Iterator[memoryview]:
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size


def _joined(texts: Iterable[str], end: str) -> bytes:
    return "".join(text + end for text in texts).encode("utf-8", "surrogatepass")


def _split(data: memoryview, end: str) -> list[str]:
    return str(data, "utf-8", "surrogatepass").split(end)[:-1]


def _array(typecode: str, data: memoryview) -> "array[int]":
    column = array(typecode)
    column.frombytes(data)
    return column
