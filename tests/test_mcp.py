"""The official SDK's own client drives `ktw mcp` as a process, in both eras of the protocol.

It checks each answer against the protocol's models and each tool's output schema by itself.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builders import Team, make_id
from ktw.mcp.tools import TOOLS
from test_schema import validator

pytest.importorskip("mcp.client.client")

import anyio
from anyio.from_thread import start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import Implementation

ME = Implementation(name="Probe", version="1")
MODES = ("legacy", "2026-07-28")


class Caller:
    """A connected client whose methods are called from a test that knows no event loop."""

    def __init__(self, portal: Any, client: Client) -> None:
        self._portal, self._client = portal, client

    def do(self, name: str, *arguments: object) -> Any:
        return self._portal.call(getattr(self._client, name), *arguments)

    def tool(self, name: str, **arguments: object) -> Any:
        result = self.do("call_tool", name, arguments)
        assert not result.is_error, result.content[0].text
        validator(TOOLS[name].output).validate(result.structured_content)
        return result.structured_content


@pytest.fixture(params=MODES)
def caller(team: Team, request: pytest.FixtureRequest) -> Iterator[Caller]:
    """A server process for the team's clone, and the SDK's client of one era."""
    env = {**os.environ, "KTW_MODEL": "off"}
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "ktw", "mcp"], cwd=team.work.root, env=env
    )
    with start_blocking_portal() as portal:
        client = Client(command, mode=request.param, client_info=ME)
        with portal.wrap_async_context_manager(client):
            yield Caller(portal, client)


def test_a_client_drives_every_tool_resource_and_prompt(caller: Caller, team: Team) -> None:
    assert [tool.name for tool in caller.do("list_tools").tools] == list(TOOLS)
    written = caller.tool("mem_write", title="Retry once", body="Uploads are retried.", topic="up")
    caller.tool("mem_learn", title="Turn a key", trigger="t", steps=["a"], outcome="success")
    assert caller.tool("mem_update", id=written["id"], body="Not retried.")["proposes"] is None
    assert caller.tool("mem_update", id="snapshot", body="Waits never.")["proposes"]
    found = caller.tool("mem_recall", query="snapshot")["results"]
    assert found[0]["title"] == "Snapshot before buffer" and found[0]["verdict"] == "approved"
    assert caller.tool("mem_search", query="retried", kind="decision")["results"][0]["text"]
    assert caller.tool("mem_get", id=written["id"])["agent"] == "probe"
    assert len(caller.tool("mem_list")["memories"]) == 5
    assert caller.tool("mem_reinforce", id=written["id"])["counts_for"] == "recency"
    assert caller.tool("mem_pin", id=written["id"])["pinned"]
    _resources(caller, written["id"])
    (prompt,) = caller.do("list_prompts").prompts
    said = caller.do("get_prompt", prompt.name, {"task": "Mend the upload"}).messages[0].content
    assert "Mend the upload" in said.text and "mem_recall" in said.text


def _resources(caller: Caller, unapproved: str) -> None:
    rows = {row.name: row for row in caller.do("list_resources").resources}
    assert rows[make_id("Snapshot before buffer")].title == "Snapshot before buffer"
    assert rows[unapproved].title is None and "Retry" not in rows[unapproved].description
    text = caller.do("read_resource", rows[unapproved].uri).contents[0].text
    assert "<<< UNTRUSTED MEMORY" in text
    (template,) = caller.do("list_resource_templates").resource_templates
    assert template.uri_template == "ktw://memory/{id}"
    with pytest.raises(MCPError):
        caller.do("read_resource", "ktw://memory/00000000-0000-4000-8000-000000000000")


def test_what_is_refused_reaches_the_client_as_a_result(caller: Caller) -> None:
    result = caller.do("call_tool", "mem_list", {"trusted_at": "now"})
    assert result.is_error and "'trusted_at'" in result.content[0].text
    with pytest.raises(MCPError):
        caller.do("call_tool", "mem_approve", {})


def test_a_client_that_asks_for_the_newest_version_gets_it(team: Team) -> None:
    async def version() -> str:
        command = StdioServerParameters(
            command=sys.executable,
            args=["-m", "ktw", "mcp", "--project", str(team.work.root)],
            cwd=Path("/"),
            env={**os.environ},
        )
        async with Client(command, client_info=ME) as client:
            await client.call_tool("mem_list", {})
            return str(client.protocol_version)

    assert anyio.run(version) == "2026-07-28"
