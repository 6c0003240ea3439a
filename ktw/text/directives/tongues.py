"""Kinds of directive in many languages, as stems: two that must stand near each other, in either
order.

Knows words, no grammar; folds the stems as texts are folded.
"""

import re
from collections.abc import Sequence, Set
from functools import cache, lru_cache
from typing import NamedTuple

from ktw.text.directives.scripts import OTHERS
from ktw.text.directives.stems import EXCUSES, ROMAN, Tongue
from ktw.text.hidden import fold
from ktw.text.late import late

Verdict = tuple[str, str]

_OVERRIDE = ("D101", "tells the reader to disregard other instructions")
_PERMIT = ("D201", "grants a permission")
_BYPASS = ("D301", "says that a safeguard is skipped")
_SEND = ("D402", "reveals or sends secrets")
_TRUST = ("D501", "declares its own content trustworthy")
_CONCEAL = ("D601", "asks for something to be kept from people")

TOLD_OF: Verdict = ("W902", "tells of a directive, or quotes one")
_EXCUSABLE = (_BYPASS, _SEND, _TRUST, _PERMIT)
_NEAR = 48  # characters between the two stems
_REMEMBERED = 1 << 15  # words, and sets of bits


@cache
def _excusing() -> re.Pattern[str]:
    return re.compile(_stems(EXCUSES))


def _stems(written: str) -> str:
    return "|".join(_stem(stem) for stem in written.split("|") if stem.strip())


def _stem(written: str) -> str:
    # Blanks are looked at, not taken: the next stem may need the same one.
    before = r"(?<= )" if written[0] == " " else ""
    after = r"(?= )" if written[-1] == " " else ""
    return before + re.escape(fold(written.strip())) + after


def _near(one: str, other: str) -> str:
    one, other = f"(?:{_stems(one)})", f"(?:{_stems(other)})"
    return f"{one}[^;]{{0,{_NEAR}}}{other}|{other}[^;]{{0,{_NEAR}}}{one}"


def _kinds(tongue: Tongue) -> list[tuple[Verdict, str, str]]:
    kinds = [
        (_OVERRIDE, tongue.ignore, tongue.orders),
        (_BYPASS, tongue.skip, tongue.guards),
        (_CONCEAL, tongue.silence, tongue.people),
        (_SEND, tongue.send, tongue.secrets),
        (_TRUST, tongue.own, tongue.trusted),
        (_PERMIT, tongue.agent, tongue.may),
    ]
    return [kind for kind in kinds if kind[1] and kind[2]]


class _Kind(NamedTuple):
    """What a tongue says of one kind, and the bits of what a view of it cannot lack."""

    verdict: Verdict
    tongue: Tongue
    pattern: re.Pattern[str]
    needs: int


class _Words:
    """Bits of stems in Latin letters, which all begin a word: no view with a stem lacks a word that
    is, or begins with, its longest.
    """

    def __init__(self) -> None:
        self._whole: dict[str, int] = {}
        self._begun: dict[str, int] = {}
        self._known: dict[str, int] = {}
        self._count = self._longest = 0

    def bit(self, stems: Sequence[str]) -> int:
        bit = 1 << self._count
        self._count += 1
        for stem in stems:
            words = fold(stem).split(" ")
            at = max(range(len(words)), key=lambda at: len(words[at]))
            known = self._whole if at < len(words) - 1 else self._begun
            known[words[at]] = known.get(words[at], 0) | bit
            self._longest = max(self._longest, len(words[at]))
        return bit

    def told_in(self, _: str, words: set[str]) -> int:
        """The bits of all stems of which a view, or its words, do not lack this."""
        known, told = self._known, 0
        for word in words:
            bits = known.get(word)
            told |= self._learn(word) if bits is None else bits
        return told

    def _learn(self, word: str) -> int:
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        bits = self._whole.get(word, 0)
        for end in range(1, min(len(word), self._longest) + 1):
            bits |= self._begun.get(word[:end], 0)
        self._known[word] = bits
        return bits


class _Letters:
    """Bits of stems in other letters: no view with a stem lacks its longest word, wherever marks
    are taken out. A word is looked for where its first letter beyond ASCII stands, if it has one,
    and the second stems of the kinds only where one of the first is told.
    """

    def __init__(self) -> None:
        self._halves: tuple[dict[str, list[tuple[str, int]]], ...] = ({}, {})
        self._count = 0

    def bit(self, stems: Sequence[str]) -> int:
        half, bit = self._halves[self._count % 2], 1 << self._count
        self._count += 1
        for stem in stems:
            word = max(fold(stem).split(" "), key=len).strip(".")
            letter = next((c for c in word if not c.isascii()), word[0])
            half.setdefault(letter, []).append((word, bit))
        return bit

    def told_in(self, view: str, _: set[str]) -> int:
        """As for `_Words`, but 0 where there is no first stem."""
        first, second = self._halves
        letters = set(view)
        told = _told(view, letters, first)
        return told and told | _told(view, letters, second)


