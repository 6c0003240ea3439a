"""Readers of other stores: what they carry, what they name as lost, and that they stay inside."""

import os
import sqlite3
import stat
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from adr_folder import FOLDER
from builders import memory_text
from foreign_stores import (
    BROKEN,
    FORGED,
    MADE,
    NOTES,
    SYNC,
    add_row,
    make_store,
    make_vault,
    open_store,
    store_hash,
)
from ktw.boundaries import Unreadable
from ktw.entries import heading, scan
from ktw.errors import KtwError, UsageError
from ktw.importers import copied, folder, skillmem
from ktw.importers.bodies import as_code, as_one_memory
from ktw.importers.folder import read_folder
from ktw.importers.foreign import Foreign, Left, Wanted, moment
from ktw.importers.note import Note, read_note
from ktw.importers.obsidian import inline_tags
from ktw.importers.skillmem import read_store
from ktw.importers.sources import recognised

Row = dict[str, object]
NOWHERE = Path("/nowhere")


def read(text: str, stem: str = "a note", sessions: bool = False) -> Foreign:
    found = read_note(Note("Vault/a note.md", stem, text, "2024-01-01T00:00:00Z"), sessions)
    assert isinstance(found, Foreign), found
    return found


def lost(found: Foreign) -> list[str]:
    return [str(one) for one in found.lost]


# --- a text as one memory ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\n## B\n\n### C\n", "### A\n\n#### B\n\n##### C"),
        ("## B\n\n###### F\n", "### B\n\n###### F"),
        ("### C\n\n#### D\n", "### C\n\n#### D"),
        ("- ## x\n> # y\n", "- #### x\n> ### y"),
        ("```\n# code\n```\n    # indented\n", "```\n# code\n```\n    # indented"),
        ("A\n===\n\nB\n---\n", "### A\n\n#### B"),
        ("one\ntwo\n---\nthree\n", "one\ntwo\n\n---\nthree"),
        ("- item\n---\n| a |\n---\n", "- item\n---\n| a |\n---"),
        ("<h1>A</h1> <H2 class=x>B</H2>", "<h3>A</h3> <h3 class=x>B</h3>"),
        ("see\n~~~~\nopen", "see\n~~~~\nopen\n~~~~"),
        ("**Status:** done\n**Reason:** kept\n", "Status: done\n**Reason:** kept"),
        ("- **type:** x\n__Id__: y\n**Staus**: z\n", "- type: x\nId: y\nStaus: z"),
        (
            "`**Status:** x`\n\n```\n**Status:** x\n```\n",
            "`**Status:** x`\n\n```\n**Status:** x\n```",
        ),
        ("````md\n```\n## A\n**Id:** x\n```\n````", "````md\n```\n ## A\n **Id:** x\n```\n````"),
        ("    ```\n```\n## A\n```\n**B** c", "    ```\n```\n ## A\n```\n**B** c"),
        ("```sh\n# a\n```\n~~~\n# b\n~~~", "```sh\n# a\n```\n~~~\n# b\n~~~"),
        ("a\r\nb\rc\n\n\n", "a\nb\nc"),
        ("zero\u200bwidth\u202e and\u00a0blank", "zerowidth and blank"),
    ],
)
def test_what_would_be_structure_becomes_words(text: str, expected: str) -> None:
    assert as_one_memory(text)[0] == expected


def test_what_was_changed_is_counted() -> None:
    text = "a\u200b\u00a0b\n\n**Status:** x\n\n**Id:** y"
    told = [str(one) for one in as_one_memory(text)[1]]
    assert told == ["1 invisible character taken out", "2 lines like a header field"]


def test_a_block_of_code_holds_any_text() -> None:
    text = "# A\n````\n\n**Id:** x\n```"
    assert as_code(text) == "    # A\n    ````\n\n    **Id:** x\n    ```"
    assert scan(as_code(text)) == ([], [], None)


