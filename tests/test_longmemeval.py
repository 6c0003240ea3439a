"""The protocol of bench/longmemeval.py, over a tiny file of the benchmark's form."""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("numpy")  # what the bench measures with

BENCH = Path(__file__).resolve().parent.parent / "bench"


def said(text: str, has_answer: bool = False, role: str = "user") -> dict[str, object]:
    return {"role": role, "content": text, "has_answer": has_answer}


SESSIONS = {
    "filler_1": [said("I bake bread with rye."), said("Rye is fine.", role="assistant")],
    "answer_1": [
        said("The weather was grey."),
        said("How nice.", role="assistant"),
        said("My lighthouse has a green door.", has_answer=True),
    ],
    "filler_2": [said("Which lighthouse is the oldest of the coast?")],
}


def question(number: str, asked: str, names: list[str]) -> dict[str, object]:
    return {
        "question_id": number,
        "question_type": "single-session-user",
        "question": asked,
        "answer": "green",
        "question_date": "2023/06/01 (Thu) 10:00",
        "haystack_session_ids": names,
        "haystack_dates": ["2023/05/20 (Sat) 02:21"] * len(names),
        "haystack_sessions": [SESSIONS[name] for name in names],
        "answer_session_ids": [name for name in names if name.startswith("answer")],
    }


@pytest.fixture
def protocol(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCH))
    import longmemeval

    yield longmemeval
    for name in ("longmemeval", "measure"):
        sys.modules.pop(name, None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    asked = "What colour is the door of my lighthouse?"
    entries = [
        question("q1", asked, ["filler_1", "answer_1", "filler_2", "filler_1"]),
        question("q2_abs", asked, ["filler_1", "filler_2"]),
        question("q3", asked, ["filler_1", "filler_2"]),
    ]
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def test_what_has_no_answer_is_left_out_and_the_assistant_is_not_searched(
    protocol: ModuleType, file: Path
) -> None:
    (asked,) = protocol.load(file, "turn")
    assert [one.id for one in asked.history] == [
        "0:filler_1_1",
        "1:answer_1_1",
        "1:answer_1_3",
        "2:filler_2_1",
        "3:filler_1_1",
    ]
    assert asked.gold == {"1:answer_1_3"}
    assert {one.created_at for one in asked.history} == {"2023-05-20"}
    (asked,) = protocol.load(file, "session")
    assert asked.gold == {"1:answer_1"}
    assert asked.history[1].text == "The weather was grey. My lighthouse has a green door."


def test_the_recall_of_ktw_is_what_is_scored(protocol: ModuleType, file: Path) -> None:
    told = list(protocol.report(file, ["session", "turn"], None, None))
    assert [line for line in told if line.startswith("\nby")] == [
        "\nby session\n",
        "\nby turn\n",
        "\nby session, by its turns\n",
    ]
    rows = [line for line in told if line.startswith(("| all", "| single"))]
    assert len(rows) == 6
    assert all(set(row.split(" | ")[2:]) <= {"1.000", "1.000 |"} for row in rows)


def test_the_metrics_are_those_published(protocol: ModuleType) -> None:
    told = protocol.score(["a", "x", "b", "y"], frozenset("xyz"))
    assert (told["any@1"], told["any@3"], told["all@5"], told["mrr"]) == (0, 1, 0, 0.5)
    ideal = 1 + 1 + 1 / math.log2(3)
    assert told["ndcg@3"] == pytest.approx(1 / ideal)
    assert told["ndcg@5"] == pytest.approx((1 + 1 / 2) / ideal)
    assert protocol.score(["x", "y"], frozenset("xy"))["ndcg@10"] == 1
    found = ["s_1_3", "s_1_5", "t_2_1"]
    assert protocol.sessions_of(found) == ["s_1", "t_2"]


def test_another_file_is_refused_in_words(protocol: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('[{"question": "x"}]', encoding="utf-8")
    with pytest.raises(SystemExit, match="not a file of LongMemEval"):
        list(protocol.load(path, "turn"))
