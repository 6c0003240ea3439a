"""What stands in the context directory: its memory files with what a look at each tells, and what
is none but looks like one.

Opens no file and follows a link only to see what is at its end.
"""

import os
import stat
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ktw.errors import KtwError, visible
from ktw.frontmatter import Problem
from ktw.git import GitFailed
from ktw.memory import NOT_MEMORIES
from ktw.scout import (
    IS_BY_DESCRIPTOR,
    SECOND_HALF,
    STATS,
    Names,
    Scout,
    has_many,
    kept,
    look_at,
    look_in,
    middle,
    sorted_out,
)
from ktw.store import Project, kept_in_git, sparse_advice

INODE = 2**63 - 1  # the bits of an inode number that fit a signed column
_NOT_MEMORIES = frozenset(name.casefold() for name in NOT_MEMORIES)
_LONGEST = max(map(len, _NOT_MEMORIES))  # folding makes no name shorter
_NESTED = Problem("nested", 1, "a directory inside the context directory is not read")
_Look = Callable[..., os.stat_result]  # a name, and whether to follow links


class FileStat(NamedTuple):
    """A memory file seen by a directory scan: enough to know that it has not changed."""

    name: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class FileStats(NamedTuple):
    """The memory files that a scan found: their names, sorted, and STATS numbers of each."""

    names: list[str]
    stats: "array[int]"

    def joined(self, others: Sequence[FileStat]) -> "FileStats":
        """With files whose names, sorted, have a beginning in common that none here has."""
        at = bisect_left(self.names, others[0].name)
        more = array("q", chain.from_iterable(each[1:] for each in others))
        names = [*self.names[:at], *(each.name for each in others), *self.names[at:]]
        return FileStats(names, self.stats[: STATS * at] + more + self.stats[STATS * at :])

    def stat(self, at: int) -> FileStat:
        """What was seen of the file at a position."""
        return FileStat(self.names[at], *self.stats[STATS * at : STATS * (at + 1)])


class Located(NamedTuple):
    """Something wrong with a file, with the file's project path."""

    path: str
    problem: Problem


Scan = tuple[FileStats, list[Located]]


def scan(project: Project, scout: Scout | None = None) -> Scan:
    """The memory files of the context directory, and what is none but looks it, sorted by name.

    `scout`: looks at half of many files. Raises KtwError where the directory is missing, with the
    likely reason.
    """
    directory = str(project.context)
    shared = scout if scout is not None and has_many(directory) else None
    if shared is not None:
        shared.send(directory, SECOND_HALF)
    with _context(project, scout.names if scout else Names()) as (names, others, look):
        seen = look_at(look, names) if shared is None else _shared_look(shared, look, names)
        return _told(project, look, names, others, seen)


def scanned_by(scout: Scout, project: Project) -> Scan:
    """What `scan` gives, as a scout that was sent to look at the WHOLE directory saw it."""
    answer = scout.seen()
    if answer is None:
        return scan(project)
    return _told(project, partial(_look_by_path, project.context), *answer)


def _shared_look(scout: Scout, look: _Look, names: list[str]) -> "array[int] | None":
    half = middle(names)
    mine, answer = look_at(look, names[:half]), scout.seen()
    if mine is None or answer is None or answer[0] != names[half:]:
        return look_at(look, names)
    return mine + answer[2]


def _told(
    project: Project,
    look: _Look,
    names: list[str],
    others: list[str],
    seen: "array[int] | None",
) -> Scan:
    """What was seen of Markdown files, told of those that are memories."""
    names, seen = _without_pages(names, seen)
    files, problems = _looked_at(look, names) if seen is None else (FileStats(names, seen), {})
    problems |= {name: _NESTED for name in others if _is_nested(look, name)}
    located = (Located(f"{project.context_name}/{name}", problems[name]) for name in problems)
    return files, sorted(located, key=lambda one: one.path)


