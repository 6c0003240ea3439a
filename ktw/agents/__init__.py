"""The coding agents ktw knows, one row each: how a process can tell that it runs under one.

An explicit table; the adapter of an agent's hooks is named here and loaded when a hook runs.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Agent(NamedTuple):
    """A coding agent: its name as in frontmatter, variables it sets for its children, and the
    module that reads its hooks' payloads, "" for one that runs no commands as hooks.

    opencode has plugins in JavaScript instead, whose interface changed with its version 2.
    """

    name: str
    variables: tuple[str, ...]
    adapter: str


AGENTS: Mapping[str, Agent] = {
    agent.name: agent
    for agent in (
        Agent("claude-code", ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"), "ktw.agents.claude_code"),
        Agent("codex", ("CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_CI"), "ktw.agents.codex"),
        Agent("cursor", ("CURSOR_AGENT",), "ktw.agents.cursor"),
        Agent("gemini", ("GEMINI_CLI",), "ktw.agents.gemini"),
        Agent("opencode", ("OPENCODE", "OPENCODE_CLIENT"), ""),
        Agent("vscode", (), "ktw.agents.vscode"),
        Agent("windsurf", ("WINDSURF_AGENT", "CASCADE_AGENT"), "ktw.agents.windsurf"),
    )
}
_NAMED_BY = ("KTW_AGENT", "AI_AGENT")


def driving_agent(env: Mapping[str, str]) -> str | None:
    """The agent whose environment this is, `[a-z0-9-]{1,40}`, or None."""
    for variable in _NAMED_BY:
        if env.get(variable):
            return plain_name(env[variable])
    found = (a.name for a in AGENTS.values() if any(env.get(name) for name in a.variables))
    return next(found, None)


def plain_name(name: str) -> str:
    """Any name as one that a memory's writer may have, `[a-z0-9-]{1,40}`."""
    kept = "".join(char if char.isascii() and char.isalnum() else "-" for char in name.lower())
    return kept.strip("-")[:40].strip("-") or "agent"
