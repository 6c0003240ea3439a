"""Approving and rejecting where git is in the way: it says why, and the person's work is untouched.

Every case is tried for `ktw trust` and for a sitting of `ktw review`.
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from builders import Repo, Team, claimed, judged, memory_text
from ktw.errors import KtwError
from ktw.git import GitFailed, writing
from ktw.ledger import REF as LEDGER
from ktw.operations.approving import approve_all
from ktw.operations.candidate import candidate
from ktw.operations.deciding import carry_out
from ktw.operations.queue import Filters, queue
from spoken import RECALL_DATA, outside_frames, say, strings

NOW = datetime(2026, 1, 3, 4, 5, 6, tzinfo=UTC)
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
Sit = Callable[[Repo], object]


def by_trust(repo: Repo) -> object:
    return approve_all(repo.project, [candidate(repo.project, "snapshot")], NOW, True)


def by_review(repo: Repo) -> object:
    """Approve one memory and reject another."""
    return carry_out(
        repo.project,
        [candidate(repo.project, "snapshot")],
        [candidate(repo.project, "turned-down")],
        NOW,
    )


both = pytest.mark.parametrize("sit", [by_trust, by_review])


@pytest.fixture
def repo(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Two memories that wait, the policy `local`, and work of the person's in every state."""
    monkeypatch.setattr(writing, "_LOCK_PAUSE_S", 0.01)
    repo.policy("local")
    repo.write("context/turned-down.md", claimed(memory_text("Turned down", "Never mind.")))
    for name in ("staged.txt", "both.txt", "edited.txt"):
        repo.write(name, "old\n")
    repo.commit("work")
    for name in ("staged.txt", "both.txt", "added.txt"):
        repo.write(name, "staged\n")
    repo.git("add", "staged.txt", "both.txt", "added.txt")
    for name in ("both.txt", "edited.txt", "untracked.txt"):
        repo.write(name, "not staged\n")
    return repo


STAGED = "A  added.txt\nMM both.txt\n M edited.txt\nM  staged.txt\n?? untracked.txt"


