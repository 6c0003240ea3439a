"""A memory as the person sees it who is about to approve it: whole, bare, every character visible.

The only place where an unapproved memory is shown outside a frame. Lines and their colours, no
printing, no decision.
"""

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import east_asian_width

import click

from ktw.memory import MemoryFile
from ktw.operations.candidate import Candidate
from ktw.text.counting import counted
from ktw.text.differences import Line as Pieces
from ktw.text.differences import word_differences
from ktw.text.escape import escape_line, escape_text

Line = tuple[str, str | None]

# A colour, or one character.
_PIECES = re.compile("\x1b\\[[0-9;]*m|.", re.DOTALL)
_GOES_ON = "    | "
_BREAK = " \u23ce "
_OPENING = {"removed": "[-", "added": "{+", "same": ""}
_CLOSING = {"removed": "-]", "added": "+}", "same": ""}


def heading_lines(chosen: Candidate) -> Iterator[Line]:
    """Where it stands, who wrote it from what, and what holds of it now."""
    file = chosen.file
    who = f" ({escape_line(file.agent)})" if file.agent else ""
    source = f", source {escape_line(file.source)}" if file.source else ""
    kind = f"{escape_line(file.kind)}, " if file.kind else ""
    writer = file.origin or "nobody named"
    yield f"{escape_line(file.path)}: {kind}written by {writer}{who}{source}", "bold"
    reasons = "; ".join(escape_line(reason) for reason in chosen.verdict.reasons)
    yield f"now {chosen.verdict.name}: {reasons}", None
    if file.derived_from:
        yield f"made from {escape_line(', '.join(file.derived_from))}", None


def text_lines(chosen: Candidate) -> Iterator[Line]:
    """The whole text by line number, each finding under its line, the rest at the end.

    Frontmatter and header fields are joined by a sign for the line break, and empty lines show as
    gaps in the numbers: what is to be judged should fit a screen.
    """
    lines = chosen.file.text.rstrip("\n").split("\n")
    yield f"--- the whole text, {counted(len(lines), 'line')} ---", "cyan"
    notes: dict[int, list[str]] = {}
    for finding in chosen.findings:
        notes.setdefault(finding.line, []).append(f"[{finding.code}] {finding.message}")
    for first, last in _runs(chosen.file, lines):
        shown = _BREAK.join(escape_text(line) for line in lines[first - 1 : last])
        yield f"{first:>4}  {shown}", None
        for at in range(first, last + 1):
            where = f"line {at}: " if last > first else ""
            for note in notes.pop(at, []):
                yield f"      ^ {where}{escape_line(note)}", "red"
    for left in notes.values():
        for note in left:
            yield f"      {escape_line(note)}", "red"


def _runs(file: MemoryFile, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last number of the lines that are shown as one, in order, without empty ones."""
    header = {found.line for entry in file.entries for found in entry.fields}
    joined = {*range(1, file.body_line), *header}
    if any(_BREAK.strip() in lines[at - 1] for at in joined):
        joined = set()
    at = 1
    while at <= len(lines):
        first = at
        while (
            at in joined and at + 1 in joined and (at + 1 < file.body_line) == (at < file.body_line)
        ):
            at += 1
        if lines[first - 1] or first != at:
            yield first, at
        at += 1


def difference_lines(title: str, old: str, new: str) -> Iterator[Line]:
    """What differs between two texts, in words."""
    yield f"--- {title} ---", "cyan"
    lines = word_differences(old, new)
    if lines is None:
        yield "The two texts are too long to be compared here.", "red"
    elif not lines:
        yield "      the same words", None
    for pieces in lines or ():
        yield ("      " + _marked(pieces)) if pieces else "      ...", None


def _marked(pieces: Pieces) -> str:
    return "".join(
        click.style(
            f"{_OPENING[mark]}{escape_text(text)}{_CLOSING[mark]}",
            fg={"removed": "red", "added": "green"}.get(mark),
        )
        if mark != "same"
        else escape_text(text)
        for mark, text in pieces
    )


def fitted(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines as the rows of this terminal: no text under review looks like a line of ours."""
    columns = shutil.get_terminal_size().columns
    return (row for line in lines for row in rows(line, columns))


def rows(line: Line, columns: int) -> Iterator[Line]:
    """A line as the rows of a terminal that it fills.

    Where a terminal would wrap, the rest could look like a line of ours; here it stands behind a
    bar. Wide characters count twice and tabs as eight, so a row is never taller than it says.
    """
    text, colour = line
    row, used, room = "", 0, max(columns, 2 * len(_GOES_ON))
    for piece in _PIECES.findall(text):
        width = _width(piece)
        if piece == "\n" or used + width > room:
            yield row, colour
            row, used = ("", 0) if piece == "\n" else (_GOES_ON, len(_GOES_ON))
        row, used = row + piece.strip("\n"), used + width
    yield row, colour


def _width(piece: str) -> int:
    """The columns of one character; none for a colour or a line break."""
    if len(piece) > 1 or piece == "\n":
        return 0
    return 8 if piece == "\t" else 1 + (east_asian_width(piece) in "WF")
