"""Tie a clone's policy to the place, the machine and the person it was written for.

A directory that was unpacked or copied brings its git config along. What that config states counts
only beside a digest that nobody can make without the key in this user's home.
"""

import hashlib
import os
from pathlib import Path

from ktw.derived import read_own
from ktw.errors import KtwError
from ktw.git import Repository

_KEY = "~/.keep-the-why/ktw.key"
_KEY_BYTES = 32


def is_bound(repository: Repository, digests: list[str]) -> bool:
    """True where one of these digests was made here, by this user, for this git directory."""
    key = _read_key()
    return key is not None and _digest(repository, key) in digests


def bind(repository: Repository) -> str:
    """The digest for this git directory where it lies now; raises KtwError without a usable home.

    The first one makes the key.
    """
    return _digest(repository, _read_key() or _make_key())


def seal(repository: Repository, data: bytes) -> bytes | None:
    """A digest of `data` that this user alone can make, for this git directory; None without the
    key."""
    key = _read_key()
    if key is None:
        return None
    place = hashlib.blake2b(_place_of(repository), digest_size=32).digest()
    return hashlib.blake2b(place + data, key=key, person=b"ktw-kept").hexdigest().encode()


def _digest(repository: Repository, key: bytes) -> str:
    return hashlib.blake2b(_place_of(repository), key=key, digest_size=16).hexdigest()


def _place_of(repository: Repository) -> bytes:
    return os.fsencode(repository.common_dir.resolve())


def _place() -> Path | None:
    try:
        return Path(_KEY).expanduser()
    except RuntimeError:  # a user without a home
        return None


def _read_key() -> bytes | None:
    place = _place()
    key = None if place is None else read_own(place)
    return key if key is not None and len(key) == _KEY_BYTES else None


def _make_key() -> bytes:
    place = _place()
    todo = f"Make {_KEY} a place that this user alone can write; a wrong file there can be deleted."
    if place is None:
        raise KtwError("this user has no home directory to keep a key in", todo)
    key = os.urandom(_KEY_BYTES)
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
    except OSError as error:
        raise KtwError(f"the key of this clone cannot be kept: {error.strerror}", todo) from error
    return key
