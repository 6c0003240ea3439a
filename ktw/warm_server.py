"""Answer this user's questions over a local socket from what is held in memory, until idle.

A surface: what comes in is checked here, what goes out is what the cold way would print. One
question is answered at a time; a slow or silent client holds nobody up and is dropped.
"""

import json
import os
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from ktw.atomic import Busy, hold_lock
from ktw.errors import KtwError
from ktw.held import Held
from ktw.hooks.running import Asked, run_hook
from ktw.operations.answers import answer_data
from ktw.operations.reading import recall
from ktw.store import Project, find_project
from ktw.warm_client import MAX_REQUEST, SIGN, asker, is_own, is_peer_own, places

IDLE_S = 30 * 60.0
_SILENCE_S = 2.0  # how long a client may take for its whole question
_AT_ONCE = 8
_TICK_S = 1.0


class Here(NamedTuple):
    """What a handler works with: the project, what is held of it, and the time."""

    project: Project
    held: Held
    now: datetime


Arguments = Mapping[str, Any]


def _recall(here: Here, arguments: Arguments) -> object:
    """The object of `ktw recall --json`."""
    explain, rest = arguments["explain"], {**arguments}
    del rest["explain"]
    return answer_data(recall(here.project, now=here.now, held=here.held, **rest), explain)


def _hook(here: Here, arguments: Arguments) -> object:
    """What a hook prints."""
    return run_hook(Asked(now=here.now, held=here.held, **arguments))


class Handler(NamedTuple):
    """What answers an op, and the arguments that it takes: every one of them, and no other."""

    answer: Callable[[Here, Arguments], object]
    takes: Mapping[str, type]

    def accepts(self, arguments: object) -> bool:
        """True for exactly the arguments it takes, each of its type."""
        return (
            isinstance(arguments, dict)
            and arguments.keys() == self.takes.keys()
            and all(type(value) is self.takes[name] for name, value in arguments.items())
        )


HANDLERS: Mapping[str, Handler] = {
    "recall": Handler(
        _recall, {"question": str, "limit": int, "budget": int, "model": str, "explain": bool}
    ),
    "hook": Handler(_hook, {"agent": str, "event": str, "payload": str, "start": str, "env": dict}),
}


class Refusal(KtwError):
    """No answer from here: whoever asked goes the cold way."""


class Server:
    """Serves one project. `lock` is held while something is answered; `held` is for its holder."""

    def __init__(
        self, project: Project, listener: socket.socket, env: Mapping[str, str], idle_s: float
    ) -> None:
        self.project, self.held, self.lock = project, Held(), threading.Lock()
        self._listener, self._idle_s, self._env = listener, idle_s, dict(env)
        self._asker = asker(env)
        self._place = Path(listener.getsockname())
        self._inode = self._place.stat().st_ino
        self._slots = threading.BoundedSemaphore(_AT_ONCE)
        self._used_at = time.monotonic()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Answer nobody any more."""
        self._stopped.set()
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as last:
            last.setblocking(False)
            last.connect(str(self._place))  # ends the wait for somebody

    def run(self) -> None:
        """Answer until idle, stopped, or the socket is gone or another's."""
        self._listener.settimeout(_TICK_S)
        while not self._is_over():
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:  # such as too many open files
                self._stopped.wait(_TICK_S)
                continue
            self._receive(connection)
        with self.lock:
            self.held.close()

    def _is_over(self) -> bool:
        idle = time.monotonic() - self._used_at > self._idle_s
        return idle or self._stopped.is_set() or not self._is_in_place()

    def _is_in_place(self) -> bool:
        try:
            return self._place.lstat().st_ino == self._inode
        except OSError:
            return False

    def _receive(self, connection: socket.socket) -> None:
        if not self._slots.acquire(blocking=False):
            connection.close()
            return
        threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, suppress(OSError):
                if is_peer_own(connection):
                    connection.sendall(SIGN)
                    line = _read_line(connection)
                    connection.settimeout(_SILENCE_S)
                    connection.sendall(json.dumps(self._reply(line)).encode() + b"\n")
        finally:
            self._slots.release()

    def _reply(self, line: bytes) -> dict[str, object]:
        """What is sent back: an answer, or why there is none. The one boundary of this surface."""
        try:
            return {"answer": self._answer(_request(line))}
        except KtwError as error:
            return {"refused": error.what}
        except Exception as error:  # noqa: BLE001 (a bug: the cold way shows and logs it)
            return {"refused": f"a bug in ktw: {type(error).__name__}"}

    def _answer(self, request: Mapping[str, Any]) -> object:
        op, arguments = request["op"], request["arguments"]
        if op in CONTROLS:
            return CONTROLS[op](self)
        if request["asker"] != self._asker:
            raise Refusal("another installation, or other surroundings")
        if asker(self._env) != self._asker:
            self.stop()
            raise Refusal("this installation was changed")
        handler = HANDLERS.get(op)
        if handler is None or not handler.accepts(arguments):
            raise Refusal("no such question is answered here")
        with self.lock:
            self._used_at = time.monotonic()
            project = find_project(Path(request["cwd"]))
            if project.root != self.project.root:
                raise Refusal("another project")
            return handler.answer(Here(project, self.held, datetime.now(UTC)), arguments)

    def told(self) -> dict[str, object]:
        """What `ktw warm --status` tells."""
        return {"pid": os.getpid(), "socket": str(self._place), "idle_s": self._idle_s}

    def _stop_for(self) -> dict[str, object]:
        self.stop()
        return self.told()


