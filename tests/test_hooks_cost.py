"""What an event costs: one process of ktw, and the git processes that docs/agents.md names."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from builders import Team, memory_text
from hook_scene import recorded
from ktw.agents.call import EVENTS
from ktw.hooks.log import tallies
from ktw.operations.wiring import plan_wiring, write_wiring
from ktw.warm_server import start_in_thread
from ktw.wiring.agents import WIRINGS

PAGE = Path(__file__).parents[1] / "docs" / "agents.md"
PATIENCE_S = 120
# Python itself tells of each program that is started, by whichever way.
COUNTING = """
import json, os, sys
sys.path[:] = {path!r}
def note(event, arguments):
    if event in ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system",
                 "os.exec", "os.spawn"):
        words = arguments[1] if event == "subprocess.Popen" else []
        handle = os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, json.dumps([event, *map(os.fsdecode, words)]).encode() + b"\\n")
        os.close(handle)
sys.addaudithook(note)
sys.argv = ["ktw", "hook", {event!r}, "--agent", "claude-code"]
from ktw.cli import main
main()
"""


@pytest.fixture
def started(team: Team, tmp_path: Path) -> Callable[..., list[Sequence[str]]]:
    """The git processes that an event starts, by their arguments; it starts no other one."""
    log = tmp_path / "started"
    team.work.setting("ktw.hookMs", "30000")

    def run(event: str, session: str = "") -> list[Sequence[str]]:
        log.write_text("")
        script = COUNTING.format(path=sys.path, log=str(log), event=event)
        payload = recorded(
            team.work, "claude-code", event, session_id=session or os.urandom(8).hex()
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=team.work.root,
            input=json.dumps(payload).encode(),
            capture_output=True,
            check=True,
            timeout=PATIENCE_S,
        )
        assert done.stderr == b""
        rows = [json.loads(line) for line in log.read_text().splitlines()]
        assert {(way, Path(words[0]).name) for way, *words in rows} <= {("subprocess.Popen", "git")}
        return [words[1:] for _, *words in rows]

    return run


def most(event: str) -> int:
    """How many git processes the page gives an event."""
    row = re.search(rf"^\| `{event}` \| (\d) \|", PAGE.read_text("utf-8"), re.M)
    assert row is not None, f"docs/agents.md does not say what {event} costs"
    return int(row[1])


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_is_one_process_and_the_git_processes_that_the_page_names(
    started: Callable[..., list[Sequence[str]]], team: Team, event: str
) -> None:
    first, second = started(event), started(event)
    assert len(second) <= len(first) == most(event), [row[11:] for row in first]
    assert tallies(team.work.root / ".git")[event].ran == 2


def test_a_turn_that_wrote_memories_costs_more_at_its_end(
    started: Callable[..., list[Sequence[str]]], team: Team
) -> None:
    started("user-prompt", "s")
    team.work.write("context/new.md", memory_text("New"))
    rows = started("stop", "s")
    read = sum("cat-file" in row for row in rows)  # the files of the project itself are new, too
    assert 1 <= read <= 3 and len(rows) == most("stop") + 4 + 2 * read


def test_what_a_warm_one_answers_starts_no_process(
    started: Callable[..., list[Sequence[str]]], team: Team
) -> None:
    server = start_in_thread(team.work.project, os.environ)
    assert server is not None
    try:
        assert started("user-prompt") == started("session-start") == []
    finally:
        server.stop()


@pytest.mark.parametrize("agent", WIRINGS)
def test_what_is_wired_runs_one_command_an_event(tmp_path: Path, agent: str) -> None:
    """Also where the settings hold others: what ktw adds to each event is one command."""
    write_wiring(plan_wiring(tmp_path, "project", [WIRINGS[agent]], "ktw"))
    written = "".join(place.read_text("utf-8") for place in tmp_path.rglob("*") if place.is_file())
    commands = re.findall(r"ktw hook ([a-z-]+) --agent ([a-z-]+)", written)
    assert sorted(commands) == sorted((event, agent) for event in WIRINGS[agent].events)


def test_claude_code_is_told_of_each_event_once(tmp_path: Path) -> None:
    write_wiring(plan_wiring(tmp_path, "project", [WIRINGS["claude-code"]], "ktw"))
    hooks = json.loads((tmp_path / ".claude/settings.json").read_text("utf-8"))["hooks"]
    assert len(hooks) == len(EVENTS)
    for entries in hooks.values():
        (entry,) = entries
        (hook,) = entry["hooks"]
        assert hook["type"] == "command" and hook["command"].startswith("ktw hook ")
