"""What rules judge: a project as plain data, already read. It opens no file and knows no rule."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from ktw.config import FALLBACK_SCHEMA, Block, Config, Version, schema_version
from ktw.entries import Entry, FieldLine
from ktw.fields import field_problems
from ktw.frontmatter import Problem
from ktw.memory import MemoryFile
from ktw.text import Span

Verdicts = Callable[[str], str | None]
FaultKind = Literal["outside", "shape", "missing", "identity", "scope", "one-way"]


@dataclass(frozen=True)
class PlacedBlock:
    """A block and the file it stands in, as findings name that file."""

    path: str
    block: Block


@dataclass(frozen=True)
class Fault:
    """What `ktw.boundaries` says against a config value: `concern` is the key it is about."""

    concern: str
    kind: FaultKind
    line: int
    message: str


@dataclass(frozen=True)
class Unread:
    """A file that was not read. `kind` as in `ktw.boundaries.Unreadable`."""

    path: str
    kind: str
    why: str


@dataclass(frozen=True)
class Setup:
    """What a developer's home holds for this project; None where a file is missing."""

    personal_path: str
    missing: tuple[str, ...] = ()
    without_block: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class IndexRow:
    """One list item of index.md that links to a file: `target` without its anchor."""

    line: int
    target: str
    text: str


@dataclass(frozen=True)
class IndexPage:
    """index.md as rows and level-2 headings, each with its line."""

    path: str
    rows: tuple[IndexRow, ...]
    headings: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class IdPlace:
    """Where an Id stands: the file's path, the entry, the line of the field."""

    file: str
    entry: Entry
    line: int

    @property
    def name(self) -> str:
        """The file's name without its directory."""
        return self.file.rsplit("/", 1)[-1]


@dataclass(frozen=True)
class Project:
    """A project that was read. Whatever could not be read is in `faults` or `unread`.

    `verdicts` asks trust about a memory file's path; None where git or a policy is absent.
    """

    config: Config | None
    blocks: tuple[PlacedBlock, ...] = ()
    faults: tuple[Fault, ...] = ()
    unread: tuple[Unread, ...] = ()
    setup: Setup | None = None
    context_name: str = "context"
    context_read: bool = False
    files: tuple[MemoryFile, ...] = ()
    guards: frozenset[str] = frozenset()
    index: IndexPage | None = None
    texts: tuple[tuple[str, str], ...] = ()
    undecodable: tuple[tuple[str, int], ...] = ()
    revoked: frozenset[str] = frozenset()
    verdicts: Verdicts | None = None
    revoked_text: str = ""

    @property
    def path(self) -> str:
        """The config file, as findings name it."""
        return self.config.path if self.config else ".keep-the-why"

    @cached_property
    def schema(self) -> Version:
        """The context-schema that gates the rules."""
        return schema_version(self.config) if self.config else FALLBACK_SCHEMA

    @cached_property
    def config_block(self) -> Block | None:
        """The block of project settings."""
        return self.config.block("config") if self.config else None

    @cached_property
    def ids(self) -> Mapping[str, Sequence[IdPlace]]:
        """Every Id of every entry, in file order, with each place it stands."""
        places: dict[str, list[IdPlace]] = {}
        for file in self.files:
            for id, place in _ids_of(file):
                places.setdefault(id, []).append(place)
        return MappingProxyType(places)

    @cached_property
    def has_provenance(self) -> bool:
        """True when any memory file carries frontmatter of ours."""
        return any(has_provenance(file) for file in self.files)


def _ids_of(file: MemoryFile) -> Iterable[tuple[str, IdPlace]]:
    for entry in file.entries:
        for found in entry.fields:
            if found.label == "Id":
                yield found.value, IdPlace(file.path, entry, found.line)


PROVENANCE_KEYS = frozenset(
    {"origin", "agent", "kind", "derived_from", "proposes"}
    | {"trusted_at", "trusted_by", "content_hash"}
)


def has_provenance(file: MemoryFile) -> bool:
    """True when the frontmatter is ours, not one that some other tool left."""
    return not PROVENANCE_KEYS.isdisjoint(file.frontmatter)


@dataclass(frozen=True)
class Page:
    """A text that is scanned as text: a file of the context directory or a config file."""

    path: str
    text: str

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of an offset into the text."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line_end(self, offset: int) -> int:
        """The offset at which the line around an offset ends."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]


def directives_in(text: str) -> Sequence[Span]:
    """What in a text directs or imitates the frame."""
    # Its patterns take 0.2 s to compile: only a run that asks pays for them.
    from ktw.text.directives import find_directives

    return find_directives(text)


@dataclass(frozen=True)
class Memory:
    """A memory file in its project. Spans are offsets into `page.text`.

    `find` gives the spans of a text, from a cache where the run has one.
    """

    file: MemoryFile
    project: Project
    find: Callable[[str], Sequence[Span]] = directives_in

    @property
    def path(self) -> str:
        return self.file.path

    @cached_property
    def page(self) -> Page:
        """Its text, for places."""
        return Page(self.file.path, self.file.text)

    @cached_property
    def directives(self) -> Sequence[Span]:
        """What in it directs or imitates the frame."""
        return self.find(self.file.text)

    @cached_property
    def field_problems(self) -> Sequence[Problem]:
        """What is wrong with its frontmatter fields."""
        return field_problems(self.file)

    @property
    def claims(self) -> bool:
        """True when its frontmatter says that it was approved."""
        return self.file.trusted_at is not None or self.file.trusted_by is not None

    @property
    def hash_holds(self) -> bool:
        """True when the hash it declares is that of its words."""
        return self.file.content_hash == self.file.computed_hash


@dataclass(slots=True)
class Section:
    """A level-2 section in its file, its header fields grouped by label."""

    path: str
    entry: Entry
    project: Project
    fields: Mapping[str, Sequence[FieldLine]] = field(default_factory=dict)

    @property
    def line(self) -> int:
        return self.entry.line

    def get(self, label: str) -> Sequence[FieldLine]:
        """The field lines of that label, in order."""
        return self.fields.get(label, ())


def sections_of(file: MemoryFile, project: Project) -> list[Section]:
    """The level-2 sections of a file as rules see them."""
    return [Section(file.path, entry, project, _by_label(entry.fields)) for entry in file.entries]


def _by_label(fields: Sequence[FieldLine]) -> Mapping[str, Sequence[FieldLine]]:
    grouped: dict[str, list[FieldLine]] = {}
    for found in fields:
        grouped.setdefault(found.label, []).append(found)
    return grouped
