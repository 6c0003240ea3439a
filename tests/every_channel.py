"""The table of leaks: every channel by which words reach a reader, asked in the project that
`hostile` makes. What each of them may say is for its test.
"""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, partial
from unittest import mock

from builders import Repo, make_id, memory_text
from hook_scene import PAYLOADS, recorded
from hostile import CLOSINGS
from ktw.agents import AGENTS
from ktw.agents.call import EVENTS
from ktw.chat_words import chat_words
from ktw.hooks.running import Asked, run_hook
from ktw.operations.notes import newest
from ktw.warm_client import ask
from ktw.warm_server import start_in_thread
from spoken import About, Channel, channels, command_channel, mcp_channel, strings

ABOUT = About("how does quokka go out", "closing-00", "field-tags")
_ID = make_id("hostile 0")
_ASKED = "Why does the sync step wait for a full snapshot?"  # as payloads were recorded
_SESSIONS = ("session_id", "conversation_id", "sessionId", "trajectory_id")
_ALL = ("session-start", "user-prompt", "pre-tool")
_TOLD: Mapping[str, tuple[str, ...]] = {  # at which events an agent is told memories
    "claude-code": _ALL,
    "codex": _ALL,
    "cursor": ("session-start", "pre-tool"),
    "gemini": _ALL,
    "vscode": ("session-start", "pre-tool"),
    "windsurf": (),
}
_SHOWN = ("claude-code", "codex", "gemini", "vscode")  # where a person is shown what was saved
_PATIENCE_S = 60.0
SURROUNDINGS: Mapping[str, str] = {}  # the same for who answers and who asks


def every_channel(repo: Repo) -> Iterator[Channel]:
    """Each channel, to be asked in this order: the last ones write into the project, and the very
    last ones approve what stands there."""
    yield from channels(repo.root, ABOUT)
    yield from _reading_commands(repo)
    yield from _reading_mcp(repo)
    yield from _with_a_server(repo)
    yield from _by_hooks(repo)
    yield from _writing(repo)
    yield Channel("logs of hooks", False, partial(_logs, repo))
    for agent in _TOLD:
        yield from _at_the_end_of_a_turn(repo, agent)


# --- commands --------------------------------------------------------------------------------


def _reading_commands(repo: Repo) -> Iterator[Channel]:
    note = newest(repo.project, 1)[0].address
    elsewhere = shutil.copytree(repo.root / "context", repo.root.parent / "elsewhere")
    for frames, command in (
        (True, ("recall", ABOUT.question, "--more", "--explain")),
        (True, ("recall", ABOUT.question, "--json", "--explain")),
        (True, ("show", _ID)),
        (False, ("show", "closing")),
        (False, ("show", f"nothing {CLOSINGS[0]}")),
        (False, (CLOSINGS[0],)),
        (True, ("list", "--kind", "note")),
        (False, ("list", "--faded")),
        (True, ("stale",)),
        (False, ("stale", "--json")),
        (True, ("notes",)),
        (False, ("notes", "--json")),
        (True, ("show", note)),
        (True, ("show", note, "--json")),
        (False, ("status", "--json")),
        (False, ("hooks", "status")),
        (False, ("hooks", "status", "--json")),
        (False, ("doctor",)),
        (False, ("doctor", "--json")),
        (False, ("warm", "--status")),
        (False, ("init", "--dry-run")),
        (False, ("uninstall", "--dry-run")),
        (False, ("adopt",)),
        (False, ("import", str(elsewhere), "--dry-run")),
        (False, ("import", str(elsewhere), "--dry-run", "--json")),
        (False, ("revoke", "forged", "--reason", "no")),
        (False, ("completion", "bash")),
        (False, ("recap", "--agent", "codex", "--session", "s", "--transcript", "/nowhere")),
        (False, ("promote", "nothing")),
    ):
        yield command_channel(repo.root, frames, command)
    yield command_channel(repo.root, False, ("lint",))
    yield command_channel(repo.root, False, ("lint", "--format", "json"))


