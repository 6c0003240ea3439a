"""The commits that touched a file or the files of a directory, across renames, and what each
commit brought."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ktw.git.repository import GitFailed, Repository, run
from ktw.git.writing import opened

_FORMAT = "%H%n%an <%ae>%n%aI%n%s"
_HEADER = re.compile(r"\n?([0-9a-f]{40,64})\n(.*)\n(\S+)\n(.*)\n?")
_CHANGE = re.compile(r"\n?([A-Z])[0-9]*")
_AUTHOR = re.compile(r"\n?([0-9a-f]{40,64})\n(.*)\n(.*)\n?")
_RAW = re.compile(r"\n?:[0-7]{6} [0-7]{6} [0-9a-f]+ ([0-9a-f]+) ([A-Z])[0-9]*")
_HARMLESS = [
    "protocol.allow=never",
    "log.showSignature=false",
    "core.fsmonitor=false",
    "i18n.logOutputEncoding=UTF-8",
]


class Touch(NamedTuple):
    """One commit that touched a file; `change` is git's letter (A, M, D, R) and `path` then.

    `was` is the path before a renaming, "" for another change.
    """

    commit: str
    by: str
    at: str
    subject: str
    change: str
    path: str
    was: str = ""


class Brought(NamedTuple):
    """A file as one commit brought it: its content and its path from the toplevel."""

    commit: str
    author: str
    email: str
    oid: str
    path: str


def brought(repository: Repository, tips: Sequence[str], directory: str) -> list[Brought]:
    """Every version of a file below `directory` in the history of `tips`, ancestors first.

    One git process. A merge counts as bringing what differs from a parent. Raises GitFailed.
    """
    if not tips:
        return []
    arguments = ["log", "--topo-order", "--reverse", "--full-history", "-m", "--raw", "-z"]
    arguments += ["--no-abbrev", "--no-renames", "--encoding=UTF-8", "--format=%H%n%an%n%ae", *tips]
    out = run(repository, *arguments, "--", f":(literal,top){directory}")
    return list(_brought(out.decode("utf-8", "surrogateescape")))


def _brought(out: str) -> Iterator[Brought]:
    """A path follows its own raw line, so no name and no author can pass for another commit."""
    commit = author = email = ""
    fields = iter(out.split("\0"))
    for field in fields:
        if raw := _RAW.fullmatch(field):
            path = next(fields, "")
            if raw[2] != "D":
                yield Brought(commit, author, email, raw[1], path)
        elif told := _AUTHOR.fullmatch(field):
            commit, author, email = told[1], told[2], told[3]


def commit_id(repository: Repository, revision: str) -> str:
    """The id of the commit that a person's revision names; raises GitFailed."""
    asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    return run(repository, *asked).decode().strip()


def touches(repository: Repository, path: str) -> list[Touch]:
    """Every commit that touched `path` (from the toplevel), newest first; raises GitFailed."""
    return _log(repository, path, "--follow")


def first_times(repository: Repository, directory: str) -> dict[str, str]:
    """When each file below `directory` (from the toplevel) was first committed under whatever name
    there, as its author's clock had it (ISO 8601); raises GitFailed.

    Nothing in a shallow clone, which does not have those commits.
    """
    found: dict[str, str] = {}
    if repository.is_shallow:
        return found
    for touch in _log(repository, directory, "--reverse", "--topo-order", "--find-renames"):
        if touch.change == "D":
            found.pop(touch.path, None)
        else:
            found.setdefault(touch.path, found.pop(touch.was, touch.at))
    return found


def _log(repository: Repository, path: str, *options: str) -> list[Touch]:
    try:
        with opened(repository) as repo:
            git = repo.git(c=_HARMLESS, literal_pathspecs=True)
            out = git.log(*options, "--name-status", "-z", f"--format={_FORMAT}", "--", path)
    except GitFailed as error:
        if "does not have any commits" in error.reason:
            return []
        raise
    return list(_touches(str(out)))


def _touches(out: str) -> Iterator[Touch]:
    """A change is followed by its path, or (renamed, copied) by the old path and the new one."""
    told = ("", "", "", "")
    fields = iter(out.split("\0"))
    for field in fields:
        if header := _HEADER.fullmatch(field):
            told = (header[1], header[2], header[3], header[4])
        elif change := _CHANGE.fullmatch(field):
            path, was = next(fields, ""), ""
            if change[1] in "RC":
                path, was = next(fields, ""), path
            yield Touch(*told, change[1], path, was if change[1] == "R" else "")
