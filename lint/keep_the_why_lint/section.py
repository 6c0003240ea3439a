"""An entry as rules judge it: its header fields by label, in its project. Reads nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from keep_the_why_lint.project import Project
from ktw.entries import Entry, FieldLine
from ktw.memory import MemoryFile


@dataclass(slots=True)
class Section:
    """A level-2 section in its file, its header fields grouped by label."""

    path: str
    entry: Entry
    project: Project
    fields: Mapping[str, Sequence[FieldLine]] = field(default_factory=dict)

    @property
    def line(self) -> int:
        return self.entry.line

    def get(self, label: str) -> Sequence[FieldLine]:
        """The field lines of that label, in order."""
        return self.fields.get(label, ())


def sections_of(file: MemoryFile, project: Project) -> list[Section]:
    """The level-2 sections of a file as rules see them."""
    return [Section(file.path, entry, project, _by_label(entry.fields)) for entry in file.entries]


def _by_label(fields: Sequence[FieldLine]) -> Mapping[str, Sequence[FieldLine]]:
    grouped: dict[str, list[FieldLine]] = {}
    for found in fields:
        grouped.setdefault(found.label, []).append(found)
    return grouped
