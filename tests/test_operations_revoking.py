"""Revoking: which memories are meant, what is written, and that it holds against old branches."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import Repo, Team, claimed, copy_team, judged, make_id, make_project, make_team
from builders import memory_text as text
from ktw.errors import KtwError, UsageError
from ktw.evidence import Evidence
from ktw.ledger import REF, ledger_files
from ktw.memory import parse_memory
from ktw.operations.choosing import Chosen, Selection, choose
from ktw.operations.reading import recall
from ktw.operations.revoking import revoke
from ktw.revoked import parse_revoked
from ktw.trust import Approval

NOW = datetime(2026, 2, 1, tzinfo=UTC)
EVE = {"GIT_AUTHOR_NAME": "Eve", "GIT_AUTHOR_EMAIL": "eve@example.invalid"}


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


@pytest.fixture
def store(tmp_path: Path) -> Repo:
    """Four memories: two of one source, one of them with a claim that the ledger backs."""
    files = {
        "bad.md": text("Bad", source="https://example.invalid/issues/12"),
        "worse.md": claimed(text("Worse", source="https://example.invalid/issues/12")),
        "late.md": text("Late", origin="imported", created_at="2026-05-01T00:00:00Z"),
        "good.md": claimed(text("Good", origin="owner", created_at="2025-01-01")),
    }
    repo = make_project(tmp_path / "store", files)
    repo.write(".gitattributes", "/context/revoked merge=union\n")
    repo.commit("attributes")
    repo.policy("local")
    enter(repo, "worse.md", "good.md")
    return repo


def enter(repo: Repo, *names: str) -> None:
    from ktw.git.refs import write_files

    files = [
        parse_memory(f"context/{name}", (repo.root / "context" / name).read_bytes())
        for name in names
    ]
    with Evidence(repo.project) as evidence:
        subjects = [evidence.subject(file) for file in files]
    entries = ledger_files(subjects, Approval("Ada", "2026-01-03T00:00:00Z"))
    write_files(repo.project.repository, REF, entries, "approve")


def names(chosen: Chosen) -> list[str]:
    return [each.file.slug for each in chosen.here]


def chosen(repo: Repo, **said: object) -> Chosen:
    return choose(repo.project, Selection(**said))  # type: ignore[arg-type]


def commit_as_eve(repo: Repo, monkeypatch: pytest.MonkeyPatch, message: str = "eve") -> str:
    with monkeypatch.context() as patch:
        for key, value in EVE.items():
            patch.setenv(key, value)
        return repo.commit(message)


# --- which -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"source": "issues/12"}, ["bad", "worse"]),
        ({"origin": "imported"}, ["late"]),
        ({"since": "2026-02-01"}, ["late"]),
        ({"source": "issues/12", "origin": "imported"}, []),
        ({"memories": ("good", make_id("Bad"))}, ["bad", "good"]),
        ({"memories": ("good", "bad"), "source": "issues"}, ["bad"]),
        ({"author": "ada@example.invalid", "origin": "owner"}, ["good"]),
        ({"author": "nobody"}, []),
        ({"author": "Ada"}, []),
    ],
)
def test_all_that_is_said_must_fit(
    store: Repo, said: dict[str, object], expected: list[str]
) -> None:
    assert names(chosen(store, **said)) == expected


def test_saying_nothing_is_no_selection(store: Repo) -> None:
    with pytest.raises(UsageError, match="nothing says"):
        chosen(store)


def test_what_is_not_there_is_told(store: Repo) -> None:
    with pytest.raises(KtwError, match="no memory is called"):
        chosen(store, memories=("good", "nothing-like-it"))
    with pytest.raises(UsageError, match="names no commit"):
        chosen(store, commit="--output=x")


def test_the_author_is_who_wrote_the_words_not_who_approved_them(
    store: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write("context/hers.md", text("Hers"))
    commit_as_eve(store, monkeypatch)
    store.write("context/hers.md", claimed(store.read("context/hers.md")))
    store.commit("approve")
    for author in ("Eve", "eve@example.invalid", "Eve <EVE@example.invalid>"):
        assert names(chosen(store, author=author)) == ["hers"]
    assert "hers" not in names(chosen(store, author="Ada Lovelace"))


def test_who_edited_it_last_wrote_the_present_words(
    store: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write("context/bad.md", text("Bad", "Other words."))
    commit_as_eve(store, monkeypatch)
    assert names(chosen(store, author="Eve")) == ["bad"]
    store.write("context/bad.md", text("Bad", "Words of Ada's."))
    store.commit("ada")
    assert names(chosen(store, author="Eve")) == []


def test_a_name_that_looks_like_a_line_of_the_log_is_a_name(
    store: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write("context/hers.md", text("Hers"))
    monkeypatch.setitem(EVE, "GIT_AUTHOR_NAME", "Ada :100644 100644 0 0 A")
    commit_as_eve(store, monkeypatch, ":100644 100644 0000000 1111111 A")
    assert "hers" not in names(chosen(store, author="Ada Lovelace"))


def test_a_commit_and_a_merge_are_taken_at_their_word(store: Repo) -> None:
    store.git("checkout", "-q", "-b", "side")
    store.write("context/side.md", text("Side"))
    side = store.commit("side")
    store.git("checkout", "-q", "main")
    store.write("context/other.md", text("Other"))
    store.commit("other")
    store.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    assert names(chosen(store, commit=side[:10])) == ["side"]
    assert "side" in names(chosen(store, commit="HEAD"))
    assert names(chosen(store, commit="main~1")) == ["other"]


def test_words_in_force_in_git_alone_are_chosen(team: Team) -> None:
    (team.work.root / "context" / "snapshot.md").unlink()
    for said in ({"memories": ("snapshot",)}, {"author": "Ada Lovelace"}, {"origin": "agent"}):
        found = chosen(team.work, **said)
        assert [file.slug for file in found.in_git] == ["snapshot"]
    revoke(team.work.project, chosen(team.work, memories=("snapshot",)), NOW, "wrong")
    assert recall(team.work.project, "snapshot", NOW, model="off").found[0].reading.file.slug == (
        "draft"
    )


def test_naming_a_memory_means_its_edit_and_what_is_in_force(team: Team) -> None:
    path = "context/snapshot.md"
    team.work.write(path, team.work.read(path).replace("waits", "waited"))
    found = chosen(team.work, memories=("snapshot",))
    assert (names(found), [file.slug for file in found.in_git]) == (["snapshot"], ["snapshot"])


def test_a_source_that_an_edit_names_does_not_reach_the_words_in_force(team: Team) -> None:
    path = "context/snapshot.md"
    team.work.write(path, text(source="https://example.invalid/evil"))
    found = chosen(team.work, source="evil")
    assert (names(found), found.in_git) == (["snapshot"], [])


# --- what it does ------------------------------------------------------------------------------


def test_claims_ledger_and_list_change_in_one_commit(store: Repo) -> None:
    before = store.git("rev-parse", "HEAD")
    store.write("staged.txt", "x")
    store.git("add", "staged.txt")
    done = revoke(store.project, chosen(store, source="issues/12"), NOW, "the issue was forged")
    assert [(path, verdict.name) for path, verdict in done.verdicts] == [
        ("context/bad.md", "revoked"),
        ("context/worse.md", "revoked"),
    ]
    assert store.git("rev-parse", "HEAD~1") == before
    assert store.git("show", "--name-only", "--format=", "HEAD").split() == [
        "context/revoked",
        "context/worse.md",
    ]
    assert store.git("status", "--porcelain") == "A  staged.txt"
    assert "trusted" not in store.read("context/worse.md")
    lines = store.read("context/revoked").splitlines()
    assert [line[71:] for line in lines] == [" 2026-02-01 the issue was forged"] * 2
    assert lines == sorted(lines)
    message = store.git("log", "-1", "--format=%B")
    assert message.startswith(
        "Revoke 2 memories\n\nthe issue was forged\n\nMemory-Revoked: sha256:"
    )
    assert judged(store.root, "good.md").approved


def test_words_brought_back_with_their_claim_stay_revoked(store: Repo) -> None:
    approved = store.read("context/worse.md")
    revoke(store.project, chosen(store, memories=("worse",)), NOW, "forged")
    store.write("context/worse.md", approved)
    assert judged(store.root, "worse.md").name == "revoked"
    store.write("context/again.md", approved)
    assert judged(store.root, "again.md").name == "revoked"


def test_what_is_revoked_is_not_chosen_again(store: Repo) -> None:
    revoke(store.project, chosen(store, source="issues/12"), NOW, "forged")
    assert not chosen(store, source="issues/12")


def test_a_reason_that_is_no_line_changes_nothing(store: Repo) -> None:
    found = chosen(store, source="issues/12")
    for reason in ("", "two\nlines", "x" * 201, "hidden\u200b"):
        with pytest.raises(UsageError):
            revoke(store.project, found, NOW, reason)
    assert store.git("status", "--porcelain") == ""


@pytest.mark.skipif(os.name == "nt", reason="a hook is a shell script")
def test_all_or_nothing_where_git_refuses(store: Repo) -> None:
    hook = store.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    ledger = store.git("rev-parse", f"{REF}^{{tree}}")
    with pytest.raises(KtwError):
        revoke(store.project, chosen(store, source="issues/12"), NOW, "forged")
    assert store.git("status", "--porcelain") == ""
    assert store.git("rev-parse", f"{REF}^{{tree}}") == ledger
    assert judged(store.root, "worse.md").approved


def test_not_under_a_merge(store: Repo) -> None:
    store.write(".git/MERGE_HEAD", store.git("rev-parse", "HEAD"))
    with pytest.raises(KtwError, match="merge"):
        revoke(store.project, chosen(store, source="issues/12"), NOW, "forged")


@pytest.mark.parametrize("how", ["old branch into new", "new branch into old", "rebase"])
def test_revoked_words_stay_revoked_when_an_old_branch_is_merged(store: Repo, how: str) -> None:
    store.git("checkout", "-q", "-b", "old")
    store.write("context/other.md", text("Other"))
    store.write("context/worse.md", store.read("context/worse.md").replace("Worse", "Worse yet"))
    store.commit("work of the old branch")
    store.git("checkout", "-q", "main")
    approved = store.read("context/worse.md")
    revoke(store.project, chosen(store, memories=("good",)), NOW, "first")
    store.git("checkout", "-q", "old")
    revoke(store.project, chosen(store, memories=("bad",)), NOW, "second")
    store.git("checkout", "-q", "main")
    revoke(store.project, chosen(store, memories=("worse",)), NOW, "third")
    if how == "old branch into new":
        store.git("merge", "-q", "-X", "theirs", "-m", "merge", "old")
    elif how == "new branch into old":
        store.git("checkout", "-q", "old")
        store.git("merge", "-q", "-X", "ours", "-m", "merge", "main")
    else:
        store.git("checkout", "-q", "old")
        store.git("rebase", "-q", "-X", "theirs", "main")
    assert len(parse_revoked((store.root / "context/revoked").read_bytes())) == 3
    store.write("context/worse.md", approved)
    assert judged(store.root, "worse.md").name == "revoked"
    for name in ("good.md", "bad.md"):
        assert judged(store.root, name).name == "revoked"


def test_merged_says_what_is_still_to_do(team: Team) -> None:
    done = revoke(team.work.project, chosen(team.work, memories=("snapshot",)), NOW, "wrong")
    assert done.notes == ("it holds for everyone once it is merged to the trust ref",)


@pytest.mark.parametrize("versions", [2, 30])
def test_the_author_costs_one_log(
    store: Repo, monkeypatch: pytest.MonkeyPatch, versions: int
) -> None:
    for at in range(versions):
        store.write(f"context/more-{at}.md", text(f"More {at}"))
        store.commit("more")
    started: list[object] = []
    real = subprocess.Popen

    class Counted(real):  # type: ignore[type-arg, misc]
        def __init__(self, *arguments: object, **options: object) -> None:
            started.append(arguments)
            super().__init__(*arguments, **options)  # type: ignore[arg-type]

    project = store.project
    monkeypatch.setattr(subprocess, "Popen", Counted)
    choose(project, Selection(author="Ada Lovelace", commit="HEAD"))
    assert len(started) == 4  # config, cat-file, log, rev-parse
