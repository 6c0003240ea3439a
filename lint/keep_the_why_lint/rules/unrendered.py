"""Rules about text that stands in the source and that the rendered page does not show.

Where such text stands is decided in `ktw.text.unrendered`; no message repeats it.
"""

from collections.abc import Iterable, Iterator

from keep_the_why_lint.page import Page
from keep_the_why_lint.rule import Found, Rule, rule
from ktw.text import Span
from ktw.text.unrendered import CARRIES, SCRIPT, UNSEEN

_PROSE = 3  # words


def _at(page: Page, spans: Iterable[Span], message: str, code: str) -> Iterator[Found]:
    for span in spans:
        line, column = page.place(span.start)
        end_line = page.place(span.end - 1)[0]
        yield Found(line, message + span.why, "", column, end_line, code)


def _harmless(page: Page, code: str) -> Iterator[Span]:
    return (piece for piece, directs in page.unrendered if piece.code == code and not directs)


@rule("H301", "page")
def unrendered_directive(page: Page) -> Iterator[Found]:
    """A directive where the rendered page shows nothing: a comment, a link's title, alternative
    text, a hidden element, an unused definition, a target.

    Why: the person who reviews the page does not see it, and an agent that reads the file does.
    Fix: delete it. A comment that guides a writer is fine.
    Bad: `![an order to skip the tests](d.png)`
    Good: `![the two queues and what drains them](d.png)`
    """
    spans = (piece for piece, directs in page.unrendered if directs)
    yield from _at(page, spans, "a directive that is not shown, in ", "H301")


@rule("H302", "page", severity="warning")
def unseen_text(page: Page) -> Iterator[Found]:
    """Prose that the rendered page keeps from sight: a hidden element, a definition that nothing
    refers to.

    Why: it is there for whoever reads the source, and not for the person who reviews the page.
    Fix: show it, or delete it. (Comments, titles and text behind `<details>` are not reported.)
    Bad: a paragraph in an element with `display:none`.
    Good: the paragraph.
    """
    spans = (s for s in _harmless(page, UNSEEN) if _is_prose(page.text[s.start : s.end]))
    yield from _at(page, spans, "text that is not shown, in ", "H302")


@rule("H303", "page")
def script_target(page: Page) -> Iterator[Found]:
    """A link whose target is a script.

    Why: it runs where somebody clicks it.
    Fix: link to an address.
    Bad: a `javascript:` target.
    Good: `https://example.invalid/page`
    """
    yield from _at(page, _harmless(page, SCRIPT), "", "H303")


@rule("H304", "page", severity="warning")
def carrying_target(page: Page) -> Iterator[Found]:
    """A link target that is content itself (`data:`), or a file on the reader's machine (`file:`).

    Why: what it holds is not reviewed, and leads elsewhere for everybody.
    Fix: put the content into a file of the repository and link to that.
    Bad: a picture as a `data:` target.
    Good: `![the two queues](queues.svg)`
    """
    yield from _at(page, _harmless(page, CARRIES), "", "H304")


def _is_prose(text: str) -> bool:
    return sum(word.isalpha() for word in text.split()) >= _PROSE


RULES: tuple[Rule[Page], ...] = (
    unrendered_directive,
    unseen_text,
    script_target,
    carrying_target,
)
