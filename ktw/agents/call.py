"""What every agent's hook comes down to: one neutral call in, and what is to be said out.

Adapters translate; nothing here knows an agent, a memory or git.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

EVENTS = ("session-start", "user-prompt", "pre-tool", "stop", "session-end")
ACTIONS = ("read", "write", "run", "other")


class Tool(NamedTuple):
    """A tool about to be used: what it does, its shell command, the paths and globs it names."""

    action: str
    command: str = ""
    paths: tuple[str, ...] = ()


class Call(NamedTuple):
    """One event as it was told. `id`: what the agent calls just this event, "" where it does not.

    `part`: the subagent whose context it is, "" for the main one. `native`: the agent's own name
    of the event, out of the names that the adapter knows. `by_person`: a person typed the prompt,
    as far as the agent tells.
    """

    event: str
    native: str = ""
    session: str = ""
    part: str = ""
    id: str = ""
    cwd: str = ""
    prompt: str = ""
    by_person: bool = True
    tool: Tool = Tool("other")
    transcript: str = ""
    source: str = ""


class Said(NamedTuple):
    """What a hook says: `context` to the agent, `message` to the person alone.

    `receipt`: for the person too, and the prompt goes no further.
    """

    context: str = ""
    message: str = ""
    receipt: str = ""


class Adapter(NamedTuple):
    """One agent's hooks. `told`: native events whose answer can reach the agent as context;
    `shown`: those whose answer can reach the person; `answer`: None where nothing is printed.

    `servers`: JSON or TOML files that list tool servers, with the key of the list; "~/" starts a
    path in the home, all others are in the project.
    """

    parse: Callable[[str, Mapping[str, object]], Call]
    answer: Callable[[Call, Said], dict[str, object] | None]
    told: frozenset[str]
    shown: frozenset[str]
    servers: tuple[tuple[str, str], ...] = ()
