"""Find the repository around a directory and ask git plain questions about it.

The environment is scrubbed before each call, so a calling hook's GIT_DIR or GIT_INDEX_FILE never
leads somewhere else; git itself still decides whether it accepts the repository (its owner).
"""

import os
import stat
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from ktw.errors import KtwError, visible

_KEPT_VARIABLES = frozenset(
    {
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_EXEC_PATH",
        "GIT_SSL_CAINFO",
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_DATE",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_DATE",
    }
)
_QUIET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.path.join(os.devnull, "none"),  # noqa: PTH118 (no file: grafts off)
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_HARMLESS = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "log.showSignature=false",
    "-c",
    "log.diffMerges=separate",
)
_TIMEOUT_S = 60
_MAX_POINTER = 64 * 1024
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class NoRepository(KtwError):
    """The directory is in no git work tree."""


class GitFailed(KtwError):
    """git answered with an error; `reason` is its own first line, escaped."""

    def __init__(self, what: str, reason: str, todo: str = "") -> None:
        super().__init__(f"{what}: {reason}", todo or _advice(reason))
        self.asked, self.reason = what, reason


class Repository(NamedTuple):
    """A work tree and its two git directories (the same one unless it is a linked worktree)."""

    toplevel: Path
    git_dir: Path
    common_dir: Path

    @property
    def is_shallow(self) -> bool:
        return (self.common_dir / "shallow").exists()

    def work_trees(self) -> list[Path]:
        """This work tree, the main one and the linked ones, as far as git's files name them."""
        trees = [self.toplevel]
        if self.common_dir.name == ".git":
            trees.append(self.common_dir.parent)
        for pointer in (self.common_dir / "worktrees").glob("*/gitdir"):
            place = _resolved(pointer.parent, small_text(pointer))
            if place is not None:
                trees.append(place.parent)
        return trees

    def displaced(self) -> Path | None:
        """A git directory in the work tree itself that no `.git` is around: anyone's files."""
        for directory in (self.git_dir, self.common_dir):
            place = _resolved(directory, "")
            if place is None:
                return directory
            inner = place.parts[len(self.toplevel.parts) :]
            if place.is_relative_to(self.toplevel) and ".git" not in inner:
                return place
        return None


def find_repository(start: Path) -> Repository:
    """The repository whose work tree holds `start`; raises NoRepository.

    Follows gitrepository-layout(5): a `.git` directory, or a `.git` file that names one (linked
    worktrees and submodules), whose `commondir` names the shared one.
    """
    here = start.resolve()
    for directory in (here, *here.parents):
        git_dir = _git_dir_at(directory)
        if git_dir is not None:
            return Repository(directory, git_dir, _common_dir(git_dir))
    raise NoRepository(
        f"{visible(str(here))} is not inside a git work tree",
        "Run this in a repository, or make one with: git init",
    )


def _git_dir_at(directory: Path) -> Path | None:
    dot_git = directory / ".git"
    if stat.S_ISDIR(_mode(dot_git)):
        return dot_git if _mode(dot_git / "HEAD") else None
    text = small_text(dot_git)
    if text is None or not text.startswith("gitdir:"):
        return None
    target = _resolved(directory, text.removeprefix("gitdir:").strip())
    return target if target is not None and _mode(target / "HEAD") else None


def _common_dir(git_dir: Path) -> Path:
    pointer = git_dir / "commondir"
    if not _mode(pointer):
        return git_dir
    place = _resolved(git_dir, small_text(pointer))
    if place is None:
        raise KtwError(
            f"{visible(str(pointer))} is not a file that git wrote",
            "Nothing is read through it; mend or make the repository anew.",
        )
    return place


