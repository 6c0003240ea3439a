"""What reading a frontmatter gives: values, the place of each key, and what was wrong.

Shared by the two readers, the strict line form and the event stream; reads nothing itself.
"""

from collections.abc import Sequence
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


class Parsed:
    """The mapping a source holds, the file line of each key, and what was wrong with it."""

    def __init__(self, problems: Sequence[Problem] = ()) -> None:
        self.values: dict[str, Value] = {}
        self.lines: dict[str, int] = {}
        self.places: dict[str, Place] = {}
        self.problems = list(problems)
