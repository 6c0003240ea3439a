"""What the fields of a skillmem memory mean, in its database and in the Markdown that it writes.

Pure text in, plain values out.
"""

from ktw.errors import visible
from ktw.importers.foreign import moment
from ktw.importers.lost import Lost
from ktw.text.late import late

MAX_SLUG = 200
SESSION_NOTE = "a session note; --notes brings those too"
Header = tuple[tuple[str, str], ...]

_AGENT = late(r"[a-z0-9-]{1,40}")
_ARCHIVED = ("Superseded by", "none — it was archived in skillmem")


def place_of(slug: str) -> str:
    """Where the memory with this slug is, the same for a database and for a dump of it."""
    return f"skillmem:{visible(slug, MAX_SLUG)}"


def is_session_note(kind: str, slug: str, origin: str) -> bool:
    """True for what a session left behind of itself."""
    told = kind.strip().casefold()
    is_recap = slug.startswith("session-") or origin == "derived"
    return told == "session" or (told == "note" and is_recap)


def standing(lifecycle: str, fresh_until: str) -> tuple[str, Header]:
    """The Status that its lifecycle means, and further header fields."""
    day = moment(fresh_until)[:10]
    header = (("Revisit when", day),) if day else ()
    if lifecycle == "archived":
        return "superseded", (*header, _ARCHIVED)
    return "active", header


def author(agent: str) -> tuple[str, list[Lost]]:
    """Who wrote it, as an agent's name may be, and whether that was lost."""
    if not agent or _AGENT.fullmatch(agent):
        return agent, []
    return "", [Lost(1, "author left out", "authors left out")]
