"""Texts that stand in no file here, searched together with those that do, in one ranking.

Pure over values: where the texts come from, and whether they may be shown, is decided elsewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count

from ktw.catalogue import Catalogue, FileRecord
from ktw.catalogue_draft import Draft, behind
from ktw.entries import Entry
from ktw.index import add_rows
from ktw.memory import MemoryFile
from ktw.postings import MemoryPostings, Postings
from ktw.scan import FileStat
from ktw.terms import meant, told


class Beside:
    """Some texts as documents; each under a name that no file of the catalogue can have."""

    def __init__(self, files: Sequence[tuple[str, MemoryFile]]) -> None:
        self._files = files
        self._joined: tuple[Catalogue, Catalogue, Postings] | None = None

    def join(self, catalogue: Catalogue, postings: Postings) -> tuple[Catalogue, Postings]:
        """The catalogue and the postings with these documents behind their own."""
        if not self._files:
            return catalogue, postings
        if self._joined is None or self._joined[0] is not catalogue:
            added, words = self._documents(catalogue)
            self._joined = (catalogue, joined(catalogue, added), _Both(postings, words))
        return self._joined[1:]

    def catalogue(self) -> Catalogue:
        """These documents alone."""
        return self._documents(Draft("").done(0))[0]

    def _documents(self, catalogue: Catalogue) -> tuple[Catalogue, MemoryPostings]:
        draft, words = Draft(catalogue.build), MemoryPostings()
        draft.next_number = catalogue.next_number
        for name, file in sorted(self._files, key=lambda named: named[0]):
            rows = add_rows(draft, file, words)
            draft.put(FileRecord(FileStat(name, 0, 0, 0, 0), "", False, rows, ()))
        return draft.done(catalogue.generation), words

    def texts(self, catalogue: Catalogue) -> dict[int, list[str]]:
        """Row number in the joined catalogue to the passages that vectors are made from."""
        return {number: meant(entry) for number, entry in self._numbered(catalogue)}

    def words(self, catalogue: Catalogue) -> dict[int, str]:
        """Row number in the joined catalogue to the text whose words are matched."""
        return {number: told(entry) for number, entry in self._numbered(catalogue)}

    def _numbered(self, catalogue: Catalogue) -> Iterator[tuple[int, Entry]]:
        files = sorted(self._files, key=lambda named: named[0])
        entries = (entry for _, file in files for entry in file.memories)
        return zip(count(catalogue.next_number), entries, strict=False)


NOTHING = Beside(())


class _Both:
    """The postings of two sets of documents."""

    def __init__(self, one: Postings, other: Postings) -> None:
        self._each = (one, other)

    def occurrences(self, field: str, term: str) -> Iterable[tuple[int, int]]:
        return chain.from_iterable(each.occurrences(field, term) for each in self._each)

    def close(self) -> None:
        for each in self._each:
            each.close()


def joined(one: Catalogue, other: Catalogue) -> Catalogue:
    """Both as one, the other's behind; they have no file name and no row number in common."""
    mine, theirs = one.columns, other.columns
    tables = len(mine.abouts), len(mine.ids), len(mine.authors)
    columns = behind(mine, theirs, tables)._replace(
        problems={**mine.problems, **theirs.problems},
        abouts=[*mine.abouts, *theirs.abouts],
        ids=[*mine.ids, *theirs.ids],
        authors=[*mine.authors, *theirs.authors],
    )
    return Catalogue(one.build, one.generation, other.next_number, columns)
