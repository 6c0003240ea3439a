"""Tie a clone's policy to the place, the machine and the person it was written for.

A directory that was unpacked or copied brings its git config along. What that config states counts
only beside a digest that nobody can make without the key in this user's home.
"""

import hashlib
import os

from ktw.git import Repository
from ktw.owner_key import own_key, read_key


def is_bound(repository: Repository, digests: list[str]) -> bool:
    """True where one of these digests was made here, by this user, for this git directory."""
    key = read_key()
    return key is not None and _digest(repository, key) in digests


def bind(repository: Repository) -> str:
    """The digest for this git directory where it lies now; raises KtwError without a usable home.

    The first one makes the key.
    """
    return _digest(repository, own_key())


def seal(repository: Repository, data: bytes) -> bytes | None:
    """A digest of `data` that this user alone can make, for this git directory; None without the
    key."""
    key = read_key()
    if key is None:
        return None
    place = hashlib.blake2b(_place_of(repository), digest_size=32).digest()
    return hashlib.blake2b(place + data, key=key, person=b"ktw-kept").hexdigest().encode()


def _digest(repository: Repository, key: bytes) -> str:
    return hashlib.blake2b(_place_of(repository), key=key, digest_size=16).hexdigest()


def _place_of(repository: Repository) -> bytes:
    return os.fsencode(repository.common_dir.resolve())
