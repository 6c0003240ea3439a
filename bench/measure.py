"""Measures a ranking: documents as an index in memory, questions with gold, means with intervals.

The ranking is that of recall (`ktw.search.ranked`); what is loaded and what is printed is for the
scripts that use this.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ktw.bm25 import Term
from ktw.catalogue import FileRecord, Row
from ktw.catalogue_draft import Draft
from ktw.embedding import Embedder
from ktw.entries import Entry, anchor
from ktw.memory import parse_memory
from ktw.postings import MemoryPostings
from ktw.priors import NOBODY, Priors
from ktw.scan import FileStat
from ktw.search import Matches, Meaning, Ranked, ranked
from ktw.softmatch import matches
from ktw.terms import length, meant, term_counts, told
from ktw.text.cues import cues, speaker
from ktw.token_lists import token_lists_of
from ktw.vectors import embed

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DEPTH = 10


@dataclass(frozen=True)
class Document:
    """One memory; `created_at` is ISO 8601 or empty."""

    id: str
    title: str
    text: str
    created_at: str = ""

    @property
    def entry(self) -> Entry:
        return Entry(self.title, anchor(self.title), 1, 1, (), self.text)


@dataclass(frozen=True)
class Question:
    """What is asked, of which kind and for which part of the collection, and what answers it."""

    kind: str
    part: str
    text: str
    gold: frozenset[str]


class Store:
    """Documents as an index in memory, without vectors where there is no embedder."""

    def __init__(self, documents: Sequence[Document], embedder: Embedder | None) -> None:
        draft, self.postings = Draft("bench"), MemoryPostings()
        self.embedder = embedder
        self.ids = [document.id for document in documents]
        for number, document in enumerate(documents):
            counts = term_counts(parse_memory("context/x.md", b""), document.entry)
            self.postings.add(number, counts | {"keys": {}})
            lengths = (length(counts["title"]), length(counts["body"]), 0)
            shown = (int(cues(document.text)), speaker(document.text))
            row = Row(number, "", 1, "", "", "", document.created_at, *lengths, *shown)
            stat = FileStat(f"{number:06}", 0, 0, 0, 0)
            draft.put(FileRecord(stat, document.id, False, (row,), ()))
        self.catalogue = draft.done(0)
        if embedder is not None:
            passages = [meant(document.entry) for document in documents]
            self.vectors = embed(embedder, dict(enumerate(passages)))
            texts = {number: told(document.entry) for number, document in enumerate(documents)}
            self.lists = token_lists_of(embedder, texts)

    def meaning(self, question: str) -> Meaning | None:
        """What vectors tell of `question`, None without an embedder."""
        embedder = self.embedder
        if embedder is None:
            return None

        def match(terms: Mapping[str, Term], numbers: Sequence[int]) -> Matches:
            lists = {number: self.lists[number] for number in numbers}
            return matches(embedder, question, terms, lists)

        return Meaning(self.vectors.cosines(embedder.vectors([question])[0]), match)

    def ranked(self, question: str, depth: int = DEPTH) -> Ranked:
        """What `question` finds, where nothing was earned."""
        priors = Priors(self.catalogue, NOBODY, NOW)
        meaning = self.meaning(question)
        return ranked(self.catalogue, self.postings, question, priors, meaning, depth)

    def search(self, question: str, depth: int = DEPTH) -> list[str]:
        """The ids of the best documents, best first."""
        return [self.ids[hit.place.row.number] for hit in self.ranked(question, depth).hits]


@dataclass(frozen=True)
class Score:
    """hit@1, hit@5, the share of gold in the first five, and the reciprocal rank in ten."""

    first: float
    hit: float
    recall: float
    reciprocal: float


def score(found: Sequence[str], gold: frozenset[str]) -> Score:
    top = gold & set(found[:5])
    places = (1 / place for place, id_ in enumerate(found[:DEPTH], 1) if id_ in gold)
    return Score(
        float(bool(gold & set(found[:1]))), float(bool(top)), len(top) / len(gold), next(places, 0)
    )


def mean_and_margin(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half the width of its 95 % interval (normal approximation)."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, 1.0
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, 1.96 * math.sqrt(variance / len(values))


def by_kind(
    store: Store, questions: Iterable[Question], part: str
) -> Iterator[tuple[str, list[Score]]]:
    """The scores of the questions of one part: all together first, then kind by kind."""
    scores: dict[str, list[Score]] = {"all": []}
    for question in questions:
        if question.part == part:
            taken = score(store.search(question.text), question.gold)
            scores["all"].append(taken)
            scores.setdefault(question.kind, []).append(taken)
    yield from scores.items()


def table_row(name: str, scores: Sequence[Score]) -> str:
    """A row of a Markdown table: name, number, hit@1, hit@5 and MRR@10 with their margins."""
    columns = (
        [each.first for each in scores],
        [each.hit for each in scores],
        [each.reciprocal for each in scores],
    )
    told = (f"{mean:.3f} ± {margin:.3f}" for mean, margin in map(mean_and_margin, columns))
    return f"| {name} | {len(scores)} | " + " | ".join(told) + " |"
