"""Rules about the header fields of one entry: their presence, values and order."""

import re
from collections.abc import Iterator, Sequence

from keep_the_why_lint.rule import Found, Rule, quoted, rule
from keep_the_why_lint.section import Section

STATUSES = ("active", "superseded", "open", "needs-review", "pending-confirmation")
EVIDENCES = ("confirmed", "inferred", "unknown")
VERIFICATIONS = ("corroborated", "uncorroborated", "contradicted")
PENDING = "pending-confirmation"

_SINCE_FIELDS = (0, 3, 0)
_SINCE_TYPE = (0, 7, 0)
_SINCE_PENDING = (0, 13, 0)
_SINCE_ID = (0, 18, 0)
_VERIFICATION = re.compile(r"(uncorroborated|corroborated|contradicted)\b[.:,]?(.*)", re.DOTALL)


def _missing(section: Section, label: str) -> Iterator[Found]:
    if not section.get(label):
        title = quoted(section.entry.title)
        yield Found(section.line, f"the entry {title} has no **{label}:** line")


def _wrong(section: Section, label: str, allowed: Sequence[str]) -> Iterator[Found]:
    for field in section.get(label)[:1]:
        if field.value not in allowed:
            message = f"{label} {quoted(field.value)} is not one of: {', '.join(allowed)}"
            yield Found(field.line, message)


def _after_dash(text: str) -> str:
    text = text.strip()
    return text[1:].strip() if text[:1] in ("\u2014", "\u2013", "-") else text


@rule("E101", "entry", _SINCE_FIELDS)
def status_missing(section: Section) -> Iterator[Found]:
    """An entry does not say whether it still holds.

    Why: a reader cannot tell a live decision from a superseded one.
    Fix: add a Status line below the heading.
    Bad: an entry with Evidence and no Status.
    Good: `**Status:** active`
    """
    return _missing(section, "Status")


@rule("E102", "entry", _SINCE_FIELDS)
def evidence_missing(section: Section) -> Iterator[Found]:
    """An entry does not say how well its rationale is known.

    Why: a guess and a documented reason look alike.
    Fix: add an Evidence line; `unknown` is an honest value.
    Bad: an entry with Status and no Evidence.
    Good: `**Evidence:** inferred`
    """
    return _missing(section, "Evidence")


@rule("E103", "entry", _SINCE_FIELDS)
def status_unknown(section: Section) -> Iterator[Found]:
    """The Status is not one of its five values.

    Why: tools sort and rank by it, and an unknown value is left out.
    Fix: use active, superseded, open, needs-review or pending-confirmation.
    Bad: `**Status:** Active (mostly)`
    Good: `**Status:** active`
    """
    return _wrong(section, "Status", STATUSES)


@rule("E104", "entry", _SINCE_FIELDS)
def evidence_unknown(section: Section) -> Iterator[Found]:
    """The Evidence is not one of its three values.

    Why: anything else cannot be weighed.
    Fix: use confirmed, inferred or unknown.
    Bad: `**Evidence:** probably`
    Good: `**Evidence:** inferred`
    """
    return _wrong(section, "Evidence", EVIDENCES)


@rule("E106", "entry", _SINCE_FIELDS)
def verification_unknown(section: Section) -> Iterator[Found]:
    """A Verification does not start with one of its values.

    Why: whether a source was checked must be readable without interpreting prose.
    Fix: start with corroborated, uncorroborated or contradicted.
    Bad: `**Verification:** looks right`
    Good: `**Verification:** corroborated — the changelog says the same`
    """
    for field in section.get("Verification"):
        if not _VERIFICATION.match(field.value):
            allowed = ", ".join(VERIFICATIONS)
            message = f"Verification {quoted(field.value)} starts with none of: {allowed}"
            yield Found(field.line, message)


@rule("E111", "entry", _SINCE_FIELDS)
def contradiction_unexplained(section: Section) -> Iterator[Found]:
    """A contradicted Verification does not say what contradicts it.

    Why: the reader has to weigh two sources and is shown one.
    Fix: name the other source after the word.
    Bad: `**Verification:** contradicted`
    Good: `**Verification:** contradicted — the release notes name another version`
    """
    for field in section.get("Verification"):
        match = _VERIFICATION.match(field.value)
        if match and match[1] == "contradicted" and not _after_dash(match[2]):
            yield Found(field.line, "Verification 'contradicted' does not say by what")


@rule("E112", "entry", _SINCE_FIELDS)
def field_given_twice(section: Section) -> Iterator[Found]:
    """A field that has one value stands twice in an entry.

    Why: only the first is read; the second may contradict it unseen.
    Fix: delete the line that is wrong.
    Bad: `**Status:** active` and `**Status:** superseded` in one entry.
    Good: one of them.
    """
    labels = ["Status", "Evidence"]
    if section.project.schema >= _SINCE_ID:
        labels.append("Id")
        if [field.value for field in section.get("Status")] == ["superseded"]:
            labels.append("Superseded by")
    for label in labels:
        for field in section.get(label)[1:2]:
            yield Found(field.line, f"**{label}:** is already given in this entry")


@rule("E113", "entry", _SINCE_FIELDS)
def pending_before_its_time(section: Section) -> Iterator[Found]:
    """Status `pending-confirmation` under a context-schema older than 0.13.0.

    Why: tools of that version do not know the value.
    Fix: migrate the project, or use another Status.
    Bad: `**Status:** pending-confirmation` under 0.12.0.
    Good: the same under 0.13.0 or newer.
    """
    if section.project.schema < _SINCE_PENDING:
        for field in section.get("Status"):
            if field.value == PENDING:
                message = "Status 'pending-confirmation' needs context-schema 0.13.0 or newer"
                yield Found(field.line, message)


@rule("W101", "entry", _SINCE_TYPE)
def type_missing(section: Section) -> Iterator[Found]:
    """An entry has no Type.

    Why: a reader cannot tell a decision from an incident at a glance.
    Fix: add one the next time the entry is touched.
    Bad: an entry with Status and no Type.
    Good: `**Type:** decision`
    """
    return _missing(section, "Type")


@rule("W102", "heading")
def heading_without_fields(section: Section) -> Iterator[Found]:
    """A level-2 heading has no header fields.

    Why: it may be prose, or an entry whose fields were forgotten; tools treat it as prose.
    Fix: add the fields, or use a level-3 heading for prose.
    Bad: `## Snapshot before buffer` followed by prose alone.
    Good: the same heading with Id, Type, Status and Evidence.
    """
    yield Found(section.line, f"the section {quoted(section.entry.title)} has no header fields")


@rule("W105", "entry")
def revisit_empty(section: Section) -> Iterator[Found]:
    """A `Revisit when` line names no condition.

    Why: nobody will know when to look again.
    Fix: name the condition, or delete the line.
    Bad: `**Revisit when:**`
    Good: `**Revisit when:** the vendor ships streaming`
    """
    for field in section.get("Revisit when"):
        if not field.value:
            yield Found(field.line, "**Revisit when:** names no condition")


RULES: tuple[Rule[Section], ...] = (
    status_missing,
    evidence_missing,
    status_unknown,
    evidence_unknown,
    verification_unknown,
    contradiction_unexplained,
    field_given_twice,
    pending_before_its_time,
    type_missing,
    heading_without_fields,
    revisit_empty,
)
