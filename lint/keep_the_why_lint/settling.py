"""Applies what keeps findings out of a report: the config's ignores, a baseline, the command line.

Findings in, findings out. It reads no file.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.fingerprints import Fingerprint, fingerprint
from keep_the_why_lint.project import Project
from keep_the_why_lint.suppression import (
    NOT_EVERYWHERE,
    Baseline,
    Ignores,
    Known,
    Settled,
    Suppressed,
    covers,
    is_silenceable,
)


def settle(
    findings: Sequence[Finding], project: Project, ignores: Ignores, baseline: Baseline | None
) -> Settled:
    """Take out what the ignores name, then what the baseline knows; `missed`: with its matches."""
    kept, by_line = _ignore(findings, ignores)
    reasons = Counter[str]()
    for ignore in ignores.lines:
        reasons[ignore.reason] += by_line[ignore.line]
    told = [Suppressed("ignore", reason, count) for reason, count in reasons.items() if count]
    missed: list[tuple[Known, int]] = []
    if baseline is not None:
        before = len(kept)
        kept, missed = _subtract(kept, project, baseline)
        if before > len(kept):
            told.append(Suppressed("baseline", baseline.path, before - len(kept)))
    used = frozenset(line for line, count in by_line.items() if count)
    return Settled(project.path, tuple(kept), tuple(told), ignores, used, baseline, tuple(missed))


def _ignore(findings: Iterable[Finding], ignores: Ignores) -> tuple[list[Finding], Counter[int]]:
    kept, by_line = [], Counter[int]()
    for finding in findings:
        matched = [ignore.line for ignore in ignores.lines if ignore.matches(finding)]
        by_line.update(matched[:1])
        if not matched:
            kept.append(finding)
    return kept, by_line


def _subtract(
    findings: Iterable[Finding], project: Project, baseline: Baseline
) -> tuple[list[Finding], list[tuple[Known, int]]]:
    left = {known.fingerprint: known.count for known in baseline.known}
    mark = fingerprints_in(project)
    kept = []
    for finding in findings:
        found = mark(finding)
        if left.get(found, 0) and is_silenceable(finding.code):
            left[found] -= 1
        else:
            kept.append(finding)
    missed = [
        (known, known.count - left[known.fingerprint])
        for known in baseline.known
        if left[known.fingerprint]
    ]
    return kept, missed


def fingerprints_in(project: Project) -> Callable[[Finding], Fingerprint]:
    """What gives the fingerprint of a finding in that project."""
    lines: dict[str, list[str]] = {}

    def mark(finding: Finding) -> Fingerprint:
        if finding.path not in lines:
            lines[finding.path] = project.text_of(finding.path).split("\n")
        found = lines[finding.path]
        inside = 0 < finding.line <= len(found)
        return fingerprint(finding, found[finding.line - 1] if inside else "")

    return mark


def baselined(findings: Iterable[Finding], project: Project) -> list[Fingerprint]:
    """The fingerprints that a baseline of these findings holds.

    None of what may never be silenced, none of what another run of the project may not see.
    """
    mark = fingerprints_in(project)
    return [
        mark(finding)
        for finding in findings
        if is_silenceable(finding.code)
        and finding.code not in NOT_EVERYWHERE
        and not finding.path.startswith("~")
    ]


def is_chosen(code: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    """Whether the command line asks for findings of `code`."""
    return (not select or covers(select, code)) and not covers(ignore, code)


def choose(
    findings: Iterable[Finding], select: Sequence[str], ignore: Sequence[str]
) -> tuple[tuple[Finding, ...], tuple[Suppressed, ...]]:
    """What the command line asks for, and how much of that `ignore` leaves out.

    What was not selected is not counted: most of it was never looked for.
    """
    selected = [found for found in findings if is_chosen(found.code, select, ())]
    kept = tuple(found for found in selected if is_chosen(found.code, (), ignore))
    left_out = len(selected) - len(kept)
    return kept, (Suppressed("command-line", "--ignore", left_out),) if left_out else ()
