"""Read git objects through one long-lived `cat-file --batch`, and name blobs without git.

Only full ref names and object ids are ever asked for: paths are looked up in trees here, so no
file name of a repository reaches git's revision syntax. Missing and unreadable are kept apart.
"""

import hashlib
import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import IO, NamedTuple, Self

from ktw.git.repository import GitFailed, Repository, command, environment, first_line, run

# Where git looks next for a name that it does not have as it stands (gitrevisions(7)).
_FALLBACKS = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
_MANY_TREES = 64
_AT_ONCE = 50  # names that fit any pipe while nobody reads what git answers
_LARGEST = (64 * 1024 * 1024, 2 * 1024 * 1024)  # bytes: of a tree or commit, of a blob
REGULAR_MODES = frozenset({"100644", "100755", "100664"})


class TreeEntry(NamedTuple):
    """One row of a tree: octal mode, object id (hex)."""

    mode: str
    oid: str

    @property
    def is_file(self) -> bool:
        return self.mode in REGULAR_MODES

    @property
    def is_link(self) -> bool:
        return self.mode == "120000"

    @property
    def is_submodule(self) -> bool:
        return self.mode == "160000"


class _Object(NamedTuple):
    oid: str
    kind: str
    data: bytes


class Unreadable(GitFailed):
    """An object that a tree names cannot be had: not in this clone, damaged, or too large."""

    def __init__(self, name: str, why: str = "is not in this clone") -> None:
        super().__init__("git cat-file", f"{name} {why}")


