"""A text seen without some of its parts: what is found in it stands where it stood before."""

from hypothesis import given
from hypothesis import strategies as st

from ktw.text.altered import Piece, seen_with

PARTS = st.lists(
    st.tuples(st.text("abc", max_size=3), st.text("-", max_size=3), st.sampled_from(["", "!"])),
    max_size=6,
)


@given(PARTS, st.text("abc", max_size=3))
def test_each_character_is_told_by_its_old_place(
    parts: list[tuple[str, str, str]], rest: str
) -> None:
    text, view, changes = "", "", list[Piece]()
    for kept, dropped, instead in parts:
        if dropped:
            changes.append((len(text + kept), len(text + kept + dropped), instead))
        text, view = text + kept + dropped, view + kept + (instead if dropped else "")
    text, view = text + rest, view + rest

    found = list(
        seen_with(text, changes, lambda seen: iter([(at, at + 1, c) for at, c in enumerate(seen)]))
    )

    assert "".join(character for _, _, character in found) == view
    for start, end, character in found:
        assert text[start] == ("-" if character == "!" else character)
        assert end == start + 1
    assert [start for start, _, _ in found] == sorted(start for start, _, _ in found)
