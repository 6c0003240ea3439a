"""The shapes of the agents' tables: a settings file of an agent's, and all of one agent's.

`command` is how `ktw` is called there: the plain name in a file that a project shares, which runs
on every machine it is cloned to; this machine's own path in a file of a person's home.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from ktw.wiring.documents import Json
from ktw.wiring.entries import Entry

Scope = Literal["project", "user"]
SCOPES: tuple[Scope, ...] = ("project", "user")
# What a person alone may do. Refused by ktw itself as well; a rule here stops a slip one step
# earlier. It is no wall: a shell has a hundred ways to start the same program.
PERSON_ONLY = ("trust", "review", "revoke", "adopt --approve", "uninstall")
PERSON_ONLY_SETTINGS = ("ktw.approval", "ktw.trustRef", "ktw.project", "ktw.chatApproval")
EVENTS = ("session-start", "user-prompt", "pre-tool", "stop", "session-end")
HOOK_SECONDS = 10  # when the agent gives up; ktw's own budget is far below

_PLAIN = re.compile(r"[A-Za-z0-9_./-]+")


class Place(NamedTuple):
    """A settings file, below the project or the home, and what ktw puts in.

    `needed` is what such a file has to hold besides: added where it lacks, never taken out.
    """

    path: str
    form: str
    entries: tuple[Entry, ...]
    needed: tuple[Entry, ...] = ()


class Wiring(NamedTuple):
    """An agent: its files in each scope, the agent's own name of each event, and what is left out.

    `variant` chooses other entries where a file is written in a newer shape.
    """

    agent: str
    places: Callable[[Scope, str], tuple[Place, ...]]
    events: Mapping[str, str]
    missing: tuple[str, ...] = ()
    variant: Callable[[Place, Json], Place] = lambda place, data: place


def server(command: str, **more: Json) -> dict[str, Json]:
    """The usual entry of an MCP server: the command and its arguments."""
    return {**more, "command": command, "args": ["mcp"]}


def hook_command(command: str, event: str, agent: str) -> str:
    """The line that a shell runs for an event."""
    return f"{_quoted(command)} hook {event} --agent {agent}"


def _quoted(command: str) -> str:
    if _PLAIN.fullmatch(command):
        return command
    return f'"{command}"' if "\\" in command else shlex.quote(command)


def hook_groups(
    agent: str,
    command: str,
    events: Mapping[str, str],
    matchers: Mapping[str, str],
    timeout: int = HOOK_SECONDS,
) -> tuple[Entry, ...]:
    """A group for each event, in the shape that Claude Code, Codex and Gemini CLI share."""
    return tuple(
        Entry(("hooks", name), _group(agent, command, event, matchers.get(event), timeout), True)
        for event, name in events.items()
    )


def _group(
    agent: str, command: str, event: str, matcher: str | None, timeout: int
) -> dict[str, Json]:
    line = hook_command(command, event, agent)
    handler: dict[str, Json] = {"type": "command", "command": line, "timeout": timeout}
    group: dict[str, Json] = {"hooks": [handler]}
    return group if matcher is None else {"matcher": matcher, **group}


def denied_commands() -> tuple[str, ...]:
    """The starts of command lines that are a person's alone."""
    settings = (f"git config {name}" for name in PERSON_ONLY_SETTINGS)
    return (*(f"ktw {name}" for name in PERSON_ONLY), *settings)
