"""What a memory is, beside what it says: each prior, what fades, and that no pile drowns a rule."""

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import Repo, Team, claimed, make_id, memory_text
from ktw.catalogue import About, Catalogue, FileRecord, Row
from ktw.catalogue_draft import Draft
from ktw.memory import MemoryFile, parse_memory
from ktw.operations.reading import Answer, recall
from ktw.operations.reinforcing import pin, reinforce
from ktw.operations.stale import faded
from ktw.postings import MemoryPostings
from ktw.priors import (
    AGENT,
    KIND_PRIOR,
    LIFETIME,
    NOBODY,
    PERSON,
    PIN_PRIOR,
    STRENGTH_GAIN,
    STRENGTH_HALF_LIFE,
    Earned,
    Priors,
    factors,
    has_faded,
    strength,
)
from ktw.scan import FileStat
from ktw.search import Hit, Meaning, ranked
from ktw.terms import term_counts

NOW = datetime(2026, 6, 1, tzinfo=UTC)
ID = make_id("Snapshot before buffer")
DAY = timedelta(days=1)
FACTORS = ("kind", "status", "strength", "recency", "pinned")  # all other rows are added


def index_of(files: dict[str, tuple[MemoryFile, str]]) -> tuple[Catalogue, MemoryPostings]:
    """A catalogue and postings of parsed files with their kinds; equal texts are counted once."""
    draft, postings = Draft("b"), MemoryPostings()
    known: dict[int, dict[str, dict[str, int]]] = {}
    for number, (name, (file, kind)) in enumerate(files.items()):
        entry = file.memories[0]
        if id(file) not in known:
            counts = term_counts(file, entry)
            known[id(file)] = {field: dict(terms) for field, terms in counts.items()}
        counts_of = known[id(file)]
        postings.add(number, counts_of)
        lengths = [sum(terms.values()) for terms in counts_of.values()]
        told = (entry.id or "", kind, entry.status or "", file.created_at or "")
        row = Row(number, entry.anchor, 1, *told, *lengths)
        draft.put(FileRecord(FileStat(name, 0, 0, 0, 0), name, False, (row,), ()))
    return draft.done(1), postings


# --- the drowning test -------------------------------------------------------------------------

RULE = memory_text(
    "Deploy only from the release branch",
    "A deploy runs from the release branch alone.\nNever from a laptop.\n\n"
    "**Reason:** the gate runs there.",
    kind="rule",
)
NOTES = (
    "We deploy from the release branch. Deploy, deploy, release branch, deploy from the branch.",
    "Deploy only from the release branch: deploy only from the release branch, deploy deploy.",
    "Session: branch release deploy. Where do we deploy from? From the release branch only, only.",
    "deploy release branch " * 60,
)
QUESTIONS = (
    "where do we deploy from",
    "deploy only from the release branch",
    "deploy release branch",
    "branch",
)


@pytest.fixture(scope="module")
def drowned() -> tuple[Catalogue, MemoryPostings]:
    rule = parse_memory("context/rule.md", RULE.encode())
    text = memory_text("Deploy from the release branch", "{}", created_at="2026-05-31")
    notes = [parse_memory("context/n.md", text.replace("{}", words).encode()) for words in NOTES]
    piled = {f"note-{at:05}.md": (notes[at % len(notes)], "note") for at in range(8000)}
    return index_of({**piled, "rule.md": (rule, "rule")})


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("hybrid", [False, True])
def test_no_pile_of_notes_drowns_a_rule(
    drowned: tuple[Catalogue, MemoryPostings], question: str, hybrid: bool
) -> None:
    catalogue, postings = drowned
    alike = dict.fromkeys(catalogue.row_at, 0.9)
    meaning = Meaning(alike, lambda _, numbers: dict.fromkeys(numbers, (1.0, 1.0)))
    priors = Priors(catalogue, NOBODY, NOW)
    hits = ranked(catalogue, postings, question, priors, meaning if hybrid else None, 5).hits
    assert hits[0].place.name == "rule.md" and len(hits) == 5
    assert all(dict(hit.parts)["kind"] == KIND_PRIOR["note"] for hit in hits[1:])


# --- each prior --------------------------------------------------------------------------------


def test_strength_grows_with_uses_never_past_its_gain_and_decays() -> None:
    one = Earned((NOW,))
    assert strength(Earned(), NOW) == 1.0
    assert strength(one, NOW) == 1 + STRENGTH_GAIN / 2
    half = strength(one, NOW + STRENGTH_HALF_LIFE)
    assert half == pytest.approx(1 + STRENGTH_GAIN * 0.5 / 1.5)
    assert 1.24 < strength(Earned((NOW,) * 1000), NOW) < 1 + STRENGTH_GAIN
    assert strength(one, NOW + 100 * STRENGTH_HALF_LIFE) == pytest.approx(1.0)


