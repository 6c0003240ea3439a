"""Words found again in letters that no blank parts.

Knows only which words are known; whatever lies between them is left as it is.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

_LONGEST = 600  # letters; a longer run was not written to be read
_WORD = 14  # letters of the longest word that is looked for
_ONE = (1,)
_SMALL = frozenset(
    "a the and or of to in on for with is are be it this that all any you your no not do "
    "from by as at so when if before after".split()
)


def segmented(letters: str, known: frozenset[str]) -> str:
    """`letters` with blanks around the words that cover most of it, few long ones first.

    Each word costs 1, each letter outside a word 2. Time grows with the length alone.
    """
    letters = letters.lower()[:_LONGEST]
    words, lengths = _words(known)
    best: list[tuple[int, int]] = [(0, 0)]  # cost up to here, where the last piece began
    for end in range(1, len(letters) + 1):
        cost, start = best[end - 1][0] + 2, end - 1
        for length in lengths.get(letters[max(0, end - 2) : end], _ONE):
            begin = end - length
            if begin >= 0 and best[begin][0] + 1 < cost and letters[begin:end] in words:
                cost, start = best[begin][0] + 1, begin
        best.append((cost, start))
    return _spelt(letters, best)


@lru_cache(maxsize=1)
def _words(known: frozenset[str]) -> tuple[frozenset[str], Mapping[str, tuple[int, ...]]]:
    """The words that are looked for, and by their last two letters how long they can be, the
    longest first; one letter is a word too.
    """
    words = _SMALL.union(word for word in known if 2 < len(word) <= _WORD)
    lengths: dict[str, set[int]] = defaultdict(lambda: set(_ONE))
    for word in words:
        if len(word) > 1:
            lengths[word[-2:]].add(len(word))
    return words, {end: tuple(sorted(found, reverse=True)) for end, found in lengths.items()}


def _spelt(letters: str, best: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    loose = ""  # letters outside words, gathered from the end
    end = len(letters)
    while end:
        start = best[end][1]
        if end - start == 1 and letters[start:end] != "a":
            loose = letters[start:end] + loose
        else:
            pieces += [loose, letters[start:end]] if loose else [letters[start:end]]
            loose = ""
        end = start
    pieces += [loose] if loose else []
    return " ".join(reversed(pieces))
