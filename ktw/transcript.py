"""What a person and an agent said to each other, out of a session's transcript; nothing else.

Claude Code's form: a line of JSON a record, with `type`, `message` and `cwd` (its hooks reference
names the file, records are read by what they hold). Knows nothing of what becomes of the words.
"""

import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from ktw.boundaries import Unreadable

USED_BYTES = 50 * 1024
_LOOKED_AT = 1024 * 1024  # most of a transcript's end is what tools printed
_COUNTED = 64 * 1024 * 1024  # where so much holds few lines, they are few
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_SPEAKERS = ("user", "assistant")
_INJECTED = ("<system-reminder>", "</system-reminder>")
_NOT_SAID = ("<command-", "<local-command-", "<bash-", "Caveat: The messages below")
_OPENED = re.compile(r"<<< UNTRUSTED MEMORY ([0-9a-f]{16})\b")
_CLOSED = re.compile(r">>> END UNTRUSTED MEMORY ([0-9a-f]{16})\b")


class Turn(NamedTuple):
    """What one of the two said."""

    speaker: str
    text: str


class Transcript(NamedTuple):
    """The end of a session. `lines` of the whole file, counted no further than was asked;
    `places`: the directories that the session says it ran in."""

    lines: int
    turns: tuple[Turn, ...]
    places: frozenset[str]


def read_transcript(path: Path, enough: int) -> Transcript:
    """The end of the transcript at `path`, `lines` counted up to `enough`; raises Unreadable.

    Waits for no pipe, and reads no more than its end however long it is.
    """
    with _opened(path) as (file, size):
        lines = _counted(file, enough)
        file.seek(max(0, size - _LOOKED_AT))
        data = file.read(_LOOKED_AT)
    whole = size <= _LOOKED_AT
    records = list(_records(data if whole else data.partition(b"\n")[2]))
    places = frozenset(r["cwd"] for r in records if isinstance(r.get("cwd"), str))
    return Transcript(lines, tuple(_turns(records)), places)


def count_lines(path: Path, enough: int) -> int:
    """How many lines it has, counted up to `enough` and not for ever; raises Unreadable."""
    with _opened(path) as (file, _):
        return _counted(file, enough)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], int]]:
    """A regular file and its size."""
    try:
        with os.fdopen(os.open(path, _FLAGS), "rb") as file:
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode):
                raise Unreadable(path, "it is not a file", "not-a-file")
            yield file, facts.st_size
    except (OSError, ValueError) as error:
        raise Unreadable(path, "the system does not open it", "refused") from error


def _counted(file: IO[bytes], enough: int) -> int:
    lines, left = 0, _COUNTED
    while lines < enough and left > 0 and (piece := file.read(1 << 16)):
        lines += piece.count(b"\n")
        left -= len(piece)
    return min(lines, enough)


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.split(b"\n"):
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _turns(records: list[dict[str, Any]]) -> list[Turn]:
    """The last turns that fit, oldest first; of that one its beginning, which tells whose it is."""
    kept: list[Turn] = []
    room = USED_BYTES
    for turn in (turn for record in reversed(records) for turn in _said(record)):
        text = turn.text.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
        kept.append(turn._replace(text=text))
        room -= len(text.encode())
        if room <= 0:
            break
    return kept[::-1]


def _said(record: dict[str, Any]) -> Iterator[Turn]:
    """What a record says in words, last first; nothing of tools, subagents or the program."""
    message, speaker = record.get("message"), record.get("type")
    if speaker not in _SPEAKERS or not isinstance(message, dict):
        return
    if record.get("isMeta") or record.get("isSidechain") or message.get("role") != speaker:
        return
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    for block in reversed(blocks):
        if isinstance(block, dict) and block.get("type") == "text":
            text = _without_memories(_without_injected(block.get("text")))
            if text and not text.startswith(_NOT_SAID):
                yield Turn(str(speaker), text)


def _without_injected(text: object) -> str:
    """The words without what the program put among them; an end that is missing ends all."""
    if not isinstance(text, str):
        return ""
    start, end = _INJECTED
    first, *rest = text.split(start)
    return (first + "".join(piece.partition(end)[2] for piece in rest)).strip()


def _without_memories(text: str) -> str:
    """Without the frames in which memories were shown: they are no news, and not what was said."""
    lines = text.split("\n")
    closed = {found[1]: at for at, line in enumerate(lines) if (found := _CLOSED.search(line))}
    kept: list[str] = []
    at = 0
    while at < len(lines):
        opened = _OPENED.search(lines[at])
        end = closed.get(opened[1], -1) if opened else -1
        if end < at:
            kept.append(lines[at])
            at += 1
        else:
            kept.append("[memories that were shown are left out]")
            at = end + 1
    return "\n".join(kept)
