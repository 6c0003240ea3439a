"""The project on disk: find it, list and read its memory files; `ktw.atomic` writes them.

Follows only what `boundaries` allows and knows nothing of approval, ranking or git history.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ktw.atomic import Changed, hold_lock, replace, restyle, write_new
from ktw.boundaries import Unreadable, context_directory, read_regular
from ktw.config import CONFIG_FILE, Config, load_config
from ktw.errors import KtwError, UsageError, visible
from ktw.frontmatter import Problem
from ktw.git import GitFailed, Repository, find_repository, run
from ktw.memory import (
    MAX_FILE_BYTES,
    NOTES,
    MemoryFile,
    is_note,
    parse_memory,
)

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


class Project(NamedTuple):
    """A project root, its config and context directory, and the repository around it.

    `context` is the real directory; `context_name` and `prefix` are posix paths, below the root
    and of the root below git's toplevel ("" when they are the same).
    """

    root: Path
    config: Config
    context: Path
    context_name: str
    repository: Repository
    prefix: str

    @property
    def id(self) -> str:
        """The declared project id, "" in a project from before ids."""
        return self.config.value("id") or ""

    @property
    def location(self) -> str:
        """The root below git's toplevel as policy names it: "." for the toplevel."""
        return self.prefix or "."

    @property
    def notes(self) -> Path:
        """Where its local notes lie: one place for all work trees of the repository."""
        folder = hashlib.sha256(self.location.encode("utf-8", "surrogateescape")).hexdigest()[:12]
        return self.repository.common_dir / "ktw" / "notes" / folder

    def git_path(self, path: str) -> str:
        """A project path as git names it, from the toplevel."""
        return f"{self.prefix}/{path}" if self.prefix else path


class NoProject(KtwError):
    """No `.keep-the-why` between here and the top of the repository."""


def find_project(start: Path) -> Project:
    """The project around `start`, found by walking up as git does, never above the repository.

    Raises NoRepository, NoProject, OutOfBounds or Unreadable.
    """
    repository = find_repository(start)
    for directory in _up_to(start.resolve(), repository.toplevel):
        config = load_config(directory)
        if config is not None and config.block("config") is not None:
            return open_project(directory, config, repository)
        if config is not None and not config.legacy:
            raise UsageError(
                f"{visible(str(directory / CONFIG_FILE))} has no keep-the-why:config block",
                "Compare it with .keep-the-why.example, or see what is wrong: keep-the-why-lint",
            )
    raise NoProject(
        f"no {CONFIG_FILE} in {visible(str(start.resolve()))} or above it in this repository",
        "Set the project up with: ktw init",
    )


def open_project(root: Path, config: Config, repository: Repository) -> Project:
    """The project at `root`, its context directory checked; raises OutOfBounds."""
    context = context_directory(root, config.value("context") or "context")
    name = context.relative_to(root.resolve()).as_posix()
    prefix = root.resolve().relative_to(repository.toplevel.resolve()).as_posix()
    return Project(root, config, context, name, repository, "" if prefix == "." else prefix)


def _up_to(start: Path, toplevel: Path) -> Iterator[Path]:
    for directory in (start, *start.parents):
        yield directory
        if directory == toplevel:
            return


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
