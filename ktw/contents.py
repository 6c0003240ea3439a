"""The context directory's `index.md`: 36 headings, a row a memory file, sorted.

Pure text. A row that ktw writes says kind, origin and date, never a title; rows that people wrote
are kept as they are.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from unicodedata import normalize

from ktw.entries import heading, unfenced_lines
from ktw.errors import KtwError
from ktw.fields import day_or_time_fault
from ktw.memory import KINDS, ORIGINS, MemoryFile, is_conflict_marker

HEADINGS = (*"0123456789", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")

_ROW = re.compile(r"\s*-\s*\[([^\]\n]*)\]\(([^)\n]*)\)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
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


def undescribed(name: str) -> str:
    """The row of a file that was there before its index, until people describe it."""
    return f"- [{name}]({name}) — not described yet"


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


def with_rows(text: str, rows: Mapping[str, str]) -> str:
    """`text` (LF) with the rows of these files set; of many at once, as `tidied` would put them.

    Raises KtwError where only a person can put the page in order.
    """
    if len(rows) == 1:
        return with_row(text, *next(iter(rows.items())))
    if why := obstacle(text):
        raise KtwError(f"index.md was left as it is: {why}", "Mend it by hand first.")
    return tidied(text, {*_parted(text)[2], *rows}, rows.get)


def without_row(text: str, name: str) -> str:
    """`text` without the row of `name`."""
    return "\n".join(line for line in text.split("\n") if _target(line) != name)


def rows(text: str) -> dict[str, str]:
    """The rows of an index page by the file they name."""
    return {target: line for line in text.split("\n") if (target := _target(line)) is not None}


def files_with_rows(text: str) -> set[str]:
    """The memory files that have a row in an index page, however it names them."""
    return set(_parted(text)[2])


def row_of(file: MemoryFile) -> str | None:
    """The row of a memory file that ktw wrote; None for any other: people describe those."""
    made = file.created_at or ""
    if file.kind not in KINDS or file.origin not in ORIGINS or day_or_time_fault(made):
        return None
    return row(file.path.rsplit("/", 1)[-1], file.kind, file.origin, made[:10])


def obstacle(text: str) -> str:
    """Why nobody but a person can put that page in order, as a clause; "" where nothing is."""
    unfenced = dict(unfenced_lines(f"{text}\n## 0"))
    for line in unfenced.values():
        if is_conflict_marker(line):
            return "it holds the markers of a merge conflict"
        level, title = heading(line)
        if level == 2 and title not in HEADINGS:
            return "it has a heading that is none of 0 to 9 and A to Z"
    lines = text.split("\n")
    if len(lines) not in unfenced:
        return "it has a fence that is never closed"
    if any(line[:1] in " \t" and _FENCE.match(line) for line in lines):
        return "it has a fence inside a list"
    return ""


def tidied(text: str, files: Iterable[str], generated: Callable[[str], str | None]) -> str:
    """`text` (LF) with one row a file in `files`, sorted under its heading, and no others.

    `generated` gives the row of a file that ktw wrote. For any other file the rows that people
    wrote are kept, each once; so is every line that is neither row nor heading, below its heading.
    A page that differs in blank lines alone is in order.
    """
    intro, sections, found = _parted(text)
    for name in sorted(files):
        own = generated(name)
        written = ["\n".join(lines) for lines in found.get(normalize("NFC", name), ())]
        sections[heading_of(name)].rows += dict.fromkeys(written if own is None else [own])
    parts = ["\n".join(intro).rstrip("\n")]
    for title, section in sections.items():
        prose = "\n".join(section.prose).strip("\n")
        parts += [f"## {title}", *filter(None, (prose, "\n".join(section.rows)))]
    new = "\n\n".join(part for part in parts if part) + "\n"
    return text if _told(new) == _told(text) else new


def _told(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


@dataclass
class _Section:
    """What stands below one heading."""

    prose: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)


def _parted(text: str) -> tuple[list[str], dict[str, _Section], dict[str, list[list[str]]]]:
    """The lines above all headings, the prose below each, and the rows by the file they name.

    A row is its lines: indented ones go on with it.
    """
    intro: list[str] = []
    sections = {title: _Section() for title in HEADINGS}
    found: dict[str, list[list[str]]] = {}
    prose, row_lines = intro, list[str]()
    unfenced = {index for index, _ in unfenced_lines(text)}
    for index, line in enumerate(text.split("\n")):
        level, title = heading(line) if index in unfenced else (0, "")
        name = _file_named(line) if index in unfenced else None
        if level == 2 and title in sections:
            prose, row_lines = sections[title].prose, []
        elif name is not None:
            row_lines = [line]
            found.setdefault(name, []).append(row_lines)
        elif row_lines and line.strip() and line[0] in " \t" and index in unfenced:
            row_lines.append(line)
        else:
            row_lines = []
            prose.append(line)
    return intro, sections, found


def _file_named(line: str) -> str | None:
    """The Markdown file that a row names, its anchor left out; None for any other line."""
    name = (_target(line) or "").split("#", 1)[0].removeprefix("./")
    return normalize("NFC", name) if name.endswith(".md") else None


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
