"""Split, read and edit the frontmatter of a memory file: YAML 1.2, every scalar kept as written.

Knows nothing of what the keys mean. A strict line form (what ktw itself writes) is read directly;
anything else goes through ruamel.yaml's event stream (`frontmatter_events`), and a property test
holds both to one answer.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ktw.errors import KtwError, visible
from ktw.frontmatter_values import Parsed, Place, Problem, Value

__all__ = [
    "FENCE",
    "MAX_SOURCE_BYTES",
    "NotEditable",
    "Parsed",
    "Place",
    "Problem",
    "Split",
    "Value",
    "edit_source",
    "format_source",
    "parse",
    "split",
]

FENCE = "---"
MAX_SOURCE_BYTES = 64 * 1024


class Split(NamedTuple):
    """A file's text in two: the YAML between the fences (None without) and all that follows."""

    source: str | None
    body: str
    body_line: int = 1
    problems: tuple[Problem, ...] = ()


class NotEditable(KtwError):
    """The frontmatter cannot be changed without touching what a person wrote."""


def split(text: str) -> Split:
    """Split `text` (LF line ends, no BOM) at its fences; an unclosed fence is a problem."""
    if not text.startswith(FENCE):
        return Split(None, text)
    lines = text.split("\n")
    if lines[0].rstrip(" \t") != FENCE:
        return Split(None, text)
    for index, line in enumerate(lines[1:], start=1):
        if line.rstrip(" \t") == FENCE:
            source = "".join(part + "\n" for part in lines[1:index])
            return Split(source, "\n".join(lines[index + 1 :]), index + 2)
    unclosed = Problem("unclosed", 1, "the frontmatter's opening --- is never closed")
    return Split(None, text, 1, (unclosed,))


def parse(source: str, first_line: int = 2) -> Parsed:
    """Read a frontmatter source whose first line is line `first_line` of its file; never raises."""
    if len(source.encode("utf-8", "surrogatepass")) > MAX_SOURCE_BYTES:
        message = f"the frontmatter is over {MAX_SOURCE_BYTES // 1024} KiB"
        return Parsed(problems=[Problem("too-large", first_line, message)])
    marker = _conflict_line(source)
    if marker is not None:
        message = "a merge conflict is not settled in the frontmatter"
        return Parsed(problems=[Problem("conflict-marker", first_line + marker, message)])
    broken = _NOT_YAML.search(source)
    if broken is not None:
        line = first_line + source.count("\n", 0, broken.start())
        message = f"the frontmatter holds a character that YAML refuses ({visible(broken[0])})"
        return Parsed(problems=[Problem("yaml", line, message)])
    return _read_plain_lines(source, first_line) or _read_other(source, first_line)


def _read_other(source: str, first_line: int) -> Parsed:
    from ktw.frontmatter_events import read_events

    return read_events(source, first_line)


def _conflict_line(source: str) -> int | None:
    for index, line in enumerate(source.split("\n")):
        if line.startswith(("<<<<<<< ", ">>>>>>> ", "||||||| ")) or line == "=======":
            return index
    return None


# --- the strict line form -------------------------------------------------------------------

# What YAML does not allow in a stream, and what some programs take for a line end.
_NOT_YAML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_KEY_LINE = re.compile(r"([a-z][a-z0-9_-]*):(?: +(\S.*)?)?")
_PLAIN_START = r"[^\W_]|[_/.(+]"
_UNSEEN = r"\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_PLAIN = re.compile(rf"(?:{_PLAIN_START})[^\x00-\x1f{_UNSEEN}]*")
_QUOTED = re.compile(rf'"([^"\\\x00-\x1f{_UNSEEN}]*)"')
_ESCAPED = re.compile(rf"[{_UNSEEN}\xa0]")
_ITEM = re.compile(r"[^\W_][\w./+-]*")
_UNSAFE_IN_PLAIN = (": ", " #", "\t")


def _read_plain_lines(source: str, first_line: int) -> Parsed | None:
    """The mapping of a source in the strict form, or None where it is anything else."""
    parsed = Parsed()
    at = 0
    for index, line in enumerate(source.split("\n")):
        if line.strip(" ") and not line.startswith("#"):
            matched = _KEY_LINE.fullmatch(line)
            if matched is None:
                return None
            key, written = matched[1], (matched[2] or "").rstrip(" ")
            value = _plain_value(written)
            if value is None or key in parsed.values:
                return None
            start = at + (matched.start(2) if matched[2] else len(key) + 1)
            parsed.values[key] = value
            parsed.lines[key] = first_line + index
            parsed.places[key] = Place(start, start + len(written), index, index)
        at += len(line) + 1
    return parsed


