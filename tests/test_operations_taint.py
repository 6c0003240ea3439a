"""Taint: what a memory was made from reaches its reader and its reviewer, not its verdict."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import Repo, Team, claimed, copy_team, make_id, make_team, memory_text
from ktw.memory import parse_memory
from ktw.operations import queue
from ktw.operations.candidate import candidate
from ktw.operations.reading import findings_of, list_memories, recall, show_memory
from ktw.render import as_data
from ktw.revoked import with_revoked

NOW = datetime(2026, 2, 1, tzinfo=UTC)
SOURCE = make_id("Snapshot before buffer")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("team") / "template"
    root.mkdir()
    return root


@pytest.fixture
def team(template: Path, tmp_path: Path) -> Team:
    """`snapshot.md` is approved, and so is `summary.md`, which was made from it."""
    if not any(template.iterdir()):
        team = make_team(template)
        text = memory_text("Elephant summary", "Wait.", origin="derived", derived_from=[SOURCE])
        team.work.write("context/summary.md", claimed(text))
        team.work.commit("summary")
        team.push()
    return copy_team(template, tmp_path / "team")


def revoke_source(repo: Repo) -> None:
    file = parse_memory("x.md", (repo.root / "context/snapshot.md").read_bytes())
    repo.write("context/revoked", with_revoked(b"", [file.computed_hash], "2026-01-04", "forged"))


def drop_source(team: Team) -> None:
    (team.work.root / "context/snapshot.md").unlink()
    team.work.commit("gone")
    team.push()


def unapprove_source(team: Team) -> None:
    team.work.write("context/snapshot.md", memory_text())
    team.work.commit("unapproved")
    team.push()


def taint(team: Team, code: str) -> None:
    if code == "P223":
        revoke_source(team.work)
    elif code == "P224":
        drop_source(team)
    else:
        unapprove_source(team)


CODES = ("P223", "P224", "P225")


def test_sources_that_hold_are_not_spoken_of(team: Team) -> None:
    (found,) = recall(team.work.project, "elephant", NOW, model="off").found
    assert found.reading.taints == ()
    assert "findings" not in as_data(found.reading)


def test_a_source_in_force_from_git_holds(team: Team) -> None:
    (team.work.root / "context/snapshot.md").unlink()
    (found,) = recall(team.work.project, "elephant", NOW, model="off").found
    assert found.reading.taints == ()


@pytest.mark.parametrize("code", CODES)
def test_a_reader_is_told_on_every_channel(team: Team, code: str) -> None:
    taint(team, code)
    project = team.work.project
    (found,) = recall(project, "elephant", NOW, model="off").found
    ((shown, text),) = show_memory(project, "summary")
    (listed,) = [one for one in list_memories(project).readings if one.file.slug == "summary"]
    for reading in (found.reading, shown, listed):
        assert reading.verdict.approved
        assert [one.code for one in reading.taints] == [code]
        assert [one["code"] for one in as_data(reading)["findings"]] == [code]  # type: ignore[attr-defined]
    for told in (found.shown.text, text.text):
        assert f"[{code}: it was made from Id {SOURCE}, " in told
    assert code in [finding["code"] for finding in findings_of(shown)]


@pytest.mark.parametrize("code", CODES)
def test_inside_a_frame_it_is_told_too(team: Team, code: str) -> None:
    taint(team, code)
    text = memory_text("Zebra summary", origin="derived", derived_from=[SOURCE])
    team.work.write("context/zebra.md", text)
    (found,) = recall(team.work.project, "zebra", NOW, model="off").found
    assert f"| [{code}: it was made from Id {SOURCE}, " in found.shown.text


@pytest.mark.parametrize("code", CODES)
def test_a_reviewer_is_told_and_a_revoked_source_has_to_be_named(team: Team, code: str) -> None:
    taint(team, code)
    text = memory_text("Zebra summary", origin="derived", derived_from=[SOURCE])
    team.work.write("context/zebra.md", text)
    project = team.work.project
    assert code in [finding.code for finding in candidate(project, "zebra").findings]
    (waiting,) = [one for one in queue.queue(project) if one.name == "zebra.md"]
    again = queue.again(waiting)
    assert again is not None
    for one in (waiting, again):
        assert code in [finding.code for finding in one.candidate.findings]
        assert (code in [finding.code for finding in one.grave]) == (code == "P223")
        assert one.obstacle is None


def test_a_memory_made_from_itself_has_no_source(team: Team) -> None:
    own = make_id("Zebra")
    team.work.write("context/zebra.md", memory_text("Zebra", derived_from=[own]))
    (found,) = recall(team.work.project, "zebra", NOW, model="off").found
    assert [one.code for one in found.reading.taints] == ["P224"]


def test_an_address_is_no_memory(team: Team) -> None:
    url = "https://example.invalid/issues/12"
    team.work.write("context/zebra.md", memory_text("Zebra", derived_from=[url]))
    (found,) = recall(team.work.project, "zebra", NOW, model="off").found
    assert found.reading.taints == ()
