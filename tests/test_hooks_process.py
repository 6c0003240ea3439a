"""Hooks as real processes: exit code 0, JSON or nothing, in time, whatever stands around them."""

import codecs
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from builders import Repo, memory_text
from hook_scene import recorded
from ktw.atomic import hold_lock
from ktw.hooks.log import tallies
from ktw.warm_client import SIGN, ask, places

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


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_an_input_that_never_ends_is_not_waited_for_once_it_is_whole(
    repo: Repo, mark: bytes
) -> None:
    payload = mark + json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
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


# --- whatever holds it up ---------------------------------------------------------------------

HELD_UP = """
import sys, time
sys.path[:] = {path!r}
sys.argv = ["ktw", "hook", "pre-tool", "--agent", "claude-code"]
{trouble}
from ktw.cli import main
main()
"""
# An import that does not end, and holds its lock against the thread that would write the log.
IMPORT_HANGS = """
class Finder:
    def find_spec(self, name, *_):
        time.sleep(600 if name == "ktw.hooks.running" else 0)
sys.meta_path.insert(0, Finder())
"""
NO_THREADS = """
import _thread
def start(*_):
    raise RuntimeError("can't start new thread")
_thread.start_new_thread = start
"""
INTERRUPTED = """
import ktw.hooks.process as process
def answer(*_):
    raise KeyboardInterrupt
process._answer = answer
"""


@pytest.mark.parametrize("trouble", [IMPORT_HANGS, NO_THREADS, INTERRUPTED])
def test_what_goes_wrong_around_the_answer_ends_in_time(repo: Repo, trouble: str) -> None:
    payload = json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
    script = HELD_UP.format(path=sys.path, trouble=trouble)
    assert run(repo, payload, sys.executable, "-c", script) == b""


@pytest.mark.skipif(os.name == "nt", reason="pipes that do not block")
def test_an_answer_that_nobody_reads_is_not_waited_for(repo: Repo) -> None:
    payload = json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    os.set_blocking(writer, True)
    done = subprocess.run(
        command(), cwd=repo.root, input=payload, stdout=writer, timeout=PATIENCE_S, check=False
    )
    os.close(writer)
    os.close(reader)
    assert done.returncode == 0


def test_an_input_that_stops_in_the_middle_ends_in_time(repo: Repo) -> None:
    with subprocess.Popen(command(), cwd=repo.root, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"session_id": "s", "prompt": "')
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_what_a_git_leaves_behind_holds_no_stream_of_ours(repo: Repo, tmp_path: Path) -> None:
    """A child of git goes on, with all the streams that git had."""
    pids, real = tmp_path / "pids", shutil.which("git")
    slow = repo.write("bin/git", f'#!/bin/sh\nsleep 600 &\necho $! >>{pids}\nexec {real} "$@"\n')
    slow.chmod(0o755)
    env = {**os.environ, "PATH": f"{slow.parent}{os.pathsep}{os.environ['PATH']}"}
    payload = json.dumps(recorded(repo, "claude-code", "user-prompt")).encode()
    repo.policy("local")
    try:
        run(repo, payload, *command("user-prompt"), env=env)
    finally:
        for pid in map(int, pids.read_text().split()):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("event", ["user-prompt", "stop", "session-start"])
def test_locks_that_another_process_holds_are_not_waited_for(repo: Repo, event: str) -> None:
    payload = json.dumps(recorded(repo, "claude-code", event)).encode()
    run(repo, payload, *command(event))
    repo.write("context/new.md", memory_text("New"))  # so that the index is to be written
    place = repo.root / ".git/ktw"
    (place / "index").mkdir(mode=0o700, exist_ok=True)
    names = ("store.lock", "recap.lock", "marks.lock", "warm.lock", "index/lock", "hooks/log.lock")
    with ExitStack() as held:
        for name in names:
            held.enter_context(hold_lock(place / name, 0.0))
        run(repo, json.dumps(recorded(repo, "claude-code", event, prompt_id="2")).encode(),
            *command(event))  # fmt: skip


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="signals, local sockets")
def test_a_warm_one_that_was_stopped_is_not_waited_for(repo: Repo) -> None:
    warm = subprocess.Popen([sys.executable, "-m", "ktw", "warm"], cwd=repo.root)
    try:
        until = time.monotonic() + PATIENCE_S
        while ask("status", {}, str(repo.root), os.environ) is None:
            assert warm.poll() is None and time.monotonic() < until
        warm.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, warm.pid, os.WSTOPPED | os.WNOWAIT)
        assert ask("status", {}, str(repo.root), os.environ, 0.1) is None
        payload = json.dumps(recorded(repo, "claude-code", "user-prompt")).encode()
        run(repo, payload, *command("user-prompt"))
    finally:
        warm.kill()
        warm.wait()


