"""Which memory files a tool is about to open raw: by paths, globs, links and words of a command.

It recognises and forbids nothing; where a path may lead is for `boundaries`. Linear in what an
agent sends, and bounded.
"""

import fnmatch
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ktw.agents.call import Tool
from ktw.hooks.commands import Step, hands_on, steps
from ktw.scan import is_memory_name

_LONGEST_PATH, _MOST_WORDS = 4096, 400


class Touched(NamedTuple):
    """Names of memory files; `whole`: the directory, or a search over it; `writes`: it may change
    them."""

    names: tuple[str, ...] = ()
    whole: bool = False
    writes: bool = False


def touched(tool: Tool, context: str, cwd: str, listed: Callable[[], Sequence[str]]) -> Touched:
    """What a tool touches of the context directory `context` (its real path).

    `cwd` is where relative paths begin; `listed` names the memory files, asked for globs alone.
    """
    place = _Place(context, cwd, listed)
    if tool.action == "run":
        return _by_command(place, tool.command)
    for path in tool.paths:
        place.look(path, counts_above=tool.action == "read")
    return place.found(tool.action == "write")


def _by_command(place: "_Place", command: str) -> Touched:
    found, all_count = steps(command), hands_on(command)
    counting = [step for step in found if all_count or not step.is_silent]
    silent = [step for step in found if not all_count and step.is_silent]
    opened = [name for step in silent for name in step.read_or_written]
    left = _MOST_WORDS
    moving = [step for step in silent if step.moves] if counting or opened else []
    for step in [*moving, *counting]:
        left -= _look(place, step, left)
    for name in opened:
        place.look(name, counts_above=False)
    if place.is_near:
        words = [*opened, *(word for step in counting for word in step.words)]
        for word in words[:_MOST_WORDS]:
            place.look_inside(word)
    if not place.has_found:
        return Touched()
    changed = [name for step in counting for name in step.changed] + opened
    return place.found(any(map(place.is_inside, changed[:_MOST_WORDS])))


def _look(place: "_Place", step: Step, most: int) -> int:
    """Note what a step names; how many words were looked at, `most` of them."""
    before, words = place.paths, step.words[:most]
    for word in words:
        if not word.startswith("-"):
            place.look(word, counts_above=step.searches)
    if step.goes_deep and place.paths == before:
        place.look(".", counts_above=True)
    return len(words)


class _Place:
    """The context directory, and what was found of it."""

    def __init__(self, context: str, cwd: str, listed: Callable[[], Sequence[str]]) -> None:
        self._context, self._cwd, self._listed = context, os.path.realpath(cwd), listed
        self._names: dict[str, None] = {}
        self.is_near = self._cwd == context
        self._whole = False
        self.paths = 0  # how many words named something that is there

    @property
    def has_found(self) -> bool:
        return bool(self._names) or self._whole

    def found(self, writes: bool) -> Touched:
        return Touched(tuple(self._names), self._whole, writes)

    def look(self, path: str, counts_above: bool) -> None:
        """Note what a path or glob names; `counts_above`: a directory is read with all it holds."""
        path = path[:_LONGEST_PATH]
        if not path:
            return
        if _is_glob(path):
            self._look_glob(path)
            return
        for each in self._readings(path):
            self._look_place(each, counts_above)

    def look_inside(self, word: str) -> None:
        """Note a name or glob that is one of the context directory's, said beside the directory
        itself: alone, or behind a variable."""
        place, _, name = word.rpartition(os.sep)
        if place and "$" not in place:
            return
        if _is_glob(name):
            self._look_glob(f"{self._context}{os.sep}{name}")
        elif is_memory_name(name) and os.path.lexists(f"{self._context}{os.sep}{name}"):
            self._names[name] = None

    def is_inside(self, path: str) -> bool:
        """True for a path or glob that leads to memory files, or to their directory."""
        other = _Place(self._context, self._cwd, self._listed)
        other.look(path, counts_above=False)
        if self.is_near:
            other.look_inside(path)
        return other.has_found

    def _readings(self, path: str) -> Iterator[str]:
        """Where a path may lead: as it stands, and from the context directory's name on."""
        yield os.path.join(self._cwd, os.path.expanduser(path))  # noqa: PTH111, PTH118
        _, named, rest = path.rpartition(f"{os.path.basename(self._context)}/")  # noqa: PTH119
        if named:
            yield f"{self._context}{os.sep}{rest}"

    def _look_place(self, path: str, counts_above: bool) -> None:
        try:
            if not os.path.lexists(path) and not path.endswith(".md"):
                return
            place = os.path.realpath(path)
        except (OSError, ValueError):
            return
        self.paths += 1
        inside = place.removeprefix(self._context + os.sep)
        if inside != place:
            name = inside.partition(os.sep)[0]
            if is_memory_name(name):
                self._names[name] = None
        elif place == self._context:
            self.is_near = self._whole = True
            if counts_above:
                self._names.update(dict.fromkeys(self._listed()))
        elif counts_above and self._context.startswith(place.rstrip(os.sep) + os.sep):
            self._whole = True

    def _look_glob(self, path: str) -> None:
        whole = os.path.normpath(os.path.join(self._cwd, path.replace("**", "*")))  # noqa: PTH118
        fixed = re.split(r"[*?\[]", whole, maxsplit=1)[0]
        if not (self._context + os.sep).startswith(fixed) and not fixed.startswith(self._context):
            return
        self.paths += 1
        names = self._listed()
        try:
            fitting = fnmatch.filter([f"{self._context}{os.sep}{name}" for name in names], whole)
        except re.error:
            return
        found = [each.removeprefix(self._context + os.sep) for each in fitting]
        self._whole = self._whole or len(found) == len(names) > 1
        self._names.update(dict.fromkeys(found))


def _is_glob(path: str) -> bool:
    return any(sign in path for sign in "*?[")
