"""A folder of Markdown notes, an Obsidian vault or a dump of skillmem: found, read, confined to it.

Follows no link, opens nothing but regular files inside the folder, passes over whatever is hidden.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from ktw.boundaries import MAX_FILE, Unreadable, read_regular
from ktw.errors import KtwError, visible
from ktw.importers.foreign import Foreign, Left, Store, Wanted
from ktw.importers.note import Note, read_note
from ktw.memory import normalise

ENDINGS = (".md", ".markdown")
MAX_NOTES, _MAX_SEEN = 10_000, 200_000
_LISTS_OTHERS = "MEMORY.md"  # Claude Code's own list of the notes beside it


def read_folder(place: Path, wanted: Wanted, but: Path) -> Store:
    """The notes of a folder and of those in it, by path; a file stands for itself alone.

    `but`: a directory that is passed over. Raises KtwError where there are too many.
    """
    root = place if place.is_dir() else place.parent
    names, left = _found(root, but) if place.is_dir() else ([place.name], [])
    return Store(len(names) + len(left), _read(root, names, left, wanted))


def _read(
    root: Path, names: list[str], left: list[Left], wanted: Wanted
) -> Iterator[Foreign | Left]:
    yield from left
    for name in names:
        note = _note(root, name)
        yield note if isinstance(note, Left) else read_note(note, wanted.notes)


def _note(root: Path, name: str) -> Note | Left:
    path = root / name
    try:
        data = read_regular(path, root, MAX_FILE)  # asked each time: others may write there
        text = normalise(data.decode("utf-8"))
    except Unreadable as error:
        return Left(_place(root, name), error.why)
    except UnicodeDecodeError as error:
        return Left(_place(root, name), f"byte {error.start} is not valid UTF-8")
    return Note(_place(root, name), _line(path.stem), text, _changed(path))


def _changed(path: Path) -> str:
    with suppress(OSError, OverflowError, ValueError):
        at = datetime.fromtimestamp(int(path.stat(follow_symlinks=False).st_mtime), UTC)
        return at.strftime("%Y-%m-%dT%H:%M:%SZ")
    return ""


def _place(root: Path, name: str) -> str:
    return _line(f"{root.name}/{name}" if root.name else name)


def _line(name: str) -> str:
    return visible(name, 2000)


# --- finding -----------------------------------------------------------------------------------


def _found(root: Path, but: Path) -> tuple[list[str], list[Left]]:
    """The notes below `root` by their posix paths, sorted, and what is no note though it looks
    like one."""
    names: list[str] = []
    left: list[Left] = []
    waiting, seen = [""], 0
    while waiting:
        below = waiting.pop()
        entries = _entries(root, below, left)
        for entry in entries:
            name = f"{below}{entry.name}"
            if entry.is_dir(follow_symlinks=False) and Path(entry.path) != but:
                waiting.append(f"{name}/")
            elif why := _no_note(entry, root):
                left.append(replace(why, place=_place(root, name)))
            elif entry.name.lower().endswith(ENDINGS):
                names.append(name)
        seen += len(entries)
        _refuse_too_many(len(names), seen)
    return sorted(names), sorted(left, key=lambda one: one.place)


def _no_note(entry: "os.DirEntry[str]", root: Path) -> Left | None:
    """Why what may look like a note is not read; None for a note, and for any other file."""
    path = Path(entry.path)
    if entry.is_dir(follow_symlinks=False):
        return Left("", "it is this project's own memory", fault=False)
    if entry.name == _LISTS_OTHERS:
        return Left("", "a list of the notes beside it", fault=False)
    if not entry.is_symlink():
        return None
    if _is_directory(path):
        return Left("", "it is a link to a directory")
    if not entry.name.lower().endswith(ENDINGS):
        return None
    if _leads_inside(root, path):  # what it leads to is imported itself
        return Left("", "it is a link to another file of the folder", fault=False)
    return Left("", "it is a link out of the folder, or to nothing")


def _entries(root: Path, below: str, left: list[Left]) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(root / below) as entries:
            return [entry for entry in entries if not entry.name.startswith(".")]
    except OSError as error:
        left.append(Left(_place(root, below), f"the system says: {error.strerror}"))
        return []


def _is_directory(link: Path) -> bool:
    with suppress(OSError):  # of a target that no file could be, or that may not be looked at
        return link.is_dir()
    return False


def _leads_inside(root: Path, link: Path) -> bool:
    with suppress(OSError, RuntimeError):
        place = link.resolve(strict=True)
        return place.is_relative_to(root.resolve()) and place.is_file()
    return False


def _refuse_too_many(notes: int, seen: int) -> None:
    if notes > MAX_NOTES or seen > _MAX_SEEN:
        raise KtwError(
            f"the folder holds more than {MAX_NOTES:,} notes, or {_MAX_SEEN:,} files",
            "Nothing was written. Import the folders in it one by one.",
        )
