"""A small language for phrases: compiled to a linear regular expression and the cue words it needs.

Knows nothing of what a phrase means. A phrase is a line of blank-separated elements, matched
against the plain view of a sentence (`plain.plain`), where words and clause marks stand one blank
apart:

    skip|omit      one of these words; `turn_off` is two words in a row
    {guard}        one word of a named class of `words.CLASSES`, or of a shape of `words.SHAPES`
    x?             the element may be absent
    ..3            up to three words or marks of any kind
    ^              here a clause begins, after at most a few words of politeness
    $              here a clause ends
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from ktw.text.directives.words import CLASSES, SHAPES
from ktw.text.hidden import fold

# What may stand between the beginning of a clause and its imperative verb.
LEAD = (
    "please|kindly|just|simply|always|now|then|also|so|and|but|first|next|finally|"
    "immediately|later|instead|it_is_fine_to|feel_free_to|go_ahead_and|remember_to|"
    "make_sure_to|be_sure_to|you_must|you_should|you_may|you_can|you_need_to|you_have_to|"
    "you_are_to|you_will|must|should|todo|important|note|in_future|from_now_on"
)


# Words and marks too common to be what a phrase is looked up by.
COMMON = frozenset(
    "the a an is are be was to in on of for from and or with without at by as it this "
    "that these all any every no not do so if when has have can may should must will you "
    "your we our they its use add set get run make read files file ; , ? only "
    "code user list command following new name".split()
)


class Phrase(NamedTuple):
    """`pattern` matches in a plain view; `cues`: of each set, one word must occur for a match.

    Both raise KeyError for a class that does not exist.
    """

    source: str

    @property
    def cues(self) -> tuple[frozenset[str], ...]:
        """Slow for hundreds of phrases: `lookup` has those of all rules from a file."""
        plain = (p for p in self.source.split() if p not in ("^", "$") and p[-1] != "?")
        cues = (_cue(part) for part in plain if not part.startswith(".."))
        return tuple(cue for cue in cues if cue)

    @property
    def pattern(self) -> re.Pattern[str]:
        """Made at the first sentence that holds the cues: all at once cost 0.2 s a process."""
        return _pattern(self.source)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    elements = source.split()
    begin = ""
    if elements[0] == "^" and elements[1][-1] != "?" and not elements[1].startswith(".."):
        begin = _BEGIN + _choice(*alternatives(elements[1]))
        elements = elements[2:]
    return re.compile(begin + "".join(map(_expression, elements)) + "(?= )")


def _expression(element: str) -> str:
    """The regular expression of one element."""
    if element == "^":
        return _START
    if element == "$":
        return r"(?= [;,?] | $)"
    if element.startswith(".."):
        return rf"(?: \S+){{0,{int(element[2:])}}}?"
    words, shapes = alternatives(element.rstrip("?"))
    return _either(words, shapes) + ("?" if element.endswith("?") else "")


@cache
def _cue(element: str) -> frozenset[str]:
    """The words of which one must occur for the element to match; none where a shape may too."""
    cues = [_part_cue(part) for part in element.split("|")]
    return frozenset().union(*cues) if all(cues) else frozenset()


@cache
def _part_cue(part: str) -> frozenset[str]:
    """The words of a class, or one literal; none for what has a shape. Classes stand in many."""
    if not part.startswith("{"):
        return frozenset((_telling(spelled(part)),))
    name = part[1:-1]
    return frozenset() if name in SHAPES else frozenset(map(_telling, CLASSES[name]))


def _telling(spelled: str) -> str:
    """Of several words in a row the one that says most: the first that is not common."""
    if " " not in spelled:
        return spelled
    words = spelled.split(" ")
    return next((word for word in words if word not in COMMON), words[0])


def alternatives(element: str) -> tuple[list[str], list[str]]:
    """The words and the shapes that one element stands for."""
    words: list[str] = []
    shapes: list[str] = []
    for part in element.split("|"):
        if not part.startswith("{"):
            words.append(spelled(part))
            continue
        name = part[1:-1]
        words.extend(CLASSES.get(name, ()) if name in SHAPES else CLASSES[name])
        shapes.extend([SHAPES[name]] if name in SHAPES else [])
    return words, shapes


@cache
def spelled(literal: str) -> str:
    """A literal as it stands in a plain view."""
    # A setting such as SKIP_TESTS=1 keeps its underscores in the plain view too.
    folded = fold(literal)
    return folded if "=" in folded and len(folded) > 1 else folded.replace("_", " ")


def _either(words: Iterable[str], shapes: Iterable[str] = ()) -> str:
    return f"(?: {_choice(words, shapes)})"


def _choice(words: Iterable[str], shapes: Iterable[str] = ()) -> str:
    # Longest first: " turn off" must win over " turn".
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join([*map(re.escape, ordered), *shapes]) + ")(?= )"


_POLITE = tuple(map(spelled, LEAD.split("|")))
_START = r"(?:^|(?<= [;,?])|(?<= and)|(?<= then)|(?<= but))" + _either(_POLITE) + "{0,3}"
# The same and the blank behind it, which every match begins with: looked for first, a search takes
# a quarter of the time.
_BEGIN = (
    rf" (?:(?<=^ )|(?<= [;,?] )|(?<= and )|(?<= then )|(?<= but ))(?:{_choice(_POLITE)} ){{0,3}}"
)
