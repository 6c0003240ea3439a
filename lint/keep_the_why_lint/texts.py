"""What is found in texts as such, each asked for once: in earlier runs, or on all cores.

It knows the cache and the rules of pages; what depends on a project is for `runner`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from itertools import chain

from keep_the_why_lint.cache import Cache, Question, Rows
from keep_the_why_lint.cores import spread
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.page import Page
from keep_the_why_lint.rule import Rule, run_rules
from ktw.text import Span
from ktw.text.overlaps import with_apart

MUCH = 100_000  # characters: below that, processes cost more than they save
_LONG = 20_000  # characters: of a longer page, each process takes a part
_PART = 250_000  # characters of it, whose sentences are judged in one process
_MANY, _FIRST = 200, 20  # pages; the first of many meet most of the patterns

_Asked = tuple[Question, Callable[[], Rows]]


class Texts:
    """What is found in texts as such, each asked for once: in earlier runs, or on all cores."""

    def __init__(self, cache: Cache, rules: Sequence[Rule[Page]], asks_directives: bool) -> None:
        """`rules`: those of pages that are run; `asks_directives`: whether others will ask."""
        self._cache, self._rules, self._slow = cache, rules, asks_directives
        self._codes = " ".join(rule.code for rule in rules)
        self._fields = [field.name for field in fields(Page)]
        self._coming: Iterator[tuple[Sequence[_Asked], list[Rows]]] = iter(())
        self._awaited: set[Question] = set()

    def _about(self, page: Page) -> Question:
        """The question what a page holds; which rules there are is part of it."""
        return (self._codes, *[getattr(page, name) for name in self._fields])

    def look_at(self, pages: Sequence[Page]) -> None:
        """Begin to ask about all pages that are not known yet, unless all that is asked is quick.

        The answers are waited for once one of them is needed; what else is asked is answered here.
        """
        new = [page for page in pages if not self._cache.knows(self._about(page))]
        if not self._slow or sum(len(page.text) for page in new) < MUCH:
            return
        # Patterns are compiled when they are first needed: here once, or in each process again.
        for page in new[:_FIRST] if len(new) >= _MANY else ():
            _answer(list(chain.from_iterable(self._asked(page))))
        shares = list(self._shares(new))
        self._awaited = {question for share in shares for question, _ in share}
        self._coming = zip(shares, spread(_answer, shares), strict=True)

    def _shares(self, pages: Sequence[Page]) -> Iterator[Sequence[_Asked]]:
        """All that is asked, the longest first, in shares that take about as long."""
        share: list[_Asked] = []
        length = 0
        for page in sorted(pages, key=lambda page: len(page.text), reverse=True):
            asked = self._asked(page)
            if len(page.text) > _LONG:
                yield from asked
                continue
            share += chain.from_iterable(asked)
            length += len(page.text)
            if length >= _LONG:
                yield share
                share, length = [], 0
        if share:
            yield share

    def _asked(self, page: Page) -> Iterator[Sequence[_Asked]]:
        """All that is asked about a page, what takes longest first; about blobs, for which the
        rules of pages look too, together with these.
        """
        together, learned = _about_notes(page.text)
        yield [together]
        yield [_about_blobs(page.text), (self._about(page), lambda: self._look_at_page(page))]
        yield from ([one] for one in _about_directives(page.text))
        yield [learned]

    def findings(self, page: Page) -> Iterator[Finding]:
        rows = self._rows(self._about(page), lambda: self._look_at_page(page))
        return (Finding(*row) for row in rows)

    def directives(self, text: str) -> Sequence[Span]:
        alone = [*_about_directives(text), _about_blobs(text)]
        return with_apart(self._spans(alone), self._spans(_about_notes(text)))

    def _spans(self, asked: Iterable[_Asked]) -> list[Span]:
        return [Span(*row) for one in asked for row in self._rows(*one)]

    def _rows(self, question: Question, answer: Callable[[], Rows]) -> Rows:
        if question in self._awaited:
            self._awaited.clear()
            for share, answers in self._coming:
                for (asked, _), rows in zip(share, answers, strict=True):
                    self._cache.learn(asked, rows)
        return self._cache.rows(question, answer)

    def _look_at_page(self, page: Page) -> Rows:
        return [found.as_row() for found in run_rules(self._rules, page)]


def _answer(share: Sequence[_Asked]) -> list[Rows]:
    return [answer() for _, answer in share]


def _about_directives(text: str) -> Iterator[_Asked]:
    """What sentences say by themselves: those of a long text in parts, so that none takes long."""
    parts = -(-len(text) // _PART) or 1
    for part in range(parts):
        question = ("directives", f"{part} of {parts}", text)
        yield question, partial(_look_for_alone, text, part, parts)


def _about_blobs(text: str) -> _Asked:
    return ("blobs", text), partial(_look_for_blobs, text)


def _about_notes(text: str) -> tuple[_Asked, _Asked]:
    return (
        (("together", text), partial(_look_for_together, text)),
        (("learned", text), partial(_look_for_learned, text)),
    )


# The patterns of directives take time to compile: only a run that asks pays for them.
def _look_for_alone(text: str, part: int, parts: int) -> Rows:
    from ktw.text.directives import find_alone

    return list(map(list, find_alone(text, part, parts)))


def _look_for_blobs(text: str) -> Rows:
    from ktw.text.directives import find_ordering_blobs

    return list(map(list, find_ordering_blobs(text)))


def _look_for_together(text: str) -> Rows:
    from ktw.text.directives import find_together

    return list(map(list, find_together(text)))


def _look_for_learned(text: str) -> Rows:
    from ktw.text.directives import find_learned

    return list(map(list, find_learned(text)))
