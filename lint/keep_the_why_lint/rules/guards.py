"""The rule about guard files: what tells a reader how to treat the context directory."""

from collections.abc import Iterator

from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, rule

GUARDS = ("README.md", "AGENTS.md", "CLAUDE.md")


@rule("W201", "project", (0, 10, 0))
def guard_missing(project: Project) -> Iterator[Found]:
    """A guard file is missing from the context directory.

    Why: without it an agent may edit memories by hand or take them for instructions.
    Fix: run `ktw init`, which writes what is missing and changes nothing else.
    Bad: a context directory without AGENTS.md.
    Good: README.md, AGENTS.md and CLAUDE.md beside the memories.
    """
    for name in GUARDS if project.context_read else ():
        if name not in project.guards:
            path = f"{project.context_name}/{name}"
            yield Found(0, f"the guard file {name} is missing", path)


RULES: tuple[Rule[Project], ...] = (guard_missing,)
