"""Rules about what entries say of each other and of time: circles, days, Ids that are none."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from keep_the_why_lint.finding import Severity
from keep_the_why_lint.project import IdPlace, Memory, Project
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.rules.references import is_uuid
from ktw.config import split_reference
from ktw.entries import Entry, FieldLine

_VERSION_4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_BLANK_IDS = ("0" * 32, "f" * 32)
_REFERENCES = ("See", "Superseded by")
_DAYS = ("created_at", "trusted_at")
_AS_OF = re.compile(r"as of ([0-9]{4}-[0-9]{2}-[0-9]{2})")


@rule("M101", "project")
def supersession_circle(project: Project) -> Iterator[Found]:
    """Superseded entries name each other, or themselves, as successor.

    Why: each of them says that something newer holds, and none does.
    Fix: set the one that holds to active and delete its `Superseded by`.
    Bad: A is superseded by B, and B by A; or A by A.
    Good: A is superseded by B, and B is active.
    """
    successors, lines = _successors(project)
    for circle in circles(successors):
        place = project.ids[circle[0]][0]
        if len(circle) == 1:
            message = f"{quoted(place.entry.title)} is superseded by itself"
        else:
            others = ", ".join(_named(project.ids[id][0]) for id in circle[1:4])
            more = f" and {len(circle) - 4} more" if len(circle) > 4 else ""
            message = f"the successors lead back to this entry, by way of {others}{more}"
        yield Found(lines[circle[0]], message, place.file)


def _named(place: IdPlace) -> str:
    return f"line {place.entry.line} of {quoted(place.file)}"


def _successors(project: Project) -> tuple[Mapping[str, str], Mapping[str, int]]:
    """For the Id of each superseded entry its successor's Id, and the line that names it."""
    successors, lines = {}, {}
    for id, places in project.ids.items():
        entry = places[0].entry
        told = next((field for field in entry.fields if field.label == "Superseded by"), None)
        if told and entry.status == "superseded" and told.value in project.ids:
            successors[id], lines[id] = told.value, told.line
    return successors, lines


def circles(successors: Mapping[str, str]) -> Iterator[list[str]]:
    """Each circle in a graph where a node has at most one successor, once, from where it is met.

    Every node is walked once.
    """
    done: set[str] = set()
    for start in successors:
        path: dict[str, None] = {}
        at = start
        while at in successors and at not in done and at not in path:
            path[at] = None
            at = successors[at]
        if at in path:
            way = list(path)
            yield way[way.index(at) :]
        done.update(path)


@rule("M102", "memory", severity="warning")
def see_itself(memory: Memory) -> Iterator[Found]:
    """A See leads to the entry that it stands in.

    Why: the reader is sent in a circle; another entry was meant.
    Fix: name the other entry's Id, or delete the line.
    Bad: `**See:** sync.md — <its own Id> — as of 2026-01-02`
    Good: the Id of another entry.
    """
    for entry in memory.file.entries:
        for field in entry.fields:
            parts = split_reference(field.value) if field.label == "See" else None
            if parts and entry.id and parts[1].lower() == entry.id.lower():
                yield Found(field.line, "the See leads to the entry that it stands in")


@rule("M103", "memory")
def day_impossible(memory: Memory) -> Iterator[Found]:
    """The day of a reference is no day of the calendar.

    Why: nobody ever looked on that day, so the reference was not checked.
    Fix: write the day on which you looked.
    Bad: `as of 2026-99-99`
    Good: `as of 2026-09-29`
    """
    for field, day in _days(memory):
        if _real(day) is None:
            yield Found(field.line, f"{field.label}: {day} is no day of the calendar")


@rule("M104", "memory", severity="warning")
def day_to_come(memory: Memory) -> Iterator[Found]:
    """A day that something was done on has not come yet.

    Why: the date was invented, or the clock that wrote it was wrong.
    Fix: write the day on which it was done. (A day ahead is allowed for: time zones.)
    Bad: `trusted_at: 2999-01-01T00:00:00Z`
    Good: a day in the past.
    """
    if memory.project.today is None:
        return
    latest = memory.project.today + timedelta(days=1)
    for field, day in (*_days(memory), *_times(memory)):
        real = _real(day)
        if real and real > latest:
            yield Found(field.line, f"{field.label}: {day} is yet to come")


def _days(memory: Memory) -> Iterator[tuple[FieldLine, str]]:
    """Each reference that names the day on which it was checked, and that day."""
    for entry in memory.file.entries:
        for field in entry.fields:
            if field.label in _REFERENCES and "as of " in field.value:
                parts = split_reference(field.value)
                match = _AS_OF.fullmatch(parts[2]) if parts else None
                if match:
                    yield field, match[1]


def _times(memory: Memory) -> Iterator[tuple[FieldLine, str]]:
    """The days in the frontmatter, each with its key as a field."""
    for key in _DAYS:
        value = memory.file.frontmatter.get(key)
        if isinstance(value, str):
            line = memory.file.lines.get(key, 1)
            yield FieldLine(key, value, line), value[:10]


def _real(day: str) -> date | None:
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None


@rule("M105", "memory", severity="warning")
def id_not_random(memory: Memory) -> Iterator[Found]:
    """An Id is a UUID of another version than 4.

    Why: the format asks for random ones; one that was made up by hand may be made up again.
    Fix: for a new entry make one with `uuidgen -r`; keep the Id of an entry that others refer to.
    Nothing but zeros, or nothing but `f`, is a template that was not filled in: an error.
    Bad: `**Id:** 00000000-0000-0000-0000-000000000000`
    Good: `**Id:** 2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c`
    """
    for entry in memory.file.entries:
        id = entry.id or ""
        if not _VERSION_4.fullmatch(id) and is_uuid(id):
            blank = id.replace("-", "") in _BLANK_IDS
            what = "is the Id of nothing" if blank else "is not a UUID of version 4"
            severity: Severity | None = "error" if blank else None
            yield Found(_line_of_id(entry), f"Id {id} {what}", severity=severity)


def _line_of_id(entry: Entry) -> int:
    return next((field.line for field in entry.fields if field.label == "Id"), entry.line)


RULES: tuple[Rule[Memory], ...] = (see_itself, day_impossible, day_to_come, id_not_random)
PROJECT_RULES: tuple[Rule[Project], ...] = (supersession_circle,)
