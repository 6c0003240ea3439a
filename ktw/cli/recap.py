"""The command that a hook starts on its own: `recap`, not listed."""

import os

import click

from ktw.cli import common
from ktw.operations.recap import MODEL, Session, recap


@click.command("recap", hidden=True)
@click.option("--agent", required=True)
@click.option("--session", required=True)
@click.option("--transcript", required=True)
@click.option("--final", is_flag=True)
def recap_command(agent: str, session: str, transcript: str, final: bool) -> None:
    """Keep a local note of a session, made by the agent's own command in its cage."""
    model = os.environ.get("KTW_RECAP_MODEL", MODEL)
    wanted = Session(agent, session, transcript, final)
    outcome = recap(common.project_here(), wanted, os.environ, common.now(), model)
    click.echo(f"{outcome.result}{': ' if outcome.why else ''}{outcome.why}")
