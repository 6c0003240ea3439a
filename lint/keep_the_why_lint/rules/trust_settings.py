"""Rules of the trust report about a project's own settings: schema, config, ignores, baseline.

They judge a change, so they hold only where a base is given; none of them can be silenced.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from keep_the_why_lint.baseline import OPENING as BASELINE_OPENING
from keep_the_why_lint.change import Change, added_lines
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, quoted, quoted_first, rule
from keep_the_why_lint.watched import BASELINE
from ktw.config import CONFIG_FILE, Field, split_value
from ktw.text.counting import counted

_SHOWN = 3

# For each key its values, from what asks most of people to what asks least.
_STRICTNESS: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {
        ("config", "capture-confirmation"): (
            "confirm-always",
            "confirm-when-unsure",
            "automatic",
        ),
        ("config", "source-reference"): ("always", "filtered", "never"),
        ("personal-defaults", "capture-mode"): ("explicit-only", "proactive"),
        ("personal-defaults", "local-lint"): ("auto", "ask", "no"),
        ("personal-defaults", "pending-confirmation-check"): ("on-start", "no"),
    }
)
_PLACES = ("id", "context", "root", "canonical", "parent", "pinned-version", "pinned-path")
_OPENING, _CLOSING = "<!-- keep-the-why:lint -->", "<!-- /keep-the-why:lint -->"


def _field(project: Project, kind: str, key: str) -> Field | None:
    block = project.config.block(kind) if project.config else None
    return block.first(key) if block else None


def _value(project: Project, kind: str, key: str) -> str:
    found = _field(project, kind, key)
    return found.value if found else ""


def _at(project: Project, kind: str, key: str) -> int:
    found = _field(project, kind, key)
    block = project.config.block(kind) if project.config else None
    return found.line if found else block.line if block else 0


@rule("T201", "change", severity="error")
def schema_lowered(change: Change) -> Iterator[Found]:
    """The project declares an older format than before.

    Why: rules hold from a version on, so a lower one switches them off, for this change and later.
    Fix: keep the version and mend what it reports. Where nothing would be reported it is a warning.
    Bad: `context-schema` lowered beside an entry without an Id.
    Good: the version as it was.
    """
    old, new = change.base.schema, change.head.schema
    if new >= old or change.base.config is None or change.head.config is None:
        return
    was, now = (".".join(map(str, version)) for version in (old, new))
    message = f"context-schema was {was} and is {now}"
    line = _at(change.head, "config", "context-schema")
    if not change.hidden:
        yield Found(
            line, f"{message}; nothing here would be reported under {was}", severity="warning"
        )
        return
    yield Found(line, f"{message}, which hides {_counted(change.hidden)}")


@rule("T202", "change", severity="warning")
def config_weakened(change: Change) -> Iterator[Found]:
    """A setting asks less of people, or of agents, than before.

    Why: what used to be asked or stated is from now on recorded without.
    Fix: restore the value, unless this is what the change is for.
    Bad: `capture-confirmation` from `confirm-always` to `automatic`.
    Good: the other way round.
    """
    if change.head.config is None:
        return
    for (kind, key), values in _STRICTNESS.items():
        old, new = _value(change.base, kind, key), _value(change.head, kind, key)
        if old and old != new and _ease(new, values) > _ease(old, values):
            message = f"{key} was {quoted(old)} and is {quoted(new or 'not set')}"
            yield Found(_at(change.head, kind, key), message)


def _ease(value: str, values: tuple[str, ...]) -> int:
    """How little a value asks; the most for one that nobody knows or that is not set."""
    word = (split_value(value)[0].split(":")[0].split() or [""])[0]
    return values.index(word) if word in values else len(values)


@rule("T203", "change", severity="warning")
def project_moved(change: Change) -> Iterator[Found]:
    """The project's name, place, family, pinned skill or config file is another.

    Why: other files become memories, other people's settings apply, or another skill is trusted.
    Fix: restore the value, unless this is what the change is for.
    Bad: `context` pointed at a directory that nobody reviews as memories.
    Good: a move that the pull request names.
    """
    base, head = change.base, change.head
    if base.config is None:
        return
    if head.config is None or head.config_block is None:
        yield Found(0, "the project's config is gone", base.path)
        return
    if base.path != head.path:
        yield Found(0, f"the config stood in {base.path} and stands in {head.path}")
    for key in _PLACES:
        old, new = _value(base, "config", key), _value(head, "config", key)
        if old != new:
            message = f"{key} was {quoted(old or 'not set')} and is {quoted(new or 'not set')}"
            yield Found(_at(head, "config", key), message)
    yield from _family_changed(base, head)
    yield from _other_projects(change)


def _other_projects(change: Change) -> Iterator[Found]:
    """Config files that came or went elsewhere: below one, this project's memories do not hold."""
    for file in change.files:
        if file.path.rsplit("/", 1)[-1] != CONFIG_FILE or file.name == CONFIG_FILE:
            continue
        if file.before.state == "absent" or file.is_gone:
            message = "another project no longer" if file.is_gone else "another project now"
            yield Found(0, f"{message} begins here", file.name)


