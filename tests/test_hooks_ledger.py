"""What is kept of hooks in the git directory: each thing said once, and a log that loses no run."""

import json
import multiprocessing
import os
import stat
from functools import partial
from pathlib import Path

import pytest

from builders import Repo
from hook_scene import Session, hook
from ktw.hooks.ledger import WINDOW_S, Ledger
from ktw.hooks.log import FAILED, MAX_BYTES, RAN, SKIPPED, Entry, Tally, record, tallies

AT = "2026-01-03T04:05:06Z"


def ledger(place: Path, now: float = 1000.0, session: str = "s", part: str = "") -> Ledger:
    return Ledger(place, session, part, now)


def claims(place: str, count: int) -> list[str]:
    """What one process gets of so many memories and one event."""
    one = ledger(Path(place))
    got = [f"m{at}" for at in range(count) if one.inject(f"m{at}")]
    return got + (["event"] if one.first("pre-tool", "x") else [])


def records(place: str, count: int) -> int:
    entry = Entry(AT, "pre-tool", "claude-code", RAN, "", 5, 100)
    return sum(record(Path(place), entry) for _ in range(count))


def in_processes(call: object, count: int) -> list[object]:
    with multiprocessing.get_context("spawn").Pool(count) as pool:
        running = [pool.apply_async(call) for _ in range(count)]  # type: ignore[arg-type]
        return [each.get(timeout=120) for each in running]


# --- the ledger -------------------------------------------------------------------------------


def test_of_many_processes_each_thing_is_said_by_one(tmp_path: Path) -> None:
    found = in_processes(partial(claims, str(tmp_path), 30), 4)
    said = [each for got in found for each in got]  # type: ignore[attr-defined]
    assert sorted(said) == sorted([*(f"m{at}" for at in range(30)), "event"])


def test_a_new_turn_and_another_session_begin_anew(tmp_path: Path) -> None:
    assert ledger(tmp_path).inject("a") and not ledger(tmp_path).inject("a")
    assert ledger(tmp_path, session="t").inject("a") and ledger(tmp_path, part="sub").inject("a")
    ledger(tmp_path).begin_turn("user-prompt", "x")
    assert ledger(tmp_path).inject("a") and not ledger(tmp_path, 1001.0).inject("a")
    assert ledger(tmp_path).turn_began == 1000.0


@pytest.mark.parametrize("later", [0.0, 1.0, float(WINDOW_S)])
def test_an_event_without_a_name_is_the_same_for_a_while(tmp_path: Path, later: float) -> None:
    assert ledger(tmp_path, 1009.0).first("user-prompt", "hello")
    assert not ledger(tmp_path, 1009.0 + later).first("user-prompt", "hello")
    assert ledger(tmp_path, 1009.0).first("user-prompt", "other")
    assert ledger(tmp_path, 1009.0 + 3 * WINDOW_S).first("user-prompt", "hello")


def test_an_event_with_a_name_is_the_same_for_ever(tmp_path: Path) -> None:
    assert ledger(tmp_path).first("pre-tool", id="t1")
    assert not ledger(tmp_path, 99_999.0).first("pre-tool", id="t1")
    assert ledger(tmp_path).first("pre-tool", id="t2")


@pytest.mark.parametrize("session", ["../../x", "a/b", "\0", "\udc80", "x" * 100_000, ""])
def test_whatever_a_session_is_called_its_ledger_lies_where_it_should(
    tmp_path: Path, session: str
) -> None:
    assert ledger(tmp_path, session=session).inject("a")
    (place,) = (tmp_path / "ktw/hooks/sessions").iterdir()
    assert len(place.name) == 24 and place.name.isalnum()
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_a_place_that_cannot_be_written_says_what_there_is(tmp_path: Path) -> None:
    (tmp_path / "ktw").write_text("")
    assert ledger(tmp_path).inject("a") and ledger(tmp_path).first("x")
    ledger(tmp_path).begin_turn("x")
    ledger(tmp_path).prune()


@pytest.mark.parametrize("text", ["", "x", "x y z", "\xff", "a nan b", "1 2"])
def test_a_damaged_turn_is_another_turn(tmp_path: Path, text: str) -> None:
    ledger(tmp_path).begin_turn("x")
    (place,) = (tmp_path / "ktw/hooks/sessions").glob("*/turn")
    place.write_text(text)
    assert ledger(tmp_path).inject("a")


def test_the_ledger_and_the_log_hold_no_private_words(repo: Repo) -> None:
    session = Session(repo, "secret-session")
    session.start()
    session.prompt("secret-prompt about the snapshot")
    session.run("secret-command snapshot")
    session.stop()
    kept = repo.root / ".git/ktw/hooks"
    names = [path.name for path in kept.rglob("*")]
    texts = [path.read_text() for path in kept.rglob("*") if path.is_file()]
    assert texts and not any("secret" in text for text in [*names, *texts])
    assert "secret" not in repo.git("status", "--porcelain")
    assert "ktw/hooks" not in repo.git("status", "--porcelain")


