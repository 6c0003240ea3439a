"""What is mended by machine: each fix a pure function from text to text, named by what it settles.

A fix changes nothing else, and never a memory whose frontmatter claims an approval. It reads and
writes no file; `fixing` does.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ktw import contents
from ktw.config import Version
from ktw.fields import field_fault
from ktw.frontmatter import NotEditable
from ktw.memory import MemoryFile, edit_memory, is_uuid, parse_memory

_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Fa-f-])")
_REFERENCES = ("See", "Superseded by")
_REFERRING_KEYS = ("derived_from", "proposes")


@dataclass(frozen=True)
class Facts:
    """What a fix knows of the project: `names` are the files that the index lists.

    `ids` are the Ids in lower case that stand, or will stand, in entries; `lowered` those of them
    that still stand in capitals and may be changed.
    """

    names: tuple[str, ...] = ()
    rows: Mapping[str, str | None] = field(default_factory=dict)
    ids: frozenset[str] = frozenset()
    lowered: frozenset[str] = frozenset()


class Fix(NamedTuple):
    """`mend` takes a text (LF, no BOM), its path and the facts; it settles findings of `codes`.

    `since`: the context-schema from which on it holds.
    """

    codes: tuple[str, ...]
    where: tuple[Literal["memory", "index", "page"], ...]
    mend: Callable[[str, str, Facts], str]
    since: Version = (0, 0, 0)


def lowercase_ids(text: str, path: str, facts: Facts) -> str:
    """Ids in capitals, and references to an Id of the project, in lower case."""
    file = parse_memory(path, text.encode("utf-8", "surrogatepass"))
    lines = text.split("\n")
    for number in _reference_lines(file):
        lines[number - 1] = _lowered(lines[number - 1], facts.ids)
    for entry in file.entries:
        for found in entry.fields:
            if found.label in ("Id", *_REFERENCES):
                allowed = facts.lowered if found.label == "Id" else facts.ids
                lines[found.line - 1] = _lowered(lines[found.line - 1], allowed)
    return "\n".join(lines)


def _reference_lines(file: MemoryFile) -> Iterable[int]:
    """The frontmatter lines of the fields that hold Ids, with the lines that continue them."""
    starts = sorted((*file.lines.values(), file.body_line - 1))
    for key in _REFERRING_KEYS:
        if key in file.lines:
            first = file.lines[key]
            yield from range(first, next(line for line in starts if line > first))


def _lowered(line: str, allowed: frozenset[str]) -> str:
    def lower(match: re.Match[str]) -> str:
        return match[0].lower() if match[0].lower() in allowed else match[0]

    return _UUID.sub(lower, line)


def true_hash(text: str, path: str, facts: Facts) -> str:
    """The content hash that fits the words, where an old one stands."""
    file = parse_memory(path, text.encode("utf-8", "surrogatepass"))
    declared = file.content_hash
    if declared is None or field_fault("content_hash", declared):
        return text
    if file.problems or declared == file.computed_hash:
        return text
    try:
        return edit_memory(text, [])
    except NotEditable:
        return text


def final_newline(text: str, path: str, facts: Facts) -> str:
    """A line end after the last line."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def ordered_index(text: str, path: str, facts: Facts) -> str:
    """The index with its 36 headings, one row a file, sorted; no row that leads nowhere."""
    return contents.tidied(text, facts.names, facts.rows.get)


INDEX_CODES = ("E202", "E203", "E204", "E205", "E206", "P301", "P302", "X102")
SINCE_SKELETON = (0, 13, 0)
FIXES: tuple[Fix, ...] = (
    Fix(("E115", "E117"), ("memory",), lowercase_ids),
    Fix(("P201",), ("memory",), true_hash),
    Fix(INDEX_CODES, ("index",), ordered_index, SINCE_SKELETON),
    Fix(("N190",), ("memory", "index", "page"), final_newline),
)


def lowerable(files: Iterable[MemoryFile], fixed: frozenset[str]) -> frozenset[str]:
    """The Ids, in lower case, whose capitals may go: their file is among the paths in `fixed`.

    Not where the lower case is another entry's Id already, nor where a file that is left as it is
    refers to the capitals.
    """
    found: dict[str, list[bool]] = {}
    kept: set[str] = set()
    for file in files:
        ids = [entry.id or "" for entry in file.entries]
        for id in ids:
            if is_uuid(id.lower()):
                found.setdefault(id.lower(), []).append(file.path in fixed and not is_uuid(id))
        if file.path not in fixed:
            kept.update(
                match[0].lower() for match in _UUID.finditer(file.text) if not is_uuid(match[0])
            )
    return frozenset(id for id, places in found.items() if places == [True] and id not in kept)
