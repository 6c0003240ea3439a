"""Silencing: approved words that the work tree edits, drops or doubles stay in force."""

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import (
    Repo,
    Team,
    claimed,
    copy_team,
    make_clone,
    make_id,
    make_project,
    make_team,
    memory_text,
)
from ktw.errors import Refused
from ktw.evidence import Evidence
from ktw.ledger import REF, ledger_files
from ktw.memory import parse_memory
from ktw.operations import in_force, state
from ktw.operations.candidate import candidate
from ktw.operations.finding import NotFound
from ktw.operations.reading import Answer, list_memories, recall, show_memory
from ktw.operations.withdrawing import withdraw
from ktw.operations.writing import Draft, remember
from ktw.revoked import with_revoked
from ktw.trust import Approval

NOW = datetime(2026, 2, 1, tzinfo=UTC)
TITLE = "Snapshot before buffer"
WORDS = "waits for a full snapshot"
SNAPSHOT = "context/snapshot.md"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("team") / "template"
    root.mkdir()
    return root


@pytest.fixture
def team(template: Path, tmp_path: Path) -> Team:
    if not any(template.iterdir()):
        make_team(template)
    return copy_team(template, tmp_path / "team")


def enter(repo: Repo, *paths: str) -> None:
    """Put the words of these files into this clone's ledger."""
    from ktw.git.refs import write_files

    project = repo.project
    files = [parse_memory(path, (repo.root / path).read_bytes()) for path in paths]
    with Evidence(project) as evidence:
        subjects = [evidence.subject(file) for file in files]
    entries = ledger_files(subjects, Approval("Ada", "2026-01-03T00:00:00Z"))
    write_files(project.repository, REF, entries, "approve")


@pytest.fixture
def alone(tmp_path: Path) -> Repo:
    """A project without a remote: `snapshot.md` is in the ledger and in HEAD."""
    repo = make_project(tmp_path / "alone", {"snapshot.md": claimed(memory_text())})
    repo.policy("local")
    enter(repo, SNAPSHOT)
    return repo


def ask(repo: Repo, question: str = "snapshot buffer") -> Answer:
    return recall(repo.project, question, NOW, model="off")


def rules(answer: Answer) -> list[tuple[str, str]]:
    """What an answer shows as a rule: its words, and the reasons that are told."""
    shown = [found for found in answer.found if found.reading.verdict.approved]
    return [(found.shown.text, "; ".join(found.reading.verdict.reasons)) for found in shown]


def the_rule(repo: Repo, state: str, at: str = "merged: on origin/main") -> Answer:
    """Recall shows the approved words exactly once, bare, and says where they come from."""
    answer = ask(repo)
    ((text, reason),) = rules(answer)
    assert WORDS in text
    assert "UNTRUSTED" not in text
    assert reason == f"{at}; {state}"
    assert text.partition("\n")[0].startswith("### Approved memory") and state in text
    return answer


# --- what is done to a file --------------------------------------------------------------------


def edit(repo: Repo) -> None:
    repo.write(SNAPSHOT, repo.read(SNAPSHOT).replace("waits for a full", "waited for a"))


def cut_last_words(repo: Repo) -> None:
    repo.write(SNAPSHOT, repo.read(SNAPSHOT).replace("half of one loses rows.", ""))


def unapprove(repo: Repo) -> None:
    lines = repo.read(SNAPSHOT).splitlines(keepends=True)
    repo.write(SNAPSHOT, "".join(line for line in lines if not line.startswith("trusted_")))


def delete(repo: Repo) -> None:
    (repo.root / SNAPSHOT).unlink()


def empty(repo: Repo) -> None:
    repo.write(SNAPSHOT, "")


def garble(repo: Repo) -> None:
    repo.write(SNAPSHOT, "---\norigin: [\n---\n# x\n")


def not_text(repo: Repo) -> None:
    repo.write(SNAPSHOT, b"\xff\xfe\x00")


def link_out(repo: Repo) -> None:
    delete(repo)
    (repo.root / SNAPSHOT).symlink_to("../../elsewhere.md")


def link_within(repo: Repo) -> None:
    delete(repo)
    (repo.root / SNAPSHOT).symlink_to("draft.md")


