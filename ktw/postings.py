"""Where terms occur: an index on disk, or the same answers from memory.

Scores are made in `search` from the live rows of the catalogue, so rows that are gone may stay
listed until their segment is merged.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Protocol

from ktw.derived import open_regular
from ktw.errors import KtwError
from ktw.segments import BadSegment, Listed, Segment, key_of
from ktw.terms import TermCounts


class Damaged(KtwError):
    """The index cannot be read: it is rebuilt."""


class Postings(Protocol):
    """Occurrences of a term: pairs of a row number and how often, in no order."""

    def occurrences(self, field: str, term: str) -> Iterable[tuple[int, int]]: ...

    def close(self) -> None: ...


_Lists = dict[str, tuple["array[int]", "array[int]"]]


class MemoryPostings:
    """Terms as they are added: what a segment is written from, or an index for this process."""

    def __init__(self) -> None:
        self._fields: dict[str, _Lists] = defaultdict(dict)
        self._added = 0

    def __len__(self) -> int:
        """How many documents were added."""
        return self._added

    def add(self, number: int, counts: TermCounts) -> None:
        """Add one document, its number greater than all before; counts per field and term."""
        self._added += 1
        for field, terms in counts.items():
            lists = self._fields[field]
            for term, count in terms.items():
                found = lists.get(term)
                if found is None:
                    found = lists[term] = (array("I"), array("I"))
                found[0].append(number)
                found[1].append(count)

    def occurrences(self, field: str, term: str) -> Iterable[tuple[int, int]]:
        found = self._fields[field].get(term)
        return zip(*found, strict=True) if found else ()

    def __iter__(self) -> Iterator[Listed]:
        for field, lists in self._fields.items():
            for term, found in lists.items():
                yield Listed(key_of(field, term), *found)

    def close(self) -> None:
        self._fields.clear()


class DiskPostings:
    """Some segments of the index, opened for reading; raises Damaged, also where one is gone."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files: list[BinaryIO] = []
        self.segments: list[Segment] = []
        try:
            for path in paths:
                self._files.append(open_regular(path))
                self.segments.append(Segment(self._files[-1]))
        except (BadSegment, OSError) as error:
            self.close()
            raise damaged(error) from error

    def occurrences(self, field: str, term: str) -> Iterable[tuple[int, int]]:
        key = key_of(field, term)
        try:
            found = [listed for each in self.segments if (listed := each.find(key))]
        except (BadSegment, OSError) as error:
            raise damaged(error) from error
        return chain.from_iterable(zip(one.numbers, one.counts, strict=True) for one in found)

    def close(self) -> None:
        self.segments = []
        for file in self._files:
            file.close()


def damaged(error: OSError | BadSegment) -> Damaged:
    """What is told of an index for what its file showed."""
    told = error.strerror if isinstance(error, OSError) else error
    return Damaged(f"the index cannot be read: {told}")
