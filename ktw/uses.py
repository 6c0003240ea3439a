"""What the commits of the trust ref say of memories: `Memory-Used: <Id or slug>`, and reverts.

Only what was reviewed and merged counts. The cache in the git directory names the commit that it
is of, is checked against it, and can be deleted.
"""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ktw.derived import read_own, write_derived
from ktw.git import GitFailed, Objects
from ktw.memory import is_uuid
from ktw.priors import NOBODY, Earned, EarnedBy

if TYPE_CHECKING:
    from ktw.git.gained import Commit

TRAILER = "Memory-Used"
_SCHEMA = 1
_MOST_NAMES, _MOST_REVERTS, _MOST_TOLD = 50, 10, 100_000
# Compiled where a message holds one: a recall that learns of no new commit needs neither.
_USED = rf"(?i){TRAILER}:[ \t]*(\S{{1,200}})[ \t]*"
_REVERTS = r"This reverts commit ([0-9a-f]{40}|[0-9a-f]{64})\b.*"


class Use(NamedTuple):
    """A commit that names memories, reverts commits, or both. `at` in epoch seconds; `change` is
    the same for a commit and its cherry-picks."""

    commit: str
    at: int
    change: str
    names: tuple[str, ...]
    reverts: tuple[str, ...]


def used(objects: Objects, tip: str, directory: Path) -> EarnedBy:
    """What each memory that commits name earned by them, by the name they use (an Id in lower
    case); nothing where git cannot tell.

    A commit counts once, however often it names a memory or was cherry-picked: same author, same
    time and same subject are the same change. One that is reverted, and the revert is not, counts
    nothing; a merge's revert takes back what the merge brought.
    """
    cache = directory / "uses.json"
    since, known = _read_cache(cache)
    try:
        if since != tip:
            known = _brought_up(objects, tip, since, known)
            _write_cache(cache, tip, known)
    except GitFailed:
        return NOBODY
    return earned(known.values())


def _brought_up(
    objects: Objects, tip: str, since: str | None, known: Mapping[str, Use]
) -> dict[str, Use]:
    from ktw.git.gained import gained  # for what is new alone

    found = gained(objects, tip, since)
    if since is not None and not found.continues:
        found, known = gained(objects, tip), {}
    merged: dict[str, list[str]] = {}
    new = {commit.oid: use for commit in found.commits if (use := _use(objects, commit, merged))}
    return _newest({**known, **new})


def _newest(known: Mapping[str, Use]) -> dict[str, Use]:
    """The newest uses, as many as every recall can read."""
    kept: dict[str, Use] = {}
    left = _MOST_TOLD
    for use in sorted(known.values(), key=lambda use: (-use.at, use.commit)):
        left -= len(use.names) + len(use.reverts)
        if left < 0:
            break
        kept[use.commit] = use
    return kept


def _use(objects: Objects, commit: "Commit", merged: dict[str, list[str]]) -> Use | None:
    """What a commit says; `merged`: what merges brought, each looked up once."""
    names, reverts = told(commit.message)
    if not names and not reverts:
        return None
    subject = commit.message.lstrip("\n").partition("\n")[0]
    change = hashlib.sha256(f"{commit.author}\n{subject}".encode()).hexdigest()[:16]
    at = min(commit.authored, commit.committed)
    for each in reverts:
        if each not in merged:
            merged[each] = _merged(objects, each)
    undone = dict.fromkeys(oid for each in reverts for oid in (each, *merged[each]))
    return Use(commit.oid, at, change, names, tuple(undone))


def told(message: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The memories that a commit message names, and the commits that it says it reverts.

    A trailer counts on a line of its own anywhere in it: hosts put others behind it where they
    squash. A revert is recognised by git's own sentence (git-revert(1)) with the whole id.
    """
    if TRAILER.lower() not in message.lower() and "This reverts commit" not in message:
        return (), ()
    lines = message.split("\n")
    names = (found[1].lower() if is_uuid(found[1].lower()) else found[1] for found in _all(lines))
    reverts = (found[1] for line in lines if (found := re.match(_REVERTS, line)))
    return _few(names, _MOST_NAMES), _few(reverts, _MOST_REVERTS)


def _all(lines: Iterable[str]) -> Iterator["re.Match[str]"]:
    return (found for line in lines if (found := re.fullmatch(_USED, line)))


def _few(values: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))[:most]


def _merged(objects: Objects, oid: str) -> list[str]:
    """Those commits that a merge brought in which say something of memories."""
    from ktw.git.gained import gained

    if not _is_here(objects, oid):
        return []
    brought = gained(objects, oid, objects.first_parent(oid)).commits
    return [commit.oid for commit in brought if any(told(commit.message))]


def _is_here(objects: Objects, oid: str) -> bool:
    return bool(objects.blobs([oid]))


def earned(uses: Iterable[Use]) -> EarnedBy:
    """What memories earned by these commits, all of which are on the trust ref. Pure."""
    known = {use.commit: use for use in uses}
    undone = _undone(known)
    changes: dict[str, dict[str, int]] = defaultdict(dict)
    for use in known.values():
        for name in use.names if use.commit not in undone else ():
            changes[name][use.change] = min(use.at, changes[name].get(use.change, use.at))
    return {name: Earned(_moments(each.values())) for name, each in changes.items()}


def _undone(known: Mapping[str, Use]) -> set[str]:
    """The commits that stand reverted: by one that no other reverts in turn."""
    reverters = Counter(target for use in known.values() for target in use.reverts)
    ready, undone = [oid for oid in known if not reverters[oid]], set[str]()
    for oid in ready:  # it grows
        for target in known[oid].reverts:
            if oid not in undone:
                undone.add(target)
            reverters[target] -= 1
            if not reverters[target] and target in known:
                ready.append(target)
    return undone


def _moments(seconds: Iterable[int]) -> tuple[datetime, ...]:
    return tuple(sorted(datetime.fromtimestamp(at, UTC) for at in seconds))


def _read_cache(path: Path) -> tuple[str | None, dict[str, Use]]:
    try:
        kept = json.loads(read_own(path) or b"")
        if kept["schema"] != _SCHEMA:
            return None, {}
        rows = (Use(str(a), int(b), str(c), tuple(d), tuple(e)) for a, b, c, d, e in kept["uses"])
        known = {use.commit: use for use in rows}
        _moments(use.at for use in known.values())  # raises for what is no time
        return str(kept["tip"]), known
    except (ValueError, LookupError, TypeError, ArithmeticError, OSError, RecursionError):
        return None, {}


def _write_cache(path: Path, tip: str, known: Mapping[str, Use]) -> None:
    content = {"schema": _SCHEMA, "tip": tip, "uses": sorted(known.values())}
    write_derived(path, json.dumps(content).encode())
