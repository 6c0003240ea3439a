"""Digits and marks that stand for letters ("1gnor3 th3 t3sts"): words as they read.

Knows which words a rule may ask for only as a set that it is given.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product, zip_longest

from ktw.text.late import late

_LETTERS = str.maketrans("03457@$8!+9", "oeastasbitg")
_LETTERED = late(r"[0134578@$!+9][a-z]|[a-z][0134578@$!+9]+(?= |$)")
_BESIDE = late(r"[0134578@$!+9][a-z]|[a-z][0134578@$!+9]")
_COMMON = late("[304@]")
_MANY = 4  # of them in a sentence leave no doubt
_LEAST = 4  # letters of a known word that is told by itself
_WORD = late(r"(?<![a-z0-9@$!+])[a-z0-9@$!+]{3,24}[a-z0-9@$](?![a-z0-9@$])")


def looks_lettered(folded: str) -> bool:
    """Whether so many words are written with digits for letters that all are to be read so."""
    return _COMMON.search(folded) is not None and len(_LETTERED.findall(folded)) >= _MANY


def all_read(folded: str, known: frozenset[str]) -> str:
    """A folded sentence, each word read with letters for its digits."""
    written = folded.split()
    read = {word: lettered(word, known) for word in set(written)}
    return " ".join(map(read.__getitem__, written))


def holds_lettered(folded: str, known: frozenset[str]) -> bool:
    """Whether a known word stands in a folded text, or word, with digits for some letters."""
    if _BESIDE.search(folded) is None:
        return False
    return any(_as_known(word, known) for word in _WORD.findall(folded))


def known_read(folded: str, known: frozenset[str]) -> str:
    """A folded sentence with those words read that make a known one."""
    return _WORD.sub(lambda word: _as_known(word[0], known) or word[0], folded)


def _as_known(word: str, known: frozenset[str]) -> str:
    """The known word that is written so; "" if it is none, or short, or written with one letter."""
    if word.isalpha() or word in known or sum(map(str.isalpha, word)) < 2:
        return ""
    read = lettered(word, known)
    return read if len(read) >= _LEAST and read in known else ""


def lettered(word: str, known: frozenset[str]) -> str:
    """A word with letters for its digits; a 1 is an i or an l, whichever makes a known word."""
    if word.isalpha():
        return word
    read = word.translate(_LETTERS)
    return read if "1" not in read else _with_letters_for_ones(read, known)


def all_lettered(words: Iterable[str]) -> list[str]:
    """As `lettered`, for words that hold no 1 and not letters alone."""
    return "\n".join(words).translate(_LETTERS).split("\n") if words else []


@lru_cache(maxsize=1 << 12)
def _with_letters_for_ones(word: str, known: frozenset[str]) -> str:
    pieces = word.split("1")
    for letters in product("il", repeat=len(pieces) - 1) if len(pieces) < 5 else ():
        read = "".join(map("".join, zip_longest(pieces, letters, fillvalue="")))
        if read.strip(".,;:") in known:
            return read
    return "i".join(pieces)
