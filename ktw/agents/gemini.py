"""Gemini CLI's hooks: the like of Claude Code's under other names.

Source of the format: docs/hooks/reference.md of https://github.com/google-gemini/gemini-cli. Before
a tool it can be told nothing but a refusal, so what a tool's memories say goes with `AfterTool`,
which appends it to the tool's result; a hook registered for `BeforeTool` stays silent.
"""

from collections.abc import Mapping

from ktw.agents import payload as given
from ktw.agents.answers import hook_output
from ktw.agents.call import Adapter, Call, Said

_NATIVE = {
    "session-start": ("SessionStart",),
    "user-prompt": ("BeforeAgent",),
    "pre-tool": ("AfterTool", "BeforeTool"),
    "stop": ("AfterAgent",),
    "session-end": ("SessionEnd",),
}
_TOLD = frozenset({"SessionStart", "BeforeAgent", "AfterTool"})
_SHOWN = _TOLD | {"BeforeTool", "AfterAgent", "SessionEnd"}
_ACTIONS = {
    "read_file": "read", "read_many_files": "read", "list_directory": "read", "glob": "read",
    "search_file_content": "read", "grep_search": "read", "write_file": "write",
    "replace": "write", "run_shell_command": "run",
}  # fmt: skip


def parse(event: str, payload: Mapping[str, object]) -> Call:
    """A payload of any of the five events."""
    return Call(
        event=event,
        native=given.native(payload, _NATIVE[event], "hook_event_name"),
        session=given.text(payload, "session_id"),
        cwd=given.text(payload, "cwd"),
        prompt=given.text(payload, "prompt"),
        tool=given.tool(given.text(payload, "tool_name"), payload.get("tool_input"), _ACTIONS),
        transcript=given.text(payload, "transcript_path"),
        source=given.text(payload, "source"),
    )


def answer(call: Call, said: Said) -> dict[str, object] | None:
    """As Claude Code's; a prompt that was an answer is denied, which discards it."""
    if said.receipt:
        return {"decision": "deny", "reason": said.receipt}
    return hook_output(call, said, _TOLD, _SHOWN)


ADAPTER = Adapter(
    parse,
    answer,
    _TOLD,
    _SHOWN,
    (("~/.gemini/settings.json", "mcpServers"), (".gemini/settings.json", "mcpServers")),
)
