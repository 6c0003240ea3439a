"""A ktw that is up: the same answers as from a cold start, for its own user alone, and no trace."""

import json
import os
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from builders import Team, copy_team, make_id, make_team, memory_text, modules_loaded, true_hash
from ktw import warm_client, warm_server
from ktw.errors import KtwError
from ktw.notes import Note, write_note
from ktw.operations.answers import answer_data
from ktw.operations.reading import recall
from ktw.store import find_project
from ktw.warm_client import MAX_REQUEST, SIGN, ask, git_directory, places
from ktw.warm_server import Server, opened, start_in_thread

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="local sockets")

QUESTIONS = ("why wait for the snapshot", "buffer rows", "zebra")
ASKED = {"limit": 5, "budget": 4000, "model": "", "explain": True}
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("template")
    make_team(root)
    return root


@pytest.fixture
def team(template: Path, tmp_path: Path) -> Team:
    return copy_team(template, tmp_path / "team")


@pytest.fixture
def server(team: Team) -> Iterator[Server]:
    started = start_in_thread(team.work.project, os.environ)
    assert started is not None
    yield started
    started.stop()


def warm(team: Team, question: str, **changed: object) -> Any:
    arguments = ASKED | {"question": question} | changed
    return ask("recall", arguments, str(team.work.root), os.environ, PATIENCE_S)


def cold(team: Team, question: str) -> Any:
    rest = {name: value for name, value in ASKED.items() if name != "explain"}
    answer = recall(find_project(team.work.root), question, datetime.now(UTC), **rest)  # type: ignore[arg-type]
    return json.loads(json.dumps(answer_data(answer, explain=True)))


def without_age(answer: Any) -> Any:
    """An answer without what changes with every second that passes."""
    for result in answer["results"]:
        result["score"] = round(result["score"], 4)
        result["explain"] = {name: round(value, 4) for name, value in result["explain"].items()}
    return answer


def same(team: Team) -> list[Any]:
    answers = []
    for question in QUESTIONS:
        told = warm(team, question)
        assert told is not None, "nobody answered"
        assert without_age(told) == without_age(cold(team, question))
        answers.append(told)
    return answers


# --- the same answers --------------------------------------------------------------------------


def edit(team: Team) -> None:
    path = team.work.root / "context" / "snapshot.md"
    path.write_text(path.read_text().replace("snapshot", "buffer snapshot"))


def delete(team: Team) -> None:
    (team.work.root / "context" / "snapshot.md").unlink()


def add(team: Team) -> None:
    text = memory_text("A zebra crosses", "The zebra waits for the snapshot.", id_=make_id("zebra"))
    team.work.write("context/zebra.md", text)


def break_one(team: Team) -> None:
    team.work.write("context/broken.md", b"---\norigin: [\n---\n## x\n\nzebra\n")


def revoke(team: Team) -> None:
    hashed = true_hash(team.work.read("context/snapshot.md"))
    team.work.write("context/revoked", f"{hashed} 2026-01-01 wrong\n")


def move_the_trust_ref(team: Team) -> None:
    delete(team)
    team.work.commit("Delete")
    team.push()
    team.work.git("fetch", "--quiet")


def forget_the_policy(team: Team) -> None:
    for key in ("ktw.approval", "ktw.trustRef", "ktw.project"):
        team.work.git("config", "--unset-all", key, check=False)


def leave_a_note(team: Team) -> None:
    at = datetime.now(UTC) - timedelta(minutes=1)
    note = Note("one", "claude-code", at, "A zebra", "The zebra waited for the snapshot.")
    assert write_note(team.work.project, note)


