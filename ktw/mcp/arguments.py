"""Whether a call's arguments are what a tool's input schema says: nothing more, nothing else.

Reads the part of JSON Schema that the tools use (type, enum, lengths, bounds, pattern, items,
required, no further properties) and never quotes a value back.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ktw.errors import visible

Schema = Mapping[str, Any]


def faults(schema: Schema, arguments: Mapping[str, Any]) -> list[str]:
    """What is wrong with `arguments`, one clause each; empty where they fit the schema."""
    known = schema["properties"]
    unknown = [visible(name, 40) for name in arguments if name not in known]
    found = [f"there is no argument '{name}'" for name in unknown]
    if unknown:
        found.append(f"this tool takes {', '.join(known)}")
    missing = [name for name in schema.get("required", ()) if name not in arguments]
    found += [f"'{name}' is missing" for name in missing]
    for name, value in arguments.items():
        if name in known:
            found += [f"'{name}' {why}" for why in _wrong(known[name], value)]
    return found


def is_text(value: object) -> bool:
    """False where a string anywhere in a JSON value holds half of a character."""
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, dict):
        return all(is_text(key) and is_text(inner) for key, inner in value.items())
    return all(map(is_text, value)) if isinstance(value, list) else True


def _wrong(schema: Schema, value: object) -> Iterator[str]:
    """What is wrong with one value."""
    named, fits = _TYPES[schema["type"]]
    if not fits(value):
        yield f"must be {named}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"must be one of {', '.join(schema['enum'])}"
        return
    for keyword, (told, broken) in _LIMITS.items():
        if keyword in schema and broken(value, schema[keyword]):
            yield told.format(_number(schema[keyword]))
    if isinstance(value, list):
        yield from (f"holds something that {why}" for why in _of_items(schema["items"], value))


def _of_items(schema: Schema, values: list[Any]) -> Iterator[str]:
    seen: set[str] = set()
    for why in (why for value in values for why in _wrong(schema, value)):
        if why not in seen:
            seen.add(why)
            yield why


def _number(limit: object) -> str:
    return f"{limit:,}" if isinstance(limit, int) else str(limit)


def _has_form(value: str, form: str) -> bool:
    """True where the whole value has the form, which is anchored at both ends."""
    return re.fullmatch(form[1:-1], value) is not None


_TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "string": ("a text", lambda value: isinstance(value, str)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "array": ("a list", lambda value: isinstance(value, list)),
    "integer": (
        "a whole number",
        lambda value: isinstance(value, int) and not isinstance(value, bool),
    ),
}
_LIMITS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minLength": ("has fewer than {} characters", lambda value, least: len(value) < least),
    "maxLength": ("is longer than {} characters", lambda value, most: len(value) > most),
    "minItems": ("has fewer than {} items", lambda value, least: len(value) < least),
    "maxItems": ("has more than {} items", lambda value, most: len(value) > most),
    "minimum": ("must be at least {}", lambda value, least: value < least),
    "maximum": ("must be at most {}", lambda value, most: value > most),
    "pattern": ("does not have the form {}", lambda value, form: not _has_form(value, form)),
}
