"""The commands that read memories by name: show, list."""

import click

from ktw.cli import common
from ktw.errors import UsageError
from ktw.memory import KINDS, NOTE, ORIGINS
from ktw.operations import reading, stale
from ktw.render import Reading, as_data, count_omitted, show_list
from ktw.trust import VERDICTS


@click.command("show", short_help="Show one memory whole.")
@click.argument("memory", shell_complete=common.complete_reference)
@click.option("--budget", type=click.IntRange(200), default=1_000_000, help="Characters of text.")
@common.json_option
def show_command(memory: str, budget: int, as_json: bool) -> None:
    """Show MEMORY: an Id or its start, a file's name, or name#anchor.

    A file's name shows every memory of the file; --json prints one memory. Where approved words
    are in force that the work tree has changed, they come first and the change behind them.
    """
    shown = reading.show_memory(common.project_here(), memory, budget, common.now())
    if as_json:
        named = list(dict.fromkeys(one.address for one, _ in shown))
        if len(named) > 1:
            told = ", ".join(named)
            raise UsageError(f"that file holds {len(named)} memories", f"Name one: {told}")
        first, *rest = (_shown_data(one, text.text) for one, text in shown)
        common.say_json(first | ({"here": rest} if rest else {}))
        return
    for _, text in shown:
        common.say_memory(text.text)
        click.echo()


def _shown_data(one: Reading, text: str) -> dict[str, object]:
    findings = reading.findings_of(one)
    return as_data(one) | {"text": text, "findings": findings}


@click.command("list", short_help="List memories with their verdicts.")
@click.option("--verdict", type=click.Choice(VERDICTS), help="Only those with this verdict.")
@click.option("--kind", type=click.Choice((*KINDS, NOTE)), help="Only this kind.")
@click.option("--origin", type=click.Choice(ORIGINS), help="Only this origin.")
@click.option("--faded", is_flag=True, help="Only what recall leaves out, unused for long.")
@common.json_option
def list_command(
    verdict: str | None, kind: str | None, origin: str | None, faded: bool, as_json: bool
) -> None:
    """List memories: approved ones by title, all others inside one frame."""
    project, wanted = common.project_here(), (verdict, kind, origin)
    if faded:
        listing = stale.faded(project, common.now(), *wanted, common.progress())
    else:
        listing = reading.list_memories(project, *wanted, common.progress())
    print_listing(listing, as_json, "None fits." if any(wanted) or faded else "No memories.")


def print_listing(listing: reading.Listing, as_json: bool, nothing: str) -> None:
    """Print a list of memories (context-schema/output/list.schema.json), or that there is none."""
    if as_json:
        data = {
            "memories": [as_data(one) for one in listing.readings],
            "omitted": dict(count_omitted([], 0)),
            "notices": listing.notices,
        }
        common.say_json(data)
        return
    if not listing.readings:
        click.echo(nothing)
    for text in show_list(listing.readings):
        common.say_memory(text)
        click.echo()
    common.say_notices(listing.notices)
