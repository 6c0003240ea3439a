"""Import memories that are kept elsewhere: first a plan, then the plan written, file by file.

Everything is written as `imported` by the writer of `remember`, beside what is there: it overwrites
nothing, approves nothing, commits nothing, and no word of a store stands in what it tells.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from ktw.boundaries import Unreadable
from ktw.changes import Progress
from ktw.errors import KtwError, UsageError, visible
from ktw.fields import field_fault
from ktw.importers.bodies import as_code
from ktw.importers.foreign import MAX_TEXT, Foreign, Left, Wanted
from ktw.importers.lost import Lost
from ktw.importers.sources import SOURCES, recognised
from ktw.memory import MemoryFile, parse_memory
from ktw.operations.already_here import Here
from ktw.operations.import_plan import HERE, LEFT, NEW, PROPOSAL, Plan, Row
from ktw.operations.page import add_rows
from ktw.operations.writing import (
    MAX_TITLE,
    Composed,
    Draft,
    Unfit,
    compose,
    file_stem,
    refuse_unfit,
)
from ktw.store import Project, path_of, read_bytes, write_new, writing
from ktw.text.secrets import find_secrets
from ktw.withholding import shown_words

_STRUCTURE = ("N2", "M11")  # rules about what a reader sees as a heading or a field
_NAME = 200  # characters of a name that are told
_CODE = Lost(1, "text as a block of code", "texts as blocks of code")
_REJECTED = "its words were rejected here; ktw does not bring them back"


@dataclass(frozen=True)
class Wish:
    """What is wanted: where from ("" finds out), and what a memory gets that its store does not
    tell: kind, topic, tags."""

    source: str = ""
    kind: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    wanted: Wanted = field(default_factory=Wanted)


def plan_import(
    project: Project, place: Path, wish: Wish, now: datetime, progress: Progress | None = None
) -> Plan:
    """What importing from `place` would write here; nothing is written.

    Raises UsageError for a place that is no store, KtwError for one that cannot be read.
    """
    _check(wish)
    place = _resolved(project, place)
    source = wish.source or recognised(place)
    if source == "notes" and wish.wanted.projects:
        raise UsageError("only a database of skillmem has projects", "Leave out --project.")
    here = Here(project)
    store = SOURCES[source](place, wish.wanted, project.context)
    rows, planned = [], 0
    for done, item in enumerate(store.items, start=1):
        row = _planned(here, item, wish, now, done)
        rows.append(row)
        planned += len(row.file.text.encode()) if row.file else 0
        _refuse_too_much(planned)
        if progress is not None:
            progress(done, store.count)
    projects = {row.project for row in rows if row.file}
    notices = (_SEVERAL.format(len(projects)),) if len(projects) > 1 else ()
    return Plan(project, source, tuple(rows), notices)


_SEVERAL = "these are memories of {} projects; --project NAME brings those of one"


def _check(wish: Wish) -> None:
    """Raise UsageError for a topic or tags that no memory could have."""
    file_stem(wish.topic)
    if fault := field_fault("tags", list(wish.tags)):
        raise UsageError(f"tags: {fault}", "Give other tags.")


def _refuse_too_much(planned: int) -> None:
    if planned > MAX_TEXT:
        raise KtwError(
            f"that is more than {MAX_TEXT:,} bytes of text",
            "Nothing was written. Import it in parts: folder by folder, or --project by --project.",
        )


def _resolved(project: Project, place: Path) -> Path:
    try:
        found = place.resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(
            f"{visible(str(place))} is not there, or cannot be looked at", "Name what to import."
        ) from error
    if found.is_relative_to(project.context):
        raise UsageError(
            f"{visible(str(place))} is this project's own memory", "Import from somewhere else."
        )
    return found


# --- one memory --------------------------------------------------------------------------------


def _planned(here: Here, item: Foreign | Left, wish: Wish, now: datetime, number: int) -> Row:
    place = _shown(item.place) or f"memory {number} (its name holds a secret)"
    if isinstance(item, Left):
        return Row(place, LEFT, shown_words(item.why, "reason"), item.fault)
    if not item.body.strip():
        return Row(place, LEFT, "it holds no text")
    lost = tuple(one._replace(names=tuple(map(_named, one.names))) for one in item.lost)
    draft = _draft(item, wish)
    row = Row(place, NEW, kind=draft.kind, lost=lost, claims=item.claims, project=item.project)
    if there := here.with_words_of(draft) or here.edited_since(draft):
        return replace(row, outcome=HERE, id=there)
    try:
        refuse_unfit(draft)
        draft = replace(draft, proposes=here.from_place(draft.source))
        id_ = here.new_id(draft)
        file, as_is = _composed(here.project, draft, id_, now)
    except Unfit as error:
        return replace(
            row, outcome=LEFT, why=f"it would not pass review ({error.code})", fault=True
        )
    except KtwError as error:
        told = error.what.removesuffix("; nothing was written")
        return replace(row, outcome=LEFT, why=told, fault=True)
    if here.were_rejected(file):
        return replace(row, outcome=LEFT, why=_REJECTED)
    here.add(parse_memory(path_of(here.project, file.name), file.text.encode()))
    outcome = PROPOSAL if draft.proposes else NEW
    lost = row.lost if as_is else (*row.lost, _CODE)
    return replace(row, outcome=outcome, id=id_, proposes=draft.proposes, file=file, lost=lost)


def _composed(project: Project, draft: Draft, id_: str, now: datetime) -> tuple[Composed, bool]:
    """The file of a draft, and whether it has the draft's body as it is.

    Where a reader would see other structure than counts, the body is kept as a block of code.
    """
    try:
        file = compose(project, draft, id_, now)
        if not any(finding.code.startswith(_STRUCTURE) for finding in file.warnings):
            return file, True
    except Unfit as error:
        if not error.code.startswith(_STRUCTURE):
            raise
    return compose(project, replace(draft, body=as_code(draft.body)), id_, now), False


def _brought_by_another(project: Project, row: Row, data: bytes) -> Row | None:
    """The row where another import wrote the same file meanwhile; else None."""
    with suppress(Unreadable):
        if row.file and read_bytes(project, row.file.name) == data:
            return replace(row, outcome=HERE, file=None)
    return None


def _faulty(row: Row, why: str) -> Row:
    return replace(row, outcome=LEFT, why=why, fault=True, file=None)


def _shown(text: str) -> str:
    """A few words of a store as they may be told; "" for those that hold a secret."""
    if next(iter(find_secrets(text)), None):
        return ""
    return shown_words(text if len(text) <= _NAME else f"{text[:_NAME]}\u2026", "name")


def _named(name: str) -> str:
    return _shown(name) or "(a name that holds a secret)"


def _draft(item: Foreign, wish: Wish) -> Draft:
    title, body = item.title, item.body
    if len(title) > MAX_TITLE:
        title, body = f"{title[: MAX_TITLE - 1].rstrip()}\u2026", f"{title}\n\n{body}"
    return Draft(
        title=title,
        body=body,
        kind=item.kind or wish.kind,
        origin="imported",
        agent=item.agent or None,
        topic=wish.topic,
        source=item.place,
        tags=tuple(dict.fromkeys((*item.tags, *wish.tags)))[:32],
        derived_from=item.derived_from,
        status=item.status,
        created_at=item.created_at,
        header=item.header,
    )


# --- writing -----------------------------------------------------------------------------------


def write_plan(plan: Plan, progress: Progress | None = None) -> Plan:
    """Write the files of a plan, each whole or not at all; the plan as it came about.

    What is interrupted leaves what was written, with its rows in index.md.
    """
    written: list[MemoryFile] = []
    rows: list[Row] = []
    notices: list[str] = []
    try:
        for row in plan.rows:
            rows.append(_written(plan.project, row, written))
            if progress is not None:
                progress(len(rows), len(plan.rows))
    finally:
        if written:
            with writing(plan.project):
                notices += add_rows(plan.project, written)
    return replace(plan, rows=tuple(rows), notices=(*plan.notices, *notices))


def _written(project: Project, row: Row, written: list[MemoryFile]) -> Row:
    if row.file is None:
        return row
    data = row.file.text.encode()
    try:
        with writing(project):
            write_new(project.context / row.file.name, data)
    except KtwError as error:
        return _brought_by_another(project, row, data) or _faulty(row, error.what)
    written.append(parse_memory(path_of(project, row.file.name), data))
    return row
