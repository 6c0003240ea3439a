"""Words met by words near in meaning: tokens of sentences, and late interaction over them."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import make_project, memory_text
from ktw.embedding import is_installed, load_embedder
from ktw.index import refresh
from ktw.operations.reading import recall
from ktw.token_lists import sentences, token_lists_of

pytestmark = [
    pytest.mark.semantic,
    pytest.mark.skipif(not is_installed(), reason="the semantic extra is not installed"),
]
NOW = datetime(2026, 2, 1, tzinfo=UTC)
TEXTS = {
    "car": "The automobile has a new engine. It is fast.",
    "food": "We cook soup on Sundays. The kitchen is warm.",
    "music": "The orchestra played a symphony. Everyone listened.",
}


def test_sentences_keep_what_carries_meaning_and_short_ones_join() -> None:
    text = "The cache was warmed early today. Yes! We then deployed the new service v1.2 there."
    assert sentences(text) == ["cache warmed early today", "deployed new service v1 2"]
    assert sentences("") == [""]


def test_a_near_word_is_a_match_and_an_exact_one_a_better_one() -> None:
    from ktw.bm25 import Term
    from ktw.softmatch import matches

    embedder = load_embedder()
    assert embedder is not None
    lists = token_lists_of(embedder, dict(enumerate(TEXTS.values())))
    found = matches(embedder, "a car", {"car": Term(2.0, {})}, lists)
    assert found[0][0] > 2 * max(found[1][0], found[2][0])
    assert found[0][1] == found[0][0] < 2.0, "one term: the best sentence holds the best token"
    held = matches(embedder, "a car", {"car": Term(2.0, {1: 0.5})}, lists)
    assert held[1] == (2.0, found[1][1])
    assert held[0] == found[0]


def test_two_words_of_one_sentence_are_more_than_of_two() -> None:
    from ktw.bm25 import Term
    from ktw.softmatch import matches

    embedder = load_embedder()
    assert embedder is not None
    texts = {
        0: "We bought a red car here. They cook a hot soup there.",
        1: "We bought a red soup here. They cook a hot car there.",
    }
    terms = {"car": Term(1.0, {}), "red": Term(1.0, {})}
    found = matches(embedder, "red car", terms, token_lists_of(embedder, texts))
    assert found[0][0] == pytest.approx(found[1][0])
    assert found[0][1] > found[1][1]


def test_terms_that_no_word_of_the_question_yields_are_held_or_not() -> None:
    from ktw.bm25 import Term
    from ktw.softmatch import matches

    embedder = load_embedder()
    assert embedder is not None
    lists = token_lists_of(embedder, dict(enumerate(TEXTS.values())))
    forms = {"de:car": Term(2.0, {1: 0.5}), "fr:car": Term(3.0, {})}
    assert matches(embedder, "a car", forms, lists) == {0: (0, 0), 1: (2.0, 0), 2: (0, 0)}
    both = matches(embedder, "a car", {"car": Term(1.0, {})} | forms, lists)
    alone = matches(embedder, "a car", {"car": Term(1.0, {})}, lists)
    assert both == {n: (words + 2.0 * (n == 1), best) for n, (words, best) in alone.items()}


def test_each_memory_is_met_as_if_it_were_alone() -> None:
    from ktw import softmatch
    from ktw.bm25 import Term

    embedder = load_embedder()
    assert embedder is not None
    chance = random.Random(1)
    words = " ".join(TEXTS.values()).split()
    texts = {n: " ".join(chance.choices(words, k=chance.randint(0, 30))) for n in range(40)}
    lists = token_lists_of(embedder, texts)
    terms = {"car": Term(1.5, {3: 1.0}), "music": Term(0.5, {}), "none": Term(1.0, {})}
    at_once = softmatch.matches(embedder, "car music none", terms, lists)
    for number, listed in lists.items():
        alone = softmatch.matches(embedder, "car music none", terms, {number: listed})
        assert alone == {number: at_once[number]}
    assert set(at_once) == set(texts)


def test_answers_are_the_same_after_a_rebuild_in_another_order(tmp_path: Path) -> None:
    texts = {
        f"{n:02}.md": memory_text(f"Note {n}", f"{t} {n}")
        for n, t in enumerate([*TEXTS.values()] * 4)
    }
    told = []
    for turn in range(3):
        repo = make_project(tmp_path / str(turn), {})
        names = list(texts)
        random.Random(turn).shuffle(names)
        for name in names:
            repo.write(f"context/{name}", texts[name])
            if turn:
                refresh(repo.project).close()  # one row number after the other, in that order
        answer = recall(repo.project, "which car has the fastest engine?", NOW, limit=10)
        told.append(
            [(f.reading.address.rpartition("/")[2], f.score, f.parts) for f in answer.found]
        )
    assert told[0] == told[1] == told[2]
    assert {"words", "sentence", "cosine"} <= {name for name, _ in told[0][0][2]}


@pytest.mark.parametrize("batch", [1, 50, 1 << 17])
def test_much_is_matched_with_numpy_to_the_same_scores(
    monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    from ktw import many_matches, softmatch
    from ktw.bm25 import Term

    embedder = load_embedder()
    assert embedder is not None
    chance = random.Random(2)
    words = (
        "car engine soup kitchen orchestra symphony snapshot buffer the \u5feb\u7167 . \n".split(
            " "
        )
    )
    texts = {n: " ".join(chance.choices(words, k=chance.randint(0, 60))) for n in range(3, 40)}
    lists = token_lists_of(embedder, texts)
    held = dict.fromkeys(range(9), 1.0)
    terms = {
        word: Term(chance.uniform(0.1, 5), held if at % 2 else {}) for at, word in enumerate(words)
    }
    monkeypatch.setattr(softmatch, "_MUCH", 1 << 60)
    few = softmatch.matches(embedder, " ".join(words), terms, lists)
    monkeypatch.setattr(softmatch, "_MUCH", 0)
    monkeypatch.setattr(many_matches, "_BATCH_TOKENS", batch)
    monkeypatch.setattr(many_matches, "_BATCH_TERMS", 5)
    assert softmatch.matches(embedder, " ".join(words), terms, lists) == few
    assert len(few) == len(texts) and any(score > 0 for score, _ in few.values())
    alone = {number: lists[number] for number in [5]}
    assert softmatch.matches(embedder, " ".join(words), terms, alone) == {5: few[5]}


def test_a_question_as_long_as_a_file_is_matched_by_its_very_words() -> None:
    from ktw.bm25 import Term
    from ktw.softmatch import matches

    embedder = load_embedder()
    assert embedder is not None
    lists = token_lists_of(embedder, dict(enumerate(TEXTS.values())))
    terms = {f"word{number}": Term(1.0, {}) for number in range(2001)}
    assert matches(embedder, " ".join(terms), terms, lists) == {}
    terms.popitem()
    assert set(matches(embedder, " ".join(terms), terms, lists)) == {0, 1, 2}
