"""The settings of hooks, from git config, where nothing in a work tree can set them.

`ktw.hookChars` and `ktw.hookMs` are budgets, `ktw.hooksUnapproved` is `frame` or `count`,
`ktw.hooksReminder` is `true` or `false`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ktw.git import Repository, Setting
from ktw.origins import in_work_tree

CHARS, MS, UNAPPROVED, REMINDER = (
    "ktw.hookChars",
    "ktw.hookMs",
    "ktw.hooksUnapproved",
    "ktw.hooksReminder",
)
LEAST_CHARS, MOST_CHARS, LEAST_MS, MOST_MS = 200, 10_000, 50, 30_000
_KEYS = {name.lower(): name for name in (CHARS, MS, UNAPPROVED, REMINDER)}


class Settings(NamedTuple):
    """`chars` of context an event may add, `ms` it may take; `counts_unapproved`: their bodies are
    counted instead of framed; `reminds`: time-sensitive prompts get a reminder; `faults`: values
    that do not count, and why."""

    chars: int = 4000
    ms: int = 3000
    counts_unapproved: bool = False
    reminds: bool = True
    faults: tuple[str, ...] = ()


DEFAULT = Settings()


def hook_settings(repository: Repository, stated: Sequence[Setting]) -> Settings:
    """The settings of this clone among all that its git config states."""
    values: dict[str, str] = {}
    faults = []
    for setting in stated:
        if setting.key not in _KEYS:
            continue
        if in_work_tree(repository, setting.origin):
            faults.append(f"{_KEYS[setting.key]} lies in a work tree and does not count")
        else:
            values[setting.key] = setting.value
    chars, ms = values.get(CHARS.lower(), ""), values.get(MS.lower(), "")
    return Settings(
        _number(CHARS, chars, DEFAULT.chars, (LEAST_CHARS, MOST_CHARS), faults),
        _number(MS, ms, DEFAULT.ms, (LEAST_MS, MOST_MS), faults),
        values.get(UNAPPROVED.lower()) == "count",
        values.get(REMINDER.lower()) != "false",
        tuple(faults),
    )


def _number(name: str, value: str, default: int, limits: tuple[int, int], faults: list[str]) -> int:
    if not value:
        return default
    least, most = limits
    plain = value.isascii() and value.isdigit() and len(value) < 10
    if plain and least <= int(value) <= most:
        return int(value)
    faults.append(f"{name} is no number from {least} to {most:,}; {default:,} counts")
    return default
