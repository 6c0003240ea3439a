"""Several projects in one run: found below a directory, named apart, and told as one report.

It follows no link and reads no file.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from keep_the_why_lint.runner import Report
from keep_the_why_lint.suppression import Suppressed
from ktw.config import CONFIG_FILE
from ktw.errors import KtwError, UsageError, visible
from ktw.memory import MemoryFile

# What tools fill with other people's files; no project of a person's own stands in there.
_NOT_SEARCHED = frozenset(
    ".git .hg .svn node_modules bower_components site-packages __pycache__ .venv venv .tox .nox "
    ".mypy_cache .pytest_cache .ruff_cache".split()
)
_MOST_DIRECTORIES = 200_000


@dataclass(frozen=True)
class Place:
    """A project's root and what its paths begin with in a report: "" or `name/`."""

    root: Path
    prefix: str = ""


@dataclass(frozen=True)
class Search:
    """The roots of the projects below a directory, and the directories that cannot be listed."""

    roots: tuple[Path, ...]
    unlisted: tuple[str, ...]


def search_projects(start: Path) -> Search:
    """Every directory at or below `start` with a `.keep-the-why` file, in order; follows no link.

    Raises UsageError where there is none, KtwError beyond 200,000 directories.
    """
    roots: list[Path] = []
    unlisted: list[str] = []
    walk = os.walk(start, onerror=lambda error: unlisted.append(str(error.filename)))
    for seen, (directory, below, files) in enumerate(walk):
        if seen == _MOST_DIRECTORIES:
            what = f"more than {_MOST_DIRECTORIES:,} directories below {visible(str(start))}"
            raise KtwError(what, "Name the projects, or a directory nearer to them.")
        below[:] = sorted(name for name in below if name not in _NOT_SEARCHED)
        if CONFIG_FILE in files:
            roots.append(Path(directory))
    if not roots:
        what = f"there is no {CONFIG_FILE} in {visible(str(start))} or below it"
        raise UsageError(what, "Set a project up with: ktw init")
    return Search(tuple(roots), tuple(unlisted))


def place_projects(roots: Iterable[Path], starts: Iterable[Path], here: Path) -> list[Place]:
    """The projects, each once, with prefixes that tell them apart.

    They are named from `here` where all stand below it, else from the nearest directory above all
    `starts`, which are what was asked for.
    """
    real = {Path(os.path.realpath(root)): root for root in reversed(tuple(roots))}
    if len(real) == 1:
        return [Place(root) for root in real.values()]
    base = Path(os.path.realpath(here))
    if not all(place.is_relative_to(base) for place in real):
        base = _above(Path(os.path.realpath(start)) for start in starts)
    named = ((place.relative_to(base).as_posix(), real[place]) for place in real)
    return [
        Place(root, "" if name == "." else f"{name}/")
        for name, root in sorted(named, key=lambda pair: pair[0])
    ]


def _above(paths: Iterable[Path]) -> Path:
    try:
        return Path(os.path.commonpath([str(path) for path in paths]))
    except ValueError as error:
        raise UsageError("the projects stand on different drives", "Name one at a time.") from error


def joined(reports: Sequence[tuple[Place, Report]]) -> Report:
    """One report of them all: the paths prefixed, the counts summed, the oldest context-schema."""
    if len(reports) == 1:
        return reports[0][1]
    findings = {
        replace(found, path=_prefixed(place, found.path))
        for place, report in reports
        for found in report.findings
    }
    return Report(
        tuple(sorted(findings, key=lambda found: found.order)),
        sum(report.files for _, report in reports),
        sum(report.entries for _, report in reports),
        min(report.schema for _, report in reports),
        tuple(_summed(reports)),
        _prefix_of_all(reports),
        {
            (_prefixed(place, path), line): text
            for place, report in reports
            for (path, line), text in report.lines.items()
        },
        _approved(reports),
    )


def _prefix_of_all(reports: Iterable[tuple[Place, Report]]) -> str:
    """Where the paths of the joined report begin, from git's top; "" where they do not agree."""
    starts = {
        f"{report.prefix}/".removesuffix(place.prefix or "\0").strip("/")
        for place, report in reports
    }
    return starts.pop() if len(starts) == 1 else ""


def _approved(reports: Iterable[tuple[Place, Report]]) -> tuple[MemoryFile, ...] | None:
    told = [(place, report.approved) for place, report in reports if report.approved is not None]
    files = (f._replace(path=_prefixed(place, f.path)) for place, found in told for f in found)
    return tuple(files) if told else None


def _prefixed(place: Place, path: str) -> str:
    return path if path.startswith("~") else f"{place.prefix}{path}"


def _summed(reports: Iterable[tuple[Place, Report]]) -> Iterator[Suppressed]:
    counts: dict[tuple[str, str], int] = {}
    for _, report in reports:
        for row in report.suppressed:
            counts[row.by, row.reason] = counts.get((row.by, row.reason), 0) + row.count
    for (by, reason), count in counts.items():
        yield Suppressed(by, reason, count)
