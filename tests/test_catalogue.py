"""The catalogue: whole or nothing, packed without loss, and honest about what may have changed."""

import json
from array import array
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktw.catalogue import Catalogue, FileRecord, Place, Row
from ktw.catalogue_draft import Draft
from ktw.catalogue_file import read_catalogue, write_catalogue
from ktw.changes import is_racy
from ktw.derived import write_sealed
from ktw.frontmatter import Problem
from ktw.scan import FileStat, FileStats

KEY = "1  context"
SECOND = 1_000_000_000
NOW = 1_700_000_000 * SECOND + 123_456_789


def stat(name: str, mtime: int = NOW - SECOND, size: int = 5) -> FileStat:
    return FileStat(name, size, mtime, mtime, 7)


def stats(*seen: FileStat) -> FileStats:
    return FileStats(
        [one.name for one in seen], array("q", [value for one in seen for value in one[1:]])
    )


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
    path = tmp_path / "catalogue.bin"
    assert write_catalogue(path, KEY, full())
    read = read_catalogue(path, KEY)
    assert read.columns == full().columns
    assert (read.build, read.generation, read.next_number) == ("b1", 3, 9)
    assert Draft("x", read).done(4).columns == full().columns
    assert list(read.places()) == [
        Place("a.md", row(1, id_="ID", length=6)),
        Place("b.md", row(2, "x", "ID")),
        Place("b.md", row(3, "y", "ID")),
    ]
    assert list(read.problems()) == [("c\udce9.md", Problem("yaml", 2, "bad\u2028"))]
    assert read.files_per_id() == {"ID": 2}
    assert [list(column) for column in read.lengths] == [[6, 3, 3], [12, 6, 6], [1, 1, 1]]
    assert read.place(3) == Place("b.md", row(3, "y", "ID"))
    assert read.place(4) is None
    assert read.holds_memories("b.md")
    assert not read.holds_memories("c\udce9.md")
    assert not read.holds_memories("none.md")


def test_another_key_is_another_index(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.bin"
    write_catalogue(path, KEY, full())
    assert read_catalogue(path, KEY + "x") is None
    assert read_catalogue(tmp_path / "none.bin", KEY) is None


def test_whatever_is_cut_or_changed_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.bin"
    write_catalogue(path, KEY, full())
    whole = path.read_bytes()
    for at in range(0, len(whole), 17):
        path.write_bytes(whole[:at])
        assert read_catalogue(path, KEY) is None
        path.write_bytes(whole[:at] + b"~" + whole[at + 1 :])
        assert read_catalogue(path, KEY) is None


@pytest.mark.parametrize("garbage", [b"", b"\n", b"{}", b"[]\n{}", b"\xff" * 100, b"null\nnull"])
def test_garbage_is_nothing(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / "catalogue.bin"
    path.write_bytes(garbage)
    assert read_catalogue(path, KEY) is None


@pytest.mark.parametrize("head", [b"[" * 100_000, b'{"a":' * 100_000, b"null", b"[]", b'"x"', b""])
def test_no_head_that_came_along_fails_a_reading(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "catalogue.bin"
    assert write_sealed(path, len(head).to_bytes(8, "little") + head)
    assert read_catalogue(path, KEY) is None


def test_a_head_without_its_columns_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.bin"
    write_catalogue(path, KEY, full())
    data = path.read_bytes().partition(b"\n")[2]
    facts = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    for count in range(len(facts["sizes"])):
        head = json.dumps({**facts, "sizes": facts["sizes"][:count]}).encode()
        write_sealed(path, len(head).to_bytes(8, "little") + head)
        assert read_catalogue(path, KEY) is None


def test_it_holds_no_words_of_a_memory(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.bin"
    write_catalogue(path, KEY, full())
    data = path.read_bytes().partition(b"\n")[2]
    end = 8 + int.from_bytes(data[:8], "little")
    head, rest = data[8:end], data[end:]
    assert json.loads(head)["abouts"] == [["decision", "active", "2026-01-02"]]
    names = "a.md\0b.md\0c\udce9.md\0".encode("utf-8", "surrogatepass")
    assert rest.startswith(names + b"blob-a\nblob-b\nblob-c\nID\na\nx\ny\n\n")


def test_a_name_may_hold_a_line_end(tmp_path: Path) -> None:
    path, made = tmp_path / "catalogue.bin", Draft("b1")
    made.put(FileRecord(stat("a\nb.md"), "unreadable: it is a link", False, (), ()))
    write_catalogue(path, KEY, made.done(1))
    read = read_catalogue(path, KEY)
    assert read is not None
    assert (read.names, read.blob("a\nb.md")) == (["a\nb.md"], "unreadable: it is a link")


_FILES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), max_size=8)


@settings(max_examples=200, deadline=None)
@given(_FILES, _FILES, st.sets(st.sampled_from("abcdefgh")))
def test_a_change_gives_what_a_new_one_would(
    before: dict[str, int], changed: dict[str, int], gone: set[str]
) -> None:
    """Rows keep their numbers and their files' order, whichever files come, change and go."""

    def record(name: str, rows: int, more: int) -> FileRecord:
        numbered = (row(100 * ord(name) + more + n, f"{n}", f"{name}{n}") for n in range(rows))
        told = () if rows else (Problem("yaml", 1, name),)
        return FileRecord(stat(name), f"{name}{more}", bool(rows % 2), tuple(numbered), told)

    first = Draft("b")
    for name, rows in before.items():
        first.put(record(name, rows, 0))
    second, whole = Draft("b", first.done(1)), Draft("b")
    for name in gone & before.keys():
        second.drop(name)
    for name, rows in changed.items():
        second.put(record(name, rows, 10))
    for name in before.keys() - gone - changed.keys():
        whole.put(record(name, before[name], 0))
    for name, rows in changed.items():
        whole.put(record(name, rows, 10))
    edited, made = second.done(2), whole.done(2)
    assert list(edited.places()) == list(made.places())
    assert edited.columns[:5] == made.columns[:5]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert not write_catalogue(tmp_path / "file" / "catalogue.bin", KEY, full())


def test_a_file_is_current_while_size_and_both_times_and_inode_stand() -> None:
    catalogue = full()
    seen = stat("b.md")
    assert not catalogue.stale(stats(seen))
    for changed in (
        seen._replace(size=6),
        seen._replace(mtime_ns=NOW),
        seen._replace(ctime_ns=NOW),
        seen._replace(inode=8),
        seen._replace(name="new.md"),
    ):
        assert catalogue.stale(stats(changed)) == [changed]
    assert catalogue.stale(stats(stat("a.md"))), "racy when it was read"
    made = Draft("", catalogue)
    made.restamp(stat("a.md"), racy=False)
    catalogue = made.done(4)
    assert not catalogue.stale(stats(stat("a.md")))
    assert catalogue.is_unchanged(stats(stat("a.md"), stat("b.md"), stat("c\udce9.md")))
    assert not catalogue.is_unchanged(stats(stat("a.md"), stat("b.md")))
    assert not full().is_unchanged(stats(stat("a.md"), stat("b.md"), stat("c\udce9.md")))
    made.drop("a.md")
    catalogue = made.done(5)
    assert catalogue.stale(stats(stat("a.md")))
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
