"""What a surface says of an exception: what happened, what to do, and for a bug a log to paste.

Three kinds, never mixed; prints nothing and decides nothing but the exit code.
"""

import errno
from pathlib import Path
from typing import NamedTuple

from ktw import __version__
from ktw.errors import EXIT_BUG, KtwError, visible
from ktw.names import OutOfBounds
from ktw.text.escape import escape_line

# What the system refuses for reasons that lie outside ktw: no bug of ours.
_OUR_SURROUNDINGS = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EMFILE}
)


class Trouble(NamedTuple):
    """One line that says what and one that says what to do ("" for nothing), and the exit code."""

    what: str
    todo: str
    exit_code: int


def trouble(error: Exception) -> Trouble:
    """What is to be told of `error`; one that nobody foresaw is written to a log first."""
    if isinstance(error, OSError) and error.errno in _OUR_SURROUNDINGS:
        place = f"{visible(str(error.filename))}: " if error.filename else ""
        error = KtwError(f"{place}{error.strerror}", "Check space and permissions.")
    if isinstance(error, KtwError):
        return Trouble(escape_line(_told(error)), escape_line(error.todo), error.exit_code)
    kind = type(error).__name__  # what the error says may be a repository's words: in the log alone
    log = _write_log(error)
    return Trouble(
        f"this is a bug in ktw: {kind}", f"Please report it with this log: {log}", EXIT_BUG
    )


def _told(error: KtwError) -> str:
    """What went wrong; a repository's value is withheld where it directs whoever reads this."""
    if not isinstance(error, OutOfBounds):
        return error.what
    from ktw.withholding import shown_words

    return f"{error.field} '{shown_words(visible(error.value), 'value')}' {error.why}"


def _write_log(error: Exception) -> Path:
    import platform  # these three are for a bug alone, and cost 10 ms
    import tempfile
    import traceback

    told = "".join(traceback.format_exception(error)).splitlines()[-80:]
    about = f"ktw {__version__}, Python {platform.python_version()}, {platform.platform()}"
    log = "\n".join([about, "", *(visible(line, 500) for line in told), ""])
    with tempfile.NamedTemporaryFile(
        "w", prefix="ktw-bug-", suffix=".log", delete=False, encoding="utf-8"
    ) as file:
        file.write(log)
    return Path(file.name)
