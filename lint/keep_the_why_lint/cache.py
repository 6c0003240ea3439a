"""What the text rules found in a text, kept in the git directory for the next run.

It keeps only what is a pure function of one text and the name it stands under; what depends on the
rest of the project, on git or on a clock is computed each time. It knows no rule.

A stale answer would hide a finding, so nothing is looked up by time or size. A key is the SHA-256
of the question, of every text the rules see and of the version. The texts are framed by a tuple's
`repr`, in which none can imitate the end of another (a long one stands in it as its own SHA-256).
The version is that of the interpreter, of all installed distributions and of every source file of
ktw and the linter. The file is never one that a repository can carry, nor another user's, and one
that is not exactly as it was written counts as absent.
"""

import hashlib
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import ktw
from ktw.derived import read_sealed, write_sealed
from ktw.errors import KtwError

Rows = list[list[Any]]  # plain JSON: each row is one finding or one span

RUN = "lint-run.json"  # beside the answers: what the last run found
MAX_BYTES = 32 * 1024 * 1024
MAX_ANSWERS = 80_000  # a project of 10,000 files asks for 50,000
_SHORT = 200  # characters: what is longer stands in a key as its digest


Question = tuple[str, ...]  # what is asked, and the texts it is asked of
Key = str | Question


class Cache:
    """Answers by key. `save` keeps those of this run, and older ones while there is room."""

    def __init__(self, path: Path | None = None, version: str = "") -> None:
        """Without a path it lasts as long as the run does."""
        self._path, self._version = path, version
        self._used: dict[Key, Rows] = {}
        self._keys: dict[Question, str] = {}
        self._digests: dict[str, str] = {}

    @cached_property
    def _old(self) -> dict[Key, Rows]:
        answers = _load(self._path, self._version) if self._path else {}
        return answers if isinstance(answers, dict) else {}

    def of_run(self, digest: str | None, answer: Callable[[], list[Any]]) -> list[Any]:
        """What `answer` gives for a whole run, in plain JSON, or gave in the last run of the same
        digest. Such a run needs none of the answers that it was made of.
        """
        path = self._path.with_name(RUN) if self._path and digest else None
        version = f"{self._version} {digest}"
        if path is None:
            return answer()
        found = _load(path, version)
        if not isinstance(found, list):
            found = answer()
            _store(path, version, found)
        return found

    def rows(self, question: Question, answer: Callable[[], Rows]) -> Rows:
        """What `answer` gives, or gave in an earlier run for the same question.

        It is a function of the question's texts alone.
        """
        key = self._key(question)
        found = self._used.get(key, self._old.get(key))
        self._used[key] = answer() if found is None else found
        return self._used[key]

    def learn(self, question: Question, answer: Rows) -> None:
        """Keep an answer that was found elsewhere."""
        self._used[self._key(question)] = answer

    def knows(self, question: Question) -> bool:
        """True where `rows` will not have to ask."""
        key = self._key(question)
        return key in self._used or key in self._old

    def _key(self, question: Question) -> Key:
        if self._path is None:  # nothing is written down: the question can stand for itself
            return question
        if question not in self._keys:
            self._keys[question] = _digest(repr(tuple(map(self._framed, question))))
        return self._keys[question]

    def _framed(self, text: str) -> object:
        """What stands for a text in a key: a short one for itself, else a tuple with its digest."""
        if len(text) <= _SHORT:
            return text
        if text not in self._digests:
            self._digests[text] = _digest(text)
        return ("text", self._digests[text])

    def save(self) -> None:
        """Write the answers down, unless none is new; a place that cannot be written is left."""
        if self._path is None or not self._used or self._used.keys() <= self._old.keys():
            return
        older = {key: rows for key, rows in self._old.items() if key not in self._used}
        room = max(MAX_ANSWERS - len(self._used), 0)
        kept = dict(list(older.items())[:room])
        for answers in (self._used | kept, self._used):
            if _store(self._path, self._version, answers):
                return


def open_cache(root: Path) -> Cache | None:
    """The cache of the repository around `root`; None where there is none that can be trusted."""
    from ktw.git import find_repository

    try:
        repository = find_repository(root)
    except KtwError:
        return None
    version = code_version()
    if version is None or repository.displaced():
        return None
    return Cache(repository.git_dir / "ktw" / "lint.json", version)


def code_version() -> str | None:
    """A digest of all that answers depend on besides the texts; None where it cannot be read."""
    packages = [Path(ktw.__file__).parent, Path(__file__).parent]
    digest = hashlib.sha256(repr((sys.version, sorted(_distributions()))).encode())
    try:
        for source in sorted(_sources(packages)):
            data = Path(source).read_bytes()
            digest.update(repr((source, len(data))).encode("utf-8", "surrogatepass") + data)
    except OSError:
        return None
    return digest.hexdigest()


def _distributions() -> Iterator[str]:
    """Name and version of each distribution that can be imported, as its directory is called."""
    for place in sys.path:
        try:
            yield from (entry.name for entry in Path(place).iterdir() if entry.match("*-info"))
        except OSError:
            continue


def _sources(packages: Sequence[Path]) -> Iterator[str]:
    for package in packages:
        for folder, _, names in os.walk(package):
            yield from (f"{folder}/{name}" for name in names if name.endswith(".py"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _load(path: Path, version: str) -> Any:
    """The value that was stored under the same version; None in every other case."""
    data = read_sealed(path) if _is_own(path) else None
    try:
        written, value = json.loads(data) if data else ("", None)
    except (ValueError, TypeError, RecursionError):
        return None
    return value if written == version else None


def _store(path: Path, version: str, value: Any) -> bool:
    """Write a value down, where there is room and the place can be written; False for too much."""
    data = json.dumps([version, value], separators=(",", ":")).encode()
    if len(data) > MAX_BYTES:
        return False
    write_sealed(path, data)
    return True


def _is_own(path: Path) -> bool:
    """True for a regular file of sensible size that belongs to whoever runs this."""
    try:
        facts = path.lstat()
    except OSError:
        return False
    own = not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()
    return own and stat.S_ISREG(facts.st_mode) and facts.st_size <= MAX_BYTES + 100
