"""Plans what `fixes` would change in a project, shows it as a diff, and writes it.

It refuses what changed since it was read, and decides no fix itself.
"""

import difflib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from keep_the_why_lint.fixes import FIXES, SINCE_SKELETON, Facts, Fix, lowerable
from keep_the_why_lint.project import Project
from keep_the_why_lint.showing import WITHHELD, shown_path, shown_words
from ktw import contents
from ktw.atomic import replace, styled_like
from ktw.boundaries import Unreadable, read_regular
from ktw.entries import unfenced_lines
from ktw.memory import NOT_MEMORIES, MemoryFile, is_conflict_marker, normalise, parse_memory
from ktw.text.escape import escape_text

_MOST_COMPARED = 1_000_000  # pairs of lines; beyond, a diff is one block
_LONGEST_LINE = 2_000
_NO_NEWLINE = "\n\\ No newline at end of file"

Wanted = Callable[[str], bool]


@dataclass(frozen=True)
class Change:
    """A file that would change. `before` and `after` have LF and no BOM; `codes`: settled."""

    path: str
    data: bytes
    before: str
    after: str
    codes: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """All changes, and the files that only a person can mend, each with the reason."""

    root: Path
    changes: tuple[Change, ...]
    left: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Read:
    path: str
    data: bytes
    text: str

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


def plan_fixes(project: Project, root: Path, wanted: Wanted) -> Plan:
    """What the fixes of the wanted codes would change in the project at `root`; writes nothing."""
    top = Path(os.path.realpath(root))
    left: dict[str, str] = {}
    read = [found for path in _paths(project) if (found := _read(top, path, left))]
    files = [parse_memory(one.path, one.data) for one in read if _where(one) == "memory"]
    facts = _facts(project, files, frozenset(left))
    fixes = [fix for fix in FIXES if fix.since <= project.schema and any(map(wanted, fix.codes))]
    changes = []
    for one in read:
        change = _change(one, fixes, facts)
        why = _reason_to_leave(one, project, change is not None)
        if why:
            left[one.path] = why
        elif change:
            changes.append(change)
    return Plan(top, tuple(changes), tuple(sorted(left.items())))


def _paths(project: Project) -> Sequence[str]:
    """The files of the context directory that were read, in order."""
    return sorted({page.path for page in project.texts if project.is_kept(page.path)})


def _where(read: _Read) -> str:
    if read.name == "index.md":
        return "index"
    return "page" if read.name in (*NOT_MEMORIES, "revoked") else "memory"


def _read(top: Path, path: str, left: dict[str, str]) -> _Read | None:
    """One file as it is now; None, and a reason in `left`, where only a person can mend it."""
    place = top / path
    try:
        data = read_regular(place, top)
        text = normalise(data.decode("utf-8"))
    except Unreadable as refusal:
        left[path] = refusal.why
    except UnicodeDecodeError:
        left[path] = "it is not UTF-8"
    else:
        if place.is_symlink():
            left[path] = "it is a link"
        elif any(is_conflict_marker(line) for _, line in unfenced_lines(text)):
            left[path] = "it holds the markers of a merge conflict"
        else:
            return _Read(path, data, text)
    return None


def _facts(project: Project, files: Sequence[MemoryFile], left: frozenset[str]) -> Facts:
    others = (unread.path for unread in project.unread if unread.kind in ("too-large", "linked"))
    paths = (*(file.path for file in project.files), *others)
    names = {path.rsplit("/", 1)[-1] for path in paths}.difference(NOT_MEMORIES)
    rows = {file.path.rsplit("/", 1)[-1]: contents.row_of(file) for file in project.files}
    free = frozenset(file.path for file in files if not _claims(file) and not file.problems)
    lowered = lowerable(project.files, free - left)
    standing = {id for id in project.ids if id == id.lower()}
    return Facts(tuple(sorted(names)), rows, lowered.union(standing), lowered)


def _claims(file: MemoryFile) -> bool:
    return file.trusted_at is not None or file.trusted_by is not None


def _change(read: _Read, fixes: Sequence[Fix], facts: Facts) -> Change | None:
    text, codes = read.text, list[str]()
    for fix in fixes:
        if _where(read) in fix.where:
            mended = fix.mend(text, read.path, facts)
            codes += fix.codes if mended != text else ()
            text = mended
    if text == read.text:
        return None
    return Change(read.path, read.data, read.text, text, tuple(codes))


def _reason_to_leave(read: _Read, project: Project, would_change: bool) -> str:
    """Why only a person can mend that file; "" where nothing stands against it."""
    if _where(read) == "index":
        return contents.obstacle(read.text) if project.schema >= SINCE_SKELETON else ""
    if would_change and _where(read) == "memory" and _claims(parse_memory(read.path, read.data)):
        return "it claims an approval, so a person decides"
    return ""


def write_fixes(plan: Plan) -> None:
    """Write every change; raises Changed where a file is not what it was when it was read."""
    for change in plan.changes:
        replace(plan.root / change.path, styled_like(change.data, change.after), change.data)


def shown_diff(change: Change, prefix: str = "") -> str:
    """The change as a unified diff, for a terminal: escaped, without lines that direct.

    `prefix` stands before its path.
    """
    path = shown_path(f"{prefix}{change.path}")
    withheld = _directing_lines(change.before) | _directing_lines(change.after)
    lines = [f"--- a/{path}", f"+++ b/{path}"]
    for line in _hunks(_lines(change.before), _lines(change.after)):
        lines.append(line if line.startswith("@@") else line[0] + _shown(line[1:], withheld))
    return escape_text("\n".join(lines)) + "\n"


def _directing_lines(text: str) -> set[str]:
    """The lines of `text` in which a sentence directs, wherever it breaks."""
    # Its patterns take 0.2 s to compile: only a run that mends something pays for them.
    from ktw.text.directives import find_directives

    found: set[str] = set()
    for span in find_directives(text):
        start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
        found.update(text[start : end if end >= 0 else len(text)].split("\n"))
    return found - {""}


def _shown(line: str, withheld: set[str]) -> str:
    words = line.removesuffix(_NO_NEWLINE)
    if len(words) > _LONGEST_LINE:
        shown = f"[a line of {len(words):,} characters]"
    else:
        shown = WITHHELD if words in withheld else shown_words(words)
    return shown + line[len(words) :]


def _lines(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [*lines, last + _NO_NEWLINE] if last else lines


def _hunks(before: list[str], after: list[str]) -> Iterator[str]:
    if len(before) * len(after) <= _MOST_COMPARED:
        yield from islice(difflib.unified_diff(before, after, n=1, lineterm=""), 2, None)
        return
    yield f"@@ -1,{len(before)} +1,{len(after)} @@"
    yield from (f"-{line}" for line in before)
    yield from (f"+{line}" for line in after)
