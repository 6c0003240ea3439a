"""Rows of derived facts in the git directory, each under a key that names the content they are of.

A file of them counts only under a seal that takes the key in this user's home: one that came with
an unpacked directory, or that another user wrote, is no file. What the rows mean is for others.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from ktw.binding import seal
from ktw.derived import read_own, write_derived
from ktw.git import Repository


def read_kept(repository: Repository, kind: str) -> bytes:
    """What `write_kept` wrote here for this user; b"" where it is missing or anybody else's."""
    sealed, _, data = (read_own(_place(repository, kind)) or b"").partition(b"\n")
    return data if sealed == seal(repository, data) else b""


def write_kept(repository: Repository, kind: str, data: bytes) -> None:
    """Keep `data`, which names its kind; without the key in this home, nothing."""
    sealed = seal(repository, data)
    if sealed is not None:
        write_derived(_place(repository, kind), sealed + b"\n" + data)


def _place(repository: Repository, kind: str) -> Path:
    return repository.git_dir / "ktw" / f"{kind}.json"


class Kept:
    """The rows of one kind; `save` writes those that were asked for or put since."""

    def __init__(self, repository: Repository, kind: str, schema: int) -> None:
        self._repository, self._kind = repository, kind
        self._schema = [kind, schema]
        self._used: dict[str, Sequence[object]] = {}
        self._is_new = False

    def find(self, key: str) -> Sequence[object] | None:
        """The row under a key, as JSON gives it back."""
        row = self._known.get(key)
        if row is not None:
            self._used[key] = row
        return row

    def put(self, key: str, row: Sequence[object]) -> None:
        """Keep a row."""
        self._used[key] = row
        self._is_new = True

    def save(self) -> None:
        """Write what was used, where something is new."""
        if not self._is_new:
            return
        content = {"schema": self._schema, "rows": self._used}
        data = json.dumps(content, separators=(",", ":")).encode()
        write_kept(self._repository, self._kind, data)
        self._is_new = False

    @cached_property
    def _known(self) -> dict[str, Sequence[object]]:
        data = read_kept(self._repository, self._kind)
        if not data:
            return {}
        content = json.loads(data)
        rows: dict[str, Sequence[object]] = content["rows"]
        return rows if content["schema"] == self._schema else {}
