"""Retrieval on LongMemEval by its published protocol, with the ranking of `ktw recall`.

    python bench/longmemeval.py FILE [--by session,turn] [--limit N] [--model SETTING]

FILE is one of the benchmark's JSON files (Wu et al. 2025, arXiv 2410.10813; github
xiaowu0162/LongMemEval), such as longmemeval_s.json; it is not part of this repository. What is
retrieved is what the user said: all of it in a session as one memory, or one memory a turn, made on
the session's day. Left out as published: questions of abstention (`_abs`), and those to which no
turn of the user holds the answer. Each question has a history and so an index of its own.

any@k: an answering session or turn among the first k; all@k: all of them; nDCG@k as published,
where the second place is not discounted. MRR is ours: the reciprocal rank of the first, up to 50.
Sessions that turns lead to count once each, where the best of their turns stands; the published
nDCG of these counts each turn. A memory that shares no word and is not near is not ranked at all.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from measure import Document, Store

from ktw.embedding import Embedder, load_embedder

DEPTH = 50
CUTS = (1, 3, 5, 10, 30, 50)
COLUMNS = ("any@1", "any@5", "all@5", "ndcg@5", "any@10", "all@10", "ndcg@10", "all@50", "mrr")
ABSTENTION = "_abs"


@dataclass(frozen=True)
class Asked:
    """One question, its kind, its history as memories, and the ids of those that answer it."""

    kind: str
    text: str
    history: list[Document]
    gold: frozenset[str]


Reader = Callable[[str, str, Sequence[Mapping[str, object]]], Iterator[tuple[Document, bool]]]


def by_session(
    name: str, day: str, turns: Sequence[Mapping[str, object]]
) -> Iterator[tuple[Document, bool]]:
    """All that the user said in a session, and whether any of it holds the answer."""
    said = [turn for turn in turns if turn["role"] == "user"]
    text = " ".join(str(turn["content"]) for turn in said)
    yield Document(name, "", text, day), any(turn.get("has_answer") for turn in said)


def by_turn(
    name: str, day: str, turns: Sequence[Mapping[str, object]]
) -> Iterator[tuple[Document, bool]]:
    """Each thing that the user said; turns count from 1, those of the assistant too."""
    for number, turn in enumerate(turns, 1):
        if turn["role"] == "user":
            document = Document(f"{name}_{number}", "", str(turn["content"]), day)
            yield document, bool(turn.get("has_answer"))


READERS: dict[str, Reader] = {"session": by_session, "turn": by_turn}


def load(path: Path, granularity: str) -> Iterator[Asked]:
    """The questions that count; SystemExit where the file is not of the benchmark's form."""
    try:
        for entry in json.loads(path.read_text(encoding="utf-8")):
            if ABSTENTION not in entry["question_id"]:
                asked = _asked(entry, READERS[granularity])
                if asked.gold:
                    yield asked
    except (KeyError, TypeError, ValueError) as error:
        raise SystemExit(f"{path}: not a file of LongMemEval: {error!r}") from error


def _asked(entry: Mapping[str, object], read: Reader) -> Asked:
    sessions = zip(
        entry["haystack_session_ids"],
        entry["haystack_dates"],
        entry["haystack_sessions"],
        strict=True,
    )
    history, gold = [], set()
    for number, (name, day, turns) in enumerate(sessions):
        # A session may stand twice in a history; its place keeps the two apart.
        for document, answers in read(f"{number}:{name}", _day(day), turns):
            history.append(document)
            if answers:
                gold.add(document.id)
    return Asked(entry["question_type"], entry["question"], history, frozenset(gold))


def _day(text: str) -> str:
    """`2023/05/20 (Sat) 02:21` as a date."""
    return datetime.strptime(text.split()[0], "%Y/%m/%d").date().isoformat()


def session_of(turn: str) -> str:
    return turn.rpartition("_")[0]


def sessions_of(found: Sequence[str]) -> list[str]:
    """The sessions of turns found, each where its first turn stands."""
    return list(dict.fromkeys(map(session_of, found)))


def dcg(relevant: Sequence[int]) -> float:
    """The benchmark's gain: the first counts whole, place i >= 2 is divided by log2 i."""
    later = (gain / math.log2(place) for place, gain in enumerate(relevant[1:], 2))
    return sum(relevant[:1]) + math.fsum(later)


def score(found: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """Every metric of one question, by name and cut."""
    told: dict[str, float] = {}
    for cut in CUTS:
        top = found[:cut]
        told[f"any@{cut}"] = float(not gold.isdisjoint(top))
        told[f"all@{cut}"] = float(gold <= set(top))
        ideal = dcg([1] * min(cut, len(gold)))
        told[f"ndcg@{cut}"] = dcg([int(one in gold) for one in top]) / ideal
    places = (1 / place for place, one in enumerate(found[:DEPTH], 1) if one in gold)
    return told | {"mrr": next(places, 0.0)}


def scores(
    asked: Asked, granularity: str, embedder: Embedder | None
) -> Iterator[tuple[str, dict[str, float]]]:
    """The scores of one question; for turns those of the sessions that they lead to, too."""
    found = Store(asked.history, embedder).search(asked.text, len(asked.history))
    yield granularity, score(found, asked.gold)
    if granularity == "turn":
        gold = frozenset(map(session_of, asked.gold))
        yield "session, by its turns", score(sessions_of(found), gold)


def report(
    path: Path, granularities: Sequence[str], embedder: Embedder | None, limit: int | None
) -> Iterator[str]:
    """A table a granularity: all questions together, then kind by kind."""
    for granularity in granularities:
        taken: dict[str, dict[str, list[dict[str, float]]]] = {}
        for number, asked in enumerate(load(path, granularity)):
            if number == limit:
                break
            for of, told in scores(asked, granularity, embedder):
                kinds = taken.setdefault(of, {"all": []})
                kinds["all"].append(told)
                kinds.setdefault(asked.kind, []).append(told)
        for of, kinds in taken.items():
            yield from table(of, kinds)


def table(of: str, kinds: Mapping[str, Sequence[Mapping[str, float]]]) -> Iterator[str]:
    yield f"\nby {of}\n"
    yield f"| questions | number | {' | '.join(COLUMNS)} |"
    yield "|---" * (len(COLUMNS) + 2) + "|"
    for kind, told in kinds.items():
        means = (math.fsum(one[name] for one in told) / len(told) for name in COLUMNS)
        yield f"| {kind} | {len(told)} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--by", default="session,turn")
    parser.add_argument("--limit", type=int, help="only the first so many questions")
    parser.add_argument("--model", default="", help="the model of the second half; off: none")
    options = parser.parse_args()
    named = options.by.split(",")
    if not set(named) <= set(READERS):
        parser.error("--by is session, turn or both, with a comma between")
    embedder = load_embedder(options.model)
    for each in (None, embedder) if embedder else (None,):
        print(f"\n{each.name if each else 'words alone'}")
        for line in report(options.file, named, each, options.limit):
            print(line)


if __name__ == "__main__":
    main()
