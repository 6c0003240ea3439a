"""Wire agents to ktw, and take that out again: a plan over all their settings files, then the same
plan carried out. Also what stands in them now.
"""

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ktw.atomic import Changed
from ktw.errors import KtwError
from ktw.wiring.changes import Change, Opened, open_place, plan_adding, plan_removing, put_in_place
from ktw.wiring.entries import Entry
from ktw.wiring.forms import FORMS, add_entries
from ktw.wiring.places import Place, Scope, Wiring
from ktw.wiring.settings_file import alone, remove_directories

_TRIES = 4
_LARGEST_DIFF = 200_000


@dataclass(frozen=True)
class WiringPlan:
    """What would happen to each settings file, and how to plan one anew."""

    root: Path
    scope: Scope
    changes: tuple[Change, ...]
    replan: Callable[[Change], Change]

    @property
    def writes(self) -> bool:
        return any(change.writes for change in self.changes)

    @property
    def leaves(self) -> bool:
        return any(change.why for change in self.changes)


def plan_wiring(root: Path, scope: Scope, wirings: Sequence[Wiring], command: str) -> WiringPlan:
    """How `wirings` are put into the settings below `root`: a project, or a person's home."""
    return _plan(
        root, scope, wirings, command, lambda wiring, place: plan_adding(root, wiring, place)
    )


def plan_unwiring(root: Path, scope: Scope, wirings: Sequence[Wiring], command: str) -> WiringPlan:
    """How what ktw put into the settings below `root` is taken out."""
    tidies = scope == "project"
    return _plan(
        root, scope, wirings, command, lambda each, place: plan_removing(root, each, place, tidies)
    )


def _plan(
    root: Path,
    scope: Scope,
    wirings: Sequence[Wiring],
    command: str,
    plan: Callable[[Wiring, Place], Change],
) -> WiringPlan:
    pairs = {
        (wiring.agent, place.path): (wiring, place)
        for wiring in wirings
        for place in wiring.places(scope, command)
    }
    changes = tuple(plan(*pair) for pair in pairs.values())
    return WiringPlan(root, scope, changes, lambda old: plan(*pairs[old.agent, old.path]))


def write_wiring(plan: WiringPlan) -> tuple[Change, ...]:
    """Carry a plan out, each file on its own; what was done, with what could not be done left.

    A file that another program writes meanwhile is planned anew, a few times.
    """
    with alone():
        done = tuple(_done(plan, change) for change in plan.changes)
        gone = (change for change in done if change.action == "delete")
        remove_directories(plan.root, (name for change in gone for name in change.made))
    return done


def _done(plan: WiringPlan, change: Change) -> Change:
    for _ in range(_TRIES):
        try:
            put_in_place(plan.root, change)
            return change
        except Changed:
            change = plan.replan(change)
        except KtwError as error:
            return change._replace(action="leave", why=(*change.why, error.what))
    return change._replace(action="leave", why=(*change.why, "another program keeps changing it"))


def diff(change: Change) -> str:
    """What a change does to its file, as a unified diff; "" where it stays or is very large."""
    if change.found is None or not change.writes:
        return ""
    old, new = ((each or b"") for each in (change.found.data, change.data))
    if len(old) > _LARGEST_DIFF:
        return f"({change.path} is too large to be shown as a diff)\n"
    before, after = (
        each.decode("utf-8", "replace").splitlines(keepends=True) for each in (old, new)
    )
    shown = difflib.unified_diff(before, after, f"a/{change.path}", f"b/{change.path}")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in shown)


def snippets(scope: Scope, wiring: Wiring, command: str) -> Iterator[tuple[str, str]]:
    """What stands in each file of an agent's, for whoever puts it there by hand."""
    for place in wiring.places(scope, command):
        form = FORMS[place.form]
        yield place.path, add_entries(form, form.fresh, [*place.needed, *place.entries])


@dataclass(frozen=True)
class Wired:
    """What one settings file of an agent's holds of ktw: entries as put, by hand, and lacking.

    `moved`: they call another ktw than this machine's. `why` says why it cannot be told.
    """

    agent: str
    scope: Scope
    path: str
    entries: tuple[Entry, ...] = ()
    by_hand: tuple[str, ...] = ()
    lacking: int = 0
    moved: bool = False
    why: str = ""


def what_is_wired(
    root: Path, scope: Scope, wirings: Sequence[Wiring], command: str
) -> Iterator[Wired]:
    """What the settings files below `root` hold, those with nothing of ktw's left out."""
    for wiring in wirings:
        for place in wiring.places(scope, command):
            try:
                opened = open_place(root, wiring, place)
            except KtwError as error:
                yield Wired(wiring.agent, scope, place.path, why=error.what)
                continue
            found = _wired(wiring.agent, scope, opened)
            if found.entries or found.by_hand:
                yield found


def _wired(agent: str, scope: Scope, opened: Opened) -> Wired:
    entries = (*opened.entries["there"], *opened.entries["elsewhere"])
    lacking, moved = len(opened.entries["absent"]), bool(opened.entries["elsewhere"])
    by_hand = tuple(opened.by_hand)
    return Wired(agent, scope, opened.place.path, entries, by_hand, lacking, moved)
