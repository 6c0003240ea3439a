"""Entries of a Markdown body: level-2 sections with `**Label:** value` header fields.

Pure text in, values out; knows nothing of frontmatter, files or approval.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

HEADER_LABELS = (
    "Id",
    "Type",
    "Status",
    "Evidence",
    "Source",
    "Verification",
    "Revisit when",
    "See",
    "Superseded by",
)

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_FIELD = re.compile(r"\*\*(" + "|".join(HEADER_LABELS) + r"):\*\*(.*)")
_ADDRESSING = re.compile(r"\*\*(?:Id|Type|Status|Evidence):\*\*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_LIST_ITEM = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?: {1,4}(?=[^ ])|[ \t]|$)")
_ITEM_BEGINNINGS = frozenset(" -+*0123456789")
_INDENTED_HEADING = re.compile("^ {1,3}#", re.MULTILINE)
_ANCHOR_DROP = re.compile(r"[^\w\- ]")
_TINY = 4  # characters of a heading of which a text can hold hundreds of thousands
_BEGINNINGS = frozenset("#* ")  # of the lines that may be a heading or a header field


class FieldLine(NamedTuple):
    """One header field of an entry, `**Label:** value`, at a line of the file."""

    label: str
    value: str
    line: int


class Entry(NamedTuple):
    """A level-2 section of a memory file: what one memory says. Lines are those of the file.

    `text` is everything below the heading, as written, without the surrounding blank lines.
    """

    title: str
    anchor: str
    line: int
    end_line: int
    fields: tuple[FieldLine, ...]
    text: str

    def get(self, label: str) -> list[FieldLine]:
        """Every field line with this label, in order."""
        return [field for field in self.fields if field.label == label]

    def first(self, label: str) -> str | None:
        """The value of the first field line with this label, or None."""
        return next((field.value for field in self.fields if field.label == label), None)

    @property
    def id(self) -> str | None:
        """The entry's Id as written, or None where it is absent or empty."""
        return self.first("Id") or None

    @property
    def type(self) -> str | None:
        return self.first("Type") or None

    @property
    def status(self) -> str | None:
        return self.first("Status") or None

    @property
    def evidence(self) -> str | None:
        return self.first("Evidence") or None


def anchor(title: str) -> str:
    """The anchor a Markdown host derives from a heading: lowercase, punctuation dropped."""
    return _ANCHOR_DROP.sub("", title.strip().lower()).replace(" ", "-")


class Scan(NamedTuple):
    """What counts in a body, each with the index of its line from 0: the level-1 and level-2
    headings (level, title), the field lines (label, value), and a fence that is never closed."""

    headings: list[tuple[int, int, str]]
    fields: list[tuple[int, str, str]]
    open_fence: int | None


@lru_cache(maxsize=2)  # a file is parsed, then several rules ask what counts in it
def scan(body: str) -> Scan:
    """The headings and field lines of a body, fenced code left out."""
    marked, open_fence = _marked_lines(body)
    headings: list[tuple[int, int, str]] = []
    fields: list[tuple[int, str, str]] = []
    for index, line in marked:
        if "#" in line[:4]:
            level, title = heading(line)
            if 0 < level <= 2:
                headings.append((index, level, title))
        elif line[0] == "*" and (match := _FIELD.fullmatch(line)):
            fields.append((index, match[1], match[2]))
    return Scan(headings, fields, open_fence)


def unfenced_lines(text: str) -> list[tuple[int, str]]:
    """The lines of `text` outside fenced code, each with its index from 0 (CommonMark fences)."""
    if "```" not in text and "~~~" not in text:
        return list(enumerate(text.split("\n")))
    return [(index, line) for index, line, _ in _open_lines(text)[0]]


def _open_lines(text: str) -> tuple[list[tuple[int, str, bool]], int | None]:
    """Index and text of each line outside fenced code, and whether a list item holds it; then
    the index of a fence that is open at the end.

    A fence ends with the list item that holds it at the latest (CommonMark 0.31, 4.5 and 5.2).
    """
    found: list[tuple[int, str, bool]] = []
    fence, depth, opened = "", 0, 0
    items: list[int] = []  # the columns at which the text of the open list items begins
    for index, line in enumerate(text.split("\n")):
        if not line:  # it opens and closes nothing, in or out of a fence
            if not fence:
                found.append((index, line, bool(items)))
            continue
        if items:
            _leave_items(line, items)
        if fence and len(items) < depth:
            fence = ""
        if fence:
            if fence in line and _closes(fence, line[items[-1] if items else 0 :]):
                fence = ""
            continue
        begin = _enter_items(line, items) if items or line[0] in _ITEM_BEGINNINGS else 0
        fenced = "```" in line or "~~~" in line
        matched = _FENCE.fullmatch(line, begin) if fenced else None
        if matched and not ("`" in matched[1] and "`" in matched[2]):
            fence, depth, opened = matched[1], len(items), index
        else:
            found.append((index, line, bool(items)))
    return found, opened if fence else None