@pytest.mark.parametrize(
    "piece",
    [
        *("#", "> ", "- ## ", "**Id:** ", "`", "=\n", "x\n---\n", "[[", "![](", "%%", " ^a"),
        *(f" #{'a' * 130}", "](", "> [!", "---\n", "a: b\n", "\u200b", "<h1"),
    ],
)
def test_a_long_note_is_done_soon(piece: str) -> None:
    """A quadratic step would take minutes."""
    text = piece * (250_000 // len(piece))
    found = read_note(Note("x.md", "x", text), False)
    body = found.body if isinstance(found, Foreign) else ""
    assert not [line for line in body.split("\n") if heading(line)[0] in (1, 2)]


# --- a note ------------------------------------------------------------------------------------


def test_a_note_of_obsidian() -> None:
    found = read(SYNC)
    assert (found.title, found.created_at, found.kind) == ("RE: x", "2024-03-07", "")
    assert found.tags == ("project/sync", "no", "1.10", "007", "project/sync/deep")
    assert found.derived_from == ("https://example.invalid/issues/12",)
    assert found.body.startswith("> [!warning] Careful\n> The sync waits. See [[Other note|other]]")
    assert "\nStatus: done\n- Type: wrong\n\n### Underlined\n" in found.body
    assert found.body.endswith("\n```\n\nAlso called: Sync plan, the plan.")
    assert lost(found) == [
        *("1 embed as text", "1 link between notes as text", "1 block id as text"),
        *("1 callout as a quote", "2 marks of comments as text", "1 query of a plugin as text"),
        *("2 lines like a header field", "1 field left out: cssclass"),
    ]


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("# The title\n\nA body.", "The title", "A body."),
        ("---\ntitle: The title\n---\n# The title\nA body.", "The title", "A body."),
        ("---\ntitle: The title\n---\n# Other\nA body.", "The title", "### Other\nA body."),
        ("# Alone", "Alone", "### Alone"),
        ("A body.\n# Later", "a note", "A body.\n### Later"),
        ("---\ntitle: 1.10\n---\nA body.", "1.10", "A body."),
        ('---\ntitle: "a\\nb\\e[31m\\u200b"\n---\nA body.', "a b", "A body."),
    ],
)
def test_where_a_title_comes_from(text: str, title: str, body: str) -> None:
    found = read(text)
    assert (found.title, found.body) == (title, body)


def test_what_a_note_claims_of_itself_is_told_and_no_more() -> None:
    found = read(FORGED)
    told = ("approval", "owner's seal", "pin", "strength", "owner's origin")
    assert found.claims == told and not found.lost
    assert read("---\norigin: agent\nstrength: 1.0\npinned: false\n---\nA body.").claims == ()


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        *(("decision", "decision"), ("Feedback", "rule"), ("user", "rule"), ("ADR", "decision")),
        *(("article", ""), ("[decision]", "")),
    ],
)
def test_a_kind_that_is_known_is_taken(told: str, kind: str) -> None:
    assert read(f"---\ntype: {told}\n---\nA body.").kind == kind


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024-03-07", "2024-03-07"),
        ("2024-03-07T10:00:00+02:00", "2024-03-07T10:00:00+02:00"),
        ("2024-03-07 10:00", "2024-03-07"),
        ("2024-03-07 10:00+02:00", "2024-03-07T08:00:00Z"),
        (str(MADE), "2024-01-02T03:04:05Z"),
        *((bad, "") for bad in ("", "2024-13-01", "in March", "99999999999999", "9" * 5000)),
        *((bad, "") for bad in ("-1", "\u0661\u0662\u0663" * 4, "0001-01-01 00:00+23:00")),
    ],
)
def test_dates_as_people_write_them(written: str, expected: str) -> None:
    assert moment(written) == expected


def test_a_date_that_is_none_gives_the_day_of_the_file() -> None:
    found = read("---\ndate: 9999999999999999999999\n---\nA body.")
    assert found.created_at == "2024-01-01T00:00:00Z"
    assert lost(found) == ["1 date left out that is none"]


def test_tags_have_limits_and_code_has_none() -> None:
    many = ", ".join(f"t{number}" for number in range(40))
    found = read(f"---\ntags: [{many}, {'x' * 65}]\n---\nA body.")
    assert len(found.tags) == 32 and lost(found) == ["9 tags left out"]
    text = "#a, (#b/c) `#no` #1 a#no #\u00fc-b [x](y#no) [[n#no]]\n```\n#no\n```\nhttps://e.invalid/#no"
    assert inline_tags(text) == ["a", "b/c", "\u00fc-b"]


