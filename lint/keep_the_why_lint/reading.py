"""Reads a project for the rules: every file once, through `ktw.boundaries`, never raising.

It judges nothing: what it may not or cannot read becomes data that a rule reports.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from keep_the_why_lint.places import is_there, judge_places
from keep_the_why_lint.project import (
    IndexPage,
    IndexRow,
    PlacedBlock,
    Project,
    Setup,
    Unread,
    Verdicts,
)
from ktw.boundaries import MAX_FILE, OutOfBounds, Unreadable, personal_file, read_regular
from ktw.config import CONFIG_FILE, LEGACY_FILE, Block, Config, parse_config, schema_version
from ktw.entries import heading, unfenced_lines
from ktw.memory import NOT_MEMORIES, MemoryFile, normalise, parse_memory

HOME_NAME = "~/.keep-the-why"
PROJECT_KINDS = ("config", "personal-defaults", "children")

_ROW = re.compile(r"\s*-\s*\[([^\]]+)\]\(([^)]+)\)")


@dataclass
class _Reading:
    """What has been read so far."""

    root: Path
    unread: list[Unread] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    undecodable: list[tuple[str, int]] = field(default_factory=list)
    checked: set[str] = field(default_factory=set)

    def data(self, path: Path, name: str, root: Path | None = None) -> bytes | None:
        """The bytes of a file that findings call `name`; None once its refusal is noted."""
        try:
            return read_regular(
                path, root or self.root, MAX_FILE, self.checked if not root else None
            )
        except Unreadable as refusal:
            if refusal.kind != "missing":
                self.unread.append(Unread(name, refusal.kind, refusal.why))
            elif path.is_symlink():
                self.unread.append(Unread(name, "not-a-file", "it is a link that leads nowhere"))
            return None

    def text(self, path: Path, name: str, root: Path | None = None) -> str | None:
        """The text of such a file, undecodable bytes replaced and noted."""
        data = self.data(path, name, root)
        if data is None:
            return None
        text = self.decoded(data, name)
        self.texts.append((name, text))
        return text

    def decoded(self, data: bytes, name: str) -> str:
        try:
            return normalise(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            self.undecodable.append((name, data.count(b"\n", 0, error.start) + 1))
            return normalise(data.decode("utf-8", errors="replace"))


def read_project(root: Path, home: Path | None = None, verdicts: Verdicts | None = None) -> Project:
    """The project at `root`; with `home` the developer's own settings too (`--setup`)."""
    reading = _Reading(Path(os.path.realpath(root)))
    config = _read_config(reading)
    if config is None:
        return Project(None, unread=tuple(reading.unread), undecodable=tuple(reading.undecodable))
    blocks = [
        PlacedBlock(config.path, block)
        for kind in PROJECT_KINDS
        if config.block("config") and (block := config.block(kind))
    ]
    setup = _read_setup(reading, home, config, blocks) if home else None
    faults = tuple(judge_places(reading.root, config))
    name = _context_name(config)
    context = reading.root / name
    readable = not any(fault.concern == "context" for fault in faults) and context.is_dir()
    names, links = _names(reading, context, name) if readable else ([], frozenset())
    if readable:
        _refuse_links_elsewhere(reading, context, name, links)
    files = _read_memories(reading, context, name, names)
    page = _read_pages(reading, context, name, names)
    revoked, listed = _read_revoked(reading, context, name) if readable else (frozenset(), "")
    return Project(
        config,
        tuple(blocks),
        faults,
        tuple(reading.unread),
        setup,
        name,
        readable,
        files,
        frozenset(names).intersection(NOT_MEMORIES),
        page,
        tuple(reading.texts),
        tuple(reading.undecodable),
        revoked,
        verdicts,
        listed,
    )


def _read_config(reading: _Reading) -> Config | None:
    """The config from `.keep-the-why`, or from the block that AGENTS.md held in old projects."""
    for name, legacy in ((CONFIG_FILE, False), (LEGACY_FILE, True)):
        text = reading.text(reading.root / name, name)
        if text is None:
            if reading.unread:
                return None
            continue
        config = parse_config(text, name, legacy)
        if not legacy or config.block("config"):
            return config
        reading.texts.pop()
    return None


def _context_name(config: Config) -> str:
    return (config.value("context") or "").rstrip("/") or "context"


# --- the context directory -------------------------------------------------------------------


def _names(reading: _Reading, context: Path, name: str) -> tuple[list[str], frozenset[str]]:
    """The names in the context directory that look like Markdown files, sorted; which are links.

    Directories with Markdown in them, and links to directories, are noted: none is entered.
    """
    names, links = [], set()
    try:
        with os.scandir(context) as rows:
            for row in rows:
                if row.name.endswith(".md"):
                    names.append(row.name)
                    if row.is_symlink():
                        links.add(row.name)
                elif _is_nested(row):
                    why = "it stands in a directory of its own"
                    reading.unread.append(Unread(f"{name}/{row.name}", "nested", why))
    except OSError as error:
        reading.unread.append(Unread(name, "refused", error.strerror or "it cannot be listed"))
    return sorted(names), frozenset(links)


