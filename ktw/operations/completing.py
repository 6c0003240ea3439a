"""What a shell offers for a memory's name: addresses, and titles of approved memories alone."""

from ktw.index import refresh
from ktw.operations.finding import evidence_for, place_id, read_places
from ktw.operations.in_force import in_force
from ktw.store import Project

TITLES = 200  # more than anybody looks through


def titles(project: Project, start: str = "") -> list[tuple[str, str | None]]:
    """Each address that begins so, with its title where it is approved.

    The first TITLES of them are read, and judged on the bytes read; the rest stand without a title.
    """
    snapshot = refresh(project)
    with evidence_for(project, snapshot) as evidence:
        memories = set(snapshot.catalogue.names)
        places = (one for one in snapshot.catalogue.places() if one.name in memories)
        named = ((place_id(project, place), place) for place in places)
        fitting = [(id_, place) for id_, place in named if id_.startswith(start)]
        standing = [each.reading for each in in_force(project, evidence, snapshot).standing]
        read = read_places(project, evidence, [place for _, place in fitting[:TITLES]])
        shown = [*(one for one in standing if one.address.startswith(start)), *filter(None, read)]
        told = [(one.address, one.entry.title if one.verdict.approved else None) for one in shown]
        return [*told, *((id_, None) for id_, _ in fitting[TITLES:])]
