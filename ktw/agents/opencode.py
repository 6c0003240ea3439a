"""opencode has no command hooks: a plugin of ours runs the command and takes the answer.

The payload is therefore ours, as the plugin makes it from opencode's own events: `session_id`,
`cwd`, `prompt`, `tool_name`, `tool_input`, `call_id`. The answer is `context`, `message`, `block`.
Source of the plugin's events and tools: the type `Hooks` of the npm package @opencode-ai/plugin
1.18.33 (dist/index.d.ts), and https://opencode.ai/docs/plugins.
"""

from collections.abc import Mapping

from ktw.agents import payload as given
from ktw.agents.call import EVENTS, Adapter, Call, Said

_TOLD = frozenset({"session-start", "user-prompt", "pre-tool"})
_ACTIONS = {
    "read": "read", "grep": "read", "glob": "read", "list": "read", "write": "write",
    "edit": "write", "multiedit": "write", "patch": "write", "bash": "run",
}  # fmt: skip


def parse(event: str, payload: Mapping[str, object]) -> Call:
    """A payload of any of the five events."""
    return Call(
        event=event,
        native=event,
        session=given.text(payload, "session_id"),
        id=given.text(payload, "call_id"),
        cwd=given.text(payload, "cwd"),
        prompt=given.text(payload, "prompt"),
        tool=given.tool(given.text(payload, "tool_name"), payload.get("tool_input"), _ACTIONS),
        transcript=given.text(payload, "transcript_path"),
    )


def answer(call: Call, said: Said) -> dict[str, object] | None:
    """What there is of the three."""
    told = {"context": said.context, "message": said.message, "block": said.receipt}
    return {name: value for name, value in told.items() if value} or None


ADAPTER = Adapter(
    parse,
    answer,
    _TOLD,
    frozenset(EVENTS),
    (("~/.config/opencode/opencode.json", "mcp"), ("opencode.json", "mcp")),
)
