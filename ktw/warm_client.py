"""Ask a ktw that is up already, over its local socket; None whenever nobody to trust answers.

Nothing of ktw is imported, and of the library only what a bare start has or costs a millisecond
or three: this is what a hook pays for. Whoever asks goes the cold way where this gives None.
"""

from __future__ import annotations

import os
import stat
import sys
import time

from ktw import __version__
from ktw.quick_json import dumps, loads

TYPE_CHECKING = False  # `typing` itself would cost 2 ms
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

SOCKET = "warm.sock"
MAX_REQUEST, MAX_ANSWER = 1 << 20, 16 << 20
PROMPT_S = 10.0
_LONGEST_PATH = 100  # bytes; a socket's name may have 104 on macOS, 108 on Linux
# What an answer depends on beside files and git: another value of one of them is another answer.
_SURROUNDINGS = (
    *("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"),
    *("GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH", "HF_HOME", "HF_HUB_CACHE"),
)


def ask(
    op: str,
    arguments: Mapping[str, object],
    cwd: str,
    env: Mapping[str, str],
    deadline_s: float = PROMPT_S,
) -> Any:
    """The answer (JSON, never null) of the warm ktw of the work tree around `cwd`, or None.

    None where none is up, it is another user's, another installation's or in other surroundings,
    it refuses, or `deadline_s` passes. Never raises for its sake and never waits longer.
    """
    until = time.monotonic() + deadline_s
    request = {"op": op, "arguments": arguments, "cwd": cwd, "asker": asker(env)}
    line = dumps(request).encode() + b"\n"
    git_dir = git_directory(cwd)
    if git_dir is None or len(line) > MAX_REQUEST:
        return None
    for place in places(git_dir, env):
        answer = _exchange(place, line, until) if _is_open_to_us(place) else None
        if answer is not None:
            return answer.get("answer")
    return None


def asker(env: Mapping[str, str]) -> list[str | None]:
    """Whose answers would be the same: this installation, unchanged, in these surroundings."""
    package = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 (no pathlib here)
    changed = str(os.stat(package).st_mtime_ns)  # noqa: PTH116
    told = map(env.get, _SURROUNDINGS)  # an empty one and none are two things to git
    return [__version__, package, changed, sys.prefix, *told]


def git_directory(cwd: str) -> str | None:
    """The git directory of the work tree around `cwd`, found as `ktw.git` finds it."""
    here = os.path.realpath(cwd)
    while True:
        found = _git_dir_at(here)
        parent = os.path.dirname(here)  # noqa: PTH120
        if found is not None or parent == here:
            return found
        here = parent


def _git_dir_at(directory: str) -> str | None:
    place = f"{directory}{os.sep}.git"
    try:
        mode = os.stat(place).st_mode  # noqa: PTH116
        if stat.S_ISREG(mode):
            with open(place, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
                text = file.read(4096)
            if not text.startswith("gitdir:"):
                return None
            named = text.removeprefix("gitdir:").strip()
            place = os.path.realpath(f"{directory}{os.sep}{named}" if named[:1] != "/" else named)
        os.stat(f"{place}{os.sep}HEAD")  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return place


def places(git_dir: str, env: Mapping[str, str]) -> Iterator[str]:
    """Where the socket of a work tree may lie, the first choice first: in its git directory, or
    where a path is too long for that, in a directory of this user's."""
    inside = f"{git_dir}/ktw/{SOCKET}"
    if len(os.fsencode(inside)) <= _LONGEST_PATH:
        yield inside
    if hasattr(os, "geteuid"):
        try:
            from _blake2 import blake2b  # `hashlib` costs 3 ms
        except ImportError:
            from hashlib import blake2b

        base = env.get("XDG_RUNTIME_DIR") or env.get("TMPDIR") or "/tmp"
        name = blake2b(os.fsencode(git_dir), digest_size=8).hexdigest()
        yield f"{base}/ktw-{os.geteuid()}/{name}.sock"


def is_own(path: str, is_kind: Callable[[int], bool]) -> bool:
    """True for what is of that kind, no link, this user's, and nobody else may write to."""
    try:
        facts = os.lstat(path)
    except (OSError, ValueError):
        return False
    return is_kind(facts.st_mode) and facts.st_uid == os.geteuid() and not facts.st_mode & 0o022


def _is_open_to_us(place: str) -> bool:
    directory = os.path.dirname(place)  # noqa: PTH120
    return is_own(place, stat.S_ISSOCK) and is_own(directory, stat.S_ISDIR)


def _exchange(place: str, line: bytes, until: float) -> dict[str, Any] | None:
    """What the server at `place` answers to one line, None where nobody of ours answers in time."""
    try:
        # Not `socket`: the enumerations that it makes of these names cost 10 ms.
        import _socket

        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    except (ImportError, AttributeError, OSError):
        return None
    try:
        connection.settimeout(_left(until))
        connection.connect(place)
        if not is_peer_own(connection):
            return None
        connection.sendall(line)
        answer = loads(_read_line(connection, until).decode("ascii"))
        return answer if isinstance(answer, dict) else None
    except (OSError, ValueError, RecursionError):
        return None
    finally:
        connection.close()


def _read_line(connection: Any, until: float) -> bytes:
    """One whole line; raises OSError where time passes first, ValueError where it is cut short."""
    pieces, size = [], 0
    while size <= MAX_ANSWER:
        connection.settimeout(_left(until))
        piece = connection.recv(1 << 16)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
        if piece.endswith(b"\n"):
            return b"".join(pieces)
    raise ValueError("no whole line")


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def is_peer_own(connection: Any) -> bool:
    """True where the process at the other end is this user's, as far as the system tells: Linux
    by SO_PEERCRED (unix(7)), macOS by LOCAL_PEERCRED; elsewhere the directory's mode has to do."""
    import _socket

    if hasattr(_socket, "SO_PEERCRED"):  # pid, uid, gid
        credentials = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    elif sys.platform == "darwin":
        credentials = connection.getsockopt(0, 1, 76)  # SOL_LOCAL: version, uid, groups
    else:
        return True
    return int.from_bytes(credentials[4:8], sys.byteorder) == os.geteuid()
