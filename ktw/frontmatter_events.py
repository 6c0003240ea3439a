"""Read any YAML frontmatter through ruamel.yaml's events, keeping every scalar as it was written.

The slow and complete half of `ktw.frontmatter`: imported only where the strict line form is left.
"""

import re
from collections.abc import Iterator, Mapping

from ktw.errors import visible
from ktw.frontmatter_values import Parsed, Place, Problem, Value

_MAX_DEPTH = 8
_QUOTED = re.compile(r" ?(['\"])[^'\"]{2,}\1")


class _Refused(Exception):
    def __init__(self, kind: str, line: int, message: str) -> None:
        super().__init__(message)
        self.kind, self.line = kind, line


def read_events(source: str, first_line: int) -> Parsed:
    """The mapping a source holds, or its problems: never a guess, never an exception."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    parsed = Parsed()
    try:
        _Reader(YAML(typ="safe", pure=True).parse(source), source, parsed, first_line).read()
    except _Refused as error:
        parsed.problems.append(Problem(error.kind, first_line + error.line, str(error)))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + (mark.line if mark else 0)
        reason = _told(error.problem)
        parsed.problems.append(
            Problem("yaml", line, f"the frontmatter is not valid YAML: {reason}")
        )
    except (YAMLError, ValueError) as error:
        reason = _told(str(error))
        parsed.problems.append(
            Problem("yaml", first_line, f"the frontmatter cannot be read: {reason}")
        )
    if parsed.problems:
        parsed.values, parsed.places = {}, {}
    return parsed


def _told(reason: str | None) -> str:
    """Why, without the words that it quotes: they are the file's, and this stands in no frame."""
    lines = (reason or "not valid YAML").splitlines()
    return visible(_QUOTED.sub("", lines[0]), 120).rstrip()


class _Reader:
    """Builds values from YAML events; refuses anchors, aliases, tags, depth and repeated keys."""

    def __init__(
        self, events: Iterator[object], source: str, parsed: Parsed, first_line: int
    ) -> None:
        self._events = events
        self._source = source
        self._parsed = parsed
        self._first_line = first_line

    def read(self) -> None:
        self._next()  # stream start
        event = self._next()
        if _name(event) == "StreamEndEvent":
            return
        if getattr(event, "explicit", False):
            message = "a second document marker stands in the frontmatter"
            raise _Refused("yaml", _line(event), message)
        top = self._next()
        if _name(top) != "MappingStartEvent" or getattr(top, "flow_style", False):
            raise _Refused(
                "not-a-mapping", _line(top), "the frontmatter is not a block of `key: value` lines"
            )
        self._check(top)
        self._read_top()
        self._next()  # document end
        event = self._next()
        if _name(event) != "StreamEndEvent":
            raise _Refused("yaml", _line(event), "the frontmatter holds more than one document")

    def _read_top(self) -> None:
        values = self._parsed.values
        for key, key_event in self._keys(values):
            event = self._next()
            values[key] = self._value(event, 1)
            self._parsed.lines[key] = self._first_line + _line(key_event)
            self._parsed.places[key] = self._place(key_event, event)

    def _place(self, key_event: object, event: object) -> Place:
        first = _line(key_event)
        if _name(event) != "ScalarEvent":
            return Place(-1, -1, first, -1)
        start, end = event.start_mark.index, event.end_mark.index  # type: ignore[attr-defined]
        if not self._source[start:end].strip():
            start = end = key_event.end_mark.index + 1  # type: ignore[attr-defined]
        last = first + self._source[key_event.start_mark.index : end].rstrip("\n").count("\n")  # type: ignore[attr-defined]
        return Place(start, start + len(self._source[start:end].rstrip()), first, last)

    def _keys(self, into: Mapping[str, Value]) -> Iterator[tuple[str, object]]:
        while _name(event := self._next()) != "MappingEndEvent":
            self._check(event)
            if _name(event) != "ScalarEvent":
                raise _Refused("yaml", _line(event), "a key is not plain text")
            key = str(event.value)  # type: ignore[attr-defined]
            if key in into:
                message = "a key stands twice in the frontmatter"
                raise _Refused("duplicate-key", _line(event), message)
            yield key, event

    def _value(self, event: object, depth: int) -> Value:
        """The value that begins with `event`, inside `depth` lists and mappings."""
        self._check(event)
        kind = _name(event)
        if kind == "ScalarEvent":
            return str(event.value)  # type: ignore[attr-defined]
        if depth >= _MAX_DEPTH:
            raise _Refused(
                "yaml", _line(event), f"the frontmatter nests deeper than {_MAX_DEPTH} levels"
            )
        if kind == "SequenceStartEvent":
            return self._sequence(depth)
        inner: dict[str, Value] = {}
        for key, _ in self._keys(inner):
            inner[key] = self._value(self._next(), depth + 1)
        return inner

    def _sequence(self, depth: int) -> list[Value]:
        items: list[Value] = []
        while _name(event := self._next()) != "SequenceEndEvent":
            items.append(self._value(event, depth + 1))
        return items

    def _next(self) -> object:
        return next(self._events)

    def _check(self, event: object) -> None:
        if _name(event) == "AliasEvent" or getattr(event, "anchor", None):
            raise _Refused("alias", _line(event), "anchors and aliases are refused in frontmatter")
        if getattr(event, "tag", None):
            raise _Refused("tag", _line(event), "YAML tags are refused in frontmatter")


def _name(event: object) -> str:
    return type(event).__name__


def _line(event: object) -> int:
    mark = getattr(event, "start_mark", None)
    return int(mark.line) if mark is not None else 0
