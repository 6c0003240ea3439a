"""Retrieval quality on LoCoMo turns: hit@5, recall@5 and MRR@10, by words alone and with vectors.

    python bench/locomo.py FOLDER [--model SETTING]

FOLDER holds the ten conversations as JSON (github snap-research/locomo, CC BY-NC 4.0: for
measuring only, never shipped). One memory a turn, `speaker: text`; gold are the evidence turns;
category 5 and questions without evidence are left out. Conversations 1 to 5 are for tuning, 6 to 10
for reporting.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ktw.catalogue import Draft, FileRecord, Row
from ktw.embedding import Embedder, load_embedder
from ktw.entries import Entry
from ktw.memory import parse_memory
from ktw.postings import MemoryPostings
from ktw.search import rank
from ktw.store import FileStat
from ktw.terms import term_counts

NOW = datetime(2026, 1, 1, tzinfo=UTC)
_TURN = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True)
class Conversation:
    """Turns by id, and questions with the turns that answer them."""

    name: str
    turns: dict[str, str]
    questions: list[tuple[str, set[str]]]


def load(path: Path) -> Conversation:
    data = json.loads(path.read_text(encoding="utf-8"))
    sessions = sorted(int(m[1]) for key in data if (m := re.fullmatch(r"session_(\d+)", key)))
    turns = {
        turn["dia_id"]: f"{turn['speaker']}: {turn['text']}"
        for session in sessions
        for turn in data[f"session_{session}"]
    }
    questions = []
    for asked in data["qa"]:
        named = (
            f"D{int(a)}:{int(b)}"
            for e in asked.get("evidence") or ()
            for a, b in _TURN.findall(str(e))
        )
        gold = {turn for turn in named if turn in turns}
        if asked["category"] != 5 and gold:
            questions.append((str(asked["question"]), gold))
    return Conversation(path.stem, turns, questions)


class Store:
    """One conversation as an index in memory."""

    def __init__(self, conversation: Conversation, embedder: Embedder | None) -> None:
        draft, self.postings = Draft("bench"), MemoryPostings()
        self.embedder = embedder
        self.turns = list(conversation.turns)
        for number, (turn, text) in enumerate(conversation.turns.items()):
            entry = Entry("", "", 1, 1, (), text)
            counts = term_counts(parse_memory("context/x.md", b""), entry)
            self.postings.add(number, counts | {"keys": {}})
            lengths = (0, sum(counts["body"].values()), 0)
            row = Row(number, "", 1, "", "", "", "", *lengths)
            stat = FileStat(f"{number:06}", 0, 0, 0, 0)
            draft.put(FileRecord(stat, turn, False, (row,), ()))
        self.catalogue = draft.done(0)
        self.vectors = embedder.encode(list(conversation.turns.values())) if embedder else None

    def search(self, question: str) -> list[str]:
        cosines = None
        if self.embedder is not None and self.vectors is not None:
            values = self.vectors @ self.embedder.encode([question])[0]
            cosines = dict(enumerate(values.tolist()))
        hits = rank(self.catalogue, self.postings, question, NOW, cosines)
        return [self.turns[hit.place.row.number] for hit in hits[:10]]


def scores(found: Sequence[str], gold: set[str]) -> tuple[float, float, float]:
    top = set(found[:5]) & gold
    first = next((1 / place for place, turn in enumerate(found, 1) if turn in gold), 0.0)
    return float(bool(top)), len(top) / len(gold), first


def report(folder: Path, embedder: Embedder | None) -> Iterator[str]:
    rows: dict[str, list[tuple[float, float, float]]] = {"all": [], "1-5": [], "6-10": []}
    for number, path in enumerate(sorted(folder.glob("*.json")), 1):
        conversation = load(path)
        store = Store(conversation, embedder)
        part = "1-5" if number <= 5 else "6-10"
        for question, gold in conversation.questions:
            score = scores(store.search(question), gold)
            rows["all"].append(score)
            rows[part].append(score)
    for part, taken in rows.items():
        means = [sum(column) / len(taken) for column in zip(*taken, strict=True)]
        yield f"| {part} | {len(taken)} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="")
    options = parser.parse_args()
    for embedder in (None, load_embedder(options.model)):
        print(f"\n{embedder.name if embedder else 'words alone'}\n")
        print("| conversations | questions | hit@5 | recall@5 | MRR@10 |\n|---|---|---|---|---|")
        for line in report(options.folder, embedder):
            print(line)


if __name__ == "__main__":
    main()
