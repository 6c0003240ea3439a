"""A report as text, JSON, GitHub annotations, SARIF or Markdown: a value in, a string out.

Everything is escaped. Text and JSON name files from the project, what a host reads from git's top.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.markdown import as_markdown
from keep_the_why_lint.runner import Report
from keep_the_why_lint.sarif import sarif_log
from keep_the_why_lint.showing import path_from_top, shown_path, shown_words
from keep_the_why_lint.suppression import Suppressed
from ktw.errors import visible
from ktw.text.counting import counted

Format = Callable[[Report], str]

_LONG = 2_000
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m"}
# What a workflow runner acts on wherever in a line it stands: `##[group]`, `##vso[...]`.
_COMMAND = re.compile(r"(##\w*)\[")


def as_text(report: Report, coloured: bool = False) -> str:
    """A line for each finding, `path:line: [CODE] severity: message`, and a summary line.

    Its start, up to the code, is that of Keep the Why's own linter, which programs read.
    """
    lines = (_safe(_text_line(finding, coloured)) for finding in report.findings)
    return "".join(f"{line}\n" for line in lines) + _told(report)


def as_github(report: Report) -> str:
    """A workflow command for each finding, and a summary line."""
    lines = (_command(finding, report.prefix) for finding in report.findings)
    return "".join(f"{line}\n" for line in lines) + _told(report)


def _told(report: Report) -> str:
    """What follows the findings: what was suppressed, and the summary line."""
    return "".join(f"{_safe(_suppressed_line(row))}\n" for row in report.suppressed) + _summary(
        report
    )


def _suppressed_line(row: Suppressed) -> str:
    by = {"ignore": "ignored", "baseline": "known from"}.get(row.by, "left out by")
    return f"keep-the-why-lint: {row.count} {by}: {visible(shown_words(row.reason), _LONG)}"


def as_json(report: Report) -> str:
    """One JSON object: `findings` and `summary`. Pure ASCII, so that no terminal acts on it."""
    value = {
        "findings": [_as_dict(finding) for finding in report.findings],
        "summary": {
            "errors": report.errors,
            "warnings": report.warnings,
            "files": report.files,
            "entries": report.entries,
            "schema": _schema(report),
        }
        | _suppressed(report),
    }
    return _COMMAND.sub(r"\1\\u005b", json.dumps(value, indent=2)) + "\n"


def as_sarif(report: Report) -> str:
    """A SARIF 2.1.0 log, pure ASCII."""
    return _COMMAND.sub(r"\1\\u005b", sarif_log(report.findings, report.lines, report.prefix))


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "text": as_text,
        "json": as_json,
        "github": as_github,
        "sarif": as_sarif,
        "markdown": as_markdown,
    }
)


def _suppressed(report: Report) -> dict[str, object]:
    rows = [asdict(row) | {"reason": shown_words(row.reason)} for row in report.suppressed]
    return {"suppressed": rows} if rows else {}


def _as_dict(finding: Finding) -> dict[str, str | int]:
    return finding.as_dict() | {"path": shown_path(finding.path)}


def _schema(report: Report) -> str:
    return ".".join(str(part) for part in report.schema)


def _summary(report: Report) -> str:
    return (
        f"keep-the-why-lint: {counted(report.errors, 'error')}, "
        f"{counted(report.warnings, 'warning')} in {counted(report.files, 'memory file')}, "
        f"{counted(report.entries, 'entry', 'entries')} (context-schema {_schema(report)})\n"
    )


def _text_line(finding: Finding, coloured: bool) -> str:
    path = visible(shown_path(finding.path), _LONG)
    if path.startswith((":", "#")):
        path = f"./{path}"
    place = f"{path}:{finding.line}" if finding.line else path
    label = f"[{finding.code}] {finding.severity}:"
    if coloured:
        place, label = f"{_BOLD}{place}:{_PLAIN}", f"{_COLOURS[finding.severity]}{label}{_PLAIN}"
    else:
        place = f"{place}:"
    return f"{place} {label} {visible(finding.message, _LONG)}"


def _command(finding: Finding, prefix: str) -> str:
    properties = {"file": path_from_top(finding.path, prefix)}
    if finding.line:
        properties["line"] = str(finding.line)
        properties["col"] = str(finding.column)
        properties["endLine"] = str(finding.end_line)
    shown = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    message = _data(f"[{finding.code}] {visible(finding.message, _LONG)}")
    return _safe(f"::{finding.severity} {shown}::{message}")


def _safe(line: str) -> str:
    """`line` without anything that a workflow runner acts on inside a line."""
    return _COMMAND.sub(r"\1\\x5b", line)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text, _LONG)).replace(":", "%3A").replace(",", "%2C")