def _without_pages(
    names: list[str], seen: "array[int] | None"
) -> tuple[list[str], "array[int] | None"]:
    """Without the files that no memory may be called as."""
    pages = [name for name in names if len(name) <= _LONGEST and _is_page(name)]
    names, seen = names.copy(), None if seen is None else seen[:]
    for at in reversed([bisect_left(names, page) for page in pages]):
        del names[at]
        if seen is not None:
            del seen[STATS * at : STATS * (at + 1)]
    return names, seen


def _is_page(name: str) -> bool:
    return name.casefold() in _NOT_MEMORIES


def _looked_at(look: _Look, names: list[str]) -> tuple[FileStats, dict[str, Problem]]:
    """What is kept of each file, looked at one by one, and what is to be said of those that are
    none."""
    seen = {name: _look_at(look, name) for name in names}
    kept = {name: one for name, one in seen.items() if not isinstance(one, Problem)}
    problems = {name: one for name, one in seen.items() if isinstance(one, Problem)}
    return FileStats(list(kept), array("q", chain.from_iterable(kept.values()))), problems


def memory_names(project: Project) -> list[str]:
    """The names of the files that `scan` finds, without a look at each; raises as it does."""
    with _listing(project), os.scandir(project.context) as rows:
        named = [row for row in rows if is_memory_name(row.name)]
        return sorted(row.name for row in named if not row.is_symlink() or _leads_on(row))


def _leads_on(row: "os.DirEntry[str]") -> bool:
    try:
        row.stat()
    except OSError:
        return False
    return True


@contextmanager
def _context(project: Project, known: Names) -> Iterator[tuple[list[str], list[str], _Look]]:
    """The names in the context directory that Markdown files may have, sorted, and the others; and
    how to look at one. Raises KtwError."""
    with _listing(project):
        if not IS_BY_DESCRIPTOR:
            with os.scandir(project.context) as rows:
                found = {row.name: row for row in rows}
            yield *sorted_out(list(found)), partial(_look_at_row, found)
            return
        descriptor = os.open(project.context, os.O_RDONLY)
        try:
            yield *known.listed(descriptor), look_in(descriptor)
        finally:
            os.close(descriptor)


def _look_at_row(
    rows: Mapping[str, "os.DirEntry[str]"], name: str, follow_symlinks: bool = False
) -> os.stat_result:
    return rows[name].stat(follow_symlinks=follow_symlinks)


def _look_by_path(directory: Path, name: str, follow_symlinks: bool = False) -> os.stat_result:
    return (directory / name).stat(follow_symlinks=follow_symlinks)


@contextmanager
def _listing(project: Project) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise _no_context(project) from error
    except OSError as error:
        raise KtwError(
            f"{visible(str(project.context))} cannot be listed: {error.strerror}",
            "Check the directory's permissions.",
        ) from error


def is_memory_name(name: str) -> bool:
    """True for a file name of the context directory that a memory may have."""
    return name.endswith(".md") and not name.startswith(".") and not _is_page(name)


def _is_nested(look: _Look, name: str) -> bool:
    """Whether a directory that is no memory's, and is not hidden either, has that name."""
    if name.startswith("."):
        return False
    try:
        return stat.S_ISDIR(look(name).st_mode)
    except OSError:  # gone meanwhile
        return False


def _look_at(look: _Look, name: str) -> tuple[int, int, int, int] | Problem:
    """What is kept of one file: of what is at its end, where it is a link."""
    try:
        facts = look(name)
        if stat.S_ISLNK(facts.st_mode):
            facts = look(name, follow_symlinks=True)
    except OSError:
        return Problem("not-a-file", 1, "a link that leads nowhere")
    size, changed, touched, inode = kept(facts)
    return size, changed, touched, inode & INODE


def _no_context(project: Project) -> KtwError:
    where = visible(project.context_name)
    path = project.git_path(project.context_name)
    try:
        sparse = any(kept_in_git(project.repository, [path]).values())
    except GitFailed:
        sparse = False
    if sparse:
        return KtwError(
            f"the context directory {where}/ is not in this work tree (sparse checkout)",
            sparse_advice(path),
        )
    return KtwError(
        f"the context directory {where}/ does not exist",
        f"Create it with: ktw init, or correct `context` in {project.config.path}",
    )
