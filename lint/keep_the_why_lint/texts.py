"""What is found in texts as such, each asked for once: in earlier runs, or on all cores.

It knows the cache and the rules of pages; what depends on a project is for `runner`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, fields

from keep_the_why_lint.cache import Cache, Question, Rows
from keep_the_why_lint.cores import FEW, spread
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.page import Page, directives_in
from keep_the_why_lint.rule import Rule, run_rules
from ktw.text import Span

_FIRST = 20  # pages that meet most of the patterns


class Texts:
    """What is found in texts as such, each asked for once: in earlier runs, or on all cores."""

    def __init__(self, cache: Cache, rules: Sequence[Rule[Page]], asks_directives: bool) -> None:
        """`rules`: those of pages that are run; `asks_directives`: whether others will ask."""
        self._cache, self._rules, self._slow = cache, rules, asks_directives
        self._codes = " ".join(rule.code for rule in rules)
        self._fields = [field.name for field in fields(Page)]
        self._coming: Iterator[tuple[Page, tuple[Rows, Rows]]] = iter(())

    def _about(self, page: Page) -> Question:
        """The question what a page holds; which rules there are is part of it."""
        return (self._codes, *[getattr(page, name) for name in self._fields])

    def look_at(self, pages: Sequence[Page]) -> None:
        """Begin to ask about all pages that are not known yet, unless all that is asked is quick.

        The answers are waited for once one of them is needed.
        """
        new = [page for page in pages if not self._cache.knows(self._about(page))]
        if len(new) < FEW or not self._slow:
            return
        # Patterns are compiled when they are first needed: here once, or in each process again.
        for page in new[:_FIRST]:
            self._look(page)
        self._coming = zip(new, spread(self._look, new), strict=True)

    def _wait(self) -> None:
        for page, (findings, spans) in self._coming:
            self._cache.learn(self._about(page), findings)
            self._cache.learn(_about_directives(page.text), spans)

    def findings(self, page: Page) -> Iterator[Finding]:
        self._wait()
        rows = self._cache.rows(self._about(page), lambda: self._look_at_page(page))
        return (Finding(*row) for row in rows)

    def directives(self, text: str) -> Sequence[Span]:
        self._wait()
        rows = self._cache.rows(_about_directives(text), lambda: _look_for_directives(text))
        return [Span(*row) for row in rows]

    def _look(self, page: Page) -> tuple[Rows, Rows]:
        return self._look_at_page(page), _look_for_directives(page.text)

    def _look_at_page(self, page: Page) -> Rows:
        return [list(astuple(found)) for found in run_rules(self._rules, page)]


def _about_directives(text: str) -> Question:
    return "directives", text


def _look_for_directives(text: str) -> Rows:
    return [list(span) for span in directives_in(text)]
