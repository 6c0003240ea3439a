"""Record an approval or its withdrawal whole or not at all: files, ledger entries, one commit.

What is approved, and whether it may be, was decided before.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

from ktw import ledger
from ktw.boundaries import Unreadable, read_regular
from ktw.errors import visible
from ktw.git import GitFailed
from ktw.memory import MemoryFile
from ktw.store import Project, replace, write_new

LedgerFiles = Mapping[str, bytes | None]


@dataclass(frozen=True)
class Change:
    """A file of the project to be written: its path, what it held (None: a new one), will hold."""

    path: str
    old: bytes | None
    new: bytes


@dataclass(frozen=True)
class Act:
    """What an approval or a withdrawal writes. `entries` of the ledger are as for `write_files`.

    `approved` are the files whose words it approves, as they will be.
    """

    changes: Sequence[Change] = ()
    entries: LedgerFiles = field(default_factory=dict)
    approved: Sequence[MemoryFile] = ()


def record(project: Project, act: Act, message: str, commit: bool = True) -> str | None:
    """Write the files and the ledger's entries and commit exactly those files; the commit's id.

    Where anything fails all of it is as it was before, but for
    files that somebody else changed meanwhile. Raises Changed, GitFailed, KtwError.
    """
    from ktw.git.writing import commit_paths

    changes, title = act.changes, message.partition("\n")[0]
    with _written(project, changes), _entered(project, act.entries, title):
        if not commit:
            return None
        paths = [project.git_path(change.path) for change in changes]
        try:
            return commit_paths(project.repository, paths, message)
        except GitFailed as error:
            raise _explained(project, changes, error) from error


@contextmanager
def _written(project: Project, changes: Sequence[Change]) -> Iterator[None]:
    with ExitStack() as undo:
        for change in changes:
            _write(project, change)
            undo.callback(_put_back, project, change)
        yield
        undo.pop_all()


def _write(project: Project, change: Change) -> None:
    path = project.root / change.path
    if change.old is not None:
        replace(path, change.new, change.old)
        return
    path.parent.mkdir(exist_ok=True)
    write_new(path, change.new)


def _put_back(project: Project, change: Change) -> None:
    path = project.root / change.path
    if not _holds(project, change):
        return
    if change.old is not None:
        replace(path, change.old, change.new)
        return
    path.unlink()
    with suppress(OSError):  # others may have put something there
        path.parent.rmdir()


def _holds(project: Project, change: Change) -> bool:
    path = project.root / change.path
    try:
        return read_regular(path, path.parent, len(change.new)) == change.new
    except Unreadable:
        return False


@contextmanager
def _entered(project: Project, entries: LedgerFiles, title: str) -> Iterator[None]:
    from ktw.git.refs import take_back, write_files

    with ExitStack() as undo:
        if entries:
            made = write_files(project.repository, ledger.REF, entries, title)
            undo.callback(take_back, project.repository, ledger.REF, made, entries)
        yield
        undo.pop_all()


def _explained(project: Project, changes: Sequence[Change], error: GitFailed) -> GitFailed:
    changed = [change.path for change in changes if not _holds(project, change)]
    if changed:
        todo = (
            f"Meanwhile {visible(', '.join(changed))} was changed, by a hook it seems: it was left "
            "like that, with a claim that does not count. Look at it, then approve what it says."
        )
    else:
        todo = error.todo or "Nothing was approved or withdrawn: the files are as they were."
    return GitFailed(error.asked, error.reason, todo)