def test_a_decision_record_is_read_as_one() -> None:
    found = {name: read(text, name.removesuffix(".md")) for name, text in FOLDER.items()}
    queue, binary = found["0013-job-queue.md"], found["0012-ship-one-binary.md"]
    assert (queue.kind, queue.status, queue.created_at) == ("decision", "active", "2024-03-07")
    assert (binary.title, binary.status) == ("Ship one binary", "superseded")
    assert binary.header[0][0] == "Superseded by"
    assert found["0003-topics.md"].status == "open" and not found["0015-edge-cache.md"].kind
    assert "### Context and Problem Statement" in queue.body
    assert lost(queue) == ["3 fields left out: decision-makers, consulted, informed"]
    assert lost(read("---\nstatus: accepted\nagent: me\n---\nA body.")) == [
        "2 fields left out: status, agent"
    ]


def test_a_memory_file_is_not_imported_as_one_note() -> None:
    for text in (memory_text(), "## A\n\n**Status:** active\n**Evidence:** unknown\n\nWords.\n"):
        found = read_note(Note("x.md", "x", text), False)
        assert isinstance(found, Left) and "ktw adopt" in found.why and found.fault
    assert read("## A\n\n**Status:** done\n\nWords.\n").body == "### A\n\nStatus: done\n\nWords."


# --- a folder ----------------------------------------------------------------------------------


def vault(tmp_path: Path) -> list[Foreign | Left]:
    store = read_folder(make_vault(tmp_path / "Vault"), Wanted(), NOWHERE)
    items = list(store.items)
    assert len(items) == store.count
    return items


def test_every_note_of_a_vault_is_read_or_named(tmp_path: Path) -> None:
    items = vault(tmp_path)
    found = {one.place: one for one in items if isinstance(one, Foreign)}
    left = {one.place: one for one in items if isinstance(one, Left)}
    there = {*NOTES, "secret.md", "empty.md"}  # what no reader judges
    assert set(found) == {f"Vault/{name}" for name in there}
    for name, (_, why) in BROKEN.items():
        if name not in there:
            assert left[f"Vault/{name}"].why.startswith(why) and left[f"Vault/{name}"].fault
    assert not left["Vault/MEMORY.md"].fault
    if hasattr(os, "mkfifo"):
        faults = {name: left[f"Vault/{name}.md"].fault for name in ("pipe", "out", "link")}
        assert faults == {"pipe": True, "out": True, "link": False}
        assert left["Vault/etc"].why == "it is a link to a directory"
    assert not any(
        "." in place.partition("/")[2][:1] or "png" in place for place in (*found, *left)
    )


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_link_to_what_no_file_can_be_called_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.md").symlink_to("a" * 300)
    (left,) = read_folder(tmp_path, Wanted(), tmp_path / "none").items
    assert isinstance(left, Left) and "to nothing" in left.why


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_links_that_lead_to_themselves_end(tmp_path: Path) -> None:
    for name in ("loop", "loop.md", "sub/up"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "sub/up").symlink_to("..")
    left = [(item.place.partition("/")[2], item.why) for item in _all(tmp_path)]
    assert left == [
        ("loop.md", "it is a link out of the folder, or to nothing"),
        ("sub/up", "it is a link to a directory"),
    ]


def _all(place: Path) -> list[Left]:
    return [one for one in read_folder(place, Wanted(), NOWHERE).items if isinstance(one, Left)]


def test_a_name_is_told_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "a\nb\x1b[31m\u202e.md").write_text("A body.\n")
    (item,) = read_folder(tmp_path, Wanted(), NOWHERE).items
    assert isinstance(item, Foreign)
    assert item.place.endswith("/a\\x0ab\\x1b[31m\\u202e.md") and item.place.isprintable()


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_directory_that_becomes_a_link_on_the_way_is_not_followed(tmp_path: Path) -> None:
    for name in ("Vault/sub/a.md", "Vault/sub/b.md", "out/b.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"Words of {name}.\n")
    sub = tmp_path / "Vault/sub"
    items = read_folder(tmp_path / "Vault", Wanted(), tmp_path / "none").items
    assert isinstance(next(items), Foreign)
    sub.rename(tmp_path / "moved")
    sub.symlink_to(tmp_path / "out")
    assert isinstance(next(items), Left)


def test_a_file_alone_is_a_folder_of_one(tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "Vault")
    (item,) = read_folder(vault / "Other note.md", Wanted(), NOWHERE).items
    assert item.place == "Vault/Other note.md"


def test_there_is_an_end_to_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "big.md").write_bytes(b"x" * (1024 * 1024 + 1))
    (item,) = read_folder(tmp_path, Wanted(), NOWHERE).items
    assert isinstance(item, Left) and "larger than" in item.why
    monkeypatch.setattr(folder, "MAX_NOTES", 3)
    for number in range(3):
        (tmp_path / f"{number}.md").write_text("x")
    with pytest.raises(KtwError, match="more than 3 notes"):
        read_folder(tmp_path, Wanted(), NOWHERE)