def state(repo: Repo) -> tuple[object, ...]:
    """Everything that a sitting could touch: refs, index, files."""
    files = {
        path.relative_to(repo.root).as_posix(): path.read_bytes()
        for path in sorted(repo.root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(repo.root).parts
    }
    return (
        repo.git("for-each-ref"),
        repo.git("rev-parse", "HEAD"),
        repo.git("ls-files", "--stage"),
        repo.git("status", "--porcelain"),
        files,
    )


def hook(repo: Repo, name: str, body: str) -> None:
    repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{body}\n").chmod(0o755)


# --- refused ----------------------------------------------------------------------------------


def a_signature_without_a_key(repo: Repo) -> str:
    repo.setting("commit.gpgsign", "true")
    return "sign"


def an_ssh_signature_without_a_key(repo: Repo) -> str:
    repo.setting("commit.gpgsign", "true")
    repo.setting("gpg.format", "ssh")
    repo.setting("user.signingkey", str(repo.root / "none"))
    return "git commit"


def a_pre_commit_hook(repo: Repo) -> str:
    hook(repo, "pre-commit", "echo 'the linter says no' >&2; exit 1")
    return "the linter says no"


def a_commit_msg_hook(repo: Repo) -> str:
    hook(repo, "commit-msg", "echo 'no ticket in the subject' >&2; exit 1")
    return "no ticket"


def a_reference_hook(repo: Repo) -> str:
    hook(repo, "reference-transaction", 'test "$1" != prepared || exit 1')
    return "hook"


def a_stale_lock(repo: Repo) -> str:
    repo.write(".git/index.lock", "")
    return r"index\.lock"


def a_locked_branch(repo: Repo) -> str:
    repo.write(".git/refs/heads/main.lock", "")
    return r"main\.lock|cannot lock ref"


def a_locked_ledger(repo: Repo) -> str:
    by_trust(repo)
    repo.write(f".git/{LEDGER}.lock", "")
    repo.write("context/snapshot.md", memory_text(body="Other words."))
    return r"approvals|keeps changing"


@both
@pytest.mark.parametrize(
    "obstacle",
    [
        a_signature_without_a_key,
        an_ssh_signature_without_a_key,
        a_pre_commit_hook,
        a_commit_msg_hook,
        a_reference_hook,
        a_stale_lock,
        a_locked_branch,
        a_locked_ledger,
    ],
)
def test_case_19_20_what_git_refuses_leaves_everything_as_it_was(
    repo: Repo, sit: Sit, obstacle: Callable[[Repo], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GNUPGHOME", str(repo.root / ".git"))
    told = obstacle(repo)
    before = state(repo)
    with pytest.raises(GitFailed, match=told):
        sit(repo)
    assert state(repo) == before


HALF_DONE = ("rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")


@both
@pytest.mark.parametrize("name", [*HALF_DONE, "BISECT_LOG"])
def test_case_19_in_the_middle_of_something_nothing_is_recorded(
    repo: Repo, sit: Sit, name: str
) -> None:
    place = repo.root / ".git" / name
    place.mkdir() if name.startswith("rebase") else place.write_text(f"{'0' * 40}\n")
    files = {path: path.read_bytes() for path in (repo.root / "context").iterdir()}
    with pytest.raises(KtwError, match="is in progress here"):
        sit(repo)
    assert {path: path.read_bytes() for path in (repo.root / "context").iterdir()} == files
    assert repo.git("for-each-ref", LEDGER) == ""


@pytest.mark.skipif(not AS_ROOT, reason="needs to give files away")
@both
def test_case_30_in_a_repository_of_somebody_else_gits_reason_is_told(
    repo: Repo, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SUDO_UID", raising=False)
    for place in (repo.root, *repo.root.rglob("*")):
        os.chown(place, 12345, 12345, follow_symlinks=False)
    with pytest.raises(KtwError, match="dubious ownership"):
        sit(repo)
    assert "trusted_at" not in repo.read("context/snapshot.md")
    assert "dubious ownership" in say(repo.root, "status")
    assert {item.verdict.name for item in queue(repo.project, Filters())} <= {
        "unapproved",
        "unknown",
    }


# --- recorded ---------------------------------------------------------------------------------


def a_dirty_index(repo: Repo) -> None:
    """Nothing more than what the fixture staged."""


def a_detached_head(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--detach")


def a_hook_that_writes_the_message(repo: Repo) -> None:
    hook(repo, "prepare-commit-msg", 'echo "team message" > "$1"')


def a_hook_that_fails_afterwards(repo: Repo) -> None:
    hook(repo, "post-commit", "exit 1")


@both
@pytest.mark.parametrize(
    "way",
    [a_dirty_index, a_detached_head, a_hook_that_writes_the_message, a_hook_that_fails_afterwards],
)
def test_case_19_exactly_what_was_decided_is_committed(
    repo: Repo, sit: Sit, way: Callable[[Repo], None]
) -> None:
    way(repo)
    assert repo.git("status", "--porcelain") == STAGED
    sit(repo)
    assert judged(repo.root).method == "local"
    assert repo.git("status", "--porcelain") == STAGED
    committed = set(repo.git("show", "--name-only", "--format=", "HEAD").splitlines())
    rejected = {"context/revoked", "context/turned-down.md"} if sit is by_review else set()
    assert committed == {"context/snapshot.md"} | rejected


@both
def test_case_19_a_hook_that_rewrites_the_words_gets_no_approval_for_them(
    repo: Repo, sit: Sit
) -> None:
    hook(repo, "pre-commit", "echo slipped in >> context/snapshot.md; git add context/snapshot.md")
    sit(repo)
    assert judged(repo.root).name == "lapsed"


@both
def test_case_19_a_version_that_was_staged_is_as_it_was_where_git_refuses(
    repo: Repo, sit: Sit
) -> None:
    text = repo.read("context/snapshot.md")
    repo.write("context/snapshot.md", text.replace("waits", "staged"))
    repo.git("add", "context/snapshot.md")
    repo.write("context/snapshot.md", text.replace("waits", "edited"))
    a_pre_commit_hook(repo)
    before = state(repo)
    with pytest.raises(GitFailed):
        sit(repo)
    assert state(repo) == before
    (repo.root / ".git/hooks/pre-commit").unlink()
    sit(repo)
    assert judged(repo.root).approved and "edited" in repo.git("show", "HEAD:context/snapshot.md")


# --- what is read -----------------------------------------------------------------------------


def test_case_23_recall_after_a_switch_speaks_of_what_is_there(team: Team) -> None:
    work = team.work
    work.write("context/gone.md", claimed(memory_text("Release gone", "A release goes.")))
    work.write("context/stays.md", claimed(memory_text("Release stays", "A release stays.")))
    work.commit("two more")
    work.git("switch", "--quiet", "--create", "other")
    work.policy("local")
    approve_all(work.project, [candidate(work.project, n) for n in ("gone", "stays")], NOW)
    assert "A release goes." in outside_frames(say(work.root, "recall", "release"))
    work.git("switch", "--quiet", "--create", "third")
    work.git("rm", "--quiet", "context/gone.md")
    work.write("context/stays.md", memory_text("Release stays", "A release stays."))
    work.commit("less")
    told = strings(say(work.root, *RECALL_DATA))
    assert "A release goes." not in told
    assert "A release stays." in told and "A release stays." not in outside_frames(told)
    work.git("switch", "--quiet", "other")
    told = outside_frames(strings(say(work.root, *RECALL_DATA)))
    assert "A release goes." in told and "A release stays." in told


@pytest.mark.parametrize("command", [("trust", "snapshot"), ("review",)])
def test_case_34_with_the_null_device_as_input_it_is_refused(
    repo: Repo, command: tuple[str, ...]
) -> None:
    before = state(repo)
    assert "needs a person at a terminal" in say(repo.root, *command)
    assert state(repo) == before
