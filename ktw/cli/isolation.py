"""What `ktw doctor --isolation` does: asks, runs the canary, and says what it showed."""

import os
from dataclasses import asdict
from pathlib import Path

import click

from ktw.cli import common
from ktw.errors import EXIT_FINDINGS, EXIT_OK, KtwError
from ktw.operations.isolation import ACTS, ISOLATED, LEAKS, Finding, isolation
from ktw.operations.recap import MODEL, kept_proofs
from ktw.text.escape import escape_line

_AGENT = "claude-code"
_COSTS = (
    "This starts the agent's command twice, in throwaway directories: once with its tools, once in"
    " the cage. That costs two calls of a model, paid by your account."
)


def show_isolation(as_json: bool, asked: bool) -> int:
    """Run the canary once the person agreed (`asked`: they did already); the exit code."""
    click.echo(_COSTS, err=as_json)
    if not asked and not common.confirm("Run it?", False, "ktw doctor --isolation --yes"):
        return EXIT_OK
    model = os.environ.get("KTW_RECAP_MODEL", MODEL)
    finding = isolation(_AGENT, os.environ, model, _tree(), common.now(), kept_proofs())
    if as_json:
        common.say_json({"agent": _AGENT, **asdict(finding)})
    else:
        _print(finding)
    return EXIT_OK if finding.result == ISOLATED else EXIT_FINDINGS


def _tree() -> Path:
    try:
        return common.project_here().repository.toplevel
    except KtwError:
        return Path(common.here())


def _print(finding: Finding) -> None:
    colour = {ISOLATED: "green", LEAKS: "red"}.get(finding.result, "yellow")
    common.say(finding.result, colour, bold=True)
    if finding.program:
        click.echo(f"program   {escape_line(finding.program)} {finding.version}".rstrip())
    for name, acts in (("uncaged", finding.control), ("caged", finding.caged)):
        click.echo(f"{name:<9} {', '.join(ACTS[act] for act in acts) or 'did nothing'}")
    if finding.why:
        click.echo(f"why       {escape_line(finding.why)}")
    if finding.result == LEAKS:
        click.echo("No recap will be made with this program.")