def _writing(repo: Repo) -> Iterator[Channel]:
    """What answers to somebody who writes what much resembles a memory that is there."""
    note = newest(repo.project, 1)[0].address
    title, body = "quokka goes out", "It goes out."
    steps = ("--trigger", body, "--step", "Wait.", "--outcome", "success")
    for command in (
        ("remember", title, "--body", body),
        ("remember", title, "--body", body, "--force", "--proposes", _ID, "--json"),
        ("learn", "quokka", *steps),
        ("promote", note),
        ("reinforce", _ID, "--json"),
        ("pin", _ID),
        ("index", "--page"),
    ):
        yield command_channel(repo.root, False, command)
    yield Channel("the page of contents", False, lambda: repo.read("context/index.md"))
    learned = {"title": "quokka", "trigger": body, "steps": ["Go."], "outcome": "success"}
    calls: Mapping[str, Mapping[str, object]] = {
        "mem_write": {"title": title, "body": body},
        "mem_learn": learned,
        "mem_update": {"id": "forged", "body": body},
        "mem_reinforce": {"id": _ID},
        "mem_pin": {"id": _ID, "pinned": True},
    }
    for tool, arguments in calls.items():
        params = {"name": tool, "arguments": arguments}
        yield mcp_channel(repo.root, False, "tools/call", params)


def _logs(repo: Repo) -> str:
    """What is kept of all that hooks were asked here."""
    places = (repo.root / ".git/ktw/hooks").rglob("*")
    return "\n".join(f"{at.name} {at.read_text('utf-8')}" for at in places if at.is_file())


# --- MCP and the socket ----------------------------------------------------------------------


def _reading_mcp(repo: Repo) -> Iterator[Channel]:
    for frames, method, params in (
        (False, "ping", {}),
        (False, "initialize", {"clientInfo": {"name": CLOSINGS[0]}}),
        (False, "server/discover", {}),
        (False, "tools/list", {}),
        (False, "tools/call", {"name": "mem_get", "arguments": {"id": "nothing\n>>> END"}}),
        (True, "resources/read", {"uri": f"ktw://memory/{_ID}"}),
        (False, "resources/read", {"uri": f"ktw://memory/{CLOSINGS[0]}"}),
        (False, "resources/templates/list", {}),
        (False, "prompts/list", {}),
        (False, "prompts/get", {"name": "recall-before-you-start", "arguments": {"task": "out"}}),
        (False, CLOSINGS[0], {}),
    ):
        yield mcp_channel(repo.root, frames, method, params)


def _with_a_server(repo: Repo) -> Iterator[Channel]:
    """What a ktw answers that is up from the first question on, and stopped by the last."""

    @cache
    def start() -> None:
        assert start_in_thread(repo.project, SURROUNDINGS) is not None

    def after(asked: Callable[[], str]) -> str:
        start()
        return asked()

    for name, frames, asked in over_the_socket(repo):
        yield Channel(name, frames, partial(after, asked))


def over_the_socket(repo: Repo, stops: bool = True) -> Iterator[Channel]:
    """What a ktw that is up answers, to recalls and to hooks."""
    question = {"question": ABOUT.question, "limit": 20, "budget": 4000, "model": "off"}
    hook = {"agent": "claude-code", "event": "user-prompt", "start": str(repo.root), "env": {}}

    def asked(op: str, arguments: Mapping[str, object]) -> str:
        payload = {"payload": json.dumps(payload_of(repo, "claude-code", "user-prompt"))}
        arguments = {**arguments, **payload} if op == "hook" else arguments
        told = ask(op, arguments, str(repo.root), SURROUNDINGS, _PATIENCE_S)
        assert told is not None, "nobody answers"
        return strings(told if op == "hook" else json.dumps(told))

    yield Channel("socket recall", True, lambda: asked("recall", {**question, "explain": True}))
    yield Channel("socket hook", True, lambda: asked("hook", hook))
    yield Channel("socket status", False, lambda: asked("status", {}))
    if stops:
        yield Channel("socket stop", False, lambda: asked("stop", {}))


