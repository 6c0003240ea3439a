"""What a person calls a revision as a commit, what a commit and the work tree hold, as names.

What is asked is data: never an option, a range or a path in git's revision syntax. Nothing is
checked out, so no filter and no attribute of the repository acts.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from ktw.errors import KtwError, visible
from ktw.git.objects import Objects, TreeEntry
from ktw.git.repository import Repository, run

_REVISION = re.compile(r"([^\x00-\x20\x7f~^:?*\[\\]+)((?:[~^][0-9]{0,4}){0,20})")
_OBJECT_ID = re.compile(r"[0-9a-f]{7,64}")
_PLACES = ("refs/heads/", "refs/remotes/", "refs/tags/")
_AT_ONCE = 1_000  # paths in one call: 4 KiB each still fit what systems allow
_ADVICE = "Fetch it with its history, for example: git fetch --depth=1000 origin main"


def resolve(repository: Repository, objects: Objects, revision: str) -> str:
    """The id of the commit that a branch, tag, full ref, commit id or HEAD stands for.

    `~1` and `^2` may follow. Raises KtwError for what is none, is not here, or is ambiguous.
    """
    match = _REVISION.fullmatch(revision)
    if match is None or ".." in revision or "@{" in revision:
        raise KtwError(
            f"'{visible(revision)}' is not the name of a branch, a tag or a commit",
            "Name one commit, for example origin/main or a commit id.",
        )
    name, steps = match[1], match[2]
    start = "HEAD" if name in ("HEAD", "@") else _named(repository, objects, name)
    found = objects.commit(start + steps) if start else None
    if found is None:
        raise KtwError(f"there is no commit '{visible(revision)}' in this clone", _ADVICE)
    return found


def _named(repository: Repository, objects: Objects, name: str) -> str | None:
    """The commit id behind a ref or an abbreviated id, None where there is none."""
    wanted = [name] if name.startswith("refs/") else [place + name for place in _PLACES]
    out = run(repository, "for-each-ref", "--format=%(refname)%00%(objectname)", *wanted)
    rows = (row.partition("\0") for row in out.decode("utf-8", "surrogateescape").split("\n"))
    found = {ref: objects.commit(oid) for ref, _, oid in rows if ref in wanted}
    if len(set(found.values())) > 1:
        raise KtwError(
            f"'{visible(name)}' is ambiguous: {', '.join(visible(ref) for ref in found)}",
            "Name the one that is meant in full.",
        )
    if found:
        return next(iter(found.values()))
    return name if _OBJECT_ID.fullmatch(name) else None


def common_ancestors(repository: Repository, commit: str) -> list[str]:
    """The ids of every merge base of HEAD and `commit` (an id), as far as its history goes.

    Raises GitFailed, and KtwError where there is none.
    """
    out = run(repository, "rev-parse", f"HEAD...{commit}")
    bases = [line[1:] for line in out.decode().split() if line.startswith("^")]
    if not bases and repository.is_shallow:
        raise KtwError(
            f"this shallow clone does not reach what HEAD and {commit[:12]} share", _ADVICE
        )
    if not bases:
        raise KtwError(
            f"HEAD and {commit[:12]} share no history",
            "Name the branch that the change will be merged into.",
        )
    return bases


def tree_files(
    repository: Repository, commit: str, wanted: Callable[[str], bool]
) -> dict[str, TreeEntry]:
    """The files, links and submodules of a commit (an id) that are `wanted`, by path from top."""
    out = run(repository, "ls-tree", "-r", "-z", "--full-tree", commit)
    return dict(_tree_rows(out.decode("utf-8", "surrogateescape"), wanted))


def _tree_rows(out: str, wanted: Callable[[str], bool]) -> Iterator[tuple[str, TreeEntry]]:
    for row in out.split("\0")[:-1]:
        facts, _, path = row.partition("\t")
        if wanted(path):
            mode, kind, oid = facts.split(" ")
            if kind in ("blob", "commit"):
                yield path, TreeEntry(mode, oid)


def without_diff(repository: Repository, paths: Sequence[str]) -> frozenset[str]:
    """Those of the paths (from the top) whose `diff` attribute is unset: shown as binary."""
    found: set[str] = set()
    for start in range(0, len(paths), _AT_ONCE):
        some = paths[start : start + _AT_ONCE]
        out = run(repository, "check-attr", "-z", "diff", "--", *some)
        rows = out.decode("utf-8", "surrogateescape").split("\0")
        found.update(
            path for path, value in zip(rows[::3], rows[2::3], strict=False) if value == "unset"
        )
    return frozenset(found)


def work_files(repository: Repository, wanted: Callable[[str], bool]) -> dict[str, bool]:
    """The `wanted` files that git tracks here, or would; False for one a sparse checkout left out.

    Of what is listed some may be gone from the disk.
    """
    asked = ("ls-files", "-t", "-z", "--cached", "--others", "--exclude-standard")
    out = run(repository, *asked).decode("utf-8", "surrogateescape")
    rows = ((row[:1], row[2:]) for row in out.split("\0")[:-1])
    return {path: tag != "S" for tag, path in rows if wanted(path) and not path.endswith("/")}
