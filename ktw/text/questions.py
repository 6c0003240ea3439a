"""What a question asks for beside its words: a kind of answer, days that it names, and people.

Pure text in, values out; the clock is an argument. The words are English, days are also read as
2026-01-31 and 2026-01.
"""

import re
from datetime import date, timedelta
from typing import NamedTuple

from ktw.text.cues import Cue
from ktw.text.late import late

_LONGEST = 2000  # of a question, in characters; what is pasted after it names nothing


class Named(NamedTuple):
    """A day, month or year that a question names; None for what it leaves open."""

    year: int | None
    month: int | None = None
    day: int | None = None


class Asked(NamedTuple):
    """What a question asks for: kinds of answer, days, and capitalised words in their order."""

    kinds: Cue
    days: tuple[Named, ...]
    names: tuple[str, ...]


_KINDS = (
    (
        Cue.MOMENT,
        r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow (?:long|often|recently)\b",
    ),
    (
        Cue.PLACE,
        r"\bwhere\b|\b(?:what|which) (?:\w{1,20} )?"
        r"(?:place|city|country|state|town|location|restaurant|directory|folder|file|path)s?\b",
    ),
    (Cue.PERSON, r"\bwho(?:m|se)?\b"),
    (Cue.NUMBER, r"\bhow (?:many|much|old|long|often)\b"),
    (Cue.DURATION, r"\bhow long\b"),
    (Cue.TITLE, r"\b(?:book|movie|film|song|game|series|called|named?|title)"),
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>(?i:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)|Mar(?:ch)?|May)\b"
)
_DAY = r"(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d\d"
_SPOKEN = late(
    rf"(?:\b(?P<before>\d{{1,2}}){_DAY}(?: of)?,? )?\b{_MONTH}"
    rf"(?:,? (?P<after>\d{{1,2}}){_DAY}\b)?(?:,?(?: of)? (?P<year>{_YEAR})\b)?"
)
_ISO = late(rf"\b(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d))?\b")
_ONLY_YEAR = late(rf"\b(?P<year>{_YEAR})\b")
_NAME = late(r"\b[A-Z][\w'-]{0,39}")


def asked(question: str, today: date) -> Asked:
    """What `question` asks for, with "today" and "last month" as they are on that day."""
    text = question[:_LONGEST]
    lower = text.lower()
    kinds = Cue(0)
    for kind, pattern in _KINDS:
        if re.search(pattern, lower):
            kinds |= kind
    names = (found.removesuffix("'s").lower() for found in _NAME.findall(text))
    return Asked(kinds, _days(text, lower, today), tuple(dict.fromkeys(names)))


def _days(text: str, lower: str, today: date) -> tuple[Named, ...]:
    """The days that a text names; a year alone only where nothing more exact stands."""
    exact = [*map(_iso, _ISO.finditer(text)), *map(_spoken, _SPOKEN.finditer(text))]
    exact += [named for words, named in _relative(today) if words in lower]
    return tuple(exact or [Named(int(found["year"])) for found in _ONLY_YEAR.finditer(text)])


def _iso(found: re.Match[str]) -> Named:
    return Named(int(found["year"]), int(found["month"]), int(found["day"] or 0) or None)


def _spoken(found: re.Match[str]) -> Named:
    month = _MONTHS.index(found["month"][:3].lower()) + 1
    day = int(found["before"] or found["after"] or 0) or None
    return Named(int(found["year"]) if found["year"] else None, month, day)


def _relative(today: date) -> list[tuple[str, Named]]:
    yesterday = today - timedelta(days=1) if today > date.min else today
    last_month = today.replace(day=1) - timedelta(days=1) if today.year > 1 else today
    return [
        ("today", Named(today.year, today.month, today.day)),
        ("yesterday", Named(yesterday.year, yesterday.month, yesterday.day)),
        ("this month", Named(today.year, today.month)),
        ("last month", Named(last_month.year, last_month.month)),
        ("this year", Named(today.year)),
        ("last year", Named(today.year - 1)),
    ]