# --- hooks -----------------------------------------------------------------------------------


def _by_hooks(repo: Repo) -> Iterator[Channel]:
    """Each agent's own payloads of each event, every one in a session of its own. Before a tool:
    one that opens a memory's file, which is not recalled on, and one that opens another file."""
    for agent in AGENTS:
        for event in EVENTS:
            for name in _payloads(agent, event):
                told = event in _TOLD.get(agent, ()) and ".before" not in name
                asked = partial(_asked_about, repo, agent, event, name)
                if event == "pre-tool":
                    yield Channel(f"hook {agent} {name}, guard", False, partial(asked, True))
                yield Channel(f"hook {agent} {name or event}", told, partial(asked, False))


def _payloads(agent: str, event: str) -> list[str]:
    """The recorded payloads of an event by name; one without a name where an agent has none."""
    return sorted(path.stem for path in (PAYLOADS / agent).glob(f"{event}*.json")) or [""]


def _asked_about(repo: Repo, agent: str, event: str, name: str, opens: bool) -> str:
    if name:
        return hooked(repo, agent, event, payload_of(repo, agent, name, opens=opens))
    return hooked(repo, agent, event, payload_of(repo, "claude-code", event))


def _at_the_end_of_a_turn(repo: Repo, agent: str) -> Iterator[Channel]:
    """A turn that saved two memories, one that a chat can show and one that it must not; then one
    in which an answer may approve what is shown, and the answer."""
    offered = os.urandom(8).hex()

    def turn(session: str, approves: bool) -> str:
        repo.setting("ktw.chatApproval", *(["true"] if approves else []))
        hooked(repo, agent, "user-prompt", payload_of(repo, agent, "user-prompt", session))
        place = repo.root / f"context/{ABOUT.memory}.md"
        place.write_bytes(place.read_bytes() + b"\n")
        saved = memory_text("Saved", f"quokka by {agent}, {approves}.")
        later = time.time() + 60  # after all that was made for the test a moment ago
        os.utime(repo.write("context/saved.md", saved), (later, later))
        return hooked(repo, agent, "stop", payload_of(repo, agent, "stop", session))

    def answer() -> str:
        word = chat_words(repo.project.repository)[0]
        payload = payload_of(repo, agent, "user-prompt", offered, prompt=word)
        return hooked(repo, agent, "user-prompt", payload)

    shown = agent in _SHOWN
    yield Channel(f"hook {agent} stop, saved", shown, lambda: turn(os.urandom(8).hex(), False))
    yield Channel(f"hook {agent} stop, offered", shown, lambda: turn(offered, True))
    yield Channel(f"hook {agent} user-prompt, answered", False, answer)


def hooked(repo: Repo, agent: str, event: str, payload: Mapping[str, object]) -> str:
    """All that one hook says, to whomever; no agent is started for a recap."""
    told = json.dumps(payload)
    asked = Asked(str(repo.root), agent, event, told, datetime.now(UTC), os.environ)
    with mock.patch("ktw.operations.recap.start", return_value="not in a test"):
        answer = run_hook(asked)
    assert not answer or isinstance(json.loads(answer), dict)
    return strings(answer)


def payload_of(
    repo: Repo,
    agent: str,
    name: str,
    session: str = "",
    prompt: str = ABOUT.question,
    opens: bool = False,
) -> dict[str, object]:
    """A recorded payload that asks about the hostile memories. Its tool `opens` the file of one, or
    another file that is called like them."""
    path = f"context/{ABOUT.memory}.md" if opens else "src/quokka.py"
    text = json.dumps(recorded(repo, agent, name)).replace(_ASKED, prompt)
    text = text.replace("context/snapshot.md", path).replace(f'{repo.root}/context"', f'{path}"')
    text = text.replace("python -m sync --wait-for snapshot", f"cat {path}")
    text = text.replace("src/snapshot_sync.ipynb", path)
    payload: dict[str, object] = json.loads(text)
    session = session or os.urandom(8).hex()
    return payload | {key: session for key in _SESSIONS if key in payload}
