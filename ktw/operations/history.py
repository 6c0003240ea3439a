"""The life of one memory file, from git: written, changed, approved, lapsed, withdrawn, renamed,
revoked.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ktw.evidence import Evidence
from ktw.git import GitFailed, Objects
from ktw.index import refresh
from ktw.memory import MemoryFile, parse_memory
from ktw.operations.finding import NotFound, evidence_for, find_memory, read_places
from ktw.operations.in_force import in_force
from ktw.render import Reading
from ktw.revoked import REVOKED_FILE, parse_revoked
from ktw.store import Project


@dataclass(frozen=True)
class Event:
    """One thing that happened to a memory file. `commit` is None for what is not committed."""

    commit: str | None
    at: str
    by: str
    event: str
    subject: str


def history(project: Project, reference: str) -> tuple[Reading, list[Event]]:
    """The memory that `reference` names and its events, newest first; of one that is in force in
    git alone, too. Two `git log`, each distinct version parsed once.

    Raises NotFound or GitFailed.
    """
    from ktw.git.log import touches

    reading, is_here = _reading(project, reference)
    events: list[Event] = []
    words: set[str] = set()
    before, gone = None, False
    with Objects(project.repository) as objects:
        versions = _Versions(objects)
        for touch in reversed(touches(project.repository, project.git_path(reading.file.path))):
            now = versions.at(touch.commit, touch.path)
            for event in _events(before, now, touch.change, gone):
                events.append(Event(touch.commit, touch.at, touch.by, event, touch.subject))
            words |= {now.computed_hash} if now else set()
            before, gone = now, now is None
        revoked = _revoked(project, versions, words | {reading.file.computed_hash})
    placed = _placed(list(reversed(events)), revoked)
    return reading, [*_uncommitted(project, before, reading.file if is_here else None), *placed]


def _reading(project: Project, reference: str) -> tuple[Reading, bool]:
    """The memory as the work tree has it (True), or as it is in force in git."""
    snapshot = refresh(project)
    with evidence_for(project, snapshot) as evidence:
        try:
            place = find_memory(project, snapshot.catalogue, reference)
            reading = read_places(project, evidence, [place])[0]
        except NotFound:
            there = in_force(project, evidence, snapshot).named(project, reference)
            if not there:
                raise
            return there[0], False
    if reading is None:
        raise NotFound("that memory cannot be read now", "See why with: ktw status")
    return reading, True


class _Versions:
    """Files as commits have them; what stood in several commits is read and parsed once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._parsed: dict[tuple[str, str], MemoryFile] = {}

    def at(self, commit: str, path: str) -> MemoryFile | None:
        """A memory file in a commit; None where there is none that git can read."""
        oid = self._oid(commit, path)
        if oid is not None and (path, oid) not in self._parsed:
            try:
                self._parsed[path, oid] = parse_memory(path, self._objects.blob(oid))
            except GitFailed:
                return None
        return self._parsed.get((path, oid or ""))

    def data(self, commit: str, path: str) -> bytes:
        """The bytes of a file in a commit, none where git has no such file."""
        try:
            return self._objects.file(commit, path) or b""
        except GitFailed:
            return b""

    def _oid(self, commit: str, path: str) -> str | None:
        directory, _, name = path.rpartition("/")
        try:
            entry = (self._objects.directory(commit, directory) or {}).get(name)
        except GitFailed:
            return None
        return entry.oid if entry and entry.is_file else None


def _revoked(project: Project, versions: _Versions, words: Collection[str]) -> list[Event]:
    """When words of this memory came into the list of revoked ones, newest first."""
    from ktw.git.log import touches

    path = f"{project.context_name}/{REVOKED_FILE}"
    events: list[Event] = []
    known: frozenset[str] = frozenset()
    for touch in reversed(touches(project.repository, project.git_path(path))):
        listed = parse_revoked(versions.data(touch.commit, touch.path)).intersection(words)
        if listed - known:
            events.append(Event(touch.commit, touch.at, touch.by, "revoked", touch.subject))
        known |= listed
    with Evidence(project) as evidence:
        if evidence.revoked_here.intersection(words) - known:
            events.append(Event(None, _changed(project, path), "", "revoked", ""))
    return events[::-1]


def _placed(events: list[Event], revoked: Sequence[Event]) -> list[Event]:
    """The revocations among the other events, all newest first, their order kept."""
    for event in reversed(revoked):
        later = [at for at, other in enumerate(events) if other.at <= event.at]
        events.insert(later[0] if later else len(events), event)
    return events


def _events(
    before: MemoryFile | None, now: MemoryFile | None, change: str, gone: bool = False
) -> list[str]:
    if now is None:
        return ["deleted"]
    if before is None:
        return ["restored" if gone else "created", *(["approved"] if _holds(now) else [])]
    events = ["renamed"] if change == "R" else []
    if before.computed_hash != now.computed_hash:
        events.append("changed")
    if _holds(now) and not (_holds(before) and before.computed_hash == now.computed_hash):
        events.append("approved")
    elif now.trusted_at is None and before.trusted_at is not None:
        events.append("withdrawn")
    elif now.trusted_at is not None and not _holds(now) and _holds(before):
        events.append("lapsed")
    return events or ["changed"]


def _holds(file: MemoryFile) -> bool:
    """A claim whose hash fits its own words: what the commit said, not what git proves."""
    return file.trusted_at is not None and file.content_hash == file.computed_hash


def _uncommitted(
    project: Project, before: MemoryFile | None, now: MemoryFile | None
) -> list[Event]:
    """What the work tree adds; its time is the file system's, not what the file claims."""
    if now is None:
        return [Event(None, _changed(project, project.context_name), "", "deleted", "")] * (
            before is not None
        )
    if before is not None and before.text == now.text:
        return []
    at = _changed(project, now.path)
    return [Event(None, at, "", event, "") for event in reversed(_events(before, now, "M"))]


def _changed(project: Project, path: str) -> str:
    changed = datetime.fromtimestamp((project.root / path).stat().st_mtime, UTC)
    return changed.strftime("%Y-%m-%dT%H:%M:%SZ")
