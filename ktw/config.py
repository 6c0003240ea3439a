"""The blocks of `.keep-the-why`, parsed as data; `config_fields` says what each key may hold.

It follows no path and runs nothing a value names; where a value may lead is for
`ktw.boundaries`. Source of the format: the keep-the-why specification, sections on blocks.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ktw.boundaries import MAX_FILE, Unreadable, plain_value, read_regular
from ktw.config_shapes import Version, parse_version, split_reference, split_value

__all__ = [
    "Block",
    "Config",
    "Field",
    "Version",
    "format_block",
    "load_config",
    "parse_config",
    "parse_version",
    "schema_version",
    "split_reference",
    "split_value",
]

CONFIG_FILE = ".keep-the-why"
LEGACY_FILE = "AGENTS.md"
KINDS = ("config", "personal-defaults", "children", "lint", "personal", "global", "cache")
FALLBACK_SCHEMA: Version = (0, 2, 0)
KNOWN_SCHEMA: Version = (0, 20, 3)

_OPENING = {f"<!-- keep-the-why:{kind} -->": kind for kind in KINDS}
_CLOSING = {f"<!-- /keep-the-why:{kind} -->": kind for kind in KINDS}
_FIELD = re.compile(r"\s*-\s+([A-Za-z0-9_-]+)\s*:(.*)", re.DOTALL)


class Field(NamedTuple):
    """One `- key: value` line; `value` without surrounding blanks, `line` counted from 1."""

    key: str
    value: str
    line: int


class Block(NamedTuple):
    """One delimited block. `extra_markers`: lines of further opening markers of its kind."""

    kind: str
    line: int
    fields: tuple[Field, ...] = ()
    closed: bool = False
    extra_markers: tuple[int, ...] = ()

    def all(self, key: str) -> tuple[Field, ...]:
        """Every field of that key, in order."""
        return tuple(found for found in self.fields if found.key == key)

    def first(self, key: str) -> Field | None:
        """The first field of that key: the one that is read."""
        return next((found for found in self.fields if found.key == key), None)


class Config(NamedTuple):
    """A parsed config file. `legacy`: the block stood in AGENTS.md. `path`: for findings."""

    path: str
    legacy: bool
    blocks: Mapping[str, Block]

    def block(self, kind: str) -> Block | None:
        """The first block of that kind."""
        return self.blocks.get(kind)

    def value(self, key: str) -> str | None:
        """A value of the config block without blanks and backticks around it."""
        block = self.blocks.get("config")
        found = block.first(key) if block else None
        return plain_value(found.value) if found else None


class _OpenBlock:
    def __init__(self, line: int) -> None:
        self.line, self.closed = line, False
        self.fields: list[Field] = []
        self.extra_markers: list[int] = []

    def frozen(self, kind: str) -> Block:
        extra = tuple(self.extra_markers)
        return Block(kind, self.line, tuple(self.fields), self.closed, extra)


def parse_config(text: str, path: str = CONFIG_FILE, legacy: bool = False) -> Config:
    """Every block of a config file; never raises. Lines end at LF, CRLF or CR.

    The first block of a kind is the one that counts. One that is never closed runs to the
    end of the file and says so in `closed`.
    """
    blocks: dict[str, _OpenBlock] = {}
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if "-" in line:  # every marker and every field has one
            _read_line(blocks, line, number)
    return Config(path, legacy, {kind: block.frozen(kind) for kind, block in blocks.items()})


def _read_line(blocks: dict[str, _OpenBlock], line: str, number: int) -> None:
    marker = line.strip()
    if kind := _OPENING.get(marker):
        if kind in blocks:
            blocks[kind].extra_markers.append(number)
        else:
            blocks[kind] = _OpenBlock(number)
    elif kind := _CLOSING.get(marker):
        if kind in blocks:
            blocks[kind].closed = True
    elif match := _FIELD.fullmatch(line):
        found = Field(match[1], match[2].strip(), number)
        for block in blocks.values():
            if not block.closed:
                block.fields.append(found)


def load_config(root: Path) -> Config | None:
    """The config of the project at `root`, from `.keep-the-why` or an old AGENTS.md block.

    None when there is neither. Raises Unreadable when a file is there that may not be read.
    """
    for name, legacy in ((CONFIG_FILE, False), (LEGACY_FILE, True)):
        try:
            data = read_regular(root / name, root, MAX_FILE)
        except Unreadable as refusal:
            if refusal.kind == "missing":
                continue
            raise
        config = parse_config(data.decode("utf-8", errors="replace"), name, legacy)
        if not legacy or config.block("config"):
            return config
    return None


def schema_version(config: Config) -> Version:
    """The context-schema that the project declares; 0.2.0 when absent or malformed."""
    block = config.block("config")
    found = block.first("context-schema") if block else None
    return (parse_version(found.value) if found else None) or FALLBACK_SCHEMA


def format_block(kind: str, values: Mapping[str, str]) -> str:
    """A block as `.keep-the-why` holds it, ending in a newline. Values are one line each."""
    lines = [f"- {key}: {value}" for key, value in values.items()]
    return "\n".join(
        [f"<!-- keep-the-why:{kind} -->", *lines, f"<!-- /keep-the-why:{kind} -->", ""]
    )
