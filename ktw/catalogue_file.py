"""The catalogue on disk: JSON of a few long strings, under a seal; whole, or nothing."""

import json
import sys
from array import array
from base64 import b64decode, b64encode
from pathlib import Path

from ktw.catalogue import About, Catalogue, Columns
from ktw.derived import read_sealed, write_sealed

SCHEMA = f"8 {sys.byteorder}"


def read_catalogue(path: Path, key: str) -> Catalogue | None:
    """The catalogue at `path` when it is whole and was made under `key`, else None."""
    try:
        data = json.loads(read_sealed(path) or b"")
        if data["schema"] != SCHEMA or data["key"] != key:
            return None
        columns = Columns(
            data["names"],
            _unpacked(data["stats"], "q"),
            data["blobs"].split(" ") if data["blobs"] else [],
            data["racy"],
            data["problems"],
            [_unpacked(column) for column in data["integers"]],
            [_unpacked(column) for column in data["lengths"]],
            [About(*about) for about in data["abouts"]],
            data["ids"].split("\n"),
            data["anchors"].split("\n"),
            data["authors"].split("\n"),
        )
        return Catalogue(data["build"], data["generation"], data["next"], columns)
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def write_catalogue(path: Path, key: str, catalogue: Catalogue) -> bool:
    """Write it whole; False where the place cannot be written."""
    columns = catalogue.columns
    data = columns._asdict() | {
        "schema": SCHEMA,
        "key": key,
        "build": catalogue.build,
        "generation": catalogue.generation,
        "next": catalogue.next_number,
        "stats": _packed(columns.stats),
        "blobs": " ".join(columns.blobs),
        "integers": [_packed(column) for column in columns.integers],
        "lengths": [_packed(column) for column in columns.lengths],
        "ids": "\n".join(columns.ids),
        "anchors": "\n".join(columns.anchors),
        "authors": "\n".join(columns.authors),
    }
    return write_sealed(path, json.dumps(data, separators=(",", ":")).encode())


def _packed(column: "array[int]") -> str:
    return b64encode(column.tobytes()).decode()


def _unpacked(text: str, typecode: str = "i") -> "array[int]":
    column = array(typecode)
    column.frombytes(b64decode(text))
    return column
