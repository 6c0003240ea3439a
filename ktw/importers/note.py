"""One Markdown note of another program as a plain value: its frontmatter, title, date, tags, body.

Text in, values out. `python-frontmatter` parts the block from the text; what the block holds is
read by the reader of our own, with its limits: strings alone, no aliases, no tags of YAML.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ktw import frontmatter
from ktw.entries import Entry, parse_entries
from ktw.errors import KtwError, visible
from ktw.frontmatter import Value
from ktw.importers.bodies import as_one_memory, opening_title, seen_line, without_title
from ktw.importers.foreign import (
    CLAIMS,
    Foreign,
    Left,
    claims_in,
    kind_of,
    moment,
)
from ktw.importers.lost import Lost
from ktw.importers.obsidian import carried_as_text, inline_tags
from ktw.importers.skillmem_fields import (
    SESSION_NOTE,
    author,
    is_session_note,
    place_of,
    standing,
)
from ktw.memory import is_uuid
from ktw.records import read_record

MAX_TAGS, _MAX_TAG, _MAX_URL = 32, 64, 2048
_DATES = ("created_at", "created", "date created", "date", "date_created", "published")
_URLS = ("source", "url", "link", "source_url", "derived_from")
_TITLES = ("title",)
_NAMES = ("aliases", "alias")
_TAGS = ("tags", "tag", "topics", "keywords")
_KINDS = ("kind", "type")
_READ = frozenset((*_DATES, *_URLS, *_TITLES, *_NAMES, *_TAGS, *_KINDS, *CLAIMS, "content_hash"))
# What skillmem and Claude Code write into the notes that they keep: known, and nothing to carry.
_THEIRS = frozenset(
    {"name", "description", "metadata", "exported_at", "updated_at", "visibility", "lifecycle"}
    | {"agent"}
    | {"access_count", "confirmed_count", "failure_count", "last_accessed_at", "last_decayed_at"}
    | {"ttl_days", "freshness_until", "attachments", "project"}
)
_KINDS_OF_CLAUDE = ("user", "feedback", "project", "reference")
_COPY_IT = "it is a memory file already: copy it into the context directory, then run ktw adopt"
_RECORD_ENDED = (("Superseded by", "none — its own text says that it holds no longer"),)


class Broken(KtwError):
    """A note whose frontmatter cannot be read: it is not imported half."""


class Note(NamedTuple):
    """The text of a note: where it lies, the name of its file without the ending, when it was
    last changed ("" where nobody knows)."""

    place: str
    stem: str
    text: str
    changed: str = ""


def read_note(note: Note, sessions: bool) -> Foreign | Left:
    """What a note holds as one memory; Left where there is nothing to bring, or it is broken."""
    try:
        values, body, line = split(note.text)
    except Broken as error:
        return Left(note.place, error.what)
    told = _Told(values)
    if not sessions and is_session_note(told.kind, told.slug, told.text("origin")):
        return Left(note.place, SESSION_NOTE, fault=False)
    sections = parse_entries(body, line, 1000)
    if any(map(_is_memory, sections)):
        return Left(note.place, _COPY_IT)
    record = _record(note, values, body, line, sections)
    found = _of_record(note, told, record) if record else _of_text(note, told, body)
    return _with_fields(found, told, note, body)


def split(text: str) -> tuple[dict[str, Value], str, int]:
    """The fields of a note's frontmatter, its body, and the line at which that begins.

    `text` has LF line ends and no byte order mark. Raises Broken.
    """
    from frontmatter.default_handlers import YAMLHandler

    block = YAMLHandler()
    if text.startswith("+++\n"):
        raise Broken("its frontmatter is TOML, which is not read")
    if not block.detect(text):
        return {}, text, 1
    try:
        source, body = block.split(text)
    except ValueError as error:
        raise Broken("line 1: the frontmatter's opening --- is never closed") from error
    begin = text.find(source)
    parsed = frontmatter.parse(source, 1 + text.count("\n", 0, begin))
    if parsed.problems:
        raise Broken(f"line {parsed.problems[0].line}: {parsed.problems[0].message}")
    return parsed.values, body, 1 + text[: len(text) - len(body)].count("\n")


class _Told:
    """What the fields of a note say, under whatever name its program gives them.

    `known`: the fields that somebody here stands for.
    """

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = values
        inner = values.get("metadata")
        self._inner = inner if isinstance(inner, dict) else {}
        self.known = _READ | (_THEIRS if self.is_memory else frozenset())

    def text(self, *keys: str) -> str:
        """The first of these fields that says something in one value, as a line; "" for none."""
        for key in keys:
            value = self.values.get(key) or self._inner.get(key)
            if isinstance(value, str) and value:
                return value
        return ""

    def texts(self, *keys: str) -> list[str]:
        """All values of these fields that are text."""
        return [text for key in keys for text in _strings(self.values.get(key, ""))]

    @property
    def kind(self) -> str:
        return self.text(*_KINDS)

    @property
    def slug(self) -> str:
        return self.text("name")

    @property
    def is_memory(self) -> bool:
        """True for a note of Claude Code's own memory, or of a dump of skillmem."""
        is_typed = self.kind in _KINDS_OF_CLAUDE and "description" in self.values
        return bool(self.slug) and (bool(self._inner) or is_typed)

    @property
    def is_dump(self) -> bool:
        return self.text("node_type") == "memory" and {"name", "exported_at"} <= set(self.values)

    def claims(self) -> tuple[str, ...]:
        told = {**self._inner, **self.values}
        return claims_in({key: value for key, value in told.items() if isinstance(value, str)})

    def unread(self) -> list[str]:
        """The names of fields that nothing here stands for."""
        return [key for key, value in self.values.items() if key not in self.known and value]


