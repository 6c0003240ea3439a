"""Remember and learn: compose a memory file, have it checked, and write it with its index row."""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.runner import check_draft
from ktw.boundaries import memory_name
from ktw.entries import format_entry, heading, unfenced_lines
from ktw.errors import Refused, UsageError, visible
from ktw.frontmatter import Value
from ktw.memory import (
    KINDS,
    TYPE_OF_KIND,
    MemoryFile,
    format_memory,
    is_uuid,
    parse_memory,
)
from ktw.operations.duplicates import refuse_near_duplicate
from ktw.operations.page import add_rows
from ktw.scan import scan
from ktw.store import Project, path_of, write_new, writing
from ktw.text.directives import find_directives
from ktw.text.hidden import find_hidden, is_mild
from ktw.text.secrets import find_secrets

MAX_TITLE, MAX_TOPIC = 200, 24
_NO_KIND = "undefined — imported without a kind"
_RANK_OF_ORIGIN = {"owner": 2, "agent": 1, "imported": 0, "derived": 0}


@dataclass(frozen=True)
class Draft:
    """What a writer wants to keep. `origin` is what the surface allows, `agent` who it is.

    `created_at`: when it was made elsewhere, "" for now; `header`: further header fields. What is
    imported need not have a kind.
    """

    title: str
    body: str
    kind: str = "decision"
    origin: str = "agent"
    agent: str | None = None
    topic: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    proposes: str = ""
    status: str = "active"
    evidence: str = ""
    insist: bool = False
    created_at: str = ""
    header: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Composed:
    """A memory file as it will be: its name, its text, what the linter warns of, and how many of
    its sentences direct."""

    name: str
    text: str
    warnings: tuple[Finding, ...]
    directing: int


class Unfit(Refused):
    """A memory that the linter would call wrong: `code` says by which rule."""

    def __init__(self, finding: Finding) -> None:
        told = f"the memory would not pass review: {finding.message} [{finding.code}]"
        super().__init__(told, "Nothing was written.")
        self.code = finding.code


@dataclass(frozen=True)
class Written:
    """The memory that was written, what its writer should know, and the hash of its words."""

    id: str
    slug: str
    path: str
    origin: str
    warnings: tuple[str, ...] = field(default=())
    content_hash: str = ""


def lowered(stamped: str, wanted: str | None) -> str:
    """The origin a draft gets: the surface's, or the lower one that was asked for.

    Raises Refused for a wish that would raise it.
    """
    if wanted is None or wanted == stamped:
        return stamped
    if _RANK_OF_ORIGIN[wanted] >= _RANK_OF_ORIGIN[stamped]:
        raise Refused(
            f"origin {wanted} cannot be claimed here: this surface writes as {stamped}",
            "origin says where the text came from; it can be lowered, never raised.",
        )
    return wanted


def after_action(trigger: str, steps: Sequence[str], outcome: str, lessons: str) -> str:
    """The body of a skill: when it applies, what was done, how it ended, what was learned."""
    listed = "\n".join(f"{at}. {step.strip()}" for at, step in enumerate(steps, start=1))
    parts = [f"**Trigger:** {trigger.strip()}", f"**Steps:**\n\n{listed}"]
    parts.append(f"**Outcome:** {outcome.strip()}")
    if lessons.strip():
        parts.append(f"**Lessons:** {lessons.strip()}")
    return "\n\n".join(parts)


def remember(project: Project, draft: Draft, now: datetime, new_id: str | None = None) -> Written:
    """Write a new memory; raises Refused or UsageError before any file exists.

    Refused: a secret, hidden characters, a near-duplicate (unless insisted on), anything the
    linter would call an error.
    """
    refuse_unfit(draft)
    scan(project)  # a context directory that is missing is told here, not as a failed write
    id_ = new_id or str(uuid.uuid4())
    file = compose(project, draft, id_, now)
    path = path_of(project, file.name)
    if not draft.insist:
        refuse_near_duplicate(project, draft.title, draft.body, now, but=draft.proposes)
    written = parse_memory(path, file.text.encode())
    with writing(project):
        write_new(project.context / file.name, file.text.encode())
        untold = add_rows(project, [written])
    warnings = (*_told(file.warnings, file.directing), *untold)
    return Written(id_, written.slug, path, draft.origin, warnings, written.computed_hash)


def compose(project: Project, draft: Draft, id_: str, now: datetime) -> Composed:
    """The file that a draft becomes, checked as a reviewer would; nothing is written.

    Raises Refused and UsageError where it cannot be kept; `refuse_unfit` judged its words before.
    """
    name = memory_name(f"{file_stem(draft.topic) or draft.kind or draft.origin}-{id_[:8]}.md")
    text = _compose(draft, id_, now)
    return Composed(name, text, *_judged(path_of(project, name), text, draft))


# --- checks ----------------------------------------------------------------------------------


def refuse_unfit(draft: Draft) -> None:
    """Raise Refused or UsageError where the words themselves cannot be kept."""
    for name, text in _texts(draft):
        _refuse_secret(name, text)
        _refuse_hidden(name, text)
    title = draft.title.strip()
    if not title or "\n" in draft.title or len(title) > MAX_TITLE:
        raise UsageError(
            f"the title must be one line of 1 to {MAX_TITLE} characters",
            "Shorten it; what needs room belongs in the body."
            if title
            else "Say in a few words what it is about.",
        )
    if not draft.body.strip():
        raise UsageError(
            "the body is empty", "Say what was decided and why: --body TEXT or --body -"
        )
    if draft.kind not in KINDS and (draft.kind or draft.origin != "imported"):
        raise UsageError(
            f"kind {visible(draft.kind)} is not known", f"Use one of: {', '.join(KINDS)}"
        )
    for value in (draft.proposes,) if draft.proposes else ():
        if not is_uuid(value):
            raise UsageError(f"{visible(value)} is not an Id", "See Ids with: ktw list")


