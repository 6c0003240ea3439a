"""The lengths of words in a row, as bytes: a run of words of some length is then one search.

Knows nothing of what words are.
"""

from collections.abc import Sequence


def word_lengths(words: Sequence[str]) -> bytes:
    """One byte for each word; 255 stands for any longer one."""
    try:
        return bytes(map(len, words))
    except ValueError:
        return bytes(min(len(word), 255) for word in words)
