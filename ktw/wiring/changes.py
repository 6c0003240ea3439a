"""What init and uninstall do to one settings file, as a plan: from its bytes to its next bytes.

Reads the file and what is remembered of it; writes nothing until `put_in_place`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ktw.errors import KtwError
from ktw.wiring.documents import Broken, Json, Unfit
from ktw.wiring.entries import Entry, State, has, state, with_entries
from ktw.wiring.forms import FORMS, Form, add_entries, remove_entries
from ktw.wiring.places import Place, Wiring
from ktw.wiring.settings_file import (
    Found,
    digest,
    find_file,
    read_record,
    restore_file,
    rewrite_file,
    write_file,
)

_WRITES = ("create", "add", "remove", "restore", "delete")


class Change(NamedTuple):
    """One file: what would happen to it, and why parts of it are left.

    `action`: create, add, remove, restore, delete, keep (as it should be), absent (no such file,
    and none is wanted) or leave. `data` is what it would hold, None where it goes. `anew`: nothing
    of ktw's was in it; `made`: directories to go with it.
    """

    agent: str
    path: str
    action: str
    found: Found | None = None
    data: bytes | None = None
    why: tuple[str, ...] = ()
    anew: bool = False
    made: tuple[str, ...] = ()

    @property
    def writes(self) -> bool:
        return self.action in _WRITES


class Opened(NamedTuple):
    """A file and what it holds: its entries by their state."""

    found: Found
    form: Form
    place: Place
    data: Json
    entries: Mapping[State, list[Entry]]

    @property
    def text(self) -> str:
        text = self.found.text
        return text if text.strip() else self.form.fresh

    @property
    def by_hand(self) -> list[str]:
        return [f"{_name(each)} was changed by hand" for each in self.entries["changed"]]


def open_place(root: Path, wiring: Wiring, place: Place) -> Opened:
    """A place with what is in its file; raises KtwError, its `what` the reason alone."""
    form, found = FORMS[place.form], find_file(root, place.path)
    try:
        text = found.text
        data = form.read(text if text.strip() else form.fresh)
    except UnicodeDecodeError as error:
        raise KtwError("it is not UTF-8") from error
    except Broken as error:
        raise KtwError(_reason(error)) from error
    place = wiring.variant(place, data)
    entries: dict[State, list[Entry]] = {"absent": [], "there": [], "elsewhere": [], "changed": []}
    for entry in place.entries:
        entries[state(data, entry)].append(entry)
    return Opened(found, form, place, data, entries)


def _name(entry: Entry) -> str:
    return f"`{'.'.join(entry.path)}`"


# --- putting in ------------------------------------------------------------------------------


def plan_adding(root: Path, wiring: Wiring, place: Place) -> Change:
    """How the entries of a place come into its file, or why one or all of them do not."""
    try:
        opened = open_place(root, wiring, place)
        text, unfit = _added(opened)
    except (KtwError, Unfit, Broken) as error:
        return Change(wiring.agent, place.path, "leave", why=(_reason(error),))
    why = tuple(dict.fromkeys((*opened.by_hand, *unfit)))
    if text is None:
        return Change(wiring.agent, place.path, "leave" if why else "keep", why=why)
    found = opened.found
    action = "create" if found.data is None else "add"
    anew = len(opened.entries["absent"]) == len(opened.place.entries)
    return Change(wiring.agent, place.path, action, found, found.encoded(text), why, anew)


def _added(opened: Opened) -> tuple[str | None, list[str]]:
    """The new text, None where nothing is to be added, and why entries have no place."""
    moved = opened.entries["elsewhere"]
    fitting, unfit = [], []
    for entry in (*opened.entries["absent"], *moved):
        try:
            with_entries(opened.data, [entry])
            fitting.append(entry)
        except Unfit as error:
            unfit.append(f"{_name(entry)} cannot be added: {error}")
    if not fitting:
        return None, unfit
    text = remove_entries(opened.form, opened.text, moved, _keeps_none) if moved else opened.text
    needed = [each for each in opened.place.needed if not has(opened.data, each.path)]
    return add_entries(opened.form, text, [*needed, *fitting]), unfit


def _keeps_none(path: Sequence[str]) -> bool:
    return False


def _reason(error: KtwError | Unfit | Broken) -> str:
    if isinstance(error, Broken):
        return f"it cannot be read: {error}"
    return error.what if isinstance(error, KtwError) else str(error)


# --- taking out ------------------------------------------------------------------------------


def plan_removing(root: Path, wiring: Wiring, place: Place, tidies: bool) -> Change:
    """How exactly what was put into a file comes out of it, or why it does not.

    As ktw left it: what was there before comes back, byte for byte. Changed since: its entries
    alone go. `tidies`: directories left empty by a file that held nothing else go with it.
    """
    try:
        opened = open_place(root, wiring, place)
        ours = [*opened.entries["there"], *opened.entries["elsewhere"]]
        why = tuple(dict.fromkeys(opened.by_hand))
        if opened.found.data is None:
            return Change(wiring.agent, place.path, "absent")
        if not ours:
            return Change(wiring.agent, place.path, "leave" if why else "keep", why=why)
        return _removal(wiring.agent, opened, ours, tidies)._replace(why=why)
    except (KtwError, Unfit, Broken) as error:
        return Change(wiring.agent, place.path, "leave", why=(_reason(error),))


def _removal(agent: str, opened: Opened, ours: Sequence[Entry], tidies: bool) -> Change:
    found, path = opened.found, opened.place.path
    data, known = found.data or b"", read_record(found.place)
    if known is not None and known.after == digest(data):
        action = "delete" if known.before is None else "restore"
        return Change(agent, path, action, found, known.before, made=known.made)
    was_there = known is not None and known.before is not None
    if data == _fresh(opened) and not was_there:
        parents = Path(path).parents[:-1] if tidies else ()
        return Change(agent, path, "delete", found, made=tuple(map(str, parents)))
    before: Json = {} if known is None else _data_before(opened.form, known.before)
    ours = [entry for entry in ours if state(before, entry) == "absent"]  # others were a person's
    if not ours:
        return Change(agent, path, "keep")
    text = remove_entries(
        opened.form, opened.text, ours, lambda path: known is not None and has(before, path)
    )
    left = opened.form.read(text)
    if known is not None and not was_there and left in ({}, _needed(opened.place)):
        return Change(agent, path, "delete", found, made=known.made)
    return Change(agent, path, "remove", found, found.encoded(text))


def _fresh(opened: Opened) -> bytes:
    """What init writes where there is no file."""
    place, form = opened.place, opened.form
    entries = [*opened.entries["there"], *opened.entries["elsewhere"]]
    if len(entries) != len(place.entries) or opened.entries["elsewhere"]:
        return b""
    return add_entries(form, form.fresh, [*place.needed, *place.entries]).encode()


def _needed(place: Place) -> Json:
    return with_entries({}, place.needed)


def _data_before(form: Form, before: bytes | None) -> Json:
    try:
        text = Found(Path(), before).text
        return form.read(text if text.strip() else form.fresh)
    except (UnicodeDecodeError, Broken):
        return {}


def put_in_place(root: Path, change: Change) -> None:
    """Do what a change says; raises Changed where the file is not as it was found."""
    if change.found is None or not change.writes:
        return
    if change.action in ("create", "add"):
        write_file(root, change.found, change.data or b"", change.anew)
    elif change.action == "remove":
        rewrite_file(change.found, change.data or b"")
    else:
        restore_file(change.found, change.data)
