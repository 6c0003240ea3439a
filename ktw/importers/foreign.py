"""A memory as another store keeps it, as a plain value, and what is left behind of such a store.

Knows no store and no project: what is written of it, if anything, is for `operations` to say.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from ktw.fields import day_or_time_fault
from ktw.importers.lost import Lost
from ktw.memory import KINDS

MAX_TEXT = 64 * 1024 * 1024  # bytes of one import, which is planned as a whole before it is written
# What other stores call kinds of ours; any other word tells none.
_KIND_OF = {kind: kind for kind in KINDS} | {
    "user": "rule",
    "feedback": "rule",
    "preference": "rule",
    "convention": "rule",
    "adr": "decision",
    "procedure": "skill",
}
# What a store says of the standing of its words, and what to call it. None of it is taken over.
CLAIMS = {
    "trusted_at": "approval",
    "trusted_by": "approval",
    "owner_seal": "owner's seal",
    "pinned": "pin",
    "strength": "strength",
    "origin": "owner's origin",
}
_TOLD_NOTHING = ("", "0", "0.0", "1.0", "false", "null", "~")


@dataclass(frozen=True)
class Foreign:
    """One memory of another store.

    `place` says where it was, in a form that stays the same from run to run. `body` is Markdown.
    `kind` is one of ours, "" where the store tells none; `created_at` a day or time of ours, or "".
    `header`: further header fields of the entry. `lost`: what could not be
    carried; `claims`: what it said of its own standing, which is never carried. `project`: the one
    it was kept for, where the store holds several.
    """

    place: str
    title: str
    body: str
    kind: str = ""
    tags: tuple[str, ...] = ()
    created_at: str = ""
    agent: str = ""
    status: str = "active"
    header: tuple[tuple[str, str], ...] = ()
    derived_from: tuple[str, ...] = ()
    lost: tuple[Lost, ...] = ()
    claims: tuple[str, ...] = ()
    project: str = ""


@dataclass(frozen=True)
class Left:
    """What was not brought along, and why. `fault`: something is wrong with it; else its turn
    never was."""

    place: str
    why: str
    fault: bool = True


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a store: session notes too, and only those projects (none named: all)."""

    notes: bool = False
    projects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Store:
    """What a store holds, one after the other, and how many that will be."""

    count: int
    items: Iterator[Foreign | Left]


def kind_of(told: str) -> str:
    """The kind of ours that a store's own word means, "" for none."""
    return _KIND_OF.get(told.strip().casefold(), "")


def claims_in(values: dict[str, str]) -> tuple[str, ...]:
    """What these fields claim of their text's standing, each once; `origin: agent` claims none."""
    told = {key: values[key].casefold() for key in CLAIMS if key in values}
    told = {key: value for key, value in told.items() if value not in _TOLD_NOTHING}
    if told.get("origin") != "owner":
        told.pop("origin", None)
    return tuple(dict.fromkeys(CLAIMS[key] for key in told))


def moment(value: str) -> str:
    """A date or time as people and programs write it, in a form of ours; "" where it is none.

    A time without a zone gives its day alone; digits alone are seconds since 1970.
    """
    value = value.strip()
    if not day_or_time_fault(value):
        return value
    with suppress(ValueError, OverflowError, OSError):
        if value.isascii() and value.isdigit() and 9 <= len(value) <= 11:
            return _written(datetime.fromtimestamp(int(value), UTC))
        found = datetime.fromisoformat(value[:40])
        return _written(found.astimezone(UTC)) if found.tzinfo else found.strftime("%Y-%m-%d")
    return ""


def _written(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
