"""Rules about Ids and what refers to them: See and Superseded by, across the whole project."""

import re
import unicodedata
from collections.abc import Iterator

from keep_the_why_lint.project import IdPlace, Project
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.section import Section
from ktw.boundaries import OutOfBounds, canonical
from ktw.config import split_reference, split_value
from ktw.entries import anchor

SINCE = (0, 18, 0)
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_AS_OF = re.compile(r"as of [0-9]{4}-[0-9]{2}-[0-9]{2}")
_LOCAL = re.compile(r"([^/\\#\s]+\.md)(?:#([^\s#]+))?")
_IN_CAPITALS = "; written in capitals it is still the same Id: put it in lower case"


def is_uuid(value: str) -> bool:
    """True for a UUID in lower case."""
    return bool(UUID.fullmatch(value))


def _capitals_hint(value: str) -> str:
    return _IN_CAPITALS if not is_uuid(value) and is_uuid(value.lower()) else ""


@rule("E114", "entry", SINCE)
def id_missing(section: Section) -> Iterator[Found]:
    """An entry has no Id.

    Why: its title and file may change; only an Id keeps references alive.
    Fix: add a new UUID as the first field; `uuidgen | tr A-Z a-z` makes one.
    Bad: an entry that starts with Type.
    Good: `**Id:** 2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c`
    """
    if not section.get("Id"):
        yield Found(section.line, f"the entry {quoted(section.entry.title)} has no **Id:** line")


@rule("E115", "entry", SINCE)
def id_not_a_uuid(section: Section) -> Iterator[Found]:
    """An Id is not a UUID in lower case.

    Why: references are compared character by character.
    Fix: put a UUID in capitals into lower case (it stays the same Id); replace anything else.
    Bad: `**Id:** sync-1`
    Good: `**Id:** 2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c`
    """
    for field in section.get("Id")[:1]:
        if not is_uuid(field.value):
            hint = _capitals_hint(field.value)
            yield Found(field.line, f"Id {quoted(field.value)} is not a lowercase UUID{hint}")


@rule("E116", "project", SINCE)
def id_not_unique(project: Project) -> Iterator[Found]:
    """Two entries share an Id.

    Why: a reference to it leads to either, and an approval of one could cover the other.
    Fix: give the newer entry an Id of its own.
    Bad: a copied entry that kept its Id.
    Good: each entry with its own.
    """
    for id, places in project.ids.items():
        for place in places[1:] if is_uuid(id) else ():
            first = places[0]
            where = f"line {first.entry.line} of {quoted(first.file)}"
            yield Found(place.line, f"Id {id} already belongs to {where}", place.file)


@rule("E117", "entry", SINCE)
def reference_malformed(section: Section) -> Iterator[Found]:
    """A See or Superseded by is not of its shape.

    Why: a reference that cannot be read leads nowhere.
    Fix: See: `file.md#anchor — id — as of DATE`; Superseded by: an Id or `none — reason`.
    Bad: `**See:** sync.md`
    Good: `**Superseded by:** none — the feature was removed`
    """
    for field in section.get("See"):
        if not _see_parts(field.value) and not _is_foreign(field.value):
            parts = split_reference(field.value)
            shape = "'file.md#anchor \u2014 id \u2014 as of DATE' or the same with a canonical URL"
            hint = _capitals_hint(parts[1]) if parts else ""
            yield Found(field.line, f"See {quoted(field.value)} is not {shape}{hint}")
    for value, line in _successor(section):
        fault = _successor_fault(value)
        if fault:
            yield Found(line, f"Superseded by {quoted(value)} {fault}")


@rule("E118", "entry", SINCE)
def reference_dangling(section: Section) -> Iterator[Found]:
    """A reference names an Id that no entry of this project carries.

    Why: the reader is sent to something that is not there.
    Fix: correct the Id, or name the other project by its canonical URL.
    Bad: `**Superseded by:**` with an Id of a deleted entry.
    Good: the Id of a living one.
    """
    for label, id, line, _ in _local_references(section):
        if id not in section.project.ids:
            yield Found(line, f"{label} names Id {id}, which no entry here carries")