def make_directory(repo: Repo) -> None:
    delete(repo)
    (repo.root / SNAPSHOT).mkdir()


def other_id(repo: Repo) -> None:
    repo.write(SNAPSHOT, repo.read(SNAPSHOT).replace(make_id(TITLE), make_id("other")))


def rename(repo: Repo) -> None:
    (repo.root / SNAPSHOT).rename(repo.root / "context" / "aside.md")


def rename_and_edit(repo: Repo) -> None:
    edit(repo)
    rename(repo)


def rename_and_other_id(repo: Repo) -> None:
    other_id(repo)
    rename(repo)


def plant_twin(repo: Repo) -> None:
    text = memory_text("Planted", "No snapshot is needed for the buffer.", id_=make_id(TITLE))
    repo.write("context/planted.md", text)


def move_context(repo: Repo) -> None:
    config = repo.read(".keep-the-why").replace("- context: context", "- context: notes")
    repo.write("notes/planted.md", memory_text("Planted", "No snapshot for the buffer."))
    repo.write(".keep-the-why", config)


SILENCERS: list[tuple[Callable[[Repo], None], str]] = [
    (edit, in_force.EDITED),
    (cut_last_words, in_force.EDITED),
    (unapprove, in_force.UNAPPROVED),
    (delete, in_force.GONE),
    (empty, in_force.UNREADABLE),
    (garble, in_force.UNREADABLE),
    (not_text, in_force.UNREADABLE),
    (link_out, in_force.GONE),
    (link_within, in_force.EDITED),
    (make_directory, in_force.UNREADABLE),
    (other_id, in_force.EDITED),
    (rename, in_force.RENAMED),
    (rename_and_edit, in_force.RENAMED),
    (rename_and_other_id, in_force.GONE),
    (plant_twin, in_force.TWICE),
    (move_context, in_force.MOVED),
]


@pytest.mark.parametrize(("act", "told"), SILENCERS, ids=[act.__name__ for act, _ in SILENCERS])
def test_the_trust_refs_words_stay_in_force(
    team: Team, act: Callable[[Repo], None], told: str
) -> None:
    act(team.work)
    the_rule(team.work, told)
    if act is not move_context:
        team.work.commit("silence")
        the_rule(team.work, told)


@pytest.mark.parametrize(("act", "told"), SILENCERS, ids=[act.__name__ for act, _ in SILENCERS])
def test_under_local_alone_heads_words_stay_in_force(
    alone: Repo, act: Callable[[Repo], None], told: str
) -> None:
    alone.write("context/draft.md", memory_text("Draft"))
    act(alone)
    the_rule(alone, told, "local: in this clone's ledger")


def test_where_nothing_differs_nothing_is_added(team: Team) -> None:
    ((text, reason),) = rules(ask(team.work))
    assert WORDS in text
    assert reason == "merged: on origin/main"


def test_line_ends_of_a_checkout_are_no_difference(team: Team) -> None:
    team.work.write(SNAPSHOT, team.work.read(SNAPSHOT).replace("\n", "\r\n"))
    ((_, reason),) = rules(ask(team.work))
    assert reason == "merged: on origin/main"


def test_a_file_kept_with_crlf_is_no_difference(team: Team) -> None:
    text = claimed(memory_text("Carriage")).replace("\n", "\r\n")
    team.work.write("context/carriage.md", text)
    team.work.commit("crlf")
    team.push()
    ((_, reason),) = rules(ask(team.work, "carriage"))
    assert reason == "merged: on origin/main"


# --- what ends it ------------------------------------------------------------------------------


def test_words_approved_anew_take_their_place(team: Team) -> None:
    edit(team.work)
    text = claimed(team.work.read(SNAPSHOT))
    team.work.write(SNAPSHOT, text)
    enter(team.work, SNAPSHOT)
    ((shown, reason),) = rules(ask(team.work))
    assert "waited for a snapshot" in shown
    assert reason == "local: in this clone's ledger"


def test_an_edit_after_a_new_approval_does_not_raise_the_older_one(team: Team) -> None:
    team.work.write(
        SNAPSHOT, claimed(team.work.read(SNAPSHOT).replace("a full snapshot", "two snapshots"))
    )
    enter(team.work, SNAPSHOT)
    team.work.commit("approved anew")
    team.work.write(SNAPSHOT, team.work.read(SNAPSHOT).replace("waits", "never waits"))
    ((shown, reason),) = rules(ask(team.work))
    assert "waits for two snapshots" in shown
    assert reason == f"local: in this clone's ledger; {in_force.EDITED}"


