"""A second process that looks at the files sees what one process sees, or nothing is made of it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import Repo, memory_text
from ktw import ahead, scout
from ktw.ahead import Ahead, begin_here
from ktw.errors import KtwError
from ktw.held import Cold, Held
from ktw.operations.answers import answer_data
from ktw.operations.reading import recall
from ktw.scan import Scan, scan, scanned_by
from ktw.scout import SECOND_HALF, WHOLE, Scout, sorted_out
from ktw.warm_client import places

pytestmark = pytest.mark.skipif(not scout.IS_BY_DESCRIPTOR, reason="looks by descriptor")

NOW = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def every_directory_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scout, "_MANY", 0)
    monkeypatch.setattr(ahead, "_LARGE", 0)


@pytest.fixture
def second() -> Iterator[Scout]:
    made = Scout()
    yield made
    made.close()


def whole(second: Scout, repo: Repo) -> Scan:
    second.send(str(repo.project.context), WHOLE)
    return scanned_by(second, repo.project)


def half(second: Scout, repo: Repo) -> Scan:
    return scan(repo.project, second)


WAYS = pytest.mark.parametrize("look", [whole, half])
Look = Callable[[Scout, Repo], Scan]


def fill(repo: Repo) -> None:
    for name in ("a.md", "Ä.md", "line\nend.md", "z.md", "README.md", "Index.md", ".hidden.md"):
        repo.write(f"context/{name}", memory_text(f"On {name[0]}", "Words."))
    repo.write("context/notes.txt", "x")
    repo.write("context/sub/c.md", "x")
    Path(os.fsdecode(os.fsencode(repo.root) + b"/context/\xff.md")).write_text("x")


@WAYS
def test_it_sees_what_one_process_sees(repo: Repo, second: Scout, look: Look) -> None:
    assert look(second, repo) == scan(repo.project)
    fill(repo)
    assert look(second, repo) == scan(repo.project)
    (repo.root / "context" / "a.md").write_text("changed", encoding="utf-8")
    assert look(second, repo) == scan(repo.project)
    assert second._process is not None, "one process for all of it"


@WAYS
def test_names_are_listed_anew_when_the_directory_moved(
    repo: Repo, second: Scout, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scout, "_SETTLED_NS", 0)
    program = scout._PROGRAM.replace("main()", "main.__globals__.update(_SETTLED_NS=0); main()")
    monkeypatch.setattr(scout, "_PROGRAM", program)
    context = repo.root / "context"
    for change in (
        lambda: repo.write("context/b.md", "x"),
        lambda: (context / "b.md").rename(context / "c.md"),
        lambda: (context / "c.md").write_text("other words", encoding="utf-8"),
        lambda: (context / "c.md").unlink(),
        lambda: context.rename(repo.root / "old") and context.mkdir(),
        lambda: repo.write("context/b.md", "x"),
    ):
        change()
        for _ in range(2):
            assert look(second, repo) == scan(repo.project)


def test_names_that_moved_just_now_are_listed_again(
    repo: Repo, second: Scout, monkeypatch: pytest.MonkeyPatch
) -> None:
    listings: list[int] = []
    real = scout.sorted_out
    monkeypatch.setattr(scout, "sorted_out", lambda n: (listings.append(len(n)), real(n))[1])
    half(second, repo)
    half(second, repo)
    assert len(listings) == 2
    monkeypatch.setattr(scout, "_SETTLED_NS", 0)
    for _ in range(3):
        half(second, repo)
    assert len(listings) == 3


@WAYS
def test_links_and_what_is_gone_are_looked_at_one_by_one(
    repo: Repo, second: Scout, look: Look
) -> None:
    fill(repo)
    for name, target in (("b.md", "gone.md"), ("y.md", "a.md"), ("README.MD", "nowhere")):
        (repo.root / "context" / name).symlink_to(target)
    seen = look(second, repo)
    assert seen == scan(repo.project)
    assert [one.path for one in seen[1]] == ["context/b.md", "context/sub"]


@WAYS
def test_one_that_died_leaves_the_look_to_its_maker(repo: Repo, look: Look) -> None:
    fill(repo)
    second = Scout()
    second.start()
    assert second._process is not None
    second._process.kill()
    second._process.wait()
    assert look(second, repo) == scan(repo.project)
    assert look(second, repo) == scan(repo.project), "and another one is started for the next"
    second.close()


@WAYS
def test_one_that_hangs_is_not_waited_for(
    repo: Repo, second: Scout, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scout, "_PATIENCE_S", 0.05)
    second.start()
    assert second._process is not None
    second._process.send_signal(signal.SIGSTOP)
    stopped = second._process
    assert look(second, repo) == scan(repo.project)
    assert stopped.poll() is not None, "and it is ended"


@pytest.mark.parametrize("program", ["import sys; sys.exit()", "print('x' * 24)", "1/0"])
@WAYS
def test_whatever_answers_instead_is_not_believed(
    repo: Repo, second: Scout, look: Look, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scout, "_PATIENCE_S", 5.0)
    monkeypatch.setattr(scout, "_PROGRAM", program)
    assert look(second, repo) == scan(repo.project)


@pytest.mark.parametrize("program", ["", "/nowhere/python", None])
def test_where_none_can_be_started_nothing_is_lost(
    repo: Repo, second: Scout, program: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert half(second, repo) == scan(repo.project)


def test_an_answer_that_nobody_took_is_not_taken_for_the_next(repo: Repo, second: Scout) -> None:
    fill(repo)
    second.send(str(repo.root), WHOLE)
    second.send(str(repo.project.context), SECOND_HALF)
    seen = second.seen()
    names, _ = sorted_out(os.listdir(repo.project.context))
    assert seen is not None and seen[0] == names[len(names) // 2 :] != names


def test_a_directory_that_is_gone_is_told_as_ever(repo: Repo, second: Scout) -> None:
    project = repo.project
    second.send(str(project.context), WHOLE)
    (repo.root / "context").rename(repo.root / "elsewhere")
    second.seen()
    for look in (lambda: scan(project, second), lambda: scan(project)):
        with pytest.raises(KtwError, match="does not exist"):
            look()
    (repo.root / "elsewhere").rename(repo.root / "context")
    assert half(second, repo) == scan(project)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_it_ends_with_its_maker() -> None:
    program = "from ktw.scout import Scout; s = Scout(); s.start(); print(s._process.pid)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    until = time.monotonic() + 60
    while is_running(int(done.stdout)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_running(int(done.stdout))


def is_running(process: int) -> bool:
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return told.rpartition(") ")[2][0] != "Z"


def test_nothing_around_it_is_imported(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("array.py", "raise SystemExit")
    repo.write("ktw/scout.py", "raise SystemExit")
    monkeypatch.setenv("PYTHONPATH", str(repo.root))
    monkeypatch.chdir(repo.root)
    second = Scout()
    second.send(str(repo.project.context), WHOLE)
    assert second.seen() is not None
    second.close()


# --- who uses it -------------------------------------------------------------------------------


def answered(repo: Repo, held: Cold) -> object:
    answer = recall(repo.project, "why wait for the snapshot", NOW, model="off", held=held)
    return answer_data(answer, explain=True)


def test_a_cold_recall_begins_with_it_and_answers_the_same(repo: Repo) -> None:
    fill(repo)
    plain = answered(repo, Cold())
    with closing(Ahead(str(repo.root))) as begun:
        assert begun._scout is not None
        begun.begin(repo.project)
        assert answered(repo, Cold(begun)) == plain
        assert answered(repo, Cold(begun)) == plain, "and again, with nothing begun any more"


@pytest.mark.parametrize("context", ["context", "elsewhere"])
def test_a_recall_leaves_no_process_behind(repo: Repo, context: str) -> None:
    fill(repo)
    (repo.root / "context").rename(repo.root / context)
    program = "from ktw import ahead; ahead._LARGE = 0; from ktw.cli import main; main()"
    command = [sys.executable, "-X", "dev", "-c", program, "recall", "--cold", "snapshot"]
    done = subprocess.run(command, cwd=repo.root, capture_output=True, check=False)
    assert b"Warning" not in done.stderr
    assert done.returncode == (0 if context == "context" else 3)


def test_what_changes_before_it_begins_is_seen(repo: Repo) -> None:
    with closing(Ahead(str(repo.root))) as begun:
        repo.write("context/new.md", memory_text("Why we wait for the snapshot twice", "Words."))
        repo.setting("ktw.approval", "local")
        begun.begin(repo.project)
        assert "new.md" in begun.scan(repo.project)[0].names
        assert "local" in [one.value for one in begun.stated(repo.project)]


def test_a_recall_begins_before_its_command_line_is_read(repo: Repo, tmp_path: Path) -> None:
    fill(repo)
    begun = begin_here(str(repo.root / "context"), {}, is_cold=False)
    assert begun is not None and begun.project == repo.project
    with closing(begun):
        assert answered(repo, Cold(begun)) == answered(repo, Cold())
    assert begin_here(str(tmp_path / "nowhere"), {}, is_cold=False) is None
    repo.write(".keep-the-why", "no block\n")
    assert begin_here(str(repo.root), {}, is_cold=True) is None


def test_where_a_warm_one_may_answer_nothing_is_begun(repo: Repo) -> None:
    git_dir = repo.root / ".git"
    (git_dir / "ktw").mkdir(exist_ok=True)
    Path(next(places(str(git_dir), {}))).touch()
    assert begin_here(str(repo.root), {}, is_cold=False) is None
    begun = begin_here(str(repo.root), {}, is_cold=True)
    assert begun is not None
    begun.close()


def test_one_that_stays_asks_it_for_half_and_answers_the_same(repo: Repo) -> None:
    fill(repo)
    held = Held()
    plain = answered(repo, Cold())
    assert answered(repo, held) == plain
    repo.write("context/new.md", memory_text("Why wait for the snapshot, again", "Words."))
    assert answered(repo, held) == answered(repo, Cold()) != plain
    process = held._scout._process
    assert process is not None
    held.close()
    assert process.poll() is not None
