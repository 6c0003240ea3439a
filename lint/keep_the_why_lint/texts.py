"""What is found in texts as such, each asked for once: in earlier runs, or on all cores.

It knows the cache and the rules of pages; what depends on a project is for `runner`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, fields

from keep_the_why_lint.cache import Cache, Question, Rows
from keep_the_why_lint.cores import spread
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.page import Page
from keep_the_why_lint.rule import Rule, run_rules
from ktw.text import Span
from ktw.text.overlaps import with_apart

MUCH = 100_000  # characters: below that, processes cost more than they save
_LONG = 20_000  # characters: of a longer page, each process takes a part
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

    def _about(self, page: Page) -> Question:
        """The question what a page holds; which rules there are is part of it."""
        return (self._codes, *[getattr(page, name) for name in self._fields])

    def look_at(self, pages: Sequence[Page]) -> None:
        """Begin to ask about all pages that are not known yet, unless all that is asked is quick.

        The answers are waited for once one of them is needed.
        """
        new = [page for page in pages if not self._cache.knows(self._about(page))]
        if not self._slow or sum(len(page.text) for page in new) < MUCH:
            return
        # Patterns are compiled when they are first needed: here once, or in each process again.
        for page in new[:_FIRST] if len(new) >= _MANY else ():
            _answer(self._asked(page))
        shares = list(self._shares(new))
        self._coming = zip(shares, spread(_answer, shares), strict=True)

    def _shares(self, pages: Sequence[Page]) -> Iterator[Sequence[_Asked]]:
        """All that is asked, the longest first, in shares that take about as long."""
        share: list[_Asked] = []
        length = 0
        for page in sorted(pages, key=lambda page: len(page.text), reverse=True):
            asked = self._asked(page)
            if len(page.text) > _LONG:
                yield from ([one] for one in asked)
                continue
            share += asked
            length += len(page.text)
            if length >= _LONG:
                yield share
                share, length = [], 0
        if share:
            yield share

    def _asked(self, page: Page) -> Sequence[_Asked]:
        """The quickest comes last: whichever process is free first takes it."""
        return (
            (_about_alone(page.text), lambda: _look_for_alone(page.text)),
            (_about_notes(page.text), lambda: _look_for_notes(page.text)),
            (self._about(page), lambda: self._look_at_page(page)),
        )

    def _wait(self) -> None:
        for share, answers in self._coming:
            for (question, _), rows in zip(share, answers, strict=True):
                self._cache.learn(question, rows)

    def findings(self, page: Page) -> Iterator[Finding]:
        self._wait()
        rows = self._cache.rows(self._about(page), lambda: self._look_at_page(page))
        return (Finding(*row) for row in rows)

    def directives(self, text: str) -> Sequence[Span]:
        self._wait()
        alone = self._cache.rows(_about_alone(text), lambda: _look_for_alone(text))
        notes = self._cache.rows(_about_notes(text), lambda: _look_for_notes(text))
        return with_apart([Span(*row) for row in alone], [Span(*row) for row in notes])

    def _look_at_page(self, page: Page) -> Rows:
        return [list(astuple(found)) for found in run_rules(self._rules, page)]


def _answer(share: Sequence[_Asked]) -> list[Rows]:
    return [answer() for _, answer in share]


def _about_alone(text: str) -> Question:
    return "directives", text


def _about_notes(text: str) -> Question:
    return "notes", text


def _look_for_alone(text: str) -> Rows:
    from ktw.text.directives import find_alone

    return [list(span) for span in find_alone(text)]


def _look_for_notes(text: str) -> Rows:
    from ktw.text.directives import find_notes

    return [list(span) for span in find_notes(text)]
