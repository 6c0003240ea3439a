"""Words found again in letters that no blank parts: as cheap as where every word is tried."""

from hypothesis import given
from hypothesis import strategies as st

from ktw.text.directives.segments import _SMALL, segmented

KNOWN = frozenset("skip ski kip tests test est push pushes her here xx".split())


def _is_word(piece: str) -> bool:
    return piece in _SMALL or (len(piece) > 2 and piece in KNOWN)


def _least_cost(letters: str) -> int:
    costs = [0]
    for end in range(1, len(letters) + 1):
        words = [begin for begin in range(end) if _is_word(letters[begin:end])]
        costs.append(min([costs[-1] + 2, *(costs[begin] + 1 for begin in words)]))
    return costs[-1]


@given(st.lists(st.sampled_from([*KNOWN, "a", "to", "x", "e", "s"]), max_size=12).map("".join))
def test_the_cheapest_words_are_found(letters: str) -> None:
    found = segmented(letters, KNOWN)
    pieces = found.split(" ") if found else []
    assert "".join(pieces) == letters
    assert sum(1 if _is_word(p) else 2 * len(p) for p in pieces) == _least_cost(letters)
