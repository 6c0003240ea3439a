"""Cursor: `.cursor/mcp.json` and `.cursor/hooks.json`, of a project or below the home.

Sources: cursor.com/docs/context/mcp and cursor.com/docs/agent/hooks.
"""

from ktw.wiring.documents import Json
from ktw.wiring.entries import Entry
from ktw.wiring.places import HOOK_SECONDS, Place, Scope, Wiring, hook_command, server

AGENT = "cursor"
EVENTS = {
    "session-start": "sessionStart",
    "pre-tool": "postToolUse",
}
MATCHERS = {"pre-tool": "Shell|Read|Grep|Write"}


def places(scope: Scope, command: str) -> tuple[Place, ...]:
    """The server and the hooks; the same names in both scopes."""
    hooks = tuple(Entry(("hooks", EVENTS[event]), _hook(event, command), True) for event in EVENTS)
    return (
        Place(".cursor/mcp.json", "json", (Entry(("mcpServers", "ktw"), server(command)),)),
        Place(".cursor/hooks.json", "json", hooks, (Entry(("version",), 1),)),
    )


def _hook(event: str, command: str) -> dict[str, Json]:
    hook: dict[str, Json] = {"command": hook_command(command, event, AGENT)}
    matcher = MATCHERS.get(event)
    return {**hook, **({} if matcher is None else {"matcher": matcher}), "timeout": HOOK_SECONDS}


WIRING = Wiring(
    AGENT,
    places,
    EVENTS,
    (
        "no hook at a prompt: Cursor hands nothing that one says to the model",
        "no hook before a tool: what it says reaches the model behind the tool's result",
        "no hook at the end of a turn or session: nothing of it is shown, and no recap is made",
        "no rules that deny commands: Cursor's name a program, not what it is told to do",
    ),
)
