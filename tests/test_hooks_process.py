"""Hooks as real processes: exit code 0, JSON or nothing, in time, whatever stands around them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from builders import Repo
from hook_scene import recorded
from ktw.hooks.log import tallies

PATIENCE_S = 120


def command(event: str = "pre-tool", agent: str = "claude-code") -> list[str]:
    return [sys.executable, "-m", "ktw", "hook", event, "--agent", agent]


def run(
    repo: Repo,
    payload: bytes,
    *words: str,
    env: Mapping[str, str] | None = None,
) -> bytes:
    """What a hook prints; it ended well and said nothing else."""
    done = subprocess.run(
        list(words) or command(),
        cwd=repo.root,
        input=payload,
        capture_output=True,
        env=dict(os.environ if env is None else env),
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    return done.stdout


def failures(repo: Repo, event: str = "pre-tool") -> Any:
    return tallies(repo.root / ".git")[event]


def test_a_hook_as_a_process_says_what_it_says_in_process(repo: Repo) -> None:
    payload = json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
    answer = json.loads(run(repo, payload))
    assert "unapproved" in answer["hookSpecificOutput"]["additionalContext"]
    assert failures(repo).ran == 1


@pytest.mark.parametrize("payload", [b"", b"\xff\xfe", b"{", b"[]", b"{}", b"\x00" * 1000])
def test_nonsense_is_answered_with_silence(repo: Repo, payload: bytes) -> None:
    assert run(repo, payload) == b""


def test_a_hundred_megabytes_are_a_logged_skip(repo: Repo) -> None:
    assert run(repo, b'{"prompt": "' + b"x" * 100_000_000 + b'"}') == b""
    assert failures(repo).skipped == 1 and "oversized" in failures(repo).last_skip


@pytest.mark.parametrize("words", [[], ["pre-tool"], ["no-event", "--agent", "codex"], ["--agent"]])
def test_a_wrong_command_line_fails_no_session(repo: Repo, words: list[str]) -> None:
    assert run(repo, b"{}", sys.executable, "-m", "ktw", "hook", *words) == b""


def test_an_input_that_never_ends_is_not_waited_for_once_it_is_whole(repo: Repo) -> None:
    payload = json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
    with subprocess.Popen(
        command(), cwd=repo.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(payload)
        process.stdin.flush()
        assert b"unapproved" in process.stdout.read()
        assert process.wait(PATIENCE_S) == 0


def test_an_input_that_never_comes_ends_in_time_and_is_logged(repo: Repo) -> None:
    with subprocess.Popen(
        command(), cwd=repo.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.wait(PATIENCE_S) == 0
        assert process.stdout is not None and process.stdout.read() == b""
    assert failures(repo).failed == 1 and failures(repo).last_error == "time was over"


def test_a_budget_in_milliseconds_is_kept(repo: Repo) -> None:
    """The budget is the least there is, the work is held up by a git that never answers."""
    repo.setting("ktw.hookMs", "50")
    script = '#!/bin/sh\ncase "$*" in *ktw*hook*) exec GIT "$@";; esac\nsleep 60\n'
    slow = repo.write("bin/git", script)
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout
    slow.write_text(slow.read_text().replace("GIT", real.strip()))
    slow.chmod(0o755)
    env = {**os.environ, "PATH": f"{slow.parent}{os.pathsep}{os.environ['PATH']}"}
    payload = json.dumps(recorded(repo, "claude-code", "user-prompt")).encode()
    repo.policy("local")
    assert run(repo, payload, *command("user-prompt"), env=env) == b""
    told = failures(repo, "user-prompt")
    assert told.failed == 1 and told.last_error == "time was over"


@pytest.mark.parametrize("missing", ["HOME", "PATH"])
def test_without_a_home_or_git_a_session_goes_on(repo: Repo, missing: str) -> None:
    env = {name: value for name, value in os.environ.items() if name != missing}
    payload = json.dumps(recorded(repo, "claude-code", "user-prompt")).encode()
    run(repo, payload, *command("user-prompt"), env=env)


def test_under_the_summariser_nothing_is_read_or_written(repo: Repo) -> None:
    env = {**os.environ, "KTW_RECAP": "1"}
    assert run(repo, b'{"session_id": "s"}', *command("stop"), env=env) == b""
    assert not (repo.root / ".git/ktw/hooks").exists()


def test_an_output_that_cannot_carry_letters_still_gets_json(repo: Repo) -> None:
    payload = json.dumps(recorded(repo, "claude-code", "user-prompt")).encode()
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    text = run(repo, payload, *command("user-prompt"), env=env).decode("ascii")
    assert "\u2014" in json.loads(text)["hookSpecificOutput"]["additionalContext"]


def test_a_reader_that_went_away_is_no_failure(repo: Repo) -> None:
    payload = json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command(), cwd=repo.root, input=payload, stdout=writer, timeout=PATIENCE_S, check=False
    )
    os.close(writer)
    assert done.returncode == 0


def test_the_status_tells_runs_skips_failures_and_budgets(repo: Repo) -> None:
    run(repo, json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode())
    run(repo, b"{")
    text = subprocess.run(
        [sys.executable, "-m", "ktw", "hooks", "status"],
        cwd=repo.root,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    ).stdout
    assert "4,000 characters (ktw.hookChars), 3,000 ms (ktw.hookMs)" in text
    assert "pre-tool      1 ran, 1 skipped, 0 failed" in text
    assert "last skip: an input that is not JSON" in text


def test_a_hook_imports_no_more_than_it_needs(repo: Repo) -> None:
    script = (
        "import sys\n"
        "from ktw.cli import main\n"
        "import ktw.hooks.boundary, ktw.hooks.process\n"
        "names = {name.partition('.')[0] for name in sys.modules}\n"
        "unneeded = {'click', 'json', 'pathlib', 'subprocess', 'typing', 'traceback', 'whoosh'}\n"
        "assert not names & unneeded, names & unneeded\n"
    )
    path = f"import sys; sys.path[:] = {sys.path!r}\n"
    bare = [sys.executable, "-S", "-c", path + script]
    subprocess.run(bare, cwd=repo.root, check=True, timeout=PATIENCE_S)