# --- the log ----------------------------------------------------------------------------------


def test_many_processes_lose_no_line_over_rotations(tmp_path: Path) -> None:
    line = len(json.dumps(Entry(AT, "pre-tool", "claude-code", RAN, "", 5, 100))) + 1
    each = MAX_BYTES // line
    assert in_processes(partial(records, str(tmp_path), each), 3) == [each] * 3
    assert tallies(tmp_path)["pre-tool"].ran == 3 * each
    place = tmp_path / "ktw/hooks"
    assert sum(path.stat().st_size for path in place.iterdir()) < 2 * MAX_BYTES + 20_000
    assert not list(place.glob("*.rotating"))


def test_failures_and_skips_are_told_with_their_last_reason(tmp_path: Path) -> None:
    for outcome, why in ((RAN, ""), (SKIPPED, "once"), (FAILED, "first"), (FAILED, "second")):
        record(tmp_path, Entry(AT, "stop", "codex", outcome, why, 7))
    told = tallies(tmp_path)["stop"]
    assert told == Tally(1, 1, 2, 7, "second", AT, "once")


@pytest.mark.parametrize("text", ["", "[", "[1]", '{"a": 1}', "null", "\xff\n[[[[", "[" * 99_999])
def test_a_damaged_log_tells_what_it_can(tmp_path: Path, text: str) -> None:
    record(tmp_path, Entry(AT, "stop", "codex", RAN))
    place = tmp_path / "ktw/hooks"
    with (place / "log").open("a") as file:
        file.write(f"\n{text}\n")
    (place / "log.counted").write_text(text)
    (place / "log.1").write_text(text)
    record(tmp_path, Entry(AT, "stop", "codex", RAN))
    assert tallies(tmp_path)["stop"].ran == 2


def test_a_failure_is_logged_by_its_kind_and_place_alone(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("private words")

    monkeypatch.setattr("ktw.hooks.reporting.open_memories", broken)
    assert hook(repo, "user-prompt", {"session_id": "s", "prompt": "Why the snapshot?"}) is None
    told = tallies(repo.project.repository.common_dir)["user-prompt"]
    assert told.failed == 1
    assert told.last_error.startswith("ValueError at ktw/hooks/reporting.py:")


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ("", "not JSON"),
        ("[1]", "no JSON object"),
        ("[" * 100_000, "not JSON"),
        (" " * (8 * 1024 * 1024 + 1), "oversized"),
    ],
)
def test_what_is_not_answered_is_a_skip_with_its_reason(repo: Repo, payload: str, why: str) -> None:
    assert hook(repo, "pre-tool", payload) is None
    told = tallies(repo.project.repository.common_dir)["pre-tool"]
    assert told.skipped == 1 and why in told.last_skip


def test_a_broken_project_is_a_logged_failure(repo: Repo) -> None:
    repo.write(".keep-the-why", "- nothing\n")
    assert hook(repo, "user-prompt", {"session_id": "s", "prompt": "Why the snapshot?"}) is None
    told = tallies(repo.root / ".git")["user-prompt"]
    assert told.failed == 1 and "UsageError" in told.last_error


def test_no_project_and_no_repository_are_left_alone(repo: Repo, tmp_path: Path) -> None:
    (repo.root / ".keep-the-why").unlink()
    assert hook(repo, "user-prompt", {"session_id": "s", "prompt": "Why the snapshot?"}) is None
    bare = Repo(tmp_path / "bare")
    bare.root.mkdir()
    assert hook(bare, "user-prompt", {"session_id": "s", "prompt": "Why the snapshot?"}) is None
    assert not list(bare.root.iterdir()) and os.environ["HOME"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("kind", ["link", "pipe", "directory"])
def test_a_log_that_is_no_file_is_not_written_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    place, other = tmp_path / "ktw/hooks/log", tmp_path / "other"
    place.parent.mkdir(parents=True)
    other.write_text("mine\n")
    {"link": lambda: place.symlink_to(other), "pipe": lambda: os.mkfifo(place)}.get(
        kind, place.mkdir
    )()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        written = pool.apply_async(records, (str(tmp_path), 1)).get(timeout=60)
    assert (written, other.read_text()) == (0, "mine\n")
    assert tallies(tmp_path) == {}


@pytest.mark.parametrize("row", [["x"], [1, 2], [True, 0, 0, 0, "", "", ""], [0, 0, 0, "9"]])
def test_counted_figures_that_are_none_do_not_count(tmp_path: Path, row: list[object]) -> None:
    record(tmp_path, Entry(AT, "stop", "codex", RAN, "", 7, 0))
    counted = {"stop": row, "pre-tool": [1, 0, 0, 5, "", "", ""]}
    (tmp_path / "ktw/hooks/log.counted").write_text(json.dumps(counted))
    found = tallies(tmp_path)
    assert (found["pre-tool"].ran, found["stop"].slowest_ms) == (1, 7)
