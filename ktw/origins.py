"""Whether a file that git config names, or a config file itself, lies among files of a work tree.

Whoever writes those files would decide what only this clone's owner may.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ktw.git import Repository

_MAX_LINKS = 40


def in_work_tree(repository: Repository, origin: Path | None) -> bool:
    """True where a config file, or a link on the way to it, lies in a work tree of this clone."""
    return origin is None or any(_is_tracked(repository, place) for place in _places(origin))


def _places(path: Path) -> Iterator[Path]:
    """Where a path leads, link by link: whoever may write one of these may write its content."""
    for _ in range(_MAX_LINKS):
        yield Path(os.path.normpath(path))
        place = path.parent.resolve() / path.name
        yield place
        if not place.is_symlink():
            return
        path = place.parent / place.readlink()


def _is_tracked(repository: Repository, place: Path) -> bool:
    """True where the innermost directory of this clone around `place` is a work tree."""
    own = (repository.git_dir, repository.common_dir)
    return _depth(place, repository.work_trees()) > _depth(place, own)


def _depth(place: Path, directories: Sequence[Path]) -> int:
    around = (len(each.parts) for each in directories if place.is_relative_to(each))
    return max(around, default=0)
