"""What two finders found in one text stands in one list, once."""

from hypothesis import given
from hypothesis import strategies as st

from ktw.text import Span
from ktw.text.overlaps import with_apart

SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 9)).map(
        lambda place: Span(place[0], place[0] + place[1], "D101", "")
    ),
    max_size=8,
)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


@given(SPANS, SPANS)
def test_others_are_added_where_none_stands(spans: list[Span], others: list[Span]) -> None:
    apart = [other for other in others if not any(_overlap(other, span) for span in spans)]
    assert with_apart(spans, others) == sorted([*spans, *apart], key=lambda s: (s.start, s.end))
