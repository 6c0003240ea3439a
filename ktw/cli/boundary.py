"""Where errors end: three kinds, three outcomes, one line what and one line what to do."""

import errno
import sys
from pathlib import Path

import click

from ktw import __version__
from ktw.errors import EXIT_BUG, EXIT_INTERRUPT, EXIT_OK, KtwError, visible
from ktw.names import OutOfBounds
from ktw.text.escape import escape_line

# What the system refuses for reasons that lie outside ktw: no bug of ours.
_OUR_SURROUNDINGS = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EMFILE}
)


def run(command: click.Command) -> int:
    """Run a click command; its exit code (context-schema/specification.md, section 14).

    Where the reader of a pipe goes away, click ends the process in silence with exit code 1.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        done = command.main(prog_name="ktw", standalone_mode=False)
        return done if isinstance(done, int) else EXIT_OK
    except KtwError as error:
        return _report(error)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("ktw: stopped; what was not finished was not written", err=True)
        return EXIT_INTERRUPT
    except OSError as error:
        if error.errno not in _OUR_SURROUNDINGS:
            return _report_bug()
        place = f"{visible(str(error.filename))}: " if error.filename else ""
        return _report(KtwError(f"{place}{error.strerror}", "Check space and permissions."))
    except Exception:  # noqa: BLE001 (the one boundary of this surface)
        return _report_bug()


def _report(error: KtwError) -> int:
    click.echo(f"ktw: {escape_line(_told(error))}", err=True)
    if error.todo:
        click.echo(f"     {escape_line(error.todo)}", err=True)
    return error.exit_code


def _told(error: KtwError) -> str:
    """What went wrong; a repository's value is withheld where it directs whoever reads this."""
    if not isinstance(error, OutOfBounds):
        return error.what
    from ktw.withholding import shown_words

    return f"{error.field} '{shown_words(visible(error.value), 'value')}' {error.why}"


def _report_bug() -> int:
    import platform  # these three are for a bug alone, and cost 10 ms
    import tempfile
    import traceback

    lines = [visible(line, 500) for line in traceback.format_exc().splitlines()[-80:]]
    about = f"ktw {__version__}, Python {platform.python_version()}, {platform.platform()}"
    log = "\n".join([about, "", *lines, ""])
    with tempfile.NamedTemporaryFile(
        "w", prefix="ktw-bug-", suffix=".log", delete=False, encoding="utf-8"
    ) as file:
        file.write(log)
    kind = sys.exc_info()[0]  # what the error says may be a repository's words: in the log alone
    click.echo(f"ktw: this is a bug in ktw: {kind.__name__ if kind else 'unknown'}", err=True)
    click.echo(f"     Please report it with this log: {Path(file.name)}", err=True)
    return EXIT_BUG
