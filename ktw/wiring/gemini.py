"""Gemini CLI: `.gemini/settings.json`, of a project or below the home.

Sources: `docs/hooks/reference.md` and `docs/tools/mcp-server.md` of google-gemini/gemini-cli.
"""

from ktw.wiring.entries import Entry
from ktw.wiring.places import HOOK_SECONDS, Place, Scope, Wiring, hook_groups, server

AGENT = "gemini"
EVENTS = {
    "session-start": "SessionStart",
    "user-prompt": "BeforeAgent",
    "pre-tool": "AfterTool",
    "stop": "AfterAgent",
}
MATCHERS = {
    "pre-tool": "run_shell_command|read_file|read_many_files|grep_search|search_file_content|glob"
    "|replace|write_file"
}


def places(scope: Scope, command: str) -> tuple[Place, ...]:
    """The server and the hooks, in one file; its timeouts are milliseconds."""
    hooks = hook_groups(AGENT, command, EVENTS, MATCHERS, HOOK_SECONDS * 1000)
    entries = (Entry(("mcpServers", "ktw"), server(command)), *hooks)
    return (Place(".gemini/settings.json", "json", entries),)


WIRING = Wiring(
    AGENT,
    places,
    EVENTS,
    (
        "no hook before a tool: what it says reaches the model behind the tool's result",
        "no hook at the end of a session: no recap is made",
        "no rules that deny commands: its policy files are not looked up here",
    ),
)
