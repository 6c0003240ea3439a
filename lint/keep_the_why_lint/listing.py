"""What stands in the context directory, at any depth: names and kinds. It opens no file."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from keep_the_why_lint.project import Listed, Unread
from ktw.boundaries import is_git_name

MAX_LISTED = 100_000
MAX_DEPTH = 32

Kind = Literal["file", "directory", "link", "special"]


def list_directory(context: Path, name: str, root: Path) -> tuple[list[Listed], list[Unread]]:
    """Everything below `context`, which findings call `name`, sorted; and what was not listed.

    Links are not followed, and git's own directories are not entered.
    """
    found: list[Listed] = []
    unread: list[Unread] = []
    waiting = [(os.fspath(context), name, 0)]
    while waiting:
        place, path, depth = waiting.pop()
        if depth > MAX_DEPTH or len(found) > MAX_LISTED:
            limit = f"{MAX_LISTED:,} names or {MAX_DEPTH} directories deep"
            unread.append(Unread(path, "refused", f"the context directory is over {limit}"))
            continue
        try:
            rows = list(_rows(place, path, context, root))
        except OSError as error:
            unread.append(Unread(path, "refused", error.strerror or "it cannot be listed"))
            continue
        found += rows
        for row in rows:
            if row.kind != "directory":
                continue
            if is_git_name(row.name):
                unread.append(Unread(row.path, "unchecked", "it is a directory of git's own"))
            else:
                waiting.append((os.path.join(place, row.name), row.path, depth + 1))  # noqa: PTH118
    return sorted(found, key=lambda row: row.path), unread


def _rows(place: str, path: str, context: Path, root: Path) -> Iterator[Listed]:
    home = Path(os.path.realpath(context))
    with os.scandir(place) as rows:
        for row in rows:
            try:
                facts = row.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # it went away since the directory was read
            kind = _kind(facts.st_mode)
            if kind == "link":
                yield _link(row.path, f"{path}/{row.name}", home, root)
            else:
                links = facts.st_nlink if kind == "file" else 1
                yield Listed(f"{path}/{row.name}", kind, links)


def _link(place: str, path: str, home: Path, root: Path) -> Listed:
    end = Path(os.path.realpath(place))
    target = end.relative_to(root).as_posix() if end.is_relative_to(root) else ""
    return Listed(path, "link", 1, target, bool(target) and not end.is_relative_to(home))


def _kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "link" if stat.S_ISLNK(mode) else "special"
