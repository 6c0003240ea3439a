"""An SQLite database copied as it stood at one moment, so that nothing is written beside it.

Knows files alone. SQLite believes the journals that lie beside a database: one of another program's
making may name any file of this machine as done with, to be deleted. So it is shown none of those.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ktw.boundaries import Unreadable, read_regular
from ktw.errors import KtwError, visible

MAX_BYTES = 256 * 1024 * 1024
_TRIES = 5
_LOG = "-wal"  # what is not yet in the database; it names no files


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of the database at `path` and of its log, in a directory of its own.

    Raises KtwError where it is being written to, Unreadable where it cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="ktw-import-") as folder:
        copy = Path(folder, "copy.db")
        before: dict[str, bytes] = {}
        for _ in range(_TRIES):
            halfway = _in_the_middle(path)  # asked first: what begins later changes the parts
            parts = _copy(path, copy)
            if parts == before and not halfway:
                break
            before = parts
        else:
            raise KtwError(
                f"{visible(str(path))} is being written to, or was when its program ended",
                "Nothing was written here. Try again when its own program is done with it.",
            )
        yield copy


def _copy(path: Path, copy: Path) -> dict[str, bytes]:
    """Copy the parts of the database, one at a time; the digests of those that are there."""
    found = {"": _copy_part(path, copy)}
    log, place = Path(f"{path}{_LOG}"), Path(f"{copy}{_LOG}")
    try:
        found[_LOG] = _copy_part(log, place)
    except Unreadable as error:
        if error.kind != "missing":
            raise
        place.unlink(missing_ok=True)
    return found


def _copy_part(path: Path, place: Path) -> bytes:
    data = read_regular(path, path.parent, MAX_BYTES)
    place.write_bytes(data)
    return hashlib.sha256(data).digest()


def _in_the_middle(path: Path) -> bool:
    """True where a journal says that the database holds half of a change: its first byte is none
    of the zeros that a change which came to its end leaves."""
    try:
        return read_regular(f"{path}-journal", path.parent, MAX_BYTES)[:1] not in (b"", b"\0")
    except Unreadable as error:
        return error.kind != "missing"
