"""What of an author's words a finding may repeat: none that read as a directive.

A finding is read outside the frame that marks a memory as data. Knows text only, no rule and no
format of a report.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from posixpath import join, normpath

from keep_the_why_lint.cache import Cache

WITHHELD = "[withheld: it reads as a directive]"

_JUDGED = 4_000  # characters: far more than a message shows
_SEPARATORS = re.compile(r"[\W_]+")
_EXTENSION = re.compile(r"\.\w{1,8}$")
# One word and a number, as generated names are: too little to direct, or to be an encoded text.
_PLAIN_NAME = re.compile(r"(?:context/)?[A-Za-z0-9]{1,12}(?:-[0-9a-f]{1,8})?\.md")
_CACHE: ContextVar[Cache | None] = ContextVar("cache", default=None)
_QUOTES = (re.compile(r"'(.*)'", re.DOTALL), re.compile(r"`(.*)`", re.DOTALL))


@lru_cache(maxsize=4_096)
def reads_as_directive(value: str) -> bool:
    """True where `value` directs its reader, as it stands or with its separators as blanks.

    Of a path each segment is judged for itself as well.
    """
    if _PLAIN_NAME.fullmatch(value):
        return False
    cache = _CACHE.get()
    if cache is None:
        return _directs(value)
    return bool(cache.rows(("words of a finding", value), lambda: [[]] * _directs(value)))


@contextmanager
def remembering(cache: Cache) -> Iterator[None]:
    """Meanwhile what was judged is asked of the cache, and kept in it."""
    token = _CACHE.set(cache)
    try:
        yield
    finally:
        _CACHE.reset(token)


def _directs(value: str) -> bool:
    # It takes 0.07 s to import: only a run that quotes something pays for it.
    from ktw.text.directives import find_directives

    value = value[:_JUDGED]
    texts = {value, _spaced(value)}
    texts.update(_spaced(_EXTENSION.sub("", segment)) for segment in value.split("/"))
    return any(find_directives(text) for text in texts if text)


def _spaced(value: str) -> str:
    return _SEPARATORS.sub(" ", value).strip()


def shown_words(value: str) -> str:
    """Words of an author, withheld where they read as a directive."""
    return WITHHELD if reads_as_directive(value) else value


def shown_path(path: str) -> str:
    """A path with each segment withheld that reads as a directive, or all of it."""
    if not reads_as_directive(path):
        return path
    kept = "/".join(WITHHELD if reads_as_directive(part) else part for part in path.split("/"))
    return kept if WITHHELD in kept else WITHHELD


def path_from_top(path: str, prefix: str) -> str:
    """A finding's path as shown, from git's top instead of the project at `prefix` below it."""
    return shown_path(path if path.startswith("~/") else normpath(join(prefix, path)))


def shown_message(message: str) -> str:
    """A message whose quotes, from the first mark to the last, hold nothing that directs."""
    for quotes in _QUOTES:
        match = quotes.search(message)
        if match and reads_as_directive(match[1]):
            message = f"{message[: match.start()]}{WITHHELD}{message[match.end() :]}"
    return message
