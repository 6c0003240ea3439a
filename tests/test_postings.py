"""The inverted file: the same occurrences from disk and memory, and nothing run by opening it."""

import os
import pickle
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktw.inverted import INDEX_NAME, open_index
from ktw.postings import (
    Damaged,
    Locked,
    MemoryPostings,
    Moved,
    Postings,
    Unusable,
    WhooshPostings,
    WhooshWriter,
    check_directory,
    generations,
    write_lock,
)
from ktw.terms import FIELDS

# Whoosh leaves a file open when it fails on it; the garbage collector closes it.
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX owners and modes")


def counts(title: str = "", body: str = "", keys: str = "") -> dict[str, Counter[str]]:
    texts = dict(zip(FIELDS, (title, body, keys), strict=True))
    return {name: Counter(text.split()) for name, text in texts.items()}


def fill(directory: Path, documents: Iterable[tuple[int, dict[str, Counter[str]]]]) -> int:
    writer = WhooshWriter(directory, start_over=not generations(directory))
    for number, told in documents:
        writer.add(number, told)
    writer.commit()
    return writer.generation


def found(postings: Postings, field: str, term: str, live: set[int] | None = None) -> object:
    pairs = sorted(postings.occurrences(field, term))
    return [pair for pair in pairs if live is None or pair[0] in live]


# --- the same from both ------------------------------------------------------------------------

_TEXTS = st.lists(st.sampled_from(("a", "b", "cc", "x" * 48, "é", "記憶")), max_size=5).map(
    " ".join
)
_STEPS = st.lists(
    st.tuples(st.lists(st.tuples(_TEXTS, _TEXTS, _TEXTS), max_size=4), st.integers(0, 3)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=25, deadline=None)
@given(_STEPS)
def test_disk_and_memory_hold_the_same_occurrences(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[list[tuple[str, str, str]], int]],
) -> None:
    directory = tmp_path_factory.mktemp("index") / "here"
    memory, live, number, generation = MemoryPostings(), set(), 0, 0
    for added, removals in steps:
        writer = WhooshWriter(directory, start_over=generation == 0)
        for texts in added:
            told = counts(*texts)
            writer.add(number, told)
            memory.add(number, told)
            live.add(number)
            number += 1
        gone = sorted(live)[:removals]
        writer.remove(gone)
        live.difference_update(gone)
        writer.commit()
        generation = writer.generation
    disk = WhooshPostings(directory, generation)
    for field in FIELDS:
        for term in ("a", "b", "cc", "x" * 48, "é", "記憶", "none", ""):
            assert found(disk, field, term, live) == found(memory, field, term, live)
    disk.close()
    disk.close()
    memory.close()


def test_a_cancelled_change_is_not_there(tmp_path: Path) -> None:
    directory = tmp_path / "index"
    generation = fill(directory, [(1, counts(body="kept"))])
    writer = WhooshWriter(directory, start_over=False)
    writer.add(2, counts(body="dropped"))
    writer.remove([1])
    writer.cancel()
    postings = WhooshPostings(directory, generation)
    assert found(postings, "body", "kept") == [(1, 1.0)]
    assert found(postings, "body", "dropped") == []
    postings.close()


def test_an_open_index_is_not_disturbed_by_later_ones(tmp_path: Path) -> None:
    directory = tmp_path / "index"
    first = WhooshPostings(directory, fill(directory, [(1, counts(body="one"))]))
    for number in range(2, 30):
        fill(directory, [(number, counts(body="one"))])
    writer = WhooshWriter(directory, start_over=True)
    writer.add(99, counts(body="one"))
    writer.commit()
    assert found(first, "body", "one") == [(1, 1.0)]
    first.close()


def test_a_generation_that_is_gone_has_moved_on(tmp_path: Path) -> None:
    directory = tmp_path / "index"
    generation = fill(directory, [(1, counts(body="one"))])
    fill(directory, [(2, counts(body="one"))])
    with pytest.raises(Moved):
        WhooshPostings(directory, generation)
    with pytest.raises(Moved):
        WhooshPostings(tmp_path / "empty", 1)


# --- damage ------------------------------------------------------------------------------------


def read_all(directory: Path, generation: int) -> list[object]:
    postings = WhooshPostings(directory, generation)
    try:
        return [found(postings, field, term) for field in FIELDS for term in ("a", "b", "t77")]
    finally:
        postings.close()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    directory = tmp_path_factory.mktemp("built") / "index"
    documents = [(n, counts(f"a t{n}", "a b " * (n % 7), "b")) for n in range(300)]
    return directory, fill(directory, documents)


