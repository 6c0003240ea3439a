"""The commands around hooks: `ktw hook`, as agents run it, and `ktw hooks status`."""

from collections.abc import Mapping

import click

from ktw.agents import AGENTS
from ktw.agents.call import EVENTS
from ktw.cli import common
from ktw.hooks.log import Tally, as_rows, tallies
from ktw.hooks.settings import CHARS, MS, REMINDER, UNAPPROVED, Settings, hook_settings
from ktw.stated import read_stated


@click.command("hook", short_help="Answer one event of an agent's session.")
@click.argument("event", type=click.Choice(EVENTS))
@click.option("--agent", type=click.Choice(tuple(AGENTS)), required=True, help="Who asks.")
def hook_command(event: str, agent: str) -> None:
    """Answer EVENT of a session: read the agent's JSON on standard input, print its JSON.

    Agents run this; `ktw hooks status` says how it went. Whatever happens, it ends with exit code 0
    within its budget, with valid JSON or with nothing.
    """
    from ktw.hooks.process import main  # a run does not come here: see ktw.cli

    main([event, "--agent", agent])


@click.group("hooks", short_help="Say how the hooks of agents went here.")
def hooks_command() -> None:
    """What became of the hooks that agents ran in this repository."""


@hooks_command.command("status")
@common.json_option
def status_command(as_json: bool) -> None:
    """Runs, skips and failures of each event, the last error of each, and the budgets."""
    repository = common.project_here().repository
    settings = hook_settings(repository, read_stated(repository))
    found = tallies(repository.common_dir)
    if as_json:
        common.say_json({"settings": _as_data(settings), "events": as_rows(found)})
        return
    _print_settings(settings)
    _print_events(found)


def _as_data(settings: Settings) -> dict[str, object]:
    return {
        "chars": settings.chars,
        "ms": settings.ms,
        "unapproved": _unapproved(settings),
        "reminder": settings.reminds,
        "faults": list(settings.faults),
    }


def _unapproved(settings: Settings) -> str:
    return "count" if settings.counts_unapproved else "frame"


def _print_settings(settings: Settings) -> None:
    click.echo(f"budget      {settings.chars:,} characters ({CHARS}), {settings.ms:,} ms ({MS})")
    click.echo(f"unapproved  {_unapproved(settings)} ({UNAPPROVED})")
    click.echo(f"reminder    {'on' if settings.reminds else 'off'} ({REMINDER})")
    common.say_notices(list(settings.faults))


def _print_events(found: Mapping[str, Tally]) -> None:
    if not found:
        click.echo("No hook has run here yet.")
    for event, tally in sorted(found.items()):
        click.echo(
            f"{event:<14}{tally.ran} ran, {tally.skipped} skipped, {tally.failed} failed, "
            f"slowest {tally.slowest_ms} ms"
        )
        if tally.last_error:
            common.say(f"  last error {tally.last_error_at}: {tally.last_error}", "red")
        if tally.last_skip:
            click.echo(f"  last skip: {tally.last_skip}")
