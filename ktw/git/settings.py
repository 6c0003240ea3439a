"""What git config states: asked each time, or kept as long as no file that git reads has moved."""

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ktw.git.opening import Seen, opening, seen
from ktw.git.repository import GitFailed, Repository, begin, run

_INCLUDE = r"^include(if\..*)?\.path$"
_UNREAD = re.compile(r"unable to read config file '(/[\w ./+-]*)': ")  # nothing told otherwise
_SETTLED_NS = 2_000_000_000  # what moved less long ago may move again within one tick of its clock


class Setting(NamedTuple):
    """One git config value: where it stands (`scope`, absolute `origin`) and what it says.

    `origin` is the path as git opened it, its links not followed.
    """

    scope: str
    origin: Path | None
    key: str
    value: str


def read_settings(repository: Repository, pattern: str) -> list[Setting]:
    """Every config value whose key matches `pattern` (a POSIX regex), with scope and origin."""
    return begin_settings(repository, pattern)()


def begin_settings(repository: Repository, pattern: str) -> Callable[[], list[Setting]]:
    """The same question under way: what is given back waits for the answer."""
    kinds = ("--null", "--show-scope", "--show-origin", "--includes")
    output = begin(repository, "config", *kinds, "--get-regexp", pattern, accept=(0, 1))
    return lambda: list(_settings(output().decode("utf-8", "surrogateescape"), repository.toplevel))


def _settings(out: str, toplevel: Path) -> Iterator[Setting]:
    fields = out.split("\0")[:-1]
    for scope, origin, pair in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        key, _, value = pair.partition("\n")
        path = None
        if origin.startswith("file:"):
            path = toplevel / origin.removeprefix("file:")
        yield Setting(scope, path, key, value)


class HeldSettings:
    """The settings of one repository that match a pattern, for a process that stays.

    git is asked again where one of the files that it reads was made, changed or removed since, or
    it would open the repository in another way or not; each time where a file includes others, or
    where git does not say which file is the system's.
    """

    def __init__(self, repository: Repository, pattern: str) -> None:
        self.repository, self._pattern = repository, pattern
        self._files = _files(repository)
        self._kept: tuple[object, list[Setting]] | None = None

    def read(self) -> list[Setting]:
        """What `read_settings` gives at this moment; raises GitFailed."""
        now_ns, looked = time.time_ns(), self._look()
        if self._kept is not None and self._kept[0] == looked:
            return self._kept[1]
        stated = read_settings(self.repository, f"{self._pattern}|{_INCLUDE}")
        own = [each for each in stated if not each.key.startswith("include")]
        moved_ns = max((max(each.mtime_ns, each.ctime_ns) for each in looked), default=now_ns)
        is_settled = moved_ns + _SETTLED_NS < now_ns
        self._kept = (looked, own) if is_settled and len(own) == len(stated) else None
        return own

    def _look(self) -> list[Seen]:
        if not self._files:
            return []
        return [*opening(self.repository), *map(seen, self._files)]


def _files(repository: Repository) -> list[Path]:
    """Every other file that git may read config from (git-config(1), FILES), there or not; none
    where the system's is not known."""
    system = _system_file(repository)
    named = [] if system is None else [system, *_global_files(os.environ)]
    return [repository.toplevel / name for name in named]


def _global_files(env: Mapping[str, str]) -> list[str]:
    if "GIT_CONFIG_GLOBAL" in env:
        return [env["GIT_CONFIG_GLOBAL"]]
    home = env.get("HOME", "")
    base = env.get("XDG_CONFIG_HOME") or f"{home}/.config"
    return [f"{base}/git/config", f"{home}/.gitconfig"]


def _system_file(repository: Repository) -> str | None:
    """The system's config file: from a value in it, or from git's complaint that it cannot be
    read."""
    try:
        out = run(repository, "config", "--system", "--null", "--show-origin", "--list")
    except GitFailed as error:
        named = _UNREAD.search(error.reason)
        return named[1] if named is not None else None
    origin = out.partition(b"\0")[0].decode("utf-8", "surrogateescape")
    return origin.removeprefix("file:") if origin.startswith("file:/") else None
