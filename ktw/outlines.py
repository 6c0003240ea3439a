"""What a verdict and a queue ask of a memory file, made from its bytes or kept from the last time.

Keyed by the bytes just read, so an edit can never pass for what was there before. What is *shown*
never comes from here: whoever shows a memory reads, parses and hashes it anew. Whoever can write
this user's git directory and read the key in this user's home (the owner's own user) could make
`verify`, `status` and the queue of a review say something false, as with the ledger or the policy
beside it; never recall, show or an approval.
"""

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ktw.boundaries import Unreadable
from ktw.fields import breaks_approval
from ktw.git import blob_id, blob_ids
from ktw.kept import Kept
from ktw.memory import MemoryFile, normalise, parse_memory
from ktw.scan import memory_names
from ktw.store import Project, read_bytes

_SCHEMA = 2


class Outline(NamedTuple):
    """One memory file without its words. `claimed` and `whole` as `trust` and `fields` mean them.

    `blob_ids`: what git may call the bytes. `plain_id`: what it would call them with line ends
    aside. `problems`: why it is no memory, in words. `anchor`: of its only entry, None for several.
    """

    blob_ids: tuple[str, ...]
    plain_id: str
    computed_hash: str
    claimed: bool
    hash_matches: bool
    whole: bool
    ids: tuple[str, ...]
    problems: tuple[str, ...]
    anchor: str | None
    origin: str | None
    kind: str | None
    created_at: str | None
    source: str | None

    @property
    def claim_holds(self) -> bool:
        """A claim in a sound file, made for the very words it holds."""
        return self.claimed and self.whole and self.hash_matches


class Seen(NamedTuple):
    """A file of the context directory as it is now: its outline, or why it was not read."""

    name: str
    outline: Outline | Unreadable


def outline(file: MemoryFile, data: bytes) -> Outline:
    """The outline of a file whose bytes are `data`."""
    return Outline(
        blob_ids=tuple(sorted(blob_ids(data, 40) | blob_ids(data, 64))),
        plain_id=plain_id(data),
        computed_hash=file.computed_hash,
        claimed=bool(file.trusted_at or file.trusted_by) and not file.problems,
        hash_matches=file.content_hash == file.computed_hash,
        whole=not breaks_approval(file),
        ids=file.ids,
        problems=tuple(problem.message for problem in file.problems),
        anchor=file.memories[0].anchor if len(file.memories) == 1 else None,
        origin=file.origin,
        kind=file.kind,
        created_at=file.created_at,
        source=file.source,
    )


def plain_id(data: bytes) -> str:
    """One name for all bytes that differ in line ends and a byte order mark alone."""
    if b"\r" not in data and not data.startswith(BOM_UTF8):
        return blob_id(data, 64)
    text = normalise(data.decode("utf-8", "surrogateescape"))
    return blob_id(text.encode("utf-8", "surrogateescape"), 64)


def survey(project: Project, keep: bool = True) -> list[Seen]:
    """Every memory file, in the order of their names, each read once; raises as `scan` does.

    `keep`: use what was found out before, and keep what is new.
    """
    kept = Kept(project.repository, "outlines", _SCHEMA) if keep else None
    checked: set[str] = set()
    seen = [_see(project, name, checked, kept) for name in memory_names(project)]
    if kept is not None:
        kept.save()
    return seen


def _see(project: Project, name: str, checked: set[str], kept: Kept | None) -> Seen:
    try:
        data = read_bytes(project, name, checked)
    except Unreadable as error:
        return Seen(name, error)
    key = blob_id(data, 64)
    row = kept.find(key) if kept is not None else None
    if row is not None:
        return Seen(name, _unpacked(key, row))
    found = outline(parse_memory(f"{project.context_name}/{name}", data), data)
    if kept is not None:
        kept.put(key, _packed(key, found))
    return Seen(name, found)


def _packed(key: str, found: Outline) -> list[object]:
    """A row of what the key does not say already."""
    ids = [id_ for id_ in found.blob_ids if id_ != key]
    return [ids, "" if found.plain_id == key else found.plain_id, *found[2:]]


def _unpacked(key: str, row: Sequence[Any]) -> Outline:
    ids, plain, *told = row
    told[4:6] = tuple(told[4]), tuple(told[5])
    return Outline(tuple(sorted((key, *ids))), plain or key, *told)


def files_per_id(seen: Iterable[Seen]) -> Mapping[str, int]:
    """How many files carry each Id, those that are no memories left out."""
    outlines = (each.outline for each in seen if isinstance(each.outline, Outline))
    return Counter(id_ for found in outlines if not found.problems for id_ in set(found.ids))
