"""The context directory's `index.md`: 36 headings, a row a memory file, sorted.

Pure text. A row that ktw writes says kind, origin and date, never a title; rows that people wrote
are kept as they are.
"""

import re
from collections.abc import Callable, Sequence

HEADINGS = (*"0123456789", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")

_ROW = re.compile(r"\s*-\s*\[([^\]\n]*)\]\(([^)\n]*)\)")
_HEADING = re.compile(r"##\s+(\S)\s*")


def skeleton() -> str:
    """An empty index page."""
    intro = (
        "One row a memory file: kind, origin, date. What a memory says is read with `ktw recall`."
    )
    return "# Index\n\n" + intro + "\n\n" + "\n".join(f"## {heading}\n" for heading in HEADINGS)


def row(name: str, kind: str, origin: str, date: str) -> str:
    """The row of a file that ktw wrote."""
    return f"- [{name}]({name}) — {kind}, {origin}, {date}"


def heading_of(name: str) -> str:
    """The heading a file stands under: its first character, others under `0`."""
    first = name[:1].upper()
    return first if first in HEADINGS else "0"


def with_row(text: str, name: str, new_row: str) -> str:
    """`text` (LF) with the row of `name` set, in its sorted place; headings are added as needed."""
    lines = without_row(text, name).rstrip("\n").split("\n")
    at = _place_for(lines, name)
    if at is None:
        return "\n".join([*lines, "", f"## {heading_of(name)}", "", new_row]) + "\n"
    before, after = lines[:at], lines[at:]
    if not _ROW.match(before[-1]) and before[-1].strip():
        before = [*before, ""]
    if after and after[0].strip() and not _ROW.match(after[0]):
        after = ["", *after]
    return "\n".join([*before, new_row, *after]) + "\n"


def without_row(text: str, name: str) -> str:
    """`text` without the row of `name`."""
    return "\n".join(line for line in text.split("\n") if _target(line) != name)


def rows(text: str) -> dict[str, str]:
    """The rows of an index page by the file they name."""
    return {target: line for line in text.split("\n") if (target := _target(line)) is not None}


def tidied(text: str, files: Sequence[str], row_of: Callable[[str], str | None]) -> str:
    """`text` with one row a file in `files`, sorted under its heading, and no others.

    `row_of` gives the row of a file that ktw wrote, None for any other: that one's row is kept as
    it stands, and left out where there is none. Lines that are neither rows nor headings stay above
    all headings.
    """
    kept = rows(text)
    found = {name: row_of(name) or kept.get(name) for name in sorted(files)}
    lines = [line for line in text.split("\n") if _target(line) is None]
    prose = [line for line in lines if not _HEADING.fullmatch(line)]
    intro = "\n".join(prose).strip("\n")
    while "\n\n\n" in intro:
        intro = intro.replace("\n\n\n", "\n\n")
    sections = []
    for heading in HEADINGS:
        inner = [row for name, row in found.items() if row and heading_of(name) == heading]
        sections.append("\n".join([f"## {heading}", *([""] if inner else []), *inner]))
    return "\n\n".join([intro, *sections]) + "\n"


def _target(line: str) -> str | None:
    matched = _ROW.match(line)
    return matched[2] if matched else None


def _place_for(lines: list[str], name: str) -> int | None:
    """The line index at which the row of `name` belongs, None where its heading is missing."""
    wanted, inside, place, seen, start = heading_of(name), False, None, False, 0
    for index, line in enumerate(lines):
        heading = _HEADING.fullmatch(line)
        if heading:
            if inside:
                break
            inside = heading[1] == wanted
            start = index + 1
            place = start if inside else None
        elif inside:
            target = _target(line)
            if target is not None and target > name:
                return index
            seen = seen or target is not None
            if target is not None or (not seen and not line.strip() and index == start):
                place = index + 1
    return place
