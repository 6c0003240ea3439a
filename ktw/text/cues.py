"""What a text shows at a glance: who speaks in it, whether it asks, and whether it names a time, a
place, a person, a number or a title.

Pure text in, flags out. The words are English; in other languages only digits, quotes, question
marks, paths and the name of a speaker tell something. VERSION is part of the index key.
"""

from collections.abc import Sequence
from enum import IntFlag
from itertools import pairwise

from ktw.text.late import late

VERSION = 2
_LONGEST_LOOK = 20_000  # a cue that far into a text tells nothing of what the text is about


class Cue(IntFlag):
    """One thing that a text shows."""

    ASKS = 1
    PERSONAL = 2
    MOMENT = 4
    PERIOD = 8
    PLACE = 16
    PERSON = 32
    NUMBER = 64
    TITLE = 128
    DURATION = 256


_SPEAKER = late(r"\s*([A-Z][\w'-]{0,39})(?: [A-Z][\w'.-]{0,39}){0,3}: ")
_BLANKS = str.maketrans(dict.fromkeys("!\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~/\u2019\u201c\u201d", " "))
_SPANS = frozenset("week month year morning weekend summer autumn fall winter spring night".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_PERSONAL = frozenset("i my me mine we our us".split())
_MOMENTS = _DAYS | frozenset(
    "yesterday today tonight tomorrow ago since january february april june july august september "
    "october november december".split()
)
_WHICH = frozenset("last next this past".split())
_LASTING = frozenset("weeks months years".split())
_PERIODS = (
    _SPANS
    | _LASTING
    | frozenset(
        "weekends mornings summers winters nights day days evening evenings afternoon afternoons "
        "recently lately just already soon upcoming now".split()
    )
)
_PLACES = frozenset(
    "park beach city town country restaurant cafe caf\u00e9 store shop school gym studio museum "
    "lake mountain mountains forest hotel street place downtown center centre house home camp "
    "camping campsite trail island directory folder".split()
)
_BEFORE_A_PLACE = frozenset("in at from to near on visit visited visiting".split())
_ARTICLES = frozenset("the a an my our".split())
_NUMBERS = frozenset(
    "one two three four five six seven eight nine ten twelve dozen hundred thousand once twice "
    "couple few several many both first second third".split()
)
_HOW_MANY = _NUMBERS - frozenset("once twice both first second third".split()) | frozenset(
    ("a", "an")
)
_UNITS = frozenset("second minute hour day night week month year decade".split())
_UNITS |= {f"{unit}s" for unit in _UNITS}
_DIGIT = late(r"\d")
_DATE = late(r"\b(?:(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th))\b")
_PATH = late(r"\w/\w")
_PERSON = late(r"[a-z,] [A-Z][a-z]+\b")


def cues(text: str) -> Cue:
    """What a text shows, looking at its first 20,000 characters."""
    look = text[:_LONGEST_LOOK]
    words = look.translate(_BLANKS).split()
    lower = [word.lower() for word in words]
    known, has_digit = set(lower), _DIGIT.search(look) is not None
    shown = {
        Cue.ASKS: "?" in look,
        Cue.PERSONAL: not known.isdisjoint(_PERSONAL),
        Cue.MOMENT: (
            not known.isdisjoint(_MOMENTS)
            or (has_digit and _DATE.search(look) is not None)
            or (not known.isdisjoint(_WHICH) and _names_a_span(lower))
            or ("for" in known and not known.isdisjoint(_LASTING) and _lasts(lower))
        ),
        Cue.PERIOD: not known.isdisjoint(_PERIODS),
        Cue.PLACE: (
            not known.isdisjoint(_PLACES)
            or ("/" in look and _PATH.search(look) is not None)
            or _is_somewhere(words, lower)
        ),
        Cue.PERSON: _PERSON.search(look) is not None,
        Cue.NUMBER: has_digit or not known.isdisjoint(_NUMBERS),
        Cue.TITLE: '"' in look or "\u201c" in look,
        Cue.DURATION: "since" in known or (not known.isdisjoint(_UNITS) and _is_long(lower)),
    }
    return Cue(sum(cue for cue, is_shown in shown.items() if is_shown))


def _names_a_span(lower: Sequence[str]) -> bool:
    """`last week`, `this summer`."""
    return any(one in _WHICH and other in _SPANS for one, other in pairwise(lower))


def _lasts(lower: Sequence[str]) -> bool:
    """`for three weeks`."""
    return any(lower[at] == "for" and end in _LASTING for at, end in enumerate(lower[2:]))


def _is_long(lower: Sequence[str]) -> bool:
    """`30 days`, `a couple of weeks`, `two whole years`."""
    return any(
        (word in _HOW_MANY or word[0].isdigit()) and not _UNITS.isdisjoint(lower[at : at + 2])
        for at, word in enumerate(lower[:-1], 1)
    )


def _is_somewhere(words: Sequence[str], lower: Sequence[str]) -> bool:
    """`in Berlin`, `at the Louvre`."""
    for at, word in enumerate(lower[:-1]):
        if word in _BEFORE_A_PLACE:
            place = at + 2 if lower[at + 1] in _ARTICLES else at + 1
            if words[place : place + 1] and words[place][0].isupper() and lower[place] != "i":
                return True
    return False


def speaker(text: str) -> str:
    """The first name of who speaks where a text begins with `Name: ` or `Name Surname: `, or ""."""
    matched = _SPEAKER.match(text)
    return matched[1] if matched else ""