CONTROLS: Mapping[str, Callable[[Server], object]] = {
    "status": Server.told,
    "stop": Server._stop_for,
}


def _request(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Refusal("not a line of JSON") from error
    texts = ("op", "cwd")
    if (
        not isinstance(request, dict)
        or request.keys() != {"op", "arguments", "cwd", "asker"}
        or not all(isinstance(request[name], str) and "\0" not in request[name] for name in texts)
    ):
        raise Refusal("not a request")
    return request


def _read_line(connection: socket.socket) -> bytes:
    """One whole line within the time and size that a question may take; raises OSError."""
    until, pieces, size = time.monotonic() + _SILENCE_S, [], 0
    while size <= MAX_REQUEST:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(left)
        piece = connection.recv(1 << 16)
        pieces.append(piece)
        size += len(piece)
        if not piece or piece.endswith(b"\n"):
            return b"".join(pieces)
    raise OSError("too long a line")


# --- the socket ------------------------------------------------------------------------------


@contextmanager
def opened(project: Project, env: Mapping[str, str], idle_s: float = IDLE_S) -> Iterator[Server]:
    """A server that listens, nobody answered yet. Raises KtwError where there can be none: another
    one is up, the system has no such sockets, or no place may hold one."""
    if not hasattr(socket, "AF_UNIX"):
        raise KtwError("this system has no local sockets for ktw", "Everything works without one.")
    git_dir = project.repository.git_dir
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(git_dir / "ktw" / "warm.lock", 0.0))
        except Busy as error:
            raise KtwError(
                "another ktw is warm here already", "See it: ktw warm --status"
            ) from error
        listener = _listen([Path(place) for place in places(str(git_dir), env)])
        stack.callback(listener.close)
        server = Server(project, listener, env, idle_s)
        stack.callback(_take_away, server._place, server._inode)
        yield server


def serve(project: Project, env: Mapping[str, str], idle_s: float = IDLE_S) -> None:
    """Answer in this thread until idle or stopped; raises KtwError as `opened` does."""
    with opened(project, env, idle_s) as server:
        server.run()


def start_in_thread(project: Project, env: Mapping[str, str]) -> Server | None:
    """Answer beside what this process does, as long as it lives; None where another one does.

    The process may use `held` itself while it has the `lock`.
    """
    started: SimpleQueue[Server | None] = SimpleQueue()

    def run() -> None:  # the lock file belongs to the thread that took it
        try:
            with opened(project, env, float("inf")) as server:
                started.put(server)
                server.run()
        except KtwError:
            started.put(None)

    threading.Thread(target=run, name="ktw warm", daemon=True).start()
    return started.get()


def _listen(candidates: list[Path]) -> socket.socket:
    """A listening socket in the first place that may hold one; raises KtwError."""
    for place in candidates:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            place.parent.mkdir(mode=0o700, exist_ok=True)
            if is_own(str(place.parent), stat.S_ISDIR):
                if is_own(str(place), stat.S_ISSOCK):
                    place.unlink()  # a dead one's: the lock is ours
                listener.bind(str(place))
                place.chmod(0o600)  # before anybody can connect
                listener.listen(_AT_ONCE)
                return listener
        except OSError:
            pass
        listener.close()
    raise KtwError("no place here may hold a socket", "Everything works without one.")


def _take_away(place: Path, inode: int) -> None:
    with suppress(OSError):
        if place.lstat().st_ino == inode:
            place.unlink()
