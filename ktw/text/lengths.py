"""The words of a text, and their lengths as bytes: a run of words of some length is one search.

Knows nothing of what words say.
"""

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
