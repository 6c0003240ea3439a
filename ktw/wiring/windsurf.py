"""Windsurf: `~/.codeium/windsurf/mcp_config.json` of a person; it has no such file of a project.

Sources: docs.windsurf.com/windsurf/cascade/mcp and /windsurf/cascade/hooks.
"""

from ktw.wiring.entries import Entry
from ktw.wiring.places import Place, Scope, Wiring, server

AGENT = "windsurf"
_FILE = ".codeium/windsurf/mcp_config.json"


def places(scope: Scope, command: str) -> tuple[Place, ...]:
    """The server, for a person alone."""
    if scope == "project":
        return ()
    return (Place(_FILE, "json", (Entry(("mcpServers", "ktw"), server(command)),)),)


WIRING = Wiring(
    AGENT,
    places,
    {},
    (
        "no file of a project: its servers are a person's alone (--user)",
        "no hooks: Cascade's can block and log, and hand the model nothing",
        "no rules that deny commands: its list of them is a setting of the editor",
    ),
)
