"""The commands on what memories are worth over time: reinforce, pin, stale."""

import click

from ktw.cli import common
from ktw.operations import reinforcing
from ktw.operations.stale import stale
from ktw.render import as_data, show_list


def _by() -> str | None:
    """The agent that runs this, None for a person at a terminal."""
    return common.agent() or (None if common.person() else reinforcing.UNATTENDED)


@click.command("reinforce", short_help="Note that a memory helped.")
@click.argument("memory", shell_complete=common.complete_reference)
@click.option(
    "--evidence",
    type=click.Choice(reinforcing.EVIDENCE),
    default=reinforcing.EVIDENCE[-1],
    show_default=True,
    help="What shows it.",
)
@common.json_option
def reinforce_command(memory: str, evidence: str, as_json: bool) -> None:
    """Note in this clone's git notes that MEMORY helped.

    A person's proof makes it stronger, each kind once a day. A report, and whatever an agent says,
    counts for recency alone. Merged commits with a Memory-Used trailer count without this.
    """
    done = reinforcing.reinforce(common.project_here(), memory, evidence, _by(), common.now())
    if as_json:
        named = {"id": done.address, "evidence": done.evidence}
        common.say_json(named | {"counts_for": done.counts_for, "strength": done.strength})
        return
    told = f"counts for {done.counts_for}"
    if done.again:
        told = "counts once a day, and did so today already: now for recency alone"
    click.echo(f"{done.address}  {done.evidence} {told}")


@click.command("pin", short_help="Keep a memory from fading, or let it fade again.")
@click.argument("memory", shell_complete=common.complete_reference)
@click.option("--off", is_flag=True, help="Take the pin off.")
@common.json_option
def pin_command(memory: str, off: bool, as_json: bool) -> None:
    """Pin MEMORY in this clone's git notes; its file and its approval stay as they are.

    It does not fade, its strength does not decay, and a person's pin ranks it a little higher. An
    agent pins nothing that its owner wrote or approved, and takes no person's pin off.
    """
    done = reinforcing.pin(common.project_here(), memory, not off, _by(), common.now())
    if as_json:
        common.say_json({"id": done.address, "pinned": done.pinned, "changed": done.changed})
        return
    told = "pinned" if done.pinned else "not pinned"
    click.echo(f"{done.address}  {told}{'' if done.changed else ' already'}")


@click.command("stale", short_help="List memories that time has caught up with.")
@common.json_option
def stale_command(as_json: bool) -> None:
    """List memories past their Revisit when, that name files which are not in this tree, or that
    stand superseded beside what took their place. Hints: nothing is changed."""
    found = stale(common.project_here(), common.now(), common.progress())
    if as_json:
        common.say_json({"memories": [as_data(one) for one in found]})
        return
    if not found:
        click.echo("Nothing is stale.")
    for text in show_list(found):
        common.say_memory(text)
        click.echo()
