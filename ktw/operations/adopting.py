"""Adopt the files of a Keep the Why project, or decision records: give them a frontmatter.

First a plan, then the same plan carried out, a file at a time. It touches no other byte, approves
nothing, commits nothing, and takes nobody's word for more than `imported`.
"""

import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff

from ktw.boundaries import Unreadable, read_regular
from ktw.config import CONFIG_FILE, parse_config
from ktw.errors import KtwError
from ktw.fields import day_or_time_fault, told_kind
from ktw.frontmatter import NotEditable
from ktw.git.log import first_times
from ktw.git.writing import remotes
from ktw.memory import MemoryFile, parse_memory
from ktw.operations.approving import edited
from ktw.operations.page import is_untidy
from ktw.operations.recording import Change
from ktw.operations.setup_texts import id_from
from ktw.policy import read_policy
from ktw.scan import scan
from ktw.store import Project, find_project, read_bytes, replace, writing

_OPENING = re.compile(rb"^[ \t]*<!-- keep-the-why:config -->[ \t]*(\r\n|\r|\n)", re.MULTILINE)


@dataclass(frozen=True)
class Adoption:
    """A plan: the files as they will be, those that are left with why, and how many are ours."""

    project: Project
    changes: tuple[Change, ...]
    left: tuple[tuple[str, str], ...]
    settled: int


def plan_adoption(project: Project, now: datetime) -> Adoption:
    """What adopting would change: config without an id, memory files without an origin.

    Raises KtwError in a shallow clone, which cannot tell when a file was made, and GitFailed.
    """
    if project.repository.is_shallow:
        raise KtwError(
            "this clone is shallow, so nobody can tell here when the files were made",
            "Fetch the rest first: git fetch --unshallow",
        )
    times = first_times(project.repository, project.git_path(project.context_name))
    changes = [*_config_change(project)]
    left: list[tuple[str, str]] = []
    settled = 0
    for name in scan(project)[0].names:
        path = f"{project.context_name}/{name}"
        try:
            created = _created(times.get(project.git_path(path)), now)
            change = _adopted(project, name, created)
        except KtwError as error:
            left.append((path, error.why if isinstance(error, Unreadable) else error.what))
            continue
        settled += change is None
        changes += [] if change is None else [change]
    return Adoption(project, tuple(changes), tuple(left), settled)


def _adopted(project: Project, name: str, created: str) -> Change | None:
    """The file with what its frontmatter lacks; None for one that has an origin.

    Raises KtwError where it cannot be given one.
    """
    path = f"{project.context_name}/{name}"
    if (project.context / name).is_symlink():
        raise KtwError("it is a link")
    data = read_bytes(project, name)
    file = parse_memory(path, data)
    if file.problems:
        raise KtwError(f"line {file.problems[0].line}: {file.problems[0].message}")
    if "origin" in file.frontmatter:
        return None
    if file.trusted_at or file.trusted_by:
        raise NotEditable("it claims an approval")
    facts = {"origin": "imported", "kind": told_kind(file), "created_at": _day(file) or created}
    missing = [(key, value) for key, value in facts.items() if key not in file.frontmatter]
    return edited(file, data, [(key, value) for key, value in missing if value])


def _day(file: MemoryFile) -> str | None:
    """The day that a decision record states, where the calendar has it."""
    day = file.record.first("Date") if file.record else None
    return day if day and not day_or_time_fault(day) else None


def _created(at: str | None, now: datetime) -> str:
    """When a file was first committed, in UTC; `now` for one that never was."""
    moment = now
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(at or "").astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def _config_change(project: Project) -> Iterator[Change]:
    """An id for a `.keep-the-why` that states none: policy names a project by it.

    A config that stands in AGENTS.md is left: its format knows no id.
    """
    if project.config.path != CONFIG_FILE or project.id or project.config.legacy:
        return
    data = read_regular(project.root / CONFIG_FILE, project.root)
    opening = _OPENING.search(data)
    if opening is None:
        return
    urls = remotes(project.repository)
    url = urls.get("origin") or next(iter(urls.values()), "")
    id_ = id_from(url, project.root.name, uuid.uuid4().hex[:12])
    row = f"- id: {id_}".encode() + opening[1]
    new = data[: opening.end()] + row + data[opening.end() :]
    if parse_config(new.decode("utf-8", "replace")).value("id") == id_:
        yield Change(CONFIG_FILE, data, new)


def next_steps(project: Project) -> list[str]:
    """What is left to do once a plan for `project` was carried out."""
    project = find_project(project.root)
    steps = []
    with suppress(KtwError):  # a page that only a person can mend
        if is_untidy(project):
            steps.append(
                "ktw index --page: rows of index.md that hold no words, as ktw writes them"
            )
    if read_policy(project).policy is None:
        steps.append("ktw init: a policy for this clone, so that approvals count here")
    return [*steps, "ktw review --origin imported: approve or reject, as a person"]


def difference(change: Change) -> list[str]:
    """The lines that a change adds, as a unified diff without context: no word of the file."""
    old, new = ((data or b"").decode("utf-8", "replace") for data in (change.old, change.new))
    lines = unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return list(lines)[2:]


def adopt(adoption: Adoption) -> list[tuple[str, str]]:
    """Write the plan, each file whole or not at all; those that were not written, with why."""
    project = adoption.project
    failed: list[tuple[str, str]] = []
    with writing(project):
        for change in adoption.changes:
            try:
                replace(project.root / change.path, change.new, change.old or b"")
            except KtwError as error:
                failed.append((change.path, error.what))
    return failed
