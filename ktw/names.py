"""What a name may be, judged as text alone: ids, file names, repository URLs.

It looks at no file and no configuration; `ktw.boundaries` offers all of this to callers.
"""

import unicodedata
from collections.abc import Callable

from ktw.errors import EXIT_USAGE, KtwError, visible
from ktw.text.late import late

MAX_ID = 200
MAX_MEMORY_NAME = 100

_ID = late(r"[A-Za-z0-9._-]+")
_CANONICAL = late(r"https://([^\s/?#]+)/([^\s?#]+)")
_HOST = late(r"[A-Za-z0-9.\-\[\]:]+")
_ESCAPED_TRAVERSAL = late(r"%(?:[01][0-9A-Fa-f]|7[Ff]|2[EeFf]|5[Cc])")
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789\u00b9\u00b2\u00b3"]
)
_TAKEN_NAMES = frozenset({"index", "readme", "agents", "claude", "revoked"})
_BAD_CATEGORIES = frozenset({"Cc", "Zl", "Zp"})


class OutOfBounds(KtwError):
    """A value that may not be followed. `kind`: outside, shape, missing or identity."""

    exit_code = EXIT_USAGE

    def __init__(self, field: str, value: str, why: str, kind: str = "outside") -> None:
        super().__init__(
            f"{field} '{visible(value)}' {why}",
            f"Correct '{field}' yourself; until then nothing is read or written there.",
        )
        self.field, self.value, self.why, self.kind = field, value, why, kind


def plain_value(value: str) -> str:
    """A config value without the blanks and backticks that may surround it."""
    return value.strip().strip("`").strip()


def has_control(value: str) -> bool:
    """True when `value` holds a control character or a Unicode line separator."""
    return not value.isprintable() and any(
        unicodedata.category(char) in _BAD_CATEGORIES for char in value
    )


def project_id(value: str) -> str:
    """`value` when it can name the file `~/.keep-the-why/<id>.md` on every system.

    Raises OutOfBounds otherwise.
    """
    if not _ID.fullmatch(value) or not value.strip("."):
        why = "is not a safe file name: only letters, digits, '.', '_' and '-', and not dots alone"
        raise OutOfBounds("id", value, why)
    if len(value) > MAX_ID:
        raise OutOfBounds("id", value, f"is longer than {MAX_ID} characters")
    if value.startswith("-"):
        raise OutOfBounds("id", value, "starts with a dash and would read as an option")
    if _is_device(value):
        raise OutOfBounds("id", value, "is the name of a device on Windows")
    return value


def memory_name(name: str) -> str:
    """`name` when ktw may write a memory file of that name; raises OutOfBounds otherwise."""
    for refuses, why in _MEMORY_NAME_FAULTS:
        if refuses(name):
            raise OutOfBounds("file name", name, why, "shape")
    return name


_MEMORY_NAME_FAULTS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda name: len(name) > MAX_MEMORY_NAME, f"is longer than {MAX_MEMORY_NAME} characters"),
    (lambda name: not _ID.fullmatch(name), "may hold only A-Z, a-z, 0-9, '.', '_' and '-'"),
    (lambda name: name[0] in ".-", "starts with a dot or a dash"),
    (lambda name: not name.endswith(".md"), "does not end in .md"),
    (lambda name: name[:-3].endswith("."), "has a dot before .md"),
    (lambda name: name[:-3].casefold() in _TAKEN_NAMES, "is a name with its own meaning here"),
    (lambda name: _is_device(name), "is the name of a device on Windows"),
)


def unportable(name: str) -> str:
    """Why a file of that name cannot stand, or not be told apart, on every system; "" if it can."""
    if _PLAIN_NAME.fullmatch(name) and not _is_device(name):
        return ""
    return next((why for refuses, why in _PORTABLE_FAULTS if refuses(name)), "")


_PLAIN_NAME = late(r"[A-Za-z0-9._-]{0,199}[A-Za-z0-9_-]")
_REFUSED_BY_WINDOWS = frozenset('<>:"|?*\\')
_UNSEEN_CATEGORIES = frozenset({"Cf", "Co", "Cn"})
_PORTABLE_FAULTS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda name: len(name) > MAX_ID, f"is longer than {MAX_ID} characters"),
    (lambda name: any("\ud800" <= char <= "\udfff" for char in name), "is not valid UTF-8"),
    (has_control, "holds a control character"),
    (
        lambda name: any(unicodedata.category(char) in _UNSEEN_CATEGORIES for char in name),
        "holds a character that shows nothing",
    ),
    (
        lambda name: not _REFUSED_BY_WINDOWS.isdisjoint(name),
        "holds a character that Windows refuses",
    ),
    (
        lambda name: name[-1:] in (".", " ") or name[:1] == " ",
        "begins with a blank, or ends in a blank or a dot",
    ),
    (lambda name: _is_device(name), "is the name of a device on Windows"),
)


def canonical(value: str) -> str:
    """`value` when it is the normal form of a repository's https URL: a name, never resolved.

    Raises OutOfBounds (kind shape).
    """
    why = _canonical_fault(value)
    if why:
        raise OutOfBounds("canonical", value, why, "shape")
    return value


def _is_device(name: str) -> bool:
    return name.split(".", 1)[0].rstrip(" ").casefold() in _DEVICES


def _canonical_fault(value: str) -> str:
    """Why `value` is no normalized repository URL, or "" when it is one."""
    match = _CANONICAL.fullmatch(value)
    if match is None or has_control(value) or value.endswith(("/", ".git")):
        return (
            "is not a repository's normalized URL: https://<host>/<path> without a trailing "
            "slash, '.git', query, fragment or blank"
        )
    host, path = match.groups()
    if "@" in host:
        return "carries credentials"
    if not _HOST.fullmatch(host):
        return "names a host that is not plain ASCII"
    segments = path.split("/")
    if "" in segments or "." in segments or ".." in segments or "\\" in path:
        return "has an empty, '.' or '..' segment or a backslash"
    return "hides a separator, dot or control character" if _ESCAPED_TRAVERSAL.search(path) else ""
