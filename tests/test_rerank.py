"""What speaks for a memory beside its words: author, day, kind of answer."""

from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest

from builders import Repo, memory_text
from ktw.catalogue import Catalogue, FileRecord, Row
from ktw.catalogue_draft import Draft
from ktw.operations.reading import recall
from ktw.rerank import (
    ANSWERS,
    AUTHOR,
    DATE,
    MOMENT,
    NEAR_DAY,
    OTHER_AUTHOR,
    PERSONAL,
    SAME_DAY,
    SITTING,
    STATEMENT,
    YEAR_ALONE,
    Cues,
    company,
    nearness,
)
from ktw.scan import FileStat
from ktw.text.cues import Cue, cues, speaker
from ktw.text.questions import Named, asked

TODAY = date(2026, 2, 14)
NOW = datetime(2026, 2, 14, tzinfo=UTC)


def catalogue_of(texts: Mapping[str, str], created_at: str = "") -> Catalogue:
    draft = Draft("b")
    for number, (name, text) in enumerate(texts.items()):
        shown = (int(cues(text)), speaker(text))
        row = Row(number, "", 1, "", "", "", created_at, 1, 1, 1, *shown)
        draft.put(FileRecord(FileStat(name, 0, 0, 0, 0), name, False, (row,), ()))
    return draft.done(1)


def signals(question: str, *texts: str, created_at: str = "") -> list[dict[str, float]]:
    catalogue = catalogue_of({f"{at}.md": text for at, text in enumerate(texts)}, created_at)
    found = Cues(catalogue, asked(question, TODAY), range(len(texts)))
    return [found.of(at) for at in range(len(texts))]


def test_who_is_named_first_is_who_is_asked_about() -> None:
    ada, grace, nobody = signals(
        "What did Ada's sister tell Grace?", "Ada: we met.", "Grace Hopper: ok.", "Ada met Grace."
    )
    assert ada["author"] == AUTHOR
    assert grace["author"] == OTHER_AUTHOR
    assert "author" not in nobody


def test_a_label_is_no_author_of_a_question_that_does_not_name_one() -> None:
    (one,) = signals("which decision holds for the cache", "Decision: keep the cache.")
    assert "author" not in one


def test_a_question_is_seldom_the_answer() -> None:
    states, asks = signals("the cache", "The cache is warm.", "Is the cache warm?")
    assert states == {"statement": STATEMENT}
    assert asks == {}


def test_who_speaks_of_themselves_is_preferred() -> None:
    (one,) = signals("the cache", "I warm the cache.")
    assert one == {"statement": STATEMENT, "personal": PERSONAL}


@pytest.mark.parametrize(
    ("question", "answer", "other", "weight"),
    [
        ("When was it moved?", "It was moved yesterday.", "It was moved.", MOMENT),
        ("Where is the key?", "It is kept in Berlin.", "It is kept.", ANSWERS[Cue.PLACE]),
        ("Where is the key read?", "See src/keys.py.", "See that.", ANSWERS[Cue.PLACE]),
        ("Who holds the key?", "It is with Grace.", "It is with her.", ANSWERS[Cue.PERSON]),
        ("How many keys are there?", "We have 12.", "We have them.", ANSWERS[Cue.NUMBER]),
        ("What is it called?", 'It is "Blue Whale".', "It is that.", ANSWERS[Cue.TITLE]),
        ("How long is it kept?", "It is kept a decade.", "It is kept.", ANSWERS[Cue.DURATION]),
    ],
)
def test_an_answer_looks_like_one(question: str, answer: str, other: str, weight: float) -> None:
    looks, looks_not = signals(question, answer, other)
    assert looks["answer"] == pytest.approx(weight)
    assert "answer" not in looks_not
    assert "answer" not in signals("the key", answer)[0]


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("what changed in May 2025?", [Named(2025, 5)]),
        ("what may change in 2025?", [Named(2025)]),
        ("what changed on 7 May, 2025", [Named(2025, 5, 7)]),
        ("what changed on May 7th, 2025", [Named(2025, 5, 7)]),
        ("the 3rd of June", [Named(None, 6, 3)]),
        ("between June and July", [Named(None, 6), Named(None, 7)]),
        ("since 2025-06-30", [Named(2025, 6, 30)]),
        ("since 2025-06", [Named(2025, 6)]),
        ("what did we do yesterday", [Named(2026, 2, 13)]),
        ("what did we do last month", [Named(2026, 1)]),
        ("last year", [Named(2025)]),
        ("port 2025x and march on", []),
        ("", []),
    ],
)
def test_days_that_a_question_names(question: str, days: list[Named]) -> None:
    assert list(asked(question, TODAY).days) == days


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (Named(2025, 5, 7), SAME_DAY),
        (Named(None, 5, 9), NEAR_DAY),
        (Named(2025, 5), 1.0),
        (Named(2025, 5, 30), YEAR_ALONE),
        (Named(2025), YEAR_ALONE),
        (Named(2024), 0.0),
        (Named(2025, 6), 0.0),
    ],
)
def test_nearness_of_a_day(named: Named, expected: float) -> None:
    assert nearness([Named(1999), named], "2025-05-07T23:00:00Z") == expected
    assert nearness([named], "never") == 0.0


