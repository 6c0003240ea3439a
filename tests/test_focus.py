"""The best passage of a long text, by words alone and with a model."""

from collections.abc import Sequence

import pytest

from ktw.focus import Focus

FILLER = "The release was made on time and everybody agreed with the plan. " * 8
TEXT = "\n\n".join(
    [FILLER, FILLER, "The walrus cache is warmed by a nightly job. " + FILLER, FILLER, FILLER]
)


def found(focus: Focus, text: str = TEXT, budget: int = 400) -> str:
    start, end = focus.find(text, budget)
    return text[start:end]


def test_the_words_of_the_question_decide() -> None:
    assert "walrus" in found(Focus("who warms the walrus caches?"))


def test_a_rare_word_counts_more_than_common_ones() -> None:
    assert "walrus" in found(Focus("was the release plan made on time for the walrus"))


@pytest.mark.parametrize("question", ["", "zebra", "?"])
def test_the_beginning_where_no_passage_is_better(question: str) -> None:
    assert Focus(question).find(TEXT, 400)[0] == 0


@pytest.mark.parametrize("budget", [1, 50, 4000])
def test_any_budget_will_do(budget: int) -> None:
    start, end = Focus("walrus").find(TEXT, budget)
    assert 0 <= start < end <= len(TEXT)


class Sea:
    """A model that knows one thing: what lives in the sea."""

    id, name, dim = "sea-1", "sea", 2

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        sea = [any(word in text for word in ("walrus", "animal")) for text in texts]
        return [[float(found), float(not found)] for found in sea]


def test_meaning_decides_where_words_do_not() -> None:
    assert "walrus" in found(Focus("an animal", Sea()))
