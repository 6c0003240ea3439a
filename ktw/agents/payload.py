"""Read what an agent's payload holds, whatever it holds: text, a tool's name and its arguments.

Nothing of a payload is trusted to have a type, and nothing here raises.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from ktw.agents.call import Tool

_LONGEST, _MOST_PATHS = 100_000, 200
_COMMANDS = ("command", "command_line", "cmd", "script")
_PATHS = (
    "file_path", "filePath", "notebook_path", "absolute_path", "path", "dir_path", "directory",
    "target_file", "target_directory", "dir", "glob", "include", "file", "uri",
)  # fmt: skip
_MANY_PATHS = ("files", "paths", "filePaths", "file_paths", "edits", "replacements")
_PATCHED = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")


def text(payload: Mapping[str, object], *names: str) -> str:
    """The first of these fields that holds text, "" where none does."""
    found = (payload.get(name) for name in names)
    return next((value for value in found if isinstance(value, str)), "")[:_LONGEST]


def mapping(value: object) -> Mapping[str, object]:
    """A JSON object, also one that was sent as text; an empty one for anything else."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def tool(name: str, arguments: object, actions: Mapping[str, str]) -> Tool:
    """A tool by its name and arguments; `actions` says what the tools of an agent do.

    A tool that is not listed counts as one that runs where it has a command, else as one that
    reads.
    """
    given = mapping(arguments)
    command = _command(given)
    action = actions.get(name, "run" if command else "read")
    paths = [*_paths(given)]
    if name in ("Glob", "glob", "FindFiles", "search_file_content_glob"):
        paths.append(text(given, "pattern"))
    if command and "*** " in command:
        patched = [*_patched(command)]
        action = "write" if patched else action
        paths += patched
        command = "" if patched else command
    return Tool(action, command, tuple(dict.fromkeys(path for path in paths if path))[:_MOST_PATHS])


def _command(given: Mapping[str, object]) -> str:
    for name in (*_COMMANDS, "input"):
        value = given.get(name)
        if isinstance(value, str) and (name != "input" or "*** " in value):
            return value[:_LONGEST]
        if isinstance(value, list):
            return " ".join(word for word in value if isinstance(word, str))[:_LONGEST]
    return ""


def _paths(given: Mapping[str, object]) -> Iterator[str]:
    for name in _PATHS:
        value = given.get(name)
        if isinstance(value, str):
            yield value[:_LONGEST]
    for name in _MANY_PATHS:
        value = given.get(name)
        for each in value[:_MOST_PATHS] if isinstance(value, list) else ():
            if isinstance(each, str):
                yield each[:_LONGEST]
            elif isinstance(each, dict):
                yield text(each, *_PATHS)


def _patched(command: str) -> Iterator[str]:
    """The files that a patch in Codex's own format names."""
    for line in command.split("\n"):
        for start in _PATCHED:
            if line.startswith(start):
                yield line.removeprefix(start).strip()


def native(payload: Mapping[str, object], known: Sequence[str], *names: str) -> str:
    """The agent's name of the event where it is one of `known`, else the first of these.

    What stands in the answer is never taken from a payload.
    """
    told = text(payload, *names)
    return told if told in known else known[0]
