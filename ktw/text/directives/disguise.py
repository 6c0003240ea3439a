"""Plain views of sentences in disguise: letters spaced out, digits for letters, backwards, rot13,
escapes.

Only undoes; what the undone text says is judged by the rules. Each disguise has a cheap sign of its
own.
"""

import codecs
import re
from collections.abc import Iterator

from ktw.text.escape import unescaped

_LEET = str.maketrans("013457@$8", "oieastasb")
_LEET_WORD = re.compile(r"[0134578@$][a-z]|[0134578@$](?= )")
_CHAINED = re.compile(r"(?<!\w)\w(?:([-._*~+])\w(?:\1\w)*)(?!\w)")
_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-f]{4})|\\x([0-9a-f]{2})")
_ROT13 = frozenset(
    "gur naq lbh abg guvf gung vf va gb bs sbe nyy ner jvgu jvgubhg qb vg lbhe na sebz "
    "ol jura ba".split()
)
_REVERSED = frozenset(
    "eht dna uoy ton siht taht si ni ot fo rof lla era htiw tuohtiw od ti ruoy".split()
)
_RTL = re.compile("\u202e([^\u202c\n]{8,20000})")


def undisguised(raw: str, folded: str, words: set[str]) -> Iterator[str]:
    """Texts that the sentence may stand for once a disguise is taken off.

    `folded` is the sentence folded, `words` the words of its plain view.
    """
    if "\u202e" in raw:
        for match in _RTL.finditer(raw):
            yield match[1][::-1]
    if ("\\u" in folded or "\\x" in folded) and len(_UNICODE_ESCAPE.findall(folded)) > 5:
        yield _UNICODE_ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)), folded)
    if folded.count("%") > 3:
        yield unescaped(folded).replace("=", " ; ")
    if _looks_leet(folded):
        yield folded.translate(_LEET)
    if _looks_spaced(folded):
        yield _unspaced(folded)
    if (folded.count("-") + folded.count(".") + folded.count("_")) * 4 > len(folded):
        yield _CHAINED.sub(lambda m: m[0].replace(m[1], ""), folded)
    if not words.isdisjoint(_ROT13) and _sure(words, _ROT13):
        yield codecs.encode(folded, "rot13")
    if not words.isdisjoint(_REVERSED) and _sure(words, _REVERSED):
        yield folded[::-1]


def _sure(words: set[str], signs: frozenset[str]) -> bool:
    """Whether enough of the words are the disguised forms of the commonest English ones."""
    known = len(words & signs)
    return known > 0 and known * 8 >= len(words)


def _looks_leet(folded: str) -> bool:
    return len(_LEET_WORD.findall(folded)) >= 4


def _looks_spaced(folded: str) -> bool:
    blanks = folded.count(" ")
    if blanks < 8 or blanks * 5 < len(folded) * 2:
        return False
    words = folded.split()
    return sum(len(word) == 1 for word in words) * 5 >= len(words) * 4


def _unspaced(folded: str) -> str:
    """Letters one blank apart joined; two blanks or more stood between words."""
    return " ".join(part.replace(" ", "") for part in re.split(r"\s{2,}", folded.strip()))
