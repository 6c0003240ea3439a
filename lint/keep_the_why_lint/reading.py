"""Reads a project for the rules: every file once, through `ktw.boundaries`, never raising.

It judges nothing: what it may not or cannot read becomes data that a rule reports.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from keep_the_why_lint.beside import LINKED, page_kind, read_instructions, read_others
from keep_the_why_lint.listing import list_directory
from keep_the_why_lint.page import Page, PageKind
from keep_the_why_lint.places import judge_places
from keep_the_why_lint.project import (
    IndexPage,
    IndexRow,
    Listed,
    MemoryFiles,
    PlacedBlock,
    Project,
    Setup,
    Unread,
    Verdicts,
)
from keep_the_why_lint.reading_family import read_family
from ktw.boundaries import MAX_FILE, OutOfBounds, Unreadable, personal_file, read_regular
from ktw.config import CONFIG_FILE, LEGACY_FILE, Block, Config, parse_config, schema_version
from ktw.entries import heading, unfenced_lines
from ktw.memory import NOT_MEMORIES, decode, normalise
from ktw.revoked import parse_revoked

HOME_NAME = "~/.keep-the-why"
PROJECT_KINDS = ("config", "personal-defaults", "children", "lint")

_LONE_RETURN = re.compile(rb"\r(?!\n)")
_ROW = re.compile(r"\s*-\s*\[([^\]]+)\]\(([^)]+)\)")


@dataclass
class Reading:
    """What has been read so far."""

    root: Path
    unread: list[Unread] = field(default_factory=list)
    texts: list[Page] = field(default_factory=list)
    undecodable: list[tuple[str, int]] = field(default_factory=list)
    lone_returns: list[tuple[str, int]] = field(default_factory=list)
    checked: set[str] = field(default_factory=set)

    def data(self, path: Path, name: str, root: Path | None = None) -> bytes | None:
        """The bytes of a file that findings call `name`; None once its refusal is noted."""
        try:
            data = read_regular(
                path, root or self.root, MAX_FILE, self.checked if not root else None
            )
        except Unreadable as refusal:
            if refusal.kind != "missing":
                self.unread.append(Unread(name, refusal.kind, refusal.why))
            elif path.is_symlink():
                self.unread.append(Unread(name, "not-a-file", "it is a link that leads nowhere"))
            return None
        if b"\r" in data and (lone := _LONE_RETURN.search(data)):
            above = normalise(data[: lone.start()].decode("utf-8", "replace"))
            self.lone_returns.append((name, above.count("\n") + 1))
        return data

    def text(
        self, path: Path, name: str, kind: PageKind = "other", root: Path | None = None
    ) -> str | None:
        """The text of such a file, undecodable bytes replaced and noted."""
        data = self.data(path, name, root)
        if data is None:
            return None
        text = self.decoded(data, name)
        self.texts.append(Page(name, text, kind))
        return text

    def decoded(self, data: bytes, name: str) -> str:
        """The text of bytes that are no memory."""
        try:
            return normalise(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            self.undecodable.append((name, data.count(b"\n", 0, error.start) + 1))
            return normalise(data.decode("utf-8", errors="replace"))


def read_project(root: Path, home: Path | None = None, verdicts: Verdicts | None = None) -> Project:
    """The project at `root`; with `home` the developer's own settings too (`--setup`)."""
    reading = Reading(Path(os.path.realpath(root)))
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
    listed, unlisted = list_directory(context, name, reading.root) if readable else ([], [])
    reading.unread += unlisted
    names = [row.name for row in listed if _is_topic(row, name)]
    _refuse_links_elsewhere(reading, listed, name)
    files = _read_memories(reading, context, name, names)
    page = _read_pages(reading, context, name, names)
    revoked, list_text = _read_revoked(reading, context, name) if readable else (frozenset(), "")
    read_others(reading, context, name, listed)
    read_instructions(reading, config)
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
        list_text,
        family=read_family(reading.root, config),
        listed=tuple(listed),
        lone_returns=tuple(reading.lone_returns),
    )


def _read_config(reading: Reading) -> Config | None:
    """The config from `.keep-the-why`, or from the block that AGENTS.md held in old projects."""
    for name, legacy in ((CONFIG_FILE, False), (LEGACY_FILE, True)):
        text = reading.text(reading.root / name, name, "settings" if legacy else "config")
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


def _is_topic(row: Listed, name: str) -> bool:
    return row.path == f"{name}/{row.name}" and row.name.endswith(".md")


def _refuse_links_elsewhere(reading: Reading, listed: Iterable[Listed], name: str) -> None:
    """Note each memory that is a link to another place in the project: ktw reads no such file."""
    for row in listed:
        if row.leaves and _is_topic(row, name) and row.name not in NOT_MEMORIES:
            reading.unread.append(Unread(row.path, "linked", LINKED))


def _read_memories(reading: Reading, context: Path, name: str, names: Iterable[str]) -> MemoryFiles:
    sources, texts, refused = [], [], {unread.path for unread in reading.unread}
    for file_name in names:
        if file_name in NOT_MEMORIES:
            continue
        path = f"{name}/{file_name}"
        if path in refused:
            continue
        data = reading.data(context / file_name, path)
        if data is not None:
            sources.append((path, data))
            texts.append(decode(data))
            reading.texts.append(Page(path, texts[-1][0]))
    return MemoryFiles(sources, texts)


def _read_pages(reading: Reading, context: Path, name: str, names: list[str]) -> IndexPage | None:
    """Read index and guard files for their text; the index as rows and headings too."""
    page = None
    for file_name in NOT_MEMORIES:
        if file_name not in names:
            continue
        text = reading.text(context / file_name, f"{name}/{file_name}", page_kind(file_name))
        if text is None:
            names.remove(file_name)
        elif file_name == "index.md":
            page = parse_index(text, f"{name}/{file_name}")
    return page


def parse_index(text: str, path: str) -> IndexPage:
    """The rows and level-2 headings of an index page, fenced code left out."""
    rows: list[IndexRow] = []
    strays: list[IndexRow] = []
    headings = []
    for index, line in unfenced_lines(text):
        if line.lstrip(" ").startswith("#"):
            level, title = heading(line)
            if level == 2:
                headings.append((index + 1, title))
        elif "](" in line and (match := _ROW.match(line)):
            target = match[2].split("#", 1)[0]
            kept = rows if target.endswith(".md") else strays
            kept.append(IndexRow(index + 1, target, line))
    return IndexPage(path, tuple(rows), tuple(headings), tuple(strays))


def _read_revoked(reading: Reading, context: Path, name: str) -> tuple[frozenset[str], str]:
    """The content hashes that the project's `revoked` file lists, and its text."""
    data = reading.data(context / "revoked", f"{name}/revoked")
    if not data:
        return frozenset(), ""
    text = reading.decoded(data, f"{name}/revoked")
    reading.texts.append(Page(f"{name}/revoked", text, "other"))

    return parse_revoked(data), text


# --- a developer's own settings --------------------------------------------------------------


def _read_setup(reading: Reading, home: Path, config: Config, blocks: list[PlacedBlock]) -> Setup:
    folder = home / ".keep-the-why"
    missing: list[str] = []
    without: list[tuple[str, str]] = []
    wanted = [("global", folder / "config", f"{HOME_NAME}/config")]
    personal = _personal(home, config)
    if personal is not None:
        wanted.append(("personal", personal, f"{HOME_NAME}/{personal.name}"))
    for kind, path, name in wanted:
        text = reading.text(path, name, "settings", home)
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
