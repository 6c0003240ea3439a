"""Derived files in the git directory: written whole or not at all, safe to delete at any time.

No link leads to one: a repository that was unpacked with its git directory may bring links along,
and they would have files elsewhere written, deleted or taken for ours.
"""

import errno
import hashlib
import math
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

_OURS = "ktw"  # in a git directory


def is_linked(path: Path) -> bool:
    """True where `path` or a directory on the way to it is a link, from ours in a git directory on
    down; False elsewhere, where links are the user's own."""
    way = []
    for each in (path, *path.parents):
        way.append(each)
        if each.name == _OURS and (each.parent / "HEAD").exists():
            return any(step.is_symlink() for step in way)
    return False


def make_directory(directory: Path) -> None:
    """Make a directory, and those above it; raises OSError, also where a link leads to it."""
    if is_linked(directory):
        raise OSError(errno.ELOOP, "a link leads there", str(directory))
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_derived(path: Path, data: bytes) -> bool:
    """Put `data` at `path` atomically; False where the place cannot be written (read-only)."""
    temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")
    try:
        make_directory(path.parent)
        temporary.touch(mode=0o600, exist_ok=False)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return False
    return True


def write_sealed(path: Path, data: bytes) -> bool:
    """Like `write_derived`, under a first line with the SHA-256 of `data`."""
    return write_derived(path, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)


def read_sealed(path: Path) -> bytes | None:
    """What `write_sealed` put at `path`; None where it is missing, cut short or changed."""
    data = view_sealed(path)
    return None if data is None else bytes(data)


def view_sealed(path: Path) -> memoryview | None:
    """The same without a copy, which for megabytes takes as long as to read them."""
    whole = _read_file(path) or b""
    end = whole.find(b"\n")
    data = memoryview(whole)[end + 1 :]
    return data if hashlib.sha256(data).hexdigest().encode() == whole[: max(0, end)] else None


def read_own(path: Path, most: float = math.inf) -> bytes | None:
    """The bytes, at most so many, of a file that is this user's and that nobody else may write;
    None for others."""
    return _read_file(path, lambda facts: _is_own(facts) and facts.st_size <= most)


def _is_own(facts: os.stat_result) -> bool:
    return os.name == "nt" or (facts.st_uid == os.geteuid() and not facts.st_mode & 0o022)


def _read_file(
    path: Path, fits: Callable[[os.stat_result], bool] = lambda facts: True
) -> bytes | None:
    """The bytes of a regular file that fits, None for anything else; waits for no pipe."""
    if is_linked(path):
        return None
    try:
        with open_regular(path) as file:
            return file.read() if fits(os.fstat(file.fileno())) else None
    except OSError:
        return None


def open_regular(path: Path) -> BinaryIO:
    """A regular file opened for reading, without a buffer; waits for no pipe, raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    file = os.fdopen(descriptor, "rb", buffering=0)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is no regular file")
    return file
