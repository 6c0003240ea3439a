"""Rules about Markdown: what counts is what a reader sees, and nothing stands between the two."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from keep_the_why_lint.commonmark import Form, Heading, Outline, Part, is_plain, outline
from keep_the_why_lint.finding import Severity
from keep_the_why_lint.page import Page
from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, rule
from ktw.config import Block, parse_config
from ktw.entries import Scan, scan, unfenced_lines
from ktw.frontmatter import split

_ROW = re.compile(r"\s*-\s*\[[^\]]+\]\([^)]+\)")
_FIELD = re.compile(r"[ >*+-]*\*\*(?:Id|Type|Status|Evidence):")
_CLAIM = re.compile(
    r"\n---[ \t]*\n(?:[a-z_]+:[^\n]*\n)*?"
    r"(?:origin|trusted_at|trusted_by|content_hash|proposes|derived_from):"
)
_SEEN_AS: dict[Part | None, str] = {
    "code": "code",
    "html": "HTML or a comment",
    "list": "part of a list item",
    "quote": "part of a quote",
    "heading": "part of a heading",
    "paragraph": "part of a paragraph",
    None: "nothing",
}


class _Views(NamedTuple):
    """A body as its lines count and as a reader sees it; `first` is its line in the file."""

    counted: Scan
    seen: Outline
    first: int
    lines: list[str]


@lru_cache(maxsize=2)
def _views(page: Page) -> _Views | None:
    """Both views of a page with entries or rows; None where they provably agree."""
    if page.kind not in ("memory", "index"):
        return None
    parts = split(page.text)
    if is_plain(parts.body):
        return None
    lines = parts.body.split("\n")
    return _Views(scan(parts.body), outline(parts.body), parts.body_line, lines)


def _uncounted(page: Page, form: Form) -> Iterator[tuple[Heading, int, Severity]]:
    """The headings of that form that a reader sees and that do not count, each with its line in
    the file; an error where header fields follow, for then a reader sees an entry.
    """
    views = _views(page)
    if views is None:
        return
    counted = {index for index, _, _ in views.counted.headings}
    for found in views.seen.headings:
        if found.form == form and (found.inside or found.line not in counted):
            line = views.first + found.line
            yield found, line, "error" if _begins_entry(views.lines, found.line) else "warning"


def _begins_entry(lines: list[str], index: int) -> bool:
    for line in lines[index + 1 : index + 6]:
        if _FIELD.match(line):
            return True
        if line.startswith("#"):
            return False
    return False


@rule("N201", "page")
def fence_unclosed(page: Page) -> Iterator[Found]:
    """A code fence is never closed.

    Why: everything below it is code, so entries, fields and rows that follow are lost in silence.
    Fix: close it with a fence of at least the same length, indented like the opening one.
    Bad: three backticks above an example and none below it.
    Good: three backticks above and below.
    """
    if page.kind in ("config", "settings") or not ("```" in page.text or "~~~" in page.text):
        return
    if not page.path.casefold().endswith((".md", ".markdown")):
        return
    parts = split(page.text)
    for fence in _open_fences(parts.body):
        yield Found(parts.body_line + fence, "this code fence is never closed")


def _open_fences(body: str) -> tuple[int, ...]:
    if not is_plain(body):
        return outline(body).open_fences
    fence = scan(body).open_fence
    return () if fence is None else (fence,)


@rule("N202", "page", severity="warning")
def heading_underlined(page: Page) -> Iterator[Found]:
    """A heading of level 1 or 2 is written with an underline.

    Why: a reader sees a new section, and tools still count its text to the entry above. Where
    header fields follow, a reader sees an entry that is none: then it is an error.
    Fix: write it with `#` or `##`; put a blank line above a rule of dashes.
    Bad: a line of text with a line of dashes below it.
    Good: `## Snapshot before buffer`
    """
    for _, line, severity in _uncounted(page, "underline"):
        message = "a heading made by the line below it does not count as one"
        yield Found(line, message, severity=severity)


@rule("N203", "page")
def heading_not_seen(page: Page) -> Iterator[Found]:
    """A heading counts, and a reader sees none there.

    Why: an entry that no reviewer sees is found and shown to agents all the same.
    Fix: move it out of the comment, HTML or code; indent by blanks, not by tabs.
    Bad: an entry between `<!--` and `-->`.
    Good: the entry outside the comment, or not there at all.
    """
    views = _views(page)
    if views is None or views.seen.unknown:
        return
    seen = {found.line for found in views.seen.headings if found.form == "#" and not found.inside}
    for index, _, _ in views.counted.headings:
        if index not in seen:
            shown = _SEEN_AS[views.seen.parts.get(index)]
            message = f"a heading counts here that a reader sees as {shown}"
            yield Found(views.first + index, message)


@rule("N204", "page")
def heading_not_counted(page: Page) -> Iterator[Found]:
    """A reader sees a heading of level 1 or 2 that does not count.

    Why: what stands below looks like an entry of its own, and belongs to the one above. In a list
    or quote this is an error only where header fields follow.
    Fix: move it out of the list or quote, to the begin of a line; or use level 3.
    Bad: `- ## Deploy`, `> ## Deploy`
    Good: `### Deploy`
    """
    for found, line, severity in _uncounted(page, "#"):
        place = f"in a {found.inside}" if found.inside else "here"
        message = f"a reader sees a heading {place} that does not count as one"
        yield Found(line, message, severity=severity if found.inside else "error")


@rule("N205", "page", severity="warning")
def heading_in_html(page: Page) -> Iterator[Found]:
    """A heading of level 1 or 2 is written as HTML.

    Why: a reader sees a new section, and tools count its text to the entry above. Where header
    fields follow, it is an error.
    Fix: write it with `##`, or in backticks where the tag itself is meant.
    Bad: `<h2>Deploy</h2>`
    Good: `## Deploy`
    """
    for found, line, severity in _uncounted(page, "html"):
        message = f"a heading written as <h{found.level}> does not count as one"
        yield Found(line, message, severity=severity)


@rule("N206", "page")
def line_not_seen(page: Page) -> Iterator[Found]:
    """A header field or an index row counts, and a reader does not see it as that.

    Why: what decides over an entry, or leads to a file, must be what a reviewer saw.
    Fix: move it out of the comment, HTML, code or heading.
    Bad: `**Status:** superseded` between `<!--` and `-->`.
    Good: the same line below the entry's heading.
    """
    views = _views(page)
    if views is None or views.seen.unknown:
        return
    what, fitting, lines = "field", ["paragraph"], [index for index, _, _ in views.counted.fields]
    if page.kind == "index":
        what, fitting = "row", ["paragraph", "list"]
        body = unfenced_lines(split(page.text).body)
        lines = [index for index, line in body if _ROW.match(line)]
    unseen = {index: views.seen.parts.get(index) for index in lines}
    unseen = {index: part for index, part in unseen.items() if part not in fitting}
    for index, part in unseen.items():
        if index - 1 not in unseen:  # lines that follow each other are one finding
            message = f"a {what} counts here that a reader sees as {_SEEN_AS[part]}"
            yield Found(views.first + index, message)


@rule("N209", "project")
def lone_return(project: Project) -> Iterator[Found]:
    """A line ends in a carriage return alone.

    Why: a terminal and a diff show the next line on top of it, so a reviewer never sees one of the
    two.
    Fix: end lines with LF or CRLF.
    Bad: a harmless sentence, a carriage return, another sentence.
    Good: the same with a newline.
    """
    for path, line in project.lone_returns:
        yield Found(line, "this line ends in a carriage return alone", path)


@rule("N210", "page")
def config_not_seen(page: Page) -> Iterator[Found]:
    """A config block or a line of it counts, and a reader does not see it as that.

    Why: settings that stand in an example or in a comment are settings all the same.
    Fix: put the markers at the begin of a line of their own, outside fences and comments.
    Bad: the block between two lines of backticks.
    Good: the block by itself.
    """
    if page.kind not in ("config", "settings"):
        return
    if is_plain(page.text) and "```" not in page.text and "~~~" not in page.text:
        return
    seen = outline(page.text)
    for block in parse_config(page.text).blocks.values():
        yield from islice(_unseen_settings(block, seen), 1)


def _unseen_settings(block: Block, seen: Outline) -> Iterator[Found]:
    for line in (block.line, *block.extra_markers):
        if line - 1 not in seen.single:
            yield Found(line, "a block begins here that a reader does not see begin")
    for field in block.fields:
        part = seen.parts.get(field.line - 1)
        if part not in ("list", "paragraph"):
            yield Found(field.line, f"a setting counts that a reader sees as {_SEEN_AS[part]}")


@rule("N211", "page")
def claims_below_the_top(page: Page) -> Iterator[Found]:
    """Frontmatter fields stand below the first line, where they are text.

    Why: a reader takes them for the file's provenance and approval; they say nothing.
    Fix: move the block to the very first line, or put an example into a fence.
    Bad: a blank line above `---` and `origin: owner`.
    Good: `---` as the first line of the file.
    """
    if page.kind != "memory" or "\n---" not in page.text:
        return
    parts = split(page.text)
    top = len(page.text) - len(parts.body)
    begins = [top + match.start() for match in _CLAIM.finditer("\n" + parts.body)]
    unfenced = {index for index, _ in unfenced_lines(parts.body)} if begins else set()
    for line in (page.place(begin)[0] for begin in begins):
        if line - parts.body_line in unfenced:
            yield Found(line, "frontmatter fields stand here as text")
            return


@rule("N212", "page")
def page_not_judged(page: Page) -> Iterator[Found]:
    """A page is too long or too deeply nested to say what a reader sees.

    Why: what cannot be checked could hide entries.
    Fix: split the file, nest fewer lists and quotes; or keep headings, fences and HTML at the begin
    of their lines, which needs no such check.
    Bad: 6,000 lines with fences inside lists.
    Good: one entry a file.
    """
    views = _views(page)
    if views and views.seen.unknown:
        yield Found(0, f"what a reader sees of this file is not known: {views.seen.unknown}")


PROJECT_RULES: tuple[Rule[Project], ...] = (lone_return,)
RULES: tuple[Rule[Page], ...] = (
    fence_unclosed,
    heading_underlined,
    heading_not_seen,
    heading_not_counted,
    heading_in_html,
    line_not_seen,
    config_not_seen,
    claims_below_the_top,
    page_not_judged,
)
