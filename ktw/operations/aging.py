"""What time does to memories: which have faded, which are past their date, name files that are
gone, or stand superseded beside what took their place.

Hints only, in words of this program: no verdict and no file changes.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from ktw import priors
from ktw.boundaries import inside
from ktw.catalogue import About
from ktw.entries import heading
from ktw.evidence import Evidence
from ktw.git import GitFailed
from ktw.memory import is_uuid
from ktw.priors import Earned, EarnedBy, parse_time
from ktw.render import Notice, Reading
from ktw.text.named_paths import named_paths

_MOST_PATHS, _MOST_TOLD = 8, 3
_DATE = r"(?<![0-9-])([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?(?![0-9-])"

_Topics = Mapping[tuple[str, str], Sequence[Reading]]


class Aging:
    """Looks at memories as of one moment."""

    def __init__(self, evidence: Evidence, earned: EarnedBy, now: datetime) -> None:
        self._evidence, self._project = evidence, evidence.project
        self._earned, self._now = earned, now
        self._today = now.astimezone(UTC).date()

    def has_faded(self, one: Reading) -> bool:
        """True for what recall leaves out; approved words never fade."""
        kind = one.file.kind or one.entry.type or ""
        about = About(kind, one.entry.status or "", _created(one))
        gained = _earned_by(one, self._earned)
        return not one.verdict.approved and priors.has_faded(about, gained, self._now)

    def told(self, readings: Sequence[Reading]) -> list[Reading]:
        """The same memories, each with its pin and with what is to be said of it beside these."""
        beside = _beside(readings)
        return [
            marked(one, self._earned)._replace(notices=(*beside[at], *self._of_age(one)))
            for at, one in enumerate(readings)
        ]

    def _of_age(self, one: Reading) -> Iterator[Notice]:
        passed = [day for day in map(_first_date, _revisits(one)) if day and day < self._today]
        if passed:
            day = min(passed).isoformat()
            yield Notice("revisit", "the date to look at it again has passed", day)
        named = named_paths(one.entry.text, _MOST_PATHS)
        missing = [path for path in named if self._is_gone(path)]
        if missing:
            what = "a file that it names is" if len(missing) == 1 else "files that it names are"
            yield Notice(
                "missing-file", f"{what} not in this tree", ", ".join(missing[:_MOST_TOLD])
            )

    def _is_gone(self, path: str) -> bool:
        """True for a path that leads nowhere, from the project or from the repository's top."""
        repository = self._project.repository
        places = [inside(root, path) for root in {self._project.root, repository.toplevel}]
        known = [place for place in places if place is not None]
        if not known or any(os.path.lexists(place) for place in known):
            return False
        return not (repository.git_dir / "info" / "sparse-checkout").exists() or not any(
            map(self._is_in_head, {self._project.git_path(path), path})
        )

    def _is_in_head(self, git_path: str) -> bool:
        """True for what only this sparse work tree lacks, and where git cannot tell."""
        directory, _, name = git_path.rstrip("/").rpartition("/")
        objects = self._evidence.objects
        try:
            head = objects.commit("HEAD")
            return head is not None and name in (objects.directory(head, directory) or {})
        except GitFailed:
            return True


def marked(one: Reading, earned: EarnedBy) -> Reading:
    """The same memory with whether it is pinned."""
    return one._replace(pinned=True) if _earned_by(one, earned).pinned else one


def _earned_by(one: Reading, earned: EarnedBy) -> Earned:
    alone = len(one.file.memories) == 1
    return priors.earned_by(earned, one.entry.id or "", one.file.slug, one.entry.anchor, alone)


def _revisits(one: Reading) -> list[str]:
    return [field.value for field in one.entry.get("Revisit when")]


def _first_date(text: str) -> date | None:
    """The earliest day (or end of a month) that a text names in ISO 8601, None without one."""
    found: list[date] = []
    for year, month, day in re.findall(_DATE, text[:1000]):
        try:
            first = date(int(year), int(month), int(day or 1))
            found.append(first if day else _end_of_month(first))
        except (ValueError, OverflowError):
            continue
    return min(found, default=None)


def _end_of_month(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


# --- memories beside each other ----------------------------------------------------------------


def _beside(readings: Sequence[Reading]) -> list[list[Notice]]:
    """For each memory what is to be said of it beside the others: which took whose place."""
    found: list[list[Notice]] = [[] for _ in readings]
    at = {one.address: number for number, one in enumerate(readings)}
    topics = _by_topic(readings)
    for number, one in enumerate(readings):
        if one.status != "superseded":
            continue
        successor = (one.entry.first("Superseded by") or "").strip().lower()
        if not is_uuid(successor):
            found[number] += _on_topic(one, topics)
            continue
        here = at.get(successor)
        newer = " and is shown here, too" if here is not None else ""
        found[number].append(Notice("superseded", f"{successor} took its place{newer}"))
        # What nobody approved puts no word beside approved ones.
        if here is not None and (one.verdict.approved or not readings[here].verdict.approved):
            found[here].append(Notice("supersedes", f"it took the place of {one.address}"))
    return found


def _by_topic(readings: Sequence[Reading]) -> _Topics:
    topics: dict[tuple[str, str], list[Reading]] = defaultdict(list)
    for one in readings:
        if one.status != "superseded":
            for topic in _topics(one):
                topics[topic].append(one)
    return topics


def _topics(one: Reading) -> list[tuple[str, str]]:
    """The file, and its level-1 heading unless that only names a kind."""
    lines = one.file.body.lstrip("\n").split("\n", 1)
    level, title = heading(lines[0])
    named = level == 1 and title.casefold() not in (one.kind, one.file.slug.casefold(), "")
    return [("file", one.file.path), *([("topic", title.casefold())] if named else [])]


def _on_topic(one: Reading, topics: _Topics) -> list[Notice]:
    """That another one on the same topic holds; beside approved words none that is not."""
    for what, name in _topics(one):
        fitting = [
            other
            for other in topics.get((what, name), ())
            if other.verdict.approved or not one.verdict.approved
        ]
        if fitting:
            newest = max(fitting, key=lambda other: (_made(other), other.address))
            newer = " and is newer" if _made(newest) > _made(one) else ""
            return [Notice("superseded", f"{newest.address} on the same {what} holds{newer}")]
    return []


def _created(one: Reading) -> str:
    return one.file.created_at or one.entry.first("Date") or ""


def _made(one: Reading) -> float:
    moment = parse_time(_created(one))
    return moment.timestamp() if moment else 0.0
