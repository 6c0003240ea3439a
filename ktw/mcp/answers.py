"""What a tool is called with and what it answers: text for a reader and the same as data, both
within one budget. Builds no words of a memory itself.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from ktw.errors import KtwError
from ktw.mcp.protocol import Client
from ktw.mcp.session import Session
from ktw.mcp.wire import Json
from ktw.store import Project

BUDGET = 16_000  # characters of an answer, in either form
_Item = TypeVar("_Item")


class Call(NamedTuple):
    """A call whose arguments fit the tool's schema."""

    session: Session
    client: Client
    arguments: Json

    @property
    def project(self) -> Project:
        return self.session.project(self.client)

    @property
    def agent(self) -> str:
        return self.session.agent(self.client)

    def get(self, name: str, default: Any = None) -> Any:
        """An argument, or what holds where it is not given."""
        return self.arguments.get(name, default)


class Answer(NamedTuple):
    """What a tool answers, for a reader and as data."""

    text: str
    data: Json


def as_result(answer: Answer) -> Json:
    """The answer as a result of `tools/call`."""
    return {"content": [_text(answer.text)], "structuredContent": answer.data, "isError": False}


def refusal(what: str, todo: str = "") -> Json:
    """A result that says why a call was not carried out, so that the model can do better."""
    return {"content": [_text(f"{what}\n{todo}" if todo else what)], "isError": True}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def fitting(items: Sequence[_Item], size: Callable[[_Item], int], budget: int) -> list[_Item]:
    """The first of the items, as many as fit the budget together; raises KtwError where not even
    the first one does."""
    kept: list[_Item] = []
    for item in items:
        budget -= size(item)
        if budget < 0:
            break
        kept.append(item)
    if items and not kept:
        what = f"not even the first memory fits into an answer of {BUDGET:,} characters"
        raise KtwError(what, "Ask for less of it, or read it with: ktw show")
    return kept
