"""This clone's own marks of memories: pins, and evidence that one helped, as git notes.

`refs/notes/ktw` holds a note a memory, attached to the blob of its name; ktw neither fetches nor
pushes it. Reads through `objects`; whether somebody may write a mark is decided elsewhere.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ktw.derived import read_own, write_derived
from ktw.git import GitFailed, Objects, blob_id
from ktw.policy import MARKS_REF
from ktw.priors import AGENT, NOBODY, PERSON, Earned, EarnedBy, parse_time

if TYPE_CHECKING:
    from ktw.git.objects import TreeEntry

REF = MARKS_REF
PROOFS = ("test-passed", "diff-accepted", "user-confirmed")
SELF_REPORT = "self-report"
PINNED, UNPINNED = "pinned", "unpinned"

_SCHEMA = 1
_NAMES = "names"  # of the tree: keeps the blobs that the notes are attached to
_MOST = 100
_MOST_ROWS, _LARGEST, _MOST_READ, _AT_ONCE = 50_000, 16 * 1024, 64 * 1024 * 1024, 20
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_ACTS = "|".join((*PROOFS, SELF_REPORT, PINNED, UNPINNED))
_LINE = (  # compiled where there is a note
    rf"([0-9]{{4}}(?:-[0-9]{{2}}){{2}}T[0-9:]{{8}}Z) ({_ACTS}) (person|agent:[a-z0-9-]{{1,40}})"
)


class Mark(NamedTuple):
    """One line of a note: what was said of a memory, when (to the second), by which agent; "" is
    a person."""

    at: datetime
    act: str
    agent: str

    @property
    def line(self) -> str:
        who = f"agent:{self.agent}" if self.agent else "person"
        return f"{self.at.astimezone(UTC).strftime(_TIME)} {self.act} {who}"

    @property
    def once(self) -> tuple[str, date]:
        """What of a person's proofs counts once: its kind and its day in UTC."""
        return self.act, self.at.astimezone(UTC).date()


class Note(NamedTuple):
    """The marks of one memory, oldest first; `name` is its Id in lower case, or `slug#anchor`."""

    name: str
    marks: tuple[Mark, ...]

    @property
    def text(self) -> str:
        """The note: the name as JSON writes it, then a line a mark."""
        return "".join(
            f"{line}\n" for line in (json.dumps(self.name), *(m.line for m in self.marks))
        )

    @property
    def pin(self) -> Mark | None:
        """The mark by which it is pinned: an agent does not undo what a person did."""
        pin: Mark | None = None
        for mark in self.marks:
            if mark.act == PINNED and not (pin and mark.agent):
                pin = mark
            elif mark.act == UNPINNED and (pin is None or pin.agent or not mark.agent):
                pin = None
        return pin

    def with_mark(self, mark: Mark) -> "Note":
        """The note with one mark more, and no longer than it has to be: of what agents said the
        last is kept, so that they push nothing of a person's out."""
        marks = (*self.marks, mark)
        pin = Note(self.name, marks).pin
        told = [each for each in marks if each.act not in (PINNED, UNPINNED)]
        proofs = [each for each in told if not each.agent][-_MOST:]
        reports = [each for each in told if each.agent][-1:]
        return Note(self.name, tuple(sorted([*proofs, *reports, *([pin] if pin else [])])))

    @property
    def earned(self) -> Earned:
        """What the marks are worth: only a person's proofs are strength, each once a day."""
        told = [mark for mark in self.marks if mark.act not in (PINNED, UNPINNED)]
        proofs = {mark.once: mark.at for mark in told if mark.act in PROOFS and not mark.agent}
        pin = self.pin
        return Earned(
            tuple(sorted(proofs.values())),
            max((mark.at for mark in told), default=None),
            "" if pin is None else AGENT if pin.agent else PERSON,
        )


def parse_note(data: bytes, place: str) -> Note | None:
    """The note of that tree path; None unless it repeats the name that its place stands for."""
    first, *rest = data.decode("utf-8", "replace").split("\n")
    try:
        name = json.loads(first)
    except (ValueError, RecursionError):
        return None
    digits = place.replace("/", "")
    if not isinstance(name, str) or digits != _digits(name, len(digits)):
        return None
    return Note(name, tuple(_marks(rest)))


