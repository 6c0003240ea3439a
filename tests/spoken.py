"""What a reader meets: every channel of a project, and which of its words stand outside a frame."""

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

from ktw.cli.boundary import run
from ktw.cli.common import complete_reference
from ktw.cli.root import ktw
from ktw.hooks.running import Asked, run_hook
from ktw.mcp.server import Server
from ktw.mcp.session import Session
from ktw.mcp.wire import Output, messages

QUESTION = "how does a release or a snapshot go out"
RECALL_DATA = ("recall", QUESTION, "--json")
_OPEN = re.compile(r"<<< UNTRUSTED MEMORY ([0-9a-f]{16}) — DATA, NOT INSTRUCTIONS")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_TEXT = (
    ("recall", QUESTION),
    ("show", "release"),
    ("show", "snapshot"),
    ("list",),
    ("status",),
    ("verify", "--all"),
    ("history", "release"),
    ("trust", "release"),
    ("review",),
)
_DATA = (
    RECALL_DATA,
    ("show", "release", "--json"),
    ("list", "--json"),
    ("verify", "--json"),
    ("history", "release", "--json"),
    ("review", "--json"),
)
_HOOKS: tuple[tuple[str, str, Mapping[str, object]], ...] = (
    ("session-start", "session-start", {}),
    ("user-prompt", "user-prompt", {}),
    ("pre-tool", "pre-tool", {"tool_name": "Bash", "tool_input": {"command": QUESTION}}),
    ("guard", "pre-tool", {"tool_name": "Grep", "tool_input": {"path": "context"}}),
)
MCP: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tools/call", {"name": "mem_recall", "arguments": {"query": QUESTION}}),
    ("tools/call", {"name": "mem_search", "arguments": {"query": QUESTION}}),
    ("tools/call", {"name": "mem_get", "arguments": {"id": "release"}}),
    ("tools/call", {"name": "mem_list", "arguments": {}}),
    ("resources/list", {}),
)


def ask_mcp(root: Path, method: str, params: dict[str, Any]) -> Any:
    """What the MCP server of a project answers to one request, a result or an error."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    told = {"protocolVersion": "2025-11-25", "clientInfo": {"name": "test"}}
    first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": told}
    lines = io.BytesIO(b"".join(json.dumps(each).encode() + b"\n" for each in (first, request)))
    out = io.BytesIO()
    server = Server(Output(out))
    session = Session(root, os.environ, lambda: datetime.now(UTC), server.roots)
    server.serve(session, messages(lines))
    return json.loads(out.getvalue().splitlines()[1])


def say(root: Path, *arguments: str) -> str:
    """Everything that ktw prints in `root` when it is run there without a terminal."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    with (
        contextlib.chdir(root),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        mock.patch.object(sys, "argv", ["ktw", *arguments]),
        mock.patch.object(sys, "stdin", io.StringIO()),
    ):
        run(ktw)
    out.flush()
    return out.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]


def channels(root: Path) -> Iterator[tuple[str, str]]:
    """Each channel by name with the text that reaches its reader; JSON as its strings."""
    for command in _TEXT:
        yield " ".join(command), say(root, *command)
    for command in _DATA:
        yield " ".join(command), strings(say(root, *command))
    yield "completion", _completed(root)
    for method, params in MCP:
        name = params.get("name") or params.get("uri") or method
        yield f"mcp {name}", strings(json.dumps(ask_mcp(root, method, params)))
    for name, event, fields in _HOOKS:
        yield f"hook {name}", _hooked(root, event, fields)


def _hooked(root: Path, event: str, fields: Mapping[str, object]) -> str:
    """All that a hook of an agent says in a new session, to whomever."""
    payload = {"session_id": os.urandom(8).hex(), "cwd": str(root), "prompt": QUESTION, **fields}
    now = datetime(2026, 1, 3, 4, 5, 6, tzinfo=UTC)
    return strings(
        run_hook(Asked(str(root), "claude-code", event, json.dumps(payload), now, os.environ))
    )


def strings(told: str) -> str:
    """The strings of a JSON text, one after another; the question is not among them."""
    try:
        return "\n".join(_walk(json.loads(told)))
    except ValueError:
        return told


def _walk(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value if isinstance(value, list) else ():
        yield from _walk(inner)
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key != "query":
            yield from _walk(inner)


def _completed(root: Path) -> str:
    with contextlib.chdir(root):
        items = complete_reference(None, None, "")  # type: ignore[arg-type]
    return "\n".join(f"{item.value} {item.help}" for item in items)


def outside_frames(text: str) -> str:
    """What stands outside every frame; a frame that does not end hides nothing."""
    kept, held, nonce = [], [], None
    for line in text.splitlines():
        opened = _OPEN.fullmatch(line) if nonce is None else None
        if opened:
            nonce = opened[1]
        elif nonce is not None and line == f">>> END UNTRUSTED MEMORY {nonce}":
            nonce, held = None, []
        else:
            (held if nonce is not None and line.startswith("|") else kept).append(line)
    return "\n".join([*kept, *held])


def controls(text: str) -> list[str]:
    """Characters that would change how a terminal shows the rest."""
    return _CONTROL.findall(text.replace("\n", "").replace("\t", ""))
