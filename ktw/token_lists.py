"""For each memory the model's tokens of the words that carry meaning, sentence by sentence.

Pure over texts and an embedder; the vectors of these tokens are the model's own rows, so none are
kept. It knows nothing of questions.
"""

import re
from array import array
from collections.abc import Mapping
from functools import lru_cache

from ktw.embedding import Embedder
from ktw.text import tokens

END = 0xFFFFFFFF  # stands after each sentence
_SENTENCE = re.compile(r"[.!?]+(?=\s|$)|\n")
_SHORT = 3  # a sentence of fewer words is part of its neighbour

Lists = dict[int, memoryview]  # of unsigned numbers of 32 bits

_carries_meaning = lru_cache(maxsize=1 << 14)(tokens.carries_meaning)


def token_lists_of(embedder: Embedder, texts: Mapping[int, str]) -> Lists:
    """The tokens of texts by row number."""
    if not texts:
        return {}  # and no tokenizer is loaded
    parts = [sentences(text) for text in texts.values()]
    encoded = iter(embedder.tokens([sentence for part in parts for sentence in part]))
    lists = ([token for _ in part for token in (*next(encoded), END)] for part in parts)
    return {
        number: memoryview(array("I", listed)) for number, listed in zip(texts, lists, strict=True)
    }


def sentences(text: str) -> list[str]:
    """The words of each sentence that carry meaning, joined by blanks; at least one sentence."""
    found: list[list[str]] = [[]]
    for part in _SENTENCE.split(text):
        words = [word for word in tokens.word_list(part) if _carries_meaning(word)]
        if len(found[-1]) < _SHORT or len(words) < _SHORT:
            found[-1] += words
        else:
            found.append(words)
    return [" ".join(words) for words in found]
