"""Retrieval quality on LoCoMo turns, step by step: what each signal of the ranking adds.

    python bench/locomo.py FOLDER [--model SETTING]

FOLDER holds the ten conversations as JSON (github snap-research/locomo, CC BY-NC 4.0: for
measuring only, never shipped). One memory a turn, `speaker: text`, made on the day of its session;
gold are the evidence turns; category 5 and questions without evidence are left out. Conversations
1 to 5 are for tuning, 6 to 10 for reporting. Intervals: 95 %, bootstrap over questions, fixed seed;
the gain of a step is paired with the step before.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import numpy as np
from measure import Document, Question, Score, Store, score

from ktw import bm25, rerank, search
from ktw.embedding import Embedder, load_embedder
from ktw.text import tokens

RESAMPLES, SEED = 2000, 20260101
PARTS = ("6-10", "1-5")
_TURN = re.compile(r"D:?(\d+):(\d+)")
_NOTHING = {"AUTHOR": 0.0, "OTHER_AUTHOR": 0.0, "DATE": 0.0, "MOMENT": 0.0, "PERIOD": 0.0}
_NO_CUES = {**_NOTHING, "ANSWERS": {}, "STATEMENT": 0.0, "PERSONAL": 0.0, "SITTING": 0.0}
_EVERY_WORD = {"TELLING": frozenset(), "KIND_OF": re.compile("(?!)")}
_CUES = (
    ("+ author", ("AUTHOR", "OTHER_AUTHOR")),
    ("+ date", ("DATE",)),
    ("+ kind of answer", ("MOMENT", "PERIOD", "ANSWERS")),
    ("+ statement, first person", ("STATEMENT", "PERSONAL")),
    ("+ the best of the same day", ("SITTING",)),
)

# A step: its name, and the constants that differ from those of the ranking, module by module.
Step = tuple[str, dict[object, dict[str, object]]]


def load(path: Path, part: str) -> tuple[list[Document], list[Question]]:
    """The turns of one conversation, and its questions with the turns that answer them."""
    data = json.loads(path.read_text(encoding="utf-8"))
    sessions = sorted(int(m[1]) for key in data if (m := re.fullmatch(r"session_(\d+)", key)))
    turns = [
        Document(turn["dia_id"], "", f"{turn['speaker']}: {turn['text']}", made)
        for session in sessions
        for made in [_day(data[f"session_{session}_date_time"])]
        for turn in data[f"session_{session}"]
    ]
    known = {turn.id for turn in turns}
    questions = []
    for asked in data["qa"]:
        named = (
            f"D{int(a)}:{int(b)}"
            for e in asked.get("evidence") or ()
            for a, b in _TURN.findall(str(e))
        )
        gold = known & set(named)
        if asked["category"] != 5 and gold:
            kind = str(asked["category"])
            questions.append(Question(kind, part, str(asked["question"]), frozenset(gold)))
    return turns, questions


def _day(text: str) -> str:
    """`1:56 pm on 8 May, 2023` as a date."""
    return datetime.strptime(text.partition(" on ")[2], "%d %B, %Y").date().isoformat()


def steps(hybrid: bool) -> Iterator[Step]:
    """From words alone to the ranking as it is, one signal after the other."""
    left = dict(_NO_CUES)
    if hybrid:
        one = {"WORDS_SHARE": 1.0, "SENTENCE_SHARE": 0.0, "COSINE_SHARE": 0.0}
        share = search.WORDS_SHARE + search.SENTENCE_SHARE
        exact = patch_exact(1.0)
        every: dict[object, dict[str, object]] = {rerank: dict(left), search: {**one, **exact}}
        yield "BM25F, every word", {**every, tokens: _EVERY_WORD}
        yield "BM25F without what only asks", every
        both = {"WORDS_SHARE": share, "SENTENCE_SHARE": 0.0}
        yield "+ cosine", {rerank: dict(left), search: {**both, **exact}}
        yield "+ near words", {rerank: dict(left), search: both}
        yield "+ best sentence", {rerank: dict(left)}
    else:
        every = {rerank: dict(left), tokens: _EVERY_WORD}
        yield "BM25F, B = 0.5", {**every, bm25: patch_exact(0.5)}
        yield "B by mean length", every
        yield "without what only asks", {rerank: dict(left)}
    for name, constants in _CUES:
        left = {key: value for key, value in left.items() if key not in constants}
        yield name, {rerank: dict(left)} if left else {}


def patch_exact(value: float) -> dict[str, object]:
    """`length_norm` with one answer."""
    return {"length_norm": lambda mean: value}


def measured(stores: Sequence[tuple[Store, list[Question]]], step: Step) -> dict[str, list[Score]]:
    """The scores of every question by part, under the constants of a step."""
    scores: dict[str, list[Score]] = {part: [] for part in PARTS}
    with ExitStack() as stack:
        for module, constants in step[1].items():
            stack.enter_context(patch.multiple(module, **constants))
        for store, questions in stores:
            for question in questions:
                taken = score(store.search(question.text), question.gold)
                scores[question.part].append(taken)
    return scores


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a mean, by bootstrap."""
    chance = np.random.default_rng(SEED)
    array = np.array(values)
    picks = chance.integers(0, len(array), (RESAMPLES, len(array)))
    low, high = np.percentile(array[picks].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def rows(stores: Sequence[tuple[Store, list[Question]]], hybrid: bool) -> Iterator[str]:
    before: dict[str, list[Score]] = {}
    for step in steps(hybrid):
        scores = measured(stores, step)
        cells = [cell for part in PARTS for cell in _cells(scores[part], before.get(part))]
        yield f"| {step[0]} | " + " | ".join(cells) + " |"
        before = scores


def _cells(scores: Sequence[Score], before: Sequence[Score] | None) -> Iterator[str]:
    hits = [each.hit for each in scores]
    yield "{:.3f} ({:.3f} to {:.3f})".format(sum(hits) / len(hits), *interval(hits))
    yield f"{sum(each.recall for each in scores) / len(scores):.3f}"
    ranks = [each.reciprocal for each in scores]
    yield "{:.3f} ({:.3f} to {:.3f})".format(sum(ranks) / len(ranks), *interval(ranks))
    if before is None:
        yield ""
    else:
        gains = [now.reciprocal - then.reciprocal for now, then in zip(scores, before, strict=True)]
        yield "{:+.3f} ({:+.3f} to {:+.3f})".format(sum(gains) / len(gains), *interval(gains))


def report(folder: Path, embedder: Embedder | None) -> Iterator[str]:
    stores = []
    for number, path in enumerate(sorted(folder.glob("*.json")), 1):
        turns, questions = load(path, "1-5" if number <= 5 else "6-10")
        stores.append((Store(turns, embedder), questions))
    columns = [f"{part}: {name}" for part in PARTS for name in ("hit@5", "recall@5", "MRR@10")]
    columns[3:3], columns[7:7] = ["gain"], ["gain"]
    yield "| step | " + " | ".join(columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    yield from rows(stores, embedder is not None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="")
    options = parser.parse_args()
    for embedder in (None, load_embedder(options.model)):
        print(f"\n{embedder.name if embedder else 'words alone'}\n")
        for line in report(options.folder, embedder):
            print(line, flush=True)


if __name__ == "__main__":
    main()
