"""Every test runs with an empty home and no git of the person's: it can touch nobody's files."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from builders import (
    Repo,
    Team,
    copy_team,
    git_environment,
    make_project,
    make_team,
    memory_text,
)
from ktw.agents import AGENTS
from ktw.git.repository import executable
from lint_builders import build_good

# How long an example takes depends on what else the machine does: no test fails for that.
settings.register_profile("ktw", deadline=None)
settings.load_profile("ktw")


@pytest.fixture(autouse=True)
def empty_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """HOME, git's global config and the agents' variables point nowhere."""
    home = tmp_path_factory.mktemp("home")
    (home / ".gitconfig").write_text("", encoding="utf-8")
    for name in list(os.environ):
        if name.startswith(("GIT_", "KTW_")) and name not in ("GIT_SSL_CAINFO", *_OURS):
            monkeypatch.delenv(name)
    for variable in ("AI_AGENT", *(v for agent in AGENTS.values() for v in agent.variables)):
        monkeypatch.delenv(variable, raising=False)
    for name, value in git_environment(home).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("NO_COLOR", "1")
    return home


_OURS = ("KTW_UPSTREAM_LINT", "KTW_SKILLMEM")


@pytest.fixture
def team(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    templates: dict[str, Path],
    empty_home: Path,
) -> Team:
    """A project with a remote and a policy: a copy of one that is built once a run."""
    if "team" not in templates:
        templates["team"] = tmp_path_factory.mktemp("template") / "team"
        make_team(templates["team"])
    return copy_team(templates["team"], tmp_path / "team")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A project that the linter finds nothing in, in the format's own form, without provenance."""
    return build_good("upstream", tmp_path / "project")


@pytest.fixture
def proven(tmp_path: Path) -> Path:
    """The like, its files with provenance."""
    return build_good("provenance", tmp_path / "project")


@pytest.fixture(scope="session")
def templates() -> dict[str, Path]:
    """Costly repositories, by name, that tests copy."""
    return {}


@pytest.fixture
def repo(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    templates: dict[str, Path],
    empty_home: Path,
) -> Repo:
    """A committed project with one unapproved memory, `snapshot.md`; a copy like `team`."""
    if "repo" not in templates:
        templates["repo"] = tmp_path_factory.mktemp("template") / "repo"
        make_project(templates["repo"], {"snapshot.md": memory_text()})
    shutil.copytree(templates["repo"], tmp_path / "repo", symlinks=True)
    return Repo(tmp_path / "repo")


@pytest.fixture
def counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[], object]], int]:
    """Count the git processes that a call starts, through a `git` that is first on the PATH."""
    real, log = shutil.which("git"), tmp_path / "git.log"
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\necho "$*" >> "{log}"\nexec "{real}" "$@"\n')
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)

    def count(call: Callable[[], object]) -> int:
        log.write_text("")
        with monkeypatch.context() as patch:
            patch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
            executable.cache_clear()
            call()
        executable.cache_clear()
        return len(log.read_text().splitlines())

    return count