def _is_nested(row: "os.DirEntry[str]") -> bool:
    """True for a directory below the context directory that holds Markdown, or a link to one."""
    try:
        if row.name.startswith(".") or not row.is_dir():
            return False
        if row.is_symlink():
            return True
        with os.scandir(row.path) as inner:
            return any(found.name.endswith(".md") for found in inner)
    except OSError:
        return True


def _refuse_links_elsewhere(
    reading: _Reading, context: Path, name: str, links: Iterable[str]
) -> None:
    """Note each memory that is a link to another place in the project: ktw reads no such file."""
    home = Path(os.path.realpath(context))
    for link in sorted(set(links).difference(NOT_MEMORIES)):
        place = Path(os.path.realpath(context / link))
        elsewhere = place.is_relative_to(reading.root) and not place.is_relative_to(home)
        if elsewhere and is_there(place):
            why = "it is a link that leaves the context directory"
            reading.unread.append(Unread(f"{name}/{link}", "linked", why))


def _read_memories(
    reading: _Reading, context: Path, name: str, names: Iterable[str]
) -> tuple[MemoryFile, ...]:
    files, refused = [], {unread.path for unread in reading.unread}
    for file_name in names:
        if file_name in NOT_MEMORIES:
            continue
        path = f"{name}/{file_name}"
        if path in refused:
            continue
        data = reading.data(context / file_name, path)
        if data is not None:
            file = parse_memory(path, data)
            files.append(file)
            reading.texts.append((path, file.text))
    return tuple(files)


def _read_pages(reading: _Reading, context: Path, name: str, names: list[str]) -> IndexPage | None:
    """Read index and guard files for their text; the index as rows and headings too."""
    page = None
    for file_name in NOT_MEMORIES:
        if file_name not in names:
            continue
        text = reading.text(context / file_name, f"{name}/{file_name}")
        if text is None:
            names.remove(file_name)
        elif file_name == "index.md":
            page = parse_index(text, f"{name}/{file_name}")
    return page


def parse_index(text: str, path: str) -> IndexPage:
    """The rows and level-2 headings of an index page, fenced code left out."""
    rows, headings = [], []
    for index, line in unfenced_lines(text):
        if line.lstrip(" ").startswith("#"):
            level, title = heading(line)
            if level == 2:
                headings.append((index + 1, title))
        elif "](" in line and (match := _ROW.match(line)):
            target = match[2].split("#", 1)[0]
            if target.endswith(".md"):
                rows.append(IndexRow(index + 1, target, line))
    return IndexPage(path, tuple(rows), tuple(headings))


def _read_revoked(reading: _Reading, context: Path, name: str) -> tuple[frozenset[str], str]:
    """The content hashes that the project's `revoked` file lists, and its text."""
    data = reading.data(context / "revoked", f"{name}/revoked")
    if not data:
        return frozenset(), ""
    text = reading.decoded(data, f"{name}/revoked")
    reading.texts.append((f"{name}/revoked", text))
    from ktw.evidence import parse_revoked  # it brings git along, and few projects have the file

    return parse_revoked(data), text


# --- a developer's own settings --------------------------------------------------------------


def _read_setup(reading: _Reading, home: Path, config: Config, blocks: list[PlacedBlock]) -> Setup:
    folder = home / ".keep-the-why"
    missing: list[str] = []
    without: list[tuple[str, str]] = []
    wanted = [("global", folder / "config", f"{HOME_NAME}/config")]
    personal = _personal(home, config)
    if personal is not None:
        wanted.append(("personal", personal, f"{HOME_NAME}/{personal.name}"))
    for kind, path, name in wanted:
        text = reading.text(path, name, home)
        block = parse_config(text, name).block(kind) if text is not None else None
        if block is not None:
            blocks.append(PlacedBlock(name, block))
        elif text is not None:
            without.append((name, kind))
        elif kind == "personal" and not any(unread.path == name for unread in reading.unread):
            missing.append(name)
    path_shown = f"{HOME_NAME}/{personal.name}" if personal else ""
    return Setup(path_shown, tuple(missing), tuple(without))


def _personal(home: Path, config: Config) -> Path | None:
    """The personal file that the id names; None where the id cannot name one."""
    block: Block | None = config.block("config")
    found = block.first("id") if block else None
    if found is None or config.legacy or schema_version(config) < (0, 10, 0):
        return None
    try:
        return personal_file(home, found.value)
    except OutOfBounds:
        return None
