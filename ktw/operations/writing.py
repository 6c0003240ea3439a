"""Remember and learn: compose a memory file, have it checked, and write it with its index row."""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from keep_the_why_lint.runner import check_draft
from ktw import contents
from ktw.atomic import styled_like
from ktw.boundaries import memory_name
from ktw.entries import format_entry, heading, unfenced_lines
from ktw.errors import KtwError, Refused, UsageError, visible
from ktw.frontmatter import Value
from ktw.memory import (
    KINDS,
    TYPE_OF_KIND,
    MemoryFile,
    format_memory,
    is_uuid,
    normalise,
    parse_memory,
)
from ktw.operations.duplicates import refuse_near_duplicate
from ktw.scan import scan
from ktw.store import Project, read_bytes, replace, write_new, writing
from ktw.text.directives import find_directives
from ktw.text.hidden import find_hidden, is_mild
from ktw.text.secrets import find_secrets

MAX_TITLE, MAX_TOPIC = 200, 24
_RANK_OF_ORIGIN = {"owner": 2, "agent": 1, "imported": 0, "derived": 0}


@dataclass(frozen=True)
class Draft:
    """What a writer wants to keep. `origin` is what the surface allows, `agent` who it is."""

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
    file_name = memory_name(f"{_file_stem(draft)}-{id_[:8]}.md")
    path = f"{project.context_name}/{file_name}"
    text = _compose(draft, id_, now)
    warnings = warnings_about(path, text, draft)
    if not draft.insist:
        refuse_near_duplicate(project, draft.title, draft.body, now, but=draft.proposes)
    with writing(project):
        write_new(project.context / file_name, text.encode())
        warnings += _add_row(project, file_name, draft, now)
    slug, digest = file_name.removesuffix(".md"), parse_memory(path, text.encode()).computed_hash
    return Written(id_, slug, path, draft.origin, tuple(warnings), digest)


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
    if draft.kind not in KINDS:
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
        if is_mild(span):
            continue
        line = text.count("\n", 0, span.start) + 1
        raise Refused(
            f"the {name} holds invisible text (line {line}: {span.why}); nothing was written",
            "Type it anew without those characters: a reviewer must see every character.",
        )


def warnings_about(path: str, text: str, draft: Draft) -> list[str]:
    """The linter's word on the file as it would be: errors raise Refused, the rest are told."""
    file = parse_memory(path, text.encode())
    _refuse_changed(file, draft)
    errors: list[str] = []
    warnings: list[str] = []
    for finding in check_draft(file):
        if finding.code.startswith(("D", "F", "H2")):
            continue
        told = f"{finding.message} [{finding.code}]"
        (errors if finding.severity == "error" else warnings).append(told)
    if errors:
        raise Refused(f"the memory would not pass review: {errors[0]}", "Nothing was written.")
    directing = sum(len(find_directives(part)) for _, part in _texts(draft))
    if directing:
        what = "1 sentence reads" if directing == 1 else f"{directing} sentences read"
        warnings.append(f"{what} as a directive and will be withheld until a person approves it")
    return warnings


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


def _file_stem(draft: Draft) -> str:
    topic = re.sub(r"[^a-z0-9]+", "-", draft.topic.lower()).strip("-")[:MAX_TOPIC].strip("-")
    if draft.topic and not topic:
        raise UsageError(
            f"topic {visible(draft.topic)} holds no letter or digit a file name may have",
            "Name the topic with a-z, 0-9 and '-'.",
        )
    return topic or draft.kind


def _compose(draft: Draft, id_: str, now: datetime) -> str:
    values: dict[str, Value] = {"origin": draft.origin}
    if draft.agent and draft.origin != "owner":
        values["agent"] = draft.agent
    values["kind"] = draft.kind
    values["created_at"] = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    optional: dict[str, Value] = {
        "source": draft.source.strip(),
        "derived_from": list(draft.derived_from),
        "proposes": draft.proposes,
        "tags": list(draft.tags),
    }
    values |= {key: value for key, value in optional.items() if value}
    evidence = draft.evidence or ("confirmed" if draft.origin == "owner" else "unknown")
    header = [("Id", id_), ("Type", TYPE_OF_KIND[draft.kind])]
    header += [("Status", draft.status), ("Evidence", evidence)]
    entry = format_entry(draft.title.strip(), header, demoted(draft.body))
    topic = (draft.topic.strip() or draft.kind).capitalize()
    return format_memory(values, topic, entry)


def demoted(body: str) -> str:
    """The body with headings of level 1 and 2 made level 3: a file that ktw writes is one entry."""
    lines = body.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    for at, line in unfenced_lines("\n".join(lines)):
        if heading(line)[0] in (1, 2):
            indent, _, rest = line.partition("#")
            lines[at] = f"{indent}###{rest.lstrip('#')}"
    return "\n".join(line.rstrip() if line.strip() == "" else line for line in lines)


def _add_row(project: Project, name: str, draft: Draft, now: datetime) -> list[str]:
    """Put the file's row into index.md; a page that cannot be changed is a warning."""
    path = project.context / "index.md"
    row = contents.row(name, draft.kind, draft.origin, now.strftime("%Y-%m-%d"))
    try:
        old = read_bytes(project, "index.md")
        new = contents.with_row(normalise(old.decode("utf-8")), name, row)
        replace(path, styled_like(old, new), old)
    except (UnicodeDecodeError, KtwError):
        return [f"index.md could not be updated; add the row yourself: {row}"]
    return []
