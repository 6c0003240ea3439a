"""A person at a terminal, for tests: a real process under a real pseudo-terminal."""

import contextlib
import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

_PATIENCE_S = 20.0


class Terminal:
    """`ktw` with these arguments in `directory`; `seen` is all that it printed, LF line ends."""

    def __init__(
        self, directory: Path, arguments: Sequence[str], extra: Mapping[str, str] | None = None
    ) -> None:
        self.seen = ""
        self._controller, user = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ktw.cli", *arguments],
            cwd=directory,
            env={**os.environ, "TERM": "dumb", **(extra or {})},
            stdin=user,
            stdout=user,
            stderr=user,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(user)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._controller)

    def expect(self, text: str, start: int = 0) -> None:
        """Read until `text` was printed, at or after `start` of what was seen."""
        self.expect_any((text,), start)

    def expect_any(self, texts: Sequence[str], start: int = 0) -> None:
        """Read until one of `texts` was printed."""
        until = time.monotonic() + _PATIENCE_S
        while not any(text in self.seen[start:] for text in texts):
            assert self._read(until), f"{texts!r} never came; instead:\n{self.seen}"

    def press(self, key: str) -> None:
        """Press a key, without Enter, once the process waits for one: it drops earlier ones."""
        until = time.monotonic() + _PATIENCE_S
        while termios.tcgetattr(self._controller)[3] & termios.ICANON:
            assert time.monotonic() < until, f"no key is waited for:\n{self.seen}"
            self._read(time.monotonic() + 0.01)
        os.write(self._controller, key.encode())

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        os.write(self._controller, f"{line}\n".encode())

    def end(self) -> int:
        """Read to the end; the exit code."""
        until = time.monotonic() + _PATIENCE_S
        while self._read(until):
            pass
        return self._process.wait(_PATIENCE_S)

    def _read(self, until: float) -> bool:
        """One more piece of output; False where there will be none."""
        ready, _, _ = select.select([self._controller], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return False
        with contextlib.suppress(OSError):
            piece = os.read(self._controller, 65536)
            self.seen += piece.decode("utf-8", "replace").replace("\r\n", "\n")
            return bool(piece)
        return False


def _take_terminal() -> None:
    """In the new process: make the terminal its own, so that Ctrl-C reaches it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def digits_shown(terminal: Terminal) -> str:
    """The first characters of the hash that was shown, as the person reads them."""
    terminal.expect("characters of the hash")
    found = re.search(r"^hash ([0-9a-f]{64})$", terminal.seen, re.MULTILINE)
    assert found is not None, terminal.seen
    return found[1][:6]
