"""Rules about header fields that a reader sees otherwise than the scan: indented, or in markup."""

import re
from collections.abc import Iterator

from keep_the_why_lint.page import Page
from keep_the_why_lint.rule import Found, Rule, rule
from keep_the_why_lint.section import Section
from ktw.entries import Entry, parse_entries
from ktw.frontmatter import split

_NEARLY = re.compile(
    r"(?: {1,3}| {0,3}(?:[>*+-]|[0-9]{1,9}[.)]) +)\*\*(?:Id|Type|Status|Evidence):"
)
_NEARLY_SOMEWHERE = re.compile(r"\n[ >*+0-9.)-]+\*\*(?:Id|Type|Status|Evidence):")
_CODE_SPAN = re.compile(r"`[^`]*`")


@rule("N208", "page")
def field_not_counted(page: Page) -> Iterator[Found]:
    """A header field is indented, in a list or in a quote, so it does not count.

    Why: a reader takes the entry to have it.
    Fix: write it at the begin of its line.
    Bad: `- **Status:** active`
    Good: `**Status:** active`
    """
    if page.kind != "memory" or not _NEARLY_SOMEWHERE.search(page.text):
        return
    parts = split(page.text)
    for entry in parse_entries(parts.body, parts.body_line):
        lines, first = _lines(entry)
        for index in range(_header_end(entry, lines, first)):
            if _NEARLY.match(lines[index]):
                yield Found(first + index, "this line looks like a header field and is none")


def _header_end(entry: Entry, lines: list[str], first: int) -> int:
    """The index of the first line of an entry's text that no header field explains."""
    counted = {field.line - first for field in entry.fields}
    after_field = False
    for index, line in enumerate(lines):
        if not line.strip():
            after_field = False
        elif index in counted or _NEARLY.match(line):
            after_field = True
        elif not after_field:  # the second line of a field's value is part of it
            return index
    return len(lines)


def _lines(entry: Entry) -> tuple[list[str], int]:
    """The lines of an entry's text, and the line of the file at which they begin."""
    lines = entry.text.split("\n")
    return lines, entry.end_line - len(lines) + 1


@rule("N213", "entry")
def field_in_open_markup(section: Section) -> Iterator[Found]:
    """A header field follows a line that leaves a comment, a tag or a link open.

    Why: what stands between the two ends is not shown, and the field counts.
    Fix: close on the line what the line opens.
    Bad: `**Source:** wiki <!--` above `**Status:** superseded` above `-->`.
    Good: `**Source:** wiki`
    """
    opened = -1
    for field in section.entry.fields:
        if opened == field.line - 1:
            yield Found(field.line, f"**{field.label}:** follows a line that leaves markup open")
        opened = field.line if _leaves_open(field.value) else -1


def _leaves_open(value: str) -> bool:
    """True where a value begins a comment, a tag or a link that does not end in it."""
    if "<" not in value and "](" not in value:
        return False
    value = _CODE_SPAN.sub("", value)
    tag = value[value.rfind("<") :] if "<" in value else ""
    return (
        value.rfind("<!--") > value.rfind("-->")
        or (re.match(r"<[A-Za-z/?!]", tag) is not None and ">" not in tag)
        or value.rfind("](") > value.rfind(")")
    )


PAGE_RULES: tuple[Rule[Page], ...] = (field_not_counted,)
RULES: tuple[Rule[Section], ...] = (field_in_open_markup,)
