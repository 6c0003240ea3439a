"""Claude Code's hooks: what it sends on standard input, and what it reads back.

Source of the format: the types `BaseHookInput`, `*HookInput` and `SyncHookJSONOutput` in the npm
package @anthropic-ai/claude-agent-sdk 0.3.332 (sdk.d.ts), and https://code.claude.com/docs/en/hooks.
"""

from collections.abc import Mapping
from functools import partial

from ktw.agents import payload as given
from ktw.agents.answers import hook_output
from ktw.agents.call import Adapter, Call

NATIVE = {
    "session-start": ("SessionStart",),
    "user-prompt": ("UserPromptSubmit",),
    "pre-tool": ("PreToolUse", "PostToolUse"),
    "stop": ("Stop",),
    "session-end": ("SessionEnd",),
}
_TOLD = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"})
_SHOWN = _TOLD | {"Stop"}
ACTIONS = {
    "Read": "read", "NotebookRead": "read", "Grep": "read", "Glob": "read", "LS": "read",
    "Edit": "write", "MultiEdit": "write", "Write": "write", "NotebookEdit": "write",
    "Bash": "run", "PowerShell": "run", "apply_patch": "write",
}  # fmt: skip
_IDS = {"pre-tool": ("tool_use_id",), "user-prompt": ("prompt_id", "turn_id")}
_FROM_PERSON = ("", "user")


def parse(event: str, payload: Mapping[str, object]) -> Call:
    """A payload of any of the five events.

    `source` of a prompt says who wrote it; what a schedule or another machine sent is nobody's
    answer.
    """
    return Call(
        event=event,
        native=given.native(payload, NATIVE[event], "hook_event_name"),
        session=given.text(payload, "session_id"),
        part=given.text(payload, "agent_id"),
        id=given.text(payload, *_IDS.get(event, ())),
        cwd=given.text(payload, "cwd"),
        prompt=given.text(payload, "prompt"),
        by_person=given.text(payload, "source") in _FROM_PERSON or event != "user-prompt",
        tool=given.tool(given.text(payload, "tool_name"), payload.get("tool_input"), ACTIONS),
        transcript=given.text(payload, "transcript_path"),
        source=given.text(payload, "source"),
    )


ADAPTER = Adapter(
    parse,
    partial(hook_output, told=_TOLD, shown=_SHOWN),
    _TOLD,
    _SHOWN,
    (("~/.claude.json", "mcpServers"), (".mcp.json", "mcpServers")),
)
