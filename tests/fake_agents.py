"""Commands that pose as an agent's own, built in a test's directory: honest ones and others.

Each notes down how it was called. Where no option takes its tools away, it does what it is asked.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

HELP = """Usage: claude [options] [command] [prompt]

Options:
  --mcp-config <configs...>             Load MCP servers from JSON files or
                                        strings (space-separated)
  --model <model>                       Model for the current session.
  --no-session-persistence              Don't save sessions to disk
  -p, --print                           Print response and exit (useful for
                                        pipes).
  --safe-mode                           Start with all customizations disabled
  --strict-mcp-config                   Only use MCP servers from --mcp-config,
                                        ignoring all other MCP configurations
  --tools <tools...>                    Built-in tools to make available: "" for
                                        none, "default" for the default set
  -v, --version                         Output the version number
"""
SUMMARY = "The retry limit was raised to seven, because the gateway drops the first answers."
DEFAULTS: dict[str, Any] = {
    "version": "2.1.332 (Claude Code)",
    "help": HELP,
    "says": SUMMARY,
    "status": 0,
    "does": "",  # run first, with `prompt` and `calls`
    "acts": ["file", "server", "secret"],  # what it does where nothing stops it
    "leaks": [],  # what it does in its cage too
}
_SCRIPT = r"""#!{python}
import json, os, subprocess, sys
from pathlib import Path
MINE = json.loads({mine!r})
calls = Path({calls!r})
given = sys.argv[1:]
with calls.open("a") as log:
    log.write(json.dumps({{"arguments": given, "cwd": os.getcwd(), "env": dict(os.environ),
                          "files": sorted(os.listdir("."))}}) + "\n")
if given in (["--version"], ["--help"]):
    sys.stdout.write(MINE["version"] + "\n" if given == ["--version"] else MINE["help"])
    sys.exit(0)
prompt = sys.stdin.read()
caged = "--tools" in given and given[given.index("--tools") + 1] == ""
exec(MINE["does"])
acts = MINE["leaks"] if caged else MINE["acts"]
if "This is a test of what you can reach" in prompt:
    if "file" in acts:
        Path("mark.txt").write_text("mark")
    if "server" in acts:
        ((name, server),) = json.loads(Path(".mcp.json").read_text())["mcpServers"].items()
        calls_ = [("initialize", {{"protocolVersion": "2025-06-18"}}), ("tools/list", {{}}),
                  ("tools/call", {{"name": "leave_mark", "arguments": {{}}}})]
        lines = [json.dumps({{"jsonrpc": "2.0", "id": at, "method": method, "params": params}})
                 for at, (method, params) in enumerate(calls_)]
        subprocess.run([server["command"], *server["args"]], input="\n".join(lines) + "\n",
                       text=True, capture_output=True, check=True)
    print(Path("secret.txt").read_text() if "secret" in acts else "I cannot do that.")
else:
    sys.stdout.buffer.write(MINE["says"].encode("utf-8", "surrogateescape"))
sys.exit(MINE["status"])
"""


class Fake:
    """One such command, first on a PATH of its own."""

    def __init__(self, place: Path, **mine: object) -> None:
        self.place = place
        place.mkdir(parents=True, exist_ok=True)
        self.program, self._calls = place / "claude", place / "calls.jsonl"
        script = _SCRIPT.format(
            python=sys.executable, mine=json.dumps(DEFAULTS | mine), calls=str(self._calls)
        )
        self.program.write_text(script, encoding="utf-8")
        self.program.chmod(0o755)

    @property
    def env(self) -> dict[str, str]:
        """An environment in which it is found."""
        return {**os.environ, "PATH": f"{self.place}{os.pathsep}{os.environ['PATH']}"}

    @property
    def calls(self) -> list[dict[str, Any]]:
        """How it was called so far, questions for its version and its help left out."""
        return [call for call in self.asked if "--print" in call["arguments"]]

    @property
    def asked(self) -> list[dict[str, Any]]:
        """How it was called so far."""
        if not self._calls.exists():
            return []
        return [json.loads(line) for line in self._calls.read_text().splitlines()]


def transcript(
    path: Path, lines: int = 30, cwd: str = "/project", first: str = "Why does the upload fail?"
) -> Path:
    """A session's transcript in Claude Code's form."""
    rows: list[dict[str, Any]] = [said("user", first, cwd)]
    for at in range(lines - 1):
        speaker = "assistant" if at % 2 == 0 else "user"
        rows.append(said(speaker, f"Step {at}: we raised the retry limit to {at}.", cwd))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def said(speaker: str, content: object, cwd: str = "/project", **more: object) -> dict[str, Any]:
    """One record of a transcript."""
    message = {"role": speaker, "content": content}
    return {"type": speaker, "message": message, "cwd": cwd, "sessionId": "s", **more}
