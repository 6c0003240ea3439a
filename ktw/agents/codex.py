"""Codex's hooks: Claude Code's events and fields, by its own closed schemas; no session end.

Source of the format: codex-rs/hooks/schema/generated/*.schema.json and
codex-rs/hooks/src/events/pre_tool_use.rs of https://github.com/openai/codex, and
https://developers.openai.com/codex/hooks. A patch arrives as the `command` of `apply_patch`.
"""

from functools import partial

from ktw.agents.answers import hook_output
from ktw.agents.call import Adapter
from ktw.agents.claude_code import parse

_TOLD = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"})
_SHOWN = _TOLD | {"Stop"}

ADAPTER = Adapter(
    parse,
    partial(hook_output, told=_TOLD, shown=_SHOWN),
    _TOLD,
    _SHOWN,
    (("~/.codex/config.toml", "mcp_servers"), (".codex/config.toml", "mcp_servers")),
)
