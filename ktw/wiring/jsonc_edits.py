"""Put entries into the text of a JSON file, or take them out, by editing that place alone."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from ktw.wiring.documents import Edit, Json, Unfit, edited, line_end
from ktw.wiring.entries import Entry, Keeps, Path, grafted, is_entry
from ktw.wiring.jsonc import Item, Node, integer, parse

_UNIT = "  "
_REST_OF_LINE = re.compile(r"(?:[ \t]|//[^\n\r]*|/\*(?:[^*\n]|\*(?!/))*\*/)*")


class Style(NamedTuple):
    """How a text is laid out; `unit` is one step of indentation, "" for all on one line."""

    line_end: str
    unit: str


def read(text: str) -> Json:
    """The data of a JSON text; raises Broken."""
    try:  # fifty times as fast, for the large files of agents that keep their history in one
        data: Json = json.loads(text, parse_int=integer, parse_constant=_refuse)
        return data
    except (ValueError, RecursionError):
        return parse(text).value


def _refuse(word: str) -> Json:
    raise ValueError(word)


def add(text: str, entries: Sequence[Entry]) -> str:
    """The text with entries that it lacks; raises Broken, and Unfit where one has no place."""
    root = parse(text)
    style = _style(text, root)
    found: dict[int, tuple[Node, list[tuple[Path, Entry]]]] = {}
    for entry in entries:
        node, rest = _deepest(root, entry)
        found.setdefault(node.start, (node, []))[1].append((rest, entry))
    return edited(
        text, [edit for node, new in found.values() for edit in _insert(text, node, new, style)]
    )


def _deepest(root: Node, entry: Entry) -> tuple[Node, Path]:
    """The last value on the way to an entry that is there, and what of the way is left."""
    node = root
    for at, key in enumerate(entry.path):
        if not isinstance(node.value, dict):
            raise Unfit(f"{_name(entry.path[:at])} is no object")
        if node.repeats(key):
            raise Unfit(f"{_name(entry.path[: at + 1])} is there twice")
        below = node.member(key)
        if below is None:
            return node, entry.path[at:]
        node = below
    if not isinstance(node.value, list):
        raise Unfit(f"{_name(entry.path)} is no array")
    return node, ()


def _name(path: Path) -> str:
    return f"`{'.'.join(path)}`" if path else "the whole"


# --- putting in ------------------------------------------------------------------------------


def _insert(text: str, node: Node, new: list[tuple[Path, Entry]], style: Style) -> list[Edit]:
    """The edits that put entries below one value that is there."""
    if isinstance(node.value, list):
        pieces: list[tuple[str, Json]] = [("", entry.value) for _, entry in new]
    else:
        tree: Json = {}
        for rest, entry in new:
            tree = grafted(tree, rest, entry)
        members = tree.items() if isinstance(tree, dict) else ()
        pieces = [(f"{json.dumps(key, ensure_ascii=False)}: ", value) for key, value in members]
    return (
        _fill(text, node, pieces, style) if not node.items else _append(text, node, pieces, style)
    )


def _fill(text: str, node: Node, pieces: list[tuple[str, Json]], style: Style) -> list[Edit]:
    """The edit for a container without items; comments in it stay, before the new ones, with the
    blanks after them."""
    inner = text[node.start + 1 : node.end - 1]
    kept = node.start + 1 + len(inner.rstrip())
    base = _indent(text, node.start)
    if not style.unit and not inner.strip():
        written = ", ".join(_written(*piece, "", style) for piece in pieces)
        return [Edit(kept, node.end - 1, written)]
    unit = style.unit or _UNIT
    whole = style._replace(unit=unit)
    gap = style.line_end + base + unit
    written = ",".join(gap + _written(*piece, base + unit, whole) for piece in pieces)
    if inner.strip():
        return [Edit(kept, kept, written)]
    return [Edit(kept, node.end - 1, written + style.line_end + base)]


def _append(text: str, node: Node, pieces: list[tuple[str, Json]], style: Style) -> list[Edit]:
    """The edits that put items behind the last one, laid out and closed as that one is."""
    last = node.items[-1]
    indent = _own_indent(text, last.start)
    if indent is None:
        inline = style._replace(unit="")
        whole = [_written(*piece, "", inline) for piece in pieces]
        if last.comma >= 0:
            return [Edit(last.comma + 1, last.comma + 1, "".join(f" {each}," for each in whole))]
        return [Edit(last.end, last.end, "".join(f", {each}" for each in whole))]
    gap = style.line_end + indent
    written = ",".join(gap + _written(*piece, indent, style) for piece in pieces)
    if last.comma >= 0:
        place = _line_ends(text, last.comma + 1)
        return [Edit(place, place, f"{written},")]
    place = _line_ends(text, last.end)
    return [Edit(last.end, last.end, ","), Edit(place, place, written)]


def _written(key: str, value: Json, indent: str, style: Style) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=style.unit or None)
    return key + text.replace("\n", style.line_end + indent)


def _line_ends(text: str, at: int) -> int:
    """Where the line at `at` ends, comments on it included; `at` where something else follows."""
    found = _REST_OF_LINE.match(text, at)
    end = found.end() if found else at
    return end if text[end : end + 1] in ("\r", "\n") else at


def _style(text: str, root: Node) -> Style:
    if not root.items:
        return Style(line_end(text), _UNIT)
    own = _own_indent(text, root.items[0].start)
    return Style(line_end(text), "" if own is None else own or _UNIT)


def _own_indent(text: str, at: int) -> str | None:
    """The indentation of what stands at `at`; None where something else is before it."""
    start = text.rfind("\n", 0, at) + 1
    before = text[start:at]
    return before if start and not before.strip(" \t") else None


def _indent(text: str, at: int) -> str:
    """The indentation of the line that `at` is on."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


