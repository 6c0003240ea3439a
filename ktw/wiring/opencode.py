"""opencode: `opencode.json` of a project, `~/.config/opencode/opencode.json` of a person.

Written in the shape of version 1, which version 2 reads as well; a file that is in the shape of
version 2 already gets that one. Sources: opencode.ai/docs/mcp-servers, /permissions, /migrate-v1.
"""

from ktw.wiring.documents import Json
from ktw.wiring.entries import Entry
from ktw.wiring.places import Place, Scope, Wiring, denied_commands

AGENT = "opencode"
_FILES = {"project": "opencode.json", "user": ".config/opencode/opencode.json"}


def places(scope: Scope, command: str) -> tuple[Place, ...]:
    """The server, and rules that deny what is a person's."""
    server: dict[str, Json] = {"type": "local", "command": [command, "mcp"], "enabled": True}
    deny = (Entry(("permission", "bash", f"{start}*"), "deny") for start in denied_commands())
    return (Place(_FILES[scope], "json", (Entry(("mcp", "ktw"), server), *deny)),)


def variant(place: Place, data: Json) -> Place:
    """The place as version 2 writes it, where the file does."""
    if not isinstance(data, dict):
        return place
    if not (_has_servers(data) or isinstance(data.get("permissions"), list)):
        return place
    older = place.entries[0].value
    server = {key: older[key] for key in ("type", "command")} if isinstance(older, dict) else {}
    deny = (
        {"action": "shell", "resource": f"{start}*", "effect": "deny"}
        for start in denied_commands()
    )
    rules = tuple(Entry(("permissions",), dict(rule), True) for rule in deny)
    return place._replace(entries=(Entry(("mcp", "servers", "ktw"), server), *rules))


def _has_servers(data: dict[str, Json]) -> bool:
    """Version 1 may have a server that is called `servers`: that one has a type."""
    mcp = data.get("mcp")
    servers = mcp.get("servers") if isinstance(mcp, dict) else None
    return isinstance(servers, dict) and not isinstance(servers.get("type"), str)


WIRING = Wiring(
    AGENT,
    places,
    {},
    ("no hooks: opencode has plugins in JavaScript, whose interface changed with version 2",),
    variant,
)