class Objects:
    """One `git cat-file --batch` process, started at the first question and closed with `close`.

    Not for several threads at once. Raises GitFailed when git dies.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process: subprocess.Popen[bytes] | None = None
        self._stderr: IO[bytes] | None = None
        self._trees: dict[str, dict[str, TreeEntry]] = {}
        self._directories: dict[tuple[str, str], dict[str, TreeEntry] | None] = {}
        self._listed: set[str] = set()
        self._absent: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process; asking again starts a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin and process.stdout and self._stderr
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.stdout.close()
        process.wait()
        self._stderr.close()

    def renew(self) -> None:
        """Forget what may have changed since it was asked for, and what there is too much of."""
        self._absent.clear()
        self._listed.clear()
        if len(self._trees) > _MANY_TREES:
            self._trees.clear()
            self._directories.clear()

    def commit(self, name: str) -> str | None:
        """The commit id that exactly this full ref name or HEAD stands for, or None.

        A name that is gone is never found under another one: a tag can be called like any ref.
        """
        found = self._peeled(name)
        if found is None or not name.startswith("refs/"):
            return found
        if any(self._peeled(form.format(name)) for form in _FALLBACKS):
            return self._exactly(name)
        return found

    def _peeled(self, name: str) -> str | None:
        found = self._read(f"{name}^{{commit}}")
        return found.oid if found else None

    def _exactly(self, name: str) -> str | None:
        out = run(self._repository, "for-each-ref", "--format=%(refname) %(objectname)", name)
        rows = (line.partition(" ") for line in out.decode("utf-8", "replace").splitlines())
        return next((self._peeled(oid) for ref, _, oid in rows if ref == name), None)

    def first_parent(self, commit: str) -> str | None:
        """The first parent of a commit, None for a root; raises Unreadable when it is not here."""
        found = self._read(commit)
        if found is None:
            raise Unreadable(commit)
        lines = found.data.split(b"\n", 2)
        is_parent = len(lines) > 1 and lines[1].startswith(b"parent ")
        return lines[1].removeprefix(b"parent ").decode() if is_parent else None

    def blob(self, oid: str) -> bytes:
        """The bytes of a blob; raises Unreadable when this clone does not have it."""
        try:
            found = None if oid in self._absent else self._read(oid)
        except GitFailed:
            self._learn_what_is_absent()
            raise
        if found is None:
            raise Unreadable(oid)
        return found.data

    def blobs(self, oids: Sequence[str]) -> dict[str, bytes]:
        """The bytes of several blobs, asked for at once; what cannot be had is left out."""
        found: dict[str, bytes] = {}
        for start in range(0, len(oids), _AT_ONCE):
            batch = oids[start : start + _AT_ONCE]
            self._ask(batch)
            for oid in batch:
                with suppress(Unreadable):
                    answer = self._answer()
                    if answer is not None:
                        found[oid] = answer.data
        return found

    def _learn_what_is_absent(self) -> None:
        """After git died over an object that it may not fetch: know the others beforehand."""
        trees, self._listed = self._listed, set()
        if not trees:
            return
        try:
            out = run(self._repository, "rev-list", "--objects", "--missing=print", *trees)
        except GitFailed:
            return
        rows = out.decode("utf-8", "replace").splitlines()
        self._absent.update(row[1:] for row in rows if row.startswith("?"))

    def directory(self, commit: str, path: str) -> dict[str, TreeEntry] | None:
        """The rows of the directory `path` (posix, "" for the top) in `commit`, None if absent.

        Raises Unreadable where a tree is named but not in this clone.
        """
        if (commit, path) not in self._directories:
            self._directories[commit, path] = self._directory(commit, path)
        return self._directories[commit, path]

    def _directory(self, commit: str, path: str) -> dict[str, TreeEntry] | None:
        name = f"{commit}^{{tree}}"
        for part in filter(None, path.split("/")):
            entry = self._tree(name).get(part)
            if entry is None or entry.mode != "40000":
                return None
            name = entry.oid
        rows = self._tree(name)
        self._listed.add(name)
        return rows

    def file(self, commit: str, path: str) -> bytes | None:
        """The bytes of the regular file `path` in `commit`, None if there is none."""
        directory, _, name = path.rpartition("/")
        entry = (self.directory(commit, directory) or {}).get(name)
        return self.blob(entry.oid) if entry and entry.is_file else None

    def _tree(self, name: str) -> dict[str, TreeEntry]:
        if name not in self._trees:
            found = self._read(name)
            if found is None:
                raise Unreadable(name)
            self._trees[name] = _parse_tree(found.data, len(found.oid) // 2)
        return self._trees[name]

    def _read(self, name: str) -> _Object | None:
        self._ask([name])
        return self._answer()

    def _ask(self, names: Sequence[str]) -> None:
        """Ask for objects, all of whose answers are then to be read."""
        process = self._started()
        assert process.stdin
        try:
            process.stdin.write("".join(f"{name}\n" for name in names).encode())
            process.stdin.flush()
        except BrokenPipeError as error:
            raise self._died() from error

    def _answer(self) -> _Object | None:
        process = self._started()
        assert process.stdout
        header = process.stdout.readline().split()
        if len(header) == 3 and header[2].isdigit():
            return self._object(process.stdout, *(part.decode() for part in header))
        if header and header[-1] in (b"missing", b"ambiguous"):
            return None
        raise self._died()

    @staticmethod
    def _object(answer: IO[bytes], oid: str, kind: str, size: str) -> _Object:
        """The object that git is about to send; raises Unreadable for one that is too large."""
        left = int(size) + 1
        if int(size) <= _LARGEST[kind == "blob"]:
            return _Object(oid, kind, answer.read(left)[:-1])
        while left:
            left -= len(answer.read(min(left, 1 << 20))) or left
        raise Unreadable(oid, "is too large to be looked at")

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            # A file, not a pipe: nobody drains it, and a full pipe would stop git.
            import tempfile  # 3 ms that only a question to git has to pay

            self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
            self._process = subprocess.Popen(
                command(["cat-file", "--batch"]),
                cwd=self._repository.toplevel,
                env=environment(os.environ, self._repository),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
            )
        return self._process

    def _died(self) -> GitFailed:
        reason = "it ended without an answer"
        if self._process is not None and self._stderr is not None:
            self._process.kill()
            self._process.wait()
            self._stderr.seek(0)
            reason = first_line(self._stderr.read())
            self.close()
        return GitFailed("git cat-file", reason)


def _parse_tree(data: bytes, width: int) -> dict[str, TreeEntry]:
    rows: dict[str, TreeEntry] = {}
    at = 0
    while at < len(data):
        space = data.index(b" ", at)
        end = data.index(b"\0", space)
        name = data[space + 1 : end].decode("utf-8", "surrogateescape")
        oid = data[end + 1 : end + 1 + width].hex()
        rows[name] = TreeEntry(data[at:space].decode(), oid)
        at = end + 1 + width
    return rows


def blob_ids(data: bytes, width: int = 40) -> frozenset[str]:
    """The ids git would give `data` as it is and with LF line ends (`width` hex digits)."""
    plain = plain_blob_id(data, width)
    return frozenset({plain} if b"\r\n" not in data else {plain, blob_id(data, width)})


def plain_blob_id(data: bytes, width: int = 40) -> str:
    """The id git gives a text that it keeps with LF line ends, as it mostly does."""
    return blob_id(data.replace(b"\r\n", b"\n") if b"\r\n" in data else data, width)


def blob_id(data: bytes, width: int) -> str:
    """The id git gives a blob of these bytes, SHA-1 (40 hex digits) or SHA-256 (64)."""
    name = b"blob %d\0" % len(data)
    digest = hashlib.sha1 if width == 40 else hashlib.sha256
    return digest(name + data, usedforsecurity=False).hexdigest()
