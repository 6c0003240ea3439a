"""The memories that an agent is shown unasked: those that bear on what it does, approved first.

Judges each on the bytes read, as recall does, and renders none: how much is said is for its caller.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from ktw.evidence import Evidence
from ktw.git import Setting
from ktw.held import COLD, Cold
from ktw.index import Snapshot
from ktw.operations.aging import Aging
from ktw.operations.earned import earned
from ktw.operations.finding import evidence_for, read_file, read_places
from ktw.operations.in_force import InForce, in_force, with_edits
from ktw.operations.reading import Ranking
from ktw.operations.taint import Sources
from ktw.operations.verdicts import standing_in, verdicts
from ktw.policy import read_policy
from ktw.render import Reading
from ktw.scan import memory_names, scan
from ktw.search import Hit
from ktw.store import Project, name_of

_RELEVANT, _RELEVANT_APPROVED = 0.3, 0.15
_PIECE, _EXAMINED = 12, 96
_FIRST_KINDS = ("rule", "constraint", "skill", "decision", "workaround", "incident")


class Relevant(NamedTuple):
    """The best approved memories and the best others; `more` counts what was left out besides,
    `more_unapproved` how many of those are not approved."""

    approved: tuple[Reading, ...] = ()
    others: tuple[Reading, ...] = ()
    more: int = 0
    more_unapproved: int = 0


class Titles(NamedTuple):
    """Approved memories, rules first and then the newest; how many there are in all, and how many
    files there are besides, by verdict."""

    approved: tuple[Reading, ...]
    total: int
    others: dict[str, int]


class Memories:
    """The memories of one moment; made by `open_memories`."""

    def __init__(
        self,
        project: Project,
        snapshot: Snapshot,
        evidence: Evidence,
        standing: InForce,
        ranking: Ranking,
        aging: Aging,
    ) -> None:
        self._project, self._evidence = project, evidence
        self._standing, self._ranking, self._aging = standing, ranking, aging
        self._sources = Sources(project, evidence, snapshot.catalogue, standing)

    def relevant(self, question: str, approved: int, others: int) -> Relevant:
        """What bears on `question`. Approved memories are looked for further down than others: a
        pile of texts must not drown a rule."""
        hits = self._ranking.rank(question, _EXAMINED).hits
        best = hits[0].score if hits else 0.0
        near = [hit for hit in hits if hit.score >= _RELEVANT_APPROVED * best]
        found: list[Reading] = []
        rest: list[Reading] = []
        for score, one in self._judged(near):
            if self._aging.has_faded(one):
                continue
            if one.verdict.approved:
                found.append(one)
            elif score >= _RELEVANT * best:
                rest.append(one)
            if len(rest) >= others and (len(found) >= approved or self._is_nothing_approved):
                break
        more = found[approved:] + rest[others:]
        unapproved = sum(not one.verdict.approved for one in more)
        return Relevant(
            self._told(found[:approved]), self._told(rest[:others]), len(more), unapproved
        )

    def _told(self, readings: Sequence[Reading]) -> tuple[Reading, ...]:
        """With what is to be said beside each, as recall says it."""
        return tuple(self._aging.told([self._sources.told(one) for one in readings]))

    @property
    def _is_nothing_approved(self) -> bool:
        """True in a clone without a policy: no claim counts, however far one looks."""
        return self._evidence.reading.policy is None

    def of_files(self, names: Sequence[str]) -> list[tuple[str, list[Reading]]]:
        """What stands in these files of the context directory, judged; nothing where unreadable."""
        return [(name, read_file(self._project, self._evidence, name)) for name in names]

    def _judged(self, hits: Sequence[Hit]) -> Iterator[tuple[float, Reading]]:
        known = self._standing.readings
        # What stands elsewhere has to meet its edit; without any, nothing is read in vain.
        size = _PIECE if self._standing.standing else 1
        for start in range(0, len(hits), size):
            piece = hits[start : start + size]
            places = [hit.place for hit in piece]
            readings = read_places(self._project, self._evidence, places, known)
            for score, _, one in with_edits(self._standing, piece, readings):
                yield score, one


@contextmanager
def open_memories(
    project: Project,
    now: datetime,
    model: str,
    held: Cold = COLD,
    stated: Sequence[Setting] | None = None,
) -> Iterator[Memories]:
    """The memories as they are now; git and the index are closed at the end, unless they are held.

    `model` as for `recall`; "off" searches by words alone. `stated`: as for `read_policy`.
    """
    snapshot = held.snapshot(project)
    with evidence_for(project, snapshot, held.objects(project.repository), stated) as evidence:
        standing = in_force(project, evidence, snapshot)
        gained = earned(evidence)
        ranking = Ranking(project, snapshot, now, held, model, standing, gained)
        aging = Aging(evidence, gained, now)
        yield Memories(project, snapshot, evidence, standing, ranking, aging)


def approved_titles(project: Project, most: int, stated: Sequence[Setting] | None = None) -> Titles:
    """What a session starts with; reads the words of approved memories alone. `stated`: as for
    `read_policy`."""
    policy = read_policy(project, stated)
    if policy.policy is None:  # nothing is approved here, and no file has to be read
        return Titles((), 0, {"not approved": len(memory_names(project))})
    others: dict[str, int] = {}
    names = []
    with verdicts(project, policy) as (files, evidence, seen):
        for file in files:
            if file.verdict.approved:
                names.append(name_of(project, file.path))
            else:
                others[file.verdict.name] = others.get(file.verdict.name, 0) + 1
        standing = [each.reading for each in standing_in(evidence, seen)]
        outlines = {each.name: each.outline for each in seen}
        names.sort(key=lambda name: _rank(outlines[name]), reverse=True)
        read = (one for name in names[:most] for one in read_file(project, evidence, name))
        found = [*standing, *(one for one in read if one.verdict.approved)]
    found.sort(key=lambda one: _order(one.kind, one.file.created_at), reverse=True)
    return Titles(tuple(found[:most]), max(len(names) + len(standing), len(found)), others)


def _rank(outline: object) -> tuple[int, str]:
    return _order(getattr(outline, "kind", None), getattr(outline, "created_at", None))


def _order(kind: str | None, created_at: str | None) -> tuple[int, str]:
    at = _FIRST_KINDS.index(kind) if kind in _FIRST_KINDS else len(_FIRST_KINDS)
    return -at, created_at or ""


def files_changed_since(project: Project, seconds: float) -> list[str]:
    """Names of memory files that were written since then (seconds since 1970), newest first."""
    files, _ = scan(project)
    seen = [files.stat(at) for at in range(len(files.names))]
    written = [(-max(one.mtime_ns, one.ctime_ns), one.name) for one in seen]
    return [name for at, name in sorted(written) if -at >= seconds * 1_000_000_000]
