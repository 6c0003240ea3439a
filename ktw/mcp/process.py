"""This process as an MCP server: its standard streams belong to the protocol and to nobody else.

What a library or a child process prints goes to standard error, and none of them reads the client's
messages.
"""

import gc
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, BinaryIO

from ktw.mcp.server import Server
from ktw.mcp.session import Session
from ktw.mcp.wire import Output, messages
from ktw.store import Project

if TYPE_CHECKING:
    from ktw.held import Held

_UNHURRIED_S = 0.5


def serve(start: Path, chosen: bool, env: Mapping[str, str], now: Callable[[], datetime]) -> None:
    """Serve the client at the standard streams until it closes them.

    The project is the one around `start`, or, unless a person has chosen that, of a directory that
    the client names.
    """
    gc.enable()  # a command lives for a moment; a server for days
    incoming, outgoing = _claimed_streams()
    server = Server(Output(outgoing))
    roots = (lambda: ()) if chosen else server.roots
    session = Session(start, env, now, roots, lambda project: _Kept(project, env))
    server.serve(session, messages(incoming))


class _Kept:
    """What is kept of a project, for one user at a time: this process's own at first; soon after
    the first answer, which is not to wait for that, shared with the hooks of this work tree."""

    def __init__(self, project: Project, env: Mapping[str, str]) -> None:
        from ktw.held import Held

        self._project, self._env = project, env
        self._lock, self._held, self._is_new = Lock(), Held(), True

    def __enter__(self) -> "Held":
        self._take()
        return self._held

    def __exit__(self, *_: object) -> None:
        if self._is_new:
            self._is_new = False
            timer = Timer(_UNHURRIED_S, self._share)
            timer.daemon = True
            timer.start()
        self._lock.release()

    def _take(self) -> Lock:
        """Get the lock that holds now, whichever that is when its turn comes."""
        while True:
            lock = self._lock
            lock.acquire()
            if lock is self._lock:
                return lock
            lock.release()

    def _share(self) -> None:
        """Answer hooks over a socket from what is kept here, unless another ktw does that."""
        from ktw.warm_server import start_in_thread

        server = start_in_thread(self._project, self._env)
        if server is not None:
            own = self._take()
            with server.lock:
                server.held, self._lock = self._held, server.lock
            own.release()


def _claimed_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output as they were, with others put in their place."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")
