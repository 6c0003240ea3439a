"""docs/agents.md tells of every agent, file and event that is wired, and of nothing else; the
manifests name commands that are there."""

import json
import re
import tomllib
from pathlib import Path

import click
import pytest

from ktw import __version__
from ktw.agents import AGENTS
from ktw.cli.root import ktw
from ktw.wiring import claude_code
from ktw.wiring.agents import WIRINGS
from ktw.wiring.entries import grafted
from ktw.wiring.places import EVENTS, HOOK_SECONDS, SCOPES, server

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/agents.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
PLUGIN = json.loads((ROOT / ".claude-plugin/plugin.json").read_text(encoding="utf-8"))
MARKET = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text(encoding="utf-8"))
REGISTRY = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
PACKAGE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMANDS = ktw.list_commands(click.Context(ktw))


def test_every_agent_has_a_section_and_a_row() -> None:
    assert set(AGENTS) | set(WIRINGS) == set(SECTIONS)
    for name in SECTIONS:
        assert f"\n| `{name}` |" in PAGE


@pytest.mark.parametrize("name", WIRINGS)
def test_a_section_names_each_file_and_event(name: str) -> None:
    section, wiring = SECTIONS[name], WIRINGS[name]
    for scope in SCOPES:
        for place in wiring.places(scope, "ktw"):
            assert f"`{place.path}`" in section or f"`~/{place.path}`" in section
    for event, native in wiring.events.items():
        assert f"`{event}`" in section and f"`{native}" in section
    for event in set(EVENTS) - set(wiring.events):
        assert f"`{event}` (" not in section
    for told in ("Sees:", "Not protected:"):
        assert told in section


@pytest.mark.parametrize("name", WIRINGS)
def test_what_is_wired_reaches_the_agent_or_the_person(name: str) -> None:
    """Or makes a recap, which is had with one agent alone."""
    adapters = pytest.importorskip("ktw.agents.adapters")
    adapter = adapters.adapter_of(name)
    for event, native in WIRINGS[name].events.items():
        reaches = native in adapter.told or native in adapter.shown
        assert reaches or (name, event) == ("claude-code", "session-end")


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_has_a_row(event: str) -> None:
    assert f"\n| `{event}` |" in PAGE


def test_the_page_tells_the_limit_that_is_written() -> None:
    assert f"limit, {HOOK_SECONDS} seconds" in PAGE


# --- the manifests ---------------------------------------------------------------------------


def test_all_manifests_have_the_version_of_the_package() -> None:
    versions = [PLUGIN["version"], *(each["version"] for each in MARKET["plugins"])]
    versions += [REGISTRY["version"], *(each["version"] for each in REGISTRY["packages"])]
    assert set(versions) == {__version__, PACKAGE["version"]}


def test_the_plugin_has_what_init_writes() -> None:
    expected: object = {}
    for entry in claude_code.places("project", "ktw")[1].entries:
        if entry.path[0] == "hooks":
            expected = grafted(expected, entry.path, entry)  # type: ignore[arg-type]
    assert {"hooks": PLUGIN["hooks"]} == expected
    assert PLUGIN["mcpServers"] == {"ktw": server("ktw")}
    assert PLUGIN["license"] == PACKAGE["license"] == "Apache-2.0"


def test_the_marketplace_offers_the_plugin() -> None:
    (offer,) = MARKET["plugins"]
    assert offer["name"] == PLUGIN["name"] and offer["source"] == "./"
    assert set(MARKET) >= {"name", "owner", "plugins"} and MARKET["owner"]["name"]
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", PLUGIN["name"])


def test_the_registry_manifest_names_package_and_command() -> None:
    """Its shape: the schema of 2025-12-11, whose limits are these."""
    assert REGISTRY["$schema"].endswith("/2025-12-11/server.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", REGISTRY["name"])
    assert 1 <= len(REGISTRY["description"]) <= 100
    (package,) = REGISTRY["packages"]
    assert package["registryType"] == "pypi" and package["identifier"] == PACKAGE["name"]
    assert package["transport"] == {"type": "stdio"}
    assert PACKAGE["scripts"][package["identifier"]] == PACKAGE["scripts"]["ktw"]
    values = [each["value"] for each in package["packageArguments"]]
    assert values == server("ktw")["args"]


def test_the_registry_is_told_one_name_by_manifest_and_readme() -> None:
    """PyPI shows the README, in which the registry looks for the name; a placeholder that nobody
    can own (RFC 2606) stands nowhere else."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"mcp-name:[ \t]*(\S*)", readme)
    placeholder = REGISTRY["name"].startswith("invalid.")
    assert named == ([] if placeholder else [REGISTRY["name"]])
    assert PACKAGE["readme"] == "README.md"
    assert ("placeholder" in (ROOT / "docs/mcp.md").read_text(encoding="utf-8")) == placeholder


@pytest.mark.parametrize("command", ["hook", "mcp"])
def test_the_commands_that_are_written_are_there(command: str) -> None:
    if command not in COMMANDS:
        pytest.skip(f"ktw {command} is not built yet")
    assert command in COMMANDS
