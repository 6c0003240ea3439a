"""A ktw that is up answers a hook as a cold one does; what ends a turn is not asked of it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from builders import Repo
from hook_scene import recorded
from ktw.hooks.log import tallies
from ktw.hooks.running import Asked, run_hook
from ktw.warm_server import start_in_thread


@pytest.fixture
def served(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[Asked]]]:
    """What a warm ktw was asked, once the function is called."""
    asked: list[Asked] = []

    def noted(one: Asked) -> str:
        asked.append(one)
        return run_hook(one)

    monkeypatch.setattr("ktw.warm_server.run_hook", noted)
    servers = []

    def start() -> list[Asked]:
        server = start_in_thread(repo.project, os.environ)
        assert server is not None
        servers.append(server)
        return asked

    yield start
    for server in servers:
        server.stop()


def run(repo: Repo, event: str, payload: dict[str, object]) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "ktw", "hook", event, "--agent", "claude-code"],
        cwd=repo.root,
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert done.stderr == b""
    return done.stdout


@pytest.mark.parametrize("name", ["session-start", "user-prompt", "pre-tool", "pre-tool.read"])
def test_an_answer_is_the_same_warm_and_cold(
    repo: Repo, served: Callable[[], list[Asked]], name: str
) -> None:
    event = name.partition(".")[0]
    cold = run(repo, event, recorded(repo, "claude-code", name))
    asked = served()
    warm = run(repo, event, recorded(repo, "claude-code", name, session_id="another"))
    assert warm == cold and cold
    assert [one.event for one in asked] == [event] and set(asked[0].env) <= {"HOME", "KTW_MODEL"}
    again = run(repo, event, recorded(repo, "claude-code", name, session_id="another"))
    assert again == b"" and tallies(repo.root / ".git")[event].skipped == 1


def test_asking_imports_next_to_nothing(repo: Repo, served: Callable[[], list[Asked]]) -> None:
    asked = served()
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "importtime",
            "-m",
            "ktw",
            "hook",
            "pre-tool",
            "--agent=claude-code",
        ],
        cwd=repo.root,
        input=json.dumps(recorded(repo, "claude-code", "pre-tool")).encode(),
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert len(asked) == 1
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    ours = {name for name in loaded if name.startswith("ktw.")}
    rooms = (
        "cli",
        "hooks",
        "hooks.process",
        "hooks.boundary",
        "streams",
        "quick_json",
        "warm_client",
    )
    assert ours == {f"ktw.{room}" for room in rooms}


@pytest.mark.parametrize("event", ["stop", "session-end"])
def test_the_end_of_a_turn_is_a_process_s_own(
    repo: Repo, served: Callable[[], list[Asked]], event: str
) -> None:
    asked = served()
    run(repo, event, recorded(repo, "claude-code", event, transcript_path=""))
    assert asked == [] and tallies(repo.root / ".git")[event].ran == 1


def test_nonsense_is_answered_with_silence_by_a_warm_one(
    repo: Repo, served: Callable[[], list[Asked]]
) -> None:
    served()
    assert run(repo, "pre-tool", {"tool_input": ["\udc80", None], "session_id": 3}) == b""
    assert tallies(repo.root / ".git")["pre-tool"].failed == 0
