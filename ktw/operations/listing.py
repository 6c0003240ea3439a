"""A page of the list of memories: of ten thousand, those that it shows are read, no others.

What it leaves out is counted from the index, and from what is kept of each file by its bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ktw.catalogue import Place
from ktw.evidence import Evidence
from ktw.index import Snapshot, refresh
from ktw.operations.aging import marked
from ktw.operations.earned import earned
from ktw.operations.finding import evidence_for, read_places
from ktw.operations.in_force import in_force
from ktw.operations.reading import unreadable
from ktw.operations.taint import Sources
from ktw.operations.verdicts import verdicts
from ktw.outlines import Outline
from ktw.render import Reading
from ktw.store import Project, name_of


class Wanted(NamedTuple):
    """What a memory has to be to be listed; None for whatever it is."""

    verdict: str | None = None
    kind: str | None = None
    origin: str | None = None

    def fits(self, verdict: str | None, kind: str | None, origin: str | None) -> bool:
        found = (verdict, kind, origin)
        return all(asked in (None, has) for asked, has in zip(self, found, strict=True))


ALL = Wanted()


class Page(NamedTuple):
    """Some memories, judged on the bytes read; how many follow, and how many of those are not
    approved, None where that was not asked for."""

    readings: list[Reading]
    left: int
    left_unapproved: int | None
    notices: list[str]


class _Listed(NamedTuple):
    """One memory before it is read: a place of the index, or words in force from git alone."""

    verdict: str | None
    place: Place | None = None
    reading: Reading | None = None


def page(
    project: Project, offset: int, limit: int, wanted: Wanted = ALL, counts: bool = True
) -> Page:
    """The memories from `offset` on that fit: what is in force from git alone, then in file order.

    Without `counts` (and with no verdict or origin wanted) no file is looked at but the page's.
    """
    snapshot = refresh(project)
    with evidence_for(project, snapshot) as evidence:
        standing = in_force(project, evidence, snapshot)
        alone = [each.reading for each in standing.standing if _is_wanted(wanted, each.reading)]
        looks = counts or wanted.verdict is not None or wanted.origin is not None
        here = _places(snapshot, wanted, _known(project) if looks else None)
        listed = [*(_Listed(one.verdict.name, reading=one) for one in alone), *here]
        sources = Sources(project, evidence, snapshot.catalogue, standing)
        gained = earned(evidence)
        found = [
            marked(sources.told(one), gained)
            for one in _read(project, evidence, listed[offset : offset + limit])
            if _is_wanted(wanted, one)
        ]
        left = listed[offset + limit :]
        unapproved = sum(one.verdict != "approved" for one in left) if looks else None
        return Page(found, len(left), unapproved, [*snapshot.notes, *unreadable(snapshot)])


def _is_wanted(wanted: Wanted, one: Reading) -> bool:
    return wanted.fits(one.verdict.name, one.kind, one.origin)


def _known(project: Project) -> Mapping[str, tuple[str, str | None]]:
    """Verdict and origin of each memory file by its name."""
    with verdicts(project) as (files, _, seen):
        origins = {
            each.name: each.outline.origin for each in seen if isinstance(each.outline, Outline)
        }
        named = ((name_of(project, file.path), file.verdict.name) for file in files)
        return {name: (verdict, origins.get(name)) for name, verdict in named}


def _places(
    snapshot: Snapshot, wanted: Wanted, known: Mapping[str, tuple[str, str | None]] | None
) -> Iterator[_Listed]:
    """The memories of the index that fit, local notes left out."""
    memories = set(snapshot.catalogue.names)
    for place in snapshot.catalogue.places():
        if place.name not in memories or wanted.kind not in (None, place.row.kind):
            continue
        verdict, origin = (None, None) if known is None else known.get(place.name, (None, None))
        if known is None or wanted._replace(kind=None).fits(verdict, None, origin):
            yield _Listed(verdict, place)


def _read(project: Project, evidence: Evidence, listed: Sequence[_Listed]) -> Iterator[Reading]:
    yield from (one.reading for one in listed if one.reading is not None)
    places = [one.place for one in listed if one.place is not None]
    yield from (one for one in read_places(project, evidence, places) if one is not None)