def _leave_items(line: str, items: list[int]) -> None:
    """Drop the list items that `line` is not indented for; a blank line stands in all of them."""
    text = line.lstrip(" ")
    while items and text and len(line) - len(text) < items[-1]:
        items.pop()


def _enter_items(line: str, items: list[int]) -> int:
    """Add the list items that `line` begins; the column at which their text begins."""
    at = items[-1] if items else 0
    while item := _LIST_ITEM.match(line, at):
        at = item.end()
        items.append(at if line[at - 1] in " \t" else at + 1)
    return at


def _closes(fence: str, line: str) -> bool:
    if line == fence:
        return True
    matched = _FENCE.fullmatch(line)
    return bool(
        matched
        and matched[1][0] == fence[0]
        and len(matched[1]) >= len(fence)
        and not matched[2].strip(" \t")
    )


def _marked_lines(text: str) -> tuple[Iterable[tuple[int, str]], int | None]:
    """The lines that begin like a heading or a field, with their index from 0; then the index of a
    fence that is open at the end.

    Without those in fenced code, and without the headings that a list item holds.
    """
    if not ("```" in text or "~~~" in text or _INDENTED_HEADING.search(text)):
        lines = enumerate(text.split("\n"))
        return ((index, line) for index, line in lines if line[:1] in _BEGINNINGS), None
    unfenced, open_fence = _open_lines(text)
    return (
        (index, line)
        for index, line, in_list in unfenced
        if line[:1] in _BEGINNINGS and not (in_list and "#" in line[:4])
    ), open_fence


def parse_entries(body: str, first_line: int = 1, limit: int = 1_000_000) -> list[Entry]:
    """The level-2 sections of a body whose first line is line `first_line` of its file.

    At most `limit` of them.
    """
    lines = body.split("\n")
    bounds, fields, _ = scan(body)
    entries: list[Entry] = []
    seen: dict[str, int] = {}
    for at, (index, level, title) in enumerate(bounds):
        if len(entries) == limit:
            break
        if level == 2:
            end = bounds[at + 1][0] if at + 1 < len(bounds) else len(lines)
            inner = fields[bisect_left(fields, (index,)) : bisect_left(fields, (end,))]
            name = _distinct(anchor(title), seen)
            entries.append(_entry(title, name, index, end, lines, inner, first_line))
    return entries


def _distinct(name: str, seen: dict[str, int]) -> str:
    """`name`, or `name-1`, `name-2` where the file has it already, as Markdown hosts do."""
    found = name
    while found in seen:
        seen[name] += 1
        found = f"{name}-{seen[name]}"
    seen[found] = 0
    return found


def heading(line: str) -> tuple[int, str]:
    """Level and text of an ATX heading line, its closing `#`s dropped; level 0 for other lines."""
    return _heading_once(line) if len(line) <= _TINY else _heading(line)


def _heading(line: str) -> tuple[int, str]:
    matched = _HEADING.fullmatch(line)
    if matched is None:
        return 0, ""
    title = (matched[2] or "").strip()
    if title.endswith("#"):
        title = _CLOSING.sub("", title).rstrip()
    return len(matched[1]), title


_heading_once = lru_cache(maxsize=1 << 12)(_heading)


def _entry(
    title: str,
    name: str,
    index: int,
    end: int,
    lines: Sequence[str],
    fields: Sequence[tuple[int, str, str]],
    first_line: int,
) -> Entry:
    while end > index + 1 and not lines[end - 1].strip():
        end -= 1
    return Entry(
        title=title[:-2] + "#" if title.endswith("\\#") else title,
        anchor=name,
        line=first_line + index,
        end_line=first_line + end - 1,
        fields=tuple(FieldLine(label, told.strip(), first_line + at) for at, label, told in fields),
        text="\n".join(lines[index + 1 : end]).strip("\n"),
    )


def prose(entry: Entry) -> str:
    """What an entry says to a reader: its text without the header lines that only address it."""
    header, rest = parts(entry)
    told = [line for line in header if not _ADDRESSING.match(line)]
    return "\n".join([*told, *([""] if told and rest else []), rest]).strip("\n")


def parts(entry: Entry) -> tuple[list[str], str]:
    """The header lines that open an entry's text, and the words below them."""
    lines = entry.text.split("\n")
    end = next((at for at, line in enumerate(lines) if not _is_header(line)), len(lines))
    return [line for line in lines[:end] if line.strip()], "\n".join(lines[end:]).strip("\n")


def _is_header(line: str) -> bool:
    return not line.strip() or _FIELD.fullmatch(line) is not None


def format_entry(title: str, fields: Sequence[tuple[str, str]], prose: str) -> str:
    """The Markdown of one entry: heading, header fields, prose; ends in one newline."""
    shown = title[:-1] + "\\#" if title.endswith("#") else title
    header = "".join(f"**{label}:** {value}\n" for label, value in fields)
    return f"## {shown}\n\n{header}\n{prose.strip(chr(10))}\n"
