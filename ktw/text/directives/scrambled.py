"""Words whose inner letters changed places: "skip the tets" reads as "skip the tests" to a person
and to a model.

Undoes it for the words that rules look for; what the sentence then says is judged by the rules.
"""

from functools import cache

from ktw.text.directives.plain import plain_folded
from ktw.text.directives.words import CLASSES

_SHORTEST = 4  # letters; shorter words have too many neighbours
_REMEMBERED = 1 << 15  # words
_KINDS = ("guard", "shield", "omit", "ship", "orders", "secret", "hide", "destroy", "boss", "power")
_ALSO = (
    "ignore disregard forget previous instructions tests skip password token secret credentials "
    "approval review production without delete directly everything mention user maintainer system "
    "prompt permission authorised authorized trusted verified reveal send main deploy push merge"
)
_ORDINARY = frozenset(
    "form from untied united silent listen quiet quite trial trail diary dairy angel angle scared "
    "sacred casual causal martial marital united reverse reserve conversation conservation "
    "sent nest nets else seal sale".split()
)


@cache
def _undone() -> tuple[frozenset[str], dict[str, str], frozenset[str]]:
    """The words that are undone; each one by its letters; with which two each begins and ends."""
    undone = {word for kind in _KINDS for phrase in CLASSES[kind] for word in phrase.split(" ")}
    undone |= set(_ALSO.split())
    letters = {_letters(word): word for word in sorted(undone) if len(word) >= _SHORTEST}
    return frozenset(undone), letters, frozenset(word[0] + word[-1] for word in letters)


@cache
def _named() -> frozenset[str]:
    """All words that rules name; most texts hold none that has to be looked up here."""
    return frozenset(
        word for words in CLASSES.values() for phrase in words for word in phrase.split(" ")
    )


def _letters(word: str) -> str:
    return word[0] + "".join(sorted(word[1:-1])) + word[-1]


def _straight(word: str) -> str | None:
    """The word that `word` is a scrambled form of, if any."""
    undone, letters, ends = _undone()
    if len(word) < _SHORTEST or word[0] + word[-1] not in ends:
        return None
    if not word.isalpha() or word in _ORDINARY:
        return None
    straight = None if word in undone else letters.get(_letters(word))
    return None if straight is None or word in _named() else straight


def is_scrambled(word: str) -> bool:
    """Whether it is a scrambled form of a word that is undone."""
    return _straight(word) is not None


class _Met:
    """Words that were looked at and are no scrambled ones, so that each is looked at once."""

    def __init__(self) -> None:
        self.plain: set[str] = set()

    def scrambled(self, words: set[str]) -> bool:
        fresh = words - self.plain
        if not fresh:
            return False
        strange = [word for word in fresh if _straight(word)]
        if len(self.plain) > _REMEMBERED:
            self.plain.clear()
        self.plain |= fresh.difference(strange)
        return bool(strange)


_MET = _Met()


def unscrambled(folded: str, words: set[str]) -> str | None:
    """The plain view of a folded text with scrambled words put right; None where `words` hold
    none.
    """
    if not _MET.scrambled(words):
        return None
    return " ".join(_straight(word) or word for word in plain_folded(folded).split(" "))
