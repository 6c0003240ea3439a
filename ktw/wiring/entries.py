"""What is put into settings: entries, whether data holds them, and data with and without them.

Data in, data out. It knows no file and no text: how an entry is written into one is for its form.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from ktw.wiring.documents import Json, Unfit

# Where `ktw` is called by its path, in quotes or not; each machine has its own.
_CALLED = re.compile(r"(?P<quote>[\"']?)(?:.*[/\\])?ktw(?:\.exe)?(?P=quote)(?= |$)", re.IGNORECASE)
_OURS = "ktw "

State = Literal["absent", "there", "elsewhere", "changed"]
Path = tuple[str, ...]
Keeps = Callable[[Path], bool]


class Entry(NamedTuple):
    """A value at a path of keys; where `listed`, an element of the array at that path."""

    path: Path
    value: Json
    listed: bool = False


def plain(value: Json) -> Json:
    """A value with every call of ktw written as `ktw`, whatever its path was."""
    if isinstance(value, str):
        found = _CALLED.match(value)
        return f"ktw{value[found.end() :]}" if found else value
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def is_entry(entry: Entry, value: Json) -> bool:
    """Whether a value is the entry's, wherever its `ktw` lies."""
    return plain(value) == plain(entry.value)


def state(data: Json, entry: Entry) -> State:
    """Whether data holds an entry; `elsewhere`: with another path to ktw; `changed`: by hand."""
    there = _at(data, entry.path)
    if not entry.listed:
        if there is _NOTHING:
            return "absent"
        return _likeness(entry, there)
    elements = there if isinstance(there, list) else []
    likeness = {_likeness(entry, each) for each in elements}
    if not likeness & {"there", "elsewhere"}:
        mark = _mark(entry)
        is_changed = mark and any(mark in _strings(plain(each)) for each in elements)
        return "changed" if is_changed else "absent"
    return "there" if "there" in likeness else "elsewhere"


def _likeness(entry: Entry, value: Json) -> State:
    if value == entry.value:
        return "there"
    return "elsewhere" if is_entry(entry, value) else "changed"


def _mark(entry: Entry) -> str:
    """The command by which an element that a person changed is still known as ours."""
    return next((text for text in _strings(plain(entry.value)) if text.startswith(_OURS)), "")


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


_NOTHING: Json = {"": "a value that is not there"}


def _at(data: Json, path: Path) -> Json:
    for key in path:
        if not isinstance(data, dict) or key not in data:
            return _NOTHING
        data = data[key]
    return data


def has(data: Json, path: Path) -> bool:
    """Whether there is anything at a path."""
    return _at(data, path) is not _NOTHING


def grafted(data: Json, path: Path, entry: Entry) -> Json:
    """Data with an entry at `path`, objects and array made on the way; what is there is shared.

    Raises Unfit where something else stands in the way.
    """
    if not path:
        if not entry.listed:
            return entry.value
        if not isinstance(data, list):
            raise Unfit(f"`{'.'.join(entry.path)}` is no array there")
        return [*data, entry.value]
    if not isinstance(data, dict):
        way = entry.path[: len(entry.path) - len(path)]
        raise Unfit(f"`{'.'.join(way)}` is no object there" if way else "it holds no object")
    key, rest = path[0], path[1:]
    fresh: Json = {} if rest else []
    return {**data, key: grafted(data.get(key, fresh), rest, entry)}


def with_entries(data: Json, entries: Sequence[Entry]) -> Json:
    """Data with entries in it; raises Unfit where one has no place."""
    for entry in entries:
        data = grafted(data, entry.path, entry)
    return data


def without_entries(data: Json, entries: Sequence[Entry], keeps: Keeps, path: Path = ()) -> Json:
    """Data without entries, and without what they leave empty unless `keeps` says so of a path."""
    if isinstance(data, list):
        listed = [entry for entry in entries if entry.listed and entry.path == path]
        return [each for each in data if not any(is_entry(entry, each) for entry in listed)]
    if not isinstance(data, dict):
        return data
    left: dict[str, Json] = {}
    for key, value in data.items():
        here = (*path, key)
        if any(e.path == here and not e.listed and is_entry(e, value) for e in entries):
            continue
        leads_on = any(entry.path[: len(here)] == here for entry in entries)
        new = without_entries(value, entries, keeps, here) if leads_on else value
        if new or not value or keeps(here):
            left[key] = new
    return left
