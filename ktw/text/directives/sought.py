"""What is looked for in words as they stand: texts, and expressions that cannot lack a text.

Knows neither what they tell nor who asks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

_SHORT = 400  # characters in which all is looked for at once


class Sought:
    """Texts and expressions, of which a word may hold any."""

    def __init__(self, texts: Iterable[str], expressions: Mapping[str, str]) -> None:
        """`expressions`: for each text the expression that only matches where the text stands; `$`
        is the end of a word.
        """
        expressions = {**{text: re.escape(text) for text in texts}, **expressions}
        self._any = re.compile("|".join(expressions.values()), re.MULTILINE)
        self._each = [
            (text, None if expression == re.escape(text) else re.compile(expression))
            for text, expression in expressions.items()
        ]

    def held_by(self, word: str) -> bool:
        """Whether a word holds any of them."""
        return self._any.search(word) is not None

    def found_in(self, words: Iterable[str]) -> set[str]:
        """Those of the words that hold any of them."""
        joined = "\n".join(words)
        places = self._any_in(joined) if len(joined) < _SHORT else self._each_in(joined)
        return {joined[joined.rfind("\n", 0, at) + 1 : end] for at, end in places}

    def _any_in(self, joined: str) -> Iterator[tuple[int, int]]:
        for match in self._any.finditer(joined):
            yield match.start(), _line_end(joined, match.start())

    def _each_in(self, joined: str) -> Iterator[tuple[int, int]]:
        """To look for one text after the other is quicker than for all, and finds each in a line
        but once.
        """
        for text, expression in self._each:
            at = joined.find(text)
            while at >= 0:
                end = _line_end(joined, at)
                start = joined.rfind("\n", 0, at) + 1
                if not expression or expression.search(joined[start:end]):
                    yield at, end
                at = joined.find(text, end)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
