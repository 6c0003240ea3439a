"""All memories of a project of which time has something to say: stale ones, and faded ones."""

from collections.abc import Sequence
from datetime import datetime

from ktw.evidence import Evidence
from ktw.index import Progress
from ktw.memory import NOTE
from ktw.operations.aging import Aging
from ktw.operations.earned import earned
from ktw.operations.reading import Listing, list_memories
from ktw.render import Reading
from ktw.store import Project


def stale(project: Project, now: datetime, progress: Progress | None = None) -> list[Reading]:
    """The memories with notices: past their date, naming files that are gone, or superseded while
    another one holds. In the order of `list_memories`."""
    readings = list_memories(project, progress=progress).readings
    with Evidence(project) as evidence:
        told = Aging(evidence, earned(evidence), now).told(readings)
    return [one for one in told if one.notices]


def faded(
    project: Project,
    now: datetime,
    verdict: str | None = None,
    kind: str | None = None,
    origin: str | None = None,
    progress: Progress | None = None,
) -> Listing:
    """What recall leaves out because nobody used it for long, local notes among it."""
    found = list_memories(project, verdict, kind, origin, progress)
    rows: Sequence[Reading] = found.readings
    if kind is None:
        rows = [*rows, *list_memories(project, verdict, NOTE, origin).readings]
    with Evidence(project) as evidence:
        aging = Aging(evidence, earned(evidence), now)
        return Listing([one for one in rows if aging.has_faded(one)], found.notices)