@pytest.mark.skipif(os.name == "nt" or not os.getuid(), reason="nobody may read all here")
def test_a_folder_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    (item,) = read_folder(tmp_path, Wanted(), NOWHERE).items
    assert isinstance(item, Left) and item.fault


def test_a_memory_of_claude_code_is_titled_by_what_it_says() -> None:
    text = (
        "---\nname: force-push\ndescription: Never force push\nmetadata:\n  type: feedback\n"
        "  originSessionId: abc\n---\n\nIt broke twice. [[why]]\n"
    )
    found = read(text)
    assert (found.title, found.kind, found.place) == ("Never force push", "rule", "Vault/a note.md")
    assert lost(found) == ["1 link between notes as text"] and not found.claims


def test_an_older_memory_of_claude_code_has_its_type_beside_its_name() -> None:
    found = read("---\nname: tabs\ndescription: Tabs, always\ntype: feedback\n---\nIt broke.\n")
    assert (found.title, found.kind, lost(found)) == ("Tabs, always", "rule", [])
    other = read("---\nname: tabs\ndescription: Tabs\ntype: note\n---\nIt broke.\n")
    assert other.title == "a note" and lost(other) == ["2 fields left out: name, description"]


def test_a_dump_of_skillmem_has_the_places_of_its_database(tmp_path: Path) -> None:
    text = (
        "---\nname: run-tests\ndescription: Run the tests first\nmetadata:\n  node_type: memory\n"
        "  type: feedback\n  origin: owner\n  owner_seal: true\nexported_at: '2026-01-01'\n"
        "created_at: 1704164645\nupdated_at: 1704164645\nstrength: 1.0\npinned: false\n"
        "agent: codex\nfreshness_until: 1704164645\nlifecycle: archived\n---\n\n"
        "The tests run first.\n"
    )
    found = read(text)
    assert (found.place, found.title) == ("skillmem:run-tests", "Run the tests first")
    assert (found.kind, found.status, found.agent) == ("rule", "superseded", "codex")
    assert found.header[0] == ("Revisit when", "2024-01-02")
    assert found.created_at == "2024-01-02T03:04:05Z" and not found.lost
    assert found.claims == ("owner's seal", "owner's origin")


# --- a database --------------------------------------------------------------------------------


def only(path: Path, **wanted: object) -> Foreign | Left:
    (item,) = read_store(path, Wanted(**wanted)).items  # type: ignore[arg-type]
    return item


@pytest.fixture
def store(tmp_path: Path) -> Callable[[Row], Path]:
    return lambda row: make_store(tmp_path / "home/memory.db", {"slug": "x"} | row)


def test_a_memory_of_skillmem(store: Callable[[Row], Path]) -> None:
    row: Row = {
        "kind": "feedback",
        "title": "Run the tests first",
        "body": "# Run the tests first\n\nThe tests run before a commit. See [[why]].",
        "tags": '["ci", "tests"]',
        "topics": '["ci", "team"]',
        "agent": "codex",
        "project": "shop",
        "freshness_until": MADE,
        "lifecycle": "archived",
        "attachments": '["a.png"]',
        **{"origin": "owner", "trusted_at": 1, "owner_seal": 1, "pinned": 1, "strength": 1.5},
    }
    path = store(row)
    found = only(path)
    assert found == only(path.parent) and isinstance(found, Foreign)
    assert found.place == "skillmem:x" and found.kind == "rule" and found.agent == "codex"
    assert found.body == "The tests run before a commit. See [[why]]."
    assert (found.tags, found.project) == (("ci", "tests", "team"), "shop")
    assert found.created_at == "2024-01-02T03:04:05Z" and found.status == "superseded"
    assert [label for label, _ in found.header] == ["Revisit when", "Superseded by"]
    told = ("approval", "owner's seal", "pin", "strength", "owner's origin")
    assert found.claims == told
    assert lost(found) == ["1 link between notes as text", "1 attachment left behind"]


