"""The command `doctor`: what stands well here, what does not, and what to do about it."""

import os
from pathlib import Path

import click

from ktw.cli import common
from ktw.errors import EXIT_FINDINGS, EXIT_OK
from ktw.operations.examining import Examination, examine
from ktw.operations.examining_agents import Machine
from ktw.operations.symptoms import Symptom
from ktw.text.escape import escape_line
from ktw.warm_client import ask

_PATIENCE_S = 2.0
_COLOURS = {"ok": None, "warn": "yellow", "bad": "red"}


@click.command("doctor", short_help="Examine what ktw rests on here.")
@click.option("--report", is_flag=True, help="Leave out what is private, for a bug report.")
@click.option("--isolation", is_flag=True, help="Test the cage of the summariser instead.")
@click.option("-y", "--yes", "asked", is_flag=True, help="With --isolation: ask nothing.")
@common.json_option
def doctor_command(report: bool, isolation: bool, asked: bool, as_json: bool) -> int:
    """Examine git, config, policy, what each method of approval is worth here, keys, hooks,
    permissions, index, model, agents and recaps: a line each, with what to do. Mends nothing.

    Exit 1 when something is bad. --report names no path, project, person or address.

    --isolation tests that the summariser's cage holds: the agent's command must act without it,
    and must not in it. It costs two calls of a model, and asks first.
    """
    if isolation:
        from ktw.cli.isolation import show_isolation

        return show_isolation(as_json, asked)
    found = examine(
        Path(common.here()),
        common.model_setting(),
        common.now(),
        common.agent(),
        common.person(),
        Machine(common.home(), common.command_path(), _is_warm),
        os.environ,
    )
    if as_json:
        common.say_json(_data(found, report))
    else:
        for each in found.symptoms:
            _print(each, report)
        told = ", ".join(f"{count} {state}" for state, count in found.summary.items())
        click.echo(told)
    return EXIT_OK if found.is_well else EXIT_FINDINGS


def _is_warm(root: Path) -> bool:
    return ask("status", {}, str(root), os.environ, _PATIENCE_S) is not None


def _print(each: Symptom, report: bool) -> None:
    what = each.public if report else each.what
    common.say(f"{each.state:<4}  {each.about:<12} {escape_line(what)}", _COLOURS[each.state])
    if each.todo and not report:
        click.echo(f"{'':<19}{escape_line(each.todo)}")


def _data(found: Examination, report: bool) -> dict[str, object]:
    lines = [
        {
            "state": each.state,
            "about": each.about,
            "what": escape_line(each.public if report else each.what),
            "todo": escape_line(each.todo) if each.todo and not report else None,
        }
        for each in found.symptoms
    ]
    return {"lines": lines, "summary": dict(found.summary)}
