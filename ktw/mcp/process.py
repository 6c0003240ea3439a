"""This process as an MCP server: its standard streams belong to the protocol and to nobody else.

What a library or a child process prints goes to standard error, and none of them reads the client's
messages.
"""

import gc
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO

from ktw.mcp.server import Server
from ktw.mcp.session import Session
from ktw.mcp.wire import Output, messages
from ktw.store import Project

if TYPE_CHECKING:
    from ktw.held import Held


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
    """What is kept of a project: shared with the hooks of this work tree, which are answered over
    a socket from now on, or, where another ktw does that, this process's own."""

    def __init__(self, project: Project, env: Mapping[str, str]) -> None:
        from ktw.held import Held
        from ktw.warm_server import start_in_thread

        server = start_in_thread(project, env)
        self._lock = server.lock if server else Lock()
        self._held = server.held if server else Held()

    def __enter__(self) -> "Held":
        self._lock.acquire()
        return self._held

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _claimed_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output as they were, with others put in their place."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")
