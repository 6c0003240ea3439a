"""A second opinion where no rule speaks: a linear model over word stems, their neighbours and the
mood of the sentence.

Its weights, in `learned.json` beside this file, are trained by `tools/train_directives.py` on texts
of our own and public ones; the file holds numbers and single words. Knows no rule.
"""

import json
import zlib
from base64 import b64decode
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from ktw.text import Span
from ktw.text.directives.plain import plain
from ktw.text.directives.words import CLASSES

CODE = "W904"
WHY = "a model takes this for a directive, by its words"
BUCKETS = 1 << 16
Bounds = tuple[int, int]
WEIGHTS = Path(__file__).with_name("learned.json")

_SHARE = 8  # one word in eight must be telling for a sentence to be looked at
# Characters: a longer sentence says too much for its words to tell.
_SHORTEST, _LONGEST = 6, 400

_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ied", "ies", "ed", "es", "s", "ly")
_BEGINS = frozenset("; , and then but please just simply always now".split())
_ORDERS = frozenset(
    verb
    for name in "omit ship power steer reveal place send hide exec destroy release".split()
    for verb in CLASSES[name]
) | frozenset(
    "keep leave put take make turn switch set lower relax raise stop start begin quit abandon drop "
    "tell treat consider act pretend assume forget remember note save store pass call point refer "
    "blame say claim reset restart kill create add register invite update edit amend rewrite "
    "replace move rename clone pull fetch get download check go speak talk write answer open close "
    "let allow permit grant give hand log quote show list fill sign mark label rate score rank "
    "prefix suffix append trust rely believe follow obey do use apply wait ask avoid refrain "
    "ensure "
    "clear empty mute silence".split()
)
_MOODS: dict[str, frozenset[str]] = {
    "you": frozenset({"you", "your"}),
    "ai": frozenset(CLASSES["ai"]),
    "may": frozenset("may can should must need needs".split()),
    "is": frozenset("is are get gets".split()),
    "past": frozenset("was were had did would".split()),
}
_COLUMNS = {mood: at for at, mood in enumerate((*_MOODS, "order", "forbid", "plain"), 1)}


class Learned(NamedTuple):
    """`weights`: one signed byte a bucket, times `scale`. `telling`: words that directives hold
    more often than other sentences. A sentence counts when its score reaches `threshold`.
    """

    bias: float
    scale: float
    threshold: float
    telling: frozenset[str]
    weights: memoryview


@cache
def model() -> Learned:
    """The weights that ship with the package, read once."""
    stored = json.loads(WEIGHTS.read_text(encoding="ascii"))
    weights = memoryview(zlib.decompress(b64decode(stored["weights"]))).cast("b")
    telling = frozenset(stored["telling"].split())
    return Learned(stored["bias"], stored["scale"], stored["threshold"], telling, weights)


def find_likely(text: str, sentences: Sequence[Bounds]) -> Iterator[Span]:
    """Of the sentences, as bounds in `text`, those that the model takes for directives."""
    for start, end in sentences:
        if _SHORTEST <= end - start <= _LONGEST and _is_likely(text[start:end]):
            yield Span(start, end, CODE, WHY)


@lru_cache(maxsize=1 << 16)
def _is_likely(sentence: str) -> bool:
    known = model()
    words = sentence.lower().split()
    told = len(known.telling.intersection(words))
    if told < 2 or told * _SHARE < len(words):
        return False
    return score(known, plain(sentence)) >= known.threshold


def score(known: Learned, view: str) -> float:
    """The log-odds of logistic regression over the features that occur in a plain view."""
    return known.bias + known.scale * sum(map(known.weights.__getitem__, buckets(view)))


def buckets(view: str) -> set[int]:
    """The buckets of a view's features, by CRC-32 of their names.

    Features are stems, pairs of neighbours, word classes, and each of these with each mood.
    """
    words = view.split()
    stems = [";", *map(_stem, words), ";"]
    moods = _moods(words)
    found = {_bucket(name) for name in (*map(_paired, stems, stems[1:]), *moods)}
    columns = (0, *map(_COLUMNS.__getitem__, moods))
    return found.union(*[_told_by(word, columns) for word in words])


def _paired(stem: str, other: str) -> str:
    return f"{stem} {other}"


@lru_cache(maxsize=1 << 14)
def _told_by(word: str, columns: tuple[int, ...]) -> frozenset[int]:
    """The buckets of a word's stem and classes, by themselves and with moods."""
    names = (_stem(word), *("{" + name for name in _classes().get(word, ())))
    return frozenset(row[column] for row in map(_row, names) for column in columns)


@lru_cache(maxsize=1 << 15)
def _bucket(name: str) -> int:
    return zlib.crc32(name.encode()) % BUCKETS


@lru_cache(maxsize=1 << 13)
def _row(name: str) -> tuple[int, ...]:
    """The buckets of a name by itself and with each mood."""
    return tuple(_bucket(start + name) for start in ("", *(f"{mood}*" for mood in _COLUMNS)))


def _moods(words: list[str]) -> list[str]:
    spoken = frozenset(words)
    moods = [mood for mood, signs in _MOODS.items() if not spoken.isdisjoint(signs)]
    began = [word for before, word in zip([";", *words], words, strict=False) if before in _BEGINS]
    if not _ORDERS.isdisjoint(began):
        moods.append("order")
    if "never" in began or ("do" in began and "not" in spoken):
        moods.append("forbid")
    return moods or ["plain"]


@cache
def _classes() -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for name, words in CLASSES.items():
        for word in words:
            known[word] = (*known.get(word, ()), name)
    return known


@lru_cache(maxsize=1 << 13)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word
