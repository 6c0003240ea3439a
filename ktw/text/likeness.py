"""How alike two words are: to the eye, and in spelling. Pure text."""

import unicodedata

from ktw.text.lookalikes import LOOKALIKES

_LETTERS = str.maketrans(LOOKALIKES)


def skeleton(text: str) -> str:
    """What `text` looks like, in small ASCII letters where it looks like some."""
    folded = unicodedata.normalize("NFKC", text).translate(_LETTERS)
    return folded.casefold().translate(_LETTERS)


def one_slip_apart(word: str, other: str) -> bool:
    """True where one letter added, left out, replaced or swapped with the next turns one into
    the other."""
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    shorter, longer = (word, other) if len(word) <= len(other) else (other, word)
    at = 0  # where they part
    while at < len(shorter) and shorter[at] == longer[at]:
        at += 1
    if len(shorter) < len(longer):
        return shorter[at:] == longer[at + 1 :]
    swapped = shorter[at + 1 : at + 2] + shorter[at : at + 1] + shorter[at + 2 :]
    return shorter[at + 1 :] == longer[at + 1 :] or swapped == longer[at:]
