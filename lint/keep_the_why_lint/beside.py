"""What agents read beside the memories: guides at the project's root, other files of the context
directory. It decides what is read and as what; `Reading` opens it.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from keep_the_why_lint.page import Page, PageKind
from keep_the_why_lint.project import Listed, Unread
from ktw.boundaries import OutOfBounds, pinned_skill
from ktw.config import LEGACY_FILE, Config

if TYPE_CHECKING:
    from keep_the_why_lint.reading import Reading

LINKED = "it is a link that leaves the context directory"
INSTRUCTIONS = (LEGACY_FILE, "CLAUDE.md", "SKILL.md")

_TEXT_SUFFIXES = (".md", ".txt", ".markdown", ".mdx", ".rst")
# What is no text and may be of any size: nobody looks for words in it.
_DATA_SUFFIXES = tuple(
    ".png .jpg .jpeg .gif .webp .avif .ico .pdf .mp3 .mp4 .mov .webm .ttf .woff .woff2 .docx .pptx "
    ".xlsx .odt .odp .ods .zip .gz .xz .zst .bz2 .tar .7z".split()
)
_PLAIN = bytes(range(0x20, 0x7F)) + b"\t\n\r"
_SIGNATURE = re.compile(
    rb"-----BEGIN SSH SIGNATURE-----\r?\n(?:[A-Za-z0-9+/=]{1,76}\r?\n)+"
    rb"-----END SSH SIGNATURE-----\r?\n?"
)


def page_kind(file_name: str) -> PageKind:
    """What a file of that name in the context directory is that is no memory.

    A README is data, and so is a guide that stands deeper: nobody reviews it as what directs.
    """
    if file_name == "index.md":
        return "index"
    return "instructions" if file_name in INSTRUCTIONS else "other"


def read_instructions(reading: "Reading", config: Config) -> None:
    """Read what directs agents at the project's root, and the skill that the config pins."""
    pages = (page for page in reading.texts if page.kind != "memory")
    seen = {os.path.realpath(reading.root / page.path) for page in pages}
    for place in (*(reading.root / name for name in INSTRUCTIONS), *_pinned(reading.root, config)):
        if os.path.realpath(place) not in seen:
            seen.add(os.path.realpath(place))
            reading.text(place, place.relative_to(reading.root).as_posix(), "instructions")


def _pinned(root: Path, config: Config) -> Iterator[Path]:
    block = config.block("config")
    path, version = (block and block.first(key) for key in ("pinned-path", "pinned-version"))
    if path and version:
        try:
            yield pinned_skill(root, path.value, version.value)
        except (OutOfBounds, OSError, RuntimeError):
            return  # what is wrong with it is a finding already


def read_others(reading: "Reading", context: Path, name: str, listed: Iterable[Listed]) -> None:
    """Read as text what stands in the context directory and is no memory, at any depth."""
    nested: set[str] = set()
    for row in listed:
        inner = row.path.removeprefix(f"{name}/")
        top, below, _ = inner.partition("/")
        if below and row.name.endswith(".md") and not top.startswith("."):
            nested.add(top)
        if row.kind == "directory" or _is_read(inner):
            continue
        if row.kind == "link" and (context / inner).is_dir():
            nested.add(inner)
        elif row.leaves:
            reading.unread.append(Unread(row.path, "not-a-file", LINKED))
        else:
            _read_other(reading, context / inner, row.path)
    for inner in sorted(nested):
        reading.unread.append(Unread(f"{name}/{inner}", "nested", "it is a directory or a link"))


def _is_read(inner: str) -> bool:
    """True for what is read as what it is: memories, index, guards, `revoked`."""
    return "/" not in inner and (inner.endswith(".md") or inner == "revoked")


def _read_other(reading: "Reading", path: Path, name: str) -> None:
    before = len(reading.unread)
    data = reading.data(path, name)
    if data is None:
        if reading.unread[before:] and reading.unread[-1].kind == "too-large":
            kind = "unchecked" if name.casefold().endswith(_DATA_SUFFIXES) else "large-text"
            reading.unread[-1] = Unread(name, kind, reading.unread[-1].why)
    elif not (name.casefold().endswith(_TEXT_SUFFIXES) or _is_text(data)):
        reading.unread.append(Unread(name, "unchecked", "it is no text in UTF-8"))
        reading.lone_returns[:] = [row for row in reading.lone_returns if row[0] != name]
    elif not (name.endswith(".sig") and _SIGNATURE.fullmatch(data)):
        reading.texts.append(Page(name, reading.decoded(data, name), "other"))


def _is_text(data: bytes) -> bool:
    """True for UTF-8, and for what is nearly all plain letters: UTF-16, Latin-1, a NUL at its end.

    Readers find the words in such a file too, so what is wrong with it has to be a finding.
    """
    if b"\0" not in data and _is_utf8(data):
        return True
    written = data.replace(b"\0", b"")
    return len(written.translate(None, _PLAIN)) * 10 < len(written)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
