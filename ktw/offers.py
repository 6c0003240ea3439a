"""What was shown to a person in chat, kept outside of every repository until the next answer.

One record a session under this user's home, with a keyed digest, used once. It holds hashes and
paths and no memory's words; what an answer means is for `ktw.operations.chat` to say.
"""

import hashlib
import hmac
import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ktw.derived import read_own, write_derived
from ktw.errors import KtwError
from ktw.owner_key import HOME, own_key, owner_place, read_key

_FORMAT = "ktw-offer 1"
_TODO = f"Make {HOME}/offers a directory that this user alone can write, no link."


class Shown(NamedTuple):
    """One memory file as it was shown: `digest` is the SHA-256 (hex) of all its bytes."""

    path: str
    ids: tuple[str, ...]
    kind: str
    content_hash: str
    digest: str


class Offered(NamedTuple):
    """What may be approved by the next answer in `session`; `place` names clone and project.

    `expires` is in seconds since 1970.
    """

    place: str
    session: str
    expires: int
    shown: tuple[Shown, ...]


class Taken(NamedTuple):
    """An offer that was open, now closed for good; `fault` says why one that stood there is none.

    Neither: nothing was offered.
    """

    offered: Offered | None = None
    fault: str = ""


def keep(offered: Offered, now: datetime) -> None:
    """Keep an offer in place of the session's earlier one; raises KtwError where it cannot be."""
    record = _record(offered.place, offered.session)
    key, text = own_key(), _text(offered)
    if record is None or not _is_own_directory(record.parent, make=True):
        raise KtwError("an offer cannot be kept: its place is not this user's alone", _TODO)
    _forget_old(record.parent, now)
    if not write_derived(record, f"{_seal(key, text)}\n{text}".encode()):
        raise KtwError("an offer cannot be kept: its place cannot be written", _TODO)


def take(place: str, session: str, now: datetime) -> Taken:
    """Take the session's offer out, whatever comes of it: a second call finds nothing."""
    record = _record(place, session)
    if record is None or not os.path.lexists(record):
        return Taken()
    try:
        return _opened(record, place, session, now)
    finally:
        with suppress(OSError):
            record.unlink()


def _opened(record: Path, place: str, session: str, now: datetime) -> Taken:
    own = _is_own_directory(record.parent) and not record.is_symlink()
    data, key = read_own(record) if own else None, read_key()
    if data is None or key is None:
        return Taken(fault="its record is not a file that this user alone can write")
    seal, _, text = data.decode("utf-8", "replace").partition("\n")
    if not hmac.compare_digest(seal.encode(), _seal(key, text).encode()):
        return Taken(fault="its record was changed, or made by somebody else")
    offered = _parsed(text)
    if (offered.place, offered.session) != (place, session):
        return Taken(fault="its record was made for another project or session")
    if now.timestamp() >= offered.expires:
        return Taken(fault="it has expired")
    if not _first_use(record.parent, offered, seal):
        return Taken(fault="its record was used before")
    return Taken(offered)


def _first_use(directory: Path, offered: Offered, seal: str) -> bool:
    """True once for each record: of two that ask at the same time, one is told so."""
    try:
        (directory / f"{offered.expires}-{seal[:32]}.used").touch(mode=0o600, exist_ok=False)
    except OSError:
        return False
    return True


def _record(place: str, session: str) -> Path | None:
    name = hashlib.sha256(json.dumps([place, session]).encode()).hexdigest()[:32]
    return owner_place(f"offers/{name}.offer")


def _text(offered: Offered) -> str:
    return json.dumps([_FORMAT, os.urandom(16).hex(), *offered])


def _parsed(text: str) -> Offered:
    """The offer that a sealed text holds: what `_text` wrote, as its seal proves."""
    _, _, place, session, expires, shown = json.loads(text)
    rows = (Shown(row[0], tuple(row[1]), *row[2:]) for row in shown)
    return Offered(place, session, expires, tuple(rows))


def _seal(key: bytes, text: str) -> str:
    return hmac.new(key, f"{_FORMAT}\n{text}".encode(), hashlib.sha256).hexdigest()


def _is_own_directory(directory: Path, make: bool = False) -> bool:
    with suppress(OSError):
        if make:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        facts = directory.lstat()
        is_own = os.name == "nt" or (facts.st_uid == os.geteuid() and not facts.st_mode & 0o022)
        return is_own and stat.S_ISDIR(facts.st_mode)
    return False


def _forget_old(directory: Path, now: datetime) -> None:
    """Remove what no answer can need any more."""
    for place, expires in _kept(directory):
        if expires <= now.timestamp():
            with suppress(OSError):
                place.unlink()


def _kept(directory: Path) -> Iterator[tuple[Path, int]]:
    """Every record with the time at which it expires; 0 for what is none."""
    for place in (*directory.glob("*.used"), *directory.glob("*.offer")):
        try:
            yield place, _expires(place)
        except (ValueError, TypeError, LookupError, RecursionError):
            yield place, 0


def _expires(place: Path) -> int:
    if place.suffix == ".used":
        return int(place.name.partition("-")[0])
    return int(_parsed((read_own(place) or b"").decode().partition("\n")[2]).expires)