def _strings(value: Value) -> Iterable[str]:
    if isinstance(value, str):
        return [value] if value else []
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


# --- what it is --------------------------------------------------------------------------------


def _is_memory(section: Entry) -> bool:
    """True for an entry as Keep the Why and ktw write it."""
    labels = {found.label for found in section.fields}
    return is_uuid((section.id or "").lower()) or {"Status", "Evidence"} <= labels


def _record(
    note: Note, values: Mapping[str, Value], body: str, line: int, sections: Sequence[Entry]
) -> Entry | None:
    """The note as a decision record; None for any other text."""
    if not sections or any(section.fields for section in sections):
        return None
    return read_record(note.stem, values, body, line, sections)


def _of_record(note: Note, told: _Told, record: Entry) -> Foreign:
    told.known |= {"status"}
    status = record.first("Status") or "active"
    header = _RECORD_ENDED if status == "superseded" else ()
    day = record.first("Date") or ""
    found = Foreign(note.place, record.title, record.text, "decision", created_at=moment(day))
    return replace(found, status=status, header=header)


def _of_text(note: Note, told: _Told, body: str) -> Foreign:
    opening = opening_title(body)
    stated = told.text(*_TITLES) or (told.text("description", "name") if told.is_memory else "")
    title = stated or opening or note.stem
    found = Foreign(note.place, title, without_title(body, title), kind_of(told.kind))
    if told.is_dump:
        status, header = standing(told.text("lifecycle"), told.text("freshness_until"))
        agent, lost = author(told.text("agent"))
        found = replace(found, place=place_of(told.slug), status=status, header=header)
        found = replace(found, agent=agent, lost=tuple(lost), project=told.text("project"))
    return found


# --- what its fields say -----------------------------------------------------------------------


def _with_fields(found: Foreign, told: _Told, note: Note, body: str) -> Foreign:
    text, changed = as_one_memory(found.body)
    names = [seen_line(name) for name in told.texts(*_NAMES)]
    tags, dropped = tags_of([*told.texts(*_TAGS), *inline_tags(body)])
    urls = [url for url in told.texts(*_URLS) if _is_url(url)]
    lost = [*found.lost, *carried_as_text(body), *changed, *dropped, *_unread(told)]
    day = found.created_at or moment(told.text(*_DATES))
    if told.text(*_DATES) and not day:
        lost.append(Lost(1, "date left out that is none", "dates left out that are none"))
    return replace(
        found,
        title=seen_line(found.title),
        body=f"{text}\n\nAlso called: {', '.join(names)}." if names and text else text,
        tags=tags,
        created_at=day or note.changed,
        derived_from=tuple(dict.fromkeys(urls)),
        lost=tuple(lost),
        claims=told.claims(),
    )


def tags_of(words: Iterable[str]) -> tuple[tuple[str, ...], list[Lost]]:
    """Tags as a memory may have them, and how many it may not have."""
    parts = (part for word in words for part in word.split(","))
    told = list(dict.fromkeys(tag for part in parts if (tag := seen_line(part).lstrip("# "))))
    fit = [tag for tag in told if len(tag) <= _MAX_TAG]
    lost = len(told) - len(fit[:MAX_TAGS])
    return tuple(fit[:MAX_TAGS]), [Lost(lost, "tag left out", "tags left out")] if lost else []


def _is_url(text: str) -> bool:
    whole = text.startswith(("http://", "https://")) and not any(map(str.isspace, text))
    return whole and len(text) <= _MAX_URL and len(text.partition("://")[2]) > 0


def _unread(told: _Told) -> list[Lost]:
    """The fields that are not carried."""
    others = [text for text in told.texts(*_URLS) if not _is_url(text) and not is_uuid(text)]
    names = [visible(name, 40) for name in (*told.unread(), *(["source"] if others else []))]
    return [Lost(len(names), "field left out", "fields left out", tuple(names))] if names else []
