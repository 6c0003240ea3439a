"""Taint: what a memory was made from is revoked, gone or not approved, and its reader is told.

Its own verdict stays as it is. Judges the sources as they are now; writes nothing.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ktw.catalogue import Catalogue
from ktw.evidence import Evidence
from ktw.memory import MemoryFile, is_uuid
from ktw.operations.finding import read_file
from ktw.operations.in_force import InForce
from ktw.render import Reading, Taint
from ktw.store import Project

if TYPE_CHECKING:
    from keep_the_why_lint.finding import Finding, Severity

REVOKED, GONE, UNAPPROVED = "P223", "P224", "P225"  # the linter's codes for the same things
TAINTS = {REVOKED: "source-revoked", GONE: "source-gone", UNAPPROVED: "source-unapproved"}


class Sources:
    """Judges what memories were made from, each source once."""

    def __init__(
        self, project: Project, evidence: Evidence, catalogue: Catalogue, standing: InForce
    ) -> None:
        self._project, self._evidence, self._catalogue = project, evidence, catalogue
        self._standing = standing
        self._carriers: dict[str, Sequence[str]] | None = None
        self._known: dict[tuple[str, str], str | None] = {}

    def told(self, reading: Reading) -> Reading:
        """The same memory with what is to be said of its sources."""
        taints = self.of(reading.file)
        return reading._replace(taints=taints) if taints else reading

    def of(self, file: MemoryFile) -> tuple[Taint, ...]:
        """What is to be said of the memories that a file was made from; URLs are not looked at."""
        ids = dict.fromkeys(value.lower() for value in file.derived_from if is_uuid(value.lower()))
        return tuple(self._taints(file, ids))

    def _taints(self, file: MemoryFile, ids: dict[str, None]) -> Iterator[Taint]:
        told = {
            REVOKED: "whose words were revoked",
            GONE: "which no other memory here carries",
            UNAPPROVED: "which is not approved",
        }
        for id_ in ids:
            code = self._code(file.path, id_)
            if code is not None:
                yield Taint(code, f"it was made from Id {id_}, {told[code]}")

    def _code(self, path: str, id_: str) -> str | None:
        if (path, id_) not in self._known:
            self._known[path, id_] = self._judged(path, id_)
        return self._known[path, id_]

    def _judged(self, path: str, id_: str) -> str | None:
        if any(each.reading.address == id_ for each in self._standing.standing):
            return None
        if self._carriers is None:
            self._carriers = dict(self._catalogue.carriers())
        sources = [
            one
            for name in self._carriers.get(id_, ())
            for one in read_file(self._project, self._evidence, name)
            if one.address == id_ and one.file.path != path
        ]
        verdicts = {one.verdict.name for one in sources}
        if not verdicts:
            return GONE
        if "revoked" in verdicts:
            return REVOKED
        return None if "approved" in verdicts else UNAPPROVED


def as_findings(file: MemoryFile, taints: Sequence[Taint]) -> "tuple[Finding, ...]":
    """Taints as a reviewer meets them: what was revoked has to be named to be approved."""
    from keep_the_why_lint.finding import Finding  # a recall pays for no linter

    line = file.lines.get("derived_from", 1)
    return tuple(
        Finding(one.code, _severity(one), file.path, line, 1, line, one.message, TAINTS[one.code])
        for one in taints
    )


def _severity(taint: Taint) -> "Severity":
    return "error" if taint.code == REVOKED else "warning"
