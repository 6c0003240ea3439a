"""What was found out about signatures, kept in the git directory so that each is checked once.

Derived: bound to list, signature, signers and program by a hash, and to this user and place by a
seal: never taken from anything that a repository carries, not even in its git directory.
"""

import hashlib
import json
from functools import cached_property
from itertools import islice

from ktw.git import Repository
from ktw.kept import read_kept, write_kept
from ktw.keygen import program
from ktw.ssh import Check, Keyring

_KIND = "signatures"
_SCHEMA = [_KIND, 2]
_MAX_KEPT = 10_000


def check_key(message: bytes, signature: bytes, keyring: Keyring) -> str:
    """What a finding rests on, as one hash: change any of it and it has to be found anew."""
    revoked = b"" if keyring.revoked is None else keyring.revoked + b"\n"
    parts = (message, signature, keyring.signers, revoked, program().encode("utf-8", "replace"))
    digests = b"".join(hashlib.sha256(part).digest() for part in parts)
    return hashlib.sha256(digests).hexdigest()


class Checks:
    """Findings by their key; what is new is written by `save`."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._new: dict[str, Check] = {}

    @property
    def added(self) -> int:
        """How many findings are new."""
        return len(self._new)

    def find(self, key: str) -> Check | None:
        """What is known under a key."""
        return self._new.get(key) or self._known.get(key)

    def add(self, key: str, found: Check) -> None:
        """Learn a finding."""
        self._new[key] = found

    def save(self) -> None:
        """Write what is new, beside the latest of what was known."""
        if self._new:
            kept = islice(reversed((self._known | self._new).items()), _MAX_KEPT)
            rows = [[key, *found] for key, found in kept]
            content = {"schema": _SCHEMA, "checks": rows[::-1]}
            write_kept(self._repository, _KIND, json.dumps(content).encode())
            self._new = {}

    @cached_property
    def _known(self) -> dict[str, Check]:
        try:
            content = json.loads(read_kept(self._repository, _KIND))
            if content["schema"] != _SCHEMA:
                return {}
            return {
                str(key): Check(bool(holds), str(why), str(who))
                for key, holds, why, who in content["checks"]
            }
        except (ValueError, LookupError, TypeError, RecursionError):
            return {}
