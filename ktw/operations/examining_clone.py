"""Examine the clone as git and the file system know it: completeness, hooks, who may write what."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ktw.git.standing import Standing, git_version, standing
from ktw.operations.symptoms import Symptom, symptom
from ktw.origins import in_work_tree
from ktw.owner_key import owner_place, read_key
from ktw.policy import read_policy
from ktw.store import Project

OLDEST_GIT = (2, 30)


def examine_git() -> Iterator[Symptom]:
    """Whether this git is new enough."""
    version = git_version()
    told = ".".join(map(str, version)) or "of an unknown version"
    old = version < OLDEST_GIT
    todo = "Install git 2.30 or newer." if old else ""
    yield symptom("bad" if old else "ok", "git", f"git {told}", todo=todo)


def examine_clone(project: Project) -> Iterator[Symptom]:
    """What of the repository is not here, what is half done, and what a commit would run."""
    from ktw.git.writing import operation_in_progress

    found = standing(project.repository)
    yield _completeness(project, found)
    half_done = operation_in_progress(project.repository)
    if half_done:
        todo = "Finish or abort it: nothing is approved meanwhile."
        yield symptom("warn", "clone", f"{half_done} is in progress", todo=todo)
    yield _hooks(project, found)
    if found.signs_commits:
        yield symptom("ok", "hooks", "commits are signed (commit.gpgsign)")


def _completeness(project: Project, found: Standing) -> Symptom:
    if project.repository.is_shallow:
        todo = "git fetch --unshallow, for approvals under `merged` that rest on older commits"
        return symptom("warn", "clone", "shallow: older commits are not here", todo=todo)
    if found.is_partial:
        todo = "What git has not fetched it is not asked to fetch: verdicts may be `unknown`."
        return symptom("warn", "clone", "partial: some objects are not here", todo=todo)
    if found.is_sparse:
        todo = "git sparse-checkout list: the context directory has to be among them"
        return symptom("warn", "clone", "sparse: some files are not here", todo=todo)
    return symptom("ok", "clone", "complete")


def _hooks(project: Project, found: Standing) -> Symptom:
    names = ", ".join(found.hooks)
    if not names:
        return symptom("ok", "hooks", "no hook runs when an approval is committed")
    if in_work_tree(project.repository, found.hooks_place / found.hooks[0]):
        todo = "Whoever changes a file of the work tree decides what runs then: look at them."
        what = f"{names} of the work tree ({{}}) will run when an approval is committed"
        return symptom("warn", "hooks", what, str(found.hooks_place), todo=todo)
    return symptom("ok", "hooks", f"{names} will run when an approval is committed")


def examine_permissions(project: Project) -> Iterator[Symptom]:
    """Whether others may write what trust rests on; nothing on Windows, where modes tell little."""
    if os.name == "nt":
        return
    bad = [each for name, place in _places(project) if (each := _exposed(name, place)) is not None]
    yield from bad
    if not bad:
        yield symptom("ok", "permissions", "nobody else may write config, memories or home")
    key = owner_place("ktw.key")
    if key is not None and os.path.lexists(key) and read_key() is None:
        todo = "chmod 600 it if it is yours; else delete it and run ktw init again"
        yield symptom("bad", "permissions", "the key of ktw ({}) is not used", str(key), todo=todo)


def _places(project: Project) -> Iterator[tuple[str, Path]]:
    common = project.repository.common_dir
    yield "the git directory", common
    yield "its config", common / "config"
    yield "the project", project.root
    yield "its settings", project.root / project.config.path
    yield "the context directory", project.context
    signers = read_policy(project).signers.allowed
    if signers is not None:
        yield "the file of allowed signers", signers
    home = owner_place("")
    if home is not None:
        yield "your home", home.parent
        yield "ktw's place in your home", home


def _exposed(name: str, place: Path) -> Symptom | None:
    try:
        facts = place.stat()
    except OSError:
        return None
    path, todo = str(place), "chmod go-w on it, if that is not meant"
    if facts.st_uid not in (os.geteuid(), 0):
        what = f"{name} ({{}}) belongs to another user"
        return symptom("bad", "permissions", what, path, todo="Work in a clone of your own.")
    if facts.st_mode & stat.S_IWOTH and not facts.st_mode & stat.S_ISVTX:
        return symptom("bad", "permissions", f"everybody may write {name} ({{}})", path, todo=todo)
    if facts.st_mode & stat.S_IWGRP:
        what = f"a group may write {name} ({{}})"
        return symptom("warn", "permissions", what, path, todo=todo)
    return None
