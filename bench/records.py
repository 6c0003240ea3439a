"""Retrieval quality on decision records and notes in one pool, by collection and kind of question.

    python bench/records.py RECORDS [--model SETTING]

RECORDS is what `python bench/collect_records.py` writes: the texts are not part of this repository,
`bench/collections/README.md` says whose they are. Tune on the part `tuning`, report on `held`.
A record is of the day that stands in its first lines as 2026-01-31, if there is one.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from measure import Document, Question, Store, by_kind, table_row

from ktw.embedding import Embedder, load_embedder
from ktw.operations.answering import FEW

COLLECTIONS = Path(__file__).parent / "collections"
PARTS = ("tuning", "held")
_FIRST_LINES = 600  # characters
_DAY = re.compile(r"\b20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b")
COLLECTED = {
    "Decision records": "record",
    "Notes": "note",
    "Notes, asked in a language they are not in": "foreign",
}


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def documents(path: Path) -> list[Document]:
    return [
        Document(each["id"], each["title"], each["text"], _day(each["text"]))
        for each in read_lines(path)
    ]


def _day(text: str) -> str:
    found = _DAY.search(text, 0, _FIRST_LINES)
    return found[0] if found else ""


def questions(path: Path) -> list[Question]:
    return [
        Question(each["kind"], each["part"], each["question"], frozenset(each["gold"]))
        for each in read_lines(path)
    ]


def unanswerable() -> list[str]:
    return (COLLECTIONS / "unanswerable.txt").read_text(encoding="utf-8").splitlines()


def report(
    name: str, store: Store, asked: Sequence[Question], embedder: Embedder | None
) -> Iterator[str]:
    """One table a part of the questions of one collection."""
    for part in PARTS:
        yield f"\n{name}, {part}, {embedder.name if embedder else 'words alone'}\n"
        yield "| questions | number | hit@1 | hit@5 | MRR@10 |\n|---|---|---|---|---|"
        for kind, scores in by_kind(store, asked, part):
            yield table_row(kind, scores)


def refusals(store: Store) -> Iterator[str]:
    """How often recall says that it has nothing, or that what it has is weak."""
    found = [store.ranked(question) for question in unanswerable()]
    weak = sum(bool(each.hits) and each.held < FEW for each in found)
    some = sum(bool(each.hits) for each in found)
    yield f"{some} of {len(found)} unanswerable questions return something, {weak} said to be weak."
    for name, file in COLLECTED.items():
        asked = questions(COLLECTIONS / f"{file}_questions.jsonl")
        weak = sum(store.ranked(each.text).held < FEW for each in asked)
        yield f"{name}: {weak} of {len(asked)} said to be weak."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", type=Path)
    parser.add_argument("--model", default="")
    options = parser.parse_args()
    stored = documents(options.records) + documents(COLLECTIONS / "notes.jsonl")
    for embedder in (None, load_embedder(options.model)):
        store = Store(stored, embedder)
        for name, file in COLLECTED.items():
            asked = questions(COLLECTIONS / f"{file}_questions.jsonl")
            for line in report(name, store, asked, embedder):
                print(line)
        print()
        for line in refusals(store):
            print(line)


if __name__ == "__main__":
    main()
