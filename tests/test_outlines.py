"""Outlines: what verdicts of a whole project rest on, and that keeping them changes no answer."""

import json
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import Repo, Team, add_project, claimed, judged, make_repo, memory_text
from ktw import ledger
from ktw.evidence import Evidence, shared
from ktw.git import blob_id
from ktw.git.refs import write_files
from ktw.kept import Kept
from ktw.memory import address, parse_memory
from ktw.operations.queue import Filters, queue
from ktw.operations.verdicts import FileVerdict, verdicts
from ktw.outlines import files_per_id, outline, survey
from ktw.trust import Approval, VerdictName

KEPT = ".git/ktw/outlines.json"
TEXT = claimed(memory_text())


def told(repo: Repo) -> list[FileVerdict]:
    with verdicts(repo.project) as (files, _, _):
        return files


def names(repo: Repo) -> dict[str, VerdictName]:
    return {file.path.removeprefix("context/"): file.verdict.name for file in told(repo)}


def approve_here(repo: Repo, *files: str) -> None:
    """Put the words of these files into the ledger."""
    with Evidence(repo.project) as evidence:
        found = [parse_memory(path, (repo.root / path).read_bytes()) for path in files]
        subjects = [evidence.subject(file) for file in found]
    records = ledger.ledger_files(subjects, Approval("Ada <a@example.invalid>", "2026-01-03"))
    write_files(repo.project.repository, ledger.REF, records, "Approve")


# --- the same answers with what was kept, without it, and as each file is judged when shown ---

WORDS = ["Ours.", "Theirs.", "Neither's."]
TEXTS = st.one_of(
    st.builds(
        lambda title, body: memory_text(title, body), st.sampled_from("AB"), st.sampled_from(WORDS)
    ),
    st.builds(
        lambda title, body: claimed(memory_text(title, body)),
        st.sampled_from("ABC"),
        st.sampled_from(WORDS),
    ),
    st.sampled_from(
        [
            TEXT.replace("waits", "does not wait"),
            TEXT.replace("origin: agent", "origin: nobody"),
            TEXT.replace("origin: agent", "origin: agent\norigin: agent"),
            TEXT + "\n## Another\n\nWords.\n",
            TEXT.replace("\n", "\r\n"),
            "\ufeff" + TEXT,
            TEXT.replace("\n", "\r\n", 1),
            TEXT.replace("**Id:**", "**Id:** x"),
            "Only words.\n",
            "",
        ]
    ),
)
FILES = st.dictionaries(st.sampled_from(["a.md", "b.md", "c.md", "d.md"]), TEXTS, min_size=1)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(FILES, FILES, st.permutations(["merged", "local"]), st.integers(0, 2))
def test_keeping_changes_no_answer(
    repo: Repo, at_ref: Mapping[str, str], here: Mapping[str, str], order: list[str], count: int
) -> None:
    repo.git("update-ref", "-d", ledger.REF)
    for files in (at_ref, here):
        for old in (repo.root / "context").glob("?.md"):
            old.unlink()
        for name, text in files.items():
            repo.write(f"context/{name}", text.encode())
        if files is at_ref:
            repo.commit("at the trust ref")
            repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.policy(*order[: count or 2], ref="refs/remotes/origin/main")
    approve_here(repo, *(f"context/{name}" for name in list(here)[:2]))
    first, kept = told(repo), told(repo)
    assert (repo.root / KEPT).exists()
    assert first == kept
    assert [each.outline for each in survey(repo.project)] == [
        each.outline for each in survey(repo.project, keep=False)
    ]
    ids = shared(files_per_id(survey(repo.project)))
    with Evidence(repo.project, lambda: ids) as evidence:
        for file in first:
            data = (repo.root / file.path).read_bytes()
            memory = parse_memory(file.path, data)
            verdict = evidence.verdict(memory, data)
            if not memory.problems:
                assert file.verdict[:3] == verdict[:3]
                alone = [address(file.path, entry) for entry in memory.memories]
                assert file.id == (alone[0] if len(alone) == 1 else None)


def test_an_outline_says_what_its_file_says(repo: Repo) -> None:
    file = parse_memory("context/x.md", TEXT.encode())
    found = outline(file, TEXT.encode())
    assert found.claim_holds
    assert (found.computed_hash, found.ids) == (file.computed_hash, file.ids)
    assert (found.origin, found.kind, found.created_at) == ("agent", "decision", file.created_at)
    assert repo.git("hash-object", "--stdin", data=TEXT.encode()) in found.blob_ids


