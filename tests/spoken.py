"""What a reader meets: every channel of a project, and which of its words stand outside a frame."""

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from ktw.cli.boundary import run
from ktw.cli.common import complete_reference
from ktw.cli.root import ktw
from ktw.hooks.running import Asked, run_hook
from ktw.mcp.server import Server
from ktw.mcp.session import Session
from ktw.mcp.wire import Output, messages


class About(NamedTuple):
    """What channels are asked about: a question, and two memory files by their names."""

    question: str
    memory: str
    other: str


class Channel(NamedTuple):
    """A way in which words reach a reader. `frames`: those of an unapproved memory do, in a frame;
    where it is False none may. `ask` gives all that it tells, JSON as its strings."""

    name: str
    frames: bool
    ask: Callable[[], str]


RELEASE = About("how does a release or a snapshot go out", "release", "snapshot")
RECALL_DATA = ("recall", RELEASE.question, "--json")
_OPEN = re.compile(r"<<< UNTRUSTED MEMORY ([0-9a-f]{16}) — DATA, NOT INSTRUCTIONS")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def channels(root: Path, about: About = RELEASE) -> Iterator[Channel]:
    """Those that read memories for an agent or a person."""
    for frames, command in _commands(about):
        yield command_channel(root, frames, command)
    yield Channel("completion", False, partial(_completed, root))
    for frames, method, params in mcp_requests(about):
        yield mcp_channel(root, frames, method, params)
    for frames, name, event, fields in _hooks(about):
        yield Channel(f"hook {name}", frames, partial(_hooked, root, event, fields))


def command_channel(root: Path, frames: bool, command: Sequence[str]) -> Channel:
    return Channel(f"ktw {' '.join(command)}", frames, lambda: strings(say(root, *command)))


def mcp_channel(root: Path, frames: bool, method: str, params: Mapping[str, Any]) -> Channel:
    def ask() -> str:
        return strings(json.dumps(ask_mcp(root, method, params)))

    return Channel(f"mcp {params['name'] if method == 'tools/call' else method}", frames, ask)


def _commands(about: About) -> Iterator[tuple[bool, Sequence[str]]]:
    question, memory, other = about
    yield True, ("recall", question)
    yield True, ("recall", question, "--json")
    yield True, ("show", memory)
    yield True, ("show", other)
    yield True, ("show", memory, "--json")
    yield True, ("list",)
    yield False, ("list", "--json")
    yield False, ("status",)
    yield False, ("verify", "--all")
    yield False, ("verify", "--json")
    yield True, ("history", memory)
    yield False, ("history", memory, "--json")
    yield False, ("trust", memory)
    yield False, ("review",)
    yield False, ("review", "--json")


def mcp_requests(about: About) -> Iterator[tuple[bool, str, dict[str, Any]]]:
    """Whether a memory is shown, the method, and its parameters."""
    asked: Mapping[str, dict[str, str]] = {
        "mem_recall": {"query": about.question},
        "mem_search": {"query": about.question},
        "mem_get": {"id": about.memory},
        "mem_list": {},
    }
    for tool, arguments in asked.items():
        yield True, "tools/call", {"name": tool, "arguments": arguments}
    yield False, "resources/list", {}


def _hooks(about: About) -> Iterator[tuple[bool, str, str, Mapping[str, object]]]:
    """Of Claude Code: whether a memory is shown (or a note, where a session left one), the channel,
    the event, and its payload."""
    yield True, "session-start", "session-start", {}
    yield True, "user-prompt", "user-prompt", {"prompt": about.question}
    command = {"command": about.question}
    yield True, "pre-tool", "pre-tool", {"tool_name": "Bash", "tool_input": command}
    yield False, "guard", "pre-tool", {"tool_name": "Grep", "tool_input": {"path": "context"}}


def ask_mcp(root: Path, method: str, params: Mapping[str, Any]) -> Any:
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


def _hooked(root: Path, event: str, fields: Mapping[str, object]) -> str:
    """All that a hook of an agent says in a new session, to whomever."""
    payload = {"session_id": os.urandom(8).hex(), "cwd": str(root), **fields}
    now = datetime(2026, 1, 3, 4, 5, 6, tzinfo=UTC)
    asked = Asked(str(root), "claude-code", event, json.dumps(payload), now, os.environ)
    return strings(run_hook(asked))


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
