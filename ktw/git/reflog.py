"""Where a ref stood before, by this clone's own record of its moves.

The record is that of gitrepository-layout(5), `logs/`. No content of a repository chooses what is
written there, and no fetch changes what was.
"""

import os
import re
import stat

from ktw.git.repository import Repository

_LINE = re.compile(rb"([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ")
_MAX_BYTES = 4 * 1024 * 1024
_MAX_PLACES = 200
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def stood_at(repository: Repository, ref: str) -> tuple[str, ...]:
    """The ids of the commits that a full ref named here, the newest first, at most 200.

    Empty where git kept no record, or not in this form (a bare repository, reftable).
    """
    rows = [match for line in _lines(repository, ref) if (match := _LINE.match(line))]
    ids = [row[at].decode() for row in reversed(rows) for at in (2, 1)]
    known = dict.fromkeys(id_ for id_ in ids if id_.strip("0"))
    return tuple(known)[:_MAX_PLACES]


def _lines(repository: Repository, ref: str) -> list[bytes]:
    try:
        descriptor = os.open(repository.common_dir / "logs" / ref, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode):
                return []
            file.seek(max(0, facts.st_size - _MAX_BYTES))
            return file.read(_MAX_BYTES).split(b"\n")
    except OSError:
        return []