@rule("E119", "entry", SINCE)
def locator_stale(section: Section) -> Iterator[Found]:
    """The file or anchor of a See is not where its Id stands now.

    Why: the link is broken although the entry is still there.
    Fix: correct the locator and keep the Id.
    Bad: `**See:** old.md#title — <id> — as of 2026-01-02` after the entry moved.
    Good: the same with its present file and anchor.
    """
    for label, id, line, locator in _local_references(section):
        places = section.project.ids.get(id)
        if places and locator and not _points_at(locator, places[0]):
            place = places[0]
            now = f"line {place.entry.line} of {quoted(place.name)}"
            yield Found(line, f"{label} locator {quoted(locator)} is stale: Id {id} is at {now}")


@rule("E120", "entry", SINCE)
def successor_missing(section: Section) -> Iterator[Found]:
    """A superseded entry does not say by what.

    Why: the reader learns that it no longer holds and not what does.
    Fix: name the successor's Id, or `none — reason`.
    Bad: `**Status:** superseded` alone.
    Good: that and `**Superseded by:** none — the feature was removed`
    """
    if _is_superseded(section) and not section.get("Superseded by"):
        title = quoted(section.entry.title)
        yield Found(section.line, f"the superseded entry {title} has no **Superseded by:** line")


@rule("E121", "entry", SINCE)
def successor_of_a_live_entry(section: Section) -> Iterator[Found]:
    """A successor on an entry that is not superseded.

    Why: it both holds and does not hold.
    Fix: set the Status to superseded, or delete the line.
    Bad: `**Status:** active` and `**Superseded by:** <id>`
    Good: `**Status:** superseded` and `**Superseded by:** <id>`
    """
    fields = section.get("Superseded by")
    if fields and not _is_superseded(section):
        yield Found(fields[0].line, "**Superseded by:** stands in an entry that is not superseded")


def _is_superseded(section: Section) -> bool:
    return [field.value for field in section.get("Status")] == ["superseded"]


def _successor(section: Section) -> list[tuple[str, int]]:
    """The value and line of the successor that counts: the first, of a superseded entry."""
    fields = section.get("Superseded by")
    if not fields or not _is_superseded(section):
        return []
    return [(fields[0].value, fields[0].line)]


def _see_parts(value: str) -> tuple[str, str] | None:
    """Locator and Id of a See that leads to an entry of this project."""
    parts = split_reference(value)
    if parts is None or not is_uuid(parts[1]) or not _AS_OF.fullmatch(parts[2]):
        return None
    local = _LOCAL.fullmatch(parts[0]) and ".." not in parts[0]
    return (parts[0], parts[1]) if local and not parts[0].startswith("https://") else None


def _is_foreign(value: str) -> bool:
    """True for a well-formed reference into another project."""
    parts = split_reference(value)
    if parts is None or not is_uuid(parts[1]) or not _AS_OF.fullmatch(parts[2]):
        return False
    try:
        canonical(parts[0])
    except OutOfBounds:
        return False
    return True


def _successor_fault(value: str) -> str:
    if is_uuid(value) or _is_foreign(value):
        return ""
    head, reason = split_value(value)
    if head == "none":
        return "" if reason else "needs a reason after a dash"
    parts = split_reference(value)
    hint = _capitals_hint(parts[1] if parts else value)
    shape = "'<canonical URL> \u2014 id \u2014 as of DATE' or 'none \u2014 reason'"
    return f"is not an Id, {shape}{hint}"


def _local_references(section: Section) -> Iterator[tuple[str, str, int, str]]:
    """Label, Id, line and locator ("" without one) of each reference inside this project."""
    for field in section.get("See"):
        parts = _see_parts(field.value)
        if parts:
            yield "See", parts[1], field.line, parts[0]
    for value, line in _successor(section):
        if is_uuid(value):
            yield "Superseded by", value, line, ""


def _points_at(locator: str, place: IdPlace) -> bool:
    file, _, wanted = _nfc(locator).partition("#")
    if file != _nfc(place.name):
        return False
    # An entry's own anchor is numbered where its title repeats, as Markdown hosts do it.
    return wanted in ("", place.entry.anchor, anchor(_nfc(place.entry.title)))


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


RULES: tuple[Rule[Section], ...] = (
    id_missing,
    id_not_a_uuid,
    reference_malformed,
    reference_dangling,
    locator_stale,
    successor_missing,
    successor_of_a_live_entry,
)
PROJECT_RULES: tuple[Rule[Project], ...] = (id_not_unique,)
