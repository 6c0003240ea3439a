"""What a score is multiplied with for what a memory is, whatever it says: kind, status, the
strength it earned, how recent it is, whether it is pinned; and which memories have faded.

Pure: by the clock and the facts that it is given. Where these come from is for others.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from ktw.catalogue import About, Catalogue

KIND_PRIOR = {"note": 0.5}
STATUS_PRIOR = {"superseded": 0.5}
STRENGTH_GAIN, STRENGTH_HALF_LIFE = 0.25, timedelta(days=90)
RECENCY_GAIN, RECENCY_HALF_LIFE = 0.05, timedelta(days=180)
_RECENCY_DAYS = RECENCY_HALF_LIFE.days
PIN_PRIOR = 1.1
# How long a memory of a kind may lie unused before it fades; no other kind fades.
LIFETIME = {"note": timedelta(days=180), "skill": timedelta(days=365)}

_SKEW = timedelta(days=1)  # what the clock of another machine may be ahead

PERSON, AGENT = "person", "agent"


class Earned(NamedTuple):
    """What one memory earned: when it proved itself, when it was last spoken well of, and by whom
    it is pinned (PERSON, AGENT or "")."""

    uses: tuple[datetime, ...] = ()
    touched: datetime | None = None
    pinned: str = ""


NOTHING = Earned()
# By the Id in lower case, the slug, or `slug#anchor`: as commits and notes name a memory.
EarnedBy = Mapping[str, Earned]
NOBODY: EarnedBy = MappingProxyType({})


class Priors:
    """The priors of all memories of a catalogue at one moment."""

    def __init__(self, catalogue: Catalogue, earned: EarnedBy, now: datetime) -> None:
        self._catalogue, self._all, self.now = catalogue, earned, now
        self._plain: dict[int, tuple[float, bool]] = {}

    @property
    def highest(self) -> float:
        """More than this the factors of no memory come to."""
        earned = (1.0 + STRENGTH_GAIN) * PIN_PRIOR if self._earned else 1.0
        return earned * (1.0 + RECENCY_GAIN)

    def factors(self, at: int) -> dict[str, float]:
        """The factors of the memory at a position, by name: the rows of `--explain`."""
        return factors(self._about(at), self._earned.get(at, NOTHING), self.now)

    def look(self, at: int) -> tuple[float, bool]:
        """All factors of the memory at a position, multiplied; and whether it has left recall,
        which can be said only of a note before what it says is judged."""
        if at in self._earned:
            about, earned = self._about(at), self._earned[at]
            product = math.prod(factors(about, earned, self.now).values())
            return product, _is_gone_note(about, earned, self.now)
        number = self._catalogue.about[at]
        known = self._plain.get(number)
        if known is None:
            known = self._plain[number] = _plain(self._catalogue.abouts[number], self.now)
        return known

    def _about(self, at: int) -> About:
        return self._catalogue.abouts[self._catalogue.about[at]]

    @cached_property
    def _earned(self) -> dict[int, Earned]:
        """What was earned, by position; looks at every memory only where something was."""
        found: dict[int, Earned] = {}
        for at, name in _named(self._catalogue, self._all) if self._all else ():
            found[at] = joined([found.get(at, NOTHING), self._all[name]])
        return found


def _named(catalogue: Catalogue, names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Each position with each of the names that it goes by."""
    wanted = frozenset(names)
    columns = catalogue.columns
    files, ids = columns.integers[0], columns.integers[4]
    by_id = {at: id_.lower() for at, id_ in enumerate(columns.ids) if id_.lower() in wanted}
    slugs = {name.partition("#")[0] for name in wanted}
    by_file = {at: slug for at, name in enumerate(columns.names) if (slug := _slug(name)) in slugs}
    for at, (file, id_) in enumerate(zip(files, ids, strict=True)):
        if id_ in by_id:
            yield at, by_id[id_]
        if file in by_file:
            yield from ((at, name) for name in _slugs(catalogue, at, by_file) if name in wanted)


