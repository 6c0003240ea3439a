"""A memory file as a frozen value: read from bytes, hashed, and written as text.

Knows no other file, no git and no policy: whether its words are approved is for `trust` to say.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from ktw import frontmatter
from ktw.entries import Entry, parse_entries, unfenced_lines
from ktw.frontmatter import NotEditable, Problem, Split, Value

MAX_FILE_BYTES = 1024 * 1024
MAX_ENTRIES = 1000
ORIGINS = ("owner", "agent", "imported", "derived")
KINDS = ("decision", "workaround", "incident", "constraint", "rule", "skill")
TYPE_OF_KIND = {kind: kind for kind in KINDS[:4]} | {
    "rule": "constraint",
    "skill": "undefined — a procedure",
}
CLAIM_FIELDS = ("trusted_at", "trusted_by", "content_hash")
FRONTMATTER_FIELDS = (
    *("origin", "agent", "kind", "created_at", "source", "derived_from", "proposes", "tags"),
    *CLAIM_FIELDS,
)
NOTE = "note"
NOTES = ".git/ktw/notes/"  # what a local note's path begins with; no project path can
NOT_MEMORIES = ("README.md", "AGENTS.md", "CLAUDE.md", "index.md")

_BOM = "\ufeff"
Decoded = tuple[str, tuple[Problem, ...]]  # a text, and what was wrong with its bytes
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class _Parts(NamedTuple):
    path: str
    text: str
    frontmatter: Mapping[str, Value]
    lines: Mapping[str, int]
    body: str
    body_line: int
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]


class MemoryFile(_Parts):
    """One file of the context directory. `text` has no BOM and LF line ends; `path` is posix.

    `problems` says what was not read; then `frontmatter` is empty and nothing is claimed.
    """

    @property
    def slug(self) -> str:
        return PurePosixPath(self.path).stem

    @property
    def has_frontmatter(self) -> bool:
        return self.body_line > 1

    @property
    def is_note(self) -> bool:
        """True for a local note: what it is was not its writer's to say."""
        return is_note(self.path)

    @property
    def origin(self) -> str | None:
        return "derived" if self.is_note else self._text("origin")

    @property
    def agent(self) -> str | None:
        return self._text("agent")

    @property
    def kind(self) -> str | None:
        return NOTE if self.is_note else self._text("kind")

    @property
    def created_at(self) -> str | None:
        return self._text("created_at")

    @property
    def source(self) -> str | None:
        return self._text("source")

    @property
    def proposes(self) -> str | None:
        return self._text("proposes")

    @property
    def trusted_at(self) -> str | None:
        return self._text("trusted_at")

    @property
    def trusted_by(self) -> str | None:
        return self._text("trusted_by")

    @property
    def content_hash(self) -> str | None:
        """The hash the file declares; `computed_hash` is the true one."""
        return self._text("content_hash")

    @property
    def derived_from(self) -> tuple[str, ...]:
        return self._texts("derived_from")

    @property
    def tags(self) -> tuple[str, ...]:
        return self._texts("tags")

    @cached_property
    def computed_hash(self) -> str:
        """SHA-256 of the canonical form, `sha256:` and 64 hex digits; "" where problems stand."""
        return "" if self.problems else content_hash(self.frontmatter, self.body)

    @cached_property
    def record(self) -> Entry | None:
        """What it says as a decision record; None where it is none (`ktw.records`)."""
        if not self.entries or any(entry.fields for entry in self.entries):
            return None
        from ktw.records import read_record

        return read_record(self.slug, self.frontmatter, self.body, self.body_line, self.entries)

    @cached_property
    def memories(self) -> tuple[Entry, ...]:
        """The addressable units: the entries; a decision record and a text without any are one."""
        if self.entries or any(problem.kind == "too-large" for problem in self.problems):
            return (self.record,) if self.record else self.entries
        from ktw.records import whole_file

        one = self.body.strip() and whole_file(self.slug, self.body, self.body_line)
        return (one,) if one else ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The Ids of its entries, sorted."""
        return tuple(sorted(entry.id for entry in self.entries if entry.id))

    def with_problem(self, problem: Problem) -> "MemoryFile":
        """The same file with one more thing that is wrong with it."""
        return self._replace(problems=(*self.problems, problem))

    def _text(self, key: str) -> str | None:
        value = self.frontmatter.get(key)
        return value if isinstance(value, str) and value else None

    def _texts(self, key: str) -> tuple[str, ...]:
        value = self.frontmatter.get(key)
        if isinstance(value, str):
            return (value,) if value else ()
        return tuple(item for item in value or () if isinstance(item, str))


def is_note(path: str) -> bool:
    """True for a local note's path, which is its name in the index too."""
    return path.startswith(NOTES)


def address(path: str, entry: Entry) -> str:
    """An entry's address: its Id in lower case, or 12 hex digits of `path#anchor` without one."""
    if entry.id and is_uuid(entry.id.lower()):
        return entry.id.lower()
    return place_address(path, entry.anchor)


