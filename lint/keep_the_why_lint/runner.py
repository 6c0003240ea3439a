"""Runs every rule that holds over a project that was read: data in, a report out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import NamedTuple

from keep_the_why_lint.cache import Cache, Question, Rows
from keep_the_why_lint.cores import FEW, spread
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.project import (
    Memory,
    Page,
    Project,
    Section,
    Verdicts,
    directives_in,
    sections_of,
)
from keep_the_why_lint.reading import read_project
from keep_the_why_lint.registry import MEMORY_RULES, PAGE_RULES, PROJECT_RULES, SECTION_RULES
from keep_the_why_lint.rule import Rule, Subject
from ktw.config import Config, Version, format_block, parse_config
from ktw.config_fields import DEFAULTS
from ktw.memory import MemoryFile
from ktw.text import Span

# A file of a megabyte can hold half a million faults; nobody reads them, and all of them at once
# would cost more time and memory than a check may.
MOST_OF_A_RULE = 10_000
_MORE = "there is more of this from here on, which is not listed"
_SLOW = ("D", "F")  # the rules that ask for directives
_ABOUT_OTHERS = frozenset({"E118"})


@dataclass(frozen=True)
class Report:
    """All findings of a run, sorted, and what was looked at."""

    findings: tuple[Finding, ...]
    files: int
    entries: int
    schema: Version

    @property
    def errors(self) -> int:
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        return len(self.findings) - self.errors


def lint_project(
    root: Path,
    home: Path | None = None,
    verdicts: Verdicts | None = None,
    cache: Cache | None = None,
) -> Report:
    """Read the project at `root` and check it. `home`: check a developer's own settings too.

    `verdicts` gives trust's word on a memory file's path, None where it has none. `cache` spares
    texts that were checked before and changes no finding; it is saved at the end.
    """
    report = check_project(read_project(root, home, verdicts), cache)
    if cache is not None:
        cache.save()
    return report


def check_project(project: Project, cache: Cache | None = None) -> Report:
    """Every finding in a project that was read."""
    findings = sorted(_check_all(project, cache), key=lambda finding: finding.order)
    entries = sum(bool(entry.fields) for file in project.files for entry in file.entries)
    return Report(tuple(findings), len(project.files), entries, project.schema)


def check_draft(file: MemoryFile, config: Config | None = None) -> tuple[Finding, ...]:
    """Every finding in one memory file before it is written, whatever else the project holds.

    `config` is the project's; without it the newest context-schema counts. Whether its references
    lead anywhere is left to a run over the project.
    """
    project = Project(config or _newest(), files=(file,))
    memory, page = Memory(file, project), Page(file.path, file.text)
    rules = _rules_of_files(project.schema)
    found = [*_check_memory(memory, rules), *_run(PAGE_RULES, page)]
    kept = (finding for finding in found if finding.code not in _ABOUT_OTHERS)
    return tuple(sorted(kept, key=lambda finding: finding.order))


def _newest() -> Config:
    return parse_config(format_block("config", DEFAULTS["config"]))


def _check_all(project: Project, cache: Cache | None) -> Iterator[Finding]:
    yield from _run(_active(PROJECT_RULES, project.schema), project)
    texts = _Texts(cache or Cache())
    texts.look_at([Page(path, text) for path, text in project.texts])
    rules = _rules_of_files(project.schema)
    for file in project.files:
        yield from _check_memory(Memory(file, project, texts.directives), rules)
    for path, text in project.texts:
        yield from texts.findings(Page(path, text))


class _Texts:
    """What is found in texts as such, each asked for once: in earlier runs, or on all cores."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._rules = " ".join(rule.code for rule in PAGE_RULES)
        self._fields = [field.name for field in fields(Page)]

    def _about(self, page: Page) -> Question:
        """The question what a page holds; which rules there are is part of it."""
        return (self._rules, *[getattr(page, name) for name in self._fields])

    def look_at(self, pages: Sequence[Page]) -> None:
        """Ask about all pages that are not known yet, unless all that is asked is quick."""
        new = [page for page in pages if not self._cache.knows(self._about(page))]
        if len(new) < FEW or not any(rule.code in _SLOW for rule in MEMORY_RULES):
            return
        for page, (findings, spans) in zip(new, spread(_look, new), strict=True):
            self._cache.learn(self._about(page), findings)
            self._cache.learn(_about_directives(page.text), spans)

    def findings(self, page: Page) -> Iterator[Finding]:
        rows = self._cache.rows(self._about(page), lambda: _look_at_page(page))
        return (Finding(*row) for row in rows)

    def directives(self, text: str) -> Sequence[Span]:
        rows = self._cache.rows(_about_directives(text), lambda: _look_for_directives(text))
        return [Span(*row) for row in rows]


def _about_directives(text: str) -> Question:
    return "directives", text


def _look(page: Page) -> tuple[Rows, Rows]:
    return _look_at_page(page), _look_for_directives(page.text)


def _look_at_page(page: Page) -> Rows:
    return [list(astuple(found)) for found in _run(PAGE_RULES, page)]


def _look_for_directives(text: str) -> Rows:
    return [list(span) for span in directives_in(text)]


class _OfFiles(NamedTuple):
    """The rules for memory files and their sections that hold under a project's schema."""

    memory: Sequence[Rule[Memory]]
    entry: Sequence[Rule[Section]]
    heading: Sequence[Rule[Section]]


def _rules_of_files(schema: Version) -> _OfFiles:
    sections = _active(SECTION_RULES, schema)
    return _OfFiles(
        _active(MEMORY_RULES, schema),
        [rule for rule in sections if rule.scope == "entry"],
        [rule for rule in sections if rule.scope == "heading"],
    )


def _check_memory(memory: Memory, rules: _OfFiles) -> Iterator[Finding]:
    yield from _run(rules.memory, memory)
    for section in sections_of(memory.file, memory.project):
        yield from _run(rules.entry if section.entry.fields else rules.heading, section)


def _active(rules: Iterable[Rule[Subject]], schema: Version) -> list[Rule[Subject]]:
    return [rule for rule in rules if rule.since <= schema]


def _run(rules: Iterable[Rule[Subject]], subject: Subject) -> Iterator[Finding]:
    for rule in rules:
        for count, found in enumerate(rule.check(subject)):
            if count == MOST_OF_A_RULE:
                yield rule.finding(replace(found, message=_MORE), subject.path)
                break
            yield rule.finding(found, subject.path)
