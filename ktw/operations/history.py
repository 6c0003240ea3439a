"""The life of one memory file, from git: written, changed, approved, lapsed, withdrawn, renamed."""

from dataclasses import dataclass
from datetime import UTC, datetime

from ktw.git import GitFailed, Objects
from ktw.index import refresh
from ktw.memory import MemoryFile, parse_memory
from ktw.operations.finding import NotFound, evidence_for, find_memory, read_places
from ktw.render import Reading
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
    """The memory that `reference` names and its events, newest first.

    Raises NotFound or GitFailed.
    """
    from ktw.git.log import touches

    snapshot = refresh(project)
    with evidence_for(project, snapshot) as evidence:
        place = find_memory(project, snapshot.catalogue, reference)
        reading = read_places(project, evidence, [place])[0]
    if reading is None:
        raise NotFound("that memory cannot be read now", "See why with: ktw status")
    events: list[Event] = []
    before: MemoryFile | None = None
    with Objects(project.repository) as objects:
        for touch in reversed(touches(project.repository, project.git_path(reading.file.path))):
            now = _file_at(objects, touch.commit, touch.path)
            for event in _events(before, now, touch.change):
                events.append(Event(touch.commit, touch.at, touch.by, event, touch.subject))
            before = now
    changed = datetime.fromtimestamp((project.context / place.name).stat().st_mtime, UTC)
    return reading, [*_uncommitted(before, reading.file, changed), *reversed(events)]


def _file_at(objects: Objects, commit: str, path: str) -> MemoryFile | None:
    try:
        data = objects.file(commit, path)
    except GitFailed:
        return None
    return parse_memory(path, data) if data is not None else None


def _events(before: MemoryFile | None, now: MemoryFile | None, change: str) -> list[str]:
    if now is None:
        return ["deleted"]
    if before is None:
        return ["created", *(["approved"] if _holds(now) else [])]
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


def _uncommitted(before: MemoryFile | None, now: MemoryFile, changed: datetime) -> list[Event]:
    """What the working file adds; its time is the file system's, not what the file claims."""
    if before is not None and before.text == now.text:
        return []
    at = changed.strftime("%Y-%m-%dT%H:%M:%SZ")
    return [Event(None, at, "", event, "") for event in reversed(_events(before, now, "M"))]
