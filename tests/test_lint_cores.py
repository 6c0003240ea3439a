"""Work on all cores gives what work on one gives, in the same order, whatever happens."""

import os
import signal
import sys
import threading
from multiprocessing import active_children
from pathlib import Path

import pytest

import lint_builders as build
from keep_the_why_lint import cores, texts
from keep_the_why_lint.cores import spread
from keep_the_why_lint.runner import lint_project

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")
HERE = os.getpid()


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "_cores", lambda: 2)
    monkeypatch.setattr(texts, "MUCH", 1)


def _where(number: int) -> tuple[int, bool]:
    return number, os.getpid() == HERE


def _die_elsewhere(number: int) -> int:
    if os.getpid() != HERE and number == 70:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def _fall(number: int) -> int:
    if number == 5:
        raise ZeroDivisionError
    return number


def test_all_results_come_in_order_and_from_elsewhere() -> None:
    assert list(spread(_where, range(100))) == [(number, False) for number in range(100)]


def test_one_item_one_core_or_a_thread_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(spread(_where, range(1))) == [(0, True)]
    expected = [(0, True), (1, True)]
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert list(spread(_where, range(2))) == expected
    monkeypatch.undo()
    monkeypatch.setattr(cores, "_cores", lambda: 1)
    assert list(spread(_where, range(2))) == expected


def test_what_a_killed_process_leaves_is_done_here() -> None:
    assert list(spread(_die_elsewhere, range(200))) == list(range(200))


def test_a_bug_is_no_killed_process() -> None:
    with pytest.raises(ZeroDivisionError):
        list(spread(_fall, range(100)))


def test_the_report_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = build.build_good("provenance", tmp_path / "project")
    for number in range(5):
        text = f"# Topic\n\n## Entry {number}\n\na\u200bb\n{build.ORDER}"
        build.write(root, f"context/extra-{number}.md", text)
    long = "# Topic\n\n" + "".join(f"Word {n} a\u200bb.\n{build.ORDER}\n\n" for n in range(500))
    build.write(root, "context/long.md", long)
    assert len(long) > texts._LONG
    monkeypatch.setattr(texts, "_PART", len(long) // 7)
    spread_out = lint_project(root)
    monkeypatch.undo()
    assert lint_project(root) == spread_out
    assert {"E301", "W102"} <= {finding.code for finding in spread_out.findings}


@pytest.mark.parametrize("most", [0, 1])
def test_where_no_more_processes_may_begin_all_is_done_here(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork, begun = os.fork, iter(range(most))

    def refuse() -> int:
        if next(begun, None) is None:
            raise BlockingIOError
        return fork()

    monkeypatch.setattr(os, "fork", refuse)
    assert list(spread(_where, range(9))) == [(number, True) for number in range(9)]
    assert active_children() == []
