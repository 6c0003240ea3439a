"""The walk over a sentence's words agrees with the expressions that it spares; what phrases are
looked up by is up to date.
"""

import re
from collections.abc import Iterator
from random import Random

import pytest

from ktw.text.directives import RULES
from ktw.text.directives.lookup import TABLE, shipped_table, table_of
from ktw.text.directives.phrase import LEAD, Phrase, alternatives
from ktw.text.directives.walk import Places, can_match
from ktw.text.directives.words import SHAPES
from ktw.text.late import late

PHRASES = [phrase for rule in RULES for phrase in rule.phrases]
BETWEEN = "the a very quick new we it and then please ; , ? of in you do not".split()
SHAPED = "$500 de89370400440532013000 db_token ~/.ssh/id x.invalid a@b.invalid send_mail".split()


def _spoken(phrase: Phrase, chance: Random) -> Iterator[str]:
    """Words that come near the phrase, most often near enough to match."""
    for element in phrase.source.split():
        if element == "^":
            yield from chance.choices((";", "please", "and", "you must"), k=chance.randint(0, 2))
        elif element.startswith(".."):
            yield from chance.choices(BETWEEN, k=chance.randint(0, int(element[2:]) + 1))
        elif element == "$" or chance.random() < 0.1:
            yield from chance.choices(BETWEEN, k=chance.randint(0, 1))
        else:
            words, shapes = alternatives(element.rstrip("?"))
            yield chance.choice([*words, *(SHAPED if shapes else ())])


@pytest.mark.parametrize("part", range(4))
def test_the_walk_finds_what_the_expressions_find(part: int) -> None:
    chance, matched, missed = Random(part), 0, 0
    for phrase in PHRASES[part::4]:
        exact = not any(f"{{{name}}}" in phrase.source for name in SHAPES)
        for _ in range(12):
            view = f" {' '.join(_spoken(phrase, chance))} "
            found = phrase.pattern.search(view) is not None
            walked = can_match(phrase.source, Places(view))
            assert walked == found or (walked and not exact), (phrase.source, view)
            matched, missed = matched + found, missed + (not walked)
    assert matched > 500 and missed > 500


def test_no_shape_takes_more_than_one_word() -> None:
    for shape in SHAPES.values():
        assert " " not in re.sub(r"\(\?= (?:[^()]|\([^()]*\))*\)", "", shape), shape


def test_the_words_of_politeness_are_words() -> None:
    assert not alternatives(LEAD)[1]


def test_the_table_of_cues_is_up_to_date() -> None:
    command = "python tools/tabulate_phrases.py"
    assert shipped_table() == table_of(RULES), f"{TABLE.name} is stale, see: {command}"


def test_a_late_pattern_is_compiled_when_it_is_asked() -> None:
    wrong = late("(")
    with pytest.raises(re.error):
        wrong.search("")
    pattern = late(r"b(.)", re.DOTALL)
    assert pattern.search("ab\n", 1)[1] == "\n"  # type: ignore[index]
    assert [match[0] for match in pattern.finditer("b1b2")] == ["b1", "b2"]
    assert pattern.pattern == r"b(.)" and pattern.groups == 1