def test_an_approved_rename_takes_its_place(team: Team) -> None:
    rename(team.work)
    enter(team.work, "context/aside.md")
    ((_, reason),) = rules(ask(team.work))
    assert reason == "local: in this clone's ledger"


@pytest.mark.parametrize("where", ["here", "at the trust ref"])
def test_a_revocation_ends_it(team: Team, where: str) -> None:
    hash_ = parse_memory(SNAPSHOT, (team.work.root / SNAPSHOT).read_bytes()).computed_hash
    line = with_revoked(b"", [hash_], "2026-01-04", "wrong")
    if where != "here":
        team.work.git("checkout", "-q", "-b", "other")
    team.work.write("context/revoked", line)
    if where != "here":
        team.work.commit("revoke")
        team.push()
        team.work.git("checkout", "-q", "main")
    edit(team.work)
    assert rules(ask(team.work)) == []


def test_a_revocation_holds_where_the_context_moved(team: Team) -> None:
    hash_ = parse_memory(SNAPSHOT, (team.work.root / SNAPSHOT).read_bytes()).computed_hash
    team.work.write("context/revoked", with_revoked(b"", [hash_], "2026-01-04", "wrong"))
    team.work.commit("revoke")
    team.push()
    move_context(team.work)
    assert rules(ask(team.work)) == []


def test_removing_it_on_the_trust_ref_ends_it(team: Team) -> None:
    team.work.git("checkout", "-q", "-b", "other")
    delete(team.work)
    team.work.commit("remove")
    team.push()
    team.work.git("checkout", "-q", "main")
    edit(team.work)
    assert rules(ask(team.work)) == []


def test_case_23_a_deletion_on_the_branch_switched_to_ends_it_under_local(alone: Repo) -> None:
    alone.git("checkout", "-q", "-b", "without")
    delete(alone)
    alone.commit("remove")
    assert ask(alone).found == []
    alone.git("checkout", "-q", "main")
    assert len(rules(ask(alone))) == 1


def test_case_23_words_unapproved_on_the_branch_switched_to_are_framed(alone: Repo) -> None:
    alone.git("checkout", "-q", "-b", "edited")
    edit(alone)
    alone.commit("edit")
    (found,) = ask(alone).found
    assert found.reading.verdict.name == "lapsed"
    assert "UNTRUSTED" in found.shown.text


def test_a_clone_without_a_policy_holds_nothing_in_force(team: Team, tmp_path: Path) -> None:
    clone = make_clone(team.hub, tmp_path / "stranger")
    edit(clone)
    assert rules(ask(clone)) == []


def test_a_claim_at_head_that_nobody_recorded_is_not_in_force(alone: Repo) -> None:
    alone.write("context/forged.md", claimed(memory_text("Forged", "Elephants may pass.")))
    alone.commit("forge")
    (alone.root / "context" / "forged.md").unlink()
    assert ask(alone, "elephants").found == []


def test_a_claim_on_the_trust_ref_that_does_not_fit_its_words_is_not_in_force(team: Team) -> None:
    text = claimed(memory_text("Forged", "Elephants may pass.")).replace("may pass", "must pass")
    team.work.write("context/forged.md", text)
    team.work.write("context/plain.md", memory_text("Plain", "Elephants are grey."))
    team.work.commit("forge")
    team.push()
    (team.work.root / "context" / "forged.md").unlink()
    (team.work.root / "context" / "plain.md").unlink()
    assert ask(team.work, "elephants").found == []


def test_an_id_twice_on_the_trust_ref_stands_for_neither(team: Team) -> None:
    team.work.git("checkout", "-q", "-b", "other")
    plant_twin(team.work)
    team.work.commit("twin")
    team.push()
    team.work.git("checkout", "-q", "main")
    edit(team.work)
    assert rules(ask(team.work)) == []


