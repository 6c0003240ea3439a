"""Put a table into a TOML file, or take it out, as a block of lines; what stands there stays.

Knows text alone. tomllib reads the result each time: a block that would mean anything else than
the entry is not written. (A round-trip library was tried for this: it wrote LF into files with
CRLF, and left blank lines behind.)
"""

import json
import re
import tomllib
from collections.abc import Sequence

from ktw.wiring.documents import Broken, Json, Unfit, line_end
from ktw.wiring.entries import Entry, Keeps

_LINE = re.compile(r"at line (\d+)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_MOST_PARTS = 10_000_000  # tomllib keeps every beginning of a dotted key: the square of its parts


def read(text: str) -> Json:
    """The data of a TOML text, its fractions as they are written; raises Broken."""
    if sum(line.count(".") ** 2 for line in text.split("\n")) > _MOST_PARTS:
        raise Broken(1, "its keys have too many parts")
    try:
        data: Json = tomllib.loads(text, parse_float=str)  # `nan` equals no other `nan`
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        why = str(error).partition(" (at ")[0]
        raise Broken(int(found.group(1)) if found else text.count("\n") + 1, why) from error
    except RecursionError as error:
        raise Broken(1, "it is nested too deep") from error
    return data


def add(text: str, entries: Sequence[Entry]) -> str:
    """The text with the tables of entries behind it; raises Broken, and Unfit where TOML has no
    place for one."""
    read(text)
    for entry in entries:
        end = line_end(text)
        gap = "" if not text else end if text.endswith("\n") else end + end
        text = text + gap + _block(entry).replace("\n", end)
    try:
        read(text)
    except Broken as error:
        raise Unfit(f"a table cannot be added to it: {error.why}") from error
    return text


def _block(entry: Entry) -> str:
    """The lines of an entry, its header first."""
    if entry.listed or not isinstance(entry.value, dict):
        raise Unfit("only tables are written")
    header = ".".join(key if _BARE.fullmatch(key) else json.dumps(key) for key in entry.path)
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=True)}" for key, value in entry.value.items()
    ]
    return "\n".join((f"[{header}]", *lines, ""))


def remove(text: str, entries: Sequence[Entry], keeps: Keeps) -> str:
    """The text without the tables of entries; one that stands in no block of its own stays."""
    for entry in entries:
        text = _without(text, entry)
    return text


def _without(text: str, entry: Entry) -> str:
    header = r"[ \t]*\.[ \t]*".join(
        rf"""(?:{re.escape(key)}|"{re.escape(key)}"|'{re.escape(key)}')""" for key in entry.path
    )
    found = re.search(rf"^[ \t]*\[[ \t]*{header}[ \t]*\][^\n]*(?:\n|\Z)", text, re.MULTILINE)
    if not found:
        return text
    start, end = found.span()
    for line in text[end:].splitlines(keepends=True):
        if line.lstrip().startswith("[") or not line.strip() or line.lstrip().startswith("#"):
            break
        end += len(line)
    blank = re.search(r"(?:^|\n)(\r?\n)\Z", text[:start])
    return text[: blank.start(1) if blank else start] + text[end:]