def _marks(lines: Iterable[str]) -> Iterator[Mark]:
    for line in lines:
        found = re.fullmatch(_LINE, line)
        at = parse_time(found[1]) if found else None
        if found and at:
            yield Mark(at, found[2], found[3].partition(":")[2])


def _digits(name: str, width: int) -> str:
    """The id of the blob that the note on a memory is attached to."""
    return blob_id(_blob(name), width)


def _blob(name: str) -> bytes:
    return (json.dumps(name) + "\n").encode()


def note_of(objects: Objects, tip: str, name: str) -> Note:
    """The note on one memory as a commit of the ref has it; an empty one where there is none."""
    digits = _digits(name, len(tip) or 40)
    for place in _places(digits) if tip else ():
        data = objects.file(tip, place)
        note = parse_note(data, place) if data is not None else None
        if note is not None:
            return note
    return Note(name, ())


def note_files(objects: Objects, tip: str, note: Note) -> dict[str, bytes | None]:
    """What has to be written to a tree of the ref so that it holds the note."""
    digits = _digits(note.name, len(tip) or 40)
    ours, *others = _places(digits)
    gone = [place for place in others if tip and objects.file(tip, place) is not None]
    files: dict[str, bytes | None] = dict.fromkeys(gone)
    return files | {ours: note.text.encode(), f"{_NAMES}/{digits}": _blob(note.name)}


def _places(digits: str) -> tuple[str, ...]:
    """Where the note may stand: git parts the digits once in two for every 256 notes."""
    ab, cd = digits[:2], digits[2:4]
    return f"{ab}/{digits[2:]}", digits, f"{ab}/{cd}/{digits[4:]}"


# --- all of them -----------------------------------------------------------------------------


def marked(objects: Objects, directory: Path) -> EarnedBy:
    """What every marked memory earned by its marks, by name; nothing where git cannot read them.

    `directory` keeps the notes that were read, each under the id of its blob.
    """
    try:
        tip = objects.commit(REF)
        return _marked(objects, tip, directory / "marks.json") if tip else NOBODY
    except GitFailed:
        return NOBODY


def _marked(objects: Objects, tip: str, cache: Path) -> EarnedBy:
    kept_tip, texts = _read_cache(cache)
    if kept_tip != tip:
        places = dict(_listed(objects, tip))
        told = _told(objects, [oid for oid in places if oid not in texts])
        texts = {
            oid: (place, texts[oid][1] if oid in texts else told.get(oid, ""))
            for oid, place in places.items()
        }
        content = {"schema": _SCHEMA, "tip": tip, "notes": texts}
        write_derived(cache, json.dumps(content).encode())
    notes = (parse_note(text.encode(), place) for place, text in texts.values())
    return {note.name: note.earned for note in notes if note is not None}


def _told(objects: Objects, oids: Sequence[str]) -> dict[str, str]:
    """The texts of notes: what is too large for one is none, and there is an end to all of them."""
    told: dict[str, str] = {}
    left = _MOST_READ
    for start in range(0, len(oids), _AT_ONCE):
        for oid, data in objects.blobs(oids[start : start + _AT_ONCE]).items() if left > 0 else ():
            left -= len(data)
            told[oid] = data.decode("utf-8", "replace") if len(data) <= _LARGEST else ""
    return told


def _listed(objects: Objects, tip: str) -> Iterator[tuple[str, str]]:
    """Blob id and tree path of every note, of the first rows where there are very many."""
    for entry, path in islice(_rows(objects, tip, ""), _MOST_ROWS):
        if entry.is_file:
            yield entry.oid, path


def _rows(objects: Objects, tip: str, directory: str) -> Iterator[tuple["TreeEntry", str]]:
    """All rows of the directories in which a note may stand: two levels of them, see `_places`."""
    for name, entry in (objects.directory(tip, directory) or {}).items():
        path = f"{directory}/{name}" if directory else name
        yield entry, path
        if entry.mode == "40000" and name != _NAMES and len(name) == 2 and path.count("/") < 2:
            yield from _rows(objects, tip, path)


def _read_cache(path: Path) -> tuple[str, Mapping[str, Sequence[str]]]:
    try:
        content = json.loads(read_own(path) or b"")
        if content["schema"] != _SCHEMA:
            return "", {}
        notes = {str(oid): (str(row[0]), str(row[1])) for oid, row in content["notes"].items()}
        return str(content["tip"]), notes
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return "", {}
