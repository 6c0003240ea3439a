"""A look at every Markdown file of a directory: by this process, or by a second one beside it.

Run as a program it answers on standard output what is asked on standard input, until that ends;
then it imports next to nothing and nothing of ktw, since a cold recall starts it anew.
"""

from __future__ import annotations

import gc
import os
import stat
import sys
import time
from array import array
from functools import partial
from itertools import chain
from operator import attrgetter

TYPE_CHECKING = False  # `typing` itself would cost 2 ms
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

WHOLE, SECOND_HALF = 0, 1
STATS = 4  # what is kept of a look
kept = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")
_mode = attrgetter("st_mode")
_NUMBER, _NONE = 8, -1  # bytes of a number that is sent; what stands for no answer
# A directory of this size holds some two thousand names; to start a process for fewer is slower.
_MANY = 1 << 16
_SETTLED_NS = 2_000_000_000
_PATIENCE_S, _MOST = 2.0, 1 << 30
_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from ktw.scout import main; main()"


# By the directory's descriptor, a look at one file of it costs half of what it does by path.
IS_BY_DESCRIPTOR = os.listdir in os.supports_fd and os.stat in os.supports_dir_fd


def sorted_out(names: list[str]) -> tuple[list[str], list[str]]:
    """The names that Markdown files may have, sorted, and those of no such."""
    marked = [name for name in names if name.endswith(".md") and name[:1] != "."]
    marked.sort()
    if len(marked) == len(names):
        return marked, []
    return marked, [name for name in names if not name.endswith(".md")]


class Names:
    """The names in a directory, `sorted_out`, listed anew where it may hold others since."""

    def __init__(self) -> None:
        self._directory: tuple[int, ...] | None = None
        self._found: tuple[list[str], list[str]] = [], []

    def listed(self, descriptor: int) -> tuple[list[str], list[str]]:
        """Those of an open directory as it is now; raises OSError."""
        now_ns, facts = time.time_ns(), os.fstat(descriptor)
        moved_ns = max(facts.st_mtime_ns, facts.st_ctime_ns)
        directory = (facts.st_dev, facts.st_ino, facts.st_mtime_ns, facts.st_ctime_ns)
        if directory != self._directory:
            self._found = sorted_out(os.listdir(descriptor))
            # One that moved just now may move again within one tick of its clock.
            self._directory = directory if moved_ns + _SETTLED_NS < now_ns else None
        return self._found


def look_in(descriptor: int) -> Callable[[str], os.stat_result]:
    """How to look at a file of a directory, by its name; follows no link."""
    return partial(os.stat, dir_fd=descriptor, follow_symlinks=False)


def look_at(look: Callable[[str], os.stat_result], names: list[str]) -> array[int] | None:
    """STATS numbers of each file: bytes, nanoseconds of its two times, inode.

    None where one is gone, a link, or has an inode number that fits no signed column.
    """
    try:
        facts = list(map(look, names))
        if any(map(stat.S_ISLNK, set(map(_mode, facts)))):
            return None
        return array("q", chain.from_iterable(map(kept, facts)))
    except (OSError, OverflowError):
        return None


def middle(names: list[str]) -> int:
    """Where the second half begins."""
    return len(names) // 2


def has_many(directory: str) -> bool:
    """Whether a second look is worth its start here, as far as the directory's size tells."""
    try:
        return IS_BY_DESCRIPTOR and os.stat(directory).st_size >= _MANY  # noqa: PTH116
    except OSError:
        return False


def packed(names: list[str]) -> bytes:
    """Names as the system has them, each ended."""
    return os.fsencode("\0".join([*names, ""]))


def unpacked(data: bytes) -> list[str]:
    """What `packed` packed."""
    return os.fsdecode(data).split("\0")[:-1]


class Scout:
    """A process that looks while its maker does something else; `close` ends it.

    Where it does not start, dies, or is slow, `seen` says so, and whoever asked looks himself.
    `names`: what its maker listed last.
    """

    def __init__(self) -> None:
        self.names = Names()
        self._process: subprocess.Popen[bytes] | None = None
        self._until = 0.0
        self._owes = False

    def start(self) -> None:
        """Let it come up: the first answer then comes sooner."""
        try:
            self._started()
        except OSError:
            self.close()

    def send(self, directory: str, share: int) -> None:
        """Let it look at a share of the files: WHOLE, or the SECOND_HALF by name."""
        path = os.fsencode(directory)
        if self._owes:  # nobody took the last answer
            self.close()
        try:
            process = self._started()
            assert process.stdin is not None
            process.stdin.write(array("q", (share, len(path))).tobytes() + path)
            process.stdin.flush()
        except OSError:
            self.close()
        self._owes = True
        self._until = time.monotonic() + _PATIENCE_S

    def seen(self) -> tuple[list[str], list[str], array[int]] | None:
        """What it saw of what was sent last: the names of its share, those of no Markdown file,
        and STATS numbers of each of its share. None where it cannot tell."""
        try:
            lengths = array("q", self._read(3 * _NUMBER))
            if lengths[0] == _NONE:
                self._owes = False
                return None
            names, others, stats = map(self._read, lengths)
            self._owes = False
        except OSError:
            self.close()
            return None
        return unpacked(names), unpacked(others), array("q", stats)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None:
            return self._process
        import subprocess

        # Isolated: neither the environment nor the directory can put another module before ours.
        home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
        command = [sys.executable or "", "-I", "-S", "-c", _PROGRAM, home]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing)
        return self._process

    def _read(self, size: int) -> bytes:
        """So many bytes of its answer; raises OSError where they do not come in time."""
        if self._process is None or not 0 <= size <= _MOST:
            raise OSError("no process of ours")
        import select

        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        ready, pieces = select.poll(), []
        ready.register(descriptor, select.POLLIN)
        while size > 0:
            left = self._until - time.monotonic()
            piece = os.read(descriptor, size) if ready.poll(max(0, int(left * 1000))) else b""
            if not piece:
                raise OSError("no answer")
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """End the process."""
        process, self._process, self._owes = self._process, None, False
        if process is not None:
            process.kill()
            process.communicate()


# --- the program -----------------------------------------------------------------------------


def _answer(known: Names, path: bytes, share: int) -> tuple[bytes, bytes, bytes] | None:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        names, others = known.listed(descriptor)
        if share == SECOND_HALF:
            names, others = names[middle(names) :], []
        seen = look_at(look_in(descriptor), names)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return None if seen is None else (packed(names), packed(others), seen.tobytes())


def main() -> None:
    """Answer each question: the lengths of three parts and the parts; one negative for none."""
    names = Names()
    gc.disable()  # it would look through 10,000 results again and again
    asked, answers = os.fdopen(0, "rb"), os.fdopen(1, "wb")
    while len(head := asked.read(2 * _NUMBER)) == 2 * _NUMBER:
        share, length = array("q", head)
        parts = _answer(names, asked.read(length), share)
        lengths = (_NONE, 0, 0) if parts is None else map(len, parts)
        answers.write(array("q", lengths).tobytes() + b"".join(parts or ()))
        answers.flush()