def test_a_memory_that_only_the_trust_ref_has_is_in_force(team: Team) -> None:
    team.work.git("checkout", "-q", "-b", "other")
    team.work.write("context/new.md", claimed(memory_text("Elephants first")))
    team.work.commit("new")
    team.push()
    team.work.git("checkout", "-q", "main")
    ((_, reason),) = rules(ask(team.work, "elephants"))
    assert reason == "merged: on origin/main; not in this work tree"


# --- how it is shown ---------------------------------------------------------------------------


def test_the_edit_stands_framed_behind_the_rule(team: Team) -> None:
    edit(team.work)
    first, second, _ = ask(team.work, "snapshot buffer waited").found
    assert first.reading.verdict.name == "approved"
    assert second.reading.verdict.name == "lapsed"
    assert second.reading.address == first.reading.address
    assert "waited for" in second.shown.text
    assert "UNTRUSTED" in second.shown.text


def test_an_edit_without_a_word_of_the_question_stands_there_too(team: Team) -> None:
    text = memory_text("Elephants", "Grey.", id_=make_id(TITLE))
    team.work.write(SNAPSHOT, text)
    first, second = ask(team.work, "buffer").found
    assert WORDS in first.shown.text
    assert "Grey." in second.shown.text
    assert second.score == 0.0


def test_files_with_a_stolen_id_do_not_crowd_out_the_rest(team: Team) -> None:
    for at in range(8):
        text = memory_text(f"Planted {at}", "Elephants.", id_=make_id(TITLE))
        team.work.write(f"context/planted-{at}.md", text)
    answer = ask(team.work)
    assert [found.reading.entry.title for found in answer.found] == [TITLE, "Draft"]


def test_counts_and_limits_stay_right(team: Team) -> None:
    edit(team.work)
    answer = recall(team.work.project, "buffer rows", NOW, limit=1, model="off")
    (found,) = answer.found
    assert found.reading.verdict.approved
    assert answer.omitted[0].verdict.name == "lapsed"
    assert answer.omitted[0].address == found.reading.address


def test_the_same_rank_with_and_without_the_file(team: Team) -> None:
    before = ask(team.work).found[0]
    delete(team.work)
    after = ask(team.work).found[0]
    assert after.reading.entry == before.reading.entry
    assert after.score == before.score


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="a directory nobody may write")
def test_the_answer_from_memory_is_the_same(team: Team) -> None:
    edit(team.work)
    with_index = [(one.reading, one.score) for one in ask(team.work).found]
    place = team.work.project.repository.git_dir / "ktw"
    place.chmod(0o500)
    try:
        answer = ask(team.work)
    finally:
        place.chmod(0o700)
    assert [(one.reading, one.score) for one in answer.found] == with_index


@pytest.mark.parametrize("damage", ["index", "cache", "all"])
def test_damaged_derived_files_change_nothing(team: Team, damage: str) -> None:
    edit(team.work)
    before = [(one.reading, one.score) for one in ask(team.work).found]
    place = team.work.project.repository.git_dir / "ktw"
    chosen = {"index": "index/*", "cache": "displaced.json", "all": "**/*"}[damage]
    for path in place.glob(chosen):
        if path.is_file():
            path.write_bytes(b"damaged")
    assert [(one.reading, one.score) for one in ask(team.work).found] == before


def test_what_was_kept_under_another_policy_counts_for_none(team: Team) -> None:
    """Where HEAD is the trust ref's commit, too, the words are the same and the proof is not."""
    ref = "refs/remotes/origin/main"
    for name in ("snapshot.md", "draft.md"):
        (team.work.root / "context" / name).unlink()
    for methods, found in ((("merged",), 1), (("local",), 0), (("merged",), 1)):
        team.work.policy(*methods, ref=ref)
        assert len(ask(team.work).found) == found


@pytest.mark.parametrize("path", ["context", "context/snapshot.md"])
def test_what_git_could_not_read_is_read_when_it_can(team: Team, path: str) -> None:
    delete(team.work)
    team.work.commit("Delete")
    before = [(one.reading, one.score) for one in ask(team.work).found]
    (team.work.root / ".git" / "ktw" / "displaced.json").unlink()
    oid = team.work.git("rev-parse", f"origin/main:{path}")
    lost = team.work.root / ".git" / "objects" / oid[:2] / oid[2:]
    lost.rename(lost.with_name("away"))
    assert len(ask(team.work).found) < len(before)
    lost.with_name("away").rename(lost)
    assert [(one.reading, one.score) for one in ask(team.work).found] == before


