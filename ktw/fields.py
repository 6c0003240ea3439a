"""What each frontmatter field of a memory file may hold, as one table; values only, no files.

Source: context-schema/specification.md, section 4.3, and its JSON Schema; a test holds them, this
table and the linter to one answer.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType

from ktw.errors import visible
from ktw.frontmatter import Problem, Value
from ktw.memory import (
    CLAIM_FIELDS,
    FRONTMATTER_FIELDS,
    KINDS,
    ORIGINS,
    TYPE_OF_KIND,
    MemoryFile,
)
from ktw.text.late import late

_TIME = late(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?"
    r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)
_DAY = late(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_AGENT = late(r"[a-z0-9-]{1,40}")
_HASH = late(r"sha256:[0-9a-f]{64}")
_UUID = late(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_URL = late(r"https?://[^\s/?#]\S*")
_PERSON = late(r"[^<>]*[^<>\s] <[^<>\s]+>")
_CONTROL = late("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

Judge = Callable[[str], str]


def _one_of(*words: str) -> Judge:
    return lambda value: "" if value in words else f"is not one of: {', '.join(words)}"


def _matches(pattern: re.Pattern[str], shape: str, limit: int = 2048) -> Judge:
    def judge(value: str) -> str:
        return "" if len(value) <= limit and pattern.fullmatch(value) else f"is not {shape}"

    return judge


def _is_real(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def time_fault(value: str) -> str:
    """Why `value` is no time with a zone, as a clause; "" when it is one."""
    matched = _TIME.fullmatch(value)
    if matched is None:
        if _DAY.fullmatch(value):
            return "is a day alone: a time and a zone are needed, as in 2026-01-02T15:04:05Z"
        return "is not a time with a zone, as in 2026-01-02T15:04:05Z"
    return "" if _is_real(matched[1]) else "is no day of the calendar"


def day_or_time_fault(value: str) -> str:
    """Why `value` is neither a day nor a time with a zone; "" when it is one of them."""
    if _DAY.fullmatch(value):
        return "" if _is_real(value) else "is no day of the calendar"
    fault = time_fault(value)
    return "is neither a day nor a time with a zone" if fault.startswith("is not a time") else fault


def _source_fault(value: str) -> str:
    return "" if 1 <= len(value) <= 2048 else "is empty or longer than 2,048 characters"


def _tag_fault(value: str) -> str:
    if not 1 <= len(value) <= 64:
        return "is empty or longer than 64 characters"
    return "has a blank at an end" if value != value.strip() else ""


def _origin_of_text_fault(value: str) -> str:
    return "" if _UUID.fullmatch(value) or _is_url(value) else "is neither an Id nor a URL"


def _is_url(value: str) -> bool:
    return len(value) <= 2048 and bool(_URL.fullmatch(value))


SCALARS: Mapping[str, Judge] = MappingProxyType(
    {
        "origin": _one_of(*ORIGINS),
        "agent": _matches(_AGENT, "1 to 40 of a-z, 0-9 and '-'"),
        "kind": _one_of(*KINDS),
        "created_at": day_or_time_fault,
        "source": _source_fault,
        "proposes": _matches(_UUID, "an Id (a UUID of version 4 in lower case)"),
        "trusted_at": time_fault,
        "trusted_by": _matches(_PERSON, "of the form 'Name <address>'", 320),
        "content_hash": _matches(_HASH, "'sha256:' and 64 hexadecimal digits"),
    }
)
# Of the items of a list: what each may be, how many there may be, whether all must differ.
LISTS: Mapping[str, tuple[Judge, int, bool]] = MappingProxyType(
    {"derived_from": (_origin_of_text_fault, 200, False), "tags": (_tag_fault, 32, True)}
)


def field_fault(key: str, value: Value) -> str:
    """Why a field's value is not allowed, as a clause for a message; "" when it is."""
    if key in SCALARS:
        return _scalar_fault(value, SCALARS[key])
    return _list_fault(value, *LISTS[key]) if key in LISTS else ""


def _scalar_fault(value: Value, judge: Judge) -> str:
    if not isinstance(value, str):
        return "is not a single value"
    if _CONTROL.search(value):
        return "holds a control character or a line break"
    fault = judge(value)
    return f"'{visible(value, 60)}' {fault}" if fault else ""


def _list_fault(value: Value, judge: Judge, limit: int, distinct: bool) -> str:
    if not isinstance(value, list):
        return "is not a list"
    if len(value) > limit:
        return f"has more than {limit} items"
    items = [item for item in value if isinstance(item, str)]
    if len(items) < len(value):
        return "holds something else than text"
    faults = (_scalar_fault(item, judge) for item in items)
    repeats = distinct and len(set(items)) < len(items)
    return next((fault for fault in faults if fault), "names one thing twice" if repeats else "")


