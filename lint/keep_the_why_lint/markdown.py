"""A report as Markdown for a pull-request comment or a job summary: what it approves comes first.

Everything from a repository is inert here: in a fence or a code span that it cannot close, with
its hidden characters shown. What does not fit is named, never cut. A value in, a string out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.project import Memory, Project
from keep_the_why_lint.runner import Report
from keep_the_why_lint.showing import path_from_top
from ktw.errors import visible
from ktw.memory import MemoryFile
from ktw.text.counting import counted
from ktw.text.escape import escape_line, escape_text

COMMENT_BYTES = 60_000  # a comment on GitHub holds 65,536 characters
SUMMARY_BYTES = 900_000  # a step's summary there holds 1 MiB

_LONG = 500
_TICKS = re.compile("`+")
# What part of a page each section may take; what is left is for headings.
_SENTENCES, _TEXTS, _TRUST, _FINDINGS, _NAMES = 0.25, 0.4, 0.1, 0.1, 0.05


def as_markdown(report: Report, limit: int = COMMENT_BYTES) -> str:
    """The page, at most `limit` bytes of UTF-8."""
    trust = [finding for finding in report.findings if finding.code.startswith("T")]
    others = [finding for finding in report.findings if not finding.code.startswith("T")]
    parts = [f"## keep-the-why-lint: {counted(report.errors, 'error')}, "]
    parts[0] += f"{counted(report.warnings, 'warning')}\n"
    if report.approved is None:
        parts.append("No base was given, so this does not say what a merge would approve.\n")
    else:
        parts += _approved(report.approved, report.prefix, limit)
        parts += _listed("What this change does to trust", trust, report.prefix, limit * _TRUST)
    parts += _listed("Findings", others, report.prefix, limit * _FINDINGS)
    return "\n".join(parts)


@dataclass(frozen=True)
class _Block:
    """A piece of the page, and how it is named where it does not fit."""

    text: str
    name: str


def _fitted(blocks: Iterable[_Block], budget: float, names: float, left_out: str) -> list[str]:
    """The blocks as long as they fit, then `left_out` and as many names of the others as fit."""
    shown, omitted = [], []
    for block in blocks:
        size = _size(block.text)
        if size <= budget:
            budget -= size
            shown.append(block.text)
        else:
            omitted.append(f"- {block.name}")
    if omitted:
        told = "\n".join(_first(omitted, names, "more that are not named here"))
        shown.append(f"**{left_out}**\n\n{told}\n")
    return shown


def _first(lines: Sequence[str], budget: float, rest: str) -> list[str]:
    """The lines as long as they fit, and how many do not."""
    kept: list[str] = []
    for line in lines:
        budget -= _size(line)
        if budget < 0:
            return [*kept, f"- and {len(lines) - len(kept):,} {rest}"]
        kept.append(line)
    return kept


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace")) + 1


# --- what merging would approve --------------------------------------------------------------


def _approved(files: Sequence[MemoryFile], prefix: str, limit: int) -> list[str]:
    if not files:
        return ["Merging this approves no text.\n"]
    told = counted(len(files), "text becomes a rule", "texts become rules")
    parts = [f"### Merging this approves: {told} where `merged` is allowed\n"]
    parts.append("Characters that do not show are written as `<U+200B>`.\n")
    directing = [block for file in files if (block := _sentences(file, prefix))]
    if directing:
        parts.append("**Sentences in them that tell an agent what to do:**\n")
        left_out = "Too long to show, so read these files for orders:"
        parts += _fitted(directing, limit * _SENTENCES, limit * _NAMES, left_out)
    texts = (_text(file, prefix) for file in files)
    left_out = "Too long to show: review the file:"
    return parts + _fitted(texts, limit * _TEXTS, limit * _NAMES, left_out)


def _sentences(file: MemoryFile, prefix: str) -> _Block | None:
    """The sentences of a file that direct, in full."""
    spans = [s for s in Memory(file, Project(None)).directives if s.code.startswith("D")]
    if not spans:
        return None
    name = _place(file.path, 0, prefix)
    told = "\n\n".join(f"{s.code}: {file.text[s.start : s.end]}" for s in spans)
    return _Block(f"In {name}:\n\n{fenced(told)}\n", f"{name} ({counted(len(spans), 'sentence')})")


def _text(file: MemoryFile, prefix: str) -> _Block:
    name = _place(file.path, 0, prefix)
    lines = file.text.count("\n")
    size = f"{counted(lines, 'line')}, {len(file.text):,} characters"
    return _Block(f"{name} ({size}), in full:\n\n{fenced(file.text)}\n", f"{name} ({size})")


# --- findings --------------------------------------------------------------------------------


def _listed(title: str, findings: Sequence[Finding], prefix: str, budget: float) -> list[str]:
    if not findings:
        return [f"### {title}\n\nNothing.\n"]
    ordered = sorted(findings, key=lambda finding: (finding.severity, finding.order))
    lines = [_line(finding, prefix) for finding in ordered]
    told = _first(lines, budget, "more: run the linter to see them")
    return [f"### {title}\n", "\n".join(told), ""]


def _line(finding: Finding, prefix: str) -> str:
    place = _place(finding.path, finding.line, prefix)
    return f"- **{finding.severity} {finding.code}** {place} {code_span(finding.message)}"


def _place(path: str, line: int, prefix: str) -> str:
    shown = path_from_top(path, prefix)
    return code_span(f"{shown}:{line}" if line else shown)


# --- inert text ------------------------------------------------------------------------------


def fenced(text: str) -> str:
    """`text` as a fenced block that nothing in it can close, its hidden characters shown."""
    shown = escape_text(text).rstrip("\n")
    fence = "`" * max(4, _longest_run(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"


def code_span(text: str) -> str:
    """`text` on one line, as a code span that nothing in it can close."""
    shown = escape_line(visible(text, _LONG))
    ticks = "`" * (_longest_run(shown) + 1)
    return f"{ticks} {shown} {ticks}"


def _longest_run(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)