@pytest.mark.parametrize(
    ("row", "is_left"),
    [
        ({"kind": "session"}, True),
        ({"kind": "note", "slug": "session-2026-01-02-abc"}, True),
        ({"kind": "note", "origin": "derived"}, True),
        ({"kind": "note"}, False),
        ({"kind": "project", "slug": "session-x"}, False),
    ],
)
def test_session_notes_are_left_unless_wanted(
    store: Callable[[Row], Path], row: Row, is_left: bool
) -> None:
    path = store(row)
    assert isinstance(only(path), Left) == is_left
    found = only(path, notes=True)
    assert isinstance(found, Foreign) and found.kind == "" and row["kind"] in found.tags


def test_what_is_deleted_or_of_another_project_is_not_there(tmp_path: Path) -> None:
    rows: Sequence[Row] = (
        {"slug": "a", "project": "shop"},
        {"slug": "b", "project": "blog"},
        {"slug": "c"},
        {"slug": "d", "deleted_at": MADE},
    )
    path = make_store(tmp_path / "memory.db", *rows)
    places = [item.place for item in read_store(path, Wanted()).items]
    assert places == ["skillmem:a", "skillmem:b", "skillmem:c"]
    places = [item.place for item in read_store(path, Wanted(projects=("shop",))).items]
    assert places == ["skillmem:a"]


def test_a_long_text_comes_from_its_file_where_the_database_proves_it(
    store: Callable[[Row], Path],
) -> None:
    whole = "A long text.\n" * 500
    path = store(
        {"body": whole[:100], "body_path": "x.md", "content_hash": store_hash("A title", whole)}
    )
    assert "cannot be read: it does not exist" in str(only(path))
    docs = path.parent / "docs"
    docs.mkdir()
    (docs / "x.md").write_text(whole)
    found = only(path)
    assert isinstance(found, Foreign) and found.body == whole.strip()
    (docs / "x.md").write_text(whole + "More.")
    assert "other words than the database says" in str(only(path))


@pytest.mark.parametrize("name", ["../memory.db", "/etc/passwd", "sub/x.md", "out.md", "..", "\0"])
def test_a_file_elsewhere_is_not_opened(store: Callable[[Row], Path], name: str) -> None:
    path = store({"body_path": name, "content_hash": "0"})
    (path.parent / "docs").mkdir()
    (path.parent / "docs/out.md").symlink_to("/etc/passwd")
    found = only(path)
    assert isinstance(found, Left) and found.fault and "root" not in found.why


def test_a_short_document_needs_no_file(store: Callable[[Row], Path]) -> None:
    assert isinstance(only(store({"body_path": "gone.md"})), Foreign)


def test_nothing_is_written_beside_a_database_that_is_open(tmp_path: Path) -> None:
    path = tmp_path / "home/memory.db"
    path.parent.mkdir()
    with closing(open_store(path)) as connection:
        add_row(connection, {"slug": "late"})
        beside = {entry.name: entry.stat() for entry in path.parent.iterdir()}
        assert beside["memory.db-wal"].st_size > 0
        found = [item.place for item in read_store(path, Wanted()).items]
        after = {entry.name: entry.stat() for entry in path.parent.iterdir()}
    assert found == ["skillmem:late"]
    unchanged = ("st_size", "st_mtime_ns", "st_ino")
    assert {n: [getattr(s, key) for key in unchanged] for n, s in after.items()} == {
        n: [getattr(s, key) for key in unchanged] for n, s in beside.items()
    }


def test_a_closed_database_stays_alone(store: Callable[[Row], Path]) -> None:
    path = store({})
    path.chmod(stat.S_IRUSR)
    path.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert isinstance(only(path), Foreign)
        assert [entry.name for entry in path.parent.iterdir()] == ["memory.db"]
    finally:
        path.parent.chmod(stat.S_IRWXU)


def test_a_journal_beside_a_database_is_not_acted_on(store: Callable[[Row], Path]) -> None:
    """SQLite would delete the file that a journal may name as its head."""
    path = store({})
    journal = path.with_name("memory.db-journal")
    journal.write_bytes(b"\0" * 512)
    assert isinstance(only(path), Foreign)
    journal.write_bytes(bytes.fromhex("d9d505f920a163d7") + b"\0" * 504)
    with pytest.raises(KtwError, match="is being written to, or was"):
        only(path)
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["memory.db", journal.name]


def test_a_database_that_unfolds_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skillmem, "MAX_TEXT", 1500)
    rows: list[Row] = [{"slug": str(number), "body": "x" * 1000} for number in range(2)]
    assert len(list(read_store(make_store(tmp_path / "a.db", rows[0]), Wanted()).items)) == 1
    with pytest.raises(KtwError, match="bytes of text"):
        read_store(make_store(tmp_path / "b.db", *rows), Wanted())


