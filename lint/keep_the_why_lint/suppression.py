"""What keeps findings out of a report, as data: ignores, a baseline, and what they did.

Knows no rule and reads nothing; `settling` applies it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.fingerprints import Fingerprint

# What a reader must always meet: paths that lead out, files that were not read, hidden text,
# imitations of the frame, secrets, what raises trust, and what is said about suppression itself.
NEVER_SILENT = (
    *("E006", "E007", "E009", "E010", "N10", "N11", "N12"),
    *("E301", "E302", "F", "H", "I", "S", "T"),
)

# What depends on a person's clone or home: another run of the same project may not see it.
NOT_EVERYWHERE = frozenset({"E013", "P203", "W004"})


def is_silenceable(code: str) -> bool:
    """Whether any finding of a code, or of any code that starts so, may be suppressed."""
    return not any(code.startswith(never) or never.startswith(code) for never in NEVER_SILENT)


def covers(prefixes: Iterable[str], code: str) -> bool:
    """Whether one of the codes or prefixes stands for `code`."""
    return any(code.startswith(prefix) for prefix in prefixes)


@dataclass(frozen=True)
class Ignore:
    """One line of the block: a code or prefix, the paths it holds for ("" for all), a reason."""

    line: int
    code: str
    paths: str
    reason: str

    def matches(self, finding: Finding) -> bool:
        """Whether it silences a finding. In `paths` a `*` stands for anything."""
        if not finding.code.startswith(self.code) or not is_silenceable(finding.code):
            return False
        return not self.paths or fnmatchcase(finding.path, self.paths)


@dataclass(frozen=True)
class IgnoreFault:
    """A line that ignores nothing. `kind`: malformed or refused."""

    line: int
    kind: str
    message: str


@dataclass(frozen=True)
class Ignores:
    """All of a project's, in the order of their lines."""

    path: str = ""
    lines: tuple[Ignore, ...] = ()
    faults: tuple[IgnoreFault, ...] = ()


@dataclass(frozen=True)
class Known:
    """One line: so many findings of one fingerprint were there before."""

    line: int
    fingerprint: Fingerprint
    count: int


@dataclass(frozen=True)
class Baseline:
    """A baseline that was read. `faults`: the lines that are none, with what is wrong."""

    path: str
    known: tuple[Known, ...] = ()
    faults: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Suppressed:
    """How many findings one thing kept out of a report. `by`: ignore, baseline or command-line."""

    by: str
    reason: str
    count: int


@dataclass(frozen=True)
class Settled:
    """What is left of a run's findings, and what was said in vain."""

    path: str
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()
    ignores: Ignores = Ignores()
    used: frozenset[int] = frozenset()
    baseline: Baseline | None = None
    missed: tuple[tuple[Known, int], ...] = ()
