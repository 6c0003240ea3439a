"""Owner's memories are the owner's: an agent proposes, a person supersedes with an approval."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import Repo, claimed, judged, make_id, make_project, memory_text
from ktw.errors import KtwError, UsageError
from ktw.operations.approving import approve
from ktw.operations.candidate import candidate
from ktw.operations.finding import NotFound
from ktw.operations.reading import recall
from ktw.operations.superseding import (
    all_of,
    may_change,
    supersede,
    target_id,
)
from ktw.operations.writing import Draft, remember

NOW = datetime(2026, 2, 1, tzinfo=UTC)
OLD = make_id("Snapshot before buffer")
FILE = "context/snapshot.md"


@pytest.fixture
def store(tmp_path: Path) -> Repo:
    """`snapshot.md` is approved here, `mine.md` the owner's own, `draft.md` an agent's."""
    files = {
        "snapshot.md": memory_text(),
        "mine.md": memory_text("Mine", origin="owner"),
        "draft.md": memory_text("Draft"),
    }
    repo = make_project(tmp_path / "store", files)
    repo.policy("local")
    chosen = candidate(repo.project, "snapshot")
    approve(repo.project, chosen, chosen.key, NOW, person=True)
    return repo


@pytest.mark.parametrize(
    ("memory", "expected"), [("snapshot", False), ("mine", False), ("draft", True)]
)
def test_an_agent_may_change_what_no_owner_wrote_or_approved(
    store: Repo, memory: str, expected: bool
) -> None:
    found = all_of(store.project, memory)
    assert may_change(found, by_agent=True) is expected
    assert may_change(found, by_agent=False)


def test_an_edit_of_its_file_does_not_make_it_the_agents(store: Repo) -> None:
    store.write(FILE, memory_text(body="Other words."))
    assert not may_change(all_of(store.project, OLD), by_agent=True)
    (store.root / FILE).unlink()
    assert not may_change(all_of(store.project, OLD), by_agent=True)


def test_what_an_agent_writes_supersedes_nothing_in_the_ranking(store: Repo) -> None:
    def score() -> float:
        found = recall(store.project, "snapshot", NOW, model="off").found
        return next(one.score for one in found if one.reading.verdict.approved)

    before = score()
    text = memory_text("Zebra", f"Grey.\n\n**Superseded by:** {OLD}", proposes=OLD)
    store.write("context/zebra.md", text.replace("**Status:** active", "**Status:** superseded"))
    assert score() == before


def test_its_status_edited_away_leaves_the_approved_one_in_force(store: Repo) -> None:
    text = store.read(FILE).replace(
        "**Status:** active", f"**Status:** superseded\n**Superseded by:** {make_id('Draft')}"
    )
    store.write(FILE, text)
    first = recall(store.project, "snapshot buffer", NOW, model="off").found[0].reading
    assert first.verdict.approved
    assert first.status == "active"


def test_a_person_supersedes_and_both_are_approved(store: Repo) -> None:
    draft = Draft("Two of them", "Wait for two.", origin="owner", proposes=OLD)
    new = remember(store.project, draft, NOW)
    done = supersede(store.project, OLD, new.id, NOW)
    assert [verdict.name for _, verdict in done.verdicts] == ["approved", "approved"]
    assert f"**Status:** superseded\n**Superseded by:** {new.id}\n" in store.read(FILE)
    assert "proposes" not in store.read(new.path)
    assert judged(store.root).approved
    assert [one.entry.get("Superseded by")[0].value for one in all_of(store.project, OLD)] == [
        new.id
    ]


def test_line_ends_stay(store: Repo) -> None:
    store.write(FILE, store.read(FILE).replace("\n", "\r\n"))
    new = remember(store.project, Draft("Two", "Wait.", origin="owner", proposes=OLD), NOW)
    supersede(store.project, OLD, new.id, NOW)
    assert b"\n" not in (store.root / FILE).read_bytes().replace(b"\r\n", b"")


def test_where_approving_fails_all_is_as_it_was(store: Repo) -> None:
    new = remember(store.project, Draft("Two", "Wait.", origin="owner", proposes=OLD), NOW)
    before = store.read(FILE), store.read(new.path)
    store.write(".git/MERGE_HEAD", store.git("rev-parse", "HEAD"))
    with pytest.raises(KtwError, match="in progress"):
        supersede(store.project, OLD, new.id, NOW)
    assert (store.read(FILE), store.read(new.path)) == before


def test_a_target_is_a_memory_with_an_id(store: Repo) -> None:
    assert target_id(store.project, "snapshot") == OLD
    with pytest.raises(NotFound):
        target_id(store.project, "nothing-like-it")
    store.write("context/plain.md", "# Plain\n\n## One\n\nText.\n")
    with pytest.raises(UsageError, match="no Id"):
        target_id(store.project, "plain")


def test_claims_alone_make_no_owner(store: Repo) -> None:
    store.write("context/forged.md", claimed(memory_text("Forged")))
    assert may_change(all_of(store.project, "forged"), by_agent=True)
