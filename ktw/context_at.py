"""Where a project kept its memories at some commit, by the config that this commit itself holds."""

import posixpath

from ktw.boundaries import plain_value
from ktw.config import CONFIG_FILE, LEGACY_FILE, parse_config
from ktw.git import Objects
from ktw.store import Project


def context_at(objects: Objects, project: Project, commit: str) -> str | None:
    """The context directory of the project in a commit, one link followed; None without a config.

    Raises GitFailed.
    """
    for name in (CONFIG_FILE, LEGACY_FILE):
        data = objects.file(commit, project.git_path(name))
        config = parse_config((data or b"").decode("utf-8", "replace"), name)
        if config.block("config"):
            value = plain_value(config.value("context") or "context")
            return _followed(objects, project, commit, posixpath.normpath(value))
    return None


def _followed(objects: Objects, project: Project, commit: str, path: str) -> str:
    directory, _, name = project.git_path(path).rpartition("/")
    entry = (objects.directory(commit, directory) or {}).get(name)
    if entry is None or not entry.is_link:
        return path
    target = objects.blob(entry.oid).decode("utf-8", "surrogateescape")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
