"""Rules about `index.md`: that it is there, complete, sorted and in its fixed skeleton."""

import unicodedata
from collections.abc import Iterator

from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from ktw.contents import HEADINGS, heading_of
from ktw.memory import NOT_MEMORIES

_SINCE_SORTED = (0, 10, 0)
_SINCE_SKELETON = (0, 13, 0)


def _nfc(name: str) -> str:
    """A file name as file systems that normalise see it."""
    return unicodedata.normalize("NFC", name)


def _file_names(project: Project) -> dict[str, str]:
    """The topic files by normalised name, those that are too large to read among them."""
    paths = [file.path for file in project.files]
    paths += [unread.path for unread in project.unread if unread.kind in ("too-large", "linked")]
    names = (path.rsplit("/", 1)[-1] for path in paths)
    return {_nfc(name): name for name in names if name not in NOT_MEMORIES}


def _path(project: Project) -> str:
    return f"{project.context_name}/index.md"


@rule("E201", "project")
def index_missing(project: Project) -> Iterator[Found]:
    """The context directory has no index.md.

    Why: it is what a reader opens first, to load only what matters.
    Fix: write one with a row for each file; `ktw init` makes an empty one.
    Bad: topic files without an index.
    Good: `context/index.md`
    """
    if project.context_read and project.index is None:
        yield Found(0, "the context directory has no index.md", _path(project))


@rule("E202", "project")
def index_row_dead(project: Project) -> Iterator[Found]:
    """An index row links to a file that is not there.

    Why: the reader is sent to nothing.
    Fix: correct or delete the row, or run `ktw index --page`.
    Bad: `- [old.md](old.md) — …` after old.md was removed.
    Good: a row whose file exists.
    """
    if project.index is None:
        return
    names = _file_names(project)
    for row in project.index.rows:
        if _nfc(row.target) not in names:
            message = f"the row links to {quoted(row.target)}, which is no topic file here"
            yield Found(row.line, message, project.index.path)


@rule("E203", "project")
def file_not_in_index(project: Project) -> Iterator[Found]:
    """A topic file has no row in the index.

    Why: what is not listed is not found by whoever starts at the index.
    Fix: add its row, or run `ktw index --page`.
    Bad: `context/sync.md` without a row.
    Good: `- [sync.md](sync.md) — …`
    """
    if project.index is None:
        return
    listed = {_nfc(row.target) for row in project.index.rows}
    for folded, name in _file_names(project).items():
        if folded not in listed:
            yield Found(0, f"the index has no row for {quoted(name)}", project.index.path)


@rule("E204", "project", _SINCE_SORTED)
def index_not_sorted(project: Project) -> Iterator[Found]:
    """The index rows are not sorted by file name.

    Why: sorted rows merge without conflict and are found by eye.
    Fix: sort them, or run `ktw index --page`.
    Bad: `sync.md` above `cache.md`.
    Good: `cache.md` above `sync.md`.
    """
    if project.index is None:
        return
    written = [row.target for row in project.index.rows]
    names = [_nfc(name) for name in written]
    # Either order is sorted: tools that know no normal form must be able to agree.
    if names != sorted(names) and written != sorted(written):
        at = next(at for at in range(1, len(names)) if names[at] < names[at - 1])
        row, above = project.index.rows[at], project.index.rows[at - 1]
        message = (
            f"the rows are not sorted by file name: {quoted(row.target)} on line {row.line} "
            f"stands below {quoted(above.target)}"
        )
        # Upstream's place, the first row: whoever compares the two must find them to agree.
        yield Found(project.index.rows[0].line, message, project.index.path)


@rule("E205", "project", _SINCE_SKELETON)
def index_skeleton(project: Project) -> Iterator[Found]:
    """The index does not have its 36 headings, each once and in order.

    Why: a fixed skeleton keeps two branches that add rows apart from each other.
    Fix: restore `## 0` to `## 9` and `## A` to `## Z`, empty ones included, or run
    `ktw index --page`.
    Bad: an index with `## Decisions`.
    Good: the 36 headings.
    """
    if project.index is None:
        return
    names = [name for _, name in project.index.headings]
    if names != list(HEADINGS):
        line = project.index.headings[0][0] if names else 0
        detail = _skeleton_fault(names)
        message = (
            f"the 36 headings 0 to 9 and A to Z are not all there, once and in order: {detail}"
        )
        yield Found(line, message, project.index.path)


def _skeleton_fault(names: list[str]) -> str:
    written = set(names)
    missing = [name for name in HEADINGS if name not in written]
    if missing:
        return f"missing {', '.join(missing)}"
    extra = [name for name in names if name not in HEADINGS]
    if extra:
        return f"not one of them: {quoted(extra[0])}"
    for at in range(1, len(names)):
        if names[at] in names[:at]:
            return f"{names[at]} stands there twice"
        if names[at] < names[at - 1]:
            return f"{names[at]} stands below {names[at - 1]}"
    return ""


@rule("E206", "project", _SINCE_SKELETON)
def index_row_misplaced(project: Project) -> Iterator[Found]:
    """An index row stands under the wrong heading.

    Why: the row is not where a reader looks for it.
    Fix: move it under the first character of the file's name (others under 0), or run
    `ktw index --page`.
    Bad: `sync.md` under `## A`.
    Good: `sync.md` under `## S`.
    """
    page = project.index
    if page is None or [name for _, name in page.headings] != list(HEADINGS):
        return
    headings, current = list(page.headings), "the title"
    for row in page.rows:
        while headings and headings[0][0] < row.line:
            current = headings.pop(0)[1]
        wanted = heading_of(row.target)
        if current != wanted:
            message = f"{quoted(row.target)} stands under {current}, not under {wanted}"
            yield Found(row.line, message, page.path)


RULES: tuple[Rule[Project], ...] = (
    index_missing,
    index_row_dead,
    file_not_in_index,
    index_not_sorted,
    index_skeleton,
    index_row_misplaced,
)
