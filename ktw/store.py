"""The files of a project on disk: list and read them; `ktw.atomic` writes them.

Follows only what `boundaries` allows and knows nothing of approval, ranking or git history.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ktw.atomic import Changed, hold_lock, replace, restyle, write_new
from ktw.boundaries import Unreadable, read_regular
from ktw.errors import visible
from ktw.frontmatter import Problem
from ktw.git import GitFailed, Repository, run
from ktw.memory import (
    MAX_FILE_BYTES,
    NOTES,
    MemoryFile,
    is_note,
    parse_memory,
)
from ktw.project import NoProject, Project, find_project, open_project

__all__ = [
    "Changed",
    "NoProject",
    "Project",
    "find_project",
    "kept_in_git",
    "name_of",
    "open_project",
    "path_of",
    "read_bytes",
    "read_memory",
    "replace",
    "restyle",
    "sparse_advice",
    "unreadable_memory",
    "write_new",
]

_PATIENCE_S = 20.0


@contextmanager
def writing(project: Project) -> Iterator[None]:
    """Keep other writers of this work tree out; raises Busy where one does not finish."""
    with hold_lock(project.repository.git_dir / "ktw" / "store.lock", _PATIENCE_S):
        yield


# --- reading ---------------------------------------------------------------------------------


def kept_in_git(repository: Repository, paths: Sequence[str]) -> dict[str, bool]:
    """The files at or below these git paths in git's index or HEAD; True for one left out on
    purpose (sparse checkout). Raises GitFailed."""
    asked = ["ls-files", "-t", "-z"]
    literal = ["--", *(f":(literal){path}" for path in paths)]
    try:
        out = run(repository, *asked, "--with-tree=HEAD", *literal)
    except GitFailed:
        out = run(repository, *asked, *literal)  # an unborn branch has no HEAD
    rows = out.decode("utf-8", "surrogateescape").split("\0")[:-1]
    return {row[2:]: row.startswith("S") for row in reversed(rows)}


def sparse_advice(path: str) -> str:
    """What brings a git path into a sparse work tree."""
    return f"Bring it in with: git sparse-checkout add {visible(path)} (at the repository's top)"


def read_bytes(project: Project, name: str, checked: set[str] | None = None) -> bytes:
    """The bytes of one file of the context directory, or of a local note; raises Unreadable."""
    place = project.context
    if is_note(name):
        place, name = project.notes, name.removeprefix(NOTES)
    return read_regular(f"{place}{os.sep}{name}", place, MAX_FILE_BYTES, checked)


def read_memory(project: Project, name: str, checked: set[str] | None = None) -> MemoryFile:
    """One memory file; what cannot be read is a problem in it, never an exception."""
    path = path_of(project, name)
    try:
        return parse_memory(path, read_bytes(project, name, checked))
    except Unreadable as error:
        return unreadable_memory(path, error)


def unreadable_memory(path: str, error: Unreadable) -> MemoryFile:
    """What stands for a file that was not read: nothing but the reason."""
    kind = "too-large" if error.kind == "too-large" else "not-a-file"
    return parse_memory(path, b"").with_problem(Problem(kind, 1, error.why))


def path_of(project: Project, name: str) -> str:
    """The path that a memory file of that name goes by; a note's name is its path."""
    return name if is_note(name) else f"{project.context_name}/{name}"


def name_of(project: Project, path: str) -> str:
    """The file name below the context directory that a project path stands for."""
    return path.removeprefix(f"{project.context_name}/")