def _texts(draft: Draft) -> list[tuple[str, str]]:
    named = [("title", draft.title), ("body", draft.body), ("topic", draft.topic)]
    named += [("proposes", draft.proposes), ("agent", draft.agent or "")]
    named += [("source", draft.source), *(("tag", tag) for tag in draft.tags)]
    return [*named, *(("derived_from", value) for value in draft.derived_from)]


def _refuse_secret(name: str, text: str) -> None:
    for span in find_secrets(text):
        line = text.count("\n", 0, span.start) + 1
        raise Refused(
            f"the {name} holds a secret (line {line}: {span.why}); nothing was written",
            "Take it out, and change the secret if it was real. Memories are committed to git.",
        )


def _refuse_hidden(name: str, text: str) -> None:
    for span in find_hidden(text):
        if is_mild(*span[:3]):
            continue
        line = text.count("\n", 0, span.start) + 1
        raise Refused(
            f"the {name} holds invisible text (line {line}: {span.why}); nothing was written",
            "Type it anew without those characters: a reviewer must see every character.",
        )


def warnings_about(path: str, text: str, draft: Draft) -> list[str]:
    """What the writer should know of the file as it would be; errors of the linter raise Unfit."""
    return _told(*_judged(path, text, draft))


def _judged(path: str, text: str, draft: Draft) -> tuple[tuple[Finding, ...], int]:
    """What the linter warns of, and how many sentences direct; raises Unfit and Refused."""
    file = parse_memory(path, text.encode())
    _refuse_changed(file, draft)
    found = [one for one in check_draft(file) if not one.code.startswith(("D", "F", "H2"))]
    for finding in found:
        if finding.severity == "error":
            raise Unfit(finding)
    return tuple(found), sum(len(find_directives(part)) for _, part in _texts(draft))


def _told(findings: Sequence[Finding], directing: int) -> list[str]:
    told = [f"{finding.message} [{finding.code}]" for finding in findings]
    what = "1 sentence reads" if directing == 1 else f"{directing} sentences read"
    withheld = f"{what} as a directive and will be withheld until a person approves it"
    return [*told, withheld] if directing else told


def _refuse_changed(file: MemoryFile, draft: Draft) -> None:
    """What went in must come out: one entry, this title."""
    problem = next(iter(file.problems), None)
    if problem is not None:
        raise Refused(f"the body cannot be kept: {problem.message}", "Nothing was written.")
    titles = [entry.title for entry in file.entries]
    labels = [found.label for entry in file.entries for found in entry.fields]
    repeated = next((label for label in labels if labels.count(label) > 1 and label != "See"), None)
    if titles != [draft.title.strip()]:
        raise Refused("the body breaks the memory into several entries", "Use headings of level 3.")
    if repeated is not None:
        raise Refused(
            f"the body holds a header line **{repeated}:** of its own",
            "Header fields have options of their own; see: ktw remember --help",
        )


# --- composing -------------------------------------------------------------------------------


def file_stem(topic: str) -> str:
    """What a topic gives a file's name to begin with, "" for no topic; raises UsageError."""
    stem = re.sub(r"[^a-z0-9]+", "-", topic.lower()).strip("-")[:MAX_TOPIC].strip("-")
    if topic and not stem:
        raise UsageError(
            f"topic {visible(topic)} holds no letter or digit a file name may have",
            "Name the topic with a-z, 0-9 and '-'.",
        )
    return stem


def _compose(draft: Draft, id_: str, now: datetime) -> str:
    values: dict[str, Value] = {"origin": draft.origin}
    if draft.agent and draft.origin != "owner":
        values["agent"] = draft.agent
    if draft.kind:
        values["kind"] = draft.kind
    values["created_at"] = draft.created_at or now.strftime("%Y-%m-%dT%H:%M:%SZ")
    optional: dict[str, Value] = {
        "source": draft.source.strip(),
        "derived_from": list(draft.derived_from),
        "proposes": draft.proposes,
        "tags": list(draft.tags),
    }
    values |= {key: value for key, value in optional.items() if value}
    evidence = draft.evidence or ("confirmed" if draft.origin == "owner" else "unknown")
    header = [("Id", id_), ("Type", TYPE_OF_KIND.get(draft.kind, _NO_KIND))]
    header += [("Status", draft.status), ("Evidence", evidence), *draft.header]
    entry = format_entry(draft.title.strip(), header, demoted(draft.body))
    topic = (draft.topic.strip() or draft.kind or draft.origin).capitalize()
    return format_memory(values, topic, entry)


def demoted(body: str) -> str:
    """The body with headings of level 1 and 2 made level 3: a file that ktw writes is one entry."""
    lines = body.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    for at, line in unfenced_lines("\n".join(lines)):
        if heading(line)[0] in (1, 2):
            indent, _, rest = line.partition("#")
            lines[at] = f"{indent}###{rest.lstrip('#')}"
    return "\n".join(line.rstrip() if line.strip() == "" else line for line in lines)
