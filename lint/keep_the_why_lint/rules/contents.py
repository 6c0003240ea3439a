"""Rules about what an entry holds: a title of its own, something to read, and its source."""

from collections.abc import Iterator

from keep_the_why_lint.project import Memory, Project
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.section import Section
from ktw.entries import Entry
from ktw.memory import MemoryFile
from ktw.text.likeness import skeleton


@rule("M106", "entry")
def title_empty(section: Section) -> Iterator[Found]:
    """An entry has no title.

    Why: it cannot be named, linked to or told apart.
    Fix: say in a few words after `##` what the entry is about.
    Bad: `##` with fields below it.
    Good: `## Snapshot before buffer`
    """
    if not section.entry.title.strip():
        yield Found(section.line, "the entry has no title")


@rule("M107", "entry", severity="warning")
def body_empty(section: Section) -> Iterator[Found]:
    """An entry has fields and says nothing.

    Why: it records that something was decided, and not what or why.
    Fix: write what holds and the reason, or delete the entry.
    Bad: a heading, Id, Type, Status and Evidence, and then the next heading.
    Good: the same with a paragraph below.
    """
    entry = section.entry
    if entry.fields[-1].line < entry.end_line:
        return
    told = sum(bool(line.strip()) for line in entry.text.split("\n"))
    if told <= len(entry.fields):
        yield Found(section.line, f"the entry {quoted(entry.title)} has fields and no words")


@rule("M108", "project", severity="warning")
def title_repeated(project: Project) -> Iterator[Found]:
    """Two entries that hold have the same title, in one file or in two.

    Why: who names one of them may mean the other, and a link by title leads to the first.
    Fix: say in the title what tells them apart. (A superseded entry and its successor, or a
    proposal and what it wants to replace, may share one.)
    Bad: two active entries `## Timeouts`.
    Good: `## Timeouts of the client` and `## Timeouts of the upload`
    """
    seen: dict[str, tuple[MemoryFile, Entry]] = {}
    for file in project.files:
        for entry in file.entries if file.proposes is None else ():
            title = _folded(entry.title)
            if not entry.fields or not title or entry.status == "superseded":
                continue
            first_file, first = seen.setdefault(title, (file, entry))
            if first is not entry:
                where = f"line {first.line} of {quoted(first_file.path)}"
                message = f"the title {quoted(entry.title)} already stands on {where}"
                yield Found(entry.line, message, file.path)


def _folded(title: str) -> str:
    plain = title.lower() if title.isascii() else skeleton(title)
    return " ".join(plain.split())


@rule("M109", "entry", severity="warning")
def source_empty(section: Section) -> Iterator[Found]:
    """A Source line names no source.

    Why: it looks as if the entry could be checked, and there is nothing to check it against.
    Fix: name the source, or delete the line.
    Bad: `**Source:**`
    Good: `**Source:** interview with the maintainer, 2026-01-02`
    """
    for field in section.get("Source"):
        if not field.value:
            yield Found(field.line, "**Source:** names no source")


@rule("M110", "memory", severity="warning")
def source_missing(memory: Memory) -> Iterator[Found]:
    """An entry has no source, in a project whose config asks for one always.

    Why: `source-reference: always` promises every reader that a claim can be traced.
    Fix: add a Source line (the frontmatter's `source` counts too), or relax the setting.
    Bad: an entry without Source under `- source-reference: always`.
    Good: `**Source:** https://example.org/issues/12`
    """
    config = memory.project.config
    if config is None or config.value("source-reference") != "always" or memory.file.source:
        return
    for entry in memory.file.entries:
        if entry.fields and not entry.get("Source"):
            message = "has no **Source:** line, and the config always asks for one"
            yield Found(entry.line, f"the entry {quoted(entry.title)} {message}")


RULES: tuple[Rule[Section], ...] = (
    title_empty,
    body_empty,
    source_empty,
)
MEMORY_RULES: tuple[Rule[Memory], ...] = (source_missing,)
PROJECT_RULES: tuple[Rule[Project], ...] = (title_repeated,)
