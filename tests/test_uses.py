"""What merged commits say of memories: one counts once, and a revert takes it back."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import Repo, Team, make_id, make_repo
from ktw import uses
from ktw.git import GitFailed, Objects, find_repository
from ktw.git.gained import gained
from ktw.priors import EarnedBy

ID = make_id("Snapshot before buffer")
USED = f"Wait for it\n\nBecause of the rule.\n\nMemory-Used: {ID}\n"


def used(repo: Repo, tip: str = "refs/heads/main") -> EarnedBy:
    project = repo.project
    with Objects(project.repository) as objects:
        commit = objects.commit(tip)
        assert commit
        return uses.used(objects, commit, project.repository.git_dir / "ktw")


def count(repo: Repo, name: str = ID) -> int:
    found = used(repo)
    earned = found.get(name)
    (repo.root / ".git/ktw/uses.json").unlink(missing_ok=True)
    assert used(repo) == found, "the cache changed the answer"
    return len(earned.uses) if earned else 0


def commit(repo: Repo, message: str) -> str:
    repo.write("code.txt", f"{message}\n{os.urandom(4).hex()}\n")
    return repo.commit(message)


# --- what counts -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "names"),
    [
        (USED, (ID,)),
        (f"x\n\nmemory-used: {ID.upper()}  \nMemory-Used: sync-rule", (ID, "sync-rule")),
        (f"x\n\nMemory-Used: {ID}\nMemory-Used: {ID}", (ID,)),
        (f"x\n\n* {USED}\n---------\n\nCo-authored-by: Ada <ada@example.invalid>", (ID,)),
        (f"Memory-Used {ID}", ()),
        (f"x\n\n> Memory-Used: {ID}", ()),
        ("x\n\nMemory-Used: two words", ()),
        (f"x\n\nMemory-Used: {'a' * 201}", ()),
    ],
)
def test_a_trailer_stands_on_a_line_of_its_own(message: str, names: tuple[str, ...]) -> None:
    assert uses.told(message) == (names, ())


def test_a_message_of_a_megabyte_is_read_in_linear_time() -> None:
    for hostile in ("Memory-Used: a b\n", "Memory-Used:" + " ", "This reverts commit "):
        assert uses.told(hostile * (1_000_000 // len(hostile)))[1] == ()


def test_a_commit_counts_once_however_often_it_names_or_is_picked(repo: Repo) -> None:
    commit(repo, f"{USED}Memory-Used: {ID}\nMemory-Used: other\n")
    assert (count(repo), count(repo, "other")) == (1, 1)
    repo.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    repo.git("cherry-pick", "--allow-empty", "-x", "main")
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "-s", "ours", "-m", "merge", "side")
    assert count(repo) == 1
    commit(repo, USED.replace("Wait", "Await"))
    assert count(repo) == 2


def test_commits_of_a_merged_branch_count_and_others_do_not(repo: Repo) -> None:
    repo.git("checkout", "--quiet", "-b", "side")
    commit(repo, USED)
    repo.git("checkout", "--quiet", "main")
    assert count(repo) == 0
    repo.git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
    assert count(repo) == 1


# --- reverts -----------------------------------------------------------------------------------


def test_a_revert_takes_it_back_and_a_revert_of_that_gives_it_again(repo: Repo) -> None:
    commit(repo, USED)
    for expected in (0, 1, 0):
        repo.git("revert", "--no-edit", "HEAD")
        assert count(repo) == expected


def test_a_revert_of_a_merge_takes_back_what_the_merge_brought(repo: Repo) -> None:
    commit(repo, USED.replace("Wait", "First"))
    repo.git("checkout", "--quiet", "-b", "side")
    commit(repo, USED)
    commit(repo, USED.replace("Wait", "Again"))
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
    assert count(repo) == 3
    repo.git("revert", "--no-edit", "-m", "1", "HEAD")
    assert count(repo) == 1


def test_a_revert_that_is_not_merged_takes_nothing_back(repo: Repo) -> None:
    commit(repo, USED)
    repo.git("checkout", "--quiet", "-b", "side")
    repo.git("revert", "--no-edit", "HEAD")
    repo.git("checkout", "--quiet", "main")
    assert count(repo) == 1


def test_a_revert_of_nothing_here_is_no_matter(repo: Repo) -> None:
    commit(repo, USED)
    tree = repo.git("rev-parse", "HEAD^{tree}")
    for oid in ("0" * 40, tree, "a" * 39):
        commit(repo, f"Revert {oid}\n\nThis reverts commit {oid}.")
    assert count(repo) == 1


def test_a_commit_that_is_dated_ahead_hides_no_others(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repo, USED)
    commit(repo, "Later")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "4099999999 +0000")
    commit(repo, "From another century")
    assert count(repo) == 1


def test_a_merge_that_is_reverted_many_times_is_looked_at_once(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repo, USED)
    undone = repo.git("rev-parse", "HEAD")
    for at in range(3):
        commit(repo, f"Revert {at}\n\nThis reverts commit {undone}.")
    asked: list[str] = []
    real = uses._merged
    monkeypatch.setattr(uses, "_merged", lambda *a: asked.append(a[1]) or real(*a))
    assert used(repo) == {} and asked == [undone]


def test_of_very_many_uses_the_newest_are_kept(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(4):
        repo.git("commit", "--allow-empty", "--quiet", "-m", f"{at}\n\nMemory-Used: m{at}")
    monkeypatch.setattr(uses, "_MOST_TOLD", 3)
    assert len(used(repo)) == 3
    many = "\n".join(f"This reverts commit {at:040x}." for at in range(50))
    assert len(uses.told(many)[1]) == 10


# --- the cache ---------------------------------------------------------------------------------


def test_what_is_new_is_added_and_a_history_that_moved_is_read_anew(repo: Repo) -> None:
    commit(repo, USED)
    first = used(repo)
    commit(repo, USED.replace("Wait", "Await"))
    assert len(used(repo)[ID].uses) == 2
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    assert used(repo) == first
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    assert used(repo) == {}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema": 1}', b"\xff" * 100])
def test_a_damaged_cache_is_made_anew(repo: Repo, content: bytes) -> None:
    commit(repo, USED)
    found = used(repo)
    (repo.root / ".git/ktw/uses.json").write_bytes(content)
    assert used(repo) == found and len(found[ID].uses) == 1


def test_where_git_cannot_tell_nothing_is_earned_and_nothing_kept(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise GitFailed("git cat-file", "it died")

    tip = commit(repo, USED)
    monkeypatch.setattr("ktw.git.gained.gained", fails)
    assert used(repo) == {}
    monkeypatch.undo()
    assert used(repo, tip) != {}


def test_a_shallow_clone_counts_what_it_has(repo: Repo, tmp_path: Path) -> None:
    commit(repo, USED)
    commit(repo, USED.replace("Wait", "Await"))
    repo.git("clone", "--quiet", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    assert count(Repo(tmp_path / "shallow")) == 1


# --- the walk ----------------------------------------------------------------------------------


def test_the_walk_finds_what_git_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = make_repo(tmp_path / "walk")
    tips = [repo.commit("root")]
    for at in range(1, 25):  # a history with merges and wrong clocks, always the same
        moment = 1_700_000_000 + (at * 7919) % 50_000
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{moment} +0000")
        repo.git("checkout", "--quiet", "--detach", tips[(at * 5) % len(tips)])
        if at % 4 == 0:
            other = tips[(at * 11) % len(tips)]
            repo.git("merge", "--quiet", "--no-ff", "-s", "ours", "-m", f"merge {at}", other)
        else:
            repo.commit(f"change {at}")
        tips.append(repo.git("rev-parse", "HEAD"))
    with Objects(find_repository(repo.root)) as objects:
        for tip, since in zip(tips[3:], tips, strict=False):
            found = gained(objects, tip, since)
            wanted = set(repo.git("rev-list", f"{since}..{tip}").split())
            seen = {each.oid for each in found.commits}
            assert wanted <= seen <= set(repo.git("rev-list", tip).split())
            is_below = repo.git("merge-base", since, tip, check=False) == since
            assert found.continues == is_below


def test_times_come_from_the_commit_and_no_clock(repo: Repo) -> None:
    commit(repo, USED)
    assert used(repo)[ID].uses == (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),)


def test_the_team_counts_what_is_on_the_trust_ref(team: Team) -> None:
    commit(team.work, USED)
    assert used(team.work, "refs/remotes/origin/main") == {}
    team.push()
    assert len(used(team.work, "refs/remotes/origin/main")[ID].uses) == 1


@pytest.mark.parametrize("at", [10**12, 2**63 - 1, -(10**14)])
def test_a_cache_with_a_moment_that_is_none_is_made_anew(repo: Repo, at: int) -> None:
    tip = commit(repo, USED)
    cache = repo.root / ".git/ktw/uses.json"
    found = used(repo)
    use = [tip, at, "c", [ID], []]
    cache.write_text(json.dumps({"schema": 1, "tip": tip, "uses": [use]}))
    assert used(repo) == found
