"""Derived files: put there whole, told apart from what was cut or changed."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import Repo
from hook_scene import hook, recorded
from ktw.agents.call import EVENTS
from ktw.derived import is_linked, read_own, read_sealed, write_derived, write_sealed
from ktw.errors import KtwError
from ktw.hooks.log import tallies
from ktw.notes import Note, note_names, write_note
from ktw.warm_server import opened
from spoken import say


def test_a_file_and_its_directory_are_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "ktw" / "a"
    assert write_derived(path, b"one")
    assert write_derived(path, b"two")
    assert path.read_bytes() == b"two"
    assert [found.name for found in path.parent.iterdir()] == ["a"]


@pytest.mark.parametrize("name", ["file/a", "file/below/a", "directory"])
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "directory").mkdir()
    assert not write_derived(tmp_path / name, b"one")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["directory", "file"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=40), st.integers(0, 120), st.binary(min_size=1, max_size=3))
def test_a_sealed_file_is_whole_or_nothing(
    tmp_path: Path, data: bytes, at: int, other: bytes
) -> None:
    path = tmp_path / "a"
    assert write_sealed(path, data)
    assert read_sealed(path) == data
    sealed = path.read_bytes()
    for changed in (sealed[:at], sealed[:at] + other + sealed[at + len(other) :]):
        if changed != sealed:
            path.write_bytes(changed)
            assert read_sealed(path) is None


def test_what_is_missing_is_nothing(tmp_path: Path) -> None:
    assert read_sealed(tmp_path / "none") is None
    assert read_sealed(tmp_path) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    assert read_sealed(tmp_path / "a") is None
    assert read_own(tmp_path / "a") is None


# --- links that came with a repository ---------------------------------------------------------

LINKED = ["ktw", "ktw/hooks", "ktw/hooks/sessions", "ktw/notes", "ktw/index"]
AT = datetime(2026, 1, 3, 4, 5, 6, tzinfo=UTC)


def everything(directory: Path) -> dict[str, bytes | None]:
    """All files below a directory with what they hold, and the directories."""
    found = directory.rglob("*")
    return {str(each): each.read_bytes() if each.is_file() else None for each in found}


def use(repo: Repo) -> None:
    """All that keeps something in the git directory, each in its way; none of it has to succeed."""
    for event in EVENTS:
        hook(repo, event, recorded(repo, "claude-code", event), now=AT)
    for command in (
        *(("recall", "snapshot"), ("verify",), ("pin", "snapshot")),
        *(("remember", "Why", "--body", "So."), ("init", "--memory-used-hook")),
        ("uninstall", "--yes"),
    ):
        assert "bug in ktw" not in say(repo.root, *command)
    with suppress(KtwError):
        write_note(repo.project, Note("s", "claude-code", AT, "Went well", "It did."))
    with suppress(KtwError), opened(repo.project, {}):
        pass


@pytest.mark.skipif(os.name == "nt", reason="links")
@pytest.mark.parametrize("link", LINKED)
def test_no_link_below_the_git_directory_is_written_through(
    repo: Repo, tmp_path: Path, link: str
) -> None:
    repo.policy("local")
    use(repo)
    outside, place = tmp_path / "outside", repo.root / ".git" / link
    place.rename(outside)  # as it was, so that every name is one that ktw looks for
    for name in ("o-old", "m-first-1", "log", "store.lock", "log.rotating"):
        (outside / name).write_text("not ktw's")
    (outside / "old").mkdir(exist_ok=True)
    for each in (*outside.rglob("*"), outside):
        os.utime(each, (0, 0))
    before = everything(outside)
    place.symlink_to(outside)
    use(repo)
    assert hook(repo, "user-prompt", recorded(repo, "claude-code", "user-prompt", prompt_id="2"))
    assert everything(outside) == before and place.is_symlink()


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_what_a_link_leads_to_is_not_believed(repo: Repo, tmp_path: Path) -> None:
    repo.policy("local")
    use(repo)
    ours, outside = repo.root / ".git/ktw", tmp_path / "outside"
    kept = [each for each in ours.rglob("*") if each.is_file() and read_own(each)]
    assert {"log", "recap.json"} & {each.name for each in kept}
    assert tallies(ours.parent) and note_names(repo.project)
    ours.rename(outside)
    ours.symlink_to(outside)
    assert [each for each in kept if read_own(each) is not None] == []
    assert tallies(ours.parent) == {} and note_names(repo.project) == []


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_lock_that_is_a_link_is_not_taken(repo: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("not ktw's")
    lock = repo.root / ".git/ktw/store.lock"
    lock.parent.mkdir(exist_ok=True)
    lock.symlink_to(other)
    assert "cannot be written" in say(repo.root, "remember", "Why", "--body", "So.")
    index = repo.root / ".git/ktw/index"
    (index / "lock").unlink()
    (index / "lock").symlink_to(other)
    assert "link; the files were scanned" in say(repo.root, "recall", "snapshot")
    assert other.read_text() == "not ktw's"


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_links_of_the_users_own_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "ktw").symlink_to(tmp_path / "real")
    assert write_derived(tmp_path / "ktw" / "a", b"one")
    assert read_own(tmp_path / "ktw" / "a") == b"one"
    git_dir = tmp_path / "git"
    git_dir.symlink_to(tmp_path / "real")
    (git_dir / "HEAD").touch()
    assert write_derived(git_dir / "ktw" / "a", b"one") and not is_linked(git_dir / "ktw" / "a")
