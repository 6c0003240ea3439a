"""Refuse to keep what is kept already: a draft whose words are nearly those of a memory."""

import re
from datetime import datetime

from ktw.entries import prose
from ktw.errors import Refused, visible
from ktw.index import refresh
from ktw.memory import is_note
from ktw.operations.finding import evidence_for, read_places, search
from ktw.operations.in_force import in_force
from ktw.render import Reading
from ktw.store import Project
from ktw.text.tokens import words

_SHARE, _WORDS, _CANDIDATES = 0.7, 5, 5
_LABEL = re.compile(r"\*\*[^*\n]{1,40}:\*\*")


def refuse_near_duplicate(
    project: Project, title: str, body: str, now: datetime, but: str = ""
) -> None:
    """Raise Refused, naming them, where memories much like these words exist.

    `but`: the address of one that may be like them, as it is to be replaced.
    """
    ours = _telling(f"{title} {body}")
    snapshot = refresh(project)
    with evidence_for(project, snapshot) as evidence:
        known = in_force(project, evidence, snapshot)
        hits = search(project, snapshot, f"{title} {body}", now, beside=known.beside).hits
        places = [hit.place for hit in hits if not is_note(hit.place.name)][:_CANDIDATES]
        found = read_places(project, evidence, places, known.readings)
    like = [one for one in found if one is not None and _alike(ours, one) and one.address != but]
    if like:
        told = "a memory" if len(like) == 1 else f"{len(like)} memories"
        exists = "exists" if len(like) == 1 else "exist"
        raise Refused(
            f"{told} much like this {exists}: {', '.join(map(_named, like))}",
            "Read it with `ktw show`, and change it or insist with --force.",
        )


def _telling(text: str) -> set[str]:
    """The words of a text that tell what it is about: no labels, no dates and other numbers."""
    return {word for word in words(_LABEL.sub(" ", text)) if not word.isdigit()}


def _alike(ours: set[str], reading: Reading) -> bool:
    theirs = _telling(f"{reading.entry.title} {prose(reading.entry)}")
    smaller = min(len(ours), len(theirs))
    if smaller < _WORDS:
        return bool(ours) and ours == theirs
    return len(ours & theirs) / smaller >= _SHARE


def _named(reading: Reading) -> str:
    """A memory as it may be named outside a frame."""
    if reading.verdict.approved:
        return f"{reading.address} ({visible(reading.entry.title, 80)})"
    return f"{reading.address} ({reading.kind or 'memory'}, {reading.verdict.name})"