def test_meaning_finds_it_too(team: Team) -> None:
    pytest.importorskip("numpy")
    here = recall(team.work.project, "snapshot draft", NOW)
    delete(team.work)
    gone = recall(team.work.project, "snapshot draft", NOW)
    assert gone.mode == "hybrid"
    assert [(one.reading.entry.title, one.score) for one in gone.found] == [
        (one.reading.entry.title, one.score) for one in here.found
    ]


def test_show_shows_both(team: Team) -> None:
    edit(team.work)
    for reference in ("snapshot", SNAPSHOT, make_id(TITLE), make_id(TITLE)[:8]):
        both = show_memory(team.work.project, reference)
        assert [reading.verdict.name for reading, _ in both] == ["approved", "lapsed"]


def test_show_finds_what_was_deleted(team: Team) -> None:
    delete(team.work)
    ((reading, _),) = show_memory(team.work.project, "snapshot")
    assert reading.verdict.reasons[1] == "not in this work tree"
    with pytest.raises(NotFound):
        show_memory(team.work.project, "nothing-like-it")


def test_show_shows_a_twin_once(team: Team) -> None:
    plant_twin(team.work)
    verdicts = [one.verdict.name for one, _ in show_memory(team.work.project, "snapshot")]
    assert verdicts == ["approved"]


def test_list_names_what_is_in_force(team: Team) -> None:
    delete(team.work)
    listed = list_memories(team.work.project, verdict="approved").readings
    assert [one.entry.title for one in listed] == [TITLE]


def test_a_draft_much_like_it_is_refused(team: Team) -> None:
    delete(team.work)
    body = "The sync step waits for a full snapshot."
    with pytest.raises(Refused, match="much like this"):
        remember(team.work.project, Draft(TITLE, body), NOW)


def test_verify_and_status_tell_it(team: Team) -> None:
    edit(team.work)
    found = state.verify(team.work.project)
    ((path, id_, verdict),) = [(one.path, one.id, one.verdict) for one in found.in_force]
    assert (path, id_) == (SNAPSHOT, make_id(TITLE))
    assert verdict.reasons == ("merged: on origin/main", in_force.EDITED)
    assert sum(found.summary.values()) == 2
    told = state.status(team.work.project).in_force
    assert told == (f"1 in force from origin/main, {in_force.EDITED}",)


def test_the_heading_says_what_is_shown_and_what_awaits(team: Team) -> None:
    edit(team.work)
    (first, *_), _ = (
        text.text.splitlines() for _, text in show_memory(team.work.project, "snapshot")
    )
    by = "merged: on origin/main, by Ada Lovelace <ada@example.invalid>, 2026-01-02"
    assert first == f"### Approved memory — {by}; {in_force.EDITED}"
    assert "shown is the approved text" in in_force.EDITED and "needs a review" in in_force.EDITED


# --- what it costs -----------------------------------------------------------------------------


@pytest.mark.parametrize("files", [3, 60])
def test_the_number_of_git_processes_does_not_grow(
    team: Team, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    for at in range(files):
        team.work.write(f"context/more-{at}.md", claimed(memory_text(f"Snapshot {at}")))
    team.work.commit("more")
    team.push()
    for at in range(files):
        (team.work.root / f"context/more-{at}.md").unlink()
    recall(team.work.project, "snapshot", NOW, model="off")
    started: list[object] = []
    real = subprocess.Popen

    class Counted(real):  # type: ignore[type-arg, misc]
        def __init__(self, *arguments: object, **options: object) -> None:
            started.append(arguments)
            super().__init__(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(subprocess, "Popen", Counted)
    recall(team.work.project, "snapshot", NOW, model="off")
    assert len(started) <= 3


def test_withdrawing_under_merged_says_that_it_has_to_be_merged(team: Team) -> None:
    done = withdraw(team.work.project, candidate(team.work.project, "snapshot"))
    assert any("until this is merged" in note for note in done.notes)
    the_rule(team.work, in_force.UNAPPROVED)
    team.push()
    assert rules(ask(team.work)) == []
