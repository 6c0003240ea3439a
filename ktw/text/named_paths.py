"""The files that a text names: relative paths in backticks, or plainly paths by their look.

Pure text: whether such a file exists, and where it may lead, is for others.
"""

import re
from collections.abc import Iterator

_LONGEST_TEXT, _LONGEST = 200_000, 200
# Compiled where a text holds a slash.
_SPAN = r"`([^`\n]{1,200})`"
_TOKEN = r"[^\s`'\"()\[\]{}<>,;|*]+"
_FILE = r"(?:[\w@+.-]+/)+[\w@+-][\w@+.-]*\.[A-Za-z][A-Za-z0-9]{0,7}"
_DIRECTORY = r"(?:[\w@+.-]+/)+"
_LINE_NUMBER = r":[0-9]+(?:[:-][0-9]+)?$"


def named_paths(text: str, limit: int) -> list[str]:
    """At most `limit` different paths that `text` names, in order; none absolute or with `..`.

    A file is known by a slash and an extension, a directory by the slash at its end in backticks.
    """
    if "/" not in text:
        return []
    text = text[:_LONGEST_TEXT]
    found: dict[str, None] = {}
    for token in _tokens(text):
        if len(found) == limit:
            break
        found.update(dict.fromkeys(_paths(token)))
    return list(found)


def _tokens(text: str) -> Iterator[str]:
    for span in re.finditer(_SPAN, text):
        if re.fullmatch(_DIRECTORY, span[1]):
            yield span[1]
    tokens = (found[0] for found in re.finditer(_TOKEN, text))
    yield from (token for token in tokens if "/" in token and not token.endswith("/"))


def _paths(token: str) -> Iterator[str]:
    if len(token) > _LONGEST or "://" in token:
        return
    path = token if token.endswith("/") else re.sub(_LINE_NUMBER, "", token.rstrip(".:!?"))
    parts = path.rstrip("/").split("/")
    is_host = "." in parts[0].lstrip(".")
    shape = _DIRECTORY if path.endswith("/") else _FILE
    if re.fullmatch(shape, path) and not is_host and not {"", ".", ".."}.intersection(parts):
        yield path