CHANGES: tuple[Callable[[Team], None], ...] = (
    edit,
    delete,
    add,
    break_one,
    revoke,
    move_the_trust_ref,
    forget_the_policy,
    leave_a_note,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_an_answer_is_that_of_a_cold_start_whatever_changed_meanwhile(
    team: Team, server: Server, change: Callable[[Team], None]
) -> None:
    before = same(team)
    assert before[0]["results"][0]["verdict"] == "approved"
    change(team)
    after = same(team)
    assert after != before
    assert same(team) == after


def test_objects_that_lie_elsewhere_now_are_read_there(team: Team, server: Server) -> None:
    before = same(team)
    objects, lent = team.work.root / ".git" / "objects", team.work.root.parent / "lent"
    objects.rename(lent)
    (objects / "info").mkdir(parents=True)
    for alternate in (lent, lent / "nowhere", lent):
        (objects / "info" / "alternates").write_text(f"{alternate}\n", encoding="utf-8")
        assert (same(team) == before) is (alternate == lent)


def test_what_is_long_or_asked_for_in_part_is_the_same_too(team: Team, server: Server) -> None:
    told = warm(team, QUESTIONS[0], limit=1, budget=40, explain=False)
    assert len(told["results"]) == 1 and "more characters" in told["results"][0]["text"]
    assert "explain" not in told["results"][0]


def test_an_index_taken_away_is_made_again(team: Team, server: Server) -> None:
    same(team)
    for path in (team.work.root / ".git" / "ktw" / "index").iterdir():
        path.unlink()
    same(team)


def test_asking_imports_nothing_that_answers(
    team: Team, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = modules_loaded(team.work.root, ["recall", "snapshot"])
    answering = {"ktw.operations.reading", "ktw.store", "ktw.index", "ktw.render", "ktw.trouble"}
    assert "ktw.warm_client" in loaded and not answering & loaded
    assert not {"whoosh", "pathlib", "dataclasses", "subprocess", "hashlib"} & loaded
    monkeypatch.setenv("KTW_COLD", "1")
    assert answering - {"ktw.trouble"} <= modules_loaded(team.work.root, ["recall", "snapshot"])


# --- who is answered ---------------------------------------------------------------------------


def place_of(team: Team) -> Path:
    found = git_directory(str(team.work.root))
    assert found is not None
    return next(path for path in map(Path, places(found, os.environ)) if path.exists())


def test_the_socket_is_this_user_s_alone(team: Team, server: Server) -> None:
    facts = place_of(team).lstat()
    assert stat.S_ISSOCK(facts.st_mode) and stat.S_IMODE(facts.st_mode) == 0o600
    assert stat.S_IMODE(place_of(team).parent.stat().st_mode) & 0o022 == 0


def test_what_others_may_write_to_or_a_link_is_not_spoken_to(
    team: Team, server: Server, tmp_path: Path
) -> None:
    place = place_of(team)
    place.chmod(0o620)
    assert warm(team, "zebra") is None
    place.chmod(0o600)
    assert warm(team, "zebra") is not None
    moved = place.rename(tmp_path / "s")
    place.symlink_to(moved)
    assert warm(team, "zebra") is None


def test_other_surroundings_and_other_questions_are_refused(team: Team, server: Server) -> None:
    arguments = ASKED | {"question": "zebra"}
    root = str(team.work.root)
    other = {**os.environ, "XDG_CONFIG_HOME": "/elsewhere"}
    assert ask("recall", arguments, root, other, PATIENCE_S) is None
    assert "HF_HOME" not in os.environ  # to git, an empty GIT_CONFIG_GLOBAL differs from none
    assert ask("recall", arguments, root, {**os.environ, "HF_HOME": ""}, PATIENCE_S) is None
    for op, wrong in (
        ("forget", {}),
        ("recall", {}),
        ("recall", arguments | {"limit": "5"}),
        ("recall", arguments | {"limit": True}),
        ("recall", arguments | {"approve": True}),
        ("recall", arguments | {"question": "x" * MAX_REQUEST}),
    ):
        assert ask(op, wrong, root, os.environ, PATIENCE_S) is None
    assert warm(team, "zebra") is not None


def raw(team: Team, data: bytes) -> bytes:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as connection:
        connection.settimeout(PATIENCE_S)
        connection.connect(str(place_of(team)))
        assert connection.recv(1) == SIGN
        connection.sendall(data)
        return connection.recv(1 << 16)


@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b"[]\n",
        b"\xff\xfe\n",
        b'{"op": "recall"}\n',
        b"[" * 100_000 + b"\n",
        b'{"op":"recall","arguments":{},"cwd":"/\\u0000","asker":[]}\n',
    ],
)
def test_what_is_no_question_gets_a_word_and_ends_nothing(
    team: Team, server: Server, data: bytes
) -> None:
    assert b"refused" in raw(team, data)
    assert warm(team, "zebra") is not None


