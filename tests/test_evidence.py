"""The verdict table in real repositories: remotes, branches, merges, ledgers, odd clones."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from builders import (
    ADA,
    Repo,
    Team,
    add_project,
    claimed,
    judged,
    make_clone,
    make_project,
    make_repo,
    memory_text,
)
from ktw import ledger
from ktw.errors import KtwError
from ktw.evidence import Evidence, shared
from ktw.git import GitFailed, Objects
from ktw.git.refs import write_files
from ktw.ledger import Subject
from ktw.memory import edit_memory, parse_memory
from ktw.operations.state import verify
from ktw.policy import read_policy
from ktw.scan import scan
from ktw.store import find_project, read_bytes
from ktw.trust import Approval

FILE = "context/snapshot.md"
REF = "refs/remotes/origin/main"
NEW_WORDS = "The sync step waits for two snapshots."
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def computed(repo: Repo, path: str = FILE) -> str:
    return parse_memory(path, (repo.root / path).read_bytes()).computed_hash


def revoke_line(repo: Repo, path: str = FILE) -> str:
    return f"{computed(repo, path)} 2026-02-03 the source was forged\n"


def record(repo: Repo, **changes: object) -> None:
    """Put an approval of snapshot.md into the ledger, some of what it binds changed."""
    bound = {"project": "test", "path": FILE, "content_hash": computed(repo)}
    file = parse_memory(FILE, (repo.root / FILE).read_bytes())
    subject = Subject(**(bound | {"ids": file.ids} | changes))  # type: ignore[arg-type]
    files = ledger.ledger_files([subject], Approval(ADA, "2026-01-03T04:05:06Z"))
    write_files(repo.project.repository, ledger.REF, files, "Approve")


@pytest.fixture
def lonely(tmp_path: Path) -> Repo:
    """A project without a remote, policy `local`, with a claim that nothing backs."""
    repo = make_project(tmp_path / "lonely", {"snapshot.md": claimed(memory_text())})
    repo.policy("local")
    return repo


# --- policy ----------------------------------------------------------------------------------


def test_merged_on_the_trust_ref_is_approved_and_git_says_by_whom(team: Team) -> None:
    verdict = judged(team.work.root)
    assert (verdict.name, verdict.method) == ("approved", "merged")
    assert verdict.reasons == ("merged: on origin/main",)
    assert verdict.approval is not None and verdict.approval.by == ADA


def test_what_makes_no_claim_is_unapproved_even_when_merged(team: Team) -> None:
    assert judged(team.work.root, "draft.md").name == "unapproved"


def test_a_clone_without_policy_approves_nothing(team: Team, tmp_path: Path) -> None:
    clone = make_clone(team.hub, tmp_path / "clone")
    verdict = judged(clone.root)
    assert verdict.name == "unknown"
    assert "ktw init" in verdict.reasons[0]
    assert judged(clone.root, "draft.md").name == "unapproved"


@pytest.mark.parametrize("named", ["other .", "test sub", "test", ""])
def test_a_policy_that_names_another_project_approves_nothing(team: Team, named: str) -> None:
    team.work.setting("ktw.project", named)
    assert judged(team.work.root).name == "unknown"


@pytest.mark.parametrize("ref", ["origin/main", "main", "HEAD", "refs/remotes/origin/main@{1}"])
def test_a_trust_ref_that_is_no_full_name_is_an_error_not_an_approval(team: Team, ref: str) -> None:
    team.work.setting("ktw.trustRef", ref)
    verdict = judged(team.work.root)
    assert verdict.name == "unknown"
    assert "full ref name" in verdict.reasons[0]


def test_the_claim_of_a_person_in_the_file_is_not_who_approved(team: Team) -> None:
    text = claimed(memory_text(), by="The Boss <boss@example.invalid>")
    team.work.write(FILE, text)
    team.work.commit("claim")
    team.push()
    verdict = judged(team.work.root)
    assert verdict.approval is not None and verdict.approval.by == ADA


# --- the rows before any method -------------------------------------------------------------


def test_revoked_in_the_working_tree(team: Team) -> None:
    team.work.write("context/revoked", revoke_line(team.work))
    assert judged(team.work.root).name == "revoked"


def test_revoked_words_are_revoked_without_a_claim_too(team: Team) -> None:
    team.work.write("context/revoked", revoke_line(team.work, "context/draft.md"))
    assert judged(team.work.root, "draft.md").name == "revoked"


def test_revoked_on_the_trust_ref_holds_on_every_branch(team: Team) -> None:
    team.work.git("switch", "--quiet", "--create", "old")
    team.work.git("switch", "--quiet", "main")
    team.work.write("context/revoked", revoke_line(team.work))
    team.work.commit("revoke")
    team.push()
    team.work.git("switch", "--quiet", "old")
    assert not (team.work.root / "context/revoked").exists()
    assert judged(team.work.root).name == "revoked"


def test_deleting_the_line_here_does_not_end_a_revocation(team: Team) -> None:
    team.work.write("context/revoked", revoke_line(team.work))
    team.work.commit("revoke")
    team.push()
    (team.work.root / "context/revoked").unlink()
    assert judged(team.work.root).name == "revoked"
    team.work.commit("unrevoke")
    team.push()
    assert judged(team.work.root).name == "approved"


def _link_out(place: Path) -> None:
    place.symlink_to("/etc/hostname")


def _directory(place: Path) -> None:
    place.mkdir()


def _too_large(place: Path) -> None:
    place.write_bytes(b"x" * (1024 * 1024 + 1))


def _pipe(place: Path) -> None:
    os.mkfifo(place)


@pytest.mark.parametrize("make", [_link_out, _directory, _too_large, _pipe])
def test_an_unreadable_revoked_list_approves_nothing(
    team: Team, make: Callable[[Path], None]
) -> None:
    make(team.work.root / "context/revoked")
    assert judged(team.work.root).name == "unknown"
    assert judged(team.work.root, "draft.md").name == "unapproved"


def test_a_revoked_list_that_is_no_file_on_the_trust_ref_approves_nothing(team: Team) -> None:
    (team.work.root / "context/revoked").symlink_to("README.md")
    team.work.commit("revoked is a link")
    team.push()
    (team.work.root / "context/revoked").unlink()
    assert judged(team.work.root).name == "unknown"


@pytest.mark.parametrize(
    ("old", "new"),
    [("waits for a full", "waits for no"), ("kind: decision", "kind: rule"), ("sha256:", "md5:")],
)
def test_edited_words_lapse_even_when_they_are_merged(team: Team, old: str, new: str) -> None:
    team.work.write(FILE, team.work.read(FILE).replace(old, new))
    assert judged(team.work.root).name == "lapsed"
    team.work.commit("edit")
    team.push()
    assert judged(team.work.root).name == "lapsed"


def test_a_bad_field_keeps_a_merged_claim_unconfirmed(team: Team) -> None:
    team.work.write(FILE, edit_memory(team.work.read(FILE), [("origin", "Owner")]))
    team.work.commit("bad origin")
    team.push()
    assert judged(team.work.root).name == "unconfirmed"


def test_two_files_with_one_id_are_unconfirmed_both(team: Team) -> None:
    team.work.write("context/copy.md", team.work.read(FILE))
    team.work.commit("copy")
    team.push()
    found = {file.path: file.verdict.name for file in verify(team.work.project).files}
    assert found[FILE] == found["context/copy.md"] == "unconfirmed"


def test_an_id_in_capitals_is_the_same_id(team: Team) -> None:
    file = parse_memory(FILE, team.work.read(FILE).encode())
    assert shared({file.ids[0]: 1, file.ids[0].upper(): 1}) == {file.ids[0]}
    with Evidence(team.work.project, lambda: {file.ids[0].upper()}) as evidence:
        assert evidence.verdict(file, file.text.encode()).name == "unconfirmed"


def test_conflict_markers_in_the_frontmatter_are_never_approved(team: Team) -> None:
    ours = team.work.read(FILE)
    text = ours.replace("kind: decision\n", "<<<<<<< HEAD\nkind: rule\n=======\n>>>>>>> x\n")
    team.work.write(FILE, text)
    team.work.commit("conflict")
    team.push()
    assert judged(team.work.root).name == "unapproved"


# --- merged: on the trust ref ---------------------------------------------------------------


def _merge_commit(work: Repo) -> None:
    work.git("merge", "--quiet", "--no-ff", "-m", "merge", "claim")


def _squash(work: Repo) -> None:
    work.git("merge", "--quiet", "--squash", "claim")
    work.git("commit", "--quiet", "-m", "squashed")


def _rebase(work: Repo) -> None:
    work.git("cherry-pick", "--allow-empty", "claim")


def _fast_forward(work: Repo) -> None:
    work.git("reset", "--quiet", "--hard", "claim")


@pytest.mark.parametrize("merge", [_merge_commit, _squash, _rebase, _fast_forward])
def test_a_claim_on_a_branch_is_unconfirmed_until_it_is_merged(
    team: Team, merge: Callable[[Repo], None]
) -> None:
    work = team.work
    work.git("switch", "--quiet", "--create", "claim")
    work.write("context/draft.md", claimed(memory_text("Draft")))
    work.commit("raise trust")
    assert judged(work.root, "draft.md").name == "unconfirmed"
    team.push("claim", "claim")
    assert judged(work.root, "draft.md").name == "unconfirmed"
    work.git("switch", "--quiet", "--create", "integration", REF)
    if merge is not _fast_forward:
        work.write("other.txt", "meanwhile")
        work.commit("meanwhile")
    merge(work)
    team.push()
    work.git("switch", "--quiet", "claim")
    assert judged(work.root, "draft.md").name == "approved"


def test_a_forged_claim_that_is_not_committed_is_unconfirmed(team: Team) -> None:
    team.work.write("context/draft.md", claimed(memory_text("Draft")))
    verdict = judged(team.work.root, "draft.md")
    assert verdict.name == "unconfirmed"
    assert "not on origin/main" in verdict.reasons[0]


def test_a_new_file_with_a_claim_is_unconfirmed(team: Team) -> None:
    team.work.write("context/new.md", claimed(memory_text("New")))
    assert judged(team.work.root, "new.md").name == "unconfirmed"


def test_a_renamed_file_is_unconfirmed(team: Team) -> None:
    team.work.git("mv", FILE, "context/renamed.md")
    assert judged(team.work.root, "renamed.md").name == "unconfirmed"


# --- merged: on a branch that lags behind ---------------------------------------------------


def lag_behind(team: Team, change: Callable[[Repo], None]) -> Repo:
    """A branch at the old main, while `change` was merged to the trust ref."""
    team.work.git("branch", "--quiet", "old")
    change(team.work)
    team.work.commit("main moves on")
    team.push()
    team.work.git("switch", "--quiet", "old")
    return team.work


def _new_approved_words(work: Repo) -> None:
    work.write(FILE, claimed(memory_text(body=NEW_WORDS)))


def _withdraw(work: Repo) -> None:
    work.write(FILE, memory_text())


def _edit(work: Repo) -> None:
    work.write(FILE, work.read(FILE).replace("waits for a", "waits for no"))


def _bad_field(work: Repo) -> None:
    work.write(FILE, edit_memory(work.read(FILE), [("origin", "Owner")]))


def _revoke_the_new(work: Repo) -> None:
    _new_approved_words(work)
    work.write("context/revoked", revoke_line(work))


def _delete(work: Repo) -> None:
    (work.root / FILE).unlink()


def _rename(work: Repo) -> None:
    work.git("mv", FILE, "context/renamed.md")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (_new_approved_words, "approved"),
        (_withdraw, "unconfirmed"),
        (_edit, "unconfirmed"),
        (_bad_field, "unconfirmed"),
        (_revoke_the_new, "unconfirmed"),
        (_delete, "revoked"),
        (_rename, "revoked"),
    ],
)
def test_the_old_words_on_a_branch_behind_main(
    team: Team, change: Callable[[Repo], None], expected: str
) -> None:
    assert judged(lag_behind(team, change).root).name == expected


def test_deleted_on_main_is_revoked_even_with_an_entry_in_the_ledger(team: Team) -> None:
    record(team.work)
    assert judged(lag_behind(team, _delete).root).name == "revoked"


def test_the_new_words_are_approved_where_they_are_checked_out(team: Team) -> None:
    lag_behind(team, _new_approved_words).git("switch", "--quiet", "main")
    assert judged(team.work.root).name == "approved"


def test_words_that_are_neither_on_main_nor_at_the_base_are_unconfirmed(team: Team) -> None:
    work = lag_behind(team, _new_approved_words)
    work.write(FILE, claimed(memory_text(body="Other words.")))
    assert judged(work.root).name == "unconfirmed"


def criss_cross(team: Team, theirs: str, ours: str) -> Repo:
    """Two merge bases that hold `theirs` and `ours`; HEAD holds `theirs`, main moved on."""
    work = team.work
    work.write(FILE, theirs)
    work.commit("one")
    work.git("switch", "--quiet", "--create", "branch", "HEAD~1")
    work.write(FILE, ours)
    work.write("branch.txt", "x")
    work.commit("two")
    tree = work.git("rev-parse", "main^{tree}")
    merged = work.git("commit-tree", tree, "-p", "main", "-p", "branch", "-m", "m1")
    mirror = work.git("commit-tree", tree, "-p", "branch", "-p", "main", "-m", "m2")
    team.push(merged)
    work.git("switch", "--quiet", "--detach", merged)
    _new_approved_words(work)
    work.commit("main moves on")
    team.push()
    work.git("switch", "--quiet", "--detach", mirror)
    assert len(work.git("merge-base", "--all", "HEAD", REF).split()) == 2
    return work


def test_every_merge_base_of_a_criss_cross_counts(team: Team) -> None:
    words = claimed(memory_text(body="Words of both."))
    assert judged(criss_cross(team, words, words).root).name == "approved"


def test_one_merge_base_without_the_words_is_enough_to_refuse(team: Team) -> None:
    words = claimed(memory_text(body="Words of one."))
    other = claimed(memory_text(body="Words of the other."))
    assert judged(criss_cross(team, words, other).root).name == "unconfirmed"


def test_a_history_that_shares_nothing_backs_nothing(team: Team) -> None:
    words = team.work.read(FILE)
    _new_approved_words(team.work)
    team.work.commit("main moves on")
    team.push()
    team.work.git("switch", "--quiet", "--orphan", "alone")
    add_project(team.work, "", {"snapshot.md": words})
    team.work.commit("alone")
    assert judged(team.work.root).name == "unconfirmed"


# --- merged: names that mislead -------------------------------------------------------------


def test_a_missing_trust_ref_is_unknown_but_own_approvals_hold(team: Team) -> None:
    team.work.git("remote", "set-head", "origin", "--delete")
    team.work.git("update-ref", "-d", REF)
    assert judged(team.work.root).name == "unknown"
    record(team.work)
    assert judged(team.work.root).method == "local"


@pytest.mark.parametrize("value", ["context", "`context/`", "./context/"])
def test_the_same_directory_written_otherwise_is_the_same(team: Team, value: str) -> None:
    config = team.work.read(".keep-the-why")
    team.work.write(".keep-the-why", config.replace("context: context/", f"context: {value}"))
    assert judged(team.work.root).name == "approved"
    team.work.commit("config")
    team.push()
    assert judged(team.work.root).name == "approved"


def test_a_context_directory_that_is_a_link_on_the_trust_ref_too(team: Team) -> None:
    team.work.git("mv", "context", "kept")
    (team.work.root / "context").symlink_to("kept")
    team.work.commit("link")
    team.push()
    assert judged(team.work.root).name == "approved"


# --- the ledger ------------------------------------------------------------------------------


def test_the_ledger_of_this_clone_backs_a_claim(lonely: Repo) -> None:
    assert judged(lonely.root).name == "unconfirmed"
    record(lonely)
    verdict = judged(lonely.root)
    assert (verdict.name, verdict.method) == ("approved", "local")
    assert verdict.approval == Approval(ADA, "2026-01-03T04:05:06Z")


@pytest.mark.parametrize(
    "changes",
    [
        {"project": "other"},
        {"path": "context/other.md"},
        {"path": f"sub/{FILE}"},
        {"ids": ("0f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c",)},
        {"ids": ()},
        {"content_hash": "sha256:" + "0" * 64},
    ],
)
def test_the_ledger_binds_project_path_ids_and_hash(
    lonely: Repo, changes: dict[str, object]
) -> None:
    record(lonely, **changes)
    assert judged(lonely.root).name == "unconfirmed"


def test_a_copy_is_not_approved_by_the_ledger(lonely: Repo) -> None:
    record(lonely)
    lonely.write("context/copy.md", lonely.read(FILE))
    assert judged(lonely.root, "copy.md").name == "unconfirmed"


def test_the_ledger_is_not_cloned(lonely: Repo, tmp_path: Path) -> None:
    record(lonely)
    clone = make_clone(lonely, tmp_path / "clone")
    clone.policy("local")
    assert judged(clone.root).name == "unconfirmed"


def test_a_tag_called_like_the_ledger_is_no_ledger(lonely: Repo) -> None:
    record(lonely)
    lonely.git("tag", ledger.REF, ledger.REF)
    lonely.git("update-ref", "-d", ledger.REF)
    assert judged(lonely.root).name == "unconfirmed"


def test_a_ledger_that_git_cannot_read_is_unknown(lonely: Repo) -> None:
    record(lonely)
    tree = lonely.git("rev-parse", f"{ledger.REF}^{{tree}}")
    (lonely.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert judged(lonely.root).name == "unknown"


# --- bytes -----------------------------------------------------------------------------------


def test_case_8_a_checkout_with_crlf_keeps_the_approval(team: Team, tmp_path: Path) -> None:
    clone = make_clone(team.hub, tmp_path / "clone", "--config", "core.autocrlf=true")
    clone.policy("merged", ref=REF)
    data = (clone.root / FILE).read_bytes()
    assert data.startswith(b"---\r\n") and b"\r\n---\r\n" in data
    assert judged(clone.root).name == "approved"


def test_case_8_approved_with_lf_and_then_rewritten_with_crlf(lonely: Repo) -> None:
    record(lonely)
    lonely.write(FILE, lonely.read(FILE).replace("\n", "\r\n"))
    assert judged(lonely.root).method == "local"


@pytest.mark.parametrize("merged_with_bom", [False, True])
def test_a_byte_order_mark_changes_no_verdict(team: Team, merged_with_bom: bool) -> None:
    plain = (team.work.root / FILE).read_bytes()
    marked = b"\xef\xbb\xbf" + plain
    team.work.write(FILE, marked if merged_with_bom else plain)
    team.work.commit("bytes")
    team.push()
    team.work.write(FILE, plain if merged_with_bom else marked)
    assert judged(team.work.root).name == "approved"


def test_other_whitespace_is_other_words(team: Team) -> None:
    team.work.write(FILE, team.work.read(FILE).replace("a full", "a\u00a0full"))
    assert judged(team.work.root).name == "lapsed"


def test_a_link_inside_is_judged_by_its_bytes_and_not_by_its_name(team: Team) -> None:
    (team.work.root / "context/link.md").symlink_to("snapshot.md")
    team.work.commit("link")
    team.push()
    assert judged(team.work.root, "link.md").name == "unconfirmed"


def test_a_file_that_became_a_link_to_other_words(team: Team) -> None:
    (team.work.root / FILE).unlink()
    (team.work.root / FILE).symlink_to("draft.md")
    assert judged(team.work.root).name == "unapproved"
    (team.work.root / FILE).unlink()
    (team.work.root / FILE).symlink_to("/etc/hostname")
    with pytest.raises(KtwError):
        read_bytes(team.work.project, "snapshot.md")


# --- clones that hold less ------------------------------------------------------------------


def test_a_shallow_clone_tells_what_its_trust_ref_holds_and_no_more(
    team: Team, tmp_path: Path
) -> None:
    clone = make_clone(Repo(team.hub.root), tmp_path / "clone", "--no-local", "--depth", "1")
    clone.policy("merged", ref=REF)
    assert (clone.root / ".git/shallow").exists()
    assert judged(clone.root).name == "approved"
    clone.write(FILE, claimed(memory_text(body=NEW_WORDS)))
    clone.commit("claim")
    assert judged(clone.root).name == "unknown"


def missing_objects(repo: Repo) -> list[str]:
    found = repo.git("rev-list", "--objects", "--missing=print", "--all").splitlines()
    return [line for line in found if line.startswith("?")]


@pytest.mark.parametrize("remote_is_gone", [False, True])
def test_a_partial_clone_is_unknown_where_a_blob_is_missing_and_fetches_nothing(
    team: Team, tmp_path: Path, remote_is_gone: bool
) -> None:
    clone = make_clone(team.hub, tmp_path / "clone", "--no-local", "--filter=blob:none")
    clone.policy("merged", ref=REF)
    assert judged(clone.root).name == "approved"
    _new_approved_words(team.work)
    team.work.commit("new words")
    team.push()
    clone.git("fetch", "--quiet", "origin")
    if remote_is_gone:
        team.hub.root.rename(tmp_path / "away")
    before = missing_objects(clone)
    assert before
    assert judged(clone.root).name == "unknown"
    assert judged(clone.root, "draft.md").name == "unapproved"
    assert missing_objects(clone) == before


def test_in_a_partial_clone_the_number_of_git_processes_stays_small(
    team: Team, tmp_path: Path, counted: Callable[[Callable[[], object]], int]
) -> None:
    names = [f"m{at}.md" for at in range(12)]
    for body in ("Old words.", NEW_WORDS):
        for name in names:
            team.work.write(f"context/{name}", claimed(memory_text(name, body)))
        team.work.commit(body)
        team.push()
        if body != NEW_WORDS:
            clone = make_clone(team.hub, tmp_path / "clone", "--no-local", "--filter=blob:none")
    clone.policy("merged", ref=REF)
    clone.git("fetch", "--quiet", "origin")

    def judge_all() -> None:
        found = {file.path: file.verdict.name for file in verify(clone.project).files}
        assert {found[f"context/{name}"] for name in names} == {"unknown"}

    assert counted(judge_all) <= 6


def test_a_damaged_object_is_unknown(team: Team) -> None:
    tree = team.work.git("rev-parse", f"{REF}:context")
    (team.work.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert judged(team.work.root).name == "unknown"


@pytest.mark.skipif(not AS_ROOT, reason="needs to give files away")
def test_a_repository_of_somebody_else_is_unknown_with_gits_reason(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SUDO_UID", raising=False)
    for place in (team.work.root, *team.work.root.rglob("*")):
        os.chown(place, 12345, 12345, follow_symlinks=False)
    verdict = judged(team.work.root)
    assert verdict.name == "unknown"
    assert "dubious ownership" in verdict.reasons[0]
    assert f"safe.directory '{team.work.root}'" in read_policy(team.work.project).todo
    with Objects(team.work.project.repository) as objects, pytest.raises(GitFailed) as failure:
        objects.commit("HEAD")
    assert "dubious ownership" in str(failure.value)


# --- places ----------------------------------------------------------------------------------


def test_case_16_one_store_from_everywhere(team: Team) -> None:
    deep = team.work.root / "src/deep"
    deep.mkdir(parents=True)
    assert find_project(deep).root == find_project(team.work.root).root
    assert judged(deep).name == "approved"


def test_case_16_what_is_not_merged_in_one_worktree_is_not_approved_in_another(
    team: Team, tmp_path: Path
) -> None:
    other = Repo(tmp_path / "other")
    team.work.git("worktree", "add", "--quiet", "-b", "side", str(other.root))
    assert judged(other.root).name == "approved"
    text = claimed(memory_text("Draft"))
    team.work.write("context/draft.md", text)
    team.work.commit("claim")
    other.write("context/draft.md", text)
    assert judged(team.work.root, "draft.md").name == "unconfirmed"
    assert judged(other.root, "draft.md").name == "unconfirmed"
    team.push("main")
    assert judged(other.root, "draft.md").name == "approved"


@pytest.mark.parametrize("place", ["tree", "hub/tree"])
def test_case_16_a_worktree_of_a_bare_clone(team: Team, tmp_path: Path, place: str) -> None:
    team.hub.git("clone", "--quiet", "--bare", ".", str(tmp_path / "hub"))
    bare = Repo(tmp_path / "hub")
    bare.setting("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    bare.git("fetch", "--quiet", "origin")
    bare.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / place))
    tree = Repo(tmp_path / place)
    assert judged(tree.root).name == "unknown"
    tree.policy("merged", "local", ref=REF)
    assert judged(tree.root).name == "approved"
    tree.write("context/draft.md", claimed(memory_text("Draft")))
    tree.commit("claim")
    assert judged(tree.root, "draft.md").name == "unconfirmed"


def test_case_17_a_sparse_cone_without_the_context_directory(team: Team) -> None:
    before = (team.work.root / ".git/config").read_bytes()
    team.work.write("src/x.py", "")
    team.work.commit("src")
    team.work.git("sparse-checkout", "set", "--cone", "src")
    config = (team.work.root / ".git/config").read_bytes()
    assert before != config
    with pytest.raises(KtwError) as failure:
        scan(team.work.project)
    assert "sparse" in failure.value.what
    assert "git sparse-checkout add context" in failure.value.todo
    assert (team.work.root / ".git/config").read_bytes() == config


def test_case_17_a_submodule_is_its_own_project(team: Team, tmp_path: Path) -> None:
    inner = make_project(tmp_path / "inner", {"snapshot.md": claimed(memory_text())}, "test")
    team.work.git("submodule", "--quiet", "add", str(inner.root), "sub")
    team.work.commit("submodule")
    team.push()
    project = find_project(team.work.root / "sub" / "context")
    assert project.root == team.work.root / "sub"
    assert project.location == "."
    assert judged(team.work.root / "sub").name == "unknown"


def test_a_submodule_that_is_not_checked_out_is_no_project_of_its_own(
    team: Team, tmp_path: Path
) -> None:
    inner = make_project(tmp_path / "inner", {})
    team.work.git("submodule", "--quiet", "add", str(inner.root), "sub")
    team.work.commit("submodule")
    team.work.git("submodule", "--quiet", "deinit", "--force", "sub")
    assert find_project(team.work.root / "sub").root == team.work.root


@pytest.mark.parametrize("id_", ["test", "vendored"])
def test_a_vendored_project_never_speaks_as_the_owner(team: Team, id_: str) -> None:
    add_project(team.work, "vendor/lib/", {"snapshot.md": claimed(memory_text())}, id_)
    team.work.commit("vendor")
    team.push()
    assert judged(team.work.root / "vendor/lib").name == "unknown"
    assert judged(team.work.root).name == "approved"


def test_a_directory_that_only_looks_like_a_repository_borrows_no_policy(team: Team) -> None:
    fake = team.work.root / "vendor"
    shutil.copytree(team.work.root / "context", fake / "context")
    shutil.copy(team.work.root / ".keep-the-why", fake)
    (fake / ".git").mkdir()
    (fake / ".git/HEAD").write_text("ref: refs/heads/main\n")
    verdict = judged(fake)
    assert verdict.name == "unknown"
    assert "not a git repository" in verdict.reasons[0]


def test_a_calling_hooks_variables_lead_nowhere_else(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repo(tmp_path / "other")
    other.commit("empty")
    for name, value in {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(other.root / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other.root / ".git/objects"),
        "GIT_NAMESPACE": "x",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "ktw.project",
        "GIT_CONFIG_VALUE_0": "other .",
    }.items():
        monkeypatch.setenv(name, value)
    assert judged(team.work.root).name == "approved"
    assert judged(team.work.root, "draft.md").name == "unapproved"


def test_detached_head_and_a_rebase_in_progress_change_no_verdict(team: Team) -> None:
    team.work.git("switch", "--quiet", "--detach")
    assert judged(team.work.root).name == "approved"
    (team.work.root / ".git/rebase-merge").mkdir()
    assert judged(team.work.root).name == "approved"


def test_case_23_after_a_switch_one_memory_is_gone_and_one_is_unapproved(team: Team) -> None:
    work = team.work
    work.write("context/gone.md", claimed(memory_text("Gone")))
    work.commit("third")
    team.push()
    assert {f.verdict.name for f in verify(work.project).files} == {"approved", "unapproved"}
    work.git("switch", "--quiet", "--create", "other")
    (work.root / "context/gone.md").unlink()
    work.write(FILE, memory_text())
    work.commit("less")
    found = {file.path: file.verdict.name for file in verify(work.project).files}
    assert found == {FILE: "unapproved", "context/draft.md": "unapproved"}
    work.git("switch", "--quiet", "main")
    assert len(verify(work.project).files) == 3
