"""What was already said in a session: each event once, each memory once a turn.

Empty files in the git directory, made with O_EXCL: of two processes that claim the same thing at
the same time one succeeds, without a lock that somebody could die with. It holds digests only.
"""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ktw.derived import is_linked, make_directory, read_own, write_derived

KEPT_S = 7 * 24 * 3600
WINDOW_S = 10
_FIRST = "first"


class Ledger:
    """The ledger of one session (or of one subagent in it); `now` is in seconds since 1970."""

    def __init__(self, common_dir: Path, session: str, part: str, now: float) -> None:
        self._home = common_dir / "ktw" / "hooks" / "sessions"
        self._place = self._home / _digest(session, part)
        self._now = now

    def first(self, *event: str, id: str = "") -> bool:
        """True for the first process that comes with an event; the like of it within ten seconds
        is the same one, unless the agent gives each an `id`."""
        if id:
            return self._claim(f"e-{_digest(*event, id)}")
        key, at = _digest(*event), int(self._now // WINDOW_S)
        if not self._claim(f"e-{key}-{at}"):
            return False
        beside = (self._place / f"e-{key}-{near}" for near in (at - 1, at + 1))
        return not any(place.exists() for place in beside)

    def once(self, what: str) -> bool:
        """True the first time that something is said in this session."""
        return self._claim(f"o-{_digest(what)}")

    def begin_turn(self, *event: str) -> None:
        """Start a turn: what was injected before may be injected again."""
        turn = _digest(*event, repr(self._now))
        before, _ = self._turn()
        write_derived(self._place / "turn", f"{turn} {self._now}\n".encode())
        if before != turn:
            self._forget(f"m-{before}-*")

    def inject(self, address: str) -> bool:
        """True for the first process that injects a memory in this turn."""
        return self._claim(f"m-{self.turn}-{_digest(address)}")

    @property
    def turn(self) -> str:
        """A name of this turn."""
        return self._turn()[0]

    @property
    def turn_began(self) -> float | None:
        """When this turn began, None where no prompt was seen."""
        return self._turn()[1]

    def prune(self) -> None:
        """Remove the ledgers of sessions that nothing was heard of for a week."""
        for place in _listed(self._home):
            with suppress(OSError):
                if place.stat().st_mtime < self._now - KEPT_S:
                    for each in _listed(place):
                        each.unlink()
                    place.rmdir()

    def _turn(self) -> tuple[str, float | None]:
        told = (read_own(self._place / "turn") or b"").decode("ascii", "replace").split()
        try:
            return told[0], float(told[1])
        except (ValueError, IndexError):
            return _FIRST, None

    def _claim(self, name: str) -> bool:
        """True where this process made the file; where none can be made nothing was said yet."""
        try:
            make_directory(self._place)
            os.close(os.open(self._place / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return False
        except OSError:
            return True
        return True

    def _forget(self, pattern: str) -> None:
        for place in _listed(self._place):
            if place.match(pattern):
                with suppress(OSError):
                    place.unlink()


def _digest(*words: str) -> str:
    text = "\0".join(words).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:24]


def _listed(directory: Path) -> Iterator[Path]:
    if is_linked(directory):
        return
    try:
        yield from [directory / name for name in os.listdir(directory)]  # noqa: PTH208
    except OSError:
        return


def seconds() -> float:
    """The clock of the ledger."""
    return time.time()