def test_a_file_cut_anywhere_is_damage_never_a_wrong_answer(built: tuple[Path, int]) -> None:
    directory, generation = built
    whole = read_all(directory, generation)
    for path in sorted(directory.glob("*.seg")) + sorted(directory.glob("*.toc")):
        data = path.read_bytes()
        for size in sorted({0, 1, 7, len(data) // 3, len(data) // 2, len(data) - 9, len(data) - 1}):
            path.unlink()
            path.write_bytes(data[:size])
            with pytest.raises(Damaged):
                read_all(directory, generation)
        path.unlink()
        path.write_bytes(data)
    assert read_all(directory, generation) == whole


def test_garbled_bytes_are_damage_or_harmless(built: tuple[Path, int]) -> None:
    directory, generation = built
    chance = random.Random(7)
    for path in sorted(directory.glob("*.seg")) + sorted(directory.glob("*.toc")):
        data = path.read_bytes()
        for _ in range(120):
            garbled = bytearray(data)
            for at in chance.choices(range(len(data)), k=chance.choice((1, 8, 200))):
                garbled[at] = chance.randrange(256)
            path.unlink()
            path.write_bytes(garbled)
            try:
                read_all(directory, generation)
            except (Damaged, Moved):
                pass
        path.unlink()
        path.write_bytes(data)


# --- nothing runs by opening -------------------------------------------------------------------


class Evil:
    """Makes a directory when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self._place = str(place)

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (self._place,)


def plant(directory: Path, generation: int, place: Path, where: str) -> None:
    """A table of contents of Whoosh's form whose schema or segment list is a malicious pickle."""
    from whoosh.fields import Schema
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import _CURRENT_TOC_VERSION, _FLOAT_SIZE, _INT_SIZE, _LONG_SIZE

    directory.mkdir(parents=True, exist_ok=True)
    evil = pickle.dumps(Evil(place))
    stream = FileStorage(str(directory)).create_file(f"_{INDEX_NAME}_{generation}.toc")
    for size in (_INT_SIZE, _LONG_SIZE, _FLOAT_SIZE):
        stream.write_varint(size)
    stream.write_int(-12345)
    stream.write_int(_CURRENT_TOC_VERSION)
    for part in (3, 54, 0):
        stream.write_varint(part)
    stream.write_string(evil if where == "schema" else pickle.dumps(Schema()))
    stream.write_int(generation)
    stream.write_int(0)
    stream.write(evil if where == "segments" else pickle.dumps([]))
    stream.close()


def test_the_trap_works_where_whoosh_is_left_alone(tmp_path: Path) -> None:
    script = (
        f"from whoosh import index\nindex.open_dir({str(tmp_path / 'index')!r}, {INDEX_NAME!r})\n"
    )
    for where in ("schema", "segments"):
        plant(tmp_path / "index", 1, tmp_path / f"run-{where}", where)
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script], check=False, capture_output=True
        )
        assert (tmp_path / f"run-{where}").exists()


@pytest.mark.parametrize("where", ["schema", "segments"])
def test_case_21_a_planted_pickle_is_never_run(tmp_path: Path, where: str) -> None:
    plant(tmp_path / "index", 1, tmp_path / "run", where)
    (tmp_path / "index").chmod(0o700)
    for attempt in (
        lambda: WhooshPostings(tmp_path / "index", 1).close(),
        opens_for_writing(tmp_path),
    ):
        try:
            attempt()
        except Damaged:
            pass
    assert not (tmp_path / "run").exists()


def opens_for_writing(root: Path):  # type: ignore[no-untyped-def]
    return lambda: WhooshWriter(root / "index", start_over=False).cancel()


@pytest.mark.parametrize(
    "payload",
    [b"cos\nsystem\n(S'true'\ntR.", b"cbuiltins\neval\n(S'1'\ntR.", b"cbuiltins\ngetattr\n."],
)
def test_only_an_index_s_own_classes_are_unpickled(payload: bytes) -> None:
    from io import BytesIO

    from whoosh.codec import whoosh3
    from whoosh.filedb import structfile

    with pytest.raises(Exception, match="does not exist"):
        open_index(Path("/nonexistent"))
    for load in (whoosh3.loads, lambda data: structfile.StructFile(BytesIO(data)).read_pickle()):
        with pytest.raises(pickle.UnpicklingError, match="no place in an index"):
            load(payload)


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o702])
def test_a_directory_that_others_may_write_is_refused(tmp_path: Path, mode: int) -> None:
    plant(tmp_path / "index", 1, tmp_path / "run", "segments")
    (tmp_path / "index").chmod(mode)
    refuses(tmp_path / "index")
    assert not (tmp_path / "run").exists()


def refuses(directory: Path) -> None:
    with pytest.raises(Unusable):
        check_directory(directory)
    with pytest.raises(Unusable):
        WhooshPostings(directory, 1)
    with pytest.raises(Unusable):
        WhooshWriter(directory, start_over=True)
    with pytest.raises(Unusable), write_lock(directory, 0.0):
        raise AssertionError("locked")


@POSIX
def test_a_link_or_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "file").write_bytes(b"")
    refuses(tmp_path / "link")
    refuses(tmp_path / "file")
    refuses(tmp_path / "file" / "below")


@POSIX
@pytest.mark.skipif(os.name != "nt" and os.geteuid() != 0, reason="only root can give files away")
def test_somebody_else_s_directory_is_refused(tmp_path: Path) -> None:
    plant(tmp_path / "index", 1, tmp_path / "run", "segments")
    (tmp_path / "index").chmod(0o700)
    os.chown(tmp_path / "index", 54321, -1)
    refuses(tmp_path / "index")
    assert not (tmp_path / "run").exists()


# --- the lock ----------------------------------------------------------------------------------

HOLDER = (
    "import sys, time\nfrom pathlib import Path\nfrom ktw.postings import write_lock\n"
    "with write_lock(Path(sys.argv[1]), 5.0):\n"
    "    print('held', flush=True)\n    time.sleep(60)\n"
)


def start_holder(directory: Path) -> "subprocess.Popen[bytes]":
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(directory)], stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    return holder


def end(holder: "subprocess.Popen[bytes]") -> None:
    holder.kill()
    holder.wait()
    assert holder.stdout is not None
    holder.stdout.close()


def test_a_lock_outlives_no_process(tmp_path: Path) -> None:
    directory = tmp_path / "index"
    holder = start_holder(directory)
    with pytest.raises(Locked), write_lock(directory, 0.1):
        raise AssertionError("two hold it")
    end(holder)
    started = time.monotonic()
    with write_lock(directory, 60.0):
        pass
    assert time.monotonic() - started < 30
