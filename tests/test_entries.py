"""Entries: headings and fences as CommonMark has them, distinct anchors, prose without header."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw import entries as entries_module
from ktw.entries import (
    HEADER_LABELS,
    anchor,
    format_entry,
    heading,
    parse_entries,
    prose,
    unfenced_lines,
)

ID = "2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c"


def titles(body: str) -> list[str]:
    return [entry.title for entry in parse_entries(body)]


# --- headings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "level", "text"),
    [
        ("# T", 1, "T"),
        ("##\tT", 2, "T"),
        ("## T  ", 2, "T"),
        ("   ## T", 2, "T"),
        ("    ## T", 0, ""),
        ("##", 2, ""),
        ("## ", 2, ""),
        ("##T", 0, ""),
        ("####### T", 0, ""),
        ("## T ##", 2, "T"),
        ("## T #######   ", 2, "T"),
        ("## T#", 2, "T#"),
        ("## T \\#", 2, "T \\#"),
        ("## T # b", 2, "T # b"),
        ("## ##", 2, ""),
        ("\u00a0## T", 0, ""),
        ("\\## T", 0, ""),
        ("> ## T", 0, ""),
    ],
)
def test_heading_lines(line: str, level: int, text: str) -> None:
    assert heading(line) == (level, text)


def test_an_entry_ends_at_the_next_heading_of_level_one_or_two() -> None:
    body = "# T\n\n## A\n\nx\n\n### below\n\ny\n\n## B\n\nz\n\n# Other\n\nnot an entry\n"
    first, second = parse_entries(body, 10)
    assert (first.title, first.line, first.end_line) == ("A", 12, 18)
    assert first.text == "x\n\n### below\n\ny"
    assert (second.title, second.text) == ("B", "z")


def test_headings_that_repeat_get_a_number() -> None:
    body = "## A b\n## A b\n## A-b-1\n## a B\n## !\n## ?\n"
    anchors = [entry.anchor for entry in parse_entries(body)]
    assert anchors == ["a-b", "a-b-1", "a-b-1-1", "a-b-2", "", "-1"]


@given(st.lists(st.sampled_from(("a", "a-1", "A", "a-1-1", "a-2", "?", "-1")), max_size=12))
def test_anchors_of_one_file_all_differ(found: list[str]) -> None:
    anchors = [entry.anchor for entry in parse_entries("".join(f"## {t}\n" for t in found))]
    assert len(set(anchors)) == len(found)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Snapshot before buffer", "snapshot-before-buffer"),
        ("  `git push` refuses: why?  ", "git-push-refuses-why"),
        ("C++ & Co_x", "c--co_x"),
        ("Größe и база", "größe-и-база"),
        ("記憶 1.10", "記憶-110"),
    ],
)
def test_anchor(title: str, expected: str) -> None:
    assert anchor(title) == expected


# --- fences ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("```\n## in\n```\n## out\n", ["out"]),
        ("~~~\n## in\n```\n## in\n~~~\n## out\n", ["out"]),
        ("````\n```\n## in\n````\n## out\n", ["out"]),
        ("```\n## in\n`````\n## out\n", ["out"]),
        ("   ```\n## in\n  ```\n## out\n", ["out"]),
        ("    ```\n## out\n", ["out"]),
        ("```\n## in\n    ```\n## in\n", []),
        ("```\n## in\n``` x\n## in\n", []),
        ("```\n## in\n```\u00a0\n## in\n", []),
        ("```\n## in\n``` \t\n## out\n", ["out"]),
        ("``` a`b\n## out\n", ["out"]),
        ("~~~ a`b\n## in\n~~~\n", []),
        ("``\n## out\n", ["out"]),
        ("text\n```\n## in\n", []),
        ("> ```\n## out\n", ["out"]),
        ("- ```\n  ## in\n  ```\n## out\n", ["out"]),
        ("- ```\n  ## in\n## out\n", ["out"]),
        ("1. step\n\n   ~~~\n   ## in\n   ~~~\n\n## out\n", ["out"]),
        ("10. step\n\n    ```\n    ## in\n\n    ## in\n    ```\n\n## out\n", ["out"]),
        ("- a\n  - b\n    ```\n    ## in\n    ```\n  ## in a list\n## out\n", ["out"]),
        ("- - ```\n    ## in\n- x\n\n## out\n", ["out"]),
        ("-\n  ```\n  ## in\n  ```\n## out\n", ["out"]),
        ("*emphasis*\n```\n## in\n```\n## out\n", ["out"]),
        ("- - -\n## out\n", ["out"]),
        ("1.10 is a version\n## out\n", ["out"]),
    ],
)
def test_what_stands_in_a_fence_is_no_heading(body: str, expected: list[str]) -> None:
    assert titles(body) == expected


def test_a_field_in_a_fence_is_none() -> None:
    (entry,) = parse_entries(f"## A\n\n```\n**Id:** {ID}\n```\n**Type:** decision\n")
    assert [(field.label, field.line) for field in entry.fields] == [("Type", 6)]


@given(st.text("`~-#> \n1.)a", max_size=60))
def test_unfenced_lines_are_lines_of_the_text(text: str) -> None:
    lines = text.split("\n")
    found = unfenced_lines(text)
    assert all(lines[index] == line for index, line in found)
    assert [index for index, _ in found] == sorted({index for index, _ in found})


@pytest.mark.parametrize(
    "unit",
    [
        "- ",
        "#",
        "# ",
        "`",
        "``` ",
        "\n- ",
        "\n  - ",
        "1. ",
        "**Id:** ",
        "\n## a",
        " ",
        "\n```",
        "*",
        "\n## a\n**Id:** x",
    ],
)
def test_a_megabyte_is_read_in_bounded_time(unit: str) -> None:
    body = unit * (1024 * 1024 // len(unit))
    started = time.process_time()
    entries = parse_entries(body)
    for entry in entries[:50]:
        prose(entry)
    assert time.process_time() - started < 5


# --- fields and prose --------------------------------------------------------------------------


def test_fields_are_read_in_order_and_repeats_are_kept() -> None:
    body = (
        f"## A\n\n**Id:** {ID}\n**Type:** decision\n**Type:** incident \n\nx\n\n**Status:** open\n"
    )
    (entry,) = parse_entries(body)
    assert (entry.id, entry.type, entry.status, entry.evidence) == (ID, "decision", "open", None)
    assert [field.value for field in entry.get("Type")] == ["decision", "incident"]
    assert [field.line for field in entry.fields] == [3, 4, 5, 9]


@pytest.mark.parametrize(
    "line", ["**id:** x", "**Id** x", " **Id:** x", "- **Id:** x", "**Reason:** x"]
)
def test_labels_are_compared_exactly(line: str) -> None:
    (entry,) = parse_entries(f"## A\n\n{line}\n")
    assert entry.fields == ()


def test_prose_leaves_out_the_lines_that_only_address() -> None:
    header = f"**Id:** {ID}\n**Type:** decision\n**Status:** active\n**Evidence:** confirmed\n"
    (entry,) = parse_entries(
        f"## A\n\n{header}**Source:** the wiki\n**Revisit when:** 4.0\n\n"
        "Text.\n\n**Status:** open\n"
    )
    assert prose(entry) == (
        "**Source:** the wiki\n**Revisit when:** 4.0\n\nText.\n\n**Status:** open"
    )
    assert prose(parse_entries(f"## A\n\n{header}")[0]) == ""
    assert prose(parse_entries("## A\nText.\n")[0]) == "Text."


# --- round trip --------------------------------------------------------------------------------

_TITLES = st.text(st.characters(blacklist_characters="\n\r"), min_size=1, max_size=40).map(
    str.strip
)
HARD_TITLES = tuple(
    "`git push` refuses|@owner says|- dash|# hash|: colon|a #|#|C#|\\#|a \\#|##|> q|1. one|*"
    "|**Id:** x|```|[a](b)|a\tb".split("|")
)


@given(st.one_of(_TITLES.filter(bool), st.sampled_from(HARD_TITLES)))
def test_a_title_comes_back_as_it_was(title: str) -> None:
    text = format_entry(title, [("Id", ID), ("Status", "active")], "Text.\n\n- a\n")
    (entry,) = parse_entries(f"# Topic\n\n{text}")
    assert entry.title == title
    assert (entry.id, entry.status, prose(entry)) == (ID, "active", "Text.\n\n- a")


@pytest.mark.parametrize("title", HARD_TITLES)
def test_case_3_titles_of_the_command_line_come_back(title: str) -> None:
    assert titles(format_entry(title, [], "x")) == [title]


def test_every_header_label_is_read() -> None:
    text = format_entry("A", [(label, "x") for label in HEADER_LABELS], "y")
    assert [field.label for field in parse_entries(text)[0].fields] == list(HEADER_LABELS)


_PIECES = ("#", "## a", "### b", " ", "   ", "\t", "- ", "1. ", "* ", "**Id:** x", "text", "> ", "")


@given(st.lists(st.lists(st.sampled_from(_PIECES), max_size=4).map("".join), max_size=8))
def test_without_fences_the_quick_look_sees_what_the_whole_scan_sees(lines: list[str]) -> None:
    text = "\n".join(lines)
    whole = [
        (index, line)
        for index, line, in_list in entries_module._open_lines(text)[0]
        if line.startswith("**") or (heading(line)[0] and not in_list)
    ]
    marked, _ = entries_module._marked_lines(text)
    assert [row for row in marked if row[1].startswith("**") or heading(row[1])[0]] == whole
