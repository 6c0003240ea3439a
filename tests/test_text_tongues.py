"""Directives in other languages: what spares a pattern the search never spares it a match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktw.text.directives import tongues
from ktw.text.directives.scripts import OTHERS
from ktw.text.hidden import fold


def _stems(written: str) -> list[str]:
    return [f" {fold(stem.strip())} " for stem in written.split("|") if stem.strip()]


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_each_pair_of_stems_is_met(number: int) -> None:
    """Whatever a kind needs stands in each of its stems, in either order."""
    tongue = OTHERS[number]
    for kind, (_, ones, others) in zip(
        tongues._said_in(tongue), tongues._kinds(tongue), strict=True
    ):
        for one in _stems(ones):
            for other in _stems(others):
                for view in (one + other, other + one):
                    assert kind.pattern.search(view)
                    assert not any(map(frozenset(view).isdisjoint, kind.needs)), ascii(view)


@given(st.data())
def test_a_verdict_is_that_of_every_pattern_asked(data: st.DataObject) -> None:
    tongue = data.draw(st.sampled_from(OTHERS))
    stems = [stem for _, *pair in tongues._kinds(tongue) for s in pair for stem in _stems(s)]
    view = "".join(data.draw(st.lists(st.sampled_from([*stems, " ; ", "x", "\u2713"]), max_size=6)))
    met = (
        any(kind.pattern.search(view) for other in OTHERS for kind in tongues._said_in(other))
        and not view.isascii()
    )
    assert (tongues.spoken_in(view, set()) is not None) == met