def test_of_a_pinned_memory_strength_does_not_decay() -> None:
    pinned = Earned((NOW,), None, AGENT)
    assert strength(pinned, NOW + 10 * STRENGTH_HALF_LIFE) == strength(pinned, NOW)


def test_a_use_of_the_future_counts_for_nothing() -> None:
    assert strength(Earned((NOW + 3 * DAY,)), NOW) == 1.0
    assert strength(Earned((NOW + timedelta(hours=1),)), NOW) > 1.0


@given(
    st.lists(st.datetimes(), max_size=5),
    st.none() | st.datetimes(),
    st.sampled_from(("", PERSON, AGENT)),
    st.sampled_from(("", "note", "skill", "rule")),
    st.sampled_from(("", "2026-05-01", "2031-01-01", "never")),
)
def test_nothing_earned_makes_a_memory_worth_less(
    uses: list[datetime], touched: datetime | None, pinned: str, kind: str, created_at: str
) -> None:
    moments = tuple(use.replace(tzinfo=UTC) for use in uses)
    seen = touched.replace(tzinfo=UTC) if touched else None
    about = About(kind, "", created_at)
    plain = math.prod(factors(about, Earned(), NOW).values())
    assert math.prod(factors(about, Earned(moments, seen, pinned), NOW).values()) >= plain


def test_an_agents_pin_raises_no_rank() -> None:
    about = About("rule", "", "")
    assert factors(about, Earned(pinned=AGENT), NOW)["pinned"] == 1.0
    assert factors(about, Earned(pinned=PERSON), NOW)["pinned"] == PIN_PRIOR


def test_memories_are_found_by_id_slug_and_anchor() -> None:
    with_id = parse_memory("context/a.md", memory_text("A").encode())
    plain = parse_memory("context/b.md", b"# B\n\n## One way\n\nText.\n")
    files = {"a.md": (with_id, "rule"), "b.md": (plain, "rule"), "c.md": (with_id, "rule")}
    catalogue, _ = index_of(files)

    def strong(name: str) -> list[int]:
        priors = Priors(catalogue, {name: Earned((NOW,))}, NOW)
        return [at for at in range(3) if priors.factors(at)["strength"] > 1]

    assert strong(make_id("A")) == [0, 2]  # whose Id it is cannot be told: nobody loses by a twin
    assert strong("a") == [0]
    assert strong("b#one-way") == strong("b") == [1]
    assert strong("b#other") == strong("d") == []


def test_a_slug_alone_names_no_memory_among_several_of_a_file() -> None:
    file = parse_memory("context/b.md", b"# B\n\n## One\n\nx\n\n## Two\n\ny\n")
    draft = Draft("b")
    rows = tuple(
        Row(at, entry.anchor, 1, "", "", "", "", 1, 1, 1) for at, entry in enumerate(file.memories)
    )
    draft.put(FileRecord(FileStat("b.md", 0, 0, 0, 0), "b", False, rows, ()))
    priors = Priors(draft.done(1), {"b": Earned((NOW,)), "b#two": Earned((NOW,))}, NOW)
    assert [priors.look(at)[0] > 1 for at in (0, 1)] == [False, True]


@given(
    st.sampled_from(("", "note", "skill", "rule")),
    st.sampled_from(("", "active", "superseded")),
    st.sampled_from(("", "2020-01-01", "2026-05-01T00:00:00Z", "2031-01-01", "never")),
)
def test_the_product_is_that_of_the_factors(kind: str, status: str, created_at: str) -> None:
    about = About(kind, status, created_at)
    draft, row = Draft("b"), Row(0, "", 1, "", *about, 1, 1, 1)
    draft.put(FileRecord(FileStat("b.md", 0, 0, 0, 0), "b", False, (row,), ()))
    priors = Priors(draft.done(1), NOBODY, NOW)
    product = math.prod(priors.factors(0).values())
    assert priors.look(0) == (product, kind == "note" and has_faded(about, Earned(), NOW))


# --- a score adds up ---------------------------------------------------------------------------


def product(hit_parts: tuple[tuple[str, float], ...]) -> float:
    parts = dict(hit_parts)
    total = sum(value for name, value in parts.items() if name not in FACTORS)
    return total * math.prod(parts.get(name, 1.0) for name in FACTORS)


