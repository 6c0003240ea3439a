"""A policy counts where it was written; one that came with a directory does not."""

import os
import shutil
import stat
from pathlib import Path

import pytest

from builders import Repo, Team, add_project, judged, make_repo
from ktw.errors import KtwError
from ktw.operations.setup import initialise, plan_setup
from ktw.policy import read_policy, stated_policy
from ktw.store import find_project

KEY = ".keep-the-why/ktw.key"


def unpacked(team: Team, root: Path) -> Repo:
    """What an archive of a whole clone, its `.git` with it, leaves where somebody unpacks it."""
    shutil.copytree(team.work.root, root, symlinks=True)
    return Repo(root)


def says_elsewhere(repo: Repo) -> bool:
    verdict = judged(repo.root)
    found = read_policy(repo.project)
    assert (verdict.name == "unknown") is (found.policy is None)
    assert found.policy is not None or "clone it instead" in found.todo
    return "set up in another place" in found.why


def test_an_archive_with_its_own_git_directory_has_no_policy(team: Team, tmp_path: Path) -> None:
    assert judged(team.work.root).approved
    assert says_elsewhere(unpacked(team, tmp_path / "unpacked"))


def test_a_digest_from_another_machine_or_user_is_none(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "theirs"))
    assert says_elsewhere(team.work), "without a key there"
    make_repo(tmp_path / "another").bind()
    assert (tmp_path / "theirs" / KEY).is_file() and says_elsewhere(team.work), "with another one"


def test_a_clone_that_was_moved_is_set_up_again(team: Team, tmp_path: Path) -> None:
    team.work.root.rename(tmp_path / "team/moved")
    moved = Repo(tmp_path / "team/moved")
    assert says_elsewhere(moved)
    plan = plan_setup(moved.root)
    assert plan.policy.changes
    assert any("what stands here does not count" in reason for reason in plan.policy.reasons)
    initialise(plan, write_policy=True)
    assert judged(moved.root).approved
    assert not plan_setup(moved.root).policy.changes


def test_what_came_with_a_directory_is_not_taken_over(team: Team, tmp_path: Path) -> None:
    """Neither the names of other projects, nor methods, nor a trust ref of the maker's choice."""
    add_project(team.work, "vendor/", {}, "vendored")
    team.work.setting("ktw.project", "test .", "vendored vendor")
    team.work.setting("ktw.approval", "local")
    team.work.setting("ktw.trustRef", "refs/heads/evil")
    made = unpacked(team, tmp_path / "team/unpacked")
    assert stated_policy(made.project.repository)[1] == ()
    initialise(plan_setup(made.root), write_policy=True)
    policy = read_policy(made.project).policy
    assert policy is not None and policy.trust_ref == "refs/remotes/origin/main"
    assert policy.methods == ("merged", "local")
    assert read_policy(find_project(made.root / "vendor")).policy is None


def test_a_clone_that_is_used_from_two_places_keeps_both(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine and in a container that mounts the same directory."""
    home = os.environ["HOME"]
    (tmp_path / "container").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "container"))
    assert says_elsewhere(team.work)
    initialise(plan_setup(team.work.root), write_policy=True)
    assert judged(team.work.root).approved
    monkeypatch.setenv("HOME", home)
    assert judged(team.work.root).approved


def test_a_linked_worktree_belongs_to_its_clone(team: Team, tmp_path: Path) -> None:
    team.work.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    assert judged(tmp_path / "linked").approved
    (tmp_path / "way").symlink_to(team.work.root)
    assert judged(tmp_path / "way").approved


def test_the_key_is_the_users_alone(team: Team, empty_home: Path) -> None:
    key = empty_home / KEY
    assert stat.S_IMODE(key.stat().st_mode) == 0o600 and len(key.read_bytes()) == 32
    key.chmod(0o620)
    assert says_elsewhere(team.work)
    key.chmod(0o600)
    assert judged(team.work.root).approved
    key.write_bytes(b"short")
    assert says_elsewhere(team.work)
    with pytest.raises(KtwError, match="cannot be kept"):
        initialise(plan_setup(team.work.root), write_policy=True)
    key.unlink()
    os.mkfifo(key)
    assert says_elsewhere(team.work)


def test_without_a_usable_home_no_policy_is_written(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    before = team.work.read(".git/config")
    with pytest.raises(KtwError, match="cannot be kept") as failure:
        initialise(plan_setup(team.work.root), write_policy=True)
    assert "key" in failure.value.todo
    assert team.work.read(".git/config") == before


def test_a_digest_in_a_file_of_the_work_tree_is_refused(team: Team) -> None:
    digest = team.work.git("config", "ktw.bound")
    team.work.setting("ktw.bound")
    team.work.write("c.cfg", f"[ktw]\n\tbound = {digest}\n")
    team.work.setting("include.path", "../c.cfg")
    assert "work tree" in read_policy(team.work.project).faults[0]
