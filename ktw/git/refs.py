"""Keep files in the tree of a ref of our own, without touching index or work tree.

This is how the ledger and the notes are written; what their files say is for others.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from git import GitCommandError, Repo

from ktw.git.objects import Objects
from ktw.git.repository import GitFailed, Repository
from ktw.git.writing import opened

_TRIES, _PAUSE_S = 8, 0.25


Files = Mapping[str, bytes | None]


def write_files(repository: Repository, ref: str, files: Files, message: str) -> str:
    """Put files into the tree that `ref` holds (None takes one out), as a new commit on it.

    Neither index nor work tree is touched, nor another ref where `ref` is a symbolic one; a
    concurrent writer is not overwritten. Raises GitFailed.
    """
    return rewrite_files(repository, ref, lambda _objects, _tip: files, message)


def rewrite_files(
    repository: Repository, ref: str, files: Callable[[Objects, str], Files], message: str
) -> str:
    """Like `write_files`, of files that are made from what the commit `ref` stands for holds ("":
    there is none), and made anew where another writer was faster. No files: "", nothing is done.
    """
    with opened(repository) as repo, Objects(repository) as objects:
        for _ in range(_TRIES):
            old = _tip(repo, ref)
            wanted = files(objects, old)
            done = _write_once(repo, ref, old, wanted, message) if wanted else ""
            if done or not wanted:
                return done
            time.sleep(_PAUSE_S)
    raise GitFailed("git update-ref", f"{ref} keeps changing")


def _write_once(repo: Repo, ref: str, old: str, files: Files, message: str) -> str:
    git = repo.git
    with tempfile.TemporaryDirectory(prefix="ktw-") as scratch:
        own = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        if old:
            git.read_tree(old, env=own)
        rows = "".join(_index_rows(repo, Path(scratch), files, len(old)))
        _told(git.update_index, Path(scratch), rows, "--index-info", env=own)
        tree = git.write_tree(env=own)
    parents = ["-p", old] if old else []
    new = str(git.commit_tree("--no-gpg-sign", tree, *parents, "-m", message))
    try:
        git.update_ref("--no-deref", ref, new, old or "0" * len(new))
    except GitCommandError:
        if _tip(repo, ref) != old:
            return ""
        raise
    return new


def _index_rows(repo: Repo, scratch: Path, files: Files, width: int) -> Iterator[str]:
    """What `update-index --index-info` reads, the contents stored as blobs."""
    contents = [data for data in files.values() if data is not None]
    places = [scratch / f"content-{at}" for at in range(len(contents))]
    for place, content in zip(places, contents, strict=True):
        place.write_bytes(content)
    names = "".join(f"{place}\n" for place in places)
    asked = ("-w", "--no-filters", "--stdin-paths")
    oids = iter(_told(repo.git.hash_object, scratch, names, *asked).split())
    nothing = "0" * width
    for path, data in files.items():
        yield f"0 {nothing}\t{path}\n" if data is None else f"100644 {next(oids)}\t{path}\n"


def _told(
    call: Callable[..., object], scratch: Path, text: str, *arguments: str, **options: object
) -> str:
    """Call git with `text` on its standard input."""
    given = scratch / "stdin"
    given.write_text(text, encoding="utf-8", newline="")
    with given.open("rb") as stream:
        return str(call(*arguments, istream=stream, **options))


def take_back(repository: Repository, ref: str, made: str, files: Files) -> None:
    """Undo what `write_files` made of `files`; where others wrote since, only what it added."""
    with opened(repository) as repo:
        _, *parents = str(repo.git.rev_list("--parents", "--max-count=1", made)).split()
        try:
            here = (ref, parents[0], made) if parents else ("-d", ref, made)
            repo.git.update_ref("--no-deref", *here)
            return
        except GitCommandError:
            if _tip(repo, ref) == made:
                raise
    added = {path: None for path, data in files.items() if data is not None}
    write_files(repository, ref, added, "Take back what could not be recorded whole")


def _tip(repo: Repo, ref: str) -> str:
    """The object that exactly `ref` names, "" for none."""
    rows = str(repo.git.for_each_ref("--format=%(refname) %(objectname)", ref)).splitlines()
    return next((row.split()[1] for row in rows if row.split()[0] == ref), "")
