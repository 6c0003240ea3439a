"""Find the project around a directory: its root, its config, its context directory.

Reads nothing but the config, and imports little: other work starts once this is known.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ktw.boundaries import context_directory
from ktw.config import CONFIG_FILE, Config, load_config
from ktw.errors import KtwError, UsageError, visible
from ktw.git import Repository, find_repository


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
        import hashlib

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
