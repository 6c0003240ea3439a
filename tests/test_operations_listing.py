"""A page of the list is that part of the whole list, and reads no more memories than it shows."""

from itertools import product

import pytest

from builders import Repo, Team, claimed, make_id, memory_text
from ktw.operations import finding
from ktw.operations.listing import ALL, Wanted, page
from ktw.operations.reading import list_memories
from ktw.render import Reading
from ktw.store import Project

WANTED = [
    Wanted(*each)
    for each in product(
        (None, "approved", "unapproved", "lapsed"), (None, "rule", "decision"), (None, "owner")
    )
]


@pytest.fixture
def mixed(team: Team) -> Repo:
    """Approved, edited, gone, of several kinds and origins, unreadable, two in a file."""
    work = team.work
    for number in range(3):
        text = memory_text(f"Rule {number}", kind="rule", origin="owner")
        work.write(f"context/rule-{number}.md", claimed(text) if number else text)
    work.commit("rules")
    team.push()
    work.write("context/snapshot.md", claimed(memory_text()).replace("waits", "does not wait"))
    (work.root / "context/rule-1.md").unlink()
    work.write("context/broken.md", "---\na: 1\na: 2\n---\n# B\n")
    entry = memory_text("Second", id_=make_id("second")).partition("# Topic\n")[2]
    work.write("context/two.md", memory_text("First", id_=make_id("first")) + entry)
    work.write("context/plain.md", "# Plain\n" + entry.replace(make_id("second"), make_id("p")))
    return work


def addresses(readings: list[Reading]) -> list[str]:
    return [one.address for one in readings]


def test_pages_put_together_are_the_list(mixed: Repo) -> None:
    for wanted in WANTED:
        _compare(mixed, wanted)


def _compare(mixed: Repo, wanted: Wanted) -> None:
    whole = list_memories(mixed.project, *wanted)
    found: list[Reading] = []
    while True:
        part = page(mixed.project, len(found), 4, wanted)
        found += part.readings
        rest = whole.readings[len(found) :]
        assert part.left == len(rest) and part.notices == whole.notices
        assert part.left_unapproved == sum(not one.verdict.approved for one in rest)
        if not part.left:
            break
    assert addresses(found) == addresses(whole.readings)
    assert [one.verdict.name for one in found] == [one.verdict.name for one in whole.readings]
    assert len(found) == 9 or wanted != ALL


def test_without_counts_the_same_memories_come(mixed: Repo) -> None:
    for offset in range(0, 12, 3):
        counted = page(mixed.project, offset, 3)
        plain = page(mixed.project, offset, 3, counts=False)
        assert addresses(plain.readings) == addresses(counted.readings)
        assert (plain.left, plain.left_unapproved) == (counted.left, None)


def test_no_more_memories_are_read_than_are_shown(
    mixed: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        mixed.write(f"context/z-{number}.md", memory_text(f"Z {number}"))
    page(mixed.project, 0, 1)  # so that the index is up to date
    real, read = finding.read_bytes, []

    def counting(project: Project, name: str, *told: object) -> bytes:
        read.append(name)
        return real(project, name, *told)

    monkeypatch.setattr(finding, "read_bytes", counting)
    for offset in (0, 10, 30):
        read.clear()
        assert len(page(mixed.project, offset, 4).readings) == 4
        assert len(read) <= 4 + 2  # and what is displaced here


def test_what_is_written_meanwhile_is_judged_as_it_is(repo: Repo) -> None:
    found = page(repo.project, 0, 5, Wanted(kind="decision"))
    assert addresses(found.readings) == [make_id("Snapshot before buffer")]
    repo.write("context/snapshot.md", memory_text(kind="rule"))
    assert page(repo.project, 0, 5, Wanted(kind="decision")).readings == []
    assert page(repo.project, 9, 5).readings == []