# --- what was kept counts only where this user kept it, of exactly these bytes ----------------


def test_new_bytes_are_looked_at_anew_whatever_their_times_say(team: Team) -> None:
    path = team.work.root / "context" / "snapshot.md"
    assert names(team.work)["snapshot.md"] == "approved"
    facts, text = path.stat(), path.read_text(encoding="utf-8")
    path.write_text(text.replace("waits", "w8its"), encoding="utf-8")
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert path.stat().st_size == facts.st_size
    assert names(team.work)["snapshot.md"] == "lapsed"


def _lie(kept: Path, text: str) -> bytes:
    """What stands there, saying of every file that it is the approved one."""
    seal, _, data = kept.read_bytes().partition(b"\n")
    content = json.loads(data)
    good = outline(parse_memory("context/x.md", text.encode()), text.encode())
    for row in content["rows"].values():
        row[:] = json.loads(json.dumps([list(good.blob_ids), good.plain_id, *good[2:]]))
    return seal + b"\n" + json.dumps(content).encode()


@pytest.mark.parametrize("cut", [0, 1, 64, 128, 129, 200, -1])
def test_a_kept_file_that_is_not_whole_is_none(team: Team, cut: int) -> None:
    before = names(team.work)
    kept = team.work.root / KEPT
    kept.write_bytes(kept.read_bytes()[:cut])
    assert names(team.work) == before


def test_a_kept_file_without_this_users_seal_counts_for_nothing(team: Team) -> None:
    before = names(team.work)
    assert before == {"draft.md": "unapproved", "snapshot.md": "approved"}
    kept = team.work.root / KEPT
    kept.write_bytes(_lie(kept, team.work.read("context/snapshot.md")))
    assert names(team.work) == before


def test_a_kept_file_of_another_clone_counts_for_nothing(team: Team, tmp_path: Path) -> None:
    told(team.work)
    other = make_repo(tmp_path / "other")
    add_project(other, "", {})
    other.write(KEPT, (team.work.root / KEPT).read_bytes())
    key = blob_id((team.work.root / "context/snapshot.md").read_bytes(), 64)
    assert Kept(team.work.project.repository, "outlines", 2).find(key) is not None
    assert Kept(other.project.repository, "outlines", 2).find(key) is None


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX modes")
def test_a_kept_file_that_others_may_write_is_not_read(team: Team) -> None:
    told(team.work)
    kept = team.work.root / KEPT
    written = kept.stat().st_mtime_ns
    kept.chmod(0o666)
    told(team.work)
    assert kept.stat().st_mtime_ns != written
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
@pytest.mark.parametrize("name", ["outlines.json", "ledger.json", "approvers.json"])
def test_a_pipe_where_rows_are_kept_is_not_waited_for(team: Team, name: str) -> None:
    before = names(team.work)
    place = team.work.root / ".git" / "ktw" / name
    place.unlink(missing_ok=True)
    os.mkfifo(place, 0o600)
    assert names(team.work) == before
    assert judged(team.work.root).approved


def test_without_a_key_in_this_home_nothing_is_kept(repo: Repo) -> None:
    assert names(repo) == {"snapshot.md": "unapproved"}
    assert not (repo.root / KEPT).exists()


def test_what_is_shown_or_reviewed_is_never_taken_from_what_was_kept(team: Team) -> None:
    told(team.work)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ktw.outlines._unpacked", lambda key, row: pytest.fail("asked for"))
        assert judged(team.work.root).name == "approved"


# --- git processes ----------------------------------------------------------------------------


@pytest.mark.parametrize("methods", [("merged",), ("local",), ("merged", "local")])
def test_the_number_of_git_processes_does_not_grow(
    repo: Repo, methods: tuple[str, ...], counted: Callable[[Callable[[], object]], int]
) -> None:
    processes = set()
    for size in (10, 300):
        paths = [f"context/m{at}.md" for at in range(size)]
        for at, path in enumerate(paths):
            repo.write(path, claimed(memory_text(f"Memory {at}")))
        repo.commit(f"{size} files")
        repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
        repo.policy(*methods, ref="refs/remotes/origin/main")
        approve_here(repo, *paths)
        processes.add(counted(lambda: told(repo)))
        approved = [file for file in told(repo) if file.verdict.approved]
        assert len(approved) == size
        processes.add(counted(lambda: told(repo)))
        processes.add(counted(lambda: queue(repo.project, Filters())))
    assert processes == {2}
