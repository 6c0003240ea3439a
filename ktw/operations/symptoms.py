"""One line of an examination: how something stands, what it is, what to do about it.

What is private (paths, names, addresses) is kept apart, so that a report can leave it out.
"""

from typing import Literal, NamedTuple

from ktw.errors import visible

State = Literal["ok", "warn", "bad"]
STATES: tuple[State, ...] = ("ok", "warn", "bad")
_WITHHELD = "[…]"


class Symptom(NamedTuple):
    """`about` is one of a few fixed words; `what` and `todo` may hold what is private, `public`
    holds none of it."""

    state: State
    about: str
    what: str
    public: str
    todo: str = ""


def symptom(state: State, about: str, what: str, *private: str, todo: str = "") -> Symptom:
    """A line whose private parts stand for the `{}` of `what`."""
    shown = what.format(*(visible(part) for part in private))
    return Symptom(state, about, shown, what.format(*(_WITHHELD for _ in private)), todo)
