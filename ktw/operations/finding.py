"""From what a person or an agent types to one memory, read and judged."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from ktw.beside import NOTHING, Beside
from ktw.boundaries import Unreadable
from ktw.catalogue import Catalogue, Place
from ktw.errors import KtwError, UsageError, visible
from ktw.evidence import Evidence, shared
from ktw.git import Objects, Setting
from ktw.index import Snapshot, repair
from ktw.memory import is_note, is_uuid, parse_memory, place_address
from ktw.postings import Damaged
from ktw.priors import NOBODY, EarnedBy, Priors
from ktw.render import Reading
from ktw.search import Meaning, Ranked, ranked
from ktw.store import Project, path_of, read_bytes
from ktw.trust import Verdict

_SHORTEST_PREFIX = 6
UNAPPROVED_NOTE = Verdict("unapproved", ("a local note",))


class NotFound(KtwError):
    """No memory has that address."""


def place_id(project: Project, place: Place) -> str:
    """The address of a memory of the index."""
    id_ = place.row.id.lower()
    if is_uuid(id_):
        return id_
    return _address_of_place(project, place)


def find_memory(
    project: Project, catalogue: Catalogue, reference: str, notes: bool = False
) -> Place:
    """The memory that `reference` names: an address or its start, a slug, `slug#anchor`, a path.

    A local note answers to a name that no memory has, and only where `notes` may. Raises NotFound,
    or UsageError where several fit (all of them named by address) or it is a note.
    """
    wanted = reference.strip()
    fitting = list(_fitting(project, catalogue, wanted))
    fitting = [place for place in fitting if not is_note(place.name)] or fitting
    if fitting and not notes and is_note(fitting[0].name):
        named = visible(wanted)
        raise UsageError(f"{named} is a local note", f"Make a draft of it: ktw promote {named}")
    exact = [place for place in fitting if place_id(project, place) == wanted.lower()]
    found = exact or fitting
    if not found:
        raise NotFound(
            f"no memory is called {visible(wanted)}",
            f"See them all with: ktw list. The start of an Id needs {_SHORTEST_PREFIX} characters.",
        )
    if len(found) > 1:
        named = ", ".join(_names(project, found[:8]))
        more = f" and {len(found) - 8} more" if len(found) > 8 else ""
        raise UsageError(
            f"{visible(wanted)} fits {len(found)} memories", f"Name one: {named}{more}"
        )
    return found[0]


def _names(project: Project, places: Sequence[Place]) -> list[str]:
    """Addresses that tell places apart: that of the place where several carry one Id."""
    ids = [place_id(project, place) for place in places]
    return [
        _address_of_place(project, place) if ids.count(id_) > 1 else id_
        for place, id_ in zip(places, ids, strict=True)
    ]


def _address_of_place(project: Project, place: Place) -> str:
    path = place.name.rpartition(":/")[2] if ":/" in place.name else ""
    return place_address(path or path_of(project, place.name), place.row.anchor)


def _fitting(project: Project, catalogue: Catalogue, wanted: str) -> Iterator[Place]:
    name, _, anchor = wanted.partition("#")
    name = name.removeprefix(f"{project.context_name}/").removesuffix(".md")
    for place in catalogue.places():
        file_name = place.name.rpartition("/")[2]  # what stands beside the index has a longer one
        by_name = file_name.removesuffix(".md") == name and anchor in ("", place.row.anchor)
        by_prefix = len(wanted) >= _SHORTEST_PREFIX and place_id(project, place).startswith(
            wanted.lower()
        )
        if by_name or by_prefix or _address_of_place(project, place) == wanted:
            yield place


def search(
    project: Project,
    snapshot: Snapshot,
    question: str,
    now: datetime,
    meaning: Callable[[], Meaning | None] = lambda: None,
    limit: int | None = None,
    beside: Beside = NOTHING,
    earned: EarnedBy = NOBODY,
) -> Ranked:
    """What `ranked` finds in the index and `beside` it; an index that proves damaged meanwhile is
    rebuilt, and asked again.

    `meaning` is called for the snapshot as it is then.
    """

    def found() -> Ranked:
        catalogue, postings = beside.join(snapshot.catalogue, snapshot.postings)
        priors = Priors(catalogue, earned, now)
        return ranked(catalogue, postings, question, priors, meaning(), limit)

    try:
        return found()
    except Damaged as error:
        repair(project, snapshot, error)
    return found()


@contextmanager
def evidence_for(
    project: Project,
    snapshot: Snapshot,
    objects: Objects | None = None,
    stated: Sequence[Setting] | None = None,
) -> Iterator[Evidence]:
    """The evidence of this moment, from `objects` and `stated` as it takes them; closes git (unless
    lent) and the index at the end."""

    def shared_ids() -> frozenset[str]:
        return shared(snapshot.catalogue.files_per_id())

    try:
        with Evidence(project, shared_ids, objects=objects, stated=stated) as evidence:
            yield evidence
    finally:
        snapshot.close()


def read_places(
    project: Project,
    evidence: Evidence,
    places: Sequence[Place],
    known: Mapping[str, list[Reading]] = {},
) -> list[Reading | None]:
    """Each memory read anew and judged on the bytes read; None for one that is gone meanwhile.

    `known`: documents that are no files here, as they were read and judged just now.
    """
    files, checked = dict(known), set[str]()
    for place in places:
        if place.name not in files:
            files[place.name] = read_file(project, evidence, place.name, checked)
    return [_at_anchor(files[place.name], place.row.anchor) for place in places]


def _at_anchor(readings: Sequence[Reading], anchor: str) -> Reading | None:
    return next((one for one in readings if one.entry.anchor == anchor), None)


def read_file(
    project: Project, evidence: Evidence, name: str, checked: set[str] | None = None
) -> list[Reading]:
    """Every memory of one file, or a note, read and judged; empty where it cannot be read.

    Whatever a note says of itself, it is approved by nothing. `checked`: as for `read_regular`.
    """
    try:
        data = read_bytes(project, name, checked)
    except Unreadable:
        return []
    file = parse_memory(path_of(project, name), data)
    if file.problems:
        return []
    verdict = UNAPPROVED_NOTE if file.is_note else evidence.verdict(file, data)
    return [Reading(file, entry, verdict) for entry in file.memories]
