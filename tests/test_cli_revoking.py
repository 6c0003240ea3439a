"""`ktw revoke` and `remember --supersedes` as a person meets them, through a pseudo-terminal, and
as an agent does."""

import os
import subprocess
import sys

import pytest

from builders import Repo, Team, judged, make_id, memory_text

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from terminal import Terminal

SOURCE = ("revoke", "--source", "issues/12", "--reason", "it was forged")


@pytest.fixture
def repo(repo: Repo) -> Repo:
    """A project with two memories, one from a source that turned out to be bad."""
    repo.policy("local")
    repo.write("context/bad.md", memory_text("Bad", source="https://example.invalid/issues/12"))
    repo.commit("bad")
    return repo


def test_the_list_is_shown_and_a_yes_revokes_it_in_one_commit(repo: Repo) -> None:
    with Terminal(repo.root, SOURCE) as terminal:
        terminal.expect("Revoke this memory?")
        assert "unapproved" in terminal.seen and "context/bad.md" in terminal.seen
        assert "snapshot.md" not in terminal.seen
        terminal.type("y")
        assert terminal.end() == 0
    assert judged(repo.root, "bad.md").name == "revoked"
    assert repo.git("show", "--name-only", "--format=%s", "HEAD").split("\n")[-1] == (
        "context/revoked"
    )
    assert "committed" in terminal.seen


def test_what_is_revoked_is_listed_by_its_address(repo: Repo) -> None:
    id_ = make_id("Bad")
    with Terminal(repo.root, SOURCE) as terminal:
        terminal.expect("Revoke this memory?")
        terminal.type("")
        assert terminal.end() == 0
    assert f"unapproved   {id_}  context/bad.md\n" in terminal.seen


def test_a_branch_for_it_is_named_by_its_address(team: Team) -> None:
    with Terminal(team.work.root, ["revoke", "draft", "--reason", "x", "--yes"]) as terminal:
        terminal.expect(f"ktw/revoke-{make_id('Draft')[:8]} ")
        terminal.expect("instead?")
        terminal.type("y")
        assert terminal.end() == 0


def test_anything_but_a_yes_leaves_it(repo: Repo) -> None:
    with Terminal(repo.root, SOURCE) as terminal:
        terminal.expect("Revoke this memory?")
        terminal.type("")
        assert terminal.end() == 0
    assert repo.git("status", "--porcelain") == ""
    assert judged(repo.root, "bad.md").name == "unapproved"


def test_yes_asks_nothing(repo: Repo) -> None:
    with Terminal(repo.root, [*SOURCE, "--yes", "--no-commit"]) as terminal:
        assert terminal.end() == 0
    assert "not committed" in terminal.seen
    assert repo.git("status", "--porcelain") == "?? context/revoked"


def test_an_agent_is_refused(repo: Repo) -> None:
    with Terminal(repo.root, [*SOURCE, "--yes"], {"CLAUDECODE": "1"}) as terminal:
        assert terminal.end() == 1
    assert "revocation is a person's act" in terminal.seen
    assert repo.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((*SOURCE, "--yes"), 1, "is none here\n     Run it in a terminal of your own.\n"),
        (("revoke", "bad"), 2, "--reason"),
    ],
)
def test_without_a_terminal_or_a_reason_nothing_happens(
    repo: Repo, arguments: tuple[str, ...], code: int, told: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ktw", *arguments],
        cwd=repo.root,
        env={**os.environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert told in done.stderr
    assert repo.git("status", "--porcelain") == ""


def test_nothing_that_fits_is_told(repo: Repo) -> None:
    with Terminal(repo.root, ["revoke", "--source", "nowhere", "--reason", "x"]) as terminal:
        assert terminal.end() == 3
    assert "no memory fits" in terminal.seen


SUPERSEDE = ("remember", "Two snapshots", "--body", "Wait for two.", "--supersedes", "snapshot")


def test_an_agent_that_supersedes_writes_a_proposal(repo: Repo) -> None:
    before = repo.read("context/snapshot.md")
    with Terminal(repo.root, SUPERSEDE, {"CLAUDECODE": "1"}) as terminal:
        assert terminal.end() == 0
    assert "Approve" not in terminal.seen
    (written,) = (repo.root / "context").glob("decision-*.md")
    assert f"proposes: {make_id('Snapshot before buffer')}\n" in written.read_text("utf-8")
    assert repo.read("context/snapshot.md") == before


def test_a_person_that_supersedes_approves_both(repo: Repo) -> None:
    with Terminal(repo.root, SUPERSEDE) as terminal:
        terminal.expect("in the place of")
        terminal.type("y")
        assert terminal.end() == 0
    (written,) = (repo.root / "context").glob("decision-*.md")
    assert judged(repo.root, written.name).approved
    assert judged(repo.root).approved
    assert "**Status:** superseded" in repo.read("context/snapshot.md")
