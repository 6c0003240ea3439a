"""When a recap may be made, and what became of the last ones: a session's turn, a machine's slots.

Kept in the shared git directory and in this user's home; deleting either only forgets. Knows
nothing of how a recap is made.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ktw.atomic import Busy, hold_lock
from ktw.derived import read_own, write_derived
from ktw.git import Repository
from ktw.lineage import ancestors, itself

BETWEEN, SLOTS = timedelta(minutes=10), 2
_SESSIONS, _TOLD, _PATIENCE_S = 500, 20, 5.0


class Outcome(NamedTuple):
    """What became of one recap: `made`, `none` (and why), or `failed` (and why)."""

    at: str
    agent: str
    result: str
    why: str


def take_turn(repository: Repository, session: str, final: bool, now: datetime) -> str:
    """Take this session's turn; "" where it has one, else why not.

    One every ten minutes; the last words of a session need not wait, once.
    """
    with _changing(repository) as state:
        sessions = state["sessions"]
        key = hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:12]
        last, had_final = sessions.pop(key, ("", False))
        early = _is_recent(last, now)
        if early and (not final or had_final):
            sessions[key] = (last, had_final)
            return "this session had one less than ten minutes ago"
        sessions[key] = (now.isoformat(), had_final or (early and final))
        state["sessions"] = dict(list(sessions.items())[-_SESSIONS:])
    return ""


def is_early(repository: Repository, session: str, now: datetime) -> bool:
    """Whether that session had a turn just now; a look without a lock."""
    key = hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:12]
    last, _ = _read(repository)["sessions"].get(key, ("", False))
    return _is_recent(last, now)


def tell(repository: Repository, outcome: Outcome) -> None:
    """Keep an outcome for whoever asks."""
    with _changing(repository) as state:
        state["told"] = [*state["told"], list(outcome)][-_TOLD:]


def told(repository: Repository) -> list[Outcome]:
    """The last outcomes, newest first."""
    return [Outcome(*row) for row in reversed(_read(repository)["told"])]


# --- the machine's slots ---------------------------------------------------------------------


@contextmanager
def slot(place: Path) -> Iterator[bool]:
    """Hold one of this user's slots; False where all are taken.

    While it is held its file names this process, so that whoever it starts can be told by descent.
    """
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(SLOTS):
        try:
            with hold_lock(place / f"slot-{number}.lock", 0.0):
                holder = place / f"slot-{number}.json"
                write_derived(holder, json.dumps(itself()).encode())
                try:
                    yield True
                finally:
                    holder.unlink(missing_ok=True)
                return
        except Busy:
            continue
    yield False


def descends(place: Path) -> bool:
    """Whether this process descends from one that holds a slot."""
    holders = [_holder(place / f"slot-{number}.json") for number in range(SLOTS)]
    known = [holder for holder in holders if holder]
    return bool(known) and any(list(one) in known for one in ancestors())


def _holder(path: Path) -> list[Any]:
    try:
        row = json.loads(read_own(path) or b"[]")
    except (ValueError, RecursionError):
        return []
    return row if isinstance(row, list) else []


# --- the state -------------------------------------------------------------------------------


def _is_recent(moment: str, now: datetime) -> bool:
    try:
        return timedelta(0) <= now - datetime.fromisoformat(moment) < BETWEEN
    except (ValueError, TypeError):
        return False


def _place(repository: Repository) -> Path:
    return repository.common_dir / "ktw" / "recap.json"


def _read(repository: Repository) -> dict[str, Any]:
    try:
        state = json.loads(read_own(_place(repository)) or b"{}")
        sessions = {
            str(key): (str(at), bool(final)) for key, (at, final) in state["sessions"].items()
        }
        rows = [[str(part) for part in row] for row in state["told"] if len(row) == 4]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {"sessions": {}, "told": []}
    return {"sessions": sessions, "told": rows}


@contextmanager
def _changing(repository: Repository) -> Iterator[dict[str, Any]]:
    place = _place(repository)
    with hold_lock(place.with_suffix(".lock"), _PATIENCE_S):
        state = _read(repository)
        yield state
        write_derived(place, json.dumps(state).encode())
