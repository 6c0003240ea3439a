"""The commits that a history gained, read through the one git process that is open anyway.

No process of its own: a recall starts few. What the messages say is for others.
"""

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ktw.git.objects import Objects

_AT_ONCE = 50
_LEAST, _MOST = 1_000, 20_000
_HORIZON_S = 3 * 365 * 24 * 60 * 60
_OURS, _KNOWN = 1, 2


class Commit(NamedTuple):
    """A commit: `author` is git's own line (name, address, time, zone), times in epoch seconds."""

    oid: str
    parents: tuple[str, ...]
    author: str
    authored: int
    committed: int
    message: str


class Gained(NamedTuple):
    """The commits, the newest first; `continues` where the tip descends from what was known."""

    commits: tuple[Commit, ...]
    continues: bool


def gained(objects: Objects, tip: str, since: str | None = None) -> Gained:
    """The commits that `tip` reaches and `since` does not, those of the last three years before
    the tip and at most 20,000, a thousand whatever their dates: one commit that is dated ahead
    hides no others. `since..tip`, with now and then one more where clocks were wrong.

    What a shallow clone lacks is left out. Raises GitFailed.
    """
    walk = _Walk(objects)
    walk.paint({tip: _OURS} if since is None else {since: _KNOWN, tip: _OURS})
    walk.run()
    reached = since is not None and bool(walk.painted.get(since, 0) & _OURS)
    found = (walk.commits[oid] for oid, by in walk.painted.items() if by == _OURS)
    newest = sorted(found, key=lambda commit: (-commit.committed, commit.oid))
    return Gained(tuple(newest), reached)


class _Walk:
    """Both histories at once, the newest commit first, until all that is left is known."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._queue: list[tuple[int, str]] = []
        self._oldest: int | None = None
        self.commits: dict[str, Commit] = {}
        self.painted: dict[str, int] = {}

    def paint(self, wanted: dict[str, int]) -> None:
        """Mark commits as reached from a side, and queue those for which this is new."""
        unread = [oid for oid in wanted if oid not in self.commits]
        for oid, data in self._objects.blobs(unread).items():
            self.commits[oid] = parse_commit(oid, data)
        if self._oldest is None:
            tips = [commit.committed for commit in self.commits.values()]
            self._oldest = max(tips, default=0) - _HORIZON_S
        for oid, side in wanted.items():
            commit, before = self.commits.get(oid), self.painted.get(oid, 0)
            if commit is None or before | side == before:
                continue
            self.painted[oid] = before | side
            if commit.committed >= self._oldest or len(self.painted) <= _LEAST:
                heapq.heappush(self._queue, (-commit.committed, oid))

    def run(self) -> None:
        while len(self.painted) < _MOST and self._is_open():
            count = min(len(self._queue), _AT_ONCE)
            batch = [heapq.heappop(self._queue)[1] for _ in range(count)]
            wanted: dict[str, int] = {}
            for oid in batch:
                for parent in self.commits[oid].parents:
                    wanted[parent] = wanted.get(parent, 0) | self.painted[oid]
            self.paint(wanted)

    def _is_open(self) -> bool:
        return any(self.painted[oid] == _OURS for _, oid in self._queue)


def parse_commit(oid: str, data: bytes) -> Commit:
    """A commit as git stores it (git-cat-file(1)); what is missing is empty or 0."""
    head, _, message = data.partition(b"\n\n")
    lines = head.decode("utf-8", "replace").split("\n")
    author = next(_values(lines, "author "), "")
    return Commit(
        oid,
        tuple(_values(lines, "parent ")),
        author,
        _seconds(author),
        _seconds(next(_values(lines, "committer "), "")),
        message.decode("utf-8", "replace"),
    )


def _values(lines: Sequence[str], key: str) -> Iterator[str]:
    return (line.removeprefix(key) for line in lines if line.startswith(key))


def _seconds(ident: str) -> int:
    """The time of `Name <address> 1700000000 +0100`."""
    told = ident.rpartition(">")[2].split()
    return int(told[0]) if told and told[0].isdecimal() and len(told[0]) < 12 else 0
