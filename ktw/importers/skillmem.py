"""The memories of a skillmem database, read from a copy so that nothing is written beside it.

Source: the schema as skillmem 0.13.0 makes it (version 12), looked at with SQLite itself. What the
database claims of approval, seals, pins and strength is told and left behind.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from ktw.boundaries import MAX_FILE, Unreadable, read_regular
from ktw.errors import KtwError, visible
from ktw.importers.bodies import as_one_memory, seen_line, without_title
from ktw.importers.copied import MAX_BYTES, copied
from ktw.importers.foreign import (
    MAX_TEXT,
    Foreign,
    Left,
    Store,
    Wanted,
    claims_in,
    kind_of,
    moment,
)
from ktw.importers.lost import Lost
from ktw.importers.note import tags_of
from ktw.importers.obsidian import carried_as_text
from ktw.importers.skillmem_fields import (
    MAX_SLUG,
    SESSION_NOTE,
    author,
    is_session_note,
    place_of,
    standing,
)

MAGIC = b"SQLite format 3\x00"
FILE = "memory.db"
MAX_MEMORIES = 100_000
_STEPS = 200_000_000  # of SQLite's machine: 100,000 memories cost a tenth
_NEEDED = ("slug", "kind", "title", "body", "created_at")
_MORE = (
    *("body_path", "project", "tags", "topics", "agent", "attachments", "freshness_until"),
    *("content_hash", "strength", "pinned", "origin", "trusted_at", "owner_seal"),
    *("deleted_at", "lifecycle"),
)
Row = Mapping[str, str]
Values = tuple[bytes | None, ...]


def is_store(path: Path) -> bool:
    """True for a regular file that begins as SQLite's do."""
    try:
        if not path.is_file():  # a named pipe would be waited for
            return False
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def read_store(place: Path, wanted: Wanted) -> Store:
    """The memories of the database at `place`, a file or the directory that holds it, by slug.

    Raises KtwError for another program's database, one that changes without end or is damaged.
    """
    path = place / FILE if place.is_dir() else place
    with copied(path) as copy:
        try:
            rows = _rows(copy)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # Only the kind of error: its message may quote the database, in whatever bytes.
            why = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")
            raise KtwError(
                f"{visible(str(path))} cannot be read as skillmem's database: {why}",
                "Nothing was written. `skillmem doctor` may tell more.",
            ) from error
    chosen = [row for row in rows if _is_wanted(row, wanted)]
    return Store(len(chosen), (_memory(row, path, wanted) for row in chosen))


def _is_wanted(row: Row, wanted: Wanted) -> bool:
    return not row["deleted_at"] and (not wanted.projects or row["project"] in wanted.projects)


# --- the rows ----------------------------------------------------------------------------------