def test_silent_clients_hold_nobody_up(team: Team, server: Server) -> None:
    silent = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(3)]
    for each in silent:
        each.connect(str(place_of(team)))
        each.send(b'{"op": ')
    assert warm(team, "zebra") is not None
    for each in silent:
        each.close()


# --- beginning and end -------------------------------------------------------------------------


def test_a_second_one_yields_to_the_first(team: Team, server: Server) -> None:
    assert start_in_thread(team.work.project, os.environ) is None
    with (
        pytest.raises(KtwError, match="another ktw is warm"),
        opened(team.work.project, os.environ),
    ):
        raise AssertionError("two are up")
    assert warm(team, "zebra") is not None


def test_one_that_is_stopped_or_idle_leaves_nothing(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(team.work.project, os.environ, idle_s=0.0) as idle:
        place = place_of(team)
        idle.run()
    assert not place.exists() and warm(team, "zebra") is None
    monkeypatch.setattr(warm_server, "_TICK_S", 10 * PATIENCE_S)  # it ends at the word, no later
    with opened(team.work.project, os.environ) as stopped:
        running = threading.Thread(target=stopped.run)
        running.start()
        assert ask("status", {}, str(team.work.root), os.environ, PATIENCE_S)["pid"] == os.getpid()
        assert ask("stop", {}, str(team.work.root), os.environ, PATIENCE_S) is not None
        running.join(PATIENCE_S)
        assert not running.is_alive()
    assert not place.exists()


def test_one_that_gives_no_sign_of_life_is_not_waited_for(
    team: Team, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()

    def keep_silent(self: Server, connection: socket.socket) -> None:
        with connection:
            over.wait()

    monkeypatch.setattr(Server, "_serve", keep_silent)
    monkeypatch.setattr(warm_client, "_SIGN_S", 0.05)
    forever = 1000 * PATIENCE_S
    assert ask("status", {}, str(team.work.root), os.environ, forever) is None
    over.set()


def test_what_a_dead_one_left_is_passed_by_and_replaced(team: Team) -> None:
    directory = team.work.root / ".git" / "ktw"
    directory.mkdir(mode=0o700, exist_ok=True)
    place = Path(next(places(str(directory.parent), os.environ)))
    place.parent.mkdir(mode=0o700, exist_ok=True)
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as dead:
        dead.bind(str(place))
    place.chmod(0o600)
    started = time.monotonic()
    assert ask("status", {}, str(team.work.root), os.environ, PATIENCE_S) is None
    assert time.monotonic() - started < PATIENCE_S / 2, "it waited for nobody"
    server = start_in_thread(team.work.project, os.environ)
    assert server is not None and warm(team, "zebra") is not None
    server.stop()


def test_a_place_too_long_for_a_socket_is_exchanged_for_one_of_the_user_s(
    team: Team, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setattr(warm_client, "_LONGEST_PATH", 10)
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.path.realpath(os.environ.get("TMPDIR", "/tmp")))
    server = start_in_thread(team.work.project, os.environ)
    assert server is not None
    place = place_of(team)
    assert ".git" not in place.parts and stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert warm(team, "zebra") is not None
    server.stop()
