"""Marks of memories in git notes: what they are worth, who writes them, and that none is lost."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from builders import Repo, claimed, make_id, make_project, memory_text
from ktw import marks
from ktw.errors import Refused, UsageError
from ktw.evidence import Evidence
from ktw.git import Objects
from ktw.operations.reinforcing import pin, reinforce
from ktw.priors import AGENT, PERSON, Earned

NOW = datetime(2026, 2, 1, 12, tzinfo=UTC)
ID = make_id("Snapshot before buffer")


@pytest.fixture
def mine(repo: Repo) -> Repo:
    repo.policy("local")
    return repo


def earned(repo: Repo, name: str = ID) -> Earned:
    project = repo.project
    with Objects(project.repository) as objects:
        return marks.marked(objects, project.repository.git_dir / "ktw").get(name, Earned())


# --- evidence ----------------------------------------------------------------------------------


def test_a_persons_proof_is_strength_and_counts_once_a_day(mine: Repo) -> None:
    for hours, counts_for in ((0, "strength"), (1, "recency"), (30, "strength")):
        done = reinforce(mine.project, ID, "test-passed", None, NOW + timedelta(hours=hours))
        assert done.counts_for == counts_for and done.strength > 1
        assert done.again == (hours == 1)
    assert len(earned(mine).uses) == 2


def test_another_kind_and_an_agents_word_leave_a_proof_its_day(mine: Repo) -> None:
    reinforce(mine.project, ID, "test-passed", "claude-code", NOW)
    for evidence in ("test-passed", "user-confirmed"):
        assert not reinforce(mine.project, ID, evidence, None, NOW).again
    assert reinforce(mine.project, ID, "test-passed", None, NOW).again


@pytest.mark.parametrize("evidence", ["test-passed", "diff-accepted", "user-confirmed"])
def test_what_an_agent_says_counts_for_recency_alone(mine: Repo, evidence: str) -> None:
    done = reinforce(mine.project, ID, evidence, "claude-code", NOW)
    assert (done.counts_for, done.strength) == ("recency", 1.0)
    assert earned(mine) == Earned((), NOW, "")


def test_a_persons_word_that_it_helped_is_no_proof(mine: Repo) -> None:
    assert reinforce(mine.project, ID, "self-report", None, NOW).counts_for == "recency"
    assert earned(mine) == Earned((), NOW, "")


def test_agents_push_no_proof_of_a_person_out(mine: Repo) -> None:
    note = marks.Note(ID, ()).with_mark(marks.Mark(NOW, "test-passed", ""))
    note = note.with_mark(marks.Mark(NOW, "pinned", ""))
    worth = note.earned
    for at in range(500):
        moment = NOW + timedelta(minutes=at)
        for act in ("self-report", "test-passed", "pinned", "unpinned"):
            note = note.with_mark(marks.Mark(moment, act, "codex"))
    assert len(note.marks) == 3
    assert note.earned == worth._replace(touched=moment)


@pytest.mark.parametrize("evidence", ["failure", "", "test-passed\n", "pinned"])
def test_there_is_no_evidence_against_a_memory(mine: Repo, evidence: str) -> None:
    with pytest.raises(UsageError, match="is no evidence"):
        reinforce(mine.project, ID, evidence, None, NOW)


def test_in_a_clone_without_a_policy_nothing_is_marked(repo: Repo) -> None:
    with pytest.raises(UsageError, match="no approval policy"):
        reinforce(repo.project, ID, "test-passed", None, NOW)
    with pytest.raises(UsageError, match="no approval policy"):
        pin(repo.project, ID, True, None, NOW)


# --- pins --------------------------------------------------------------------------------------


def test_a_pin_leaves_file_and_work_tree_as_they_are(mine: Repo) -> None:
    before = mine.read("context/snapshot.md")
    assert pin(mine.project, ID, True, None, NOW) == (ID, True, True)
    assert pin(mine.project, ID, True, None, NOW) == (ID, True, False)
    assert earned(mine).pinned == PERSON
    assert mine.read("context/snapshot.md") == before and mine.git("status", "--porcelain") == ""
    assert pin(mine.project, ID, False, None, NOW) == (ID, False, True)
    assert earned(mine).pinned == ""


def test_an_agent_pins_its_own_and_undoes_no_persons_pin(mine: Repo) -> None:
    pin(mine.project, ID, True, "codex", NOW)
    assert earned(mine).pinned == AGENT
    assert pin(mine.project, ID, True, None, NOW).changed
    assert earned(mine).pinned == PERSON
    assert not pin(mine.project, ID, True, "codex", NOW).changed
    with pytest.raises(Refused, match="a person pinned"):
        pin(mine.project, ID, False, "codex", NOW)
    assert earned(mine).pinned == PERSON


@pytest.mark.parametrize("pinned", [True, False])
def test_an_agent_pins_nothing_of_the_owners(mine: Repo, pinned: bool) -> None:
    mine.write("context/rule.md", memory_text("Rule", kind="rule", origin="owner"))
    with pytest.raises(Refused, match="is its owner's"):
        pin(mine.project, "rule", pinned, "codex", NOW)


# --- the notes ---------------------------------------------------------------------------------


def test_git_reads_them_as_notes_and_prunes_none(mine: Repo) -> None:
    reinforce(mine.project, ID, "test-passed", None, NOW)
    (row,) = mine.git("notes", "--ref=ktw", "list").splitlines()
    attached = row.split()[1]
    assert mine.git("cat-file", "blob", attached) == f'"{ID}"'
    told = mine.git("notes", "--ref=ktw", "show", attached)
    assert told == f'"{ID}"\n2026-02-01T12:00:00Z test-passed person'
    mine.git("notes", "--ref=ktw", "prune")
    assert len(earned(mine).uses) == 1


def test_wherever_git_puts_a_note_it_is_found_and_written_on(mine: Repo) -> None:
    reinforce(mine.project, ID, "test-passed", None, NOW)
    (row,) = mine.git("notes", "--ref=ktw", "list").splitlines()
    mine.git("notes", "--ref=ktw", "append", "-m", "a line of somebody's", row.split()[1])
    reinforce(mine.project, ID, "diff-accepted", None, NOW)
    assert len(earned(mine).uses) == 2
    assert len(mine.git("notes", "--ref=ktw", "list").splitlines()) == 1


def test_a_note_in_the_place_of_another_counts_for_nothing(mine: Repo) -> None:
    reinforce(mine.project, ID, "test-passed", None, NOW)
    (row,) = mine.git("notes", "--ref=ktw", "list").splitlines()
    forged = make_id("Another")
    mine.git("notes", "--ref=ktw", "add", "-f", "-m", f'"{forged}"\n{NOW}', row.split()[1])
    assert earned(mine) == earned(mine, forged) == Earned()


def made_tree(repo: Repo, rows: list[tuple[str, str]]) -> str:
    """A tree of (name, id), those with names of two letters trees."""
    kinds = {True: "040000 tree", False: "100644 blob"}
    text = "".join(f"{kinds[len(name) == 2]} {oid}\t{name}\n" for name, oid in rows)
    return repo.git("mktree", data=text.encode())


def brought(repo: Repo, tree: str) -> None:
    """Let a tree that somebody else made be the notes."""
    commit = repo.git("commit-tree", tree, "-m", "Notes")
    repo.git("update-ref", marks.REF, commit)


@pytest.mark.parametrize("names", [["ab"] * 1200, ["ab", "cd", "ef"]])
def test_trees_deeper_than_git_makes_them_are_not_entered(mine: Repo, names: list[str]) -> None:
    reinforce(mine.project, ID, "test-passed", None, NOW)
    tree = mine.git("rev-parse", f"{marks.REF}^{{tree}}")
    for name in names:
        tree = made_tree(mine, [(name, tree)])
    brought(mine, tree)
    assert earned(mine) == Earned()


def test_a_tree_that_holds_itself_many_times_has_an_end(mine: Repo) -> None:
    blob = mine.git("hash-object", "-w", "context/index.md")
    tree = made_tree(mine, [("0" * 40, blob)])
    for _ in range(6):
        tree = made_tree(mine, [(f"{at:02x}", tree) for at in range(256)])
    brought(mine, tree)
    assert earned(mine) == Earned()


def test_notes_larger_than_any_that_ktw_writes_are_not_kept(mine: Repo) -> None:
    reinforce(mine.project, ID, "test-passed", None, NOW)
    (row,) = mine.git("notes", "--ref=ktw", "list").splitlines()
    large = mine.write("large", "x" * 100_000)
    mine.git("notes", "--ref=ktw", "add", "-f", "-F", str(large), mine.git("rev-parse", "HEAD"))
    assert len(earned(mine).uses) == 1
    assert (mine.root / ".git/ktw/marks.json").stat().st_size < 10_000
    mine.git("notes", "--ref=ktw", "append", "-F", str(large), row.split()[1])
    assert earned(mine) == Earned()


def test_a_memory_without_an_id_is_marked_by_its_place(mine: Repo) -> None:
    mine.write("context/plain.md", "# Plain\n\n## One way\n\nText.\n\n## Other\n\nText.\n")
    reinforce(mine.project, "plain#one-way", "test-passed", None, NOW)
    assert len(earned(mine, "plain#one-way").uses) == 1


SCRIPT = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from ktw.operations.reinforcing import reinforce
from ktw.store import find_project
now = datetime(2026, 2, int(sys.argv[2]), tzinfo=UTC)
reinforce(find_project(Path(sys.argv[1])), sys.argv[3], sys.argv[4], None, now)
"""


