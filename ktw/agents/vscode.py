"""The hooks of VS Code's own agent (Copilot), a preview: Claude Code's shape in part.

Source of the format: docs/agent-customization/hooks.md and docs/agents/reference/hooks-reference.md
of https://github.com/microsoft/vscode-docs. A prompt's hook can show a message or stop, not add
context; there is no end of a session besides `Stop`.
"""

from collections.abc import Mapping

from ktw.agents import payload as given
from ktw.agents.answers import hook_output
from ktw.agents.call import Adapter, Call, Said
from ktw.agents.claude_code import ACTIONS, NATIVE

_TOLD = frozenset({"SessionStart", "PreToolUse", "PostToolUse"})
_SHOWN = _TOLD | {"UserPromptSubmit", "Stop"}
_ACTIONS = ACTIONS | {
    "readFile": "read", "read_file": "read", "findTextInFiles": "read", "grep_search": "read",
    "file_search": "read", "list_dir": "read", "editFiles": "write", "createFile": "write",
    "create_file": "write", "replace_string_in_file": "write", "insert_edit_into_file": "write",
    "multi_replace_string_in_file": "write", "edit_notebook_file": "write",
    "runTerminalCommand": "run", "run_in_terminal": "run",
}  # fmt: skip


def parse(event: str, payload: Mapping[str, object]) -> Call:
    """A payload of any of the events; field names as the page has them, and as Claude Code has."""
    return Call(
        event=event,
        native=given.native(payload, NATIVE[event], "hookEventName", "hook_event_name"),
        session=given.text(payload, "sessionId", "session_id"),
        part=given.text(payload, "agent_id"),
        id=given.text(payload, "tool_use_id"),
        cwd=given.text(payload, "cwd"),
        prompt=given.text(payload, "prompt"),
        tool=given.tool(given.text(payload, "tool_name"), payload.get("tool_input"), _ACTIONS),
        transcript=given.text(payload, "transcript_path"),
        source=given.text(payload, "source"),
    )


def answer(call: Call, said: Said) -> dict[str, object] | None:
    """As Claude Code's; a prompt that was an answer stops the turn, with the receipt as reason."""
    if said.receipt:
        return {"continue": False, "stopReason": said.receipt}
    return hook_output(call, said, _TOLD, _SHOWN)


ADAPTER = Adapter(parse, answer, _TOLD, _SHOWN, ((".vscode/mcp.json", "servers"),))
