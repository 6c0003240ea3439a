"""What git looks at before it opens a repository: as long as none of it moved, a git that has it
open stands where a new one would.
"""

from pathlib import Path
from typing import NamedTuple

from ktw.git.repository import Repository


class Seen(NamedTuple):
    """What tells a file or directory from another state of it; all 0 where nothing is seen."""

    device: int = 0
    inode: int = 0
    mode: int = 0
    owner: int = 0
    size: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0


def seen(place: Path) -> Seen:
    """What stands at the end of a path now."""
    try:
        facts = place.stat()
    except (OSError, ValueError):
        return Seen()
    times = facts.st_mtime_ns, facts.st_ctime_ns
    return Seen(facts.st_dev, facts.st_ino, facts.st_mode, facts.st_uid, facts.st_size, *times)


def opening(repository: Repository) -> list[Seen]:
    """Whose the repository is, whether it is one, how it is set up and where its objects lie
    (gitrepository-layout(5)). Of directories, not when their content moved."""
    git_dir, common = repository.git_dir, repository.common_dir
    directories = (repository.toplevel, git_dir, common, common / "objects", common / "refs")
    own = (git_dir / "HEAD", *own_configs(repository), common / "objects" / "info" / "alternates")
    whose = [seen(place)._replace(size=0, mtime_ns=0, ctime_ns=0) for place in directories]
    return [*whose, *map(seen, own)]


def own_configs(repository: Repository) -> list[Path]:
    """The config files of the repository itself, there or not."""
    return [repository.common_dir / "config", repository.git_dir / "config.worktree"]
