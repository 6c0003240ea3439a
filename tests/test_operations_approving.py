"""Approve and withdraw: exactly the shown words, recorded whole or not at all."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import ADA, Repo, Team, add_project, claimed, judged, make_repo, memory_text
from ktw.errors import KtwError, Refused, UsageError
from ktw.git import GitFailed, writing
from ktw.ledger import REF as LEDGER
from ktw.memory import parse_memory
from ktw.operations.approving import (
    Outcome,
    approve,
    check_possible,
    check_typed,
    refuse_without_person,
    stands_on_trust_branch,
)
from ktw.operations.candidate import Candidate, candidate
from ktw.operations.finding import NotFound
from ktw.operations.withdrawing import withdraw
from ktw.store import Changed, find_project

FILE = "context/snapshot.md"
NOW = datetime(2026, 1, 3, 4, 5, 6, tzinfo=UTC)
UPSTREAM = """# Layout

## Why one level

**Type:** decision
**Status:** active
**Evidence:** confirmed

One level is enough.

## Why no index

**Type:** decision
**Status:** active
**Evidence:** confirmed

Nobody read it.
"""


@pytest.fixture
def repo(repo: Repo) -> Repo:
    """A project with one unapproved memory and the policy `local`."""
    repo.policy("local")
    return repo


def chosen(repo: Repo, reference: str = "snapshot", below: str = "") -> Candidate:
    return candidate(find_project(repo.root / below), reference)


def trust(repo: Repo, reference: str = "snapshot", below: str = "", commit: bool = True) -> Outcome:
    project = find_project(repo.root / below)
    one = candidate(project, reference)
    return approve(project, one, one.key, NOW, commit)


def hook(repo: Repo, body: str) -> Path:
    place = repo.write(".git/hooks/pre-commit", f"#!/bin/sh\n{body}\n")
    place.chmod(0o755)
    return place


# --- approving --------------------------------------------------------------------------------


def test_approval_writes_claim_ledger_entry_and_one_commit(repo: Repo) -> None:
    before = chosen(repo)
    assert before.verdict.name == "unapproved"
    done = trust(repo)
    assert (done.verdict.name, done.verdict.method) == ("approved", "local")
    assert done.verdict.approval is not None and done.verdict.approval.by == ADA
    file = parse_memory(FILE, (repo.root / FILE).read_bytes())
    assert (file.trusted_at, file.trusted_by) == ("2026-01-03T04:05:06Z", ADA)
    assert file.content_hash == file.computed_hash == before.file.computed_hash
    assert repo.git("show", "--name-only", "--format=", "HEAD") == FILE
    message = repo.git("log", "-1", "--format=%B")
    assert f"Memory-Approved: {file.computed_hash}" in message
    assert repo.git("rev-list", "--count", LEDGER) == "1"
    assert repo.git("status", "--porcelain") == ""


def test_under_merged_alone_it_holds_once_it_is_merged(team: Team) -> None:
    team.work.policy("merged", ref="refs/remotes/origin/main")
    done = trust(team.work, "draft")
    assert done.verdict.name == "unconfirmed"
    assert "it counts for everyone once it is merged" in done.notes[0]
    assert team.work.git("for-each-ref", LEDGER) == ""
    team.push()
    assert judged(team.work.root, "draft.md").method == "merged"


def test_where_the_approver_stands(team: Team) -> None:
    assert stands_on_trust_branch(team.work.project)
    team.work.git("switch", "--quiet", "--create", "side")
    assert not stands_on_trust_branch(team.work.project)
    team.work.git("branch", "--quiet", "--set-upstream-to", "origin/main")
    assert stands_on_trust_branch(team.work.project)
    team.work.git("switch", "--quiet", "--detach")
    assert not stands_on_trust_branch(team.work.project)
    team.work.policy("local")
    assert not stands_on_trust_branch(team.work.project)


@pytest.mark.parametrize("typed", ["", " ", "00000", "abcdefg", "sha256"])
def test_other_digits_are_refused_and_nothing_is_written(repo: Repo, typed: str) -> None:
    before = (repo.root / FILE).read_bytes(), repo.git("rev-parse", "HEAD")
    one = chosen(repo)
    with pytest.raises(Refused, match="digits"):
        approve(repo.project, one, typed, NOW)
    assert ((repo.root / FILE).read_bytes(), repo.git("rev-parse", "HEAD")) == before
    check_typed(one, f"  {one.key.upper()} \n")


def test_words_that_changed_after_they_were_shown_are_not_approved(repo: Repo) -> None:
    one = chosen(repo)
    repo.write(FILE, repo.read(FILE).replace("full", "half"))
    with pytest.raises(Changed):
        approve(repo.project, one, one.key, NOW)
    assert "trusted_at" not in repo.read(FILE)
    assert repo.git("for-each-ref", LEDGER) == ""


def test_a_file_that_became_a_link_after_it_was_shown_is_not_written_through(
    repo: Repo, tmp_path: Path
) -> None:
    one = chosen(repo)
    outside = tmp_path / "outside.md"
    (repo.root / FILE).rename(outside)
    (repo.root / FILE).symlink_to(outside)
    with pytest.raises(Changed):
        approve(repo.project, one, one.key, NOW)
    assert "trusted_at" not in outside.read_text()


def test_lapsed_words_can_be_approved_anew_and_the_old_ones_stay_approved(repo: Repo) -> None:
    trust(repo)
    old = repo.read(FILE)
    repo.write(FILE, old.replace("a full", "the whole"))
    assert chosen(repo).verdict.name == "lapsed"
    assert trust(repo).verdict.approved
    repo.write(FILE, old)
    assert judged(repo.root).approved


def test_without_a_policy_there_is_no_approval(repo: Repo) -> None:
    repo.setting("ktw.approval")
    with pytest.raises(UsageError, match="policy"):
        trust(repo)


def test_revoked_words_are_not_approved_again(repo: Repo) -> None:
    repo.write("context/revoked", f"{chosen(repo).file.computed_hash} 2026-01-02 forged\n")
    with pytest.raises(Refused, match="revoked"):
        trust(repo)
    assert "trusted_at" not in repo.read(FILE)


def test_two_files_with_one_id_are_not_approved(repo: Repo) -> None:
    repo.write("context/copy.md", repo.read(FILE))
    with pytest.raises(KtwError, match="Id"):
        trust(repo)
    assert "trusted_at" not in repo.read(FILE)


def test_a_bad_field_is_named_with_its_line(repo: Repo) -> None:
    repo.write(FILE, repo.read(FILE).replace("origin: agent", "origin: Owner"))
    with pytest.raises(KtwError, match=r"snapshot\.md:2: .*origin"):
        trust(repo)


def test_what_cannot_be_parsed_is_not_found(repo: Repo) -> None:
    repo.write(FILE, repo.read(FILE).replace("kind: decision", "kind: a: b"))
    with pytest.raises(NotFound):
        chosen(repo)


@pytest.mark.parametrize("act", [trust, lambda repo: withdraw(repo.project, chosen(repo))])
@pytest.mark.parametrize("name", ["MERGE_HEAD", "rebase-merge", "CHERRY_PICK_HEAD"])
def test_nothing_is_recorded_while_something_is_half_done(
    repo: Repo, name: str, act: Callable[[Repo], Outcome]
) -> None:
    trust(repo)
    repo.write(f".git/{name}", "x")
    with pytest.raises(KtwError, match="in progress"):
        act(repo)
    assert repo.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("person", "agent", "allowed"),
    [(True, None, True), (False, None, False), (True, "codex", False), (False, "codex", False)],
)
def test_approval_is_an_act_of_a_person(person: bool, agent: str | None, allowed: bool) -> None:
    if allowed:
        refuse_without_person(person, agent)
        return
    with pytest.raises(Refused):
        refuse_without_person(person, agent)


# --- the file ---------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_style_and_body_are_kept_byte_by_byte(repo: Repo, before: bytes, line_end: str) -> None:
    text = repo.read(FILE).replace("kind: decision", "kind: decision  # why not") + "\n\n"
    repo.write(FILE, before + text.replace("\n", line_end).encode())
    old = (repo.root / FILE).read_bytes()
    assert trust(repo).verdict.approved
    new = (repo.root / FILE).read_bytes()
    assert new.startswith(before + b"---" + line_end.encode())
    assert b"kind: decision  # why not" in new
    assert new.partition(b"# Topic")[2] == old.partition(b"# Topic")[2]
    assert (b"\r\n" in new) is (line_end == "\r\n")


def test_an_upstream_file_without_frontmatter_is_adopted_as_imported(repo: Repo) -> None:
    repo.write("context/layout.md", UPSTREAM)
    repo.commit("upstream")
    one = chosen(repo, "layout#why-one-level")
    assert one.file.body == UPSTREAM
    done = trust(repo, "layout")
    assert done.verdict.approved
    file = parse_memory(done.path, (repo.root / done.path).read_bytes())
    assert (file.origin, file.body) == ("imported", UPSTREAM)
    assert f"Memory-Approved: {file.computed_hash}" in repo.git("log", "-1", "--format=%B")


def test_the_name_of_a_file_with_several_memories_is_enough(repo: Repo) -> None:
    repo.write("context/layout.md", UPSTREAM)
    for reference in ("layout", "layout.md", "context/layout.md", "layout#why-no-index"):
        assert chosen(repo, reference).file.path == "context/layout.md"


@pytest.mark.parametrize("name", ["none", "../outside", "README", "/etc/passwd", ""])
def test_what_is_no_memory_is_not_found(repo: Repo, name: str) -> None:
    with pytest.raises(NotFound):
        chosen(repo, name)


def test_an_untracked_file(repo: Repo) -> None:
    repo.write("context/new.md", memory_text("New"))
    assert trust(repo, "new").verdict.approved
    assert repo.git("show", "--name-only", "--format=", "HEAD") == "context/new.md"


def test_without_a_commit(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD")
    done = trust(repo, commit=False)
    assert (done.commit, done.verdict.name) == (None, "approved")
    assert repo.git("rev-parse", "HEAD") == head
    assert repo.git("status", "--porcelain") == f" M {FILE}"


def test_on_a_detached_head(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--detach")
    done = trust(repo)
    assert done.verdict.approved
    assert repo.git("rev-parse", "HEAD") == done.commit
    assert repo.git("rev-parse", "main") != done.commit


def test_on_an_unborn_branch(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "new")
    add_project(repo, "", {"snapshot.md": memory_text()})
    repo.policy("local")
    assert trust(repo).verdict.approved
    assert repo.git("ls-tree", "-r", "--name-only", "HEAD") == FILE


def test_a_project_below_the_top_of_its_repository(repo: Repo) -> None:
    add_project(repo, "sub/", {"snapshot.md": memory_text("Inner")}, "inner")
    repo.commit("inner")
    repo.policy("local", project="inner sub")
    assert trust(repo, below="sub").verdict.approved
    assert repo.git("show", "--name-only", "--format=", "HEAD") == f"sub/{FILE}"


def test_in_a_linked_worktree(repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    repo.git("worktree", "add", "--quiet", str(other.root))
    assert trust(other).verdict.approved
    assert "trusted_at" not in repo.read(FILE)
    assert repo.git("log", "-1", "--format=%s", "main") == "project"


# --- where git refuses ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["snapshot", "new"])
def test_case_19_a_hook_that_rejects_leaves_no_trace(repo: Repo, name: str) -> None:
    repo.write("context/new.md", memory_text("New"))
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    before = (repo.root / f"context/{name}.md").read_bytes()
    status = repo.git("status", "--porcelain")
    refusing = hook(repo, "echo 'the linter says no' >&2; exit 1")
    with pytest.raises(GitFailed, match="the linter says no"):
        trust(repo, name)
    assert (repo.root / f"context/{name}.md").read_bytes() == before
    assert repo.git("status", "--porcelain") == status
    assert repo.git("for-each-ref", LEDGER) == ""
    refusing.unlink()
    repo.git("commit", "--quiet", "-m", "next")
    assert repo.git("show", "--name-only", "--format=", "HEAD") == "staged.txt"
    assert trust(repo, name).verdict.approved


def test_case_19_staged_files_stay_staged_and_unmixed(repo: Repo) -> None:
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    assert trust(repo).verdict.approved
    assert repo.git("show", "--name-only", "--format=", "HEAD") == FILE
    assert repo.git("status", "--porcelain") == "A  staged.txt"


def test_case_19_a_signature_without_a_key(
    repo: Repo, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GNUPGHOME", str(empty_home))
    repo.setting("commit.gpgsign", "true")
    before = (repo.root / FILE).read_bytes()
    with pytest.raises(GitFailed, match="sign"):
        trust(repo)
    assert (repo.root / FILE).read_bytes() == before
    assert repo.git("status", "--porcelain") == ""


def test_a_hook_that_changes_the_file_is_named_and_its_work_kept(repo: Repo) -> None:
    hook(repo, f"echo 'added by a formatter' >> {FILE}; echo reformatted; exit 1")
    with pytest.raises(GitFailed, match="reformatted") as failure:
        trust(repo)
    assert "changed" in failure.value.todo
    assert repo.read(FILE).endswith("added by a formatter\n")
    assert judged(repo.root).name == "lapsed"


def test_a_hook_that_slips_other_words_into_the_commit_gets_them_no_approval(repo: Repo) -> None:
    hook(repo, f"echo 'slipped in' >> {FILE}; git add {FILE}")
    assert trust(repo).verdict.name == "lapsed"


def test_a_stale_lock_puts_the_file_back(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_LOCK_PAUSE_S", 0.01)
    before = (repo.root / FILE).read_bytes()
    repo.write(".git/index.lock", "")
    with pytest.raises(GitFailed, match=r"index\.lock"):
        trust(repo)
    assert (repo.root / FILE).read_bytes() == before


def test_an_interruption_puts_the_file_back(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "commit_paths", interrupted)
    before = (repo.root / FILE).read_bytes()
    with pytest.raises(KeyboardInterrupt):
        trust(repo)
    assert (repo.root / FILE).read_bytes() == before


def test_nobody_is_no_approver(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    repo.setting("user.useConfigOnly", "true")
    with pytest.raises(KtwError, match="who you are"):
        trust(repo)
    assert "trusted_at" not in repo.read(FILE)


# --- withdrawing ------------------------------------------------------------------------------


def test_withdrawing_takes_the_claim_out_of_file_and_ledger(repo: Repo) -> None:
    trust(repo)
    approved = repo.read(FILE)
    done = withdraw(repo.project, chosen(repo))
    assert done.verdict.name == "unapproved"
    assert "trusted" not in repo.read(FILE)
    assert repo.git("show", "--name-only", "--format=%s", "HEAD").splitlines()[-1] == FILE
    assert "Memory-Approved" not in repo.git("log", "-1", "--format=%B")
    repo.write(FILE, approved)
    assert judged(repo.root).name == "unconfirmed"


def test_withdrawing_a_forged_claim(repo: Repo) -> None:
    repo.write(FILE, claimed(memory_text()))
    assert withdraw(repo.project, chosen(repo)).verdict.name == "unapproved"
    assert repo.git("for-each-ref", LEDGER) == ""


def test_where_nothing_is_claimed_there_is_nothing_to_withdraw(repo: Repo) -> None:
    with pytest.raises(Refused, match="claims no approval"):
        withdraw(repo.project, chosen(repo))


def test_withdrawing_puts_the_file_back_where_the_commit_fails(repo: Repo) -> None:
    trust(repo)
    hook(repo, "exit 1")
    before = (repo.root / FILE).read_bytes()
    with pytest.raises(GitFailed):
        withdraw(repo.project, chosen(repo))
    assert (repo.root / FILE).read_bytes() == before
    assert judged(repo.root).approved


def test_what_is_possible_is_said_before_anything_is_shown(repo: Repo) -> None:
    check_possible(repo.project, chosen(repo))
