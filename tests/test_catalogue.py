"""The catalogue: whole or nothing, packed without loss, and honest about what may have changed."""

import json
from pathlib import Path

import pytest

from ktw.catalogue import Catalogue, FileRecord, Place, Row
from ktw.catalogue_draft import Draft
from ktw.catalogue_file import read_catalogue, write_catalogue
from ktw.changes import is_racy
from ktw.frontmatter import Problem
from ktw.store import FileStat

KEY = "1  context"
SECOND = 1_000_000_000
NOW = 1_700_000_000 * SECOND + 123_456_789


def stat(name: str, mtime: int = NOW - SECOND, size: int = 5) -> FileStat:
    return FileStat(name, size, mtime, mtime, 7)


def row(number: int, anchor: str = "a", id_: str = "", length: int = 3) -> Row:
    return Row(number, anchor, 4, id_, "decision", "active", "2026-01-02", length, 2 * length, 1)


def draft() -> Draft:
    made = Draft("b1")
    made.next_number = 9
    twice = (row(2, "x", "ID"), row(3, "y", "ID"))
    made.put(FileRecord(stat("b.md"), "blob-b", False, twice, ()))
    made.put(FileRecord(stat("a.md"), "blob-a", True, (row(1, id_="ID", length=6),), ()))
    broken = (Problem("yaml", 2, "bad\u2028"),)
    made.put(FileRecord(stat("c\udce9.md"), "blob-c", False, (), broken))
    return made


def full() -> Catalogue:
    return draft().done(3)


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.json"
    assert write_catalogue(path, KEY, full())
    read = read_catalogue(path, KEY)
    assert list(read.records()) == list(full().records())
    assert (read.build, read.generation, read.next_number) == ("b1", 3, 9)
    assert list(Draft("x", read).done(4).records()) == list(full().records())
    assert list(read.places()) == [
        Place("a.md", row(1, id_="ID", length=6)),
        Place("b.md", row(2, "x", "ID")),
        Place("b.md", row(3, "y", "ID")),
    ]
    assert list(read.problems()) == [("c\udce9.md", Problem("yaml", 2, "bad\u2028"))]
    assert read.files_per_id() == {"ID": 2}
    assert read.lengths == ({1: 6, 2: 3, 3: 3}, {1: 12, 2: 6, 3: 6}, {1: 1, 2: 1, 3: 1})
    assert read.place(3) == Place("b.md", row(3, "y", "ID"))
    assert read.place(4) is None
    assert read.numbers("b.md") == [2, 3]
    assert read.numbers("none.md") == []


def test_another_key_is_another_index(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.json"
    write_catalogue(path, KEY, full())
    assert read_catalogue(path, KEY + "x") is None
    assert read_catalogue(tmp_path / "none.json", KEY) is None


def test_whatever_is_cut_or_changed_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.json"
    write_catalogue(path, KEY, full())
    whole = path.read_bytes()
    for at in range(0, len(whole), 17):
        path.write_bytes(whole[:at])
        assert read_catalogue(path, KEY) is None
        path.write_bytes(whole[:at] + b"~" + whole[at + 1 :])
        assert read_catalogue(path, KEY) is None


@pytest.mark.parametrize("garbage", [b"", b"\n", b"{}", b"[]\n{}", b"\xff" * 100, b"null\nnull"])
def test_garbage_is_nothing(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / "catalogue.json"
    path.write_bytes(garbage)
    assert read_catalogue(path, KEY) is None


def test_it_holds_no_words_of_a_memory(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.json"
    write_catalogue(path, KEY, full())
    data = json.loads(path.read_bytes().split(b"\n", 1)[1])
    assert data["names"] == ["a.md", "b.md", "c\udce9.md"]
    assert data["ids"] == "ID"
    assert data["anchors"] == "a\nx\ny"
    assert data["abouts"] == [["decision", "active", "2026-01-02"]]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert not write_catalogue(tmp_path / "file" / "catalogue.json", KEY, full())


def test_a_file_is_current_while_size_and_both_times_and_inode_stand() -> None:
    catalogue = full()
    seen = stat("b.md")
    assert not catalogue.stale([seen])
    for changed in (
        seen._replace(size=6),
        seen._replace(mtime_ns=NOW),
        seen._replace(ctime_ns=NOW),
        seen._replace(inode=8),
        seen._replace(name="new.md"),
    ):
        assert catalogue.stale([changed])
    assert catalogue.stale([stat("a.md")]), "racy when it was read"
    made = draft()
    made.restamp(stat("a.md"), racy=False)
    catalogue = made.done(4)
    assert not catalogue.stale([stat("a.md")])
    assert catalogue.is_unchanged([stat("a.md"), stat("b.md"), stat("c\udce9.md")])
    assert not catalogue.is_unchanged([stat("a.md"), stat("b.md")])
    assert not full().is_unchanged([stat("a.md"), stat("b.md"), stat("c\udce9.md")])
    made.drop("a.md")
    catalogue = made.done(5)
    assert catalogue.stale([stat("a.md")])
    assert "a.md" not in catalogue


@pytest.mark.parametrize(
    ("mtime", "ctime", "racy"),
    [
        (NOW - 10 * SECOND, NOW - 10 * SECOND, False),
        (NOW - 50_000_000, NOW - 10 * SECOND, True),
        (NOW - 10 * SECOND, NOW - 50_000_000, True),
        (NOW - 500_000_000, NOW - 500_000_000, False),
        (NOW + 10 * SECOND, NOW - 10 * SECOND, True),
        # A clock of whole seconds, as some file systems have: two seconds must have passed.
        (1_699_999_999 * SECOND, 1_699_999_999 * SECOND, True),
        (1_699_999_990 * SECOND, 1_699_999_990 * SECOND, False),
    ],
)
def test_git_s_racy_rule(mtime: int, ctime: int, racy: bool) -> None:
    assert is_racy(FileStat("a.md", 1, mtime, ctime, 1), NOW) is racy
