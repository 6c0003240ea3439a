"""The command that approves: trust. The only place where an unapproved memory is shown bare."""

import difflib
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ktw.cli import common
from ktw.errors import KtwError
from ktw.operations import approving, withdrawing
from ktw.store import Project
from ktw.text.escape import escape_line, escape_text

_LARGEST_COMPARED = 40_000  # characters; comparing grows with their product


@click.command("trust", short_help="Approve one memory, as a person, or withdraw it.")
@click.argument("memory", shell_complete=common.complete_reference)
@click.option("--untrust", is_flag=True, help="Withdraw the approval that it claims.")
@click.option("--branch", metavar="NAME", help="Make this branch first and commit there.")
@click.option("--no-commit", is_flag=True, help="Write the claim, leave the commit to you.")
def trust_command(memory: str, untrust: bool, branch: str | None, no_commit: bool) -> None:
    """Approve the words of MEMORY: they are shown whole, you type the start of their hash.

    Writes the claim into the file, an entry into this clone's ledger, and commits exactly that
    file. Needs a person at a terminal. Later edits end the approval.
    """
    approving.refuse_without_person(common.person(), common.agent())
    project = common.project_here()
    chosen = approving.candidate(project, memory)
    if untrust:
        _withdraw(project, chosen, branch, not no_commit)
        return
    approving.check_possible(project, chosen)
    _show_candidate(project, chosen)
    typed = click.prompt(
        f"Type the first {approving.TYPED_DIGITS} characters of the hash to approve these words "
        "(Enter leaves it)",
        default="",
        show_default=False,
    )
    if not typed.strip():
        click.echo("Left as it is.")
        return
    approving.check_typed(chosen, typed)
    made = _choose_branch(project, chosen, branch, no_commit)
    if approving.needs_signature(project):
        click.echo("Signing. Where your key asks for it: type its passphrase, or touch it.")
    with _left_again(project, made):
        outcome = approving.approve(project, chosen, typed, common.now(), not no_commit, True)
    _print_outcome(outcome)


def _withdraw(
    project: Project, chosen: approving.Candidate, branch: str | None, commit: bool
) -> None:
    withdrawing.check_withdrawal(chosen)
    if not click.confirm(f"Withdraw the approval of {escape_line(chosen.file.path)}?"):
        click.echo("Left as it is.")
        return
    made = _start_branch(project, branch) if branch is not None and commit else None
    with _left_again(project, made):
        outcome = withdrawing.withdraw(project, chosen, commit)
    _print_outcome(outcome)


def _print_outcome(outcome: approving.Outcome) -> None:
    approved = outcome.verdict.approved
    common.say(
        f"{outcome.verdict.name}: {', '.join(outcome.verdict.reasons)}",
        "green" if approved else "yellow",
        bold=True,
    )
    if outcome.commit:
        click.echo(f"committed {outcome.commit[:12]} ({escape_line(outcome.path)})")
    common.say_notices(list(outcome.notes))


def _show_candidate(project: Project, chosen: approving.Candidate) -> None:
    file = chosen.file
    who = f" ({escape_line(file.agent)})" if file.agent else ""
    source = f", source {escape_line(file.source)}" if file.source else ""
    common.say(f"{escape_line(file.path)}: written by {file.origin or 'nobody named'}{who}{source}")
    click.echo(f"now {chosen.verdict.name}: {', '.join(chosen.verdict.reasons)}")
    lines = file.text.rstrip("\n").split("\n")
    common.say(f"--- the whole text, {len(lines)} lines ---", "cyan")
    notes: dict[int, list[str]] = {}
    for finding in chosen.findings:
        notes.setdefault(finding.line, []).append(f"[{finding.code}] {finding.message}")
    for at, line in enumerate(lines, start=1):
        click.echo(f"{at:>4}  {escape_text(line)}")
        for note in notes.pop(at, []):
            common.say(f"      ^ {escape_line(note)}", "red")
    for left in notes.values():
        for note in left:
            common.say(f"      {escape_line(note)}", "red")
    _show_difference(project, chosen)
    common.say("--- end of the text ---", "cyan")
    common.say(f"hash {chosen.digest}", bold=True, colour="cyan")


def _show_difference(project: Project, chosen: approving.Candidate) -> None:
    """For a proposal: what it would change in the memory that it wants to replace."""
    if not chosen.file.proposes:
        return
    try:
        old = approving.candidate(project, chosen.file.proposes).file
    except KtwError:
        common.say("It proposes to replace a memory that is not here.", "red")
        return
    common.say(f"--- against {escape_line(old.path)}, which it wants to replace ---", "cyan")
    if len(old.body) * len(chosen.file.body) > _LARGEST_COMPARED**2:
        common.say("The two texts are too long to be compared line by line here.", "red")
        return
    changes = difflib.unified_diff(
        old.body.split("\n"), chosen.file.body.split("\n"), "now", "proposed", lineterm="", n=2
    )
    for line in changes:
        colour = "green" if line.startswith("+") else "red" if line.startswith("-") else None
        common.say(escape_text(line), colour)


def _choose_branch(
    project: Project, chosen: approving.Candidate, branch: str | None, no_commit: bool
) -> str | None:
    """On the trust ref's own branch, offer another one: an approval is best reviewed too."""
    if no_commit:
        return None
    if branch is None and approving.stands_on_trust_branch(project):
        offered = f"ktw/approve-{chosen.digest[:8]}"
        click.echo("You are on the branch that counts as reviewed.")
        if click.confirm(f"Commit on a new branch {offered} instead?", default=True):
            branch = offered
    return None if branch is None else _start_branch(project, branch)


def _start_branch(project: Project, name: str) -> str:
    from ktw.git.writing import start_branch

    start_branch(project.repository, name)
    click.echo(f"On the new branch {escape_line(name)}.")
    return name


@contextmanager
def _left_again(project: Project, branch: str | None) -> Iterator[None]:
    """Where what follows fails, a branch that was made for it is left and removed."""
    try:
        yield
    except KtwError:
        if branch is not None:
            from ktw.git.writing import leave_branch

            leave_branch(project.repository, branch)
        raise
