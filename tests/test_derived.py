"""Derived files: put there whole, told apart from what was cut or changed."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ktw.derived import read_own, read_sealed, write_derived, write_sealed


def test_a_file_and_its_directory_are_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "ktw" / "a"
    assert write_derived(path, b"one")
    assert write_derived(path, b"two")
    assert path.read_bytes() == b"two"
    assert [found.name for found in path.parent.iterdir()] == ["a"]


@pytest.mark.parametrize("name", ["file/a", "file/below/a", "directory"])
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "directory").mkdir()
    assert not write_derived(tmp_path / name, b"one")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["directory", "file"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=40), st.integers(0, 120), st.binary(min_size=1, max_size=3))
def test_a_sealed_file_is_whole_or_nothing(
    tmp_path: Path, data: bytes, at: int, other: bytes
) -> None:
    path = tmp_path / "a"
    assert write_sealed(path, data)
    assert read_sealed(path) == data
    sealed = path.read_bytes()
    for changed in (sealed[:at], sealed[:at] + other + sealed[at + len(other) :]):
        if changed != sealed:
            path.write_bytes(changed)
            assert read_sealed(path) is None


def test_what_is_missing_is_nothing(tmp_path: Path) -> None:
    assert read_sealed(tmp_path / "none") is None
    assert read_sealed(tmp_path) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    assert read_sealed(tmp_path / "a") is None
    assert read_own(tmp_path / "a") is None
