"""Rules about files as such: those that were not read, and those that a merge left broken."""

import unicodedata
from collections.abc import Iterator

from keep_the_why_lint.beside import INSTRUCTIONS
from keep_the_why_lint.page import Page
from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from ktw.memory import NOT_MEMORIES, parse_memory
from ktw.names import unportable


@rule("N101", "project")
def file_not_readable(project: Project) -> Iterator[Found]:
    """Something that looks like a memory is no file that can be read.

    Why: it is passed over, so whoever put it there would think it counts.
    Fix: replace it by a regular file in the context directory, or remove it.
    Bad: `context/x.md` as a directory, a named pipe, or a link to another directory.
    Good: `context/x.md` as a regular file.
    """
    for unread in project.unread:
        if unread.kind in ("not-a-file", "refused", "linked"):
            yield Found(0, f"the file was not read: {unread.why}", unread.path)


@rule("N102", "project")
def file_too_large(project: Project) -> Iterator[Found]:
    """A file is larger than 1 MiB.

    Why: no memory is; it is not read, not searched and not checked.
    Fix: split it by topic, or move what is no memory elsewhere.
    Bad: a log of 3 MB as `context/log.md`.
    Good: files of a few kilobytes.
    """
    for unread in project.unread:
        if unread.kind in ("too-large", "large-text"):
            yield Found(0, f"the file was not read: {unread.why}", unread.path)


@rule("N103", "page")
def conflict_not_settled(page: Page) -> Iterator[Found]:
    """The text holds a merge conflict: a memory's body, the index, `revoked` or the config.

    Why: both sides are shown as if they were one text.
    Fix: settle the conflict and delete its markers; in an example, put them in a fenced block.
    Bad: a line of seven `<`, one of seven `=`, one of seven `>`, each at its line's start.
    Good: the text that was meant.
    """
    if "<<<<<<< " not in page.text:
        return
    file = parse_memory(page.path, page.text.encode("utf-8", "replace"))
    for problem in file.problems:
        if problem.kind == "conflict-marker" and problem.line >= file.body_line:
            yield Found(problem.line, problem.message)


@rule("N104", "project", severity="warning")
def file_nested(project: Project) -> Iterator[Found]:
    """A directory below the context directory holds Markdown files, or is a link.

    Why: the context directory is flat. What stands deeper is no memory: it is checked as text, but
    ktw does not search or show it, and a link to a directory is not followed.
    Fix: move the files up into the context directory, or out of it.
    Bad: `context/archive/sync.md`
    Good: `context/sync.md`
    """
    for unread in project.unread:
        if unread.kind == "nested":
            yield Found(0, "the files in this directory are no memories", unread.path)


@rule("N190", "project", severity="warning")
def final_newline_missing(project: Project) -> Iterator[Found]:
    """The last line of a file in the context directory has no line end.

    Why: the next line that somebody adds, or a merge by union, is glued to it.
    Fix: add it, or run `keep-the-why-lint --fix`. (A file that claims an approval is left alone.)
    Bad: a file that ends in a letter.
    Good: a file that ends in a newline.
    """
    claiming = {file.path for file in project.files if file.trusted_at or file.trusted_by}
    for page in project.texts:
        kept = project.is_kept(page.path) and page.path not in claiming
        if kept and page.text and not page.text.endswith("\n"):
            last = page.text.count("\n") + 1
            yield Found(last, "the last line has no line end", page.path)


@rule("N105", "project")
def page_links_elsewhere(project: Project) -> Iterator[Found]:
    """The index, README or a guard file is a link to another place in the project.

    Why: whoever changes the other file changes this one, and nobody reviews it as what it is here.
    Fix: replace the link by a file. A guard may link to AGENTS.md or CLAUDE.md at the root.
    Bad: `context/index.md` as a link to `../docs/list.md`.
    Good: `context/CLAUDE.md` as a link to `AGENTS.md` beside it.
    """
    for row in project.listed:
        allowed = row.name in INSTRUCTIONS and row.target in INSTRUCTIONS
        flat = row.path == f"{project.context_name}/{row.name}"
        if row.leaves and flat and row.name in NOT_MEMORIES and not allowed:
            yield Found(0, f"the file is a link to {quoted(row.target)}", row.path)


