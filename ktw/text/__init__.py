"""Pure text in, spans out: what a text hides, where its sentences end, what in it directs, what is
secret.

These rooms know nothing of files, memories or trust; they never print and never raise on any `str`.
"""

from typing import NamedTuple


class Span(NamedTuple):
    """A piece of a text: `text[start:end]`, offsets being indices into the `str` that was given.

    `code` names the rule that found it (empty where there is nothing to name) and `why` says in one
    short clause what was found, never repeating a payload.
    """

    start: int
    end: int
    code: str
    why: str