def _slugs(catalogue: Catalogue, at: int, by_file: Mapping[int, str]) -> list[str]:
    """`slug#anchor`, and the slug alone where the file holds one memory."""
    files, anchor = catalogue.columns.integers[0], catalogue.columns.anchors[at]
    slug = by_file[files[at]]
    beside = [files[near] for near in (at - 1, at + 1) if 0 <= near < len(files)]
    alone = files[at] not in beside
    return [f"{slug}#{anchor}", *([slug] if alone else [])]


def _slug(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".md")


def earned_by(all_: EarnedBy, id_: str, slug: str, anchor: str, alone: bool) -> Earned:
    """What one memory earned under all of its names; `alone` in its file it goes by the slug."""
    names = (id_.lower(), f"{slug}#{anchor}", *([slug] if alone else []))
    return joined(all_[name] for name in names if name in all_) if all_ else NOTHING


def joined(each: Iterable[Earned]) -> Earned:
    """What one memory earned under several names, as one."""
    parts = [one for one in each if one is not NOTHING]
    touched = [one.touched for one in parts if one.touched is not None]
    pins = {one.pinned for one in parts}
    return Earned(
        tuple(sorted(use for one in parts for use in one.uses)),
        max(touched, default=None),
        PERSON if PERSON in pins else AGENT if AGENT in pins else "",
    )


def factors(about: About, earned: Earned, now: datetime) -> dict[str, float]:
    """The factors of one memory, by name; 1.0 where a thing says nothing."""
    return {
        "kind": KIND_PRIOR.get(about.kind, 1.0),
        "status": STATUS_PRIOR.get(about.status, 1.0),
        "strength": strength(earned, now),
        "recency": _recency(_last_seen(about, earned, now), now),
        "pinned": PIN_PRIOR if earned.pinned == PERSON else 1.0,
    }


def _plain(about: About, now: datetime) -> tuple[float, bool]:
    """The product of `factors`, and what fades, where nothing was earned: 10,000 times a recall."""
    seen = parse_time(about.created_at)
    recency = _recency(None if seen is None or seen > now else seen, now)
    prior = KIND_PRIOR.get(about.kind, 1.0) * STATUS_PRIOR.get(about.status, 1.0)
    return prior * recency, _is_gone_note(about, NOTHING, now)


def strength(earned: Earned, now: datetime) -> float:
    """1 to 1 + STRENGTH_GAIN: 1 + gain * s / (1 + s), s the sum of the uses, each halved with
    every half-life of its age (of a pinned memory none is).

    Nothing makes it less than 1: what is not used is weaker than what is, and no more.
    """
    still = 1.0 if earned.pinned else 0.5
    ages = (max(0, (now - use).days) for use in earned.uses if use - now < _SKEW)
    total = sum(math.pow(still, age / STRENGTH_HALF_LIFE.days) for age in ages)
    return 1.0 + STRENGTH_GAIN * total / (1.0 + total)


def _recency(seen: datetime | None, now: datetime) -> float:
    if seen is None:
        return 1.0
    return 1.0 + RECENCY_GAIN * math.pow(0.5, (now - seen).days / _RECENCY_DAYS)


def has_faded(about: About, earned: Earned, now: datetime) -> bool:
    """True for a kind that fades and that nobody used, spoke of or pinned for its lifetime.

    What has no date does not fade, and approved words do not: that is for whoever judges them.
    """
    lifetime, seen = LIFETIME.get(about.kind), _last_seen(about, earned, now)
    return bool(lifetime and seen and not earned.pinned and now - seen > lifetime)


def _is_gone_note(about: About, earned: Earned, now: datetime) -> bool:
    return about.kind == "note" and has_faded(about, earned, now)


def _last_seen(about: About, earned: Earned, now: datetime) -> datetime | None:
    """When it was written, used or spoken well of, whichever is latest; nothing of the future."""
    moments = (parse_time(about.created_at), earned.touched, *earned.uses)
    return max((one for one in moments if one is not None and one <= now), default=None)


def parse_time(text: str) -> datetime | None:
    """An ISO 8601 date or time as an aware time (UTC where it names no zone), or None."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