@rule("N106", "project", severity="warning")
def file_with_two_names(project: Project) -> Iterator[Found]:
    """A file has a second name in this file system (a hard link).

    Why: writing to the other name changes this one unseen. git makes no such links, so this says
    something of the machine and not of the commit: a copying tool, a store that saves space.
    Fix: copy the file onto itself under a new name, or leave it where you know why.
    Bad: `context/sync.md` hard-linked to a file elsewhere.
    Good: a file of its own.
    """
    for row in project.listed:
        if row.links > 1:
            yield Found(0, f"the file has {row.links} names in the file system", row.path)


@rule("N107", "project")
def names_collide(project: Project) -> Iterator[Found]:
    """Two names in one directory differ only in capitals, or in how an accent is encoded.

    Why: macOS and Windows keep one of the two, and git shows the other as changed or deleted.
    Fix: rename one of them.
    Bad: `Auth.md` beside `auth.md`.
    Good: `auth.md` beside `auth-tokens.md`.
    """
    first: dict[str, str] = {}
    for row in project.listed:
        twin = first.setdefault(_folded(row.path), row.path)
        if twin != row.path:
            name = quoted(twin.rsplit("/", 1)[-1])
            yield Found(0, f"some systems take this name for that of {name}", row.path)


def _folded(path: str) -> str:
    """A path as a file system that ignores case and normalises sees it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


@rule("N108", "project")
def name_not_portable(project: Project) -> Iterator[Found]:
    """A file's name cannot stand on every system, or shows something else than it is.

    Why: a clone fails or loses the file there, and a name that hides characters is not that of the
    file one means.
    Fix: rename it; letters, digits, `.`, `_` and `-` are safe, 200 characters at most.
    Bad: `con.md`, `a:b.md`, a name that ends in a dot.
    Good: `console.md`
    """
    for row in project.listed:
        if why := unportable(row.name):
            yield Found(0, f"the name {why}", row.path)


@rule("N109", "project", severity="warning")
def looks_like_a_memory(project: Project) -> Iterator[Found]:
    """A file looks like a memory and is none.

    Why: whoever wrote it thinks that it counts; ktw neither finds nor shows it.
    Fix: give it a name in lower case that ends in `.md` and does not begin with a dot.
    Bad: `context/sync.MD`, `context/sync.markdown`, `context/.sync.md`, `context/Readme.md`
    Good: `context/sync.md`
    """
    for row in project.listed:
        flat = row.path == f"{project.context_name}/{row.name}"
        if flat and row.kind != "directory" and _looks_like_memory(row.name):
            yield Found(0, "ktw takes a file of that name for no memory", row.path)


_NOT_MEMORIES = frozenset(name.casefold() for name in NOT_MEMORIES)
_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdwn", ".mdx")


def _looks_like_memory(name: str) -> bool:
    folded = name.casefold()
    if name in NOT_MEMORIES or not folded.endswith(_MARKDOWN):
        return False
    return not name.endswith(".md") or name.startswith(".") or folded in _NOT_MEMORIES


@rule("N110", "project", severity="warning")
def file_unchecked(project: Project) -> Iterator[Found]:
    """A file beside the memories is no text, is larger than 1 MiB, or is a repository's own.

    Why: nothing here can say what it holds, and an agent may still open it.
    Fix: keep pictures, archives and repositories outside the context directory; link to them.
    Bad: `context/diagram.png`
    Good: `docs/diagram.png`
    """
    for unread in project.unread:
        if unread.kind == "unchecked":
            yield Found(0, f"it was not checked: {unread.why}", unread.path)


RULES: tuple[Rule[Project], ...] = (
    file_not_readable,
    file_too_large,
    file_nested,
    final_newline_missing,
    page_links_elsewhere,
    file_with_two_names,
    names_collide,
    name_not_portable,
    looks_like_a_memory,
    file_unchecked,
)
PAGE_RULES: tuple[Rule[Page], ...] = (conflict_not_settled,)
