"""The rule about the lines of `revoked`, the list of texts that the owner has withdrawn."""

import re
from collections.abc import Iterator

from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, rule
from ktw.fields import day_or_time_fault

_HASH_LENGTH = len("sha256:") + 64
_DAY = re.compile(r" ([0-9]{4}-[0-9]{2}-[0-9]{2})(?= |$)")
_REASON = re.compile("[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,200}")


@rule("P207", "project")
def revoked_line_malformed(project: Project) -> Iterator[Found]:
    """A line of `revoked` is not a hash, a day and a reason.

    Why: a line without a well-formed hash revokes nothing, whatever its author meant. One with a
    bad day or no reason revokes all the same, and is a warning.
    Fix: write `sha256:` and 64 hexadecimal digits, a blank, a day, a blank, a reason.
    Bad: a line that starts with `#`, or a hash alone.
    Good: `sha256:<64 digits> 2026-12-04 the source was a forged advisory`
    """
    path = f"{project.context_name}/revoked"
    for number, line in enumerate(project.revoked_text.split("\n"), start=1):
        if not line.strip():
            continue
        if line[:_HASH_LENGTH] not in project.revoked:
            yield Found(number, "the line starts with no content hash and revokes nothing", path)
            continue
        fault = _rest_fault(line[_HASH_LENGTH:])
        if fault:
            yield Found(number, fault, path, severity="warning")


def _rest_fault(rest: str) -> str:
    day = _DAY.match(rest)
    if day is None:
        return "after the hash stands no day, as in ' 2026-12-04 '"
    if day_or_time_fault(day[1]):
        return "the day after the hash is no day of the calendar"
    reason = rest[day.end() + 1 :]
    if not reason.strip():
        return "after the day stands no reason"
    if not _REASON.fullmatch(reason):
        return "the reason is longer than 200 characters or holds a control character"
    return ""


RULES: tuple[Rule[Project], ...] = (revoked_line_malformed,)
