"""Runs every rule that holds over a project that was read: data in, a report out."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from keep_the_why_lint.comparison import Lines, line_texts
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.places import project_prefix
from keep_the_why_lint.project import Memory, Page, Project, Verdicts, sections_of
from keep_the_why_lint.reading import read_project
from keep_the_why_lint.registry import MEMORY_RULES, PAGE_RULES, PROJECT_RULES, SECTION_RULES
from keep_the_why_lint.rule import Rule, Subject
from ktw.config import Config, Version, format_block, parse_config
from ktw.config_fields import DEFAULTS
from ktw.memory import MemoryFile

_ABOUT_OTHERS = frozenset({"E118"})


@dataclass(frozen=True)
class Report:
    """All findings of a run, sorted, and what was looked at.

    `prefix`: the project below git's top, "" where they are the same. `lines`: the text of each
    line that a finding points to. `approved`: with a base, the memory files that merging approves.
    """

    findings: tuple[Finding, ...]
    files: int
    entries: int
    schema: Version
    prefix: str = ""
    lines: Lines = field(default_factory=dict)
    approved: tuple[MemoryFile, ...] | None = None

    @property
    def errors(self) -> int:
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        return len(self.findings) - self.errors


def lint_project(root: Path, home: Path | None = None, verdicts: Verdicts | None = None) -> Report:
    """Read the project at `root` and check it. `home`: check a developer's own settings too.

    `verdicts` gives trust's word on a memory file's path, None where it has none.
    """
    report = check_project(read_project(root, home, verdicts))
    return replace(report, prefix=project_prefix(root))


def check_project(project: Project, *, only: Collection[str] | None = None) -> Report:
    """Every finding in a project that was read.

    `only`: of what stands in single files, no more than what stands in these paths.
    """
    findings = sorted(_check_all(project, only), key=lambda finding: finding.order)
    entries = sum(bool(entry.fields) for file in project.files for entry in file.entries)
    return Report(
        tuple(findings),
        len(project.files),
        entries,
        project.schema,
        lines=line_texts(findings, project),
    )


def check_draft(file: MemoryFile, config: Config | None = None) -> tuple[Finding, ...]:
    """Every finding in one memory file before it is written, whatever else the project holds.

    `config` is the project's; without it the newest context-schema counts. Whether its references
    lead anywhere is left to a run over the project.
    """
    project = Project(config or _newest(), files=(file,))
    found = [*_check_memory(file, project, project.schema), *_check_page(file.path, file.text)]
    kept = (finding for finding in found if finding.code not in _ABOUT_OTHERS)
    return tuple(sorted(kept, key=lambda finding: finding.order))


def _newest() -> Config:
    return parse_config(format_block("config", DEFAULTS["config"]))


def _check_all(project: Project, only: Collection[str] | None) -> Iterator[Finding]:
    yield from _run(_active(PROJECT_RULES, project.schema), project)
    for file in project.files:
        if only is None or file.path in only:
            yield from _check_memory(file, project, project.schema)
    for path, text in project.texts:
        if only is None or path in only:
            yield from _check_page(path, text)


def _check_page(path: str, text: str) -> Iterator[Finding]:
    yield from _run(PAGE_RULES, Page(path, text))


def _check_memory(file: MemoryFile, project: Project, schema: Version) -> Iterator[Finding]:
    yield from _run(_active(MEMORY_RULES, schema), Memory(file, project))
    active = _active(SECTION_RULES, schema)
    of_entries = [rule for rule in active if rule.scope == "entry"]
    of_prose = [rule for rule in active if rule.scope == "heading"]
    for section in sections_of(file, project):
        yield from _run(of_entries if section.entry.fields else of_prose, section)


def _active(rules: Iterable[Rule[Subject]], schema: Version) -> list[Rule[Subject]]:
    return [rule for rule in rules if rule.since <= schema]


def _run(rules: Iterable[Rule[Subject]], subject: Subject) -> Iterator[Finding]:
    for rule in rules:
        for found in rule.check(subject):
            yield rule.finding(found, subject.path)
