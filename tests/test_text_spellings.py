"""Words in look-alike, styled, spaced and numbered letters, and honest words that come close."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honest_texts import HONEST
from ktw.text.lengths import lengths_between_blanks
from ktw.text.spellings import _APART, _CHAINED, _SINGLE, _SPACED, _lines_with, find_spellings

STRANGE = {
    "H113": ["ign\u043ere all", "d\u0435pl\u043ey", "the \u0441\u0430t sat", "\u03bfpen",
             "\u0432 \u0442\u0435\u043a\u0441\u0442\u0435 d\u0435pl\u043ey"],
    "H114": ["\u0441\u043e\u0440\u0443 that", "in \u041d\u0422\u0422\u0420 mode"],
    "H115": ["de\u0300\u0301\u0302\u0303p", "a" + "\u0489" * 5],
    "H121": ["\uff24\uff45\uff50\uff4c\uff4f\uff59", "\U0001d41d\U0001d41e\U0001d429\U0001d425",
             "\u24d3\u24d4\u24df\u24db", "\u1d05\u1d07\u1d18\u029f\u1d0f\u028f",
             "s\u0336k\u0336i\u0336p\u0336"],
    "H122": ["s k i p  a l l  t e s t s", "d-e-p-l-o-y-s", "d.e.p.l.o.y.s"],
    "H123": ["7h3 bu1ld w41t5 f0r 4 l0ck", "d0 n07 r3v13w 7h15 4nd g0"],
}  # fmt: skip

PLAIN = [
    "the alphabet a b c d e f g h i j k l m",
    "options -a -b -c -d -e -f -g -h",
    "1 2 3 4 5 6 7 8 9 10 11 12",
    "k8s, i18n, a11y, e2e, s3, ec2, x86, utf8, sha1 and p95 are short forms",
    "instances c5a, m5n, r6g and t3a with 4xx and 5xx answers",
    "\u0394t is 5 \u00b5s, \u03bb-calculus, \u03c1max and \u03b1-helix",
    "JSON\u043e\u043c \u0438 PR\u044b",
    "the 1\u02e2\u1d57 and x\u00b2",
    "the word \u043d\u0435\u0442 means no",
    "cafe\u0301 na\u0131\u0308ve",
]


@pytest.mark.parametrize(("code", "text"), [(c, text) for c in STRANGE for text in STRANGE[c]])
def test_a_strange_spelling_is_named(code: str, text: str) -> None:
    assert {span.code for span in find_spellings(text)} == {code}


@pytest.mark.parametrize("text", [*PLAIN, *HONEST.values()])
def test_honest_spelling_is_left_alone(text: str) -> None:
    assert find_spellings(text) == []


RUN = st.integers(1, 12)
PIECES = [
    "a ",
    "b-",
    "c.",
    "7h3 ",
    "w41t ",
    "4nd ",
    "\u0430",
    "\u03bf",
    "\u0301",
    "\u0336",
    "\uff21",
]


@given(st.lists(st.sampled_from([*PIECES, "\u24d0", "\u0130", "\n", "x"]), max_size=40))
def test_spans_lie_in_any_text_in_order(pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = find_spellings(text)
    assert spans == sorted(spans)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


@given(
    st.lists(st.tuples(st.sampled_from([" ", "  ", "-", "*", "~", ".", "\n", "x-"]), RUN)).map(
        lambda runs: "".join(f"a{mark}" * times for mark, times in runs)
    )
)
def test_letters_apart_are_looked_for_where_they_may_stand(text: str) -> None:
    places = [*_lines_with(_CHAINED, text), *_lines_with(_SPACED, text)]
    lines = {span for place in places for span in _spans_apart(text, *place)}
    assert lines == _spans_apart(text, 0, len(text))
    if any(" " in text[start:end] for start, end in lines):
        assert _SINGLE in lengths_between_blanks(text)


def _spans_apart(text: str, start: int, end: int) -> set[tuple[int, int]]:
    return {match.span() for match in _APART.finditer(text, start, end)}
