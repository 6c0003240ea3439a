"""The command `uninstall`: out of agents' settings comes exactly what was put in."""

import click

from ktw.cli import agent_settings


@click.command("uninstall", short_help="Take out of agents' settings what init put in.")
@click.option("--agents", default="all", metavar="NAME,…", help="Which; all without it.")
@click.option("--user", is_flag=True, help="Out of the settings in your home.")
@click.option("--dry-run", is_flag=True, help="Show what would be done as a diff; write nothing.")
@click.option("-y", "--yes", is_flag=True, help="Ask nothing.")
def uninstall_command(agents: str, user: bool, dry_run: bool, yes: bool) -> int:
    """Take ktw out of the settings of agents, in this project or (--user) in your home.

    A file that nobody changed since becomes what it was, byte for byte; one that held nothing else
    goes. What was changed by hand is named and left, and memories are not touched. Of a project,
    and without --agents, the hook of `init --memory-used-hook` goes too. Exit 1 where something was
    left.
    """
    return agent_settings.unwire(agents, user, yes, dry_run)
