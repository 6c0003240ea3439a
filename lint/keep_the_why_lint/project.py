"""What rules judge: a project as plain data, already read. It opens no file and knows no rule."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import Literal, overload

from keep_the_why_lint.family import NO_FAMILY, Family
from keep_the_why_lint.page import Page, directives_in
from ktw.config import FALLBACK_SCHEMA, Block, Config, Version, schema_version
from ktw.entries import Entry
from ktw.fields import field_problems
from ktw.frontmatter import Problem
from ktw.memory import Decoded, MemoryFile, decode, parse_text
from ktw.text import Span

Verdicts = Callable[[str], str | None]
FaultKind = Literal["outside", "shape", "missing", "identity", "scope", "one-way", "foreign"]


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
    """index.md as rows and level-2 headings, each with its line.

    `strays` are list items that link to something else than a Markdown file.
    """

    path: str
    rows: tuple[IndexRow, ...]
    headings: tuple[tuple[int, str], ...]
    strays: tuple[IndexRow, ...] = ()


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
class Listed:
    """What stands in the context directory, at any depth; `path` is the project's.

    `links`: how many names a file has in its file system; `target`: where in the project a link
    ends ("" for elsewhere), and `leaves` that this is not the context directory.
    """

    path: str
    kind: Literal["file", "directory", "link", "special"]
    links: int = 1
    target: str = ""
    leaves: bool = False

    @property
    def name(self) -> str:
        """Its name without its directory."""
        return self.path.rsplit("/", 1)[-1]


class MemoryFiles(Sequence[MemoryFile]):
    """Memory files by path and bytes, parsed once one of them is asked for.

    `texts`: what `decode` gave of each, where it was decoded already.
    """

    def __init__(
        self, sources: Sequence[tuple[str, bytes]], texts: Sequence[Decoded] | None = None
    ) -> None:
        self.sources = sources
        self._texts = [decode(data) for _, data in sources] if texts is None else texts

    @cached_property
    def _parsed(self) -> tuple[MemoryFile, ...]:
        pairs = zip(self.sources, self._texts, strict=True)
        return tuple([parse_text(path, *decoded) for (path, _), decoded in pairs])

    def __len__(self) -> int:
        return len(self.sources)

    @overload
    def __getitem__(self, at: int) -> MemoryFile: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[MemoryFile]: ...
    def __getitem__(self, at: int | slice) -> MemoryFile | Sequence[MemoryFile]:
        return self._parsed[at]

    def __iter__(self) -> Iterator[MemoryFile]:
        return iter(self._parsed)


@dataclass(frozen=True)
class Project:
    """A project that was read. Whatever could not be read is in `faults` or `unread`.

    `verdicts` asks trust about a memory file's path; None where git or a policy is absent.
    `today`: the day of the run in UTC; None where no day is to be judged by it.
    """

    config: Config | None
    blocks: tuple[PlacedBlock, ...] = ()
    faults: tuple[Fault, ...] = ()
    unread: tuple[Unread, ...] = ()
    setup: Setup | None = None
    context_name: str = "context"
    context_read: bool = False
    files: Sequence[MemoryFile] = ()
    guards: frozenset[str] = frozenset()
    index: IndexPage | None = None
    texts: tuple[Page, ...] = ()
    undecodable: tuple[tuple[str, int], ...] = ()
    revoked: frozenset[str] = frozenset()
    verdicts: Verdicts | None = None
    revoked_text: str = ""
    family: Family = NO_FAMILY
    today: date | None = None
    listed: tuple[Listed, ...] = ()
    lone_returns: tuple[tuple[str, int], ...] = ()

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

    def is_kept(self, path: str) -> bool:
        """True for a page that stands directly in the context directory under a name of ours."""
        directory, _, name = path.rpartition("/")
        return directory == self.context_name and name.endswith((".md", "revoked"))

    def text_of(self, path: str) -> str:
        """The text of a file that was read; "" for any other."""
        return self._texts.get(path, "")

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return {page.path: page.text for page in self.texts}

    @cached_property
    def files_by_id(self) -> Mapping[str, Sequence[MemoryFile]]:
        """The files that carry an Id, by the Id in lower case."""
        files: dict[str, list[MemoryFile]] = {}
        for file in self.files:
            for id in dict.fromkeys(id.lower() for id in file.ids):
                files.setdefault(id, []).append(file)
        return MappingProxyType(files)

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

    @classmethod
    def without_claims(
        cls, page: Page, project: Project, find: Callable[[str], Sequence[Span]] = directives_in
    ) -> "Memory":
        """A page that is no memory, as the rules about a memory's text see it."""
        file = MemoryFile(page.path, page.text, {}, {}, page.text, 1, (), ())
        return cls(file, project, find)

    @cached_property
    def directives(self) -> Sequence[Span]:
        """What in it directs or imitates the frame, and what a reviewer should see of either."""
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