def place_address(path: str, anchor: str) -> str:
    """The address of an entry without an Id: 12 hex digits of `path#anchor`."""
    place = f"{path}#{anchor}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(place).hexdigest()[:12]


def is_uuid(text: str) -> bool:
    """True for a lower-case UUID of any version."""
    return _UUID.fullmatch(text) is not None


def parse_memory(path: str, data: bytes) -> MemoryFile:
    """Read a memory file's bytes; never raises, what is wrong is in `problems`."""
    return parse_text(path, *decode(data))


def parse_text(path: str, text: str, problems: tuple[Problem, ...]) -> MemoryFile:
    """The same of what `decode` gave."""
    parts = frontmatter.split(text)
    problems += parts.problems
    parsed = frontmatter.parse(parts.source) if parts.source is not None else frontmatter.Parsed()
    entries = tuple(parse_entries(parts.body, parts.body_line, MAX_ENTRIES + 1))
    if len(entries) > MAX_ENTRIES:
        message = f"the file holds more than {MAX_ENTRIES:,} entries"
        problems += (Problem("too-large", entries[-1].line, message),)
        entries = ()
    marker = _conflict_in(parts.body)
    if marker is not None:
        message = "a merge conflict is not settled"
        problems += (Problem("conflict-marker", parts.body_line + marker, message),)
    return MemoryFile(
        path=path,
        text=text,
        frontmatter=parsed.values,
        lines=parsed.lines,
        body=parts.body,
        body_line=parts.body_line,
        entries=entries,
        problems=(*problems, *parsed.problems),
    )


def normalise(text: str) -> str:
    """Without a BOM and with LF line ends: the form that is parsed, hashed and compared."""
    return text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes) -> Decoded:
    """The text of a memory file, and what is wrong with its bytes."""
    if len(data) > MAX_FILE_BYTES:
        message = f"the file is over {MAX_FILE_BYTES // 1024} KiB"
        return "", (Problem("too-large", 1, message),)
    try:
        return normalise(data.decode("utf-8")), ()
    except UnicodeDecodeError as error:
        line = normalise(data[: error.start].decode("utf-8")).count("\n") + 1
        message = f"byte {error.start} is not valid UTF-8"
        text = normalise(data.decode("utf-8", "replace"))
        return text, (Problem("encoding", line, message),)


def content_hash(values: Mapping[str, Value], body: str) -> str:
    """SHA-256 over the UTF-8 of the canonical JSON array `[frontmatter, body]`.

    The frontmatter goes without the claim fields and with its keys sorted, every scalar as its
    source string; the body ends in exactly one newline (context-schema/specification.md).
    """
    kept = {key: value for key, value in values.items() if key not in CLAIM_FIELDS}
    canonical = json.dumps(
        [kept, body.rstrip("\n") + "\n"],
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
    )
    return "sha256:" + hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def is_conflict_marker(line: str) -> bool:
    """True for the first or last line of what git leaves where two sides disagree."""
    return line.startswith(("<<<<<<< ", ">>>>>>> "))


def _conflict_in(body: str) -> int | None:
    """The index of the first line of a real conflict: all three markers, in order, unfenced."""
    wanted = ("<<<<<<< ", "=======", ">>>>>>> ")
    if not all(marker in body for marker in wanted):
        return None
    start, seen = 0, 0
    for index, line in unfenced_lines(body):
        if line.startswith(wanted[0]):
            start, seen = index, 1
        elif seen == 1 and line == wanted[1]:
            seen = 2
        elif seen == 2 and line.startswith(wanted[2]):
            return start
    return None


# --- writing ---------------------------------------------------------------------------------


def format_memory(values: Mapping[str, Value], topic: str, entry: str) -> str:
    """A whole memory file: frontmatter with its content hash set, a topic title, one entry."""
    body = f"# {topic}\n\n{entry}"
    complete = dict(values) | {"content_hash": content_hash(values, body)}
    return f"---\n{frontmatter.format_source(complete)}---\n{body}"


def edit_memory(text: str, changes: Sequence[tuple[str, str | None]]) -> str:
    """`text` (LF, no BOM) with frontmatter keys set or removed and the content hash made true.

    A file without frontmatter gets one. Raises NotEditable where the block has problems.
    """
    parts = frontmatter.split(text)
    if parts.problems:
        raise NotEditable(parts.problems[0].message, "Mend that first.")
    source = frontmatter.edit_source(parts.source or "", changes, FRONTMATTER_FIELDS)
    true_hash = content_hash(frontmatter.parse(source).values, parts.body)
    source = frontmatter.edit_source(source, [("content_hash", true_hash)], FRONTMATTER_FIELDS)
    opening, closing = _fences(text, parts)
    return f"{opening}\n{source}{closing}\n{parts.body}"


def _fences(text: str, parts: Split) -> tuple[str, str]:
    """The two fence lines of a file as they were written."""
    if parts.source is None:
        return frontmatter.FENCE, frontmatter.FENCE
    lines = text.split("\n", parts.body_line - 1)
    return lines[0], lines[parts.body_line - 2]