def sql(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return path


FOREVER = (
    "CREATE VIEW memory_items AS WITH RECURSIVE n(slug) AS (SELECT 1 UNION ALL SELECT slug + 1 "
    "FROM n) SELECT slug, '' kind, '' title, '' body, 0 created_at FROM n"
)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (("CREATE TABLE other (x)",), "none of skillmem's"),
        (("CREATE TABLE memory_items (slug, kind, title)",), "no column body, created_at"),
        ((FOREVER,), "none of skillmem's"),
        (("CREATE VIRTUAL TABLE memory_items USING fts5(slug)",), "none of skillmem's"),
    ],
)
def test_another_database_is_refused(tmp_path: Path, made: Sequence[str], why: str) -> None:
    with pytest.raises(KtwError, match=why):
        read_store(sql(tmp_path / "x.db", *made), Wanted())


def test_a_database_that_never_ends_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of one that was made by hand may lead to each other."""
    path = make_store(tmp_path / "memory.db", {"slug": "a"})
    sql(
        path,
        "INSERT INTO memory_items (slug, content_hash, created_at, updated_at) WITH RECURSIVE "
        "n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) SELECT x, '', 0, 0 FROM n",
    )
    monkeypatch.setattr(skillmem, "_STEPS", 100_000)
    with pytest.raises(KtwError, match="SQLITE_INTERRUPT"):
        read_store(path, Wanted())


def test_a_damaged_database_is_named(store: Callable[[Row], Path]) -> None:
    path = store({"body": "x" * 20_000})
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(KtwError, match="cannot be read as skillmem's"):
        read_store(path, Wanted())


@pytest.mark.parametrize("name", [b"obey_me", b"obey_m\xe2"])
def test_an_error_of_sqlite_quotes_no_word_of_the_database(tmp_path: Path, name: bytes) -> None:
    made = "CREATE TABLE memory_items (slug, kind, title, body, created_at)"
    path = sql(tmp_path / "x.db", made, "CREATE INDEX obey_me ON memory_items (slug)")
    data = path.read_bytes().replace(b"obey_me", name).replace(b"items (slug)", b"items (slux)")
    path.write_bytes(data)
    with pytest.raises(KtwError) as caught:
        read_store(path, Wanted())
    assert caught.value.what.endswith("skillmem's database: SQLITE_CORRUPT")


def test_a_value_of_another_type_is_text_or_named(tmp_path: Path) -> None:
    path = make_store(
        tmp_path / "memory.db", {"slug": "a", "tags": 7, "agent": 3.5, "project": b"\xff"}
    )
    sql(path, "UPDATE memory_items SET kind = x'ff'")
    found = only(path)
    assert isinstance(found, Left) and found.why.endswith("is not text in UTF-8")
    sql(path, "UPDATE memory_items SET kind = 5, project = '[', tags = '{\"a\": [1]}'")
    good = only(path)
    assert isinstance(good, Foreign) and good.tags == ("5",) and lost(good) == ["1 author left out"]


def test_a_database_that_changes_without_end_is_given_up(
    store: Callable[[Row], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = store({}), copied.read_regular

    def changing(place: Path | str, root: Path, limit: int) -> bytes:
        sql(path, "UPDATE memory_items SET updated_at = updated_at + 1")
        return real(place, root, limit)

    monkeypatch.setattr(copied, "read_regular", changing)
    with pytest.raises(KtwError, match="is being written to"):
        read_store(path, Wanted())


def test_a_slug_without_end_names_nothing(store: Callable[[Row], Path]) -> None:
    found = only(store({"slug": "x" * 1_000_000}))
    assert isinstance(found, Left) and len(found.place) < 300


def test_what_a_place_is(tmp_path: Path) -> None:
    path = make_store(tmp_path / "home/memory.db")
    vault = make_vault(tmp_path / "Vault")
    assert recognised(path) == recognised(path.parent) == "skillmem"
    assert recognised(vault) == recognised(vault / "Other note.md") == "notes"
    if hasattr(os, "mkfifo"):
        os.mkfifo(vault / "memory.db")
        assert recognised(vault) == "notes"
        with pytest.raises(UsageError):
            recognised(vault / "pipe.md")
    with pytest.raises(UsageError):
        recognised(vault / "p.png")
    with pytest.raises(Unreadable):
        read_store(vault, Wanted())
