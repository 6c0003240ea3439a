"""Ranking: BM25F from live documents alone, one order for ties, and a score made of its parts."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import Repo, memory_text
from ktw.bm25 import K1, SHORT, WEIGHTS, bm25f, terms_of
from ktw.catalogue import Catalogue, FileRecord, Row
from ktw.catalogue_draft import Draft
from ktw.memory import parse_memory
from ktw.operations.reading import recall
from ktw.postings import MemoryPostings
from ktw.priors import (
    KIND_PRIOR,
    NOBODY,
    RECENCY_GAIN,
    STATUS_PRIOR,
    Priors,
    parse_time,
)
from ktw.rerank import STATEMENT
from ktw.scan import FileStat
from ktw.search import (
    CANDIDATES,
    COSINE_SHARE,
    LEXICAL_ALONE,
    SENTENCE_SHARE,
    WORDS_SHARE,
    Hit,
    Meaning,
    rank,
    ranked,
)
from ktw.terms import FIELDS, term_counts
from ktw.text.cues import cues, speaker

NOW = datetime(2026, 2, 1, tzinfo=UTC)
Documents = Mapping[str, Mapping[str, str]]


def index_of(
    documents: Documents, dead: Documents | None = None
) -> tuple[Catalogue, MemoryPostings]:
    """A catalogue and postings by hand: field texts by file name; `dead` are in postings alone."""
    draft, postings = Draft("b"), MemoryPostings()
    everything = [*(dead or {}).items(), *documents.items()]
    for number, (name, texts) in enumerate(everything):
        counts = {field: count(texts.get(field, "")) for field in FIELDS}
        postings.add(number, counts)
        if number >= len(dead or {}):
            lengths = [sum(counts[field].values()) for field in FIELDS]
            told = [texts.get(key, "") for key in ("kind", "status", "created_at")]
            says = texts.get("says", "")
            title, body, keys = lengths
            shown = (int(cues(says)), speaker(says))
            row = Row(number, "", 1, "", *told, title, body, keys, *shown)
            draft.put(FileRecord(FileStat(name, 0, 0, 0, 0), name, False, (row,), ()))
    return draft.done(1), postings


def count(text: str) -> dict[str, int]:
    terms = text.split()
    return {term: terms.count(term) for term in terms}


def near(
    cosines: Mapping[int, float], matched: Mapping[int, tuple[float, float]] | None = None
) -> Meaning:
    """What vectors tell, by hand; without `matched` no word is matched by another."""
    return Meaning(cosines, lambda terms, numbers: matched or {})


def names(hits: Sequence[Hit]) -> list[str]:
    return [hit.place.name for hit in hits]


# --- BM25F -------------------------------------------------------------------------------------


def by_the_book(documents: Documents, query: Sequence[str]) -> dict[str, float]:
    """BM25F as Robertson and Zaragoza 2009 write it, from the texts themselves."""
    split = {
        name: {f: texts.get(f, "").split() for f in FIELDS} for name, texts in documents.items()
    }
    means = {f: sum(len(t[f]) for t in split.values()) / len(split) for f in FIELDS}
    norms = {f: means[f] / (means[f] + SHORT) for f in FIELDS}
    scores: dict[str, float] = {}
    for term in set(query):
        having = [name for name, texts in split.items() if any(term in texts[f] for f in FIELDS)]
        idf = math.log(1 + (len(split) - len(having) + 0.5) / (len(having) + 0.5))
        for name in having:
            weight = sum(
                WEIGHTS[f]
                * split[name][f].count(term)
                / (1 - norms[f] + norms[f] * len(split[name][f]) / (means[f] or 1.0))
                for f in FIELDS
            )
            scores[name] = scores.get(name, 0.0) + idf * weight * (K1 + 1) / (K1 + weight)
    return scores


_TEXT = st.lists(st.sampled_from(("db", "js", "ci", "row")), max_size=6).map(" ".join)
_DOCUMENTS = st.dictionaries(
    st.sampled_from([f"{letter}.md" for letter in "abcdefg"]),
    st.fixed_dictionaries(dict.fromkeys(FIELDS, _TEXT)),
    min_size=1,
    max_size=6,
)
_QUERY = st.lists(st.sampled_from(("db", "js", "ci", "none")), min_size=1, max_size=4)


@given(_DOCUMENTS, _DOCUMENTS, _QUERY)
def test_scores_are_bm25f_of_live_documents_alone(
    documents: Documents, dead: Documents, query: list[str]
) -> None:
    catalogue, postings = index_of(documents, dead)
    scores = bm25f(terms_of(catalogue, postings, " ".join(query)))
    told = {catalogue.place(number).name: score for number, score in scores.items()}
    assert told == pytest.approx(by_the_book(documents, query))


def test_a_rare_word_counts_for_more_and_a_title_for_more_than_a_body() -> None:
    documents = {
        "body.md": {"title": "db js", "body": "row ci ci ci"},
        "title.md": {"title": "row js", "body": "db ci ci ci"},
        "common.md": {"title": "db js", "body": "db db ci ci"},
        "rare.md": {"title": "js js", "body": "db none ci ci"},
    }
    catalogue, postings = index_of(documents)
    assert names(rank(catalogue, postings, "row", NOW)) == ["title.md", "body.md"]
    assert names(rank(catalogue, postings, "none db", NOW))[0] == "rare.md"


# --- ties and order ----------------------------------------------------------------------------


def test_ties_stand_in_file_order_whatever_the_row_numbers() -> None:
    same = {"title": "db", "body": "js ci"}
    for order in (["c", "a", "b"], ["b", "c", "a"], ["a", "b", "c"]):
        catalogue, postings = index_of({f"{name}.md": same for name in order})
        cosines = dict.fromkeys(catalogue.row_at, 0.25)
        assert names(rank(catalogue, postings, "db", NOW)) == ["a.md", "b.md", "c.md"]
        assert names(rank(catalogue, postings, "db", NOW, near(cosines))) == [
            "a.md",
            "b.md",
            "c.md",
        ]


def test_among_more_ties_than_candidates_the_first_files_are_chosen() -> None:
    count = CANDIDATES + 40
    for order in (range(count), reversed(range(count))):
        catalogue, postings = index_of({f"{number:04}.md": {"body": "db"} for number in order})
        cosines = dict.fromkeys(catalogue.row_at, 0.5)
        hits = rank(catalogue, postings, "db", NOW, near(cosines))
        assert names(hits) == [f"{number:04}.md" for number in range(CANDIDATES)]


# --- the parts of a score ----------------------------------------------------------------------

ADDED = (
    *("lexical", "words", "sentence", "cosine"),
    *("company", "author", "date", "answer", "statement", "personal"),
)


def recomputed(hit: Hit) -> float:
    score = sum(value for name, value in hit.parts if name in ADDED)
    for name, value in hit.parts:
        score *= 1 if name in ADDED else value
    return score


_SHOWN = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(("", "note", "rule")),
        "status": st.sampled_from(("", "superseded", "active", "<made up>")),
        "created_at": st.sampled_from(
            ("", "2026-01-01", "1999-01-01T00:00:00Z", "2030-01-01", "never")
        ),
        "says": st.sampled_from(("", "Ada: I went there yesterday.", "In Rome, 3 of them?")),
    }
)


@given(
    _DOCUMENTS,
    _QUERY,
    st.sampled_from(("", " when did Ada", " in January 2026", " where, and how many")),
    st.none() | st.lists(st.floats(-1, 1), min_size=6, max_size=6),
    st.lists(st.floats(0, 9), min_size=6, max_size=6),
    _SHOWN,
)
def test_a_score_is_recomputed_from_its_parts(
    documents: Documents,
    query: list[str],
    more: str,
    cosines: list[float] | None,
    matched: list[float],
    shown: dict[str, str],
) -> None:
    first = sorted(documents)[0]
    documents = {**documents, first: {**documents[first], **shown}}
    catalogue, postings = index_of(documents)
    meaning = None
    if cosines is not None:
        pairs = {at: (matched[at], 9 - matched[at]) for at in catalogue.row_at}
        meaning = near(dict(zip(catalogue.row_at, cosines, strict=False)), pairs)
    hits = rank(catalogue, postings, " ".join(query) + more, NOW, meaning)
    for hit in hits:
        assert hit.score == pytest.approx(recomputed(hit), abs=1e-8)
        assert dict(hit.parts).keys() <= {*ADDED, "kind", "status", "recency"}
        assert len(dict(hit.parts)) == len(hit.parts)
        assert hit.score >= 0
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_difference_next_to_nothing_is_scaled_as_any_other() -> None:
    documents = {"a.md": {"title": "js"}, "b.md": {"title": "db"}}
    catalogue, postings = index_of(documents)
    cosines = dict(zip(catalogue.row_at, (0.0, 5e-324), strict=True))
    hits = rank(catalogue, postings, "db", NOW, near(cosines, {}))
    assert hits[0].place.name == "b.md"
    assert all(hit.score == hit.score >= 0 for hit in hits)


def test_priors_are_seen() -> None:
    plain = {"title": "db", "body": "js"}
    documents = {
        "plain.md": plain,
        "note.md": {**plain, "kind": "note"},
        "old.md": {**plain, "status": "superseded"},
        "new.md": {**plain, "created_at": "2026-02-01"},
        "half.md": {**plain, "created_at": (NOW - timedelta(days=180)).isoformat()},
        "future.md": {**plain, "created_at": "2027-01-01"},
    }
    hits = rank(*index_of(documents), "db", NOW)
    parts = {hit.place.name: dict(hit.parts) for hit in hits}
    assert parts["plain.md"] == {"lexical": LEXICAL_ALONE, "statement": STATEMENT}
    assert parts["future.md"] == parts["plain.md"]
    assert parts["note.md"]["kind"] == KIND_PRIOR["note"]
    assert parts["old.md"]["status"] == STATUS_PRIOR["superseded"]
    assert parts["new.md"]["recency"] == 1 + RECENCY_GAIN
    assert parts["half.md"]["recency"] == pytest.approx(1 + RECENCY_GAIN / 2)
    assert names(hits) == ["new.md", "half.md", "future.md", "plain.md", "note.md", "old.md"]


# --- cosines -----------------------------------------------------------------------------------


def test_what_is_near_in_meaning_joins_what_shares_a_word() -> None:
    documents = {"word.md": {"body": "db"}, "near.md": {"body": "js"}, "far.md": {"body": "ci"}}
    catalogue, postings = index_of(documents)
    hits = rank(catalogue, postings, "db", NOW, near({0: 0.2, 1: 0.9, 2: -0.1}))
    assert names(hits) == ["word.md", "near.md", "far.md"]
    parts = {hit.place.name: dict(hit.parts) for hit in hits}
    assert parts["near.md"]["cosine"] == COSINE_SHARE
    assert parts["near.md"]["lexical"] == parts["far.md"]["cosine"] == 0.0
    assert parts["word.md"]["lexical"] == WORDS_SHARE + SENTENCE_SHARE


def test_near_words_count_for_less_where_memories_are_long() -> None:
    weights = []
    for length in (4, 400):
        documents = {"a.md": {"body": "db " * length}, "b.md": {"body": "js " * length}}
        catalogue, postings = index_of(documents)
        meaning = near({0: 0.2, 1: 0.9}, {0: (1.0, 0.0), 1: (4.0, 2.0)})
        hits = rank(catalogue, postings, "db none", NOW, meaning)
        parts = {hit.place.name: dict(hit.parts) for hit in hits}
        exact = length / (length + SHORT)
        share = WORDS_SHARE + SENTENCE_SHARE
        assert parts["a.md"]["lexical"] == pytest.approx(share * exact)
        assert parts["a.md"]["words"] == pytest.approx(WORDS_SHARE * (1 - exact) / 4)
        assert parts["b.md"]["words"] == pytest.approx(WORDS_SHARE * (1 - exact))
        assert parts["b.md"]["sentence"] == pytest.approx(SENTENCE_SHARE * (1 - exact))
        weights.append(parts["b.md"]["words"])
    assert weights[0] > 5 * weights[1]


def test_no_crowd_of_recent_memories_hides_what_is_nearer() -> None:
    recent = {f"{at:03}.md": {"body": "ci", "created_at": "2026-02-01"} for at in range(150)}
    documents = {"word.md": {"body": "db"}, "near.md": {"body": "js"}, **recent}
    catalogue, postings = index_of(documents)
    cosines = {0: 0.9, 1: 0.92} | dict.fromkeys(range(2, 151), 0.89) | {151: 0.8}
    assert "near.md" in names(rank(catalogue, postings, "db", NOW, near(cosines)))


def test_a_crowd_of_notes_hides_no_rule_of_the_same_words() -> None:
    note = {"body": "db js", "kind": "note", "created_at": "2026-01-31"}
    notes = {f"{at:03}.md": note for at in range(150)}
    documents = {**notes, "rule.md": {"body": "db js ci", "kind": "rule"}}
    hits = rank(*index_of(documents), "db js", NOW, limit=5)
    assert names(hits)[0] == "rule.md"


@pytest.mark.parametrize(
    ("question", "first"), [("db", "word.md"), ("the db?", "word.md"), ("db none", "near.md")]
)
def test_one_word_asks_for_that_word_alone(question: str, first: str) -> None:
    documents = {
        "word.md": {"body": "db", "created_at": "2025-05-07"},
        "near.md": {"body": "js", "created_at": "2025-05-07"},
        "other.md": {"body": "db ci", "created_at": "2025-05-08"},
    }
    catalogue, postings = index_of(documents)
    meaning = near({0: 0.1, 1: 0.9, 2: 0.1}, {0: (1.0, 0.5), 1: (1.0, 1.0), 2: (1.0, 0.5)})
    hits = rank(catalogue, postings, question, NOW, meaning)
    assert names(hits)[0] == first
    assert any("company" in dict(hit.parts) for hit in hits) == (first == "near.md")


def test_what_was_made_on_the_day_of_the_best_joins_it() -> None:
    documents = {
        "best.md": {"body": "db row", "created_at": "2025-05-07T09:00:00Z"},
        "beside.md": {"body": "db ci", "created_at": "2025-05-07T17:00:00+02:00"},
        "later.md": {"body": "db ci", "created_at": "2025-05-08"},
        "undated.md": {"body": "db ci", "created_at": "never"},
        "also.md": {"body": "db ci", "created_at": "never"},
    }
    hits = rank(*index_of(documents), "db row", NOW)
    assert names(hits)[:2] == ["best.md", "beside.md"]
    company = {hit.place.name: dict(hit.parts).get("company", 0.0) for hit in hits}
    assert company["beside.md"] > company["best.md"] > 0
    assert company["later.md"] == company["undated.md"] == company["also.md"] == 0


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("the db ci", 1.0),
        ("the db snapshot", 0.02),
        ("der db snapshot", 1.0),  # looked for in several forms: nothing is told
        ("the snapshot", 1.0),  # nothing is found
    ],
)
def test_how_much_of_what_is_asked_the_best_holds(question: str, held: float) -> None:
    common = {f"{at}.md": {"body": "db"} for at in range(8)}
    catalogue, postings = index_of({"a.md": {"body": "db js ci"}, **common})
    found = ranked(catalogue, postings, question, Priors(catalogue, NOBODY, NOW))
    assert found.held == pytest.approx(held, abs=0.01)


def test_no_shared_word_is_nothing_found_however_near() -> None:
    catalogue, postings = index_of({"a.md": {"body": "db"}})
    assert rank(catalogue, postings, "none", NOW, near({0: 1.0}, {0: (9.0, 9.0)})) == []


# --- any question ------------------------------------------------------------------------------

QUESTIONS = (
    "",
    " \n\t",
    "?",
    "what is the",
    "why?",
    "*",
    "db*",
    "d?",
    '"unbalanced',
    "it's",
    "'",
    "AND",
    "db AND",
    "NOT db",
    "db OR",
    "title:db",
    "(((",
    "[a TO b]",
    "db^2",
    "db~",
    "\\",
    "--more",
    "db\x00 js",
    "\x1b[31mdb",
    "\ud800db",
    "\u202edb",
    "_" * 5000,
    "db " * 5000,
    "d" * 100_000,
)


@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
def test_no_question_raises(repo: Repo, question: str) -> None:
    repo.write("context/db.md", memory_text("Why db", "The db keeps rows."))
    answer = recall(repo.project, question, NOW, model="off")
    found = [hit.reading.entry.title for hit in answer.found]
    assert found == (["Why db"] if "db" in question.replace("\u202e", "") else [])


@given(st.text(max_size=40))
def test_operators_of_other_engines_are_words(question: str) -> None:
    catalogue, postings = index_of({"a.md": {"body": "db"}})
    plain = rank(catalogue, postings, f"db {question}", NOW)
    assert names(plain) == ["a.md"]


def test_words_are_alternatives(repo: Repo) -> None:
    repo.write("context/db.md", memory_text("Why db", "The db keeps rows."))
    answer = recall(repo.project, "snapshot AND rows NOT keeps", NOW, model="off")
    assert len(answer.found) == 2


# --- times -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-02", datetime(2026, 1, 2, tzinfo=UTC)),
        ("2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T03:04:05+02:00", datetime(2026, 1, 2, 1, 4, 5, tzinfo=UTC)),
        ("2026-02-30", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_times_are_aware_or_nothing(text: str, expected: datetime | None) -> None:
    assert parse_time(text) == expected


def test_a_time_at_the_ends_of_the_calendar_is_ranked() -> None:
    for moment in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
        catalogue, postings = index_of({"a.md": {"body": "db", "created_at": moment}})
        assert rank(catalogue, postings, "db", NOW)


# --- what is searched --------------------------------------------------------------------------


def test_title_prose_and_keys_are_searched_and_the_address_is_not() -> None:
    text = memory_text("The title", "The prose.", tags=["label"], source="the wiki")
    file = parse_memory("context/sync-state.md", text.encode())
    counts = term_counts(file, file.entries[0])
    assert set(counts) == set(FIELDS)
    assert counts["title"] == {"titl": 1}
    assert counts["body"] == {"prose": 1}
    assert {"sync", "state", "label", "wiki", "decis"} <= set(counts["keys"])