def _plain_value(written: str) -> Value | None:
    if not written:
        return ""
    if written[0] == "[":
        return _plain_list(written)
    quoted = _QUOTED.fullmatch(written)
    if quoted:
        return quoted[1]
    return written if _is_plain(written) else None


def _plain_list(written: str) -> Value | None:
    if not written.endswith("]"):
        return None
    inner = written[1:-1].strip(" ")
    items = [item.strip(" ") for item in inner.split(",")] if inner else []
    return list(items) if all(_ITEM.fullmatch(item) for item in items) else None


def _is_plain(text: str) -> bool:
    unsafe = any(part in text for part in _UNSAFE_IN_PLAIN) or text.endswith(":")
    return not unsafe and text == text.strip() and _PLAIN.fullmatch(text) is not None


# --- writing ---------------------------------------------------------------------------------


def format_source(values: Mapping[str, Value]) -> str:
    """A frontmatter source that parses back to `values`, one line a key, in the given order."""
    return "".join(_format_line(key, value) + "\n" for key, value in values.items())


def _format_line(key: str, value: Value) -> str:
    return f"{key}: {format_value(value)}".rstrip(" ")


def format_value(value: Value) -> str:
    """One YAML value on one line: plain where that is safe, else double-quoted."""
    if isinstance(value, str):
        return value if not value or _is_plain(value) else _quote(value)
    if isinstance(value, list):
        return "[" + ", ".join(_format_item(item) for item in value) + "]"
    pairs = (f"{_quote(key)}: {_format_item(item)}" for key, item in value.items())
    return "{" + ", ".join(pairs) + "}"


def _format_item(value: Value) -> str:
    if isinstance(value, str):
        return value if _ITEM.fullmatch(value) else _quote(value)
    return format_value(value)


def _quote(text: str) -> str:
    shown = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", shown)


def edit_source(
    source: str, changes: Sequence[tuple[str, str | None]], order: Sequence[str] = ()
) -> str:
    """`source` with each key set (or removed, where None); every other byte stays as it is.

    A new key goes behind the last key that precedes it in `order`, else to the end. Raises
    NotEditable where the block has problems, or the change would touch more than that key.
    """
    for key, value in changes:
        source = _edit_one(source, key, value, order)
    return source


def _edit_one(source: str, key: str, value: str | None, order: Sequence[str]) -> str:
    parsed = parse(source)
    if parsed.problems:
        problem = parsed.problems[0]
        raise NotEditable(f"line {problem.line}: {problem.message}", "Mend that line first.")
    if not isinstance(parsed.values.get(key, ""), str):
        raise NotEditable(
            f"`{visible(key)}` holds a list where one value is expected", "Mend it by hand first."
        )
    edited = _with_value(source, parsed, key, value, order)
    wanted = {name: found for name, found in parsed.values.items() if name != key}
    if parse(edited).values != (wanted if value is None else wanted | {key: value}):
        raise NotEditable(
            f"`{visible(key)}` cannot be changed without touching other lines",
            "Write the frontmatter as plain `key: value` lines first.",
        )
    return edited


def _with_value(
    source: str, parsed: Parsed, key: str, value: str | None, order: Sequence[str]
) -> str:
    place = parsed.places.get(key)
    lines = source.split("\n")
    if value is None:
        kept = lines if place is None else lines[: place.first_line] + lines[place.last_line + 1 :]
        return "\n".join(kept)
    if place is None:
        at = _line_for(parsed, lines, key, order)
        return "\n".join([*lines[:at], _format_line(key, value), *(lines[at:] or [""])])
    gap = " " if source[place.start - 1 : place.start] == ":" else ""
    return source[: place.start] + gap + format_value(value) + source[place.end :]


def _line_for(parsed: Parsed, lines: Sequence[str], key: str, order: Sequence[str]) -> int:
    """The index of the line before which a new key belongs."""
    earlier = order[: order.index(key)] if key in order else ()
    places = [parsed.places[name] for name in earlier if name in parsed.places]
    end = len(lines) if lines[-1].strip() else len(lines) - 1
    if not places:
        return end
    last = max(places, key=lambda place: place.first_line)
    if last.last_line >= 0:
        return last.last_line + 1
    starts = (place.first_line for place in parsed.places.values())
    at = min((start for start in starts if start > last.first_line), default=end)
    while not lines[at - 1].strip() or lines[at - 1].lstrip().startswith("#"):
        at -= 1
    return at
