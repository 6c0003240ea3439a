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
from ktw.scan import is_memory_name

_LONGEST_PATH, _LONGEST_COMMAND, _MOST_WORDS = 4096, 20_000, 400
_APART = re.compile(r"[\s'\"`;|&<>(){}=,:]+")
_QUOTING = re.compile(r"['\"\\]")
_STEPS = re.compile(r"[|;&\n]")
_DEEPER = re.compile(r"-[A-Za-z]*[rR][A-Za-z]*|--recursive|--dereference-recursive")
_SEARCHING = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd", "tree"})
_DEEP = frozenset({"rg", "ag", "ack", "find", "fd", "tree"})
_CHANGING = frozenset({"rm", "mv", "cp", "tee", "truncate", "dd", "patch", "ed", "install"})
_IN_PLACE = frozenset({"sed", "perl"})
_GIT_CHANGING = frozenset({"checkout", "restore", "rm", "mv", "stash", "reset", "apply"})
_OWN = frozenset({"ktw", "keep-the-why-lint"})


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
    command = command[:_LONGEST_COMMAND]
    words = _words(command)
    if not words or (words[0] in _OWN and not re.search(r"[;|&`\n]|\$\(", command)):
        return Touched()
    searches = not _SEARCHING.isdisjoint(words)
    before = place.paths
    for word in words:
        if not word.startswith("-"):
            place.look(word, counts_above=searches)
    if place.is_near:
        for word in words:
            place.look_inside(word)
    if searches and _is_deep(words, command) and place.paths == before:
        place.look(".", counts_above=True)
    return place.found(_may_change(words, command))


def _is_deep(words: Sequence[str], command: str) -> bool:
    """True for a search that goes down from where it begins, named or not."""
    if not _DEEP.isdisjoint(words) or "-r" in words or "-R" in words:
        return True
    steps = ([*filter(None, _APART.split(step))] for step in _STEPS.split(command))
    return any(
        not _SEARCHING.isdisjoint(step) and ("git" in step or any(map(_DEEPER.fullmatch, step)))
        for step in steps
    )


def _words(command: str) -> list[str]:
    """Its words, then those that a shell puts together from quoted pieces."""
    joined = _QUOTING.sub("", command)
    texts = (command,) if joined == command else (command, joined)
    found = (word for text in texts for word in _APART.split(text) if word)
    return list(dict.fromkeys(found))[:_MOST_WORDS]


def _may_change(words: Sequence[str], command: str) -> bool:
    if ">" in command or not _CHANGING.isdisjoint(words):
        return True
    if not _IN_PLACE.isdisjoint(words) and any(word.startswith("-i") for word in words):
        return True
    return "git" in words and not _GIT_CHANGING.isdisjoint(words)


class _Place:
    """The context directory, and what was found of it."""

    def __init__(self, context: str, cwd: str, listed: Callable[[], Sequence[str]]) -> None:
        self._context, self._cwd, self._listed = context, os.path.realpath(cwd), listed
        self._names: dict[str, None] = {}
        self.is_near = self._cwd == context
        self._whole = False
        self.paths = 0  # how many words named something that is there

    def found(self, writes: bool) -> Touched:
        return Touched(tuple(self._names), self._whole, writes)

    def look(self, path: str, counts_above: bool) -> None:
        """Note what a path or glob names; `counts_above`: a directory is read with all it holds."""
        path = path[:_LONGEST_PATH]
        if not path:
            return
        if any(sign in path for sign in "*?["):
            self._look_glob(path)
            return
        for each in self._readings(path):
            self._look_place(each, counts_above)

    def look_inside(self, word: str) -> None:
        """Note a name that is one of the context directory's, said beside the directory itself."""
        is_name = os.sep not in word and is_memory_name(word)
        if is_name and os.path.lexists(f"{self._context}{os.sep}{word}"):
            self._names[word] = None

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
