"""Windsurf's Cascade hooks: they can watch and block, and say nothing to the agent.

Source of the format: https://docs.windsurf.com/windsurf/cascade/hooks. Exit code 2 is the only
answer that reaches Cascade, and ktw's hooks never fail an action: so an event is read, counted, and
answered with silence. Cascade reads memories through the MCP server.
"""

from collections.abc import Mapping

from ktw.agents import payload as given
from ktw.agents.call import Adapter, Call, Said

_ACTIONS = {"pre_read_code": "read", "pre_write_code": "write", "pre_run_command": "run"}


def parse(event: str, payload: Mapping[str, object]) -> Call:
    """A payload of any action; what is special to it stands under `tool_info`."""
    info = given.mapping(payload.get("tool_info"))
    return Call(
        event=event,
        session=given.text(payload, "trajectory_id"),
        cwd=given.text(info, "cwd", "root_workspace_path"),
        prompt=given.text(info, "user_prompt"),
        tool=given.tool(given.text(payload, "agent_action_name"), info, _ACTIONS),
        transcript=given.text(info, "transcript_path"),
    )


def answer(call: Call, said: Said) -> dict[str, object] | None:
    """Nothing, whatever there is to say."""
    return None


ADAPTER = Adapter(
    parse,
    answer,
    frozenset(),
    frozenset(),
    (("~/.codeium/windsurf/mcp_config.json", "mcpServers"),),
)
