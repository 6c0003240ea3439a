"""Write to git for a person who asked: commits of exact paths, branches, clone settings.

GitPython is met here, in `ktw.git.log` and in `ktw.git.refs` alone. The person's staged work is
never mixed in.
"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from git import (
    GitCommandError,
    GitCommandNotFound,
    InvalidGitRepositoryError,
    NoSuchPathError,
    Repo,
)

from ktw.errors import KtwError, visible
from ktw.git.repository import GitFailed, Repository, environment, executable, first_line

_LOCK_TRIES, _LOCK_PAUSE_S = 8, 0.25
_COMMIT_TIMEOUT_S = 120
_VERB = re.compile(r"[a-z]+(?:-[a-z]+)*")
_IN_PROGRESS = {
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisect",
}


class NoIdentity(KtwError):
    """git does not know who commits."""


def operation_in_progress(repository: Repository) -> str | None:
    """What is half done in this work tree, in words, or None."""
    found = (told for name, told in _IN_PROGRESS.items() if (repository.git_dir / name).exists())
    return next(found, None)


@contextmanager
def opened(repository: Repository) -> Iterator[Repo]:
    """A GitPython repository under a scrubbed environment, its processes closed at the end.

    What git refuses inside is raised as GitFailed.
    """
    kept = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment(kept, repository) | {"GIT_OPTIONAL_LOCKS": "1"})
    try:
        with Repo(repository.toplevel, expand_vars=False) as repo:
            yield repo
    except GitCommandError as error:
        raise _failed(error) from error
    except (InvalidGitRepositoryError, NoSuchPathError, GitCommandNotFound) as error:
        raise GitFailed("git", visible(str(error))) from error
    finally:
        os.environ.clear()
        os.environ.update(kept)


def _failed(error: GitCommandError) -> GitFailed:
    words = error.command.split() if isinstance(error.command, str) else error.command
    verb = next((str(word) for word in words[1:] if _VERB.fullmatch(str(word))), "")
    text = _said(error.stderr, "stderr") or _said(error.stdout, "stdout")
    return GitFailed(f"git {verb}".strip(), first_line(text.encode()))


def _said(text: object, stream: str) -> str:
    """What git wrote, out of the quotation marks that GitPython puts around it."""
    return str(text or "").strip().removeprefix(f"{stream}: '").removesuffix("'").strip()


def identity(repository: Repository) -> str:
    """Who commits here, `Name <address>`; raises NoIdentity."""
    with opened(repository) as repo:
        try:
            told = str(repo.git.var("GIT_COMMITTER_IDENT"))
        except GitCommandError as error:
            raise NoIdentity(
                "git does not know who you are, so nobody could have approved this",
                'Tell it: git config user.name "Your Name"; git config user.email you@example.org',
            ) from error
    return told.rpartition(">")[0] + ">"


def head_ref(repository: Repository) -> str | None:
    """The full name of the branch that HEAD stands for, None when detached."""
    with opened(repository) as repo:
        try:
            return str(repo.git.symbolic_ref("--quiet", "HEAD"))
        except GitCommandError:
            return None


def upstream_ref(repository: Repository) -> str | None:
    """The full name of the current branch's upstream, None without one."""
    with opened(repository) as repo:
        try:
            return str(repo.git.rev_parse("--symbolic-full-name", "@{upstream}"))
        except GitCommandError:
            return None


def start_branch(repository: Repository, name: str) -> None:
    """Make a branch at HEAD and switch to it, the work tree as it is; raises GitFailed."""
    with opened(repository) as repo:
        repo.git.switch("--create", name)


def leave_branch(repository: Repository, name: str) -> None:
    """Go back to where `start_branch` came from and remove the branch, which holds nothing new."""
    with opened(repository) as repo:
        repo.git.switch("-")
        repo.git.branch("--delete", "--force", name)


def commit_paths(repository: Repository, paths: Sequence[str], message: str) -> str | None:
    """Commit exactly `paths` (from the toplevel) as they are in the work tree; the new commit's id.

    None where HEAD holds them like that already. Hooks and signing run as the person configured
    them. Raises GitFailed with git's reason; then the index is as it was before.
    """
    literal = [f":(literal,top){path}" for path in paths]
    with opened(repository) as repo:
        tracked = set(str(repo.git.ls_files("-z", "--", *literal)).split("\0"))
        untracked = [f":(literal,top){path}" for path in paths if path not in tracked]
        if not untracked and _is_committed(repo, literal):
            return None
        with _announced(repo, untracked):
            _patiently(_commit, repo, "--only", "--quiet", f"--message={message}", "--", *literal)
        return str(repo.git.rev_parse("HEAD"))


def _is_committed(repo: Repo, pathspecs: Sequence[str]) -> bool:
    try:
        return not repo.git.diff("--name-only", "HEAD", "--", *pathspecs)
    except GitCommandError:  # an unborn branch
        return False


def _commit(repo: Repo, *arguments: str) -> None:
    """Run `git commit`, asked to end (so that it removes its locks) where a hook or signer hangs.

    Its output goes to a file: a hook that outlives it would keep a pipe open.
    """
    command = [executable(), "commit", *arguments]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=repo.working_dir,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            status = process.wait(_COMMIT_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            told = f"no answer in {_COMMIT_TIMEOUT_S} s: a hook or a signing program hangs"
            raise GitCommandError(command, 1, told) from error
        finally:
            process.terminate()
            process.wait()
        output.seek(0)
        if status:
            raise GitCommandError(command, status, output.read())


@contextmanager
def _announced(repo: Repo, untracked: Sequence[str]) -> Iterator[None]:
    """Tell the index that these files will come, and take it back where the commit fails."""
    if not untracked:
        yield
        return
    done = False
    try:
        # Of several files git adds the others where it refuses one.
        _patiently(repo.git.add, "--intent-to-add", "--", *untracked)
        yield
        done = True
    finally:
        if not done:
            _patiently(repo.git.rm, "--cached", "--quiet", "--ignore-unmatch", "--", *untracked)


def _patiently(call: Callable[..., object], *arguments: object) -> object:
    """Call git, waiting a little for another git process that holds the index."""
    for _ in range(_LOCK_TRIES):
        try:
            return call(*arguments)
        except GitCommandError as error:
            if "index.lock" not in str(error.stderr):
                raise
            time.sleep(_LOCK_PAUSE_S)
    return call(*arguments)


def set_clone_settings(repository: Repository, settings: Mapping[str, Sequence[str]]) -> None:
    """Write values into this clone's own git config, each key with exactly these values."""
    with opened(repository) as repo:
        for key, values in settings.items():
            try:
                repo.git.config("--local", "--unset-all", key)
            except GitCommandError as error:
                if error.status != 5:  # 5: there was none
                    raise
            for value in values:
                repo.git.config("--local", "--add", key, value)


def remotes(repository: Repository) -> dict[str, str]:
    """The names of this clone's remotes with their URLs."""
    with opened(repository) as repo:
        return {remote.name: visible(next(iter(remote.urls), "")) for remote in repo.remotes}
