"""Rules about a family of projects in one repository: its members and their names stay apart."""

import posixpath
from collections.abc import Iterator

from keep_the_why_lint.places import MAX_CHILDREN
from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from ktw.boundaries import plain_value
from ktw.config import Field, split_value


@rule("C104", "project", severity="warning")
def context_elsewhere(project: Project) -> Iterator[Found]:
    """The context directory lies in another project or repository below this one.

    Why: what stands under a deeper `.keep-the-why` or `.git` is not this project's to speak for;
    a submodule changes with a commit that shows none of its words.
    Fix: keep the memories in a directory of this project's own.
    Bad: `- context: packages/api/context` where `packages/api` has a `.keep-the-why`.
    Good: `- context: context/`
    """
    for fault in project.faults:
        if fault.kind == "foreign":
            yield Found(fault.line, fault.message)


@rule("C105", "project", severity="warning")
def member_listed_twice(project: Project) -> Iterator[Found]:
    """Two lines of the config name the same family member.

    Why: the scopes decide where a memory belongs; for one place there are now two answers.
    Fix: keep one line, with the whole scope.
    Bad: `- api: packages/api — HTTP` and `- web: ./packages/api — pages`
    Good: `- api: packages/api — HTTP and pages`
    """
    seen: dict[str, Field] = {}
    for field, location in _locations(project):
        first = seen.setdefault(_normal(location), field)
        if first is not field and first.key != field.key:
            message = f"{quoted(field.key)} is the location that {quoted(first.key)} names already"
            yield Found(field.line, f"{message}, on line {first.line}")


def _locations(project: Project) -> Iterator[tuple[Field, str]]:
    children = project.config.block("children") if project.config else None
    parent = project.config_block.first("parent") if project.config_block else None
    if parent is not None:
        yield parent, parent.value
    for child in children.fields[:MAX_CHILDREN] if children else ():
        yield child, split_value(child.value)[0]


def _normal(location: str) -> str:
    """A location so that two spellings of one place are equal."""
    name = plain_value(location)
    if name.startswith("https://"):
        host, slash, path = name.removeprefix("https://").partition("/")
        return f"https://{host.lower()}{slash}{path}"
    return posixpath.normpath(name)


@rule("C106", "project")
def project_id_shared(project: Project) -> Iterator[Found]:
    """Another member of the family has the same id, or one that differs in capitals alone.

    Why: the id names a developer's settings for a project; two projects would share one file
    (where only capitals differ, on some systems: a warning).
    Fix: give the newer project an id of its own.
    Bad: `- id: team---tool` in the parent and in the child.
    Good: `- id: team---tool` and `- id: team---tool---api`
    """
    block = project.config_block
    found = block.first("id") if block else None
    for member in project.family.members if found and found.value else ():
        if found and member.id.casefold() == plain_value(found.value).casefold():
            same = member.id == plain_value(found.value)
            what = "has this id too" if same else f"has the id {quoted(member.id)}"
            message = f"the family member {quoted(member.place)} {what}"
            yield Found(found.line, message, severity=None if same else "warning")


@rule("C107", "project")
def entry_id_shared(project: Project) -> Iterator[Found]:
    """An entry of another family member carries the same Id.

    Why: a reference between the projects leads to either, and to copy an entry is to fork it.
    Fix: keep one of them; in the other write `**See:**` with the first one's address.
    Bad: an entry that was copied from the parent's memories with its Id.
    Good: one entry, and a reference to it.
    """
    for id, places in project.ids.items() if project.family.members else ():
        for member in project.family.members:
            other = member.ids.get(id.lower())
            if other is not None:
                message = f"Id {quoted(id)} also stands in {quoted(other)}"
                yield Found(places[0].line, message, places[0].file)
                break


@rule("C108", "project", severity="warning")
def member_not_read(project: Project) -> Iterator[Found]:
    """Something of another family member could not be read.

    Why: its ids were not compared with those of this project.
    Fix: mend what the message names; run the linter in that project too.
    Bad: a child whose `.keep-the-why` is a link that leaves it.
    Good: a child whose files can all be read.
    """
    for line, why in project.family.unread:
        yield Found(line, f"{why} read, so its ids were not compared")


RULES: tuple[Rule[Project], ...] = (
    context_elsewhere,
    member_listed_twice,
    project_id_shared,
    entry_id_shared,
    member_not_read,
)
