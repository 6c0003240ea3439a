"""Rules about the Type of an entry: its values, how they combine, and since when."""

from collections.abc import Iterator

from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.section import Section
from ktw.config import split_value

TYPES = ("decision", "workaround", "incident", "constraint")

_SINCE_TYPE = (0, 7, 0)
_SINCE_UNDEFINED = (0, 8, 0)
_SINCE_TYPES = (0, 9, 0)


def _heads(section: Section) -> list[str]:
    return [split_value(field.value)[0] for field in section.get("Type")]


@rule("E105", "entry", _SINCE_TYPE)
def type_unknown(section: Section) -> Iterator[Found]:
    """A Type is not one of its values (`undefined` counts from context-schema 0.8.0).

    Why: the type says how to read an entry.
    Fix: use decision, workaround, incident, constraint, or `undefined — reason`.
    Bad: `**Type:** idea`
    Good: `**Type:** decision`
    """
    for field in section.get("Type"):
        head = split_value(field.value)[0]
        if head == "undefined":
            if section.project.schema < _SINCE_UNDEFINED:
                yield Found(field.line, "Type 'undefined' needs context-schema 0.8.0 or newer")
        elif head not in TYPES:
            allowed = f"{', '.join(TYPES)}, undefined with a reason"
            yield Found(field.line, f"Type {quoted(field.value)} is not one of: {allowed}")


@rule("E107", "entry", _SINCE_UNDEFINED)
def undefined_without_reason(section: Section) -> Iterator[Found]:
    """An undefined Type gives no reason.

    Why: it says that no type fits, and only a reason tells that from an omission.
    Fix: say after a dash why none fits.
    Bad: `**Type:** undefined`
    Good: `**Type:** undefined — a procedure`
    """
    for field in section.get("Type"):
        if split_value(field.value) == ("undefined", ""):
            yield Found(field.line, "Type 'undefined' needs a reason after a dash")


@rule("E108", "entry", _SINCE_TYPE)
def undefined_combined(section: Section) -> Iterator[Found]:
    """An undefined Type stands beside another Type.

    Why: it means that none fits, so nothing can be added to it.
    Fix: keep one of the two.
    Bad: `**Type:** undefined — a procedure` and `**Type:** decision`
    Good: `**Type:** decision`
    """
    types = section.get("Type")
    if len(types) > 1 and "undefined" in _heads(section):
        yield Found(types[0].line, "Type 'undefined' stands beside another Type")


@rule("E109", "entry", _SINCE_TYPE)
def type_repeated(section: Section) -> Iterator[Found]:
    """The same Type twice in an entry.

    Why: it says nothing more and hides that another one may have been meant.
    Fix: delete one of the lines.
    Bad: two lines `**Type:** decision`.
    Good: one.
    """
    types = section.get("Type")
    if len(types) > 1:
        seen: set[str] = set()
        for head, field in zip(_heads(section), types, strict=True):
            if head in seen:
                yield Found(field.line, f"Type {quoted(head)} is already given")
            seen.add(head)


@rule("E110", "entry", _SINCE_TYPE)
def types_before_their_time(section: Section) -> Iterator[Found]:
    """Several Types under a context-schema older than 0.9.0.

    Why: that version knows one Type per entry.
    Fix: migrate the project, or keep one Type.
    Bad: two Type lines under `context-schema: 0.8.0`.
    Good: the same under 0.9.0 or newer.
    """
    types = section.get("Type")
    if len(types) > 1 and section.project.schema < _SINCE_TYPES:
        yield Found(types[1].line, "several Types need context-schema 0.9.0 or newer")


@rule("W103", "entry", _SINCE_TYPE)
def type_after_status(section: Section) -> Iterator[Found]:
    """The Type stands below the Status.

    Why: readers look for the fields in their documented order.
    Fix: move the Type line above the Status line.
    Bad: Status, then Type.
    Good: Type, then Status.
    """
    types, statuses = section.get("Type"), section.get("Status")
    if types and statuses and types[0].line > statuses[0].line:
        yield Found(types[0].line, "**Type:** belongs above **Status:**")


@rule("W104", "entry")
def type_before_its_time(section: Section) -> Iterator[Found]:
    """A Type under a context-schema older than 0.7.0.

    Why: the field is no part of that version, so no tool reads it.
    Fix: migrate the project and raise `context-schema`.
    Bad: a Type line under `context-schema: 0.6.0`.
    Good: the same under 0.7.0 or newer.
    """
    types = section.get("Type")
    if types and section.project.schema < _SINCE_TYPE:
        yield Found(types[0].line, "Type is no part of a context-schema older than 0.7.0")


RULES: tuple[Rule[Section], ...] = (
    type_unknown,
    undefined_without_reason,
    undefined_combined,
    type_repeated,
    types_before_their_time,
    type_after_status,
    type_before_its_time,
)
