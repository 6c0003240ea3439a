"""Kinds of directive in many languages, as stems: two that must stand near each other, in either
order.

Knows words, no grammar; folds the stems as texts are folded.
"""

import re
from functools import cache
from typing import NamedTuple

from ktw.text.directives.scripts import OTHERS
from ktw.text.directives.stems import EXCUSES, ROMAN, Tongue
from ktw.text.hidden import fold

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
    """What a tongue says of one kind: `needs` of each of the two stems a letter beside ASCII."""

    verdict: Verdict
    needs: tuple[frozenset[str], ...]
    pattern: re.Pattern[str]


@cache
def _said_in(tongue: Tongue) -> list[_Kind]:
    return [
        _Kind(
            verdict, tuple(filter(None, map(_letters, (one, other)))), re.compile(_near(one, other))
        )
        for verdict, one, other in _kinds(tongue)
    ]


def _letters(written: str) -> frozenset[str]:
    """Letters beside ASCII of which no text that holds one of the stems lacks all; none where a
    stem has no such letter.
    """
    stems = [fold(stem.strip()) for stem in written.split("|") if stem.strip()]
    firsts = [next((c for c in stem if not c.isascii()), "") for stem in stems]
    return frozenset(firsts) if all(firsts) else frozenset()


@cache
def _signs() -> list[tuple[frozenset[str], Tongue]]:
    return [(frozenset(tongue.signs.split()), tongue) for tongue in ROMAN]


@cache
def any_sign() -> frozenset[str]:
    """The words by which languages in Latin letters are told."""
    return frozenset().union(*(signs for signs, _ in _signs()))


def may_be_spoken(signs: frozenset[str]) -> bool:
    """False only where of no language two words are among `signs`, so that none is told."""
    return any(len(signs & known) > 1 for known, _ in _signs())


def spoken_in(view: str, words: set[str]) -> Verdict | None:
    """The first kind that a plain view meets in a language that it seems to be written in."""
    tongues = () if view.isascii() else OTHERS
    letters = frozenset(view)
    for tongue in (*tongues, *roman_tongues(words)):
        for verdict, needs, pattern in _said_in(tongue):
            if any(map(letters.isdisjoint, needs)):
                continue
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
