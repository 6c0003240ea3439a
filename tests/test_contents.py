"""The index page: sorted rows under 36 headings, people's words left alone."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import memory_text
from ktw.contents import (
    HEADINGS,
    heading_of,
    obstacle,
    row,
    row_of,
    rows,
    skeleton,
    tidied,
    with_row,
    with_rows,
    without_row,
)
from ktw.errors import KtwError
from ktw.memory import parse_memory

DAY = "2026-11-29"


def told(name: str) -> str:
    return row(name, "decision", "agent", DAY)


def names(text: str) -> list[str]:
    return re.findall(r"^- \[([^\]\n]+)\]", text, re.MULTILINE)


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


def test_many_rows_at_once_stand_where_each_alone_would() -> None:
    page = with_row(skeleton(), "kept.md", "- [kept.md](kept.md) — as people say")
    new = ["a.md", "k.md", "kept2.md", "m-1.md", "z.md"]
    one_by_one = page
    for name in new:
        one_by_one = with_row(one_by_one, name, told(name))
    at_once = with_rows(page, {name: told(name) for name in reversed(new)})
    assert at_once == one_by_one and "as people say" in at_once
    worded = page.replace("## M\n", "## M\n\nWords of ours.\n")
    assert "Words of ours." in with_rows(worded, {name: told(name) for name in new})


def test_many_rows_leave_a_page_that_only_a_person_can_mend() -> None:
    with pytest.raises(KtwError, match="none of 0 to 9"):
        with_rows(skeleton() + "\n## Ours\n", {name: told(name) for name in ("a.md", "b.md")})


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


# --- a page put in order -----------------------------------------------------------------------

ROWS = {"aa.md": told("aa.md"), "ab.md": told("ab.md"), "x.md": None}


def test_case_12_what_a_union_merge_leaves_is_settled() -> None:
    merged = skeleton().replace(
        "## A\n", f"## A\n\n{told('ab.md')}\n{told('aa.md')}\n{told('ab.md')}\n\n## A\n"
    )
    text = tidied(merged, ["aa.md", "ab.md"], ROWS.get)
    assert names(text) == ["aa.md", "ab.md"]
    assert headings(text) == list(HEADINGS)
    assert tidied(text, ["aa.md", "ab.md"], ROWS.get) == text
    one = with_row(skeleton(), "aa.md", told("aa.md"))
    assert text == with_row(one, "ab.md", told("ab.md"))


def test_rows_of_people_are_kept_and_those_of_ktw_made_true() -> None:
    page = (
        "# Index\n\nOurs.\n\n## X\n\n- [x.md](x.md#one) — first\n  and how it goes on\n"
        "- [x.md](./x.md) — second\n- [x.md](x.md#one) — first\n  and how it goes on\n"
        "- [aa.md](aa.md) — a title that ktw never writes\n- [gone.md](gone.md) — dead\n"
        "- [the log](log.txt) — no memory\n\nA sentence below X.\n"
    )
    text = tidied(page, ["x.md", "aa.md"], ROWS.get)
    assert text.startswith("# Index\n\nOurs.\n\n## 0\n\n## 1\n")
    assert f"## A\n\n{told('aa.md')}\n\n## B\n" in text
    assert (
        "## X\n\n- [the log](log.txt) — no memory\n\nA sentence below X.\n\n"
        "- [x.md](x.md#one) — first\n  and how it goes on\n- [x.md](./x.md) — second\n\n## Y\n"
    ) in text
    assert "gone.md" not in text and "a title" not in text


def test_a_file_that_nobody_described_gets_no_row() -> None:
    assert names(tidied(skeleton(), ["x.md"], ROWS.get)) == []


def test_a_name_in_another_normal_form_is_the_same_file() -> None:
    row_of_it = "- [\u00fcber.md](\u00fcber.md) — about"
    page = skeleton().replace("## U\n", f"## U\n\n{row_of_it}\n")
    assert row_of_it in tidied(page, ["u\u0308ber.md"], ROWS.get)


def test_what_stands_in_a_fence_is_no_row() -> None:
    page = skeleton().replace(
        "## 0\n", "```\n- [gone.md](gone.md) — an example\n## X\n```\n\n## 0\n"
    )
    assert tidied(page, [], ROWS.get) == page


def test_blank_lines_alone_are_no_disorder() -> None:
    page = skeleton().replace("\n\n", "\n\n\n")
    assert tidied(page, [], ROWS.get) == page


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("# I\n\n<<<<<<< ours\n=======\n>>>>>>> theirs\n", "merge conflict"),
        ("# I\n\n>>>>>>> theirs\n", "merge conflict"),
        ("# I\n\n## Decisions\n", "none of 0 to 9"),
        ("# I\n\n## a\n", "none of 0 to 9"),
        ("# I\n\n```\n## 0\n", "never closed"),
        ("# I\n\n- [a.md](a.md)\n  ```\n  x\n  ```\n", "inside a list"),
        ("# I\n\n```\n<<<<<<< ours\n## Decisions\n```\n\n=======\n", ""),
        (skeleton(), ""),
    ],
)
def test_what_only_a_person_can_put_in_order(page: str, why: str) -> None:
    assert why in obstacle(page) and bool(why) == bool(obstacle(page))


@given(_NAMES, st.text("#-[]().md aAxX`\n", max_size=80))
def test_any_page_comes_into_order_once_and_loses_no_other_line(
    found: list[str], page: str
) -> None:
    text = tidied(page, found, told)
    if not obstacle(page):
        assert tidied(text, found, told) == text
    if not obstacle(page) and "`" not in page:
        assert names(text) == sorted(found, key=lambda n: (HEADINGS.index(heading_of(n)), n))
        kept = [line for line in page.split("\n") if line.strip() and "](" not in line]
        assert not {line for line in kept if not line.startswith("#")} - set(text.split("\n"))


def test_only_files_of_ktw_have_a_row_of_their_own() -> None:
    whole = parse_memory("context/a.md", memory_text().encode())
    assert row_of(whole) == "- [a.md](a.md) — decision, agent, 2026-01-02"
    for old, new in (("kind: decision", "kind: idea"), ("origin: agent", "origin: me"),
                     ("created_at: 2026-01-02", "created_at: 2026-02-30")):  # fmt: skip
        other = parse_memory("context/a.md", memory_text().replace(old, new).encode())
        assert row_of(other) is None
