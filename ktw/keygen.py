"""Run `ssh-keygen` in a private directory: the one room that starts it.

It asks a person for nothing unless its caller says that one sits at the terminal, it ends, and
it is told nothing of git. What its answers mean is for `ktw.ssh` to say.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self

from ktw.errors import visible

CHECK_TIMEOUT_S = 10.0
_ASKING = ("SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "DISPLAY", "WAYLAND_DISPLAY")


class Unable(Exception):
    """The program could not be asked at all, or gave no answer."""


class Done(NamedTuple):
    """How a call ended: exit status, standard output, what it said was wrong (escaped)."""

    status: int
    output: str
    complaint: str


class Scratch:
    """A private directory with these files, in which ssh-keygen runs, so that it names no path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def __enter__(self) -> Self:
        import tempfile

        try:
            self._directory = tempfile.TemporaryDirectory(prefix="ktw-")
            self._place = Path(self._directory.name)
            for name, data in self._files.items():
                (self._place / name).write_bytes(data)
        except OSError as error:
            raise Unable(f"no temporary file can be written ({error.strerror})") from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._directory.cleanup()

    def read(self, name: str) -> bytes:
        """A file that was made there, b"" for none."""
        try:
            return (self._place / name).read_bytes()
        except OSError:
            return b""

    def run(
        self,
        arguments: Sequence[str],
        stdin: str = os.devnull,
        program: str | None = None,
        person: bool = False,
        patience: float | None = None,
    ) -> Done:
        """Run it to its end. Output goes to files: a child that outlives it would keep a pipe."""
        command = [program or _keygen(), *arguments]
        try:
            with (
                (self._place / stdin).open("rb") as given,
                (self._place / ".out").open("w+b") as output,
                (self._place / ".err").open("w+b") as complaint,
            ):
                streams = (given, output, complaint)
                until = CHECK_TIMEOUT_S if patience is None else patience
                status = _wait(command, self._place, streams, person, until)
                return Done(status, _text(output), _last_line(complaint))
        except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
            raise Unable(f"{visible(command[0])} cannot be run ({visible(str(error))})") from error


def _wait(
    command: Sequence[str],
    directory: Path,
    streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
    person: bool,
    patience: float,
) -> int:
    """The exit status; without a person the process has no terminal that it could ask at."""
    process = subprocess.Popen(
        command,
        cwd=directory,
        env=environment(person),
        stdin=streams[0],
        stdout=streams[1],
        stderr=streams[2],
        start_new_session=not person,
    )
    try:
        status = process.wait(patience)
    except subprocess.TimeoutExpired as error:
        raise Unable(f"{Path(command[0]).name} gave no answer in {patience:g} s") from error
    finally:
        if process.poll() is None:
            _kill(process, group=not person)
    if status < 0:
        raise Unable(f"{Path(command[0]).name} was ended by signal {-status}")
    return status


def _kill(process: "subprocess.Popen[bytes]", group: bool) -> None:
    with suppress(ProcessLookupError):
        if group and hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def environment(person: bool) -> dict[str, str]:
    """The variables for ssh-keygen: none of git's, and without a person none that would ask one."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    if not person:
        kept = {name: value for name, value in kept.items() if name not in _ASKING}
        kept["SSH_ASKPASS_REQUIRE"] = "never"
    return kept


def _keygen() -> str:
    """The absolute path of ssh-keygen, never one in the current directory (Windows)."""
    found = shutil.which("ssh-keygen")
    if found is None or not Path(found).is_absolute():
        raise Unable("ssh-keygen is not on the PATH (install OpenSSH's client)")
    return found


def program() -> str:
    """Which ssh-keygen answers here, "" for none: what one said need not hold for another."""
    try:
        path = _keygen()
        facts = Path(path).stat()
    except (Unable, OSError):
        return ""
    return f"{path} {facts.st_size} {facts.st_mtime_ns}"


def version() -> tuple[int, ...]:
    """The version of OpenSSH, as the `ssh` beside ssh-keygen says it; () where nobody says one."""
    try:
        beside = str(Path(_keygen()).with_name("ssh"))
        with Scratch({}) as scratch:
            told = scratch.run(["-V"], program=beside).complaint
    except Unable:
        return ()
    numbers = re.match(r"OpenSSH_(?:for_Windows_)?([0-9]+)\.([0-9]+)", told)
    return (int(numbers[1]), int(numbers[2])) if numbers else ()


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read(1 << 16).decode("utf-8", "replace")


def _last_line(stream: IO[bytes]) -> str:
    """What it said was wrong, on one line and escaped."""
    lines = [line for line in _text(stream).splitlines() if line.strip()]
    told = [line for line in lines if line.startswith("signers:")] or lines[:1]
    return visible(told[-1].strip()) if told else "no reason given"
