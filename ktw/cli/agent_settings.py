"""How `init --agents` and `uninstall` talk to a person about agents' settings."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from ktw.cli import common
from ktw.errors import EXIT_FINDINGS, EXIT_OK, KtwError, Refused
from ktw.operations import wiring
from ktw.operations.memory_hook import HookPlace, hook_in_place, remove_hook
from ktw.operations.wiring import WiringPlan
from ktw.text.escape import escape_line, escape_text
from ktw.wiring.agents import WIRINGS, named_wirings
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
    """Take the named agents' entries out of the project around here, or of the person's home; with
    all agents, the hook of git that `init --memory-used-hook` put into this clone, too."""
    if common.agent() is not None:
        raise _not_by_an_agent("uninstall")
    project, wirings = None if user else common.project_here(), named_wirings(names)
    scope, base = _scope(project.root if project else None, "uninstall")
    plan = wiring.plan_unwiring(base, scope, wirings, _command(scope))
    hook = hook_in_place(project.repository) if project and len(wirings) == len(WIRINGS) else None
    if project is None or hook is None:
        return _carry_out(plan, yes, dry_run, "ktw uninstall --yes")
    also = Besides(_told_of(hook), partial(remove_hook, project.repository))
    code = _carry_out(plan, yes, dry_run, "ktw uninstall --yes", also)
    return EXIT_FINDINGS if hook.advice else code


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


class Besides(NamedTuple):
    """What is done together with a plan: as it is told, and how."""

    told: tuple[tuple[str, str | None], ...]
    do: Callable[[], object]


def _told_of(hook: HookPlace) -> tuple[tuple[str, str | None], ...]:
    place, names = escape_line(str(hook.path)), "names recalled memories in commits"
    if not hook.advice:
        return ((f"delete  {place} (git, {names})", "green"),)
    return (
        (f"delete  what a line of {place} calls (git, {names})", "green"),
        (f"leave   {place}: take this line out of it", "yellow"),
        (hook.advice, None),
    )


def _carry_out(
    plan: WiringPlan, yes: bool, dry_run: bool, without: str, also: Besides | None = None
) -> int:
    done: Sequence[Change] = plan.changes
    writes = plan.writes or also is not None
    _print(plan.changes, plan.scope)
    if not also and all(change.action == "absent" for change in plan.changes):
        click.echo("Nothing to take out: none of these agents has settings there.")
    common.say_lines(also.told if also else ())
    if dry_run:
        for change in plan.changes:
            click.echo(escape_text(wiring.diff(change)), nl=False)
    elif writes and (yes or common.confirm("Write this?", True, without)):
        done = wiring.write_wiring(plan)
        if also:
            also.do()
        _print([new for new, old in zip(done, plan.changes, strict=True) if new != old], plan.scope)
    elif writes:
        click.echo("Nothing was written.")
    return EXIT_FINDINGS if any(change.why for change in done) else EXIT_OK


def _print(changes: Sequence[Change], scope: Scope) -> None:
    for each in (change for change in changes if change.action != "absent"):
        shown = f"{'~/' if scope == 'user' else ''}{each.path}"
        why = "".join(f"; {reason}" for reason in each.why)
        told = f"{_TOLD.get(each.action, each.action):<7} {escape_line(shown)} ({each.agent})"
        common.say(told + escape_line(why), _COLOURS.get(each.action, "green"))


def _print_missing(wirings: Sequence[Wiring]) -> None:
    for each in wirings:
        for reason in each.missing:
            click.echo(f"note    {each.agent}: {reason}")