def _told(view: str, letters: set[str], words: dict[str, list[tuple[str, int]]]) -> int:
    told = 0
    for letter in words.keys() & letters:
        for word, bit in words[letter]:
            if word in view:
                told |= bit
    return told


class _Tells:
    """What some tongues, all in Latin letters or none, cannot do without."""

    def __init__(self, tongues: tuple[Tongue, ...]) -> None:
        self._parts = _Words() if tongues[0] in ROMAN else _Letters()
        self.kinds = [
            _Kind(verdict, tongue, late(_near(one, other)), self._bit(one) | self._bit(other))
            for tongue in tongues
            for verdict, one, other in _kinds(tongue)
        ]
        self.told_in = self._parts.told_in
        self.kinds_of = lru_cache(_REMEMBERED)(self._kinds_told)

    def kinds_in(self, view: str, words: set[str]) -> Sequence[_Kind]:
        """The kinds of which a plain view lacks nothing, in order."""
        return self.kinds_of(self.told_in(view, words))

    def _kinds_told(self, told: int) -> Sequence[_Kind]:
        return [kind for kind in self.kinds if told & kind.needs == kind.needs]

    def _bit(self, written: str) -> int:
        return self._parts.bit([stem for stem in written.split("|") if stem.strip()])


_tells = cache(_Tells)


@cache
def _signs() -> list[tuple[frozenset[str], Tongue]]:
    return [(frozenset(tongue.signs.split()), tongue) for tongue in ROMAN]


@cache
def any_sign() -> frozenset[str]:
    """The words by which languages in Latin letters are told."""
    return frozenset().union(*(signs for signs, _ in _signs()))


def may_be_spoken(words: set[str]) -> bool:
    """False only where of no language in Latin letters two signs stand among the words of a view,
    and both stems of a kind.
    """
    return any(are_of_kind(tongue, stems_in(tongue, words)) for tongue in signed(words))


def signed(words: Set[str]) -> list[Tongue]:
    """The languages in Latin letters of which two signs stand among the words."""
    return [tongue for signs, tongue in _signs() if len(signs & words) > 1]


def stems_in(tongue: Tongue, words: set[str]) -> int:
    """The stems of such a language, as bits, that words of a view may begin."""
    return _tells((tongue,)).told_in("", words)


def are_of_kind(tongue: Tongue, stems: int) -> bool:
    """Whether the stems are both those of a kind."""
    return bool(_tells((tongue,)).kinds_of(stems))


def may_be_told(text: str) -> bool:
    """False only where none of the languages in other letters says a kind in a view, and so where
    a folded text lacks the longest words of its stems, without the marks that the view drops.
    """
    return bool(_tells(OTHERS).kinds_in(text, set()))


def may_begin(text: str) -> bool:
    """As `may_be_told`, of a part of a text: false of the whole where it is false of each part."""
    return _tells(OTHERS).told_in(text, set()) > 0


def spoken_in(view: str, words: set[str]) -> Verdict | None:
    """The first kind that a plain view meets in a language that it seems to be written in."""
    groups: list[tuple[Tongue, ...]] = [] if view.isascii() else [OTHERS]
    groups += [(tongue,) for tongue in roman_tongues(words)]
    for tongues in groups:
        for verdict, tongue, pattern, _ in _tells(tongues).kinds_in(view, words):
            match = pattern.search(view)
            if match:
                roman = tongue in ROMAN
                return _excused(view, match, verdict, roman) if verdict in _EXCUSABLE else verdict
    return None


def _excused(view: str, match: re.Match[str], verdict: Verdict, roman: bool) -> Verdict:
    """A note where the clause forbids or tells of the past; of Roman ones, before the match "
    "ends."""
    start = max(0, view.rfind(" ; ", 0, match.start() + 1))
    end = match.end() + 1 if roman else view.find(" ; ", match.end())
    clause = view[start : end if end >= 0 else len(view)]
    return TOLD_OF if _excusing().search(clause) else verdict


def roman_tongues(words: set[str]) -> list[Tongue]:
    """Languages of which the words of a view, the empty one too, hold two, a sixth of them."""
    if len(words & any_sign()) < 2:
        return []
    near = ((len(words & signs), tongue) for signs, tongue in _signs())
    return [tongue for met, tongue in near if met > 1 and met * 6 >= len(words)]


def tell_a_tongue(signs: frozenset[str]) -> bool:
    """Whether two of the words tell the same language."""
    return len(signs) > 1 and any(len(signs & of_one) > 1 for of_one, _ in _signs())
