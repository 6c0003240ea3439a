"""Words beyond ASCII: no phrase, cue or sign of any rule is one, so that all are alike but to the
languages that are told by their letters.

Knows folded texts and what judges take out of them; the languages themselves are `tongues`'.
"""

import re
from string import punctuation

from ktw.text.directives import tongues
from ktw.text.directives.glue import without_symbols
from ktw.text.directives.plain import DROPPED, in_full
from ktw.text.escape import entities_read
from ktw.text.hidden import fold
from ktw.text.late import late

# Beyond ASCII the marks that part the words of a plain view, and the rest; with what a word has of
# ASCII letters, as far as no apostrophe may part them.
_PARTING = "\u3002\u2192\u2022\u3001"
_PARTED = str.maketrans(dict.fromkeys(_PARTING, " "))
_FOREIGN = late(
    rf"(?:(?<![a-z'])[a-z]*+)?[^\x00-\x7f{_PARTING}](?:[^\x00-`{{-\x7f{_PARTING}]+(?!'))?"
    rf"|[{_PARTING}]"
)
_GONE = late(f"[{re.escape(DROPPED)}_~]")
_MARKS = late(f"[{re.escape(punctuation)}]+")
# What is taken out from between letters, and what then is more than marks: a tag, a short form.
_BETWEEN = str.maketrans("", "", '-._*~+/|,`"\\')
_TAG = late(r"<[a-z!]")
_SHORT_FORM = late(r"[^\s\[\]{}<>^()|;#]'(?:t|re|ve|ll|s)|'(?:re|ve|ll)")


def ascii_in(folded: str) -> str:
    """A folded text without words that are not ASCII: each other word of its plain view, unglued
    too, or of what undoes a disguise, is one of this text's, which may have more.

    Nothing parts letters from those beside them, or joins them to others, but marks; what stood
    beside a word that goes is one with it, or stands by itself here as well.
    """
    return folded if folded.isascii() else _FOREIGN.sub(" ", without_symbols(folded))


def parted(folded: str) -> str:
    """A folded text with blanks for the marks beyond ASCII that part words in its plain view."""
    return folded if folded.isascii() else folded.translate(_PARTED)


def may_be_told(folded: str) -> bool:
    """Whether languages in other letters may tell a kind in the plain view of a sentence."""
    bare = in_full(folded) if "'" in folded else folded
    return tongues.may_be_told(_GONE.sub("", bare))


def may_be_told_without_marks(folded: str) -> bool:
    """As `may_be_told`, once any marks are taken out."""
    return _may_join(folded) or tongues.may_be_told(_MARKS.sub("", folded))


def may_begin(raw: str) -> bool:
    """False of each piece of a row only where of the row `may_be_told_without_marks` is false, and
    no letters are read for digits.
    """
    folded = fold(entities_read(raw))
    if _may_join(folded) or any(map(folded.__contains__, "304@")):
        return True
    return tongues.may_begin(_MARKS.sub("", folded))


def _may_join(folded: str) -> bool:
    """Whether more than marks may be taken out from between letters: tags, and short forms.

    An apostrophe goes with letters, or parts, in these alone. Where a word begins with `'s`, what
    is left of it is found in the whole word too.
    """
    if "<" in folded and _TAG.search(folded.translate(_BETWEEN)):
        return True
    return "'" in folded and _SHORT_FORM.search(folded.translate(_BETWEEN)) is not None
