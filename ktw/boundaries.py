"""Where a value or a file may lead: every path rule of a project, once.

It asks the file system what a path resolves to and opens files safely; it knows no git,
no entries and no rules, and never reads what it has refused.
"""

import os
import re
import stat
import unicodedata
from pathlib import Path

from ktw.errors import KtwError, visible
from ktw.names import OutOfBounds, canonical, has_control, memory_name, plain_value, project_id

__all__ = [
    "MAX_FILE",
    "OutOfBounds",
    "Unreadable",
    "canonical",
    "context_directory",
    "family_location",
    "has_control",
    "inside",
    "is_git_name",
    "memory_name",
    "personal_file",
    "pinned_skill",
    "plain_value",
    "project_id",
    "read_regular",
    "root_value",
]

SKILL_NAME = "keep-the-why"
MAX_FILE = 1024 * 1024

_DRIVE = re.compile(r"[A-Za-z]:")
_GIT_NAMES = frozenset({".git", "git~1"})


class Unreadable(KtwError):
    """A file that is not read. `kind`: outside, missing, not-a-file, too-large or refused."""

    def __init__(self, path: Path | str, why: str, kind: str) -> None:
        super().__init__(f"{visible(str(path))} was not read: {why}")
        self.path, self.why, self.kind = Path(path), why, kind


def inside(root: Path, relative: str) -> Path | None:
    """The resolved place of `relative` below `root`, or None when it is not below it.

    Absolute paths, `..` and links that lead out, control characters, and whatever the
    system refuses to look at all give None. The place need not exist.
    """
    if _is_anchored(relative) or has_control(relative):
        return None
    resolved, top = _resolve(root / relative), _resolve(root)
    if resolved is None or top is None or not resolved.is_relative_to(top):
        return None
    return resolved


def context_directory(root: Path, value: str) -> Path:
    """The memory directory that config value `context` names (it need not exist yet).

    Raises OutOfBounds unless it is a directory inside the project that is neither the
    project itself nor part of git's own.
    """
    name = plain_value(value).rstrip("/") or "context"
    place = inside(root, name)
    if place is None:
        raise OutOfBounds("context", name, "leads out of the project")
    if place == _resolve(root):
        raise OutOfBounds("context", name, "is the project itself, not a directory in it", "shape")
    if _in_git(place.relative_to(root.resolve())) or _in_git(Path(name)):
        raise OutOfBounds("context", name, "lies in git's own directory")
    if _is_no_directory(place):
        raise OutOfBounds("context", name, "is not a directory", "missing")
    return place


def _is_no_directory(place: Path) -> bool:
    """True for what is there and no directory, and for a name that the system refuses."""
    try:
        return not stat.S_ISDIR(place.stat().st_mode)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


def personal_file(home: Path, id: str) -> Path:
    """The settings file of one developer for project `id`; raises OutOfBounds on a bad id."""
    return home / ".keep-the-why" / f"{project_id(id)}.md"


def pinned_skill(root: Path, path_value: str, version_value: str) -> Path:
    """The vendored SKILL.md that a pin names, once it proves to be exactly that skill.

    Raises OutOfBounds (kind outside, missing or identity).
    """
    value, field = plain_value(path_value), "pinned-path"
    place = inside(root, value)
    if place is None or _in_git(place.relative_to(root.resolve())):
        raise OutOfBounds(field, value, "leads out of the project")
    if not place.exists():
        raise OutOfBounds(field, value, "does not exist in the project", "missing")
    if place.name != "SKILL.md" or not place.is_file():
        raise OutOfBounds(field, value, "is not a SKILL.md file", "identity")
    try:
        text = read_regular(place, root, MAX_FILE).decode("utf-8-sig", errors="replace")
    except Unreadable as refusal:
        raise OutOfBounds(field, value, f"cannot be read: {refusal.why}", "identity") from refusal
    name, version = _skill_identity(text)
    if name != SKILL_NAME:
        raise OutOfBounds(field, value, f"is not the skill {SKILL_NAME}", "identity")
    if version != plain_value(version_value):
        why = f"holds version '{visible(version)}', not '{visible(version_value)}'"
        raise OutOfBounds(field, value, why, "identity")
    return place


def root_value(toplevel: Path, project_root: Path, value: str) -> Path:
    """The directory that config value `root` names below git's toplevel.

    Raises OutOfBounds: kind outside when it would leave the repository, kind shape when it
    is not the directory the config file sits in.
    """
    name = plain_value(value)
    leaves = _is_anchored(name) or has_control(name) or "\\" in name or ".." in name.split("/")
    place = None if leaves else inside(toplevel, name)
    if place is None:
        raise OutOfBounds("root", name, "leads out of the repository")
    if place != project_root.resolve():
        raise OutOfBounds("root", name, "is not the directory this file sits in", "shape")
    return place


