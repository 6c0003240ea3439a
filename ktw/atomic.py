"""Write a file whole or not at all, in its own style, and hold the lock under which that is done.

Knows paths and bytes only: what may be written, and where, is for its callers.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from ktw.boundaries import Unreadable, read_regular
from ktw.derived import is_linked, make_directory
from ktw.errors import KtwError, visible

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")


class Changed(KtwError):
    """A file is not what it was when it was read."""


class Busy(KtwError):
    """Another process has been writing for longer than we wait."""


@contextmanager
def hold_lock(path: Path, patience: float) -> Iterator[None]:
    """Hold the lock file `path`, its directory made; raises Busy after `patience` seconds.

    Raises KtwError where the place cannot be written.
    """
    from filelock import FileLock, Timeout

    try:
        make_directory(path.parent)
        if is_linked(path):
            raise OSError(errno.ELOOP, "it is a link")
        lock = FileLock(str(path))
        lock.acquire(timeout=patience)
    except Timeout as error:
        raise Busy(
            f"another ktw has been writing here for {patience:.0f} seconds; nothing was written",
            "Wait for it to end and try again.",
        ) from error
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        yield
    finally:
        lock.release()


def write_new(path: Path, data: bytes) -> None:
    """Create `path` with `data`, whole or not at all; raises Changed where something is there."""
    temporary = _temporary(path)
    try:
        _fill(temporary, path, data)
        _publish(temporary, path)
    except FileExistsError as error:
        raise Changed(f"{visible(path.name)} already exists", "It was left as it is.") from error
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)
    _sync_directory(path.parent)


def _publish(temporary: Path, path: Path) -> None:
    """Give a temporary file its name unless that is taken; raises FileExistsError."""
    if os.name == "nt":
        temporary.rename(path)
        return
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links: take the name first, then fill it
        path.touch(exist_ok=False)
        temporary.replace(path)


def replace(path: Path, data: bytes, expected: bytes) -> None:
    """Replace `path`, whole or not at all; raises Changed unless it still holds `expected`."""
    if not _holds(path, expected):
        raise Changed(
            f"{visible(path.name)} changed while ktw was at work",
            "Nothing was written. Look at the file and run the command again.",
        )
    temporary = _temporary(path)
    try:
        _fill(temporary, path, data)
        temporary.chmod(stat.S_IMODE(path.lstat().st_mode))
        temporary.replace(path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)
    _sync_directory(path.parent)


def _holds(path: Path, expected: bytes) -> bool:
    try:
        return not path.is_symlink() and read_regular(path, path.parent, len(expected)) == expected
    except Unreadable:
        return False


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name[:40]}.{os.urandom(6).hex()}.tmp")


def _fill(temporary: Path, path: Path, data: bytes) -> None:
    """Write what will be `path`; whoever calls it takes the file away, however this ends."""
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: Path, error: OSError) -> KtwError:
    return KtwError(
        f"{visible(path.name)} cannot be written: {error.strerror}",
        "Nothing was changed. Check space and permissions.",
    )


def _sync_directory(directory: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def restyle(new_text: str, old: bytes, old_body_line: int, new_body_line: int) -> bytes:
    """`new_text` (LF, no BOM) in the style of `old`: its BOM, its line ends, its body bytes.

    Only lines before the body are rewritten; the body keeps every byte it had.
    """
    mark = _BOM if old.startswith(_BOM) else b""
    data = old.removeprefix(_BOM)
    ends = [found.span() for found in islice(_LINE_END.finditer(data), max(1, old_body_line - 1))]
    line_end = data[slice(*ends[0])] if ends else b"\n"
    body_at = ends[-1][1] if 1 < old_body_line <= len(ends) + 1 else 0
    body = data[body_at:] if old_body_line <= len(ends) + 1 else b""
    head = new_text.split("\n")[: new_body_line - 1]
    return mark + b"".join(line.encode() + line_end for line in head) + body


def styled_like(old: bytes, text: str) -> bytes:
    """`text` (LF, no BOM) with the BOM of `old` and the line ends that its lines had there.

    A line that is new gets the line end of the first line.
    """
    mark = _BOM if old.startswith(_BOM) else b""
    pieces = re.split(rb"(\r\n|\r|\n)", old.removeprefix(_BOM))
    ends: dict[bytes, list[bytes]] = {}
    for line, end in zip(pieces[-3::-2], pieces[-2::-2], strict=True):
        ends.setdefault(line, []).append(end)
    usual = pieces[1] if len(pieces) > 1 else b"\n"
    *lines, last = text.encode("utf-8").split(b"\n")
    styled = (line + (ends[line].pop() if ends.get(line) else usual) for line in lines)
    return mark + b"".join(styled) + last
