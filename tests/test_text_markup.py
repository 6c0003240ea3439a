"""HTML inside Markdown: what a browser does not show is found, in linear time."""

import time

import pytest

from ktw.text.markup import comments

CEILING_S = 5.0  # for a megabyte; it takes some tenths of one


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("a <!-- b --> c", [" b "]),
        ("<!-- a --><? b ?><![CDATA[ c ]]><!DOCTYPE d>", [" a ", " b ", " c ", "DOCTYPE d"]),
        ("<? a ?> <!-- b", [" a ", " b"]),
        ("<!-- <? a ?> -->", [" <? a ?> "]),
        ("<a> ! ? < !", []),
        ("", []),
    ],
)
def test_what_is_no_text_for_a_browser(text: str, inside: list[str]) -> None:
    assert [text[start:end] for start, end in comments(text)] == inside


@pytest.mark.parametrize(
    "unit", ["<!-- a -->\n", "<? a ?>", "<!a>", "<!--", "<!-- <", "<", "<? <!"]
)
def test_a_megabyte_takes_linear_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    started = time.process_time()
    assert sum(1 for _ in comments(text)) <= len(text)
    assert time.process_time() - started < CEILING_S
