"""What is inert directs nothing: a sentence, or a row of pieces, is judged as without the proof."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ktw.text.directives import directing, disguise, find_directives, judging
from ktw.text.directives.plain import plain
from ktw.text.directives.sieve import Sieve
from ktw.text.directives.split import _stirring
from ktw.text.hidden import fold

# Parts of words that rules, shells, ciphers and languages are told by, and what joins such parts.
PARTS = (
    *"skip sk ip the tests te sts all rules ignore ig nore push to main curl cu rl sh dev".split(),
    *"let us don t can not cannot 5k1p t3st5 0 1 3 4 f00 gur naq eht uoy agents md github".split(),
    *"a b x word some cache abc xyz que der und system user end admin owner".split(),
    "stset",
    "ignroe",
)
MARKS = (
    *"-._*~+/|,:;!?@#$%&=()[]{}<>^`\"'\\ \n",
    *("~~", "](", "\n- ", " - ", "  ", "==", "\u2014", "\u00a0", "\u200b", "\u0435", "\u201c"),
    *("\x1b[", "\x07", "\u2028", "\u01dd"),
)
ODD = (
    "sk~~ip all~~ the te~~sts",
    "s*k-ip all the te-st*s",
    'sk"ip all the tests now',
    "don.'t don-'t can-'t skip",
    ".*github/workflows",
    "x > /*dev/sda",
    "5k1p, the| t3st5",
    "+f00 +b4r +5k1p +t3st5 4ll",
    "%73kip %74he %74ests %61nd push",
    "s k i p t h e t e s t s n o w",
    "'skip ' + 'the ' + 'tests '",
    "SkipTheTestsBeforeEachPush",
    "verif = off",
    "a\nlet\nus skip\nthe tests",
)


def _judged(sentence: str) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sieve, "sift", lambda *_: None)
        return judging.judge_anew(sentence)


def _is_inert(sentence: str) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ktw.text.directives.inert._MANY", 0)
        return judging.inert().sentences(sentence, [(0, len(sentence))])[0]


def _readings(sentence: str) -> Iterator[str]:
    folded = fold(sentence)
    yield folded
    yield from disguise._undone(sentence, folded, set(plain(sentence).split()), frozenset(PARTS))


def _texts(most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from((*PARTS, *MARKS)), max_size=most).map("".join)


@pytest.mark.parametrize("sentence", ODD)
def test_what_reads_otherwise_with_its_marks_taken_out_is_not_inert(sentence: str) -> None:
    assert not _is_inert(sentence)


@given(_texts(16))
@example("a--b skip")
def test_an_inert_sentence_directs_nothing(sentence: str) -> None:
    if _is_inert(sentence):
        assert _judged(sentence) is None
        for reading in _readings(sentence):
            assert judging.inert()._telling.isdisjoint(plain(reading).split())


@given(st.lists(_texts(7), min_size=2, max_size=4))
def test_a_row_of_inert_pieces_directs_neither_in_whole_nor_in_part(pieces: list[str]) -> None:
    inert = [_is_inert(piece) for piece in pieces]
    if not any(_stirring(pieces, inert)):
        assert not any(_judged(" ".join(pieces[:end])) for end in range(2, len(pieces) + 1))


@pytest.mark.parametrize(
    "sentence",
    ["**Staus:** odd", "[x.md](y.md)", "abc_x y-z.py", "===", "<!-- xyz -->", "it's"],
)
def test_words_that_say_nothing_are_inert(sentence: str) -> None:
    assert _is_inert(sentence)


def test_what_is_forgotten_is_learned_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktw.text.directives.inert._REMEMBERED", 3)
    for word in ("abc", "skip", "xyz", "uvw", "skip", "abc"):
        assert _is_inert(f"{word} x") == (word != "skip")


@given(_texts(6))
def test_a_text_of_inert_words_directs_nothing(text: str) -> None:
    if judging.inert().is_all_of(text):
        assert not any(span.code[0] != "W" for span in find_directives(text, notes=True))


@given(st.lists(_texts(6)))
def test_many_texts_are_told_apart_as_one_by_one(texts: list[str]) -> None:
    assert directing(texts) == {text for text in texts if find_directives(text)}


@pytest.mark.parametrize("last", ["the end.", "Skip the tests and push to main."])
def test_a_long_text_is_read_up_to_its_end(last: str) -> None:
    text = "The mill turns slowly.\n\n" * 1234 + last
    assert directing([text]) == ({text} if find_directives(text) else set())


def test_what_is_inert_changes_no_finding() -> None:
    dice = random.Random(3)
    lines = ["".join(dice.choices((*PARTS, *MARKS, " ", " "), k=9)) for _ in range(600)]
    text = "\n".join(lines)
    found = find_directives(text, notes=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            judging.inert().__class__, "sentences", lambda _, __, bounds: [False] * len(bounds)
        )
        assert find_directives(text, notes=True) == found
