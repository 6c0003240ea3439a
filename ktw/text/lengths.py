"""The words of a text, and their lengths as bytes: a run of words of some length is one search.

Knows nothing of what words say.
"""

import re
from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=2)  # what looks at the words of a text asks several times in a row
def words_between_blanks(text: str) -> Sequence[str]:
    """What stands between blanks, in order."""
    return text.split()


def word_lengths(words: Sequence[str]) -> bytes:
    """One byte for each word; 255 stands for any longer one."""
    try:
        return bytes(map(len, words))
    except ValueError:
        return bytes([length if length < 256 else 255 for length in map(len, words)])


@lru_cache(maxsize=2)
def lengths_between_blanks(text: str) -> bytes:
    """The lengths of what stands between blanks, one byte each."""
    return word_lengths(words_between_blanks(text))


def long_words(text: str, least: int) -> set[str]:
    """What stands between blanks and has at least so many characters, each once."""
    words = words_between_blanks(text)
    long = re.compile(rb"[%c-\xff]" % least)
    return {words[match.start()] for match in long.finditer(lengths_between_blanks(text))}
