"""The tools that read: recall, search, get, list. Each answers the object that `ktw … --json`
prints, and as text what the renderer made of its memories.
"""

import json
from collections.abc import Sequence

from ktw.errors import UsageError
from ktw.limits import MORE_LIMIT
from ktw.mcp.answers import BUDGET, Answer, Call, fitting
from ktw.mcp.wire import Json
from ktw.operations import listing, reading
from ktw.operations.answers import answer_data
from ktw.operations.listing import Wanted
from ktw.render import Reading, as_data, count_omitted, show_list

_BEGINNING = 300  # characters of a memory's text in a search


def recall(call: Call) -> Answer:
    """The memories that answer a question, within the budget."""
    return _recalled(call, call.get("limit", 5), call.get("budget", 4000))


def search(call: Call) -> Answer:
    """Many memories with the beginning of their text; of one kind where that is asked for."""
    return _recalled(call, call.get("limit", 10), _BEGINNING, call.get("kind"))


def _recalled(call: Call, limit: int, budget: int, kind: str | None = None) -> Answer:
    project, query, now = call.project, call.get("query"), call.session.now()
    wanted = limit if kind is None else MORE_LIMIT * 5
    with call.session.held(project) as held:
        found = reading.recall(project, query, now, wanted, budget, call.session.model, held=held)
    if kind is not None:
        found.found = [one for one in found.found if one.reading.kind == kind]
        found.omitted = [one for one in found.omitted if one.kind == kind]
    kept = fitting(found.found[:limit], lambda one: len(one.shown.text), BUDGET)
    found.omitted = [*(one.reading for one in found.found[len(kept) :]), *found.omitted]
    found.found = kept
    data = answer_data(found)
    texts = [one.shown.text for one in kept] or ["Nothing here answers that.\n"]
    return Answer(_joined(texts, data), data)


def get(call: Call) -> Answer:
    """One memory whole; where approved words are in force that the work tree changed, both."""
    shown = reading.show_memory(call.project, call.get("id"), call.get("budget", BUDGET))
    named = list(dict.fromkeys(one.address for one, _ in shown))
    if len(named) > 1:
        raise UsageError(f"that file holds {len(named)} memories", f"Name one: {', '.join(named)}")
    first, *rest = (_shown_data(one, text.text) for one, text in shown)
    data = first | ({"here": rest} if rest else {})
    return Answer("\n".join(text.text for _, text in shown), data)


def _shown_data(one: Reading, text: str) -> Json:
    return as_data(one) | {"text": text, "findings": reading.findings_of(one)}


def list_(call: Call) -> Answer:
    """Memories without their text, from `offset` on."""
    limit, offset = call.get("limit", 50), call.get("offset", 0)
    wanted = Wanted(call.get("verdict"), call.get("kind"), call.get("origin"))
    page = listing.page(call.project, offset, limit, wanted)
    kept = fitting(page.readings, _size, BUDGET * 2)
    omitted = dict(count_omitted(page.readings[len(kept) :], 0))
    omitted["results"] += page.left
    omitted["unapproved"] += page.left_unapproved or 0
    data: Json = {
        "memories": [as_data(one) for one in kept],
        "omitted": omitted,
        "notices": page.notices,
    }
    return Answer(_joined(show_list(kept) or ["No memories.\n"], data), data)


def _size(one: Reading) -> int:
    return len(json.dumps(as_data(one)))


def _joined(texts: Sequence[str], data: Json) -> str:
    """Rendered memories, then what was left out and what else is to be said."""
    left, notices = data["omitted"], data.get("notices", [])
    if left["results"]:
        of_these = f", {left['unapproved']} unapproved" if left["unapproved"] else ""
        notices = [f"{left['results']} more{of_these}", *notices]
    return "\n".join([*texts, *(f"[{notice}]" for notice in notices)])
