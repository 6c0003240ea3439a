"""This process as an MCP server: its standard streams belong to the protocol and to nobody else.

What a library or a child process prints goes to standard error, and none of them reads the client's
messages.
"""

import gc
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from ktw.mcp.server import Server
from ktw.mcp.session import Session
from ktw.mcp.wire import Output, messages


def serve(start: Path, chosen: bool, env: Mapping[str, str], now: Callable[[], datetime]) -> None:
    """Serve the client at the standard streams until it closes them.

    The project is the one around `start`, or, unless a person has chosen that, of a directory that
    the client names.
    """
    gc.enable()  # a command lives for a moment; a server for days
    incoming, outgoing = _claimed_streams()
    server = Server(Output(outgoing))
    session = Session(start, env, now) if chosen else Session(start, env, now, server.roots)
    server.serve(session, messages(incoming))


def _claimed_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output as they were, with others put in their place."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")
