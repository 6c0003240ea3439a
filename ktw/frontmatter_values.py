"""What reading a frontmatter gives: values, the place of each key, and what was wrong.

Shared by the two readers, the strict line form and the event stream; reads nothing itself.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

Value = str | list["Value"] | dict[str, "Value"]


class Problem(NamedTuple):
    """Something wrong in a file, as data: a short kind, a line of that file, and what it is."""

    kind: str
    line: int
    message: str


class Place(NamedTuple):
    """Where a key's value stands in the source: character range, and the range of whole lines."""

    start: int
    end: int
    first_line: int
    last_line: int


@dataclass
class Parsed:
    """The mapping a source holds, the file line of each key, and what was wrong with it."""

    values: dict[str, Value] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
