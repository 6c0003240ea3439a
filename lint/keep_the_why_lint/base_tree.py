"""The project as a commit has it, laid out in a private directory from git's objects.

Nothing is checked out: no filter, no attribute and no hook of the repository acts. It judges
nothing; what differs from the work tree becomes `ChangedFile` values.
"""

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from keep_the_why_lint.change import ChangedFile, Side
from keep_the_why_lint.renames import pair_renamed
from keep_the_why_lint.watched import from_project, is_below, is_watched
from ktw.boundaries import MAX_FILE, Unreadable, plain_value, read_regular
from ktw.config import CONFIG_FILE, LEGACY_FILE, parse_config
from ktw.errors import KtwError
from ktw.git import GitFailed, Objects, Repository, blob_ids
from ktw.git.objects import TreeEntry
from ktw.git.revisions import tree_files, work_files

_MAX_BYTES = 1024 * 1024 * 1024
_LIKE_GIT = (".git", "git~1")


@dataclass
class Sides:
    """The work tree and the objects of a repository, for one project `prefix` below its top.

    `contexts` are the context directories to look into, from the top.
    """

    repository: Repository
    objects: Objects
    prefix: str
    contexts: frozenset[str]
    checked: set[str] = field(default_factory=set)

    def is_wanted(self, path: str) -> bool:
        """True for a file that the linter reads, or that decides over trust.

        Never for a path that leads out, which a commit may hold and no work tree can.
        """
        return _is_plain(path) and (
            is_watched(path, self.prefix)
            or posixpath.basename(path) == CONFIG_FILE
            or any(is_below(path, context) for context in self.contexts)
        )

    def now(self, path: str) -> Side:
        """What stands at `path` in the work tree."""
        top = self.repository.toplevel
        try:
            if (top / path).is_symlink():
                return Side("link", os.fsencode((top / path).readlink()))
            if (top / path).is_dir():
                return Side("directory")
            return Side("file", read_regular(top / path, top, MAX_FILE, self.checked))
        except Unreadable as refusal:
            return Side("absent" if refusal.kind == "missing" else "unreadable")
        except OSError:
            return Side("unreadable")

    def then(self, entry: TreeEntry | None) -> Side:
        """What a row of a commit's tree stands for."""
        if entry is None:
            return Side()
        if entry.is_submodule:
            return Side("directory")
        try:
            data = self.objects.blob(entry.oid)
        except GitFailed as error:
            if "too large" not in error.reason:
                raise
            return Side("unreadable")
        if entry.is_link:
            return Side("link", data)
        return Side("file", data) if len(data) <= MAX_FILE else Side("unreadable")

    def entry(self, commit: str, path: str) -> TreeEntry | None:
        """The row of one path in a commit's tree."""
        directory, _, name = path.rpartition("/")
        return (self.objects.directory(commit, directory) or {}).get(name)


@dataclass(frozen=True)
class BaseTree:
    """A commit laid out: `root` is the project's place, `files` what differs from the work tree.

    `untouched` are the paths of what does not differ, as findings name them; `contexts` the context
    directories on both sides, from the top.
    """

    root: Path
    files: tuple[ChangedFile, ...]
    untouched: frozenset[str]
    contexts: frozenset[str]

    @property
    def old_names(self) -> Mapping[str, str]:
        """The former names of what was renamed, by the new ones."""
        return {file.name: file.old_name for file in self.files if file.is_renamed}


