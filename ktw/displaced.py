"""Which approved words of a commit are not what the work tree holds: edited here, gone, renamed.

Compares names and blob ids, reads what differs, and keeps the answer in the git directory. Whether
the words are approved, and what the work tree holds instead, is judged elsewhere, each time anew.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ktw.boundaries import Unreadable
from ktw.catalogue import Catalogue
from ktw.derived import read_sealed, write_sealed
from ktw.evidence import Evidence, shared
from ktw.fields import claim_holds
from ktw.git import GitFailed, TreeEntry
from ktw.memory import MemoryFile, parse_memory
from ktw.outlines import Outline, Seen, files_per_id, plain_id
from ktw.scan import is_memory_name
from ktw.store import Project, read_bytes

_SCHEMA = 2
_HEAD = "HEAD"


class Displaced(NamedTuple):
    """A file of a commit with a claim that holds there. `path` is the project's, `oid` git's.

    `at_ref`: the commit is the trust ref's, else HEAD's. `shares_id`: another file of that commit
    carries an Id of it.
    """

    at_ref: bool
    path: str
    oid: str
    shares_id: bool


def differing(
    tree: Mapping[str, TreeEntry], here: Mapping[str, str], doubted: Collection[str] = ()
) -> list[str]:
    """The memory files of a tree whose words are not those under the same name here, sorted.

    `here`: name to blob id; `doubted` names count as different whatever they hold. Pure.
    """
    rows = ((name, entry) for name, entry in tree.items() if entry.is_file)
    return sorted(
        name
        for name, entry in rows
        if is_memory_name(name) and (name in doubted or here.get(name) != entry.oid)
    )


def may_differ(evidence: Evidence, seen: Sequence[Seen]) -> bool:
    """False where every file of those commits stands in the work tree as it does there: then
    nothing is displaced, and no index need be asked."""
    outlines = {one.name: one.outline for one in seen if isinstance(one.outline, Outline)}
    twice = shared(files_per_id(seen))
    doubted = {
        name for name, one in outlines.items() if twice.intersection(map(str.lower, one.ids))
    }
    for commit in _commits(evidence).values():
        try:
            home = evidence.home(commit)
            tree = evidence.objects.directory(commit, evidence.project.git_path(home or ""))
        except GitFailed:
            continue
        if home is None or tree is None:
            continue
        here = {
            name: entry.oid
            for name, entry in tree.items()
            if name in outlines and entry.oid in outlines[name].blob_ids
        }
        if home != evidence.project.context_name or differing(tree, here, doubted):
            return True
    return False


def displaced(evidence: Evidence, catalogue: Catalogue, keep: bool = True) -> list[Displaced]:
    """What this clone's policy may hold in force beside the work tree, HEAD's before the trust
    ref's; asks git for nothing new where neither a commit nor a file has changed.

    `keep`: whether the answer may be kept on disk, as it may for an index that is. One for which
    git could not read everything is not: it may be able to later.
    """
    commits = _commits(evidence)
    if not commits:
        return []
    path = evidence.project.repository.git_dir / "ktw" / "displaced.json"
    key = [_SCHEMA, evidence.project.prefix, evidence.project.context_name]
    key += [*map(list, commits.items()), catalogue.build, catalogue.generation]
    known = _read(path, key) if keep else None
    if known is None:
        known, unread = [], list[GitFailed]()
        for at, commit in commits.items():
            known += _found(evidence, catalogue, at, commit, unread)
        if keep and not unread:
            write_sealed(path, json.dumps({"key": key, "rows": known}).encode())
    return known


def _commits(evidence: Evidence) -> dict[str, str]:
    """The commits whose words may be in force here, by the name of what stands for them.

    The trust ref where merged approvals count; HEAD where this clone's own ones or signatures do.
    """
    policy = evidence.reading.policy
    if policy is None:
        return {}
    found: dict[str, str] = {}
    if {"local", "signed"}.intersection(policy.methods):
        try:
            found[_HEAD] = evidence.objects.commit(_HEAD) or ""
        except GitFailed:
            found[_HEAD] = ""
    if "merged" in policy.methods:
        found["ref"] = evidence.trust_tip or ""
    return {at: commit for at, commit in found.items() if commit}


def _read(path: Path, key: list[object]) -> list[Displaced] | None:
    try:
        kept = json.loads(read_sealed(path) or b"")
        return [Displaced(*row) for row in kept["rows"]] if kept["key"] == key else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _found(
    evidence: Evidence, catalogue: Catalogue, at: str, commit: str, unread: list[GitFailed]
) -> list[Displaced]:
    """The rows of one commit; what git cannot read cannot be shown, and is told in `unread`."""
    project = evidence.project
    try:
        home = evidence.home(commit)
        tree = evidence.objects.directory(commit, project.git_path(home)) if home else None
    except GitFailed as error:
        unread.append(error)
        return []
    if home is None or tree is None:
        return []
    known = catalogue.columns
    moved = home != project.context_name
    here = {} if moved else dict(zip(known.names, known.blobs, strict=True))
    carriers = catalogue.carriers()
    doubted = {name for names in carriers.values() if len(names) > 1 for name in names}
    asked = ((name, tree[name].oid, name in doubted) for name in differing(tree, here, doubted))
    files = {
        name: file
        for name, oid, doubt in asked
        if (file := _other_words(evidence, f"{home}/{name}", oid, doubt, unread))
    }
    kept = tree.keys() & here.keys() - files.keys()
    count = Counter({id_: len(kept.intersection(names)) for id_, names in carriers.items()})
    count.update(id_ for file in files.values() for id_ in _ids(file))
    return [
        Displaced(at != _HEAD, file.path, tree[name].oid, any(count[id_] > 1 for id_ in _ids(file)))
        for name, file in files.items()
        if claim_holds(file)
    ]


def _other_words(
    evidence: Evidence, path: str, oid: str, doubted: bool, unread: list[GitFailed]
) -> MemoryFile | None:
    """A file as git has it; None where the work tree holds the same, line ends aside, or git
    cannot read it."""
    try:
        data = evidence.objects.blob(oid)
    except GitFailed as error:
        unread.append(error)
        return None
    return (
        None if not doubted and _is_here(evidence.project, path, data) else parse_memory(path, data)
    )


def _is_here(project: Project, path: str, data: bytes) -> bool:
    directory, _, name = path.rpartition("/")
    if directory != project.context_name:
        return False
    try:
        ours = read_bytes(project, name)
    except Unreadable:
        return False
    return plain_id(ours) == plain_id(data)


def _ids(file: MemoryFile) -> set[str]:
    return {id_.lower() for id_ in file.ids}
