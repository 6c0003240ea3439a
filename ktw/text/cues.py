"""What a text shows at a glance: who speaks in it, whether it asks, and whether it names a time, a
place, a person, a number or a title.

Pure text in, flags out. The words are English; in other languages only digits, quotes, question
marks, paths and the name of a speaker tell something. VERSION is part of the index key.
"""

import re
from enum import IntFlag

VERSION = 1
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


_SPEAKER = re.compile(r"\s*([A-Z][\w'-]{0,39})(?: [A-Z][\w'.-]{0,39}){0,3}: ")
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SPANS = "(?:week|month|year|morning|weekend|summer|autumn|fall|winter|spring|night|evening)"
_PATTERNS = {
    Cue.ASKS: r"\?",
    Cue.PERSONAL: r"\b(?:I|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|us)\b",
    Cue.MOMENT: (
        r"(?i)\b(?:yesterday|today|tonight|tomorrow|ago|since|"
        rf"(?:last|next|this|past) (?:{_SPANS}|{_DAYS})|{_DAYS}|january|february|april|june|july|"
        r"august|september|october|november|december|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)|"
        r"for \w{1,20} (?:weeks|months|years))\b"
    ),
    Cue.PERIOD: (
        rf"(?i)\b(?:{_SPANS}s?|days?|afternoons?|recently|lately|just|already|soon|upcoming|now)\b"
    ),
    Cue.PLACE: (
        r"\b(?:[Ii]n|[Aa]t|[Ff]rom|[Tt]o|[Nn]ear|[Oo]n|[Vv]isit(?:ed|ing)?) "
        r"(?:the |an? |my |our )?[A-Z]\w|\b(?:park|beach|city|town|country|restaurant|caf[e\u00e9]|"
        r"store|shop|school|gym|studio|museum|lake|mountains?|forest|hotel|street|place|downtown|"
        r"cent(?:er|re)|house|home|camp\w{0,9}|trail|island|directory|folder)\b|\w/\w"
    ),
    Cue.PERSON: r"[a-z,] [A-Z][a-z]+\b",
    Cue.NUMBER: (
        r"(?i)\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|"
        r"thousand|once|twice|couple|few|several|many|both|first|second|third)\b"
    ),
    Cue.TITLE: '"|\u201c',
}
_CUES = {cue: re.compile(pattern) for cue, pattern in _PATTERNS.items()}


def cues(text: str) -> Cue:
    """What a text shows, looking at its first 20,000 characters."""
    look = text[:_LONGEST_LOOK]
    found = Cue(0)
    for cue, pattern in _CUES.items():
        if pattern.search(look):
            found |= cue
    return found


def speaker(text: str) -> str:
    """The first name of who speaks where a text begins with `Name: ` or `Name Surname: `, or ""."""
    matched = _SPEAKER.match(text)
    return matched[1] if matched else ""
