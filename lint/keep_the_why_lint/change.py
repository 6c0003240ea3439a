"""What a change brings, as plain data that rules judge: two projects and the files that differ.

It opens no file, asks no git and knows no rule.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.project import Project
from keep_the_why_lint.watched import is_below
from ktw.fields import breaks_approval
from ktw.memory import NOT_MEMORIES, MemoryFile, normalise, parse_memory

State = Literal["absent", "file", "link", "directory", "unreadable"]


@dataclass(frozen=True)
class Side:
    """A file on one side of a change; of a link `data` is where it leads.

    A directory is one that git lists like a file: a submodule.
    """

    state: State = "absent"
    data: bytes = b""

    @cached_property
    def text(self) -> str:
        """Its text with LF line ends, "" for what is no readable file."""
        return normalise(self.data.decode("utf-8", "replace")) if self.state == "file" else ""

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")


@dataclass(frozen=True)
class ChangedFile:
    """A file that differs. `path` and `was` (its path before, "" for a new one) are from git's top.

    `name` and `old_name` are the same two as findings name them.
    """

    path: str
    was: str
    before: Side
    after: Side
    name: str
    old_name: str

    @cached_property
    def old_memory(self) -> MemoryFile | None:
        """What it was as a memory file, None where it was no file."""
        return (
            parse_memory(self.old_name, self.before.data) if self.before.state == "file" else None
        )

    @cached_property
    def new_memory(self) -> MemoryFile | None:
        side = self.after
        return parse_memory(self.name, side.data) if side.state == "file" else None

    @property
    def was_approved(self) -> bool:
        """True where it held a claim of approval that its own words bear out."""
        return self.old_memory is not None and claim_holds(self.old_memory)

    @property
    def is_renamed(self) -> bool:
        return bool(self.was) and self.was != self.path

    @property
    def is_gone(self) -> bool:
        return self.after.state == "absent"


def added_lines(
    before: Iterable[str], after: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, str]]:
    """The numbered lines of `after` that `before` does not have, or has less often."""
    known = Counter(before)
    for number, line in after:
        if known[line] > 0:
            known[line] -= 1
        else:
            yield number, line


def claims(file: MemoryFile) -> bool:
    """True where a file says that it was approved."""
    return file.trusted_at is not None or file.trusted_by is not None


def claim_holds(file: MemoryFile) -> bool:
    """True where a file claims approval for exactly its own words: what a merge makes a rule."""
    return (
        file.trusted_at is not None
        and not file.problems
        and file.content_hash == file.computed_hash
        and not breaks_approval(file)
    )


@dataclass(frozen=True)
class Change:
    """From `base`, as it was where the branches parted, to `head`, as the work tree is.

    `prefix`: the project below git's top. `hidden`: what `head` would be told under the schema of
    `base` and is not under its own; `silenced`, what it brings and only its own
    ignores and baseline keep out. From the top: `homes`, the context directories of both, a link
    and where it leads; `undiffed`, paths of which git shows no diff.
    """

    base: Project
    head: Project
    prefix: str = ""
    files: tuple[ChangedFile, ...] = ()
    homes: frozenset[str] = frozenset()
    hidden: tuple[Finding, ...] = ()
    undiffed: frozenset[str] = frozenset()
    silenced: tuple[Finding, ...] = ()

    @property
    def path(self) -> str:
        return self.head.path

    @cached_property
    def memories(self) -> tuple[ChangedFile, ...]:
        """The memory files among `files`, on either side."""
        return tuple(f for f in self.files if any(_is_memory(f, home) for home in self.homes))

    @cached_property
    def approved(self) -> tuple[MemoryFile, ...]:
        """The memory files that become approved by a merge, where merging approves."""
        moved = self.base.context_name != self.head.context_name
        before = {} if moved else {file.path: file for file in self.base.files if claims(file)}
        return tuple(
            file
            for file in self.head.files
            if claims(file)
            and _in_force(file, self.head, self._shared[1])
            and not self._was_so(file, before)
        )

    @cached_property
    def _shared(self) -> tuple[frozenset[str], frozenset[str]]:
        """The Ids that more than one file carries, at the base and in the work tree."""
        return _shared_ids(self.base), _shared_ids(self.head)

    def _was_so(self, file: MemoryFile, before: Mapping[str, MemoryFile]) -> bool:
        old = before.get(file.path)
        return old is not None and old.text == file.text and self.was_in_force(old)

    def was_in_force(self, file: MemoryFile) -> bool:
        """True where a file of the base was approved, if merging approves."""
        return _in_force(file, self.base, self._shared[0])

    @cached_property
    def approved_ids(self) -> Mapping[str, str]:
        """The Ids, in lower case, of what was approved at the base, each with its file's path."""
        files = (f for f in self.base.files if claims(f) and self.was_in_force(f))
        return MappingProxyType({id_.lower(): file.path for file in files for id_ in file.ids})


def _in_force(file: MemoryFile, project: Project, shared: frozenset[str]) -> bool:
    """True where a claim holds, its words are not revoked, and no other file has its Id."""
    alone = shared.isdisjoint(id_.lower() for id_ in file.ids)
    return alone and claim_holds(file) and file.computed_hash not in project.revoked


def _shared_ids(project: Project) -> frozenset[str]:
    files = Counter(id_ for file in project.files for id_ in {id_.lower() for id_ in file.ids})
    return frozenset(id_ for id_, count in files.items() if count > 1)


def _is_memory(file: ChangedFile, context: str) -> bool:
    return any(
        path.endswith(".md") and is_below(path, context) and path not in _guards(context)
        for path in (file.path, file.was)
    )


def _guards(context: str) -> frozenset[str]:
    return frozenset(f"{context}/{name}" for name in NOT_MEMORIES)
