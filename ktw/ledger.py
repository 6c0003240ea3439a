"""This clone's own approvals: commits on `refs/ktw/approvals`, never fetched, never pushed.

One small file an approval, named by a hash of what it binds (project, path, Ids, content hash),
so that a look-up costs the same however many there are.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ktw.git import GitFailed, Objects, Repository, TreeEntry
from ktw.kept import Kept
from ktw.trust import Approval

REF = "refs/ktw/approvals"
_SCHEMA = 1


class Subject(NamedTuple):
    """What an approval is bound to. `path` is as git names it, from the toplevel."""

    project: str
    path: str
    ids: tuple[str, ...]
    content_hash: str

    @property
    def line(self) -> str:
        """All of it as one line of ASCII, a JSON array; a signed list holds such lines."""
        return json.dumps([self.project, self.path, list(self.ids), self.content_hash])

    @property
    def record_path(self) -> str:
        """Where the ledger's tree holds the record of this subject."""
        digest = hashlib.sha256(self.line.encode()).hexdigest()
        return f"{digest[:2]}/{digest[2:]}"


def parse_subject(line: str) -> Subject:
    """The subject that a line stands for; raises ValueError unless it is exactly its line."""
    try:
        project, path, ids, content_hash = json.loads(line)
    except (TypeError, RecursionError) as error:
        raise ValueError("not a subject") from error
    texts = [project, path, content_hash, *(ids if isinstance(ids, list) else [None])]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("not a subject")
    return Subject(project, path, tuple(ids), content_hash)


class Ledger:
    """The ledger as it is now, read through `objects`, its trees once; not for several threads.

    `kept` spares reading a record again: a row is keyed by place and blob of the record, and the
    place is made of the subject.
    """

    def __init__(self, objects: Objects, kept: Kept | None = None) -> None:
        self._objects, self._kept = objects, kept
        self._ahead: dict[str, bytes] = {}

    def close(self) -> None:
        """Keep what was read."""
        if self._kept is not None:
            self._kept.save()

    def find(self, subject: Subject) -> tuple[Approval | None, bool]:
        """The recorded approval of exactly this subject; True where git cannot read the ledger."""
        tip, unreadable = self._tip
        try:
            return self._find(tip, subject) if tip else None, unreadable
        except GitFailed:
            return None, True

    @cached_property
    def _tip(self) -> tuple[str | None, bool]:
        try:
            return self._objects.commit(REF), False
        except GitFailed:
            return None, True

    def _find(self, tip: str, subject: Subject) -> Approval | None:
        path = subject.record_path
        directory, _, name = path.rpartition("/")
        rows = self._objects.directory(tip, directory) or {}
        entry = rows.get(name)
        if entry is None or not entry.is_file:
            return None
        key = f"{path} {entry.oid}"
        row = self._kept.find(key) if self._kept is not None else None
        if row is not None:
            return Approval(*map(str, row))
        found = _parse_record(self._record(rows, entry.oid), subject)
        if found is not None and self._kept is not None:
            self._kept.put(key, found)
        return found

    def _record(self, rows: Mapping[str, TreeEntry], oid: str) -> bytes:
        """A record, and where many are asked for, those beside it in the same breath."""
        if self._kept is not None and oid not in self._ahead:
            beside = [entry.oid for entry in rows.values() if entry.is_file]
            self._ahead |= self._objects.blobs(beside)
        return self._ahead.pop(oid, None) or self._objects.blob(oid)


def records(repository: Repository) -> Kept:
    """Where the records that were read are kept."""
    return Kept(repository, "ledger", _SCHEMA)


def _parse_record(data: bytes, subject: Subject) -> Approval | None:
    """A record counts only when it repeats the subject that its name stands for."""
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or _bound(record) != subject:
        return None
    return Approval(str(record.get("by", "")), str(record.get("at", "")))


def _bound(record: dict[str, object]) -> Subject:
    ids = record.get("ids")
    return Subject(
        str(record.get("project", "")),
        str(record.get("path", "")),
        tuple(str(id_) for id_ in ids) if isinstance(ids, list) else (),
        str(record.get("content_hash", "")),
    )


def format_record(subject: Subject, approval: Approval) -> bytes:
    """The record that the ledger keeps of one approval."""
    record = {
        "project": subject.project,
        "path": subject.path,
        "ids": list(subject.ids),
        "content_hash": subject.content_hash,
        "by": approval.by,
        "at": approval.at,
    }
    return (json.dumps(record, indent=1) + "\n").encode()


def ledger_files(subjects: Sequence[Subject], approval: Approval) -> dict[str, bytes]:
    """Tree path to content for a set of approvals given at once."""
    return {subject.record_path: format_record(subject, approval) for subject in subjects}