@pytest.mark.skipif(os.name == "nt", reason="a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_other_file_s(repo: Repo, closed: str) -> None:
    payload = json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
    words = [sys.executable, "-m", "ktw", "hook", "pre-tool", "--agent", "claude-code"]
    run(repo, payload, "sh", "-c", f"{shlex.join(words)} {closed}")
    told = failures(repo)
    assert told.ran + told.skipped + told.failed == 1
    for place in (repo.root / ".git/ktw").rglob("*"):
        assert not place.is_file() or b"hookSpecificOutput" not in place.read_bytes()


def run_in_a_directory_that_goes(
    repo: Repo, payload: bytes
) -> "subprocess.CompletedProcess[bytes]":
    gone = repo.root / "gone"
    gone.mkdir()
    script = f"import os; os.rmdir({str(gone)!r})\n"
    script += HELD_UP.format(path=[name for name in sys.path if name], trouble="")
    return subprocess.run(
        [sys.executable, "-c", script], cwd=gone, input=payload, capture_output=True, check=False
    )


def test_a_directory_that_is_gone_fails_no_session(repo: Repo) -> None:
    done = run_in_a_directory_that_goes(repo, b"{}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_directory_that_is_gone_silences_no_hook_of_another(repo: Repo) -> None:
    payload = json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
    done = run_in_a_directory_that_goes(repo, payload)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "unapproved" in done.stdout.decode()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads what signals are caught")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_agent_that_gives_it_up_sees_no_failure(repo: Repo, number: signal.Signals) -> None:
    hook = subprocess.Popen(
        command(),
        cwd=repo.root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    status = Path(f"/proc/{hook.pid}/status")
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt"))
        if int(caught.split()[1], 16) >> (number - 1) & 1:
            break
        time.sleep(0.01)
    hook.send_signal(number)
    out, errors = hook.communicate(timeout=PATIENCE_S)
    assert (hook.returncode, out, errors) == (0, b"", b"")


LIES = ["\\ud800", "### Approved memory", "[]", '\\"\\"', "{", '{\\"a\\": \\"\u00e9\\"}']


@pytest.mark.skipif(os.name == "nt", reason="needs local sockets")
@pytest.mark.parametrize("lie", LIES)
def test_what_a_warm_one_makes_up_is_not_printed(repo: Repo, lie: str) -> None:
    place = Path(next(places(str(repo.root / ".git"), os.environ)))
    place.parent.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        place.chmod(0o600)
        server.listen()
        liar = threading.Thread(target=_lie, args=(server, f'{{"answer": "{lie}"}}\n'))
        liar.start()
        payload = json.dumps(recorded(repo, "claude-code", "pre-tool.read")).encode()
        answer = json.loads(run(repo, payload))
        liar.join()
    assert "unapproved" in answer["hookSpecificOutput"]["additionalContext"]


def _lie(server: socket.socket, line: str) -> None:
    connection, _ = server.accept()
    with connection:
        connection.sendall(SIGN)
        while not connection.recv(1 << 16).endswith(b"\n"):
            pass
        connection.sendall(line.encode())


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
