"""How `init --agents` and `uninstall` talk to a person about agents' settings."""

from collections.abc import Sequence
from pathlib import Path

import click

from ktw.cli import common
from ktw.errors import EXIT_FINDINGS, EXIT_OK, KtwError, Refused
from ktw.operations import wiring
from ktw.operations.wiring import WiringPlan
from ktw.text.escape import escape_line, escape_text
from ktw.wiring.agents import named_wirings
from ktw.wiring.changes import Change
from ktw.wiring.places import Scope, Wiring

_TOLD = {"add": "add to", "remove": "cut"}
_COLOURS = {"keep": None, "leave": "yellow"}
SHARED = "ktw"  # in a file that others share: found on the PATH of each machine


def wire(root: Path | None, names: str, yes: bool, dry_run: bool) -> int:
    """Put the named agents' entries into a project, or with no `root` into the person's home."""
    wirings = named_wirings(names)
    scope, base = _scope(root, "writing your own settings")
    plan = wiring.plan_wiring(base, scope, wirings, _command(scope))
    code = _carry_out(plan, yes, dry_run, f"ktw init --agents {names} --yes")
    if plan.writes:
        _print_missing(wirings)
    if common.command_path() is None:
        told = "ktw is not on the PATH: agents that are started from here do not find it"
        common.say(told, "yellow")
    return code


def unwire(names: str, user: bool, yes: bool, dry_run: bool) -> int:
    """Take the named agents' entries out of the project around here, or of the person's home."""
    if common.agent() is not None:
        raise _not_by_an_agent("uninstall")
    scope, base = _scope(None if user else common.project_here().root, "uninstall")
    plan = wiring.plan_unwiring(base, scope, named_wirings(names), _command(scope))
    return _carry_out(plan, yes, dry_run, "ktw uninstall --yes")


def print_snippets(names: str, user: bool) -> int:
    """Print what stands in each file, for whoever puts it there by hand."""
    scope: Scope = "user" if user else "project"
    for each in named_wirings(names):
        for path, text in wiring.snippets(scope, each, _command(scope)):
            click.echo(f"--- {each.agent}: {'~/' if user else ''}{path}\n{text}")
    return EXIT_OK


def _scope(root: Path | None, what: str) -> tuple[Scope, Path]:
    if root is not None:
        return "project", root
    if common.agent() is not None:
        raise _not_by_an_agent(what)
    home = common.home()
    if home is None:
        raise KtwError("this user has no home directory", "Wire the project: leave out --user")
    return "user", home


def _not_by_an_agent(what: str) -> Refused:
    return Refused(f"{what} is a person's", "Run it in a terminal of your own.")


def _command(scope: Scope) -> str:
    return (common.command_path() or SHARED) if scope == "user" else SHARED


def _carry_out(plan: WiringPlan, yes: bool, dry_run: bool, without: str) -> int:
    done: Sequence[Change] = plan.changes
    _print(plan.changes, plan.scope)
    if dry_run:
        for change in plan.changes:
            click.echo(escape_text(wiring.diff(change)), nl=False)
    elif plan.writes and (yes or common.confirm("Write this?", True, without)):
        done = wiring.write_wiring(plan)
        _print([new for new, old in zip(done, plan.changes, strict=True) if new != old], plan.scope)
    elif plan.writes:
        click.echo("Nothing was written.")
    return EXIT_FINDINGS if any(change.why for change in done) else EXIT_OK


def _print(changes: Sequence[Change], scope: Scope) -> None:
    for each in changes:
        shown = f"{'~/' if scope == 'user' else ''}{each.path}"
        why = "".join(f"; {reason}" for reason in each.why)
        told = f"{_TOLD.get(each.action, each.action):<7} {escape_line(shown)} ({each.agent})"
        common.say(told + escape_line(why), _COLOURS.get(each.action, "green"))


def _print_missing(wirings: Sequence[Wiring]) -> None:
    for each in wirings:
        for reason in each.missing:
            click.echo(f"note    {each.agent}: {reason}")
