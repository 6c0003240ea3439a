"""The index page: sorted rows under 36 headings, people's words left alone."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw.contents import HEADINGS, heading_of, row, rows, skeleton, tidied, with_row, without_row

DAY = "2026-11-29"


def told(name: str) -> str:
    return row(name, "decision", "agent", DAY)


def names(text: str) -> list[str]:
    return re.findall(r"^- \[([^\]]+)\]", text, re.MULTILINE)


def headings(text: str) -> list[str]:
    return re.findall(r"^## (.)$", text, re.MULTILINE)


def test_a_row_says_kind_origin_and_day_and_no_word_of_the_file() -> None:
    assert row("sync-2f1c5b7e.md", "decision", "agent", DAY) == (
        "- [sync-2f1c5b7e.md](sync-2f1c5b7e.md) — decision, agent, 2026-11-29"
    )


def test_the_skeleton_has_the_36_headings_in_order() -> None:
    assert headings(skeleton()) == list(HEADINGS)
    assert len(HEADINGS) == 36
    assert skeleton().startswith("# ")
    assert skeleton().endswith("## Z\n")


@pytest.mark.parametrize(
    ("name", "heading"),
    [("sync.md", "S"), ("Sync.md", "S"), ("007.md", "0"), ("9.md", "9"), ("_x.md", "0"),
     ("é.md", "0"), ("ßa.md", "0"), ("記憶.md", "0"), ("", "0")],
)  # fmt: skip
def test_a_file_stands_under_its_first_character(name: str, heading: str) -> None:
    assert heading_of(name) == heading


_NAMES = st.lists(
    st.text("abAB09_-.é", min_size=1, max_size=5).map(lambda stem: f"{stem}.md"),
    unique=True,
    max_size=10,
)


@given(_NAMES)
def test_rows_are_sorted_in_whatever_order_they_came(found: list[str]) -> None:
    text = skeleton()
    for name in found:
        text = with_row(text, name, told(name))
    wanted = sorted(found, key=lambda name: (HEADINGS.index(heading_of(name)), name))
    assert names(text) == wanted
    assert headings(text) == list(HEADINGS)
    assert rows(text) == {name: told(name) for name in found}
    again = skeleton()
    for name in reversed(found):
        again = with_row(again, name, told(name))
    assert again == text
    for name in found:
        again = with_row(again, name, told(name))
        assert again == text


def test_people_s_rows_and_words_are_kept_as_they_are() -> None:
    page = (
        "# Why\n\nOur introduction, with `code`.\n\n## 0\n\n## A\n\n"
        "- [a.md](a.md) — how we *really* deploy\n* [b](b.md)\n  - [c.md](./c.md) — indented\n\n"
        "A sentence in between.\n\n## B\n"
    )
    text = with_row(page, "ab-12345678.md", told("ab-12345678.md"))
    kept = [line for line in text.split("\n") if line not in (told("ab-12345678.md"),)]
    assert "\n".join(kept) == page
    assert text.index("ab-12345678.md") > text.index("how we *really* deploy")
    assert without_row(text, "ab-12345678.md") == page


def test_case_12_rows_that_a_union_merge_doubled_survive() -> None:
    twice = skeleton().replace(
        "## A\n", f"## A\n\n{told('ab.md')}\n{told('aa.md')}\n{told('ab.md')}\n"
    )
    text = with_row(twice, "ac.md", told("ac.md"))
    assert sorted(names(text)) == ["aa.md", "ab.md", "ab.md", "ac.md"]
    assert names(with_row(text, "ab.md", told("ab.md"))).count("ab.md") == 1


def test_case_12_two_branches_rows_merge_by_union() -> None:
    base = skeleton()
    ours = with_row(base, "aa.md", told("aa.md"))
    theirs = with_row(base, "ab.md", told("ab.md"))
    merged = ours.replace(told("aa.md"), f"{told('aa.md')}\n{told('ab.md')}")
    assert rows(merged) == rows(ours) | rows(theirs)


def test_a_missing_heading_is_added() -> None:
    text = with_row("# Index\n", "sync.md", told("sync.md"))
    assert text == f"# Index\n\n## S\n\n{told('sync.md')}\n"
    assert with_row("", "sync.md", told("sync.md")).endswith(f"## S\n\n{told('sync.md')}\n")


@given(st.text("#-[]().md aA\n", max_size=60))
def test_any_page_keeps_its_other_lines(page: str) -> None:
    text = with_row(page, "a.md", told("a.md"))
    assert told("a.md") in text.split("\n")
    before = [line for line in without_row(page, "a.md").split("\n") if line.strip()]
    after = [line for line in without_row(text, "a.md").split("\n") if line.strip()]
    assert [line for line in after if line != "## A" or line in before] == before


def test_a_page_is_tidied_by_what_the_files_say_and_people_s_rows_are_kept() -> None:
    page = with_row(skeleton(), "a.md", "- [a.md](a.md) \u2014 always wait for the snapshot")
    page = with_row(page, "b.md", "- [b.md](b.md) \u2014 what people wrote")
    ours = {"a.md": told("a.md")}
    assert rows(tidied(page, ["b.md", "a.md"], ours.get)) == {
        "a.md": told("a.md"),
        "b.md": "- [b.md](b.md) \u2014 what people wrote",
    }
