"""Cursor's hooks: context can be added to a new session and behind a tool's result, nowhere else.

Source of the format: https://cursor.com/docs/agent/hooks (common schema, sessionStart,
beforeSubmitPrompt, preToolUse, postToolUse, stop, sessionEnd). Nothing shows the person a message
at the end of a turn, so nothing is offered for approval in chat.
"""

from collections.abc import Mapping

from ktw.agents import payload as given
from ktw.agents.call import Adapter, Call, Said

_NATIVE = {
    "session-start": ("sessionStart",),
    "user-prompt": ("beforeSubmitPrompt",),
    "pre-tool": ("postToolUse", "preToolUse", "beforeShellExecution", "beforeReadFile"),
    "stop": ("stop",),
    "session-end": ("sessionEnd",),
}
_TOLD = frozenset({"sessionStart", "postToolUse"})
_IDS = {"pre-tool": ("tool_use_id",), "user-prompt": ("generation_id",)}
_ACTIONS = {
    "Read": "read", "Grep": "read", "Glob": "read", "LS": "read", "Write": "write",
    "Edit": "write", "StrReplace": "write", "Delete": "write", "EditNotebook": "write",
    "Shell": "run",
}  # fmt: skip


def parse(event: str, payload: Mapping[str, object]) -> Call:
    """A payload of any of the five events; the shell's and the reader's own hooks carry the
    arguments at the top."""
    arguments = payload.get("tool_input", payload)
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return Call(
        event=event,
        native=given.native(payload, _NATIVE[event], "hook_event_name"),
        session=given.text(payload, "conversation_id", "session_id"),
        part=given.text(payload, "subagent_id"),
        id=given.text(payload, *_IDS.get(event, ())),
        cwd=given.text(payload, "cwd") or (first if isinstance(first, str) else ""),
        prompt=given.text(payload, "prompt"),
        tool=given.tool(given.text(payload, "tool_name"), arguments, _ACTIONS),
        transcript=given.text(payload, "transcript_path"),
    )


def answer(call: Call, said: Said) -> dict[str, object] | None:
    """`additional_context`, or the refusal to send a prompt that was an answer."""
    if said.receipt:
        return {"continue": False, "user_message": said.receipt}
    if said.context and call.native in _TOLD:
        return {"additional_context": said.context}
    return None


ADAPTER = Adapter(
    parse,
    answer,
    _TOLD,
    frozenset(),
    (("~/.cursor/mcp.json", "mcpServers"), (".cursor/mcp.json", "mcpServers")),
)
