"""On which branch an approval is committed: the present one, or one made for it."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from ktw.errors import KtwError
from ktw.operations import approving
from ktw.store import Project
from ktw.text.escape import escape_line


@contextmanager
def branch_for(
    project: Project,
    named: str,
    wanted: str | None,
    commits: bool = True,
    act: str = "approve",
) -> Iterator[None]:
    """Run what follows on the branch `wanted`, or on one that is offered; as it is otherwise.

    On the trust ref's own branch another one is offered: an approval is best reviewed too. Where
    what follows fails, a branch that was made for it is left and removed.
    """
    made = _choose(project, f"ktw/{act}-{named[:8]}", wanted) if commits else None
    try:
        yield
    except KtwError:
        if made is not None:
            from ktw.git.writing import leave_branch

            leave_branch(project.repository, made)
        raise


def _choose(project: Project, offered: str, wanted: str | None) -> str | None:
    if wanted is None and approving.stands_on_trust_branch(project):
        click.echo("You are on the branch that counts as reviewed.")
        if click.confirm(f"Commit on a new branch {offered} instead?", default=True):
            wanted = offered
    return None if wanted is None else _start(project, wanted)


def _start(project: Project, name: str) -> str:
    from ktw.git.writing import start_branch

    start_branch(project.repository, name)
    click.echo(f"On the new branch {escape_line(name)}.")
    return name
