"""The command `adopt`: the plan as a diff, then the plan carried out, then, if asked, a review."""

import click

from ktw.cli import common
from ktw.errors import EXIT_FINDINGS, EXIT_OK
from ktw.operations import adopting, approving
from ktw.operations.queue import Filters, queue
from ktw.text.escape import escape_line
from ktw.withholding import shown_words

_ASKED = "Write this?"


@click.command("adopt", short_help="Take over a Keep the Why project, or decision records.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and stop.")
@click.option("-y", "--yes", is_flag=True, help="Ask nothing.")
@click.option("--approve", is_flag=True, help="Then review what was imported, as a person.")
@click.option("--branch", metavar="NAME", help="Make this branch first and commit there.")
def adopt_command(dry_run: bool, yes: bool, approve: bool, branch: str | None) -> int:
    """Give the files of a Keep the Why project, or of a folder of decision records, the
    frontmatter that ktw works with.

    Each file gets origin `imported`, its kind where its text tells one, the day that a record
    states or else when it was first committed, and its hash; its text stays as it is, byte by
    byte, and nothing is committed. --approve then opens the review of all that is imported and
    waits.
    """
    if approve:
        approving.refuse_without_person(common.person(), common.agent())
    project = common.project_here()
    if approve:
        approving.check_possible(project)
    plan = adopting.plan_adoption(project, common.now())
    _print_plan(plan)
    if dry_run:
        return EXIT_OK
    code = _write(plan, yes)
    if approve and code == EXIT_OK:
        from ktw.cli.review import hold_sitting

        project = common.project_here()
        filters = Filters(origin="imported")
        hold_sitting(project, queue(project, filters), branch)
    return code


def _print_plan(plan: adopting.Adoption) -> None:
    for change in plan.changes:
        common.say(shown_words(change.path, "name"), bold=True)
        for line in adopting.difference(change):
            common.say(escape_line(line), "green" if line.startswith("+") else "cyan")
    for path, why in plan.left:
        told = f"left    {shown_words(path, 'name')}: {shown_words(why, 'reason')}"
        common.say(told, "yellow")
    if plan.settled:
        click.echo(f"keep    {plan.settled} {_files(plan.settled)} with an origin")


def _write(plan: adopting.Adoption, yes: bool) -> int:
    if not plan.changes:
        click.echo("Nothing to adopt.")
        return EXIT_OK
    if not yes and not common.confirm(_ASKED, default=True, without="ktw adopt --yes"):
        click.echo("Nothing was written.")
        return EXIT_FINDINGS
    failed = adopting.adopt(plan)
    for path, why in failed:
        common.say(f"failed  {shown_words(path, 'name')}: {shown_words(why, 'reason')}", "red")
    done = len(plan.changes) - len(failed)
    click.echo(f"Wrote {done} {_files(done)}; nothing was committed.")
    for step in adopting.next_steps(plan.project):
        click.echo(f"next    {step}")
    return EXIT_FINDINGS if failed else EXIT_OK


def _files(count: int) -> str:
    return "file" if count == 1 else "files"
