"""Who brought an approved file to the trust ref, from git alone, with and without the cache."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from builders import Repo, Team, claimed, judged, memory_text
from ktw.approvers import Approvers, _parse_log
from ktw.git import Objects, stood_at
from ktw.trust import Approval

FILE = "context/snapshot.md"
REF = "refs/remotes/origin/main"


def cache(repo: Repo) -> Path:
    return repo.root / ".git/ktw/approvers.json"


def approver(repo: Repo, name: str = "snapshot.md") -> str | None:
    """Who it is, and the same with the cache deleted."""
    warm = judged(repo.root, name)
    assert warm.method == "merged"
    cache(repo).unlink(missing_ok=True)
    assert judged(repo.root, name) == warm
    return warm.approval.by if warm.approval else None


def as_person(repo: Repo, name: str, *arguments: str) -> None:
    """Run git as another person."""
    repo.git("-c", "user.useConfigOnly=false", *arguments)
    if arguments[0] in ("commit", "merge"):
        author = f"{name} <{name.lower()}@example.invalid>"
        repo.git("commit", "--quiet", "--amend", "--no-edit", "--author", author)


def commit_as(repo: Repo, name: str, text: str, path: str = FILE) -> str:
    repo.write(path, text)
    repo.git("add", path)
    as_person(repo, name, "commit", "--quiet", "-m", f"by {name}")
    return repo.git("rev-parse", "HEAD")


def words(body: str) -> str:
    return claimed(memory_text(body=body))


def test_who_committed_directly(team: Team) -> None:
    commit_as(team.work, "Grace", words("New."))
    team.push()
    assert approver(team.work) == "Grace <grace@example.invalid>"


def test_who_merged_and_not_who_wrote(team: Team) -> None:
    work = team.work
    work.git("switch", "--quiet", "--create", "side")
    commit_as(work, "Mallory", words("New."))
    work.git("switch", "--quiet", "main")
    as_person(work, "Grace", "merge", "--quiet", "--no-ff", "-m", "merge", "side")
    team.push()
    assert approver(work) == "Grace <grace@example.invalid>"


def test_a_mailmap_of_the_work_tree_changes_nobody(team: Team) -> None:
    commit_as(team.work, "Mallory", words("New."))
    team.push()
    team.work.write(".mailmap", "The Boss <boss@example.invalid> <mallory@example.invalid>\n")
    assert approver(team.work) == "Mallory <mallory@example.invalid>"


def test_who_brought_back_the_same_words_last(team: Team) -> None:
    first = team.work.read(FILE)
    commit_as(team.work, "Mallory", words("Other."))
    commit_as(team.work, "Grace", first)
    team.push()
    assert approver(team.work) == "Grace <grace@example.invalid>"


def test_the_cache_follows_the_trust_ref(team: Team) -> None:
    assert approver(team.work) == "Ada Lovelace <ada@example.invalid>"
    tip = json.loads(cache(team.work).read_text())["tip"]
    commit_as(team.work, "Grace", words("New."))
    team.push()
    assert approver(team.work) == "Grace <grace@example.invalid>"
    assert json.loads(cache(team.work).read_text())["tip"] != tip


def test_a_forced_push_forgets_the_history_that_is_gone(team: Team) -> None:
    work, first = team.work, team.work.read(FILE)
    kept = work.git("rev-parse", "HEAD")
    commit_as(work, "Mallory", words("Other."))
    commit_as(work, "Mallory", first)
    team.push()
    assert judged(work.root).approval == Approval(
        "Mallory <mallory@example.invalid>", "2026-01-02T03:04:05+00:00"
    )
    work.git("reset", "--quiet", "--hard", kept)
    work.write("other.txt", "x")
    work.commit("another history")
    team.push()
    assert approver(work) == "Ada Lovelace <ada@example.invalid>"


def test_the_trust_ref_going_back_forgets_too(team: Team) -> None:
    work, first = team.work, team.work.read(FILE)
    kept = work.git("rev-parse", "HEAD")
    commit_as(work, "Mallory", words("Other."))
    commit_as(work, "Mallory", first)
    team.push()
    assert judged(work.root).approved
    work.git("reset", "--quiet", "--hard", kept)
    team.push()
    assert approver(work) == "Ada Lovelace <ada@example.invalid>"


def test_main_merged_into_a_branch_that_becomes_main(team: Team) -> None:
    work = team.work
    commit_as(work, "Grace", words("New."))
    team.push()
    assert judged(work.root).approved
    work.git("switch", "--quiet", "--create", "side", "HEAD~1")
    work.write("other.txt", "x")
    work.commit("side")
    as_person(work, "Mallory", "merge", "--quiet", "--no-ff", "-m", "merge", "main")
    team.push()
    assert approver(work) == "Mallory <mallory@example.invalid>"


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"null", b'{"schema": 1}', b"\xff", b'{"schema": [2, "context"], "tip": 3}'],
)
def test_a_damaged_cache_is_made_anew(team: Team, content: bytes) -> None:
    expected = judged(team.work.root)
    cache(team.work).write_bytes(content)
    assert judged(team.work.root) == expected
    assert json.loads(cache(team.work).read_text())["known"]


def test_a_cache_that_lies_about_another_blob_is_not_asked(team: Team) -> None:
    assert judged(team.work.root).approved
    content = json.loads(cache(team.work).read_text())
    content["known"] = [["0" * 40 + " snapshot.md", ["Mallory <m>", "2026"]]]
    cache(team.work).write_text(json.dumps(content))
    verdict = judged(team.work.root)
    assert verdict.approved and verdict.approval is None


def test_where_the_cache_cannot_be_written_the_answer_is_the_same(team: Team) -> None:
    expected = judged(team.work.root)
    cache(team.work).unlink()
    os.rmdir(cache(team.work).parent)
    (team.work.root / ".git/ktw").write_text("a file in the way")
    assert judged(team.work.root) == expected


def test_a_file_of_a_subdirectory_is_another_file(team: Team) -> None:
    text = team.work.read(FILE)
    commit_as(team.work, "Mallory", text, "context/sub/snapshot.md")
    team.push()
    assert approver(team.work) == "Ada Lovelace <ada@example.invalid>"


def test_names_with_control_characters_break_no_parse(team: Team) -> None:
    work = team.work
    work.write(FILE, words("New."))
    work.git("add", FILE)
    work.git("commit", "--quiet", "-m", "x", "--author", "M\x01\x02:100644 X <x\x02@e.invalid>")
    work.write("context/:000000 100644 0 0 A", "odd")
    work.commit("odd name")
    team.push()
    assert approver(work) == "M\x01\x02:100644 X <x\x02@e.invalid>"


def test_a_tip_that_this_clone_lacks_has_no_approver(team: Team) -> None:
    repository = team.work.project
    with Objects(repository.repository) as objects:
        assert Approvers(repository, objects, None).of(FILE) is None


def test_what_no_log_ever_printed_is_passed_over() -> None:
    assert _parse_log("", "context/") == {}
    assert _parse_log("garbage\0:1 2\0", "context/") == {}


# --- where the trust ref stood ----------------------------------------------------------------


def lagging(team: Team, *pushed: str) -> Repo:
    """Old words that two commits of main replaced, checked out; main was seen where `pushed` says.

    `pushed` names commits by their distance from the newest one.
    """
    team.work.write(FILE, words("Old."))
    old = team.work.commit("old")
    team.work.write(FILE, words("New."))
    team.work.commit("new")
    for revision in pushed:
        team.push(revision)
    team.work.git("switch", "--quiet", "--detach", old)
    return team.work


def test_a_state_that_this_clone_saw_counts(team: Team) -> None:
    assert judged(lagging(team, "HEAD~1", "HEAD").root).method == "merged"


def test_a_state_that_the_trust_ref_never_had_does_not(team: Team) -> None:
    verdict = judged(lagging(team, "HEAD").root)
    assert verdict.name == "unknown"
    assert "cannot tell where the branch left it" in verdict.reasons[0]


def test_a_state_before_a_commit_of_other_files_is_the_same_state(team: Team) -> None:
    team.work.write(FILE, words("Old."))
    old = team.work.commit("old")
    team.work.write("other.txt", "x")
    team.work.commit("other")
    team.push()
    team.work.write(FILE, words("New."))
    team.work.commit("new")
    team.push()
    team.work.git("switch", "--quiet", "--detach", old)
    assert judged(team.work.root).method == "merged"


@pytest.mark.parametrize("become", [Path.unlink, lambda place: (place.unlink(), os.mkfifo(place))])
def test_without_a_record_of_its_moves_it_cannot_be_told(
    team: Team, become: Callable[[Path], object]
) -> None:
    work = lagging(team, "HEAD~1", "HEAD")
    become(work.root / f".git/logs/{REF}")
    assert judged(work.root).name == "unknown"


def test_a_record_gives_every_place_once_the_newest_first(team: Team) -> None:
    work = lagging(team, "HEAD~1", "HEAD")
    new, old, first = work.git("log", "-3", "--format=%H", REF).split()
    assert stood_at(work.project.repository, REF) == (new, old, first)
    work.write(f".git/logs/{REF}", b"\xff\n" + b"0" * 40 + b" x\n")
    assert stood_at(work.project.repository, REF) == ()
    assert stood_at(work.project.repository, "refs/remotes/none") == ()