@pytest.mark.parametrize(
    ("text", "lasts"),
    [
        ("It is kept for 30 days.", True),
        ("a couple of weeks", True),
        ("a five-minute walk", True),
        ("two whole years", True),
        ("since spring", True),
        ("It is kept for days.", False),
        ("the first day", False),
        ("30 of them, a long time, later that day", False),
        ("two", False),
        ("", False),
    ],
)
def test_a_text_that_says_how_long(text: str, lasts: bool) -> None:
    assert (Cue.DURATION in cues(text)) == lasts


def test_the_best_of_a_day_lends_to_the_others_of_that_day() -> None:
    catalogue = catalogue_of({f"{at}.md": "" for at in range(3)}, "2025-05-07")
    more = catalogue_of({f"{at}.md": "" for at in range(3)})
    told = {0: 4.0, 1: 2.0, 2: 0.0}
    assert company(more, told) == {}
    assert company(catalogue, {0: 4.0}) == {0: 0.0}
    assert set(company(catalogue, told).values()) == {0.0}  # an import: all of one day


def test_a_day_lends_by_its_best_and_the_best_gets_of_the_second() -> None:
    days = ("2025-05-07T10:00:00Z", "2025-05-07", "2025-05-07", "2025-05-08")
    draft = Draft("b")
    for number, day in enumerate(days):
        row = Row(number, "", 1, "", "", "", day, 1, 1, 1, 0, "")
        name = f"{number}.md"
        draft.put(FileRecord(FileStat(name, 0, 0, 0, 0), name, False, (row,), ()))
    lent = company(draft.done(1), {0: 4.0, 1: 2.0, 2: 0.0, 3: 3.0})
    assert lent == pytest.approx({0: SITTING / 4 * 0.25, 1: SITTING / 4, 2: SITTING / 4, 3: 0.0})


def test_the_day_it_was_made_counts() -> None:
    (one,) = signals("what changed in May 2025?", "It changed.", created_at="2025-05-07")
    assert one["date"] == DATE
    assert "date" not in signals("what changed?", "It changed.", created_at="2025-05-07")[0]


@pytest.mark.parametrize("text", ["", "A" * 300_000, "a, " * 200_000, "Ab Cd " * 100_000 + ": "])
def test_long_texts_and_questions_are_quick_and_raise_nothing(text: str) -> None:
    assert isinstance(cues(text), Cue)
    assert speaker(text) == ""
    asked(text, date.min)


def test_the_words_alone_are_helped_by_day_and_author(repo: Repo) -> None:
    for at, (who, day) in enumerate((("Ada", "2025-05-07"), ("Grace", "2025-08-01"))):
        text = memory_text(f"Talk {at}", f"{who}: the cache is warm.", created_at=day)
        repo.write(f"context/talk-{at}.md", text)
    for question, title in (
        ("the cache in May", "Talk 0"),
        ("the cache in August", "Talk 1"),
        ("what did Ada say of the cache?", "Talk 0"),
        ("what did Grace say of the cache?", "Talk 1"),
    ):
        answer = recall(repo.project, question, NOW, model="off")
        assert answer.found[0].reading.entry.title == title, question
