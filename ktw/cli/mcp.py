"""The command that serves agents over MCP."""

import os
import sys
from pathlib import Path

import click

from ktw.cli import common


@click.command("mcp", short_help="Serve this memory to an agent over MCP.")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A directory of the project (default: here, or where the client says it is).",
)
def mcp_command(project: Path | None) -> None:
    """Serve the project's memory over the Model Context Protocol, on standard input and output.

    An agent's client starts it. What is written through it is an agent's, and no tool approves,
    deletes, or changes what a person wrote or approved.

    \b
    {"mcpServers": {"ktw": {"command": "ktw", "args": ["mcp"]}}}
    """
    from ktw.mcp.process import serve

    if sys.stdin.isatty():
        common.say("ktw: waiting for an MCP client's messages; Ctrl-D ends it", err=True)
    serve(project or Path(common.here()), project is not None, os.environ, common.now)
