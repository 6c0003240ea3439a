"""Runs every rule that holds over a project that was read: data in, a report out."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from keep_the_why_lint.cache import Cache
from keep_the_why_lint.comparison import Lines, line_texts
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.fingerprints import Fingerprint
from keep_the_why_lint.ignores import ignores_of
from keep_the_why_lint.page import Page
from keep_the_why_lint.places import project_prefix
from keep_the_why_lint.project import Memory, Project, Verdicts
from keep_the_why_lint.reading import read_project
from keep_the_why_lint.registry import (
    MEMORY_RULES,
    PAGE_RULES,
    PROJECT_RULES,
    RULES_BESIDE,
    RUN_RULES,
    SECTION_RULES,
)
from keep_the_why_lint.remembered import run_digest
from keep_the_why_lint.rule import Rule, Subject, run_rules
from keep_the_why_lint.section import Section, sections_of
from keep_the_why_lint.settling import baselined, choose, settle
from keep_the_why_lint.showing import remembering
from keep_the_why_lint.suppression import Baseline, Suppressed
from keep_the_why_lint.texts import Texts
from ktw.config import Config, Version, format_block, parse_config
from ktw.config_fields import DEFAULTS
from ktw.memory import MemoryFile

# What a file says of others cannot be judged where they were not read.
_ABOUT_OTHERS = frozenset({"E118", "P221", "P224"})


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
    suppressed: tuple[Suppressed, ...] = ()
    prefix: str = ""
    lines: Lines = field(default_factory=dict)
    approved: tuple[MemoryFile, ...] | None = None

    @property
    def errors(self) -> int:
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        return len(self.findings) - self.errors

    def plain(self) -> list[Any]:
        """It as plain JSON, but for `prefix` and `approved`."""
        return [
            [finding.as_row() for finding in self.findings],
            self.files,
            self.entries,
            self.schema,
            [astuple(row) for row in self.suppressed],
            [(*place, text) for place, text in self.lines.items()],
        ]

    @classmethod
    def of_plain(cls, value: Sequence[Any]) -> "Report":
        """The report that `plain` gave."""
        findings, files, entries, schema, suppressed, lines = value
        return cls(
            tuple([Finding(*row) for row in findings]),
            files,
            entries,
            tuple(schema),
            tuple([Suppressed(*row) for row in suppressed]),
            lines={(path, line): text for path, line, text in lines},
        )


def lint_project(
    root: Path,
    home: Path | None = None,
    verdicts: Verdicts | None = None,
    today: date | None = None,
    baseline: Baseline | None = None,
    cache: Cache | None = None,
    select: Sequence[str] = (),
) -> Report:
    """Read the project at `root` and check it. `home`: check a developer's own settings too.

    `verdicts` gives trust's word on a memory file's path, None where it has none. `today`, in UTC:
    report what claims to have been done later. `cache` spares texts that were checked before and
    changes no finding; it is saved at the end. `select`: codes or prefixes; rules that find none
    of them are not run.
    """
    project = replace(read_project(root, home, verdicts), today=today)

    def check() -> Report:
        return check_project(project, baseline, cache=cache, select=select)

    if cache is None:
        report = check()
    else:
        digest = run_digest(project, baseline, select)
        report = Report.of_plain(cache.of_run(digest, lambda: check().plain()))
        cache.save()
    return replace(report, prefix=project_prefix(root))


def check_project(
    project: Project,
    baseline: Baseline | None = None,
    *,
    only: Collection[str] | None = None,
    cache: Cache | None = None,
    select: Sequence[str] = (),
) -> Report:
    """Every finding in a project that was read, but those that its config or `baseline` names.

    `only`: of what stands in single files, no more than what stands in these paths. `select`: as
    above; what was ignored in vain (I1xx) is known only where every rule was run.
    """
    asked = () if any(rule.may_find(select) for rule in RUN_RULES) else select
    found = sorted_findings(project, only, cache, asked)
    settled = settle(found, project, ignores_of(project), baseline)
    findings = sorted(
        (*settled.findings, *run_rules(RUN_RULES, settled)), key=lambda finding: finding.order
    )
    entries = sum(bool(entry.fields) for file in project.files for entry in file.entries)
    return Report(
        tuple(findings),
        len(project.files),
        entries,
        project.schema,
        settled.suppressed,
        lines=line_texts(findings, project),
    )


def narrowed(report: Report, select: Sequence[str], ignore: Sequence[str]) -> Report:
    """The report with what a command line asks for alone."""
    findings, rows = choose(report.findings, select, ignore)
    return replace(report, findings=findings, suppressed=(*report.suppressed, *rows))


def findings_to_know(project: Project) -> list[Fingerprint]:
    """What a baseline of the project holds: every finding but those that its config ignores."""
    settled = settle(sorted_findings(project), project, ignores_of(project), None)
    return baselined(settled.findings, project)


def sorted_findings(
    project: Project,
    only: Collection[str] | None = None,
    cache: Cache | None = None,
    select: Sequence[str] = (),
) -> list[Finding]:
    """Every finding of every rule that holds, whatever is ignored; the rest as above."""
    cache = cache or Cache()
    with remembering(cache):
        return sorted(_check_all(project, only, cache, select), key=lambda found: found.order)


def check_draft(file: MemoryFile, config: Config | None = None) -> tuple[Finding, ...]:
    """Every finding in one memory file before it is written, whatever else the project holds.

    `config` is the project's; without it the newest context-schema counts. Whether its references
    lead anywhere is left to a run over the project. The sections of a decision record are no
    entries, so none lacks fields.
    """
    project = Project(config or _newest(), files=(file,))
    rules = _rules_of_files(project.schema, ())
    found = [
        *run_rules(rules.memory, Memory(file, project)),
        *(() if file.record else _check_sections(file, project, rules)),
        *run_rules(PAGE_RULES, Page(file.path, file.text)),
    ]
    kept = (finding for finding in found if finding.code not in _ABOUT_OTHERS)
    return tuple(sorted(kept, key=lambda finding: finding.order))


def _newest() -> Config:
    return parse_config(format_block("config", DEFAULTS["config"]))


def _check_all(
    project: Project, only: Collection[str] | None, cache: Cache, select: Sequence[str]
) -> Iterator[Finding]:
    def is_asked(path: str) -> bool:
        return only is None or path in only

    rules = _rules_of_files(project.schema, select)
    beside = {kind: _active(kept, project.schema, select) for kind, kept in RULES_BESIDE.items()}
    asks = any(rule.code in ("D", "F") for rule in rules.memory)
    texts = Texts(cache, _active(PAGE_RULES, project.schema, select), asks)
    texts.look_at([page for page in project.texts if is_asked(page.path)])
    # What follows goes on beside the other processes, until a text's own findings are asked for.
    yield from run_rules(_active(PROJECT_RULES, project.schema, select), project)
    files = [file for file in project.files if is_asked(file.path)]
    for file in files:
        yield from _check_sections(file, project, rules)
    for file in files:
        yield from run_rules(rules.memory, Memory(file, project, texts.directives))
    for page in filter(lambda page: is_asked(page.path), project.texts):
        yield from texts.findings(page)
        other = Memory.without_claims(page, project, texts.directives)
        yield from run_rules(beside[page.kind], other)


class _OfFiles(NamedTuple):
    """The rules for memory files and their sections that hold under a project's schema."""

    memory: Sequence[Rule[Memory]]
    entry: Sequence[Rule[Section]]
    heading: Sequence[Rule[Section]]


def _rules_of_files(schema: Version, select: Sequence[str]) -> _OfFiles:
    sections = _active(SECTION_RULES, schema, select)
    return _OfFiles(
        _active(MEMORY_RULES, schema, select),
        [rule for rule in sections if rule.scope == "entry"],
        [rule for rule in sections if rule.scope == "heading"],
    )


def _check_sections(file: MemoryFile, project: Project, rules: _OfFiles) -> Iterator[Finding]:
    for section in sections_of(file, project):
        yield from run_rules(rules.entry if section.entry.fields else rules.heading, section)


def _active(
    rules: Iterable[Rule[Subject]], schema: Version, select: Sequence[str]
) -> list[Rule[Subject]]:
    return [rule for rule in rules if rule.since <= schema and rule.may_find(select)]
