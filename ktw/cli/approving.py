"""The command that approves one memory: trust."""

import click

from ktw.cli import common
from ktw.cli.branches import branch_for
from ktw.cli.under_review import difference_lines, fitted, heading_lines, text_lines
from ktw.errors import KtwError
from ktw.operations import approving, withdrawing
from ktw.operations.candidate import TYPED_DIGITS, Candidate, candidate
from ktw.store import Project
from ktw.text.escape import escape_line


@click.command("trust", short_help="Approve one memory, as a person, or withdraw it.")
@click.argument("memory", shell_complete=common.complete_reference)
@click.option("--untrust", is_flag=True, help="Withdraw the approval that it claims.")
@click.option("--branch", metavar="NAME", help="Make this branch first and commit there.")
@click.option("--no-commit", is_flag=True, help="Write the claim, leave the commit to you.")
def trust_command(memory: str, untrust: bool, branch: str | None, no_commit: bool) -> None:
    """Approve the words of MEMORY: they are shown whole, you type the start of their hash.

    Writes the claim into the file, an entry into this clone's ledger, and commits exactly that
    file. Needs a person at a terminal. Later edits end the approval. For many at once: ktw review.
    """
    act = "withdrawing an approval" if untrust else "approval"
    approving.refuse_without_person(common.person(), common.agent(), act)
    project = common.project_here()
    chosen = candidate(project, memory)
    if untrust:
        _withdraw(project, chosen, branch, not no_commit)
        return
    approving.check_possible(project, chosen)
    _show_candidate(project, chosen)
    typed = click.prompt(
        f"Type the first {TYPED_DIGITS} characters of the hash to approve these words "
        "(Enter leaves it)",
        default="",
        show_default=False,
    )
    if not typed.strip():
        click.echo("Left as it is.")
        return
    approving.check_typed(chosen, typed)
    with branch_for(project, chosen.digest, branch, not no_commit):
        common.say_signing(approving.needs_signature(project))
        outcome = approving.approve(project, chosen, typed, common.now(), not no_commit, True)
    _print_outcome(outcome)


def _withdraw(project: Project, chosen: Candidate, branch: str | None, commit: bool) -> None:
    withdrawing.check_withdrawal(chosen)
    if not click.confirm(f"Withdraw the approval of {escape_line(chosen.file.path)}?"):
        click.echo("Left as it is.")
        return
    with branch_for(project, chosen.digest, branch, commit and branch is not None):
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


def _show_candidate(project: Project, chosen: Candidate) -> None:
    common.say_lines(fitted([*heading_lines(chosen), *text_lines(chosen)]))
    _show_difference(project, chosen)
    common.say("--- end of the text ---", "cyan")
    common.say(f"hash {chosen.digest}", bold=True, colour="cyan")


def _show_difference(project: Project, chosen: Candidate) -> None:
    """For a proposal: what it would change in the memory that it wants to replace."""
    if not chosen.file.proposes:
        return
    try:
        old = candidate(project, chosen.file.proposes).file
    except KtwError:
        common.say("It proposes to replace a memory that is not here.", "red")
        return
    title = f"against {escape_line(old.path)}, which it wants to replace"
    common.say_lines(fitted(difference_lines(title, old.body, chosen.file.body)))