def lay_out(sides: Sides, commit: str, into: Path, present: Iterable[str]) -> BaseTree:
    """Write what the linter reads of `commit` below `into`, and compare it with the work tree.

    `present`: paths from the top that were read in the work tree whether git knows them or not.
    Raises KtwError where an object is not in this clone.
    """
    contexts = sides.contexts.union(_contexts_at(sides, commit))
    sides = Sides(sides.repository, sides.objects, sides.prefix, contexts, sides.checked)
    rows = tree_files(sides.repository, commit, sides.is_wanted)
    known = work_files(sides.repository, sides.is_wanted)
    places, files, untouched = _Places(into), [], set()
    for path in sorted({*rows, *known, *present}):
        file = _compare(sides, path, rows.get(path), known.get(path, True))
        places.put(path, file.before)
        if file.before is file.after:
            untouched.add(file.name)
        else:
            files.append(file)
    places.link()
    root = into / sides.prefix
    root.mkdir(parents=True, exist_ok=True)
    (into / ".git").mkdir()
    return BaseTree(root, tuple(pair_renamed(files)), frozenset(untouched), contexts)


def _contexts_at(sides: Sides, commit: str) -> Iterator[str]:
    """The context directory that a commit's config names, from the top, and where a link leads."""
    value = "context"
    for name in (CONFIG_FILE, LEGACY_FILE):
        entry = sides.entry(commit, posixpath.join(sides.prefix, name))
        config = parse_config(sides.then(entry).text, name)
        if config.block("config"):
            value = plain_value(config.value("context") or "") or value
            break
    path = posixpath.normpath(posixpath.join(sides.prefix, value))
    yield path
    entry = sides.entry(commit, path)
    if entry is not None and entry.is_link:
        target = sides.then(entry).data.decode("utf-8", "surrogateescape")
        yield posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _compare(sides: Sides, path: str, entry: TreeEntry | None, is_here: bool) -> ChangedFile:
    """Both sides of one file; the very same object twice where they do not differ."""
    after = sides.now(path)
    if after.state == "absent" and not is_here:
        after = before = sides.then(entry)
    else:
        before = after if _is_same(entry, after) else sides.then(entry)
    name = from_project(path, sides.prefix)
    was = path if entry else ""
    return ChangedFile(path, was, before, after, name, name if entry else "")


def _is_same(entry: TreeEntry | None, side: Side) -> bool:
    if entry is None:
        return side.state == "absent"
    if side.state not in ("file", "link") or entry.is_link != (side.state == "link"):
        return False
    return entry.oid in blob_ids(side.data, len(entry.oid))


class _Places:
    """Writes files below a directory, links last: nothing is ever written through one."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._made: set[str] = set()
        self._links: list[tuple[Path, bytes]] = []
        self._bytes = 0

    def put(self, path: str, side: Side) -> None:
        """Lay down what stood at `path`; a file too large to be read is as large here."""
        if side.state in ("absent", "directory"):
            return
        place = self._top / path
        if side.state == "link":
            self._links.append((place, side.data))
            return
        self._count(len(side.data))
        self._make(place.parent)
        with place.open("xb") as file:
            file.write(side.data)
            if side.state == "unreadable":
                file.truncate(MAX_FILE + 1)

    def link(self) -> None:
        """Make the links, each leading where it says."""
        for place, target in self._links:
            self._make(place.parent)
            try:
                place.symlink_to(os.fsdecode(target))
            except (OSError, ValueError):
                continue  # a target that the system refuses leads nowhere in the work tree either

    def _make(self, directory: Path) -> None:
        if str(directory) not in self._made:
            directory.mkdir(parents=True, exist_ok=True)
            self._made.add(str(directory))

    def _count(self, size: int) -> None:
        self._bytes += size
        if self._bytes > _MAX_BYTES:
            raise KtwError(
                "the base of this change holds more than 1 GiB of files to check",
                "Run without --base, or move what is no memory out of the context directory.",
            )


def _is_plain(path: str) -> bool:
    """True for a path that stays below the directory it is joined to, and out of any `.git`."""
    return all(_is_plain_part(part) for part in path.split("/"))


def _is_plain_part(part: str) -> bool:
    folded = part.casefold().rstrip(". ")
    parted = os.name == "nt" and ("\\" in part or ":" in part)
    return part not in ("", ".", "..") and folded not in _LIKE_GIT and not parted
