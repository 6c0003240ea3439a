"""The inverted file: disk and memory hold the same, whatever is merged, and damage is told."""

import os
import pickle
import random
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktw.postings import Damaged, DiskPostings, MemoryPostings, Postings
from ktw.segments import BadSegment, encoded
from ktw.terms import FIELDS

Counts = dict[str, Counter[str]]


def counts(title: str = "", body: str = "", keys: str = "") -> Counts:
    texts = dict(zip(FIELDS, (title, body, keys), strict=True))
    return {name: Counter(text.split()) for name, text in texts.items()}


def filled(documents: Iterable[tuple[int, Counts]]) -> MemoryPostings:
    made = MemoryPostings()
    for number, told in documents:
        made.add(number, told)
    return made


def found(postings: Postings, field: str, term: str) -> list[tuple[int, int]]:
    return list(postings.occurrences(field, term))


# --- the same from both ------------------------------------------------------------------------

_WORDS = ("a", "b", "cc", "x" * 48, "\u00e9", "\u8a18\u61b6", "\udce9")
_TEXTS = st.lists(st.sampled_from(_WORDS), max_size=5).map(" ".join)
_STEPS = st.lists(
    st.tuples(st.lists(st.tuples(_TEXTS, _TEXTS, _TEXTS), max_size=4), st.integers(0, 3)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=40, deadline=None)
@given(_STEPS, st.integers(0, 5))
def test_disk_and_memory_hold_the_same_occurrences(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[list[tuple[str, str, str]], int]],
    merged: int,
) -> None:
    """However many segments there are, and however many of them were merged into the last."""
    directory = tmp_path_factory.mktemp("index")
    documents: dict[int, Counts] = {}
    paths: list[Path] = []
    number = 0
    for at, (texts, removals) in enumerate(steps):
        added = {number + one: counts(*told) for one, told in enumerate(texts)}
        number += len(added)
        for gone in sorted(documents)[:removals]:
            del documents[gone]
        documents |= added
        stay = paths[: max(0, len(paths) - merged)]
        old = DiskPostings(paths[len(stay) :])
        path = directory / f"{at}.seg"
        path.write_bytes(encoded(old.segments, documents.keys(), filled(added.items())))
        old.close()
        paths = [*stay, path]
    disk, memory = DiskPostings(paths), filled(documents.items())
    for field in FIELDS:
        for term in (*_WORDS, "none", ""):
            live = [pair for pair in found(disk, field, term) if pair[0] in documents]
            assert live == found(memory, field, term)
            assert merged < len(steps) or live == found(disk, field, term), "nothing dead is left"
    disk.close()
    disk.close()
    memory.close()


@pytest.mark.parametrize("count", [1, 255, 256, 70_000])
def test_a_count_of_any_size_comes_back(tmp_path: Path, count: int) -> None:
    told = {"title": Counter(), "body": Counter({"a": count, "b": 1}), "keys": Counter()}
    (tmp_path / "one").write_bytes(encoded([], {7}, filled([(7, told)])))
    disk = DiskPostings([tmp_path / "one"])
    assert found(disk, "body", "a") == [(7, count)]
    assert found(disk, "body", "b") == [(7, 1)]
    disk.close()


def test_nothing_at_all_can_be_written_and_asked(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(encoded([], (), MemoryPostings()))
    for paths in ([], [tmp_path / "empty"]):
        disk = DiskPostings(paths)
        assert found(disk, "body", "a") == []
        disk.close()


def test_an_open_segment_is_not_disturbed_where_its_file_goes(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(encoded([], {1}, filled([(1, counts(body="one"))])))
    disk = DiskPostings([path])
    path.unlink()
    assert found(disk, "body", "one") == [(1, 1)]
    disk.close()


# --- damage ------------------------------------------------------------------------------------


def read_all(path: Path) -> list[object]:
    disk = DiskPostings([path])
    try:
        terms = ("a", "b", "t77", "none")
        return [found(disk, field, term) for field in FIELDS for term in terms]
    finally:
        disk.close()


@pytest.fixture
def built(tmp_path: Path) -> Path:
    documents = {n: counts(f"a t{n}", "a b " * (n % 7), "b") for n in range(300)}
    (tmp_path / "built").write_bytes(encoded([], documents, filled(documents.items())))
    return tmp_path / "built"


def test_a_file_cut_anywhere_is_damage_never_a_wrong_answer(built: Path) -> None:
    data = built.read_bytes()
    sizes = {*range(40), *range(0, len(data), 997), len(data) - 9, len(data) - 1}
    for size in sorted(sizes):
        built.write_bytes(data[:size])
        with pytest.raises(Damaged):
            read_all(built)
    built.write_bytes(data + b"x")
    with pytest.raises(Damaged):
        read_all(built)


def test_garbled_bytes_are_damage_or_harmless(built: Path) -> None:
    """Harmless: bytes of a list that nobody asked for."""
    chance, data, whole = random.Random(7), built.read_bytes(), read_all(built)
    for _ in range(400):
        garbled = bytearray(data)
        for at in chance.choices(range(len(data)), k=chance.choice((1, 8, 200))):
            garbled[at] = chance.randrange(256)
        built.write_bytes(garbled)
        try:
            assert read_all(built) == whole
        except Damaged:
            pass


@pytest.mark.parametrize("terms", [0, 1, 2**20, 2**32 - 1])
@pytest.mark.parametrize("size", [0, 5, 2**32 - 1])
def test_a_head_that_promises_too_much_is_damage(tmp_path: Path, terms: int, size: int) -> None:
    magic = encoded([], (), MemoryPostings())[:5]
    (tmp_path / "liar").write_bytes(struct.pack("<5sIII", magic, terms, size, 0) + b"\0" * 64)
    with pytest.raises(Damaged):
        read_all(tmp_path / "liar")


def test_a_list_of_another_width_under_a_true_checksum_is_damage(built: Path) -> None:
    data = built.read_bytes()
    at = _width_of_first_list(data)
    built.write_bytes(data[:at] + b"\x02" + data[at + 1 :])
    disk = DiskPostings([built])
    with pytest.raises(BadSegment):
        list(disk.segments[0])
    disk.close()


def _width_of_first_list(data: bytes) -> int:
    terms, size = struct.unpack_from("<II", data, 5)
    return 17 + 8 * terms + size + 4


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_what_is_no_file_is_damage_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "none", "."):
        with pytest.raises(Damaged):
            DiskPostings([tmp_path / name])


class Evil:
    """Makes a directory when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self._place = str(place)

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (self._place,)


def test_case_21_a_planted_pickle_is_never_run(tmp_path: Path) -> None:
    (tmp_path / "planted").write_bytes(pickle.dumps(Evil(tmp_path / "run")))
    with pytest.raises(Damaged):
        read_all(tmp_path / "planted")
    assert not (tmp_path / "run").exists()
    assert not any(name.split(".")[0] == "pickle" for name in _imported_by("ktw.index"))


def _imported_by(module: str) -> list[str]:
    script = f"import sys, {module}; print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return told.stdout.split()