def test_of_writers_at_once_none_loses_a_mark(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("many") / "repo"
    repo = make_project(root, {"a.md": memory_text("A"), "b.md": memory_text("B")})
    repo.policy("local")
    repo.git("worktree", "add", "--quiet", "../beside")
    rows = [
        (place, str(day), make_id(title), evidence)
        for place in (str(root), str(root.parent / "beside"))
        for title, day, evidence in (("A", 1, "test-passed"), ("B", 1, "test-passed"))
    ]
    rows[2] = (rows[2][0], "2", rows[2][2], "diff-accepted")
    running = [subprocess.Popen([sys.executable, "-c", SCRIPT, *row]) for row in rows]
    assert [process.wait(120) for process in running] == [0, 0, 0, 0]
    assert len(earned(repo, make_id("A")).uses) == 2
    assert len(earned(repo, make_id("B")).uses) == 1
    with Objects(repo.project.repository) as objects:
        tip = objects.commit(marks.REF) or ""
        assert len(marks.note_of(objects, tip, make_id("B")).marks) == 2


def test_a_pin_ends_no_approval(mine: Repo) -> None:
    from ktw.memory import parse_memory

    mine.write("context/snapshot.md", claimed(memory_text()))
    before = mine.read("context/snapshot.md")
    pin(mine.project, ID, True, None, NOW)
    assert mine.read("context/snapshot.md") == before
    with Evidence(mine.project) as evidence:
        data = before.encode()
        file = parse_memory("context/snapshot.md", data)
        assert evidence.verdict(file, data).name == "unconfirmed"  # claimed, and not lapsed


def test_marks_that_a_fetch_would_write_count_for_nothing(mine: Repo) -> None:
    from ktw.operations.earned import earned as gathered

    def count() -> int:
        with Evidence(mine.project) as evidence:
            return len(gathered(evidence))

    reinforce(mine.project, ID, "test-passed", None, NOW)
    assert count() == 1
    mine.setting("remote.origin.fetch", "+refs/notes/*:refs/notes/*")
    assert count() == 0
    with pytest.raises(UsageError, match="not this clone's own"):
        reinforce(mine.project, ID, "test-passed", None, NOW)
