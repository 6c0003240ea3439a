"""The coding agents ktw knows, one row each: how a process can tell that it runs under one.

An explicit table; adapters for their hooks and settings join here.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Agent(NamedTuple):
    """A coding agent: its name as in frontmatter, and variables it sets for its children."""

    name: str
    variables: tuple[str, ...]


AGENTS: Mapping[str, Agent] = {
    agent.name: agent
    for agent in (
        Agent("claude-code", ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT")),
        Agent("codex", ("CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_CI")),
        Agent("cursor", ("CURSOR_AGENT",)),
        Agent("gemini", ("GEMINI_CLI",)),
        Agent("opencode", ("OPENCODE", "OPENCODE_CLIENT")),
        Agent("windsurf", ("WINDSURF_AGENT", "CASCADE_AGENT")),
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
