"""`ktw hook EVENT --agent NAME` as a process: read standard input, answer, and be gone in time.

Imports next to nothing at its top: where a warm ktw answers, a hook costs a bare start of Python.
"""

from __future__ import annotations

import os
import time

from ktw.streams import claim

TYPE_CHECKING = False  # `typing` itself would cost 2 ms
if TYPE_CHECKING:
    from typing import NoReturn

FIRST_LIMIT_S = 3.0  # until the budget is known: no more than the usual one
MAX_BYTES = 8 * 1024 * 1024
_PIECE = 1 << 16
# What ends a turn or a session starts a process with all of this one's surroundings.
_WARM = ("session-start", "user-prompt", "pre-tool")
_PASSED = ("HOME", "KTW_MODEL")
_WARM_S = 2.0  # one that is up but stopped leaves some time for the cold way
_STEP_S = 0.02
_READY_S, _GRACE_S = 1.5, 0.5  # before and after the end of the time


class Deadline:
    """Ends the process with exit code 0 when its time is over, whatever it waits for."""

    def __init__(self, started: float) -> None:
        self.started = started
        self.at = started + FIRST_LIMIT_S

    def limit(self, ms: int) -> None:
        self.at = self.started + ms / 1000

    @property
    def left(self) -> float:
        return max(0.0, self.at - time.monotonic())

    def watch(self, late: _Late) -> None:
        import _thread  # `threading` would cost a millisecond or two

        _thread.start_new_thread(self._wait, (late,))

    def _wait(self, late: _Late) -> None:
        import _thread

        while self.left > _READY_S:
            time.sleep(min(_STEP_S, self.left - _READY_S))
        # The log may wait for what the main thread holds: the lock of an import, or a slow disk.
        _thread.start_new_thread(self._end, ())
        late.prepare()
        self._sleep_out()
        late.over_time()
        os._exit(0)

    def _end(self) -> None:
        self._sleep_out()
        time.sleep(_GRACE_S)
        os._exit(0)

    def _sleep_out(self) -> None:
        while self.left > 0:
            time.sleep(min(_STEP_S, self.left))


class _Late:
    """Says in the log that time was over; knows no more than the command line until a run began."""

    def __init__(self, event: str, agent: str, started: float) -> None:
        self._event, self._agent, self._started = event, agent, started
        self.log: object = None

    def prepare(self) -> None:
        """Load what the log takes, so that the last moment need not."""
        from ktw.hooks.boundary import safely

        safely(self._load, lambda why: None)

    def over_time(self) -> None:
        """Waits for nobody: where the log cannot be found, nothing is said."""
        from ktw.hooks.boundary import safely

        safely(self._say, lambda why: None)

    def _load(self) -> str:
        import ktw.git
        import ktw.hooks.running  # noqa: F401

        return ""

    def _say(self) -> str:
        from pathlib import Path

        from ktw.git import find_repository
        from ktw.hooks.running import Log

        log = self.log
        if not isinstance(log, Log):
            log = Log(self._event, self._agent, self._started)
        if log.common_dir is None:
            log.common_dir = find_repository(Path.cwd()).common_dir
        log.failed("time was over")
        return ""


def main(arguments: list[str]) -> NoReturn:
    """Run one hook with the words behind `ktw hook` and end the process with exit code 0."""
    started = time.monotonic()
    try:
        claim()
        _heed_signals()
        event, agent = _named(arguments)
        if not os.environ.get("KTW_RECAP"):
            late, deadline = _Late(event, agent, started), Deadline(started)
            deadline.watch(late)
            _write(_answer(event, agent, late, deadline))
    finally:
        os._exit(0)


def _heed_signals() -> None:
    """An agent that gives up a hook, or a terminal that goes, is no failure of the hook."""
    # `signal` makes enumerations of all names, which cost milliseconds.
    import _signal  # type: ignore[import-not-found]

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(_signal, name):
            _signal.signal(getattr(_signal, name), lambda *_: os._exit(0))


def _named(arguments: list[str]) -> tuple[str, str]:
    """The event and the agent of a command line."""
    agent, words = "", []
    rest = iter(arguments)
    for word in rest:
        if word == "--agent":
            agent = next(rest, "")
        elif word.startswith("--agent="):
            agent = word.removeprefix("--agent=")
        else:
            words.append(word)
    return (words[0] if words else ""), agent


def _answer(event: str, agent: str, late: _Late, deadline: Deadline) -> str:
    from ktw.hooks.boundary import safely

    return safely(lambda: _run(event, agent, late, deadline), lambda why: _failed(late, why))


def _run(event: str, agent: str, late: _Late, deadline: Deadline) -> str:
    payload, cwd, env = _read(), _cwd(), os.environ
    if event in _WARM and len(payload) <= MAX_BYTES:
        from ktw.warm_client import ask

        passed = {name: env[name] for name in _PASSED if name in env}
        told = {"agent": agent, "event": event, "payload": payload, "start": cwd, "env": passed}
        answer = ask("hook", told, cwd, env, min(deadline.left, _WARM_S))
        if isinstance(answer, str) and _is_fit(answer):
            return answer
    from datetime import UTC, datetime

    from ktw.hooks.running import Asked, Log, run_hook

    log = Log(event, agent, deadline.started)
    late.log = log
    asked = Asked(cwd, agent, event, payload, datetime.now(UTC), env)
    return run_hook(asked, log, deadline.limit)


def _cwd() -> str:
    """Where it was started; the root where that is gone: the payload may name a better place."""
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return os.sep


def _is_fit(answer: str) -> bool:
    """Whether what a warm one says is what a hook may print: nothing, or an object of JSON."""
    if not answer:
        return True
    from ktw.quick_json import loads

    try:
        return answer.isascii() and isinstance(loads(answer), dict)
    except (ValueError, RecursionError):
        return False


def _failed(late: _Late, why: str) -> None:
    from ktw.hooks.running import Log

    if isinstance(late.log, Log):
        late.log.failed(why)


def _read() -> str:
    """Standard input up to its end, or to the end of a whole JSON object; all of what is too long
    is taken, so that the agent's writing does not break, and none of it kept."""
    pieces: list[bytes] = []
    size = 0
    while piece := os.read(0, _PIECE):
        size += len(piece)
        if size <= MAX_BYTES:
            pieces.append(piece)
        if piece.rstrip()[-1:] == b"}" and len(piece) < _PIECE and _is_whole(pieces, size):
            break
    text = b"".join(pieces).decode("utf-8-sig", "replace")
    return text if size <= MAX_BYTES else " " * (MAX_BYTES + 1)


def _is_whole(pieces: list[bytes], size: int) -> bool:
    """True for an object that needs no more: an agent may leave its end of the pipe open."""
    if size > MAX_BYTES:
        return False
    from ktw.quick_json import loads

    try:
        loads(b"".join(pieces).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True


def _write(text: str) -> None:
    """Print all of it, or as much as somebody takes."""
    data = text.encode("ascii")
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return
