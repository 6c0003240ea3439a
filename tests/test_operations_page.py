"""`ktw index --page`: the index in order, in its own style, or left alone with a reason."""

import pytest

from builders import Repo, memory_text
from ktw.errors import KtwError
from ktw.operations.page import tidy_page
from ktw.store import Changed, read_bytes

PAGE = "context/index.md"


def test_a_page_in_order_is_not_touched(repo: Repo) -> None:
    before = (repo.root / PAGE).read_bytes()
    assert not tidy_page(repo.project)
    assert (repo.root / PAGE).read_bytes() == before


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_bom_and_line_ends_stay(repo: Repo, mark: str, end: str) -> None:
    repo.write("context/cache.md", memory_text("Cache"))
    repo.write(PAGE, (mark + repo.read(PAGE)).replace("\n", end))
    assert tidy_page(repo.project)
    data = (repo.root / PAGE).read_bytes().decode()
    assert data.startswith(f"{mark}# ") and data.count("\ufeff") == len(mark)
    assert f"{end}- [cache.md](cache.md) — decision, agent, 2026-01-02{end}" in data
    assert data.replace(end, "").isprintable() or mark
    assert not tidy_page(repo.project)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"<<<<<<< ours\n=======\n>>>>>>> theirs\n", "markers of a merge conflict"),
        (b"## Decisions\n", "a heading that is none"),
        (b"\xff", "not text in UTF-8"),
    ],
)
def test_what_a_person_has_to_mend_is_left_and_said(repo: Repo, text: bytes, why: str) -> None:
    data = (repo.root / PAGE).read_bytes() + text
    repo.write(PAGE, data)
    with pytest.raises(KtwError, match=why):
        tidy_page(repo.project)
    assert (repo.root / PAGE).read_bytes() == data


def test_case_12_two_branches_are_merged_and_settled_by_one_command(repo: Repo) -> None:
    repo.write(".gitattributes", f"{PAGE} merge=union\n")
    repo.commit("union")
    for branch, name in (("one", "sync-a.md"), ("two", "sync-b.md")):
        repo.git("switch", "--quiet", "-c", branch, "main")
        repo.write(f"context/{name}", memory_text(name))
        tidy_page(repo.project)
        repo.commit(branch)
    repo.git("merge", "--quiet", "--no-edit", "one")
    tidy_page(repo.project)
    rows = [line for line in repo.read(PAGE).split("\n") if line.startswith("- ")]
    assert [row[3:].partition("]")[0] for row in rows] == ["snapshot.md", "sync-a.md", "sync-b.md"]


def test_a_page_that_changes_meanwhile_is_not_overwritten(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("context/cache.md", memory_text("Cache"))

    def read_then_change(*arguments: object) -> bytes:
        data = read_bytes(*arguments)  # type: ignore[arg-type]
        repo.write(PAGE, "# Somebody else's\n")
        return data

    monkeypatch.setattr("ktw.operations.page.read_bytes", read_then_change)
    with pytest.raises(Changed):
        tidy_page(repo.project)
    assert repo.read(PAGE) == "# Somebody else's\n"
