"""Which memory file that came is one that went: by its bytes, its Ids or its lines, in that order.

What it pairs is compared; what it does not is judged as deleted and as new, which says more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from keep_the_why_lint.change import ChangedFile
from ktw.memory import MemoryFile

_SHARED = 0.5  # of the telling lines of the file that went
_COMMON = 20  # files that a trait may stand in and still tell one from another
_FORM = ("**Type:**", "**Status:**", "**Evidence:**", "**Id:**")

Traits = Callable[[MemoryFile], Iterable[str]]


def pair_renamed(files: Iterable[ChangedFile]) -> Iterator[ChangedFile]:
    """The files, each memory file that came joined with the one it was."""
    files = list(files)
    came = {f.path: f for f in files if f.before.state == "absent" and f.new_memory is not None}
    gone = {f.path: f for f in files if f.after.state == "absent" and f.old_memory is not None}
    pairs: dict[str, ChangedFile] = {}
    for traits, share in ((_whole, 1.0), (_ids, 0.0), (_lines, _SHARED)):
        left = {path: file for path, file in came.items() if path not in pairs}
        pairs |= _paired(left, gone, traits, share)
    former = {old.path for old in pairs.values()}
    for file in files:
        if (old := pairs.get(file.path)) is not None:
            yield replace(file, was=old.path, before=old.before, old_name=old.old_name)
        elif file.path not in former:
            yield file


def _paired(
    came: Mapping[str, ChangedFile], gone: dict[str, ChangedFile], traits: Traits, share: float
) -> Iterator[tuple[str, ChangedFile]]:
    """For the path of each file that came what it was, which is then taken out of `gone`.

    It shares most traits, and at least `share` of those that tell it from others.
    """
    places: dict[str, list[str]] = {}
    for path, old in gone.items():
        for trait in set(traits(old.old_memory)) if old.old_memory else ():
            places.setdefault(trait, []).append(path)
    places = {trait: where for trait, where in places.items() if len(where) <= _COMMON}
    telling = Counter(path for where in places.values() for path in where)
    for path, new in came.items():
        own = set(traits(new.new_memory)) if new.new_memory else ()
        shared = Counter(was for trait in own for was in places.get(trait, ()) if was in gone)
        best = max(sorted(shared), key=lambda was: shared[was], default=None)
        if best is not None and shared[best] >= share * telling[best]:
            yield path, gone.pop(best)


def _whole(file: MemoryFile) -> Iterable[str]:
    return (file.text,)


def _ids(file: MemoryFile) -> Iterable[str]:
    return file.ids


def _lines(file: MemoryFile) -> Iterable[str]:
    lines = (line.strip() for line in file.body.split("\n"))
    return (line for line in lines if line and not line.startswith(_FORM))
