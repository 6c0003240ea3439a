"""VS Code with Copilot: `.vscode/mcp.json` of a project.

Source: code.visualstudio.com/docs/copilot/reference/mcp-configuration.
"""

from ktw.wiring.entries import Entry
from ktw.wiring.places import Place, Scope, Wiring, server

AGENT = "vscode"


def places(scope: Scope, command: str) -> tuple[Place, ...]:
    """The server, for a project alone: a person's file lies in a profile that can be anywhere."""
    if scope == "user":
        return ()
    entry = Entry(("servers", "ktw"), server(command, type="stdio"))
    return (Place(".vscode/mcp.json", "json", (entry,)),)


WIRING = Wiring(
    AGENT,
    places,
    {},
    (
        "no file of a person: its place depends on the profile",
        "no hooks: they are in preview, and Copilot's cloud agent reads the same files",
        "no rules that deny commands: none of them is a file of the project",
    ),
)
