"""Change a memory as an agent may: its own words that nobody approved in place, all others by a
proposal beside them.
"""

from dataclasses import dataclass
from datetime import datetime

from ktw.atomic import styled_like
from ktw.entries import Entry, format_entry, parts
from ktw.errors import Refused, visible
from ktw.memory import MemoryFile, edit_memory, is_uuid, parse_memory
from ktw.operations.duplicates import refuse_near_duplicate
from ktw.operations.finding import NotFound
from ktw.operations.superseding import all_of, may_change
from ktw.operations.writing import (
    Draft,
    Written,
    demoted,
    refuse_unfit,
    remember,
    warnings_about,
)
from ktw.render import Reading
from ktw.store import Changed, Project, name_of, read_bytes, replace, writing


@dataclass(frozen=True)
class Words:
    """What a memory is to say. `title` and `source` are kept as they are where they are empty."""

    body: str
    title: str = ""
    source: str = ""


@dataclass(frozen=True)
class Update:
    """What was written; `proposes` is None where the memory itself was edited."""

    written: Written
    proposes: str | None


def update(project: Project, reference: str, words: Words, agent: str, now: datetime) -> Update:
    """Give the memory that `reference` names other words, or propose them; raises as `remember`
    does, NotFound, and Changed where the file was changed meanwhile."""
    readings = all_of(project, reference)
    if not readings:
        raise NotFound("that memory cannot be read now", "See why with: ktw status")
    target = readings[0]
    draft = Draft(
        title=words.title or target.entry.title,
        body=words.body,
        kind=target.kind or "decision",
        agent=agent,
        source=words.source,
        proposes=target.address,
    )
    if is_own(readings, agent):
        return Update(_edited(project, target, draft, now), None)
    if not is_uuid(target.address):
        raise Refused(
            f"{visible(reference)} is not yours to change, and has no Id to be proposed for",
            "Write a memory of its own, and ask a person to merge the two.",
        )
    return Update(remember(project, draft, now), target.address)


def is_own(readings: list[Reading], agent: str) -> bool:
    """True for what this agent wrote into a file of its own, and no person laid claim to since."""
    file = readings[0].file
    alone = len(readings) == 1 and len(file.entries) == 1
    own = file.origin == "agent" and file.agent == agent and file.trusted_at is None
    return alone and own and may_change(readings, by_agent=True)


def _edited(project: Project, target: Reading, draft: Draft, now: datetime) -> Written:
    refuse_unfit(draft)
    name = name_of(project, target.file.path)
    data = read_bytes(project, name)
    if parse_memory(target.file.path, data).text != target.file.text:
        raise Changed("the file changed while ktw was at work", "Nothing was written. Try again.")
    text = _with_words(target.file, target.entry, draft)
    warnings = warnings_about(target.file.path, text, draft)
    refuse_near_duplicate(project, draft.title, draft.body, now, but=draft.proposes)
    with writing(project):
        replace(project.context / name, styled_like(data, text), data)
    return Written(target.address, target.slug, target.file.path, "agent", tuple(warnings))


def _with_words(file: MemoryFile, entry: Entry, draft: Draft) -> str:
    """The file's text with the entry saying what the draft says, its header lines kept."""
    header = entry.fields[: len(parts(entry)[0])]
    told = [(field.label, field.value) for field in header]
    section = format_entry(draft.title.strip(), told, demoted(draft.body)).rstrip("\n")
    lines = file.text.split("\n")
    lines[entry.line - 1 : entry.end_line] = section.split("\n")
    source = [("source", draft.source.strip())] if draft.source.strip() else []
    return edit_memory("\n".join(lines), source)
