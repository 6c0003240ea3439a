"""What the forms of settings files have in common: values, edits, and what makes a file broken."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


class Broken(Exception):
    """A text that is not of its form: the line (from 1), and what is wrong there."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line, self.why = line, why


class Unfit(Exception):
    """A text that could hold an entry, but not as it is now; says why."""


class Edit(NamedTuple):
    """Characters `start` to `end` become `text`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """`text` with edits that do not overlap; those at one place in the order given."""
    pieces, at = [], 0
    for edit in sorted(edits, key=lambda each: each.start):
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join((*pieces, text[at:]))


def line_end(text: str) -> str:
    """The line end that a text has first, LF where it has none."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"
