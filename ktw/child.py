"""Run another program to its end, or to ours: bounded in time and output, its whole group ended.

The one room that starts an agent's command. What may be run, and with which environment, is for its
callers to say.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from ktw.errors import KtwError, visible

_STEP_S = 0.05


class Ended(NamedTuple):
    """How it ended. `stopped`: "" by itself, else what it had too much of, "time" or "output"."""

    status: int
    stopped: str
    output: bytes
    complaint: bytes


def run_child(
    command: Sequence[str],
    directory: Path,
    env: Mapping[str, str],
    given: bytes = b"",
    seconds: float = 60.0,
    limit: int = 1 << 16,
) -> Ended:
    """Run it in `directory` with `given` on standard input; raises KtwError where it cannot start.

    After `seconds`, or more than `limit` bytes on one of its outputs, it is ended. So is whatever
    it left in its process group, always.
    """
    # Files, no pipes: a grandchild that keeps one open holds nobody up.
    with (
        tempfile.TemporaryFile() as stdin,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as complaint,
    ):
        stdin.write(given)
        stdin.seek(0)
        process = _start(command, directory, env, (stdin, output, complaint))
        try:
            stopped = _watch(process, (output, complaint), time.monotonic() + seconds, limit)
        finally:
            _end(process)
        return Ended(process.returncode, stopped, _head(output, limit), _head(complaint, limit))


def detach(command: Sequence[str], directory: Path, env: Mapping[str, str]) -> None:
    """Start it on its own and do not wait: no terminal, no stream, no group of ours."""
    process = _start(command, directory, env, (subprocess.DEVNULL,) * 3)
    # In a process that lives on, somebody has to take note of its end.
    threading.Thread(target=process.wait, daemon=True).start()


def _start(
    command: Sequence[str],
    directory: Path,
    env: Mapping[str, str],
    streams: tuple[IO[bytes] | int, IO[bytes] | int, IO[bytes] | int],
) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            command,
            cwd=directory,
            env=dict(env),
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
        what = f"{visible(command[0])} cannot be started ({visible(str(error))})"
        raise KtwError(what, "Look at that program.") from error


def _watch(
    process: "subprocess.Popen[bytes]", outputs: Sequence[IO[bytes]], until: float, limit: int
) -> str:
    while True:
        has_ended = _has_ended(process)
        if any(os.fstat(stream.fileno()).st_size > limit for stream in outputs):
            return "output"
        if has_ended:
            return ""
        if time.monotonic() > until:
            return "time"
        time.sleep(_STEP_S)


def _has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """True once it is over; where the system can, it is not reaped: its group keeps its number."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, options) is not None


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _head(stream: IO[bytes], limit: int) -> bytes:
    stream.seek(0)
    return stream.read(limit)