def family_location(toplevel: Path, project_root: Path, value: str) -> Path | None:
    """The directory of a parent or child project in this repository; None for a URL.

    Raises OutOfBounds: kind shape, outside, or missing (no `.keep-the-why` there).
    """
    name, field = plain_value(value), "location"
    if name.startswith("https://"):
        canonical(name)
        return None
    if not name or _is_anchored(name) or has_control(name) or ":" in name:
        raise OutOfBounds(field, name, "is neither a repository's https URL nor a path", "shape")
    place, top = _resolve(project_root / name), _resolve(toplevel)
    if place is None or top is None or not place.is_relative_to(top):
        raise OutOfBounds(field, name, "leads out of the repository")
    if not (place / ".keep-the-why").is_file():
        raise OutOfBounds(field, name, "has no .keep-the-why", "missing")
    return place


def read_regular(
    path: Path | str, root: Path, limit: int = MAX_FILE, checked: set[str] | None = None
) -> bytes:
    """The bytes of a regular file inside `root`, at most `limit` of them.

    Never waits for a FIFO, opens no device, follows no link out of `root` or into `.git`.
    `checked` is the caller's own memory, for one operation, of directories already found to
    lie inside `root`: with it a plain file costs five system calls. Raises Unreadable.
    """
    try:
        path = str(path)  # 10,000 times: a Path turned into text at each call costs as much
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            path = _link_target(path, root)
        elif stat.S_ISREG(mode):
            _check_directory(path, root, checked)
        else:
            raise Unreadable(path, f"it is {_file_type(mode)}, not a file", "not-a-file")
        return _read_opened(path, limit)
    except FileNotFoundError as error:
        raise Unreadable(path, "it does not exist", "missing") from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "a bad path"
        raise Unreadable(path, f"the system says: {why}", "refused") from error


_PIECE = 4096
_OPEN_FLAGS = os.O_RDONLY
for _flag in ("O_CLOEXEC", "O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_BINARY", "O_NOINHERIT"):
    _OPEN_FLAGS |= getattr(os, _flag, 0)


def _read_opened(path: str, limit: int) -> bytes:
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        # Asked of what was opened: the name may point elsewhere by now.
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable(path, f"it is {_file_type(facts.st_mode)}, not a file", "not-a-file")
        if facts.st_size > limit:
            raise Unreadable(path, f"it is larger than {limit:,} bytes", "too-large")
        return _read_all(descriptor, facts.st_size, path, limit)
    finally:
        os.close(descriptor)


def _read_all(descriptor: int, size: int, path: str, limit: int) -> bytes:
    """Everything behind `descriptor`. `size` is what to expect: room for a whole limit, asked for
    each time, costs more than reading a small file."""
    chunks, total, at_end = [], 0, False
    while not at_end:
        asked = min(max(size - total, _PIECE), limit - total) + 1
        chunk = os.read(descriptor, asked)
        total += len(chunk)
        chunks += [chunk] if chunk else []  # joining one alone copies nothing
        if total > limit:
            raise Unreadable(path, f"it is larger than {limit:,} bytes", "too-large")
        at_end = not chunk or (len(chunk) < asked and total >= size)
    return b"".join(chunks)


def _check_directory(path: str, root: Path, checked: set[str] | None) -> None:
    parent = os.path.dirname(path)  # noqa: PTH120
    if checked is not None and parent in checked:
        return
    place, top = Path(parent).resolve(), root.resolve()
    if not place.is_relative_to(top) or _in_git(place.relative_to(top)):
        raise Unreadable(path, "it lies outside the project", "outside")
    if checked is not None:
        checked.add(parent)


def _link_target(path: str, root: Path) -> str:
    place, top = _resolve(Path(path)), root.resolve()
    if place is None or not place.is_relative_to(top) or _in_git(place.relative_to(top)):
        raise Unreadable(path, "it is a link that leaves the project", "outside")
    mode = os.lstat(place).st_mode
    if not stat.S_ISREG(mode):
        raise Unreadable(path, f"it is a link to {_file_type(mode)}, not to a file", "not-a-file")
    return str(place)


_TYPES = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFLNK: "a link",
}


def _file_type(mode: int) -> str:
    return _TYPES.get(stat.S_IFMT(mode), "something special")


def _resolve(path: Path) -> Path | None:
    """`path` with every link followed; None for what the system refuses (NUL, a loop)."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def _is_anchored(value: str, windows: bool = os.name == "nt") -> bool:
    """True for an absolute path; on Windows for a drive letter or a leading separator too."""
    if value.startswith("/"):
        return True
    return windows and (value.startswith("\\") or bool(_DRIVE.match(value)))


def _in_git(relative: Path) -> bool:
    return any(map(is_git_name, relative.parts))


def is_git_name(segment: str) -> bool:
    """True where some file system takes a path segment for `.git`."""
    return _folded(segment) in _GIT_NAMES


def _folded(segment: str) -> str:
    """A path segment as a case-insensitive or character-ignoring file system may see it."""
    kept = (char for char in segment if unicodedata.category(char) != "Cf")
    return "".join(kept).casefold().rstrip(". ")


def _skill_identity(text: str) -> tuple[str, str]:
    """Name and version as a SKILL.md's own frontmatter states them ("" where it does not)."""
    from ktw.frontmatter import parse, split  # 4 ms that finding a project need not wait for

    source = split(text.replace("\r\n", "\n").replace("\r", "\n")).source
    values = parse(source).values if source is not None else {}
    metadata = values.get("metadata")
    version = metadata.get("version", "") if isinstance(metadata, dict) else ""
    return str(values.get("name", "")), str(version)
