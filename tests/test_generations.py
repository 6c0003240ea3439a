"""The directory of the index: refused where others may write, locked, and rid of what is old."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ktw.catalogue import Catalogue, SegmentFile
from ktw.catalogue_draft import Draft
from ktw.catalogue_file import write_catalogue
from ktw.generations import (
    Locked,
    Unusable,
    catalogue_path,
    check_directory,
    drop_old,
    newest_catalogue,
    next_generation,
    write_lock,
)

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX owners and modes")
KEY = "key"


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o702])
def test_a_directory_that_others_may_write_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index").chmod(mode)
    refuses(tmp_path / "index")


def refuses(directory: Path) -> None:
    with pytest.raises(Unusable):
        check_directory(directory)
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
    (tmp_path / "index").mkdir(mode=0o700)
    os.chown(tmp_path / "index", 54321, -1)
    refuses(tmp_path / "index")


# --- generations -------------------------------------------------------------------------------


def put(directory: Path, build: str, generation: int, *segments: str) -> Catalogue:
    files = [SegmentFile(name, 1, at, at + 1) for at, name in enumerate(segments)]
    catalogue = Draft(build).done(generation, files)
    assert write_catalogue(catalogue_path(directory, catalogue), KEY, catalogue)
    return catalogue


def test_the_newest_is_the_one_of_the_highest_generation(tmp_path: Path) -> None:
    assert (newest_catalogue(tmp_path, KEY), next_generation(tmp_path)) == (None, 1)
    put(tmp_path, "aa", 9)
    newest = put(tmp_path, "bb", 10)
    read = newest_catalogue(tmp_path, KEY)
    assert read is not None and (read.build, read.generation) == ("bb", 10)
    assert newest_catalogue(tmp_path, KEY, newest) is newest
    assert newest_catalogue(tmp_path, "other") is None
    assert next_generation(tmp_path) == 11
    put(tmp_path, "cc", 10)
    assert newest_catalogue(tmp_path, KEY) is None, "two: nobody can tell"


def test_no_planted_number_is_the_last(tmp_path: Path) -> None:
    (tmp_path / f"catalogue-{10**18 - 1}-aa.bin").write_bytes(b"")
    assert newest_catalogue(tmp_path, KEY) is None
    drop_old(tmp_path, put(tmp_path, "bb", next_generation(tmp_path)))
    assert newest_catalogue(tmp_path, KEY) is not None


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "terms-a/../b.seg", "", "terms-.seg"])
def test_a_segment_stands_in_the_directory_alone(tmp_path: Path, name: str) -> None:
    put(tmp_path, "aa", 1, name)
    assert newest_catalogue(tmp_path, KEY) is None


def test_what_nothing_needs_is_thrown_away(tmp_path: Path) -> None:
    put(tmp_path, "aa", 1, "terms-1.seg")
    newest = put(tmp_path, "bb", 2, "terms-2.seg")
    kept = ["lock", "terms-2.seg", "vectors-x-bb.i8", catalogue_path(tmp_path, newest).name]
    old = ["terms-1.seg", "terms-bb.seg", "vectors-x-aa.i8", "_ktw_1.toc", ".x.tmp"]
    for name in (*kept[:3], *old):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "directory").mkdir()
    drop_old(tmp_path, newest)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == sorted([*kept, "directory"])


# --- the lock ----------------------------------------------------------------------------------

HOLDER = (
    "import sys, time\nfrom pathlib import Path\nfrom ktw.generations import write_lock\n"
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
