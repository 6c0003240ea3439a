"""Claude Code: `.mcp.json` and `.claude/settings.json` of a project; `~/.claude.json` and
`~/.claude/settings.json` of a person.

Sources: docs.claude.com/en/docs/claude-code/hooks, /settings, /mcp and /iam (permission rules).
"""

from ktw.wiring.entries import Entry
from ktw.wiring.places import Place, Scope, Wiring, denied_commands, hook_groups, server

AGENT = "claude-code"
EVENTS = {
    "session-start": "SessionStart",
    "user-prompt": "UserPromptSubmit",
    "pre-tool": "PreToolUse",
    "stop": "Stop",
    "session-end": "SessionEnd",
}
MATCHERS = {"pre-tool": "Bash|Read|Grep|Glob|Edit|MultiEdit|Write|NotebookEdit"}
_SERVERS = {"project": ".mcp.json", "user": ".claude.json"}


def places(scope: Scope, command: str) -> tuple[Place, ...]:
    """The server, the hooks, and rules that deny what is a person's."""
    return (
        Place(_SERVERS[scope], "json", (Entry(("mcpServers", "ktw"), server(command)),)),
        Place(".claude/settings.json", "json", (*_hooks(command), *_deny())),
    )


def _hooks(command: str) -> tuple[Entry, ...]:
    return hook_groups(AGENT, command, EVENTS, MATCHERS)


def _deny() -> tuple[Entry, ...]:
    rules = (f"Bash({start}:*)" for start in denied_commands())
    return tuple(Entry(("permissions", "deny"), rule, True) for rule in rules)


WIRING = Wiring(AGENT, places, EVENTS)