def _mode(path: Path) -> int:
    """What stands at the end of a path, links followed; 0 where the system shows nothing."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def small_text(path: Path) -> str | None:
    """The text of a small regular file that names a path; waits for no FIFO. None: it is none."""
    if not stat.S_ISREG(_mode(path)):
        return None
    try:
        with os.fdopen(os.open(path, _OPEN_FLAGS), "rb") as file:
            regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            data = file.read(_MAX_POINTER + 1) if regular else b"\0"
    except OSError:
        return None
    if len(data) > _MAX_POINTER or b"\0" in data:
        return None
    return data.decode("utf-8", "surrogateescape").strip()


def _resolved(base: Path, text: str | None) -> Path | None:
    """The place that `text` names from `base`, or None where the system knows no such path."""
    try:
        return None if text is None else (base / text).resolve()
    except (OSError, ValueError, RuntimeError):
        return None


@cache
def executable() -> str:
    """The absolute path of git, never one that lies in the current directory."""
    found = _on_path("git") if os.name == "posix" else _on_path_of_windows("git")
    if found is None or not Path(found).is_absolute():
        raise KtwError("git is not on the PATH", "Install git 2.30 or newer and try again.")
    return found


def _on_path(name: str) -> str | None:
    places = (f"{directory}/{name}" for directory in os.get_exec_path() if directory[:1] == "/")
    return next((place for place in places if _is_program(place)), None)


def _is_program(place: str) -> bool:
    return os.access(place, os.X_OK) and stat.S_ISREG(_mode(Path(place)))


def _on_path_of_windows(name: str) -> str | None:
    from shutil import which  # costs 3 ms, and knows the endings of programs there

    return which(name)


def environment(base: Mapping[str, str], repository: Repository) -> dict[str, str]:
    """`base` without the GIT_* variables that would redirect git, plus those that keep it quiet.

    git may not look above the toplevel: where it rejects what stands there, it says so.
    """
    kept = {
        name: value
        for name, value in base.items()
        if not name.startswith("GIT_") or name in _KEPT_VARIABLES
    }
    return kept | _QUIET | {"GIT_CEILING_DIRECTORIES": str(repository.toplevel.parent)}


def command(arguments: Sequence[str]) -> list[str]:
    """The full argument vector of one harmless git call."""
    return [executable(), *_HARMLESS, *arguments]


def run(
    repository: Repository,
    *arguments: str,
    accept: Sequence[int] = (0,),
) -> bytes:
    """The standard output of one git call at the work tree's top; raises GitFailed."""
    return begin(repository, *arguments, accept=accept)()


def begin(
    repository: Repository,
    *arguments: str,
    accept: Sequence[int] = (0,),
) -> Callable[[], bytes]:
    """The same call under way: what is given back waits for its output; raises GitFailed then."""
    process = subprocess.Popen(
        command(arguments),
        cwd=repository.toplevel,
        env=environment(os.environ, repository),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    return partial(_output, process, arguments[0], accept)


def _output(process: "subprocess.Popen[bytes]", asked: str, accept: Sequence[int]) -> bytes:
    with process:
        try:
            out, told = process.communicate(timeout=_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            process.kill()
            raise GitFailed(f"git {asked}", f"no answer in {_TIMEOUT_S} s") from error
        except BaseException:
            process.kill()
            raise
    if process.returncode not in accept:
        raise GitFailed(f"git {asked}", first_line(told))
    return out


def first_line(stderr: bytes) -> str:
    """git's own reason, on one line and escaped."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    told = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    return visible(told[0]) if told else "no reason given"


def _advice(reason: str) -> str:
    if "dubious ownership" in reason:
        path = reason.partition(" at ")[2] or "<its path>"
        return f"If you trust its owner: git config --global --add safe.directory {path}"
    if ".lock" in reason and "File exists" in reason:
        return "Another git is at work here, or one died: when none runs, delete that file."
    return ""


def check_accepted(repository: Repository) -> None:
    """Raise GitFailed, with git's own reason, where git does not accept the repository."""
    run(repository, "rev-parse", "--git-dir")


def merge_bases(repository: Repository, commit: str) -> list[str] | None:
    """The ids of every merge base of HEAD and `commit` (an id); None when git cannot tell."""
    if repository.is_shallow:
        return None
    try:
        out = run(repository, "rev-parse", f"HEAD...{commit}")
    except GitFailed:
        return None
    return [line[1:] for line in out.decode().split() if line.startswith("^")]
