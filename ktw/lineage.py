"""Which processes this one descends from, and when each began, as the system tells it.

Linux's `/proc` (proc(5)), elsewhere `ps` (POSIX); where neither answers, nothing is known.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ktw.child import run_child
from ktw.errors import KtwError

_MOST = 128


class Born(NamedTuple):
    """A process: its number, and when it began ("" where that is not told)."""

    pid: int
    began: str


def ancestors() -> list[Born]:
    """This process and those it descends from, the nearest first."""
    if Path("/proc/self/stat").exists():
        return _climbed({})
    return _climbed(_parents())


def itself() -> Born:
    """This process."""
    return next(iter(ancestors()), Born(os.getpid(), ""))


def _climbed(parents: Mapping[int, int]) -> list[Born]:
    found: list[Born] = []
    pid = os.getpid()
    while pid > 0 and len(found) < _MOST and pid not in (one.pid for one in found):
        parent, began = (parents.get(pid, 0), "") if parents else _stat(pid)
        found.append(Born(pid, began))
        pid = parent
    return found


def _stat(pid: int) -> tuple[int, str]:
    """Parent and start time; the name in the second field may hold blanks and brackets."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return int(text[1]), text[19].decode()
    except (OSError, ValueError, IndexError):
        return 0, ""


def _parents() -> Mapping[int, int]:
    program = shutil.which("ps")
    if program is None or not Path(program).is_absolute():
        return {}
    try:
        command = [program, "-A", "-o", "pid=", "-o", "ppid="]
        told = run_child(command, Path("/"), {"LC_ALL": "C"}, seconds=5, limit=1 << 20)
    except KtwError:
        return {}
    rows = (line.split() for line in told.output.decode("ascii", "replace").splitlines())
    return {int(row[0]): int(row[1]) for row in rows if len(row) == 2 and "".join(row).isdigit()}