REQUIRED = ("origin", "kind", "created_at", "content_hash")
# What MADR and its kin keep in the frontmatter of a decision record, beside fields of ours.
RECORD_FIELDS = frozenset(
    {"title", "status", "date", "decision-makers", "deciders", "consulted", "informed"}
)
_KIND_OF_TYPE = {type_: kind for kind, type_ in TYPE_OF_KIND.items() if kind != "rule"}


def told_kind(file: MemoryFile) -> str | None:
    """The kind that a file's text tells: that of the one Type its entries say, or of a record."""
    types = _types(file)
    one = _KIND_OF_TYPE.get(*types) if len(types) == 1 else None
    return "decision" if file.record else one


def has_no_one_kind(file: MemoryFile) -> bool:
    """True where no `kind` need stand: the entries' Types differ, or it was adopted and none
    tells it."""
    imported = file.origin == "imported"
    return len(_types(file)) > 1 or (imported and told_kind(file) is None)


def _types(file: MemoryFile) -> set[str]:
    return {field.value for entry in file.entries for field in entry.get("Type")}


def field_problems(file: MemoryFile) -> list[Problem]:
    """What is wrong with a file's frontmatter fields, each at its line.

    Kinds: field-missing, field-value, field-unknown, and field-alike for an unknown one that
    looks like one of ours. A file without frontmatter has none.
    """
    if not file.has_frontmatter or file.problems:
        return []
    missing = [
        Problem("field-missing", 1, f"`{key}` is missing")
        for key in REQUIRED
        if key not in file.frontmatter and not (key == "kind" and has_no_one_kind(file))
    ]
    return [*missing, *_value_problems(file), *_relation_problems(file)]


def _value_problems(file: MemoryFile) -> list[Problem]:
    problems = []
    for key, value in file.frontmatter.items():
        fault = field_fault(key, value)
        line = file.lines.get(key, 1)
        if fault:
            problems.append(Problem("field-value", line, f"`{visible(key, 40)}` {fault}"))
        elif key not in FRONTMATTER_FIELDS and not (file.record and key in RECORD_FIELDS):
            message = f"`{visible(key, 40)}` is not a field of a memory file"
            alike = _alike(key)
            told = f", and looks like `{alike}`" if alike else ""
            kind = "field-alike" if alike else "field-unknown"
            problems.append(Problem(kind, line, message + told))
    return problems


def _alike(key: str) -> str:
    """The field of ours that another one looks like, or is a slip away from; "" where none is."""
    from ktw.text.likeness import one_slip_apart, skeleton

    seen = skeleton(key[:100]).replace("-", "_")
    known = (ours for ours in FRONTMATTER_FIELDS if seen == skeleton(ours))
    return next(known, "") or next((o for o in FRONTMATTER_FIELDS if one_slip_apart(seen, o)), "")


def _relation_problems(file: MemoryFile) -> list[Problem]:
    """Fields that stand together, or not at all, or not beside each other."""
    problems = []
    if file.origin == "owner" and "agent" in file.frontmatter:
        message = "`agent` stands beside `origin: owner`"
        problems.append(Problem("field-value", file.lines.get("agent", 1), message))
    claim = [key for key in CLAIM_FIELDS[:2] if key in file.frontmatter]
    for key in CLAIM_FIELDS if claim else ():
        if key not in file.frontmatter:
            message = f"`{key}` is missing beside `{claim[0]}`"
            problems.append(Problem("field-value", file.lines.get(claim[0], 1), message))
    return problems


def obstacles(file: MemoryFile) -> list[Problem]:
    """The field problems for which no person is asked to approve a file: values that are wrong,
    and what may be taken for a field of ours."""
    return [one for one in field_problems(file) if one.kind in ("field-value", "field-alike")]


def breaks_approval(file: MemoryFile) -> bool:
    """True where a field problem keeps the file from being approved (unknown fields do not)."""
    problems = field_problems(file)
    return any(
        problem.kind == "field-value"
        or (problem.kind == "field-missing" and problem.message.startswith("`origin`"))
        for problem in problems
    )


def claim_holds(file: MemoryFile) -> bool:
    """True for a claim in a sound file, made for the very words it holds."""
    whole = not file.problems and not breaks_approval(file)
    return bool(file.trusted_at) and whole and file.content_hash == file.computed_hash
