"""Rules about files as such: those that were not read, and those that a merge left broken."""

from collections.abc import Iterator

from keep_the_why_lint.project import Page, Project
from keep_the_why_lint.rule import Found, Rule, rule
from ktw.memory import parse_memory


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
        if unread.kind == "too-large":
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

    Why: the context directory is flat; what stands deeper is not read, searched or checked.
    Fix: move the files up into the context directory, or out of it.
    Bad: `context/archive/sync.md`
    Good: `context/sync.md`
    """
    for unread in project.unread:
        if unread.kind == "nested":
            yield Found(0, "the files in this directory are not read", unread.path)


@rule("N190", "project", severity="warning")
def final_newline_missing(project: Project) -> Iterator[Found]:
    """The last line of a file in the context directory has no line end.

    Why: the next line that somebody adds, or a merge by union, is glued to it.
    Fix: add it, or run `keep-the-why-lint --fix`. (A file that claims an approval is left alone.)
    Bad: a file that ends in a letter.
    Good: a file that ends in a newline.
    """
    claiming = {file.path for file in project.files if file.trusted_at or file.trusted_by}
    for path, text in project.texts:
        inside = path.startswith(f"{project.context_name}/") and path not in claiming
        if inside and text and not text.endswith("\n"):
            yield Found(text.count("\n") + 1, "the last line has no line end", path)


RULES: tuple[Rule[Project], ...] = (
    file_not_readable,
    file_too_large,
    file_nested,
    final_newline_missing,
)
PAGE_RULES: tuple[Rule[Page], ...] = (conflict_not_settled,)
