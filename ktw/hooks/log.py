"""The log of hooks: what ran, was skipped or failed, in words of this program alone.

A bounded file of JSON lines in the git directory. What rotation drops is counted first, so that
no run is lost from the figures.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ktw.derived import make_directory, read_own, write_derived

MAX_BYTES = 256 * 1024
RAN, SKIPPED, FAILED = "ran", "skipped", "failed"
# A link would have another file written, a pipe would have the hook wait.
_NO_OTHER = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_OUTCOMES = (RAN, SKIPPED, FAILED)
_TYPES = (str, str, str, str, str, int, int)
_COUNTED = (int, int, int, int, str, str, str)


class Entry(NamedTuple):
    """One run: `at` as ISO 8601, `why` in words of this program, `ms` it took, `chars` it said."""

    at: str
    event: str
    agent: str
    outcome: str
    why: str = ""
    ms: int = 0
    chars: int = 0


class Tally(NamedTuple):
    """How often an event ran, was skipped and failed, and the last failure and skip with when."""

    ran: int = 0
    skipped: int = 0
    failed: int = 0
    slowest_ms: int = 0
    last_error: str = ""
    last_error_at: str = ""
    last_skip: str = ""


def record(common_dir: Path, entry: Entry) -> bool:
    """Add one line; False where it cannot be written."""
    place = _place(common_dir)
    line = json.dumps(entry, ensure_ascii=True).encode() + b"\n"
    try:
        make_directory(place.parent)
        handle = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_OTHER, 0o600)
        try:
            os.write(handle, line)
            size = os.fstat(handle).st_size
        finally:
            os.close(handle)
    except OSError:
        return False
    if size > MAX_BYTES:
        _rotate(common_dir)
    return True


def tallies(common_dir: Path) -> dict[str, Tally]:
    """The figures of each event, from all that was ever recorded here."""
    place = _place(common_dir)
    found = _kept(place)
    for path in (place.with_suffix(".1"), place):
        _count(found, _entries(path))
    return found


def _place(common_dir: Path) -> Path:
    return common_dir / "ktw" / "hooks" / "log"


def _rotate(common_dir: Path) -> None:
    """Put the log aside for a new one; what lay aside before is counted and dropped.

    A name that only one process can make is the lock; what dies holding it is outwaited by a day.
    """
    place = _place(common_dir)
    lock, aside = place.with_suffix(".rotating"), place.with_suffix(".1")
    if not _locked(lock):
        return
    try:
        if place.stat().st_size > MAX_BYTES:
            counted = _kept(place)
            _count(counted, _entries(aside))
            if write_derived(place.with_suffix(".counted"), json.dumps(counted).encode()):
                place.replace(aside)
    except OSError:
        pass  # it is rotated another time
    finally:
        with suppress(OSError):
            lock.unlink()


def _locked(lock: Path) -> bool:
    with suppress(OSError):
        if lock.stat().st_mtime < lock.parent.stat().st_mtime - 24 * 3600:
            lock.unlink()
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:
        return False
    return True


def _kept(place: Path) -> dict[str, Tally]:
    try:
        rows = json.loads(read_own(place.with_suffix(".counted")) or b"{}")
        found = {str(event): Tally(*row) for event, row in rows.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}
    return {event: tally for event, tally in found.items() if _types(tally) == _COUNTED}


def _types(row: Iterable[object]) -> tuple[type, ...]:
    return tuple(map(type, row))


def _entries(path: Path) -> Iterable[Entry]:
    for line in (read_own(path) or b"").split(b"\n"):
        with suppress(ValueError, TypeError, RecursionError):
            entry = Entry(*json.loads(line))
            if entry.outcome in _OUTCOMES and _types(entry) == _TYPES:
                yield entry


def _count(found: dict[str, Tally], entries: Iterable[Entry]) -> None:
    for entry in entries:
        found[entry.event] = _with(found.get(entry.event, Tally()), entry)


def _with(tally: Tally, entry: Entry) -> Tally:
    slowest = max(tally.slowest_ms, entry.ms)
    if entry.outcome == RAN:
        return tally._replace(ran=tally.ran + 1, slowest_ms=slowest)
    if entry.outcome == SKIPPED:
        return tally._replace(skipped=tally.skipped + 1, last_skip=entry.why)
    failed = tally.failed + 1
    return tally._replace(
        failed=failed, slowest_ms=slowest, last_error=entry.why, last_error_at=entry.at
    )


def as_rows(found: Mapping[str, Tally]) -> list[dict[str, object]]:
    """The figures as data (context-schema/output/hooks.schema.json)."""
    return [{"event": event, **tally._asdict()} for event, tally in sorted(found.items())]
