"""Rules about where config values lead, from what the boundaries said; nothing is opened here."""

from collections.abc import Iterator

from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, rule

_FAMILY = ("parent", "child")


def _found(project: Project, concerns: tuple[str, ...], *kinds: str) -> Iterator[Found]:
    for fault in project.faults:
        if fault.concern in concerns and fault.kind in kinds:
            yield Found(fault.line, fault.message)


@rule("E006", "project")
def pin_incomplete(project: Project) -> Iterator[Found]:
    """A pin lacks its counterpart, or does not name the skill it promises.

    Why: agents are told to follow the vendored skill; any other file would speak in its place.
    Fix: set both keys, the path to a SKILL.md named keep-the-why of exactly that version.
    Bad: `- pinned-version: 0.20.3` alone.
    Good: that and `- pinned-path: tools/keep-the-why/SKILL.md`
    """
    block = project.config_block
    if block is not None:
        version, path = block.first("pinned-version"), block.first("pinned-path")
        alone = version or path
        if alone and not (version and path):
            yield Found(alone.line, f"'{alone.key}' stands without its counterpart")
    yield from _found(project, ("pinned-path",), "missing", "identity")


@rule("E007", "project")
def context_missing(project: Project) -> Iterator[Found]:
    """The configured context directory does not exist.

    Why: there is nothing to read, and an agent would think nothing was ever recorded.
    Fix: create the directory or correct `context`.
    Bad: `- context: notes/` without such a directory.
    Good: `- context: context/` with one.
    """
    yield from _found(project, ("context",), "missing")


@rule("E009", "project")
def outside_its_boundary(project: Project) -> Iterator[Found]:
    """A config value or a file leads out of the project.

    Why: whoever can change the repository could make a tool read or write anywhere.
    Fix: use a relative path without `..`; replace a link that leads out by a real file.
    Bad: `- context: ../elsewhere`, or `context/a.md` as a link to `~/.ssh/config`.
    Good: `- context: context/`
    """
    yield from _found(project, ("context",), "outside", "shape")
    yield from _found(project, ("pinned-path", "root", *_FAMILY), "outside")
    for unread in project.unread:
        if unread.kind == "outside":
            yield Found(0, f"the file was not read: {unread.why}", unread.path)


@rule("E014", "project")
def child_malformed(project: Project) -> Iterator[Found]:
    """A child line lacks its scope, or its location is neither a URL nor a path.

    Why: the scope is what routes a memory to the right project.
    Fix: write `- name: location — what belongs there`.
    Bad: `- api: packages/api`
    Good: `- api: packages/api — everything about the HTTP interface`
    """
    yield from _found(project, ("child",), "scope", "shape")


@rule("E015", "project")
def family_one_way(project: Project) -> Iterator[Found]:
    """A family link is not mutual.

    Why: a project that only claims to belong to a family could pull memories to itself.
    Fix: name the parent in the child and list the child in the parent.
    Bad: `- parent: ..` where the parent's `children` block does not list this project.
    Good: both files name each other.
    """
    yield from _found(project, _FAMILY, "one-way")


@rule("E016", "project")
def family_member_missing(project: Project) -> Iterator[Found]:
    """A family location holds no `.keep-the-why`.

    Why: there is no project there to belong to.
    Fix: correct the location, or set the project up.
    Bad: `- parent: ..` with no `.keep-the-why` in the directory above.
    Good: the same with one.
    """
    yield from _found(project, _FAMILY, "missing")


RULES: tuple[Rule[Project], ...] = (
    pin_incomplete,
    context_missing,
    outside_its_boundary,
    child_malformed,
    family_one_way,
    family_member_missing,
)
