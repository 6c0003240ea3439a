"""Which passage of a long text answers a question best: by its words, and by meaning where there is
a model.

Pure over the text it is given; whether that may be shown, and how, is for `render`.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from ktw.embedding import Embedder
from ktw.text import tokens
from ktw.text.languages import languages_of
from ktw.text.passages import PASSAGE, passage_bounds
from ktw.text.sentences import Bounds


class Focus:
    """The best passage for one question."""

    def __init__(self, question: str, embedder: Embedder | None = None) -> None:
        self._question, self._embedder = question, embedder
        self._terms = tokens.words(question)

    def find(self, text: str, budget: int) -> Bounds:
        """(start, end) of the best passage of `text` that leaves room in `budget` characters; the
        first where none is better."""
        bounds = passage_bounds(text, max(1, min(PASSAGE, budget * 2 // 3)))
        if len(bounds) == 1:
            return bounds[0]
        passages = [text[start:end] for start, end in bounds]
        scores = [
            sum(pair) for pair in zip(self._by_words(passages), self._near(passages), strict=True)
        ]
        return bounds[scores.index(max(scores))]

    def _by_words(self, passages: Sequence[str]) -> list[float]:
        """Between 0 and 1: the question's terms that each passage has, rare ones counting more."""
        pieces = [tokens.split(passage) for passage in passages]
        languages = languages_of(chain.from_iterable(each.words for each in pieces))
        had = [self._terms.intersection(tokens.terms_of(each, languages)) for each in pieces]
        often = Counter(term for terms in had for term in terms)
        rarity = {
            term: math.log(1 + (len(passages) - count + 0.5) / (count + 0.5))
            for term, count in often.items()
        }
        return _spread([math.fsum(rarity[term] for term in sorted(terms)) for terms in had])

    def _near(self, passages: Sequence[str]) -> list[float]:
        """Between 0 and 1: how near each passage comes to the question in meaning."""
        if self._embedder is None:
            return [0.0] * len(passages)
        from ktw.vectors import passage_cosines

        return _spread(passage_cosines(self._embedder, passages, self._question))


def _spread(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    return [(value - low) / ((high - low) or 1.0) for value in values]
