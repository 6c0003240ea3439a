"""Codex: `.codex/config.toml` and `.codex/hooks.json`, of a project or below the home.

Sources: developers.openai.com/codex/mcp, /codex/hooks and /codex/config-reference; where hooks are
looked for: `codex-rs/hooks/src/engine/discovery.rs` of openai/codex.
"""

from ktw.wiring.entries import Entry
from ktw.wiring.places import Place, Scope, Wiring, hook_groups, server

AGENT = "codex"
EVENTS = {
    "session-start": "SessionStart",
    "user-prompt": "UserPromptSubmit",
    "pre-tool": "PreToolUse",
    "stop": "Stop",
}
MATCHERS = {"pre-tool": "Bash|apply_patch"}


def places(scope: Scope, command: str) -> tuple[Place, ...]:
    """The server and the hooks; the same names in both scopes."""
    return (
        Place(".codex/config.toml", "toml", (Entry(("mcp_servers", "ktw"), server(command)),)),
        Place(".codex/hooks.json", "json", hook_groups(AGENT, command, EVENTS, MATCHERS)),
    )


WIRING = Wiring(
    AGENT,
    places,
    EVENTS,
    (
        "Codex runs hooks, and reads a project's .codex, only after you trusted them: /hooks",
        "no rules that deny commands: its policy language is in preview",
        "no hook at the end of a session: Codex has none",
    ),
)
