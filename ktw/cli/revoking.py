"""The command that revokes: words that must not count any more, wherever they come back from."""

from collections.abc import Iterable

import click

from ktw.cli import common
from ktw.cli.branches import branch_for
from ktw.errors import EXIT_OK
from ktw.memory import ORIGINS, MemoryFile, address
from ktw.operations import approving
from ktw.operations.choosing import Chosen, Selection, choose
from ktw.operations.finding import NotFound
from ktw.operations.queue import since as day
from ktw.operations.revoking import check_reason, revoke
from ktw.text.escape import escape_line
from ktw.withholding import shown_words


@click.command("revoke", short_help="Revoke memories, as a person: their words count nowhere.")
@click.argument("memories", metavar="[MEMORY]...", nargs=-1)
@click.option("--reason", required=True, help="Why, in one line of at most 200 characters.")
@click.option("--source", metavar="TEXT", help="Memories whose source holds this text.")
@click.option("--author", metavar="NAME", help="What commits of this name or mail address wrote.")
@click.option("--commit", "revision", metavar="REV", help="What this commit brought.")
@click.option("--origin", type=click.Choice(ORIGINS), help="Memories of this origin.")
@click.option("--since", metavar="DATE", help="Memories that say they were created since then.")
@click.option("--branch", metavar="NAME", help="Make this branch first and commit there.")
@click.option("--no-commit", is_flag=True, help="Write the files, leave the commit to you.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask once more.")
def revoke_command(
    memories: tuple[str, ...],
    reason: str,
    source: str | None,
    author: str | None,
    revision: str | None,
    origin: str | None,
    since: str | None,
    branch: str | None,
    no_commit: bool,
    yes: bool,
) -> int:
    """Revoke the words of MEMORY, or of all memories that the options fit (all of them together).

    Takes out their claims and this clone's approvals, and adds their hashes, with day and reason,
    to the list `revoked`, in one commit. Words that stand there count nowhere, also when an old
    branch brings them back. The list is shown first. Needs a person at a terminal, --yes too.

    \b
    ktw revoke --source issues/12 --reason "the issue was a forgery"
    """
    approving.refuse_without_person(common.person(), common.agent(), "revocation")
    check_reason(reason)
    project = common.project_here()
    wanted = Selection(memories, source, origin, since and day(since), author, revision)
    chosen = choose(project, wanted, common.progress())
    if not chosen:
        raise NotFound("no memory fits that is not revoked already", "Nothing was written.")
    _show(chosen)
    if not yes and not click.confirm(f"Revoke {_count(chosen)}?", default=False):
        click.echo("Left as it is.")
        return EXIT_OK
    with branch_for(project, _named(_words(chosen)[0]), branch, not no_commit, "revoke"):
        done = revoke(project, chosen, common.now(), reason, not no_commit)
    for path, verdict in done.verdicts:
        common.say(f"{verdict.name:<12} {shown_words(path, 'name')}", "red")
    if done.commit:
        click.echo(f"committed {done.commit[:12]}")
    common.say_notices(list(done.notes))
    return EXIT_OK


def _words(chosen: Chosen) -> list[MemoryFile]:
    return [*(each.file for each in chosen.here), *chosen.in_git]


def _count(chosen: Chosen) -> str:
    count = len(_words(chosen))
    return f"these {count} memories" if count > 1 else "this memory"


def _show(chosen: Chosen) -> None:
    for told in _rows(chosen):
        click.echo(told)


def _rows(chosen: Chosen) -> Iterable[str]:
    for each in chosen.here:
        yield _row(each.verdict.name, each.file, each.verdict.approved)
    for file in chosen.in_git:
        yield f"{_row('approved', file, True)}  (in force from git)"


def _row(verdict: str, file: MemoryFile, approved: bool) -> str:
    path = escape_line(file.path) if approved else shown_words(file.path, "name")
    return f"{verdict:<12} {_named(file)}  {path}"


def _named(file: MemoryFile) -> str:
    """The address of a file's first memory, as every list has it; its hash where it has none."""
    addresses = (address(file.path, entry) for entry in file.memories)
    return next(addresses, file.computed_hash[7:19])
