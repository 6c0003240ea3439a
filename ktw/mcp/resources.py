"""Memories as resources: one address each, listed a page at a time, read through the renderer.

A title stands in the list where a person approved it; all others are there by address alone.
"""

import re
from typing import TYPE_CHECKING

from ktw.errors import UsageError
from ktw.mcp.answers import BUDGET
from ktw.mcp.protocol import Client
from ktw.mcp.session import Session
from ktw.mcp.wire import Json

if TYPE_CHECKING:
    from ktw.render import Reading

_PAGE = 100
_URI = re.compile(r"ktw://memory/([0-9a-f-]{6,36})")
_MARKDOWN = "text/markdown"
TEMPLATES: Json = {
    "resourceTemplates": [
        {
            "uriTemplate": "ktw://memory/{id}",
            "name": "memory",
            "title": "A memory",
            "description": "One memory by its Id; in a frame unless a person approved it.",
            "mimeType": _MARKDOWN,
        }
    ]
}


class NoResource(UsageError):
    """No memory has that URI."""


def listed(session: Session, client: Client, params: Json) -> Json:
    """A page of the memories, and the cursor of the next one; raises UsageError for a cursor that
    no page gave."""
    from ktw.operations.listing import page

    cursor = params.get("cursor", "0")
    if not isinstance(cursor, str) or not re.fullmatch(r"[0-9]{1,7}", cursor):
        raise UsageError("that cursor was not given out here", "List again from the start.")
    at = int(cursor)
    found = page(session.project(client), at, _PAGE, counts=False)
    more = {"nextCursor": str(at + _PAGE)} if found.left else {}
    return {"resources": [_row(*_told(one)) for one in found.readings], **more}


def _told(reading: "Reading") -> tuple[str, str | None, str]:
    from ktw.render import as_data, outside

    data = as_data(reading)
    title = data["title"] if isinstance(data["title"], str) else None
    told = f"Approved {reading.kind or 'memory'}" if title else outside(reading).lstrip("# ")
    return reading.address, title, told


def _row(address: str, title: str | None, told: str) -> Json:
    named = {"title": title[:_PAGE]} if title else {}
    uri = f"ktw://memory/{address}"
    row = {"uri": uri, "name": address, "description": told, "mimeType": _MARKDOWN}
    return row | named


def read(session: Session, client: Client, params: Json) -> Json:
    """One memory as text; raises NoResource, KtwError."""
    from ktw.operations.finding import NotFound
    from ktw.operations.reading import show_memory

    uri = params.get("uri")
    found = _URI.fullmatch(uri) if isinstance(uri, str) else None
    if found is None:
        raise NoResource("resources here are called ktw://memory/<Id>")
    try:
        shown = show_memory(session.project(client), found[1], BUDGET)
    except NotFound as error:
        raise NoResource(f"there is no memory {found[1]}") from error
    text = "\n".join(text.text for _, text in shown)
    return {"contents": [{"uri": uri, "mimeType": _MARKDOWN, "text": text}]}
