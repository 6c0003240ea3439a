"""Rules about what a row of `index.md` says of the file it links to, and where else it leads."""

import re
import unicodedata
from collections.abc import Iterator

from keep_the_why_lint.finding import Severity
from keep_the_why_lint.project import IndexPage, IndexRow, Project, has_provenance
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from ktw.contents import undescribed
from ktw.entries import unfenced_lines
from ktw.fields import field_fault, has_no_one_kind
from ktw.memory import KINDS, ORIGINS, MemoryFile

_PARTS = re.compile(r"\s*-\s*\[([^\]]+)\]\(([^)]+)\)(.*)")
_OUTSIDE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\]|\.\.|%2[eEfF]|%5[cC]")
_LINK = re.compile(r"\]\(\s{0,4}<?([^)#>\s]{1,255})")
_GENERATED = re.compile(
    r"\s*- \[([^\]]+)\]\(\1\) \u2014 "
    rf"({'|'.join(KINDS)}), ({'|'.join(ORIGINS)}), ([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})\s*"
)
_TOLD = ("kind", "origin", "created_at")


def _all_rows(page: IndexPage | None) -> list[IndexRow]:
    return sorted((*page.rows, *page.strays), key=lambda row: row.line) if page else []


def _parts(row: IndexRow) -> tuple[str, str, str]:
    """The label of a row's link, its whole target, and what stands after it."""
    match = _PARTS.fullmatch(row.text)
    return (match[1].strip("` "), match[2], match[3]) if match else ("", "", "")


def _leaves(target: str) -> bool:
    """True for a target that is no name of a file beside the index."""
    return bool(_OUTSIDE.search(target.removeprefix("./")))


def _name(path: str) -> str:
    return unicodedata.normalize("NFC", path.rsplit("/", 1)[-1])


@rule("X101", "project")
def row_lies(project: Project) -> Iterator[Found]:
    """The link of a row is labelled with the name of another file than it leads to.

    Why: the reader opens another memory than the one that was announced.
    Fix: let label and target agree.
    Bad: `- [cache.md](sync.md) — how much is kept`
    Good: `- [cache.md](cache.md) — how much is kept`
    """
    names = {_name(file.path) for file in project.files}
    for row in project.index.rows if project.index else ():
        label, target = _name(_parts(row)[0]), _name(row.target)
        named = label if label.endswith(".md") else f"{label}.md"
        known = (label.endswith(".md") and " " not in label) or named in names
        if label and known and named != target:
            yield Found(
                row.line,
                f"the row says {quoted(label)} and leads to {quoted(target)}",
                _at(project),
            )


def _at(project: Project) -> str:
    return project.index.path if project.index else ""


@rule("X102", "project")
def row_repeated(project: Project) -> Iterator[Found]:
    """Two rows lead to one file.

    Why: they say different things, or one of them says nothing new; a merge leaves such rows.
    Fix: keep one, or run `ktw index --page`. (Rows to two places in a file are a warning.)
    Bad: two rows for `sync.md`.
    Good: one.
    """
    seen: dict[str, IndexRow] = {}
    for row in project.index.rows if project.index else ():
        first = seen.setdefault(_name(row.target), row)
        if first is not row and not _leaves(row.target):
            message = f"{quoted(row.target)} already has the row on line {first.line}"
            same = _parts(row)[1] == _parts(first)[1]
            severity: Severity | None = None if same else "warning"
            yield Found(row.line, message, _at(project), severity=severity)


@rule("X103", "project", severity="warning")
def row_leaves(project: Project) -> Iterator[Found]:
    """A row leads out of the context directory.

    Why: the index names the memories beside it; what a row elsewhere leads to is none, and no rule
    of this page was applied to it.
    Fix: name the place in the entry that rests on it, under Source.
    Bad: `- [notes](../../notes.md) — more`
    Good: `- [sync.md](sync.md) — the order of updates`
    """
    for row in _all_rows(project.index):
        if _leaves(row.target):
            message = f"the row leads out of the directory, to {quoted(row.target)}"
            yield Found(row.line, message, _at(project))


