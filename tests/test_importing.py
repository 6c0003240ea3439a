"""Importing: what is written of a store, that it is never approved, never twice, never a secret."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import Repo, claimed, judged, make_project
from foreign_stores import BROKEN, NOTES, ORDER, SECRET, make_store, make_vault
from hostile import CLOSINGS, MARK
from keep_the_why_lint.runner import lint_project
from ktw.cli import root
from ktw.errors import KtwError
from ktw.importers.foreign import Wanted
from ktw.memory import MemoryFile, parse_memory
from ktw.operations import importing
from ktw.operations.import_plan import Plan
from ktw.operations.importing import Wish, plan_import, write_plan
from ktw.operations.page import tidy_page
from ktw.text.directives import find_directives
from spoken import channels, controls, outside_frames
from test_schema import validator

NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
UPSTREAM = os.environ.get("KTW_UPSTREAM_LINT", "")
SKILLMEM = os.environ.get("KTW_SKILLMEM", "")
GUARDS = {"README.md", "AGENTS.md", "CLAUDE.md", "index.md"}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = make_project(tmp_path / "repo")
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("KTW_MODEL", "off")
    return repo


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "Vault")


def ktw(*arguments: object) -> Result:
    """Run a command in this process; its exit code is what it returns."""
    told = [str(argument) for argument in arguments]
    done = CliRunner().invoke(root.ktw, told, standalone_mode=False)
    assert done.exception is None or isinstance(done.exception, KtwError), done.exception
    return done


def imported(repo: Repo, place: Path, **wish: Any) -> Plan:
    return write_plan(plan_import(repo.project, place, Wish(**wish), NOW))


def files(repo: Repo) -> dict[str, MemoryFile]:
    """The memory files of the project by where their words came from."""
    paths = [path for path in (repo.root / "context").glob("*.md") if path.name not in GUARDS]
    read = [parse_memory(f"context/{path.name}", path.read_bytes()) for path in paths]
    return {file.source or file.slug: file for file in read}


def outcomes(plan: Plan) -> Mapping[str, str]:
    return {row.place: row.outcome for row in plan.rows}


def structure(repo: Repo) -> list[tuple[str, str]]:
    """What the linter finds, apart from what it says of the words themselves."""
    found = lint_project(repo.root).findings
    return [(one.code, one.path) for one in found if not one.code.startswith(("D", "F", "W9"))]


# --- a vault -----------------------------------------------------------------------------------


def test_a_vault_becomes_files_to_review(repo: Repo, vault: Path) -> None:
    plan = imported(repo, vault)
    assert set(files(repo)) == {f"Vault/{name}" for name in NOTES}
    for file in files(repo).values():
        assert (file.origin, file.agent, file.kind) == ("imported", None, None)
        assert file.content_hash == file.computed_hash and len(file.entries) == 1
        known = {"origin", "created_at", "source", "derived_from", "tags", "content_hash"}
        assert set(file.frontmatter) <= known and file.slug.startswith("imported-")
        assert judged(repo.root, Path(file.path).name).name == "unapproved"
    left = {row.place: row for row in plan.of("left")}
    assert all(left[f"Vault/{name}"].why.startswith(why) for name, (_, why) in BROKEN.items())
    assert not left["Vault/empty.md"].fault and not left["Vault/MEMORY.md"].fault
    assert not repo.git("diff", "--cached") and repo.git("rev-list", "--count", "HEAD") == "1"


def test_both_linters_find_nothing_wrong_with_the_files(repo: Repo, vault: Path) -> None:
    imported(repo, vault)
    assert structure(repo) == []
    if UPSTREAM:
        subprocess.run([UPSTREAM, "--strict", str(repo.root)], check=True, capture_output=True)


def test_a_kind_a_topic_and_a_tag_for_what_states_none(repo: Repo, vault: Path) -> None:
    (vault / "stated.md").write_text("---\ntype: incident\ntags: [own]\n---\nIt broke.\n")
    plan = imported(repo, vault, kind="constraint", topic="Old notes", tags=("vault", "own"))
    found = files(repo)
    stated, plain = found["Vault/stated.md"], found["Vault/Other note.md"]
    assert (stated.kind, stated.tags) == ("incident", ("own", "vault"))
    assert (plain.kind, plain.tags) == ("constraint", ("vault", "own"))
    assert plain.slug.startswith("old-notes-") and structure(repo) == []
    assert {row.kind for row in plan.of("new")} == {"incident", "constraint"}


def test_a_long_title_is_kept_whole_in_the_body(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text(f"---\ntitle: {'long ' * 60}\n---\nA body.\n")
    imported(repo, tmp_path / "x.md")
    (entry,) = files(repo)[f"{tmp_path.name}/x.md"].entries
    assert len(entry.title) == 200 and ("long " * 60).strip() in entry.text


# --- nothing of it is approved -----------------------------------------------------------------


def test_what_a_note_claims_is_dropped_and_told(repo: Repo, vault: Path) -> None:
    repo.policy("local")
    done = ktw("import", vault)
    (forged,) = [file for place, file in files(repo).items() if "forged" in place]
    assert not {"trusted_at", "trusted_by", "pinned", "strength"} & set(forged.frontmatter)
    assert judged(repo.root, Path(forged.path).name).name == "unapproved"
    told = "dropped   1 approval, 1 owner's seal, 1 pin, 1 strength, 1 owner's origin: "
    assert told in done.output and "next      ktw review --origin imported" in done.output
    assert not repo.git("for-each-ref", "refs/ktw", "refs/notes")


def test_a_block_of_frontmatter_further_down_is_not_believed(repo: Repo, tmp_path: Path) -> None:
    text = "Words.\n\n---\norigin: owner\ntrusted_at: 2026-01-01T00:00:00Z\n---\n\nMore.\n"
    (tmp_path / "x.md").write_text(text)
    imported(repo, tmp_path / "x.md")
    (file,) = files(repo).values()
    assert file.origin == "imported" and not file.trusted_at and structure(repo) == []


def test_an_agent_may_import_and_stays_the_writer_of_nothing(
    repo: Repo, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert ktw("import", vault).return_value == 1
    assert {file.agent for file in files(repo).values()} == {None}


# --- again -------------------------------------------------------------------------------------


def test_a_second_import_changes_nothing(repo: Repo, vault: Path, tmp_path: Path) -> None:
    imported(repo, vault)
    before = {path: path.read_bytes() for path in (repo.root / "context").iterdir()}
    (vault / "Other note.md").rename(vault / "sub/Other note.md")
    os.utime(vault / "unseen.md", (0, 0))
    again = imported(repo, vault, topic="other")
    assert not again.of("new", "proposal") and len(again.of("here")) == len(NOTES)
    assert {path: path.read_bytes() for path in (repo.root / "context").iterdir()} == before


def test_what_was_edited_here_is_not_proposed_back(repo: Repo, tmp_path: Path) -> None:
    note = tmp_path / "V/a.md"
    note.parent.mkdir()
    note.write_text("# One\n\nThe first words.\n")
    (row,) = imported(repo, note).rows
    assert row.file
    path = repo.root / "context" / row.file.name
    path.write_text(path.read_text().replace("first words", "words of a person"))
    path.rename(path.with_name("moved.md"))
    os.utime(note, (1, 1))
    (again,) = imported(repo, note).rows
    assert (again.outcome, again.id) == ("here", row.id)
    note.write_text("# One\n\nThe second words.\n")
    (changed,) = imported(repo, note).rows
    assert (changed.outcome, changed.proposes) == ("proposal", row.id)


def test_another_clone_writes_the_same_files(repo: Repo, vault: Path, tmp_path: Path) -> None:
    other = make_project(tmp_path / "other")
    imported(repo, vault)
    imported(other, vault)
    assert files(repo) == files(other)


def test_what_changed_since_is_a_proposal_beside_it(repo: Repo, vault: Path) -> None:
    note = vault / "Other note.md"
    imported(repo, vault)
    old = files(repo)["Vault/Other note.md"]
    place = repo.root / old.path
    place.write_text(claimed(old.text))
    for number in range(2):
        note.write_text(f"other words, {number}\n")
        (row,) = imported(repo, vault).of("proposal")
        assert row.proposes == old.ids[0] and row.place == "Vault/Other note.md"
        assert not imported(repo, vault).of("new", "proposal")
    assert place.read_text() == claimed(old.text)
    assert {code for code, _ in structure(repo)} == {"P222"}  # a proposal for what is approved


def test_words_that_were_rejected_do_not_come_back(repo: Repo, vault: Path) -> None:
    imported(repo, vault)
    file = files(repo)["Vault/Other note.md"]
    repo.write("context/revoked", f"{file.computed_hash} 2026-01-02 no\n")
    (repo.root / file.path).unlink()
    plan = imported(repo, vault)
    (row,) = [row for row in plan.rows if row.place == "Vault/Other note.md"]
    assert row.outcome == "left" and "rejected here" in row.why and not row.fault


# --- secrets -----------------------------------------------------------------------------------


def test_a_secret_stands_in_no_file_and_in_no_word_of_the_program(
    repo: Repo, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    for name, text in {
        "body.md": f"The key is {SECRET}.\n",
        "title.md": f"# {SECRET}\n\nA body.\n",
        "tag.md": f"A body. #{SECRET}\n",
        "alias.md": f"---\naliases: [{SECRET}]\n---\nA body.\n",
        "url.md": f"---\nurl: https://me:{SECRET}@e.invalid/\n---\nA body.\n",
        "key.md": f"---\n{SECRET}: x\n---\nA good body.\n",
        f"{SECRET}.md": "Another body.\n",
        "broken.md": f"---\na: {SECRET}: b\n---\nA body.\n",
        "good.md": "The others go on.\n",
    }.items():
        (notes / name).parent.mkdir(exist_ok=True)
        (notes / name).write_text(text)
    rows = [
        {"slug": f"x {SECRET}"},
        {"slug": "b", "body": f"{SECRET}"},
        {"slug": "c", "project": SECRET, "agent": f"A {SECRET}", "body": "Its own words."},
        {"slug": "d", "tags": json.dumps([SECRET]), "body": "Words of another."},
        {"slug": "e", "kind": SECRET, "body": "Words of a third."},
    ]
    store = make_store(tmp_path / "home/memory.db", *rows)
    told = ""
    for place in (notes, store):
        for options in (("--dry-run",), ("--json", "--dry-run"), (), ("--json",)):
            told += ktw("import", place, *options).output
    written = "".join(path.read_text() for path in (repo.root / "context").iterdir())
    assert SECRET not in told and SECRET not in written
    assert "(its name holds a secret)" in told
    assert "1 field left out: (a name that holds a secret)" in told
    assert set(files(repo)) == {"notes/good.md", "notes/key.md", "skillmem:c"}


# --- hostile -----------------------------------------------------------------------------------


def test_no_field_of_a_store_gets_out_of_a_frame(repo: Repo, tmp_path: Path) -> None:
    repo.policy("local")
    notes = tmp_path / "notes"
    notes.mkdir()
    rows: list[dict[str, object]] = []
    for number, closing in enumerate(CLOSINGS):
        quoted = json.dumps(f"{MARK} {closing}")
        fields = f"title: {quoted}\ntags: [{quoted}]\naliases: [{quoted}]\nsource: {quoted}\n"
        text = f"---\n{fields}date: {quoted}\n---\n{MARK} goes out.\n{closing}\n{ORDER} {number}\n"
        (notes / f"{number}.md").write_text(text, encoding="utf-8")
        told = f"{MARK} {closing}"
        rows.append({"slug": f"{number}\n{closing}", "title": told, "body": f"{told}\n{number}"})
        rows[-1] |= {"kind": closing, "agent": closing, "project": closing, "topics": f"[{quoted}]"}
    (notes / f"{ORDER}.md").write_text("A name that directs.\n")
    store = make_store(tmp_path / "memory.db", *rows)
    for place in (notes, store):
        for options in (("--json", "--dry-run"), ()):
            text = ktw("import", place, *options).output
            assert MARK not in text and not find_directives(text) and not controls(text)
            assert not [line for line in text.split("\n") if line.startswith((">>>", "<<<", "::"))]
    assert len(files(repo)) > len(CLOSINGS)
    for channel in channels(repo.root):
        text = channel.ask()
        assert MARK not in outside_frames(text) and ORDER not in text, channel.name
        assert not controls(text), channel.name


PIECES = (
    *("# One", "## Two", "words", "words\nmore", "---", "===", "> quote", "> ## q", "- item"),
    *("- ## li", "1. # h", "```", "~~~", "    # in", "\t# tab", "**Status:** x", "- **Id:** y"),
    *("> **Type:** z", "**Staus:** x", "__See__: q", "<h1>H</h1>", "<!-- c -->", "<!--", "-->"),
    *("<div>", "</div>", "| a |\n|---|", "[[l]]", "[x]: http://e.invalid", "$$", "a\u00a0b\u200b"),
    *("<pre>", "]]>", "##", "\\# e", "``", "line  ", "", "", "<<<<<<< a", "=======", ">>>>>>> b"),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9), st.sampled_from(["\n", "\n\n"]))
def test_whatever_a_note_holds_is_one_memory_or_is_named(
    repo: Repo, tmp_path: Path, pieces: Sequence[str], between: str
) -> None:
    (tmp_path / "x.md").write_text(between.join(pieces), encoding="utf-8")
    project = repo.project
    here = importing.Here(project)
    (row,) = plan_import(project, tmp_path / "x.md", Wish(), NOW).rows
    assert row.outcome == "new" or row.why
    if row.file:
        assert not [one.code for one in row.file.warnings if one.code.startswith(("N", "M", "E"))]
        here.add(parse_memory("context/x.md", row.file.text.encode()))
        (item,) = importing.SOURCES["notes"](tmp_path / "x.md", Wanted(), project.context).items
        assert importing._planned(here, item, Wish(), NOW, 1).outcome == "here"  # type: ignore[arg-type]


# --- the command -------------------------------------------------------------------------------


def test_the_command_tells_what_became_of_each(repo: Repo, vault: Path) -> None:
    dry = ktw("import", vault, "--dry-run")
    assert not files(repo) and not repo.git("status", "--porcelain")
    assert "6 memories (6 no kind) would be written; nothing was." in dry.output
    (vault / "unseen.md").write_text("zero\u200bwidth\n\n[a]: b 'that nobody sees here'\n")
    done = ktw("import", vault)
    assert dry.return_value == done.return_value == 1
    for told in (
        "no kind     <- Vault/RE: x.md",
        "left out  Vault/secret.md: the body holds a secret (line 1: GitHub token)\n",
        "left out  it holds no text (1)\n",
        "in part   Vault/unseen.md: 1 invisible character taken out\n",
        "Wrote 6 memories (6 no kind), imported and unapproved; nothing was committed.\n",
        "1 memory that `ktw lint` warns of (H302)",
        "1 memory with sentences that read as directives: withheld until a person approves",
    ):
        assert told in done.output, done.output
    again = ktw("import", vault).output
    assert "here      6 memories already" in again
    assert "Nothing was imported." in again and "ktw review" not in again


def test_a_store_without_faults_ends_well(repo: Repo, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"slug": "a", "title": "One", "kind": "user", "project": "shop"},
        {"slug": "b", "title": "Two", "project": "blog"},
        {"slug": "c", "title": "Three", "kind": "session"},
    ]
    path = make_store(tmp_path / "memory.db", *rows)
    done = ktw("import", path)
    assert done.return_value == 0 and "left out  a session note; --notes" in done.output
    assert "2 projects; --project NAME brings those of one" in done.output
    assert {file.kind for file in files(repo).values()} == {"rule", None} and not structure(repo)
    assert ktw("import", path, "--notes", "--project", "shop").return_value == 0
    assert "There is nothing to import." in ktw("import", path).output


@pytest.mark.parametrize("options", [("--dry-run",), ()])
def test_the_data_keeps_its_schema(repo: Repo, vault: Path, options: Sequence[str]) -> None:
    (vault / "RE: x.md").write_text("Words that came before.\n")
    ktw("import", vault)
    (vault / "RE: x.md").write_text("# Changed\n\nOther words.\n")
    data = json.loads(ktw("import", vault, "--json", *options).stdout)
    validator("import").validate(data)
    assert data["dry_run"] == bool(options)
    summary = {"new": 0, "proposal": 1, "here": 5, "directive_memories": 0}
    assert {key: data["summary"][key] for key in summary} == summary
    assert data["summary"]["faults"] >= len(BROKEN)


@pytest.mark.parametrize(
    ("place", "options", "why"),
    [
        ("context", (), "this project's own memory"),
        ("context/sub", (), "this project's own memory"),
        ("nowhere\x1b[31m", (), "is not there"),
        (".keep-the-why", (), "neither a database of skillmem nor"),
        (".", ("--project", "x"), "has projects"),
        (".", ("--from", "skillmem"), "does not exist"),
        (".", ("--topic", "\u00fc\x1b"), "no letter or digit"),
        (".", ("--tag", "a", "--tag", " b"), "has a blank at an end"),
    ],
)
def test_a_place_that_is_none(repo: Repo, place: str, options: Sequence[str], why: str) -> None:
    (repo.root / "context/sub").mkdir()
    done = ktw("import", place, *options)
    assert isinstance(done.exception, KtwError) and why in done.exception.what
    assert "\x1b" not in str(done.exception) and not files(repo)


def test_a_folder_around_the_project_leaves_its_own_memory(repo: Repo) -> None:
    repo.write("context/own.md", "# Own\n")
    repo.write("docs/note.md", "A note of the team.\n")
    plan = imported(repo, repo.root)
    assert outcomes(plan)["repo/docs/note.md"] == "new"
    (own,) = [row for row in plan.rows if row.place == "repo/context"]
    assert own.outcome == "left" and not own.fault


# --- many, and what goes wrong ------------------------------------------------------------------


def test_a_thousand_notes_in_one_go(repo: Repo, tmp_path: Path, counted: Any) -> None:
    for number in range(1000):
        place = tmp_path / f"notes/{number % 10}/{number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"Note {number} says this.\n")
    seen: list[tuple[int, int]] = []
    asked = counted(
        lambda: write_plan(
            plan_import(repo.project, tmp_path / "notes", Wish(), NOW, lambda *at: seen.append(at))
        )
    )
    assert len(files(repo)) == 1000 and seen[-1] == (1000, 1000) and asked < 10
    assert repo.read("context/index.md").count("(imported-") == 1000


def test_there_is_an_end_to_what_is_planned(
    repo: Repo, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MAX_TEXT", 1000)
    with pytest.raises(KtwError, match="1,000 bytes of text"):
        plan_import(repo.project, vault, Wish(), NOW)


def test_what_cannot_be_written_is_named_and_the_others_go_on(repo: Repo, vault: Path) -> None:
    plan = plan_import(repo.project, vault, Wish(), NOW)
    taken = next(row.file.name for row in plan.rows if row.file)
    (repo.root / "context" / taken).write_text("somebody's\n")
    done = write_plan(plan)
    (row,) = [row for row in done.faults if "already exists" in row.why]
    assert (repo.root / "context" / taken).read_text() == "somebody's\n" and not row.file
    assert len(done.of("new")) == len(NOTES) - 1


def test_what_is_interrupted_has_its_rows(repo: Repo, vault: Path) -> None:
    plan = plan_import(repo.project, vault, Wish(), NOW)

    def stop(done: int, total: int) -> None:
        if done == total - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_plan(plan, stop)
    assert files(repo) and structure(repo) == []


def test_a_page_that_only_a_person_can_mend_is_left(repo: Repo, vault: Path) -> None:
    page = repo.read("context/index.md") + "\n## Ours\n"
    repo.write("context/index.md", page)
    plan = imported(repo, vault)
    assert repo.read("context/index.md") == page and "ktw index --page" in plan.notices[0]
    repo.write("context/index.md", page.removesuffix("\n## Ours\n"))
    assert tidy_page(repo.project) and structure(repo) == [] and not tidy_page(repo.project)


def test_what_another_import_wrote_meanwhile_is_here(repo: Repo, vault: Path) -> None:
    plan = plan_import(repo.project, vault, Wish(), NOW)
    first = write_plan(plan)
    (other, *_) = files(repo).values()
    repo.write(other.path, "other words")
    again = write_plan(plan)
    assert len(again.of("here")) == len(first.of("new")) - 1
    assert [row.why for row in again.faults if row not in first.faults] == [
        f"{other.path.partition('/')[2]} already exists"
    ]


@pytest.mark.skipif(not SKILLMEM, reason="KTW_SKILLMEM names no executable")
def test_a_store_that_skillmem_made(repo: Repo, tmp_path: Path) -> None:
    home = tmp_path / "home"
    env = {**os.environ, "HOME": str(home), "SKILLMEM_HOME": str(home / "sm"), "MEM_SEMANTIC": "0"}

    def skillmem(*arguments: str) -> None:
        subprocess.run([SKILLMEM, *arguments], env=env, check=True, capture_output=True)

    long = "".join(f"Line {number} of a long document.\n" for number in range(500))
    home.mkdir()
    skillmem("write", "--slug=a", "--title=Tests", "--kind=feedback", "--body=They run first.")
    skillmem("write", "--slug=b", "--title=Long", "--kind=document", f"--body={long}")
    skillmem("write", "--slug=c", "--title=Gone", "--kind=session", "--body=We talked.")
    steps = ("--title=Rotate", "--trigger=it ends", "--steps=1. make", "--outcome=success")
    skillmem("learn", "d", *steps, "--tags=keys")
    plan = imported(repo, home / "sm")
    found = files(repo)
    assert set(found) == {"skillmem:a", "skillmem:b", "skillmem:d"}
    assert found["skillmem:a"].kind == "rule" and found["skillmem:d"].tags == ("keys",)
    assert "Line 499 of a long document." in found["skillmem:b"].text
    assert not plan.faults and structure(repo) == []
    skillmem("export-all", str(tmp_path / "dump"))
    assert {*outcomes(imported(repo, tmp_path / "dump")).values()} == {"here", "left"}
