"""Examine how coding agents reach ktw here: what is wired, and whether it can be started.

Reads settings and starts nothing. What a line says in public names agents and counts alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ktw.operations.symptoms import Symptom, symptom
from ktw.operations.wiring import Wired, what_is_wired
from ktw.wiring.agents import WIRINGS
from ktw.wiring.entries import Entry
from ktw.wiring.places import Scope

_SHARED = "ktw"
_WHERE = {"project": "in the project", "user": "in your home"}
_KINDS = ("server", "hooks", "rules")


class Machine(NamedTuple):
    """What the surface knows of this machine: the person's home, where `ktw` is found, and how to
    ask whether a warm one answers for the project at a root."""

    home: Path | None = None
    command: str | None = None
    is_warm: Callable[[Path], bool] | None = None


NOWHERE = Machine()


def examine_agents(root: Path, machine: Machine) -> Iterator[Symptom]:
    """Each settings file that holds something of ktw's, then what all of them need."""
    found = [*_wired(root, "project", _SHARED)]
    if machine.home is not None:
        found += _wired(machine.home, "user", machine.command or _SHARED)
    yield from (_line(each) for each in found)
    if not any(each.entries for each in found):
        todo = "To wire some: ktw init --agents NAME (docs/agents.md)"
        yield symptom("ok", "agents", "none is wired: they read what AGENTS.md says", todo=todo)
    yield _command(machine.command, found)
    yield _server(found)
    if machine.is_warm is not None:
        yield _warm(machine.is_warm(root))


def _wired(root: Path, scope: Scope, command: str) -> Iterator[Wired]:
    return what_is_wired(root, scope, tuple(WIRINGS.values()), command)


def _line(each: Wired) -> Symptom:
    where = _WHERE[each.scope]
    if each.why:
        todo = f"Mend it, then: ktw init --agents {each.agent}"
        told = f"{each.agent}, {where}: {{}} cannot be told: {{}}"
        return symptom("warn", "agents", told, each.path, each.why, todo=todo)
    told, todo = f"{each.agent}, {where}: {_counted(each.entries)}", ""
    again = f"ktw init --agents {each.agent}{' --user' if each.scope == 'user' else ''}"
    if each.by_hand:
        told += f", {len(each.by_hand)} changed by hand"
        todo = f"Compare with: {again} --print"
    if each.lacking:
        told, todo = f"{told}, {each.lacking} missing", f"To add them: {again}"
    if each.moved:
        told, todo = f"{told}; calls another ktw than this one", f"To change that: {again}"
    return symptom("warn" if todo else "ok", "agents", told, todo=todo)


def _counted(entries: Sequence[Entry]) -> str:
    counts = Counter(_kind(entry) for entry in entries)
    parts = [f"{counts[kind]} {kind}" if kind != "server" else kind for kind in _KINDS]
    return ", ".join(part for part, kind in zip(parts, _KINDS, strict=True) if counts[kind])


def _kind(entry: Entry) -> str:
    if entry.path[0] == "hooks":
        return "hooks"
    return "rules" if entry.path[0].startswith("permission") else "server"


def _command(command: str | None, found: Sequence[Wired]) -> Symptom:
    if command is not None:
        return symptom("ok", "command", "ktw is on the PATH: {}", command)
    needed = any(each.scope == "project" and each.entries for each in found)
    todo = "Put the directory that ktw was installed to on the PATH, and start the agent anew."
    what = "ktw is not on the PATH, so no agent can start it"
    return symptom("bad" if needed else "warn", "command", what, todo=todo)


def _server(found: Sequence[Wired]) -> Symptom:
    """Whether agents have tools, or the command line alone; the server needs nothing but ktw."""
    having = sorted({each.agent for each in found if "server" in map(_kind, each.entries)})
    if having:
        return symptom(
            "ok", "mcp", f"the server (ktw mcp) is in the settings of {', '.join(having)}"
        )
    return symptom("ok", "mcp", "the server (ktw mcp) is in no agent's settings")


def _warm(is_warm: bool) -> Symptom:
    if is_warm:
        return symptom("ok", "warm", "a warm ktw answers hooks and recalls here")
    todo = "For quicker answers: ktw warm --detach"
    return symptom("ok", "warm", "no warm ktw is up: each hook and recall starts cold", todo=todo)