def _rows(copy: Path) -> list[Row]:
    """Every memory as text by column; what is no text in UTF-8 comes back as "" with its name in
    `unread`."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.text_factory = bytes
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BYTES)
        steps = iter(range(_STEPS // 100_000))
        connection.set_progress_handler(lambda: next(steps, None) is None, 100_000)
        columns = _columns(connection)
        told = ", ".join(f"substr(CAST({name} AS BLOB), 1, {MAX_FILE + 1})" for name in columns)
        found = _counted(connection.execute(f"SELECT {told} FROM memory_items"))
        rows = [_row(columns, row) for row in found]
    return sorted(rows, key=lambda row: row["slug"])


def _counted(rows: Iterable[Values]) -> Iterator[Values]:
    """The rows while they are not too many, nor their text too much: pages of one that was made by
    hand may lead to the same text again and again. Raises KtwError."""
    total = 0
    for number, row in enumerate(rows, start=1):
        total += sum(len(value or b"") for value in row)
        if number > MAX_MEMORIES or total > MAX_TEXT:
            raise KtwError(
                f"the database holds more than {MAX_MEMORIES:,} memories, or {MAX_TEXT:,} bytes "
                "of text",
                "Nothing was written. `skillmem export-all DIR` writes folders of Markdown, "
                "which can be imported one by one.",
            )
        yield row


def _columns(connection: sqlite3.Connection) -> list[str]:
    made = connection.execute(
        "SELECT sql FROM sqlite_master WHERE name = 'memory_items'"
    ).fetchone()
    if made is None or not made[0] or not made[0].upper().startswith(b"CREATE TABLE"):
        raise KtwError(
            "it is an SQLite database, and none of skillmem's: it has no table memory_items",
            "For a folder of Markdown say --from notes.",
        )
    there = {row[1].decode("utf-8", "replace") for row in connection.execute(_ASKED)}
    if missing := [name for name in _NEEDED if name not in there]:
        raise KtwError(
            f"its table memory_items has no column {', '.join(missing)}: an unknown version",
            "`skillmem export-all DIR` writes Markdown, which ktw reads too.",
        )
    return [name for name in (*_NEEDED, *_MORE) if name in there]


_MADE = "SELECT sql FROM sqlite_master WHERE name = 'memory_items'"
_ASKED = "PRAGMA table_info(memory_items)"


def _row(columns: list[str], values: Values) -> Row:
    row = dict.fromkeys((*_NEEDED, *_MORE, "unread"), "")
    for name, value in zip(columns, values, strict=True):
        try:
            row[name] = (value or b"").decode("utf-8")
        except UnicodeDecodeError:
            row["unread"] = name
    return row


# --- a memory ----------------------------------------------------------------------------------


def _memory(row: Row, path: Path, wanted: Wanted) -> Foreign | Left:
    place = place_of(row["slug"])
    if len(row["slug"]) > MAX_SLUG:
        return Left(place, f"its slug is longer than {MAX_SLUG} characters")
    if row["unread"]:
        return Left(place, f"its {row['unread']} is not text in UTF-8")
    if not wanted.notes and is_session_note(row["kind"], row["slug"], row["origin"]):
        return Left(place, SESSION_NOTE, fault=False)
    body = _whole_body(row, path)
    if isinstance(body, str):
        return _told(place, row, body)
    return Left(place, body.why)


def _told(place: str, row: Row, body: str) -> Foreign:
    text, changed = as_one_memory(without_title(body, row["title"]))
    kind = kind_of(row["kind"])
    words = [*_strings(row["tags"]), *_strings(row["topics"])]
    tags, dropped = tags_of([*words, *([] if kind else [row["kind"]])])
    status, header = standing(row["lifecycle"], row["freshness_until"])
    agent, unnamed = author(row["agent"])
    lost = [*carried_as_text(body), *changed, *dropped, *unnamed]
    if files := len(_strings(row["attachments"])):
        lost.append(Lost(files, "attachment left behind", "attachments left behind"))
    return Foreign(
        place=place,
        title=seen_line(row["title"] or row["slug"]),
        body=text,
        kind=kind,
        tags=tags,
        created_at=moment(row["created_at"]),
        agent=agent,
        status=status,
        header=header,
        lost=tuple(lost),
        claims=claims_in(dict(row)),
        project=row["project"],
    )


def _whole_body(row: Row, path: Path) -> str | Left:
    """The text of a memory; of a long one skillmem keeps a part in the row, the whole in a file."""
    if not row["body_path"] or _is_told(row, row["body"]):
        return row["body"] if len(row["body"]) <= MAX_FILE else Left("", "it is over 1 MiB")
    docs = path.parent / "docs"
    try:
        if Path(row["body_path"]).name != row["body_path"]:
            raise Unreadable(docs, "its name is none", "outside")
        body = read_regular(docs / row["body_path"], docs, MAX_FILE).decode("utf-8")
    except (Unreadable, UnicodeDecodeError) as error:
        why = error.why if isinstance(error, Unreadable) else "it is not UTF-8"
        return Left("", f"the file with its whole text cannot be read: {why}")
    if not _is_told(row, body):
        return Left("", "the file with its whole text holds other words than the database says")
    return body


def _is_told(row: Row, body: str) -> bool:
    """True where the row's hash is that of these words: JSON of title and body, or the older form
    with a NUL between them."""
    told = json.dumps([row["title"], body], ensure_ascii=False), f"{row['title']}\n\0\n{body}"
    hashes = (hashlib.sha256(text.encode()).hexdigest() for text in told)
    return row["content_hash"] in hashes


def _strings(text: str) -> list[str]:
    """The strings of a JSON list; none of anything else."""
    try:
        found = json.loads(text) if text else []
    except (ValueError, RecursionError):
        return []
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