def _family_changed(base: Project, head: Project) -> Iterator[Found]:
    old, new = (_members(project) for project in (base, head))
    keys = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    lines = {field.key: field.line for field in _fields(head, "children")}
    for key, told in zip(keys, quoted_first(keys), strict=True):
        what = "new" if key not in old else "gone" if key not in new else "another"
        yield Found(lines.get(key, 0), f"the child {told} is {what}")


def _members(project: Project) -> dict[str, str]:
    return {field.key: field.value for field in _fields(project, "children")}


def _fields(project: Project, kind: str) -> tuple[Field, ...]:
    block = project.config.block(kind) if project.config else None
    return block.fields if block else ()


@rule("T204", "change", severity="warning")
def checks_silenced(change: Change) -> Iterator[Found]:
    """An ignore or a line of the baseline is new or says something else.

    Why: what it covers is reported neither here nor later.
    Fix: mend what is reported instead; if the line stays, its reason has to convince. It is an
    error where it hides a directive that the same change brings: let it land before that text.
    Bad: `- ignore D: noise` beside the memory that raises it.
    Good: a single code with a reason.
    """
    for file in change.files:
        if file.path.rsplit("/", 1)[-1] == BASELINE:
            before, after = _known(file.before.lines), _known(file.after.lines)
        elif file.name in (change.base.path, change.head.path):
            before, after = _ignores(file.before.lines), _ignores(file.after.lines)
        else:
            continue
        new = list(added_lines((line for _, line in before), after))
        for (number, _), told in zip(new, quoted_first(line for _, line in new), strict=True):
            yield Found(number, f"this silences findings: {told}", file.name)
    yield from _directives_silenced(change)


def _directives_silenced(change: Change) -> Iterator[Found]:
    """That text which directs would land unseen; a project that is only adopted may put it off."""
    found = [finding for finding in change.silenced if finding.code.startswith("D")]
    if found:
        message = f"what this change silences hides {_counted(found)}"
        adopted = change.base.config is None
        yield Found(0, message, severity="warning" if adopted else "error")


def _counted(findings: Sequence[Finding]) -> str:
    """How many findings, of which codes, and where the first one is."""
    codes = Counter(finding.code for finding in findings)
    told = ", ".join(
        f"{code} {counted(count, 'time')}" for code, count in codes.most_common(_SHOWN)
    )
    first = findings[0]
    place = f"{quoted(first.path)} line {first.line}" if first.line else quoted(first.path)
    count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
    return f"{count}: {told}; the first in {place}"


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    rows = ((number, line.strip()) for number, line in enumerate(lines, start=1))
    return (row for row in rows if any(char.isalnum() for char in row[1]))


def _known(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines of a baseline that stand for findings, with their numbers."""
    return (row for row in _numbered(lines) if row != (1, BASELINE_OPENING))


def _ignores(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines of the block of ignores, with their numbers."""
    inside = False
    for number, line in _numbered(lines):
        if line in (_OPENING, _CLOSING):
            inside = line == _OPENING
        elif inside:
            yield number, line


RULES: tuple[Rule[Change], ...] = (
    schema_lowered,
    config_weakened,
    project_moved,
    checks_silenced,
)
