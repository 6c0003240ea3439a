"""The kinds of stores that can be imported, each with its reader; told apart by what a path is."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ktw.errors import UsageError, visible
from ktw.importers.folder import ENDINGS, read_folder
from ktw.importers.foreign import Store, Wanted
from ktw.importers.skillmem import FILE, is_store, read_store

# A place, what is wanted of it, and a directory to pass over.
Reader = Callable[[Path, Wanted, Path], Store]
SOURCES: Mapping[str, Reader] = {
    "skillmem": lambda place, wanted, but: read_store(place, wanted),
    "notes": read_folder,
}


def recognised(place: Path) -> str:
    """Which of SOURCES a place is; raises UsageError where it is none."""
    if place.is_dir():
        return "skillmem" if is_store(place / FILE) else "notes"
    if place.is_file():
        if is_store(place):
            return "skillmem"
        if place.suffix.lower() in ENDINGS:
            return "notes"
    raise UsageError(
        f"{visible(str(place))} is neither a database of skillmem nor a folder of Markdown",
        "Name one of them; `skillmem doctor` says where its database lies.",
    )