def test_explain_adds_up_with_all_that_was_earned(repo: Repo) -> None:
    repo.policy("local")
    repo.write("context/old.md", memory_text("Old").replace("** active", "** superseded"))
    repo.write("context/new.md", memory_text("New snapshot", created_at="2026-05-31"))
    reinforce(repo.project, ID, "test-passed", None, NOW - 30 * DAY)
    pin(repo.project, "new", True, None, NOW)
    answer = recall(repo.project, "snapshot", NOW, model="off")
    rows = {found.reading.file.slug: dict(found.parts) for found in answer.found}
    assert rows["snapshot"]["strength"] > 1 and rows["new"]["pinned"] == PIN_PRIOR
    assert rows["old"]["status"] == 0.5
    for found in answer.found:
        assert found.score == pytest.approx(product(found.parts), abs=1e-8)


# --- fading ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["note", "skill"])
def test_what_lies_unused_fades_unless_something_speaks_for_it(kind: str) -> None:
    made = NOW - LIFETIME[kind] - DAY
    about = About(kind, "", made.isoformat())
    assert has_faded(about, Earned(), NOW)
    assert not has_faded(about, Earned(), NOW - 2 * DAY)
    assert not has_faded(about, Earned(pinned=AGENT), NOW)
    assert not has_faded(about, Earned((made + 2 * DAY,)), NOW)
    assert not has_faded(about, Earned(touched=made + 2 * DAY), NOW)
    assert not has_faded(about._replace(created_at=""), Earned(), NOW)


@pytest.mark.parametrize("kind", ["decision", "constraint", "rule", "incident", "workaround", ""])
def test_the_reason_of_a_decision_does_not_age(kind: str) -> None:
    assert not has_faded(About(kind, "", "1990-01-01"), Earned(), NOW)


def ask(repo: Repo) -> Answer:
    return recall(repo.project, "snapshot", NOW, model="off")


def slugs(answer: Answer) -> set[str]:
    return {found.reading.file.slug for found in answer.found}


def test_a_faded_skill_leaves_recall_and_an_approved_one_does_not(team: Team) -> None:
    for name in ("Skill", "Ours"):
        text = memory_text(name, kind="skill", created_at="2025-01-01")
        team.work.write(f"context/{name.lower()}.md", claimed(text) if name == "Ours" else text)
    team.work.commit("skills")
    team.push()
    answer = ask(team.work)
    assert answer.faded == 1 and slugs(answer) == {"snapshot", "draft", "ours"}
    assert [one.file.slug for one in faded(team.work.project, NOW).readings] == ["skill"]
    assert team.work.git("status", "--porcelain") == ""
    pin(team.work.project, "skill", True, "codex", NOW)
    assert ask(team.work).faded == 0 and "skill" in slugs(ask(team.work))


# --- what it costs -----------------------------------------------------------------------------


def test_a_cold_recall_starts_three_git_processes_at_most(
    team: Team, counted: Callable[[Callable[[], object]], int]
) -> None:
    reinforce(team.work.project, ID, "test-passed", None, NOW)
    for at in range(3):  # each time with something new on the trust ref and in the notes
        team.work.write("code.txt", str(at))
        team.work.commit(f"Use {at}\n\nMemory-Used: {ID}")
        team.push()
        reinforce(team.work.project, ID, "test-passed", None, NOW + at * DAY)
        assert counted(lambda: ask(team.work)) <= 3
        (found,) = (f for f in ask(team.work).found if f.reading.address == ID)
        assert dict(found.parts)["strength"] > 1


def test_merged_uses_and_reverts_move_the_rank(team: Team) -> None:
    def strong() -> float:
        parts = (f.parts for f in ask(team.work).found if f.reading.address == ID)
        return dict(next(parts)).get("strength", 1.0)

    team.work.write("code.txt", "x")
    team.work.commit(f"Use\n\nMemory-Used: {ID}")
    assert strong() == 1.0  # not on the trust ref yet
    team.push()
    raised = strong()
    assert raised > 1.0
    team.work.git("revert", "--no-edit", "HEAD")
    team.push()
    assert strong() == 1.0
    team.work.policy("local")
    team.work.git("revert", "--no-edit", "HEAD")
    assert strong() == 1.0  # without a trust ref nobody reviewed it


def test_hits_carry_no_row_that_says_nothing() -> None:
    file = parse_memory("context/a.md", memory_text("A").encode())
    catalogue, postings = index_of({"a.md": (file, "decision")})
    hits: list[Hit] = ranked(catalogue, postings, "snapshot", Priors(catalogue, NOBODY, NOW)).hits
    assert [set(dict(hit.parts)) & set(FACTORS) for hit in hits] == [{"recency"}]
