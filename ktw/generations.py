"""The directory of the index: who may write it and when, which catalogue is the newest, and what
may be thrown away.

The rename that puts a catalogue in its place is the one moment at which a change becomes visible;
each catalogue names the segments that it goes with. No segment is ever changed.
"""

import os
import re
import stat
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ktw.catalogue import Catalogue, SegmentFile
from ktw.catalogue_file import read_catalogue
from ktw.derived import is_linked, make_directory, write_derived
from ktw.errors import KtwError
from ktw.postings import DiskPostings, MemoryPostings, damaged
from ktw.segments import BadSegment, encoded

LOCK_NAME = "lock"
_MOST = 10**15  # past it one starts anew, so that no planted number is the last
_CATALOGUE = re.compile(r"catalogue-([0-9]{1,18})-[0-9a-f]+\.bin")


class Locked(KtwError):
    """Another process is writing the index."""


class Unusable(KtwError):
    """No index can be kept in that place: it cannot be written, or not be trusted."""


def check_directory(directory: Path) -> None:
    """Make the index's directory, or refuse one that others may write; raises Unusable."""
    try:
        make_directory(directory)
        facts = directory.lstat()
    except OSError as error:
        raise Unusable(f"the index directory cannot be made: {error.strerror}") from error
    if not stat.S_ISDIR(facts.st_mode):
        raise Unusable("the index directory is a link or a file")
    if is_linked(directory / LOCK_NAME):
        raise Unusable("the lock of the index is a link")
    if os.name != "nt" and (facts.st_uid != os.geteuid() or facts.st_mode & 0o022):
        raise Unusable("the index directory belongs to, or may be written by, someone else")


def listed(directory: Path) -> list[Path]:
    """What stands in the index's directory; nothing where another process took it away."""
    try:
        return list(directory.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


@contextmanager
def write_lock(directory: Path, patience: float) -> Iterator[None]:
    """Hold the one lock under which the index changes.

    Raises Locked when another process has it for longer than `patience` seconds, or Unusable.
    """
    from filelock import FileLock, Timeout

    check_directory(directory)
    lock = FileLock(str(directory / LOCK_NAME))
    try:
        lock.acquire(timeout=patience)
    except Timeout as error:
        raise Locked("another process is writing the index") from error
    except OSError as error:
        raise Unusable(f"the index cannot be locked: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


def catalogue_path(directory: Path, catalogue: Catalogue) -> Path:
    """The build is part of the name: two indexes may reach the same generation."""
    return directory / f"catalogue-{catalogue.generation}-{catalogue.build}.bin"


def next_generation(directory: Path) -> int:
    """A generation above all of which a catalogue stands there."""
    return max((number for number, _ in _catalogues(directory)), default=0) % _MOST + 1


def newest_catalogue(directory: Path, key: str, held: Catalogue | None = None) -> Catalogue | None:
    """The catalogue of the newest generation, None where there is not exactly one that is whole.

    `held`: one that was read before, and is not read again where it is still the newest.
    """
    found = sorted(_catalogues(directory))
    paths = [path for number, path in found if number == found[-1][0]]
    if len(paths) != 1:
        return None
    if held is not None and paths[0] == catalogue_path(directory, held):
        return held
    return read_catalogue(paths[0], key)


def _catalogues(directory: Path) -> list[tuple[int, Path]]:
    named = ((_CATALOGUE.fullmatch(path.name), path) for path in listed(directory))
    return [(int(match[1]), path) for match, path in named if match]


def drop_old(directory: Path, newest: Catalogue) -> None:
    """Throw away what neither the newest catalogue nor anything beside it of its build needs."""
    needed = {LOCK_NAME, catalogue_path(directory, newest).name}
    needed |= {segment.name for segment in newest.segments}
    for path in listed(directory):
        beside = newest.build in path.name and not path.name.startswith(("catalogue-", "terms-"))
        if path.name not in needed and not beside and not path.is_dir():
            with suppress(OSError):  # Windows: another process still has it open
                path.unlink()


def opened(directory: Path, segments: Sequence[SegmentFile]) -> DiskPostings:
    """The segments, opened for reading; raises Damaged."""
    return DiskPostings([directory / segment.name for segment in segments])


def write_segments(
    directory: Path, segments: Sequence[SegmentFile], catalogue: Catalogue, added: MemoryPostings
) -> list[SegmentFile]:
    """The segments that go with a new catalogue, given those of the one before and what was added.

    The new one also holds what is live in old ones that are too short to stay. Raises Damaged,
    Unusable.
    """
    live = sorted(catalogue.row_at)
    kept, merged = _parted(segments, live, len(added))
    return [*kept, *_segment(directory, catalogue, merged, added)]


def _parted(
    segments: Sequence[SegmentFile], live: Sequence[int], added: int
) -> tuple[Sequence[SegmentFile], Sequence[SegmentFile]]:
    """Those segments that stay, and those behind them that are written anew with the new rows.

    Each that stays has more than twice the rows of all that follows, so there are few of them; and
    more than half of its rows are live.
    """
    behind = added + sum(segment.rows for segment in segments)
    for at, segment in enumerate(segments):
        behind -= segment.rows
        alive = bisect_left(live, segment.end) - bisect_left(live, segment.first)
        if segment.rows <= 2 * max(behind, segment.rows - alive):
            return segments[:at], segments[at:]
    return segments, ()


def _segment(
    directory: Path, catalogue: Catalogue, merged: Sequence[SegmentFile], added: MemoryPostings
) -> Iterator[SegmentFile]:
    """A new segment of the live rows of those that are merged and of what was added, if any."""
    end = catalogue.next_number
    first = merged[0].first if merged else end - len(added)
    rows = sum(number >= first for number in catalogue.row_at)
    if not rows:
        return
    old = opened(directory, merged)
    try:
        data = encoded(old.segments, catalogue.row_at, added)
    except (BadSegment, OSError) as error:
        raise damaged(error) from error
    finally:
        old.close()
    segment = SegmentFile(f"terms-{os.urandom(8).hex()}.seg", rows, first, end)
    if not write_derived(directory / segment.name, data):
        raise Unusable("the index cannot be written")
    yield segment
