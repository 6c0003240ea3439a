"""Where terms occur: an index on disk, or the same answers from memory.

Whoosh is used as an inverted file only; scores are made in `search` from live documents, so a
deleted document never counts. Only a directory that belongs to this user alone is opened.
"""

import os
import stat
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from ktw.derived import is_linked, make_directory
from ktw.errors import KtwError
from ktw.inverted import INDEX_NAME, create_index, damage, open_index, open_writer, postings_of
from ktw.terms import TermCounts

LOCK_NAME = "lock"


class Damaged(KtwError):
    """The index cannot be read: it is rebuilt."""


class Moved(KtwError):
    """Another process published a newer index meanwhile: look again."""


class Locked(KtwError):
    """Another process is writing the index."""


class Unusable(KtwError):
    """No index can be kept in that place: it cannot be written, or not be trusted."""


class Postings(Protocol):
    """Occurrences of a term: pairs of a row number and how often, in no order."""

    def occurrences(self, field: str, term: str) -> Iterable[tuple[int, float]]: ...

    def close(self) -> None: ...


class MemoryPostings:
    """An index that lives as long as the process: for a place that cannot be written."""

    def __init__(self) -> None:
        self._terms: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)

    def add(self, number: int, counts: TermCounts) -> None:
        """Add one document; counts per field and term."""
        for name, terms in counts.items():
            for term, count in terms.items():
                self._terms[name, term].append((number, float(count)))

    def remove(self, numbers: Iterable[int]) -> None:
        """Nothing: it is filled once."""

    def occurrences(self, field: str, term: str) -> Iterable[tuple[int, float]]:
        return self._terms.get((field, term), ())

    def close(self) -> None:
        self._terms.clear()


def check_directory(directory: Path) -> None:
    """Make the index's directory, or refuse one that others may write; raises Unusable."""
    try:
        make_directory(directory)
        facts = directory.lstat()
    except OSError as error:
        raise Unusable(f"the index directory cannot be made: {error.strerror}") from error
    if not stat.S_ISDIR(facts.st_mode):
        raise Unusable("the index directory is a link or a file")
    if is_linked(directory / LOCK_NAME):
        raise Unusable("the lock of the index is a link")
    if os.name != "nt" and (facts.st_uid != os.geteuid() or facts.st_mode & 0o022):
        raise Unusable("the index directory belongs to, or may be written by, someone else")


def listed(directory: Path) -> list[Path]:
    """What stands in the index's directory; nothing where another process took it away."""
    try:
        return list(directory.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def generations(directory: Path) -> list[int]:
    """The generations of the index that stand in a directory, newest first."""
    prefix, suffix = f"_{INDEX_NAME}_", ".toc"
    names = [path.name for path in listed(directory)]
    numbers = (
        name.removeprefix(prefix).removesuffix(suffix)
        for name in names
        if name.startswith(prefix) and name.endswith(suffix)
    )
    return sorted((int(number) for number in numbers if number.isdigit()), reverse=True)


@contextmanager
def write_lock(directory: Path, patience: float) -> Iterator[None]:
    """Hold the one lock under which the index changes.

    Raises Locked when another process has it for longer than `patience` seconds, or Unusable.
    """
    from filelock import FileLock, Timeout

    check_directory(directory)
    lock = FileLock(str(directory / LOCK_NAME))
    try:
        lock.acquire(timeout=patience)
    except Timeout as error:
        raise Locked("another process is writing the index") from error
    except OSError as error:
        raise Unusable(f"the index cannot be locked: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


def _empty(directory: Path) -> None:
    for path in listed(directory):
        if path.name != LOCK_NAME and not path.is_dir():
            with suppress(OSError):  # Windows: another process still has it open
                path.unlink()


class WhooshPostings:
    """One generation of the index, opened for reading; raises Damaged, Moved or Unusable."""

    def __init__(self, directory: Path, generation: int) -> None:
        check_directory(directory)
        self._reader: Any = None
        self._damage = damage()
        try:
            self._open(directory, generation)
        except self._damage as error:
            self.close()
            if generations(directory)[:1] != [generation]:
                raise Moved("the index moved on while it was opened") from error
            raise Damaged(f"the index cannot be opened: {type(error).__name__}") from error

    def _open(self, directory: Path, generation: int) -> None:
        opened = open_index(directory, readonly=True)
        self._reader = opened.reader()
        if opened.latest_generation() != generation:  # asked last: it only grows
            self.close()
            raise Moved("the index moved on while it was opened")
        self._leaves = [
            (leaf, leaf.column_reader("number").load())
            for leaf, _ in self._reader.leaf_readers()
            if leaf.doc_count_all()
        ]

    def occurrences(self, field: str, term: str) -> Iterator[tuple[int, float]]:
        key = term.encode("utf-8", "surrogatepass")
        try:
            for leaf, numbers in self._leaves:
                if (field, key) in leaf:
                    yield from postings_of(leaf, field, key, numbers)
        except self._damage as error:
            raise Damaged(f"the index cannot be read: {type(error).__name__}") from error

    def close(self) -> None:
        reader, self._reader, self._leaves = self._reader, None, []
        if reader is not None:
            reader.close()


class WhooshWriter:
    """One change of the index: all of it becomes visible at `commit`, or none.

    The caller holds `write_lock`. Raises Damaged.
    """

    def __init__(self, directory: Path, start_over: bool) -> None:
        check_directory(directory)
        with _damaged():
            if start_over or not generations(directory):
                _empty(directory)
                opened = create_index(directory)
            else:
                opened = open_index(directory)
            self._writer = open_writer(opened)

    @property
    def generation(self) -> int:
        """The generation that `commit` will publish."""
        return int(self._writer.generation)

    def add(self, number: int, counts: TermCounts) -> None:
        """Add one document; counts per field and term."""
        terms = {name: found for name, found in counts.items() if found}
        with _damaged():
            self._writer.add_document(number=number, **terms)

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove documents by row number."""
        with _damaged():
            for number in numbers:
                self._writer.delete_by_term("number", number)

    def commit(self) -> None:
        """Publish the change."""
        with _damaged():
            self._writer.commit()

    def cancel(self) -> None:
        """Drop the change."""
        with suppress(*damage()):
            self._writer.cancel()


@contextmanager
def _damaged() -> Iterator[None]:
    try:
        yield
    except damage() as error:
        raise Damaged(f"the index cannot be written: {type(error).__name__}") from error