@rule("X104", "project", severity="warning")
def row_without_words(project: Project) -> Iterator[Found]:
    """A row does not say what its file is about.

    Why: whoever starts at the index has to open the file to find out.
    Fix: add a few words after a dash.
    Bad: `- [sync.md](sync.md)`
    Good: `- [sync.md](sync.md) — the order of updates`
    """
    for row in project.index.rows if project.index else ():
        if not _parts(row)[2].strip(" \t\u2014\u2013-:"):
            yield Found(
                row.line, f"the row of {quoted(row.target)} describes nothing", _at(project)
            )


@rule("X105", "project", severity="warning")
def row_to_no_memory(project: Project) -> Iterator[Found]:
    """A row leads to something that is no Markdown file.

    Why: it is no memory: nothing reads, searches or checks it.
    Fix: make it a topic file, or name it in the entry that rests on it, under Source.
    Bad: `- [figures](figures.csv) — the measurements`
    Good: `- [speed.md](speed.md) — the measurements and what they led to`
    """
    for row in project.index.strays if project.index else ():
        if row.target and not _leaves(row.target):
            yield Found(row.line, f"{quoted(row.target)} is no Markdown file", _at(project))


@rule("P301", "project")
def title_in_index(project: Project) -> Iterator[Found]:
    """The index says more of a file with provenance than kind, origin and date.

    A file whose entries are of several kinds, or tell none, has no such row: people describe it.

    Why: an agent that reads the index would meet a rule in the disguise of a title.
    Fix: run `ktw index --page`, which writes the row; delete any other line that links the file.
    Bad: `- [sync.md](sync.md) — always wait for the snapshot`
    Good: `- [sync.md](sync.md) — decision, agent, 2026-01-02`
    """
    if project.index is None or not project.has_provenance:
        return
    ours = {name for name, file in _ours(project).items() if not has_no_one_kind(file)}
    for index, line in unfenced_lines(project.text_of(project.index.path)):
        targets = [_name(match[1]) for match in _LINK.finditer(line)] if "](" in line else []
        named = next((target for target in targets if target in ours), None)
        plain = named is not None and (_GENERATED.fullmatch(line) or line == undescribed(named))
        if named is not None and not plain:
            message = f"the row of {quoted(named)} is not file, kind, origin and date alone"
            yield Found(index + 1, message, project.index.path)


@rule("P302", "project")
def row_contradicts_file(project: Project) -> Iterator[Found]:
    """The index row of a file with provenance has another kind, origin or day than the file.

    Why: whoever starts at the index would take an agent's words for the owner's.
    Fix: run `ktw index --page`, which writes the row.
    Bad: `rule, owner, 2026-01-02` for a file that says `origin: agent`.
    Good: the kind, the origin and the day of `created_at` that the file has.
    """
    ours = _ours(project)
    for row in project.index.rows if project.index else ():
        file, match = ours.get(_name(row.target)), _GENERATED.fullmatch(row.text)
        if file is None or match is None or file.problems:
            continue
        for key, said in zip(_TOLD, match.groups()[1:], strict=True):
            holds = _value(file, key)
            if holds and said != holds:
                message = f"the row of {quoted(row.target)} says {said}, the file {holds}"
                yield Found(row.line, message, _at(project))


def _value(file: MemoryFile, key: str) -> str:
    """A frontmatter value as a row says it, "" where it is absent or wrong."""
    value = file.frontmatter.get(key)
    if not isinstance(value, str) or field_fault(key, value):
        return ""
    return value[:10] if key == "created_at" else value


def _ours(project: Project) -> dict[str, MemoryFile]:
    return {_name(file.path): file for file in project.files if has_provenance(file)}


RULES: tuple[Rule[Project], ...] = (
    row_lies,
    row_repeated,
    row_leaves,
    row_without_words,
    row_to_no_memory,
    title_in_index,
    row_contradicts_file,
)
