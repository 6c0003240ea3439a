"""What the commands share: the project, the person, output, progress, completion.

Whatever a recall does without where a warm ktw answers it is imported where it is needed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

from ktw.agents import driving_agent
from ktw.colour import shows_colour
from ktw.errors import KtwError, UsageError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from ktw.index import Progress
    from ktw.project import Project

_PROGRESS_FROM = 300


def here() -> str:
    """The current directory; raises KtwError where it is gone."""
    try:
        return os.getcwd()  # noqa: PTH109 (no pathlib before a warm ktw is asked)
    except OSError as error:
        raise KtwError("the current directory is gone", "Go to one that is there.") from error


def project_here() -> Project:
    """The project around the current directory."""
    from pathlib import Path

    from ktw.project import find_project

    return find_project(Path(here()))


def now() -> datetime:
    """The one clock of the command line."""
    from datetime import UTC, datetime

    return datetime.now(UTC)


def agent() -> str | None:
    """The coding agent this process runs under, or None."""
    return driving_agent(os.environ)


def person() -> bool:
    """True where somebody can read and type here. A terminal proves no person; see docs."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def command_path() -> str | None:
    """Where this machine finds `ktw`, None where it does not."""
    import shutil

    return shutil.which("ktw")


def home() -> Path | None:
    """This person's home, None for a user without one."""
    from pathlib import Path

    try:
        return Path.home()
    except RuntimeError:
        return None


def model_setting() -> str:
    """The embedding model that was asked for: KTW_MODEL, "" for the one that ships."""
    return os.environ.get("KTW_MODEL", "")


def say(text: str, colour: str | None = None, bold: bool = False, err: bool = False) -> None:
    """Print a line; colour only where `shows_colour` has it."""
    stream = sys.stderr if err else sys.stdout
    click.echo(styled(text, colour, bold), err=err, color=_coloured(stream))


def styled(text: str, colour: str | None = None, bold: bool = False) -> str:
    """The line with its colour, for `say` to print: many of them are faster as one text."""
    return text if colour is None and not bold else click.style(text, fg=colour, bold=bold or None)


def _coloured(stream: IO[str]) -> bool:
    return shows_colour(os.environ, stream.isatty())


def say_lines(lines: Iterable[tuple[str, str | None]]) -> None:
    """Print lines with their colours; `bold` stands among the colours."""
    for text, colour in lines:
        say(text, None if colour == "bold" else colour, bold=colour == "bold")


def say_signing(needed: bool) -> None:
    """Tell the person why the key may ask for something now."""
    if needed:
        click.echo("Signing. Where your key asks for it: type its passphrase, or touch it.")


def say_memory(text: str) -> None:
    """Print rendered memories: the renderer's lines, headings coloured on a terminal."""
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("### Approved"):
            say(line, "green", bold=True)
        elif line.startswith(("### ", "<<< UNTRUSTED", ">>> END UNTRUSTED")):
            say(line, "yellow")
        else:
            click.echo(line)


def say_json(value: object, indent: int | None = 2) -> None:
    """Print data; escapes everything beyond ASCII where the output cannot carry it."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not utf8, indent=indent)
    click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8") if utf8 else text)


def say_notices(notices: list[str]) -> None:
    """Print what is to be said about an answer, on standard error."""
    for notice in notices:
        say(f"ktw: {notice}", err=True)


def read_input(what: str) -> str:
    """All of standard input as UTF-8, whatever the locale says."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise UsageError(f"there is no standard input to read the {what} from")
    data: bytes = stream.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"the {what} on standard input is not UTF-8 (line {line})", "Save or send it as UTF-8."
        ) from error


def confirm(question: str, default: bool, without: str) -> bool:
    """A yes or no from whoever is there; `without` names the command that asks nothing."""
    with _somebody(without):
        return click.confirm(question, default=default)


def choose(question: str, choices: Sequence[str], without: str) -> str:
    """One of `choices`, from whoever is there."""
    with _somebody(without):
        answer: str = click.prompt(question, type=click.Choice(choices))
        return answer


def ask(question: str, without: str) -> str:
    """A line of text from whoever is there; `without` names the option that says it."""
    with _somebody(without):
        answer: str = click.prompt(question)
        return answer


@contextmanager
def _somebody(without: str) -> Iterator[None]:
    try:
        yield
    except click.Abort as error:
        if sys.stdin.isatty() or not isinstance(error.__context__, EOFError):
            raise  # a person who presses Ctrl-C or Ctrl-D stops it
        raise UsageError("nobody is here to answer", f"To be asked nothing: {without}") from error


class Bar:
    """A progress bar on standard error, for work on many files at a terminal."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if total < _PROGRESS_FROM or not sys.stderr.isatty():
            return
        if self._bar is None:
            self._bar = click.progressbar(length=total, label=self._label, file=sys.stderr)
            self._bar.__enter__()
        self._bar.update(1)
        if done == total:
            self._bar.__exit__(None, None, None)
            self._bar = None


def progress(label: str = "reading memories") -> Progress:
    """A progress callback that shows a bar where there is somebody to see it."""
    return Bar(label)


def complete_reference(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Addresses for the shell, with titles of approved memories only."""
    from click.shell_completion import CompletionItem

    from ktw.operations.completing import titles
    from ktw.text.escape import escape_line

    try:
        known = titles(project_here(), incomplete)
    except KtwError:
        return []
    return [
        CompletionItem(address, help=escape_line(title) if title else None)
        for address, title in known
    ]


json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print data instead of text."
)