# --- taking out ------------------------------------------------------------------------------


def remove(text: str, entries: Sequence[Entry], keeps: Keeps) -> str:
    """The text without entries, and without what they leave empty unless `keeps` says so."""
    edits, _ = _cuts(text, parse(text), (), entries, keeps)
    return edited(text, edits)


def _cuts(
    text: str, node: Node, path: Path, entries: Sequence[Entry], keeps: Keeps
) -> tuple[list[Edit], bool]:
    """The edits below a value, and whether they leave it empty."""
    edits: list[Edit] = []
    gone: list[int] = []
    is_object = isinstance(node.value, dict)
    for at, item in enumerate(node.items):
        here = (*path, item.key) if is_object else path
        if any(e.path == here and e.listed != is_object and _is(e, item) for e in entries):
            gone.append(at)
        elif is_object and any(entry.path[: len(here)] == here for entry in entries):
            inner, emptied = _cuts(text, item.value, here, entries, keeps)
            if emptied and not keeps(here):
                gone.append(at)
            else:
                edits += inner
    return edits + _cut_items(text, node, gone), bool(gone) and len(gone) == len(node.items)


def _is(entry: Entry, item: Item) -> bool:
    return is_entry(entry, item.value.value)


def _cut_items(text: str, node: Node, gone: Sequence[int]) -> list[Edit]:
    """The edits that take items out: runs of neighbours, each with the commas that parted it."""
    edits: list[Edit] = []
    if gone and len(gone) == len(node.items):
        return _empty(text, node)
    for first, last in _runs(gone):
        start = _line_start(text, node.items[first].start)
        if last < len(node.items) - 1:
            edits.append(Edit(start, _gap_ends(text, node, first, last), ""))
            continue
        end, before = node.items[last], node.items[first - 1].comma
        if end.comma >= 0:
            edits.append(Edit(start, end.comma + 1, ""))
        else:
            edits += [Edit(before, before + 1, ""), Edit(max(start, before + 1), end.end, "")]
    return edits


def _empty(text: str, node: Node) -> list[Edit]:
    """Take out all items; comments around them stay."""
    spans = [(item.start, item.comma + 1 if item.comma >= 0 else item.end) for item in node.items]
    left = edited(text, [Edit(start, end, "") for start, end in spans])
    size = len(text) - len(left)
    if not left[node.start + 1 : node.end - 1 - size].strip():
        return [Edit(node.start + 1, node.end - 1, "")]
    return [Edit(_line_start(text, start), end, "") for start, end in spans]


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _line_start(text: str, at: int) -> int:
    """Where the blanks before `at` begin, its own line's end before them included."""
    start = len(text[:at].rstrip(" \t"))
    if text[:start].endswith("\n"):
        return start - (2 if text[:start].endswith("\r\n") else 1)
    return start


def _gap_ends(text: str, node: Node, first: int, last: int) -> int:
    """Where a run with others behind it ends: after its comma, and after blanks where it is first
    on a line that goes on."""
    end = node.items[last].comma + 1
    if first == 0 and _own_indent(text, node.items[first].start) is None:
        return end + len(text[end:]) - len(text[end:].lstrip(" \t"))
    return end
