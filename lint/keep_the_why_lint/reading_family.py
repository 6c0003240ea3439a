"""Reads the other projects of a family inside one repository: their ids and their entries' Ids.

Every path goes through `ktw.boundaries`; it judges nothing and follows no address.
"""

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from keep_the_why_lint.family import NO_FAMILY, Family, Member
from keep_the_why_lint.places import MAX_CHILDREN, find_toplevel
from ktw import boundaries, frontmatter
from ktw.boundaries import OutOfBounds, Unreadable
from ktw.config import CONFIG_FILE, Config, Field, parse_config, split_value
from ktw.entries import parse_entries
from ktw.errors import visible
from ktw.memory import MAX_ENTRIES, NOT_MEMORIES, normalise

MAX_MEMBERS = 64
MAX_FILES = 5_000


@dataclass
class _Walk:
    """What has been read of the family so far; `left`: how many files may still be read."""

    toplevel: Path
    left: int
    members: list[Member] = field(default_factory=list)
    unread: dict[tuple[int, str], None] = field(default_factory=dict)

    def name(self, place: Path) -> str:
        """A place below the toplevel as findings say it."""
        return place.relative_to(self.toplevel).as_posix()

    def note(self, line: int, why: str) -> None:
        self.unread[line, why] = None

    @property
    def family(self) -> Family:
        return Family(tuple(self.members), tuple(self.unread))


def read_family(root: Path, config: Config) -> Family:
    """Every project that parent and child links reach from the one at `root`, inside git's
    toplevel; at most 64 projects and 5,000 memory files."""
    if next(_links(config), None) is None:
        return NO_FAMILY
    walk = _Walk((find_toplevel(root) or root).resolve(), MAX_FILES)
    seen, waiting = {root}, deque([(root, config, 0)])
    while waiting:
        place, its_config, line = waiting.popleft()
        for found, value in _links(its_config):
            at = line or found.line
            other = _leads(walk, place, value)
            if other is None or other in seen:
                continue
            if len(seen) > MAX_MEMBERS:
                walk.note(at, f"the family has more than {MAX_MEMBERS} members: the rest is not")
                return walk.family
            seen.add(other)
            met = _read_member(walk, other, at)
            if met is not None:
                waiting.append((other, met, at))
    return walk.family


def _links(config: Config) -> Iterator[tuple[Field, str]]:
    """The fields that name family members, each with its location."""
    block, children = config.block("config"), config.block("children")
    parent = block.first("parent") if block else None
    if parent is not None:
        yield parent, parent.value
    for child in children.fields[:MAX_CHILDREN] if children else ():
        yield child, split_value(child.value)[0]


def _leads(walk: _Walk, place: Path, value: str) -> Path | None:
    """Where a location leads in this repository; None where it does not (others report that)."""
    try:
        return boundaries.family_location(walk.toplevel, place, value)
    except (OutOfBounds, OSError, RuntimeError):
        return None


def _read_member(walk: _Walk, place: Path, line: int) -> Config | None:
    """Read a member into `walk`; its config, to follow its links, or None."""
    data = _data(walk, place / CONFIG_FILE, place, line)
    if data is None:
        return None
    config = parse_config(data.decode("utf-8", errors="replace"))
    ids: dict[str, str] = {}
    for file in _files(walk, place, config, line):
        for id in _ids_in(walk, file, place, line):
            ids.setdefault(id, walk.name(file))
    walk.members.append(Member(walk.name(place), line, config.value("id") or "", ids))
    return config


def _data(walk: _Walk, file: Path, place: Path, line: int) -> bytes | None:
    """The bytes of a member's file; None once its refusal is noted."""
    try:
        return boundaries.read_regular(file, place)
    except Unreadable as refusal:
        walk.note(line, f"{_shown(walk.name(file))} is not: {refusal.why}")
        return None


def _files(walk: _Walk, place: Path, config: Config, line: int) -> list[Path]:
    """The memory files of a member, sorted."""
    try:
        context = boundaries.context_directory(place, config.value("context") or "")
        names = sorted(name for name in os.listdir(context) if name.endswith(".md"))  # noqa: PTH208
    except FileNotFoundError:
        return []
    except (OutOfBounds, OSError, RuntimeError):
        walk.note(line, f"the context directory of {_shown(walk.name(place))} is not")
        return []
    return [context / name for name in names if name not in NOT_MEMORIES]


def _ids_in(walk: _Walk, file: Path, place: Path, line: int) -> Iterator[str]:
    """The Ids of a member's memory file, in lower case."""
    if walk.left <= 0:
        walk.note(line, f"the family has more than {MAX_FILES:,} memory files: the rest is not")
        return
    walk.left -= 1
    data = _data(walk, file, place, line)
    if data is None:
        return
    parts = frontmatter.split(normalise(data.decode("utf-8", errors="replace")))
    for entry in parse_entries(parts.body, parts.body_line, MAX_ENTRIES):
        if entry.id:
            yield entry.id.lower()


def _shown(name: str) -> str:
    return f"'{visible(name, 120)}'"
