"""A settings file on disk: found safely, read, written whole, and remembered as it was before.

Where a path may lead is for `ktw.boundaries`. What was there before the first change is kept in the
person's home, for this user alone: in the project it could be committed, with whatever secrets it
holds.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from ktw.atomic import Changed, hold_lock, replace, write_new
from ktw.boundaries import Unreadable, inside, is_git_name, read_regular
from ktw.derived import read_sealed, write_sealed
from ktw.errors import KtwError
from ktw.owner_key import owner_place

_BOM = "\ufeff"
_LARGEST = 16 * 1024 * 1024
_PATIENCE_S = 20.0


class Found(NamedTuple):
    """A settings file: where it really lies, and its bytes; None where there is none."""

    place: Path
    data: bytes | None

    @property
    def text(self) -> str:
        """Its text without a byte order mark; raises UnicodeDecodeError."""
        return (self.data or b"").decode("utf-8").removeprefix(_BOM)

    def encoded(self, text: str) -> bytes:
        """A new text of this file as bytes, with the byte order mark that it had."""
        marked = (self.data or b"").startswith(_BOM.encode())
        return f"{_BOM if marked else ''}{text}".encode()


def find_file(root: Path, path: str) -> Found:
    """The file at `path` below `root`, through links that stay inside.

    Raises KtwError whose `what` says why it is left alone: it leads out, is another user's, is
    read-only, or no file that can be read.
    """
    place = inside(root, path)
    if place is None:
        raise KtwError("it is a link that leads out, or nowhere")
    if any(map(is_git_name, place.relative_to(root.resolve()).parts)):
        raise KtwError("it is a link that leads into git's own directory")
    if not os.path.lexists(place):
        if (root / path).is_symlink():
            raise KtwError("it is a link that leads nowhere")
        return Found(place, None)
    try:
        data = read_regular(place, root, _LARGEST)
    except Unreadable as error:
        if error.kind == "missing":  # it was there a moment ago
            return Found(place, None)
        raise KtwError(error.why) from error
    facts = place.stat()
    if os.name != "nt" and facts.st_uid != os.geteuid():
        raise KtwError("it belongs to another user")
    if not facts.st_mode & 0o200:
        raise KtwError("it is read-only")
    return Found(place, data)


@contextmanager
def alone() -> Iterator[None]:
    """Keep other ktw processes of this user from settings, where a lock can be had."""
    place = owner_place("settings.lock")
    with ExitStack() as stack:
        if place is not None:
            with suppress(KtwError):
                stack.enter_context(hold_lock(place, _PATIENCE_S))
        yield


def write_file(root: Path, found: Found, data: bytes, anew: bool) -> None:
    """Put bytes where a file was found; raises Changed where it is not as it was found.

    `anew`: nothing of ktw's is in the file, so what it holds now is what was there before.
    """
    _check_as_found(found)  # before anything is remembered of it
    kept = _kept_at(found.place)
    known = None if anew else read_record(found.place)
    is_as_left = known is None or digest(found.data or b"") == known.after
    made = _make_directories(root, found.place.parent)
    record = known or Record(found.data, "", tuple(made))
    _write_record(kept, record._replace(after=""))
    if found.data is None:
        write_new(found.place, data)
    else:
        replace(found.place, data, found.data)
    if is_as_left:
        _write_record(kept, record._replace(after=digest(data)))


def rewrite_file(found: Found, data: bytes) -> None:
    """Put bytes where a file was found and remember nothing of it any more; raises Changed."""
    replace(found.place, data, found.data or b"")
    forget(found.place)


def restore_file(found: Found, data: bytes | None) -> None:
    """Bring a file back to what it was, or away where it was not there; raises Changed where it is
    not as it was found."""
    if data is not None:
        replace(found.place, data, found.data or b"")
    else:
        replace(found.place, b"", found.data or b"")  # nobody's change is lost with the file
        found.place.unlink(missing_ok=True)
    forget(found.place)


def _check_as_found(found: Found) -> None:
    is_so = found.data is None and not os.path.lexists(found.place)
    if found.data is not None:
        with suppress(Unreadable):
            is_so = read_regular(found.place, found.place.parent, _LARGEST) == found.data
    if not is_so:
        raise Changed("it changed meanwhile", "Nothing was written.")


def remove_directories(root: Path, directories: Iterable[str]) -> None:
    """Remove directories below `root` that are empty, the innermost first."""
    for directory in sorted(set(directories), key=len, reverse=True):
        place = inside(root, directory)
        if place is not None:
            with suppress(OSError):
                place.rmdir()


def _make_directories(root: Path, directory: Path) -> list[str]:
    """Make a directory below `root`; those that were made, the innermost first."""
    top = root.resolve()
    missing = [each for each in (directory, *directory.parents) if not each.exists()]
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KtwError(f"its directory cannot be made: {error.strerror}") from error
    return [each.relative_to(top).as_posix() for each in missing if each.is_relative_to(top)]


# --- what was there before -------------------------------------------------------------------


class Record(NamedTuple):
    """A file before ktw changed it: its bytes, None where there was none.

    `after` is the digest of what ktw left, "" once somebody else changed it; `made` are the
    directories that were made for it, relative to its root.
    """

    before: bytes | None
    after: str
    made: tuple[str, ...]


def read_record(place: Path) -> Record | None:
    """What is remembered of a file; None where nothing is, or it is damaged."""
    kept = _kept_at(place)
    facts = None if kept is None else read_sealed(kept / "record")
    if kept is None or facts is None:
        return None
    try:
        known = json.loads(facts)
        before = read_sealed(kept / "before") if known["was_there"] else None
        if known["was_there"] and before is None:
            return None
        return Record(before, str(known["after"]), tuple(map(str, known["made"])))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def digest(data: bytes) -> str:
    """The digest by which a record knows what ktw left."""
    return hashlib.sha256(data).hexdigest()


def forget(place: Path) -> None:
    """Drop what is remembered of a file."""
    kept = _kept_at(place)
    if kept is not None:
        for name in ("before", "record"):
            with suppress(OSError):
                (kept / name).unlink()
        with suppress(OSError):
            kept.rmdir()
            kept.parent.rmdir()


def _write_record(kept: Path | None, record: Record) -> None:
    """Remember a file; where the home cannot be written, it is changed all the same."""
    if kept is None:
        return
    if record.before is not None:
        write_sealed(kept / "before", record.before)
    facts = {
        "was_there": record.before is not None,
        "after": record.after,
        "made": list(record.made),
    }
    write_sealed(kept / "record", json.dumps(facts).encode())


def _kept_at(place: Path) -> Path | None:
    name = hashlib.sha256(os.fsencode(place)).hexdigest()[:24]
    return owner_place(f"settings/{name}")
