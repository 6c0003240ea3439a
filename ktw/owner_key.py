"""The key of this user in their home, with which ktw marks as its own what others could bring.

Made once, at the first need, outside of every repository; whoever runs as this user can read it.
"""

import os
from pathlib import Path

from ktw.derived import read_own
from ktw.errors import KtwError

HOME = "~/.keep-the-why"
_KEY = f"{HOME}/ktw.key"
_KEY_BYTES = 32


def owner_place(name: str) -> Path | None:
    """A place of ktw's in this user's home; None for a user without one."""
    try:
        return Path(f"{HOME}/{name}").expanduser()
    except RuntimeError:
        return None


def read_key() -> bytes | None:
    """The key, None where there is none that this user alone can write."""
    place = owner_place("ktw.key")
    key = None if place is None else read_own(place)
    return key if key is not None and len(key) == _KEY_BYTES else None


def own_key() -> bytes:
    """The key, made where there is none; raises KtwError without a usable home."""
    return read_key() or _make_key()


def _make_key() -> bytes:
    place = owner_place("ktw.key")
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
