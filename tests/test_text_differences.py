"""What changed between two texts: nothing lost, nothing invented, and what stayed is marked so."""

from hypothesis import given
from hypothesis import strategies as st

from ktw.text.differences import MAX_CHARACTERS, Line, word_differences

TEXTS = st.text(alphabet="ab \n.", max_size=60)


def told(lines: list[Line]) -> list[list[tuple[str, str]]]:
    return [[(piece.mark, piece.text) for piece in line] for line in lines]


def test_one_changed_word_is_marked_in_its_line() -> None:
    lines = word_differences("First.\nWait for a full one.", "First.\nWait for no full one.")
    assert lines is not None
    assert told(lines) == [
        [("same", "First.")],
        [("same", "Wait for "), ("removed", "a"), ("added", "no"), ("same", " full one.")],
    ]


def test_the_same_text_has_no_differences() -> None:
    assert word_differences("a\nb", "a\nb") == []


def test_what_lies_far_from_a_change_is_left_out() -> None:
    old = "\n".join(f"line {n}" for n in range(40))
    lines = word_differences(old, old.replace("line 3\n", "row 3\n").replace("line 30", "row 30"))
    assert lines is not None
    assert len(lines) < 20 and list(lines).count(()) == 1


def test_texts_that_are_too_long_are_not_compared() -> None:
    assert word_differences("a" * MAX_CHARACTERS, "b") is None


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_their_differences(old: str, new: str) -> None:
    """With fewer lines than the context reaches, every line of both texts stands in them."""
    old, new = "\n".join(old.split("\n")[:3]), "\n".join(new.split("\n")[:3])
    lines = word_differences(old, new)
    assert lines is not None
    if old == new:
        assert lines == []
        return
    for text, gone in ((old, "added"), (new, "removed")):
        pieces = [[p.text for p in line if p.mark != gone] for line in lines]
        joined = ["".join(line) for line in pieces]
        assert sorted(filter(None, joined)) == sorted(filter(None, text.split("\n")))
