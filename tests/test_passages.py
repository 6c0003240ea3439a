"""Passages of long texts: nothing is lost, and they end where a reader would stop."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktw.text.passages import PASSAGE, around, passage_bounds

PARAGRAPH = "The buffer is read once. It is then handed on, and nobody reads it again. " * 5
LONG = "\n\n".join(f"## Part {number}\n\n{PARAGRAPH.strip()}" for number in range(12))


def pieces(text: str, size: int = PASSAGE) -> list[str]:
    return [text[start:end] for start, end in passage_bounds(text, size)]


def test_a_short_text_is_one_passage() -> None:
    assert passage_bounds("") == [(0, 0)]
    assert passage_bounds("x" * (PASSAGE * 3 // 2)) == [(0, PASSAGE * 3 // 2)]


def test_a_heading_begins_a_passage_and_stands_in_the_one_it_heads() -> None:
    found = pieces(LONG)
    assert len(found) == 12
    assert all(piece.startswith("## Part ") and "\n\nThe buffer" in piece for piece in found)


def test_a_passage_ends_where_a_sentence_ends() -> None:
    found = pieces("One short sentence stands here. " * 100)
    assert len(found) > 5
    assert all(piece.endswith("here.") for piece in found)


@pytest.mark.parametrize(
    "text",
    ["x" * 5000, "no end in sight " * 400, "\u6587\u5b57" * 2000, "- item\n" * 900, "\n" * 3000],
    ids=["one word", "one sentence", "no blanks", "items", "blank"],
)
def test_none_is_much_longer_than_it_should_be(text: str) -> None:
    assert max(len(piece) for piece in pieces(text)) <= PASSAGE * 3 // 2 or not text.strip()


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("ab. \n#-`|:\u3002"), max_size=1500), st.integers(20, 200))
def test_they_cover_all_that_is_not_blank_once_and_in_order(text: str, size: int) -> None:
    bounds = passage_bounds(text, size)
    assert all(start <= end for start, end in bounds)
    assert all(one[1] <= other[0] for one, other in pairwise(bounds))
    told = "".join(text[start:end] for start, end in bounds)
    assert re.sub(r"\s", "", told) == re.sub(r"\s", "", text)


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("ab. \n#-"), min_size=1, max_size=600), st.data())
def test_what_stands_around_fits_and_begins_with_a_sentence(text: str, data: st.DataObject) -> None:
    best = data.draw(st.sampled_from(passage_bounds(text, 40)))
    budget = data.draw(st.integers(10, 300))
    start, end = around(text, best, budget)
    assert 0 <= start <= end <= len(text) and end - start <= budget
    assert not text[:start].strip() or text[start - 1].isspace()


def test_it_grows_to_both_sides() -> None:
    text = "".join(f"Sentence number {number:02} is here. " for number in range(40)).strip()
    at = text.index("Sentence number 20")
    start, end = around(text, (at, at + 30), 200)
    assert start <= at < end and 170 < end - start <= 200
    assert around(text, (len(text) - 10, len(text)), 100)[1] == len(text)
    assert around(text, (0, 10), len(text)) == (0, len(text))
