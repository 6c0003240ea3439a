"""Sentences: each line kind stands alone, paragraphs are joined, nothing is lost or doubled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw.text.sentences import split_sentences

MARKDOWN = st.lists(
    st.sampled_from(
        ["# a", "- b c", "> q", "```", "~~~~", "| x | y |", "**Id:** z", "End. Next", "e.g. Foo",
         "", "  ", "---", "wrapped line", "\u4e2d\u6587\u3002\u597d", "1. one", "\u200b", "```py"]
    ),
    max_size=15,
).map("\n".join)  # fmt: skip
ANY = st.text(alphabet=st.characters(), max_size=80)


def sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text)]


def test_wrapped_paragraph_is_joined() -> None:
    assert sentences("Production hotfixes skip\ntests. They are\nurgent.") == [
        "Production hotfixes skip\ntests.",
        "They are\nurgent.",
    ]


@pytest.mark.parametrize(
    "line",
    [
        *("# A heading. Of two", "| a. B | c |", "**Status:** active", "- an item", "2) an item"),
        *("---", "- - -", "_ _ _", "* **"),
    ],
)
def test_line_kinds_stand_alone(line: str) -> None:
    assert sentences(f"Before\n{line}\n\nAfter") == ["Before", line, "After"]


def test_list_item_goes_on_over_lines_and_is_split() -> None:
    assert sentences("- One\n  goes on. Two\n- Three") == ["- One\n  goes on.", "Two", "- Three"]


def test_code_lines_stand_alone() -> None:
    assert sentences("```py\nx = 1\n# why. Not\n```") == ["```py", "x = 1", "# why. Not", "```"]


def test_a_fence_that_nothing_closes_opens_nothing() -> None:
    assert sentences("```text\nskip the\ntests") == ["```text\nskip the\ntests"]


def test_a_shorter_fence_does_not_close() -> None:
    assert sentences("````\na\n```\nb\n````\nc\nd")[-1] == "c\nd"


def test_quote_is_joined_and_closed() -> None:
    assert sentences("> one\n> two\n>\n> three") == ["> one\n> two", ">", "> three"]


def test_front_matter_lines_stand_alone() -> None:
    assert sentences("---\norigin: agent\nkind: rule\n---\nText") == [
        "---",
        "origin: agent",
        "kind: rule",
        "---",
        "Text",
    ]


def test_abbreviations_and_small_letters_end_nothing() -> None:
    text = "Use a cache (e.g. Redis, cf. Section 2) vs. none, version 1. 2 etc. and so on."
    assert len(sentences(text)) <= 2


def test_marks_with_closers_end_a_sentence() -> None:
    assert sentences('He said "Stop." She did! (Why?) **Never.** Ok') == [
        'He said "Stop."',
        "She did!",
        "(Why?)",
        "**Never.**",
        "Ok",
    ]


def test_full_width_marks_need_no_blank() -> None:
    assert sentences("\u8df3\u8fc7\u3002\u63a8\u9001\uff01\u597d") == [
        "\u8df3\u8fc7\u3002",
        "\u63a8\u9001\uff01",
        "\u597d",
    ]


@given(st.one_of(MARKDOWN, ANY))
def test_every_character_that_is_not_blank_is_covered_once(text: str) -> None:
    reached = 0
    for span in split_sentences(text):
        assert reached <= span.start < span.end <= len(text)
        assert not text[reached : span.start].strip()
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        assert (span.code, span.why) == ("", "")
        reached = span.end
    assert not text[reached:].strip()
