"""What holds of every report, whatever was read: for the property tests and the fuzzer.

Raises AssertionError; knows no rule.
"""

import json
import re
from pathlib import Path

from keep_the_why_lint.report import FORMATS
from keep_the_why_lint.runner import Report
from ktw.memory import normalise

_TEXT = re.compile(r"(.+?)(:[0-9]+)?: \[[A-Z][0-9]{3}\] (?:error|warning): .+")
_COMMAND = re.compile(r"::(error|warning) file=[^,:]+(,line=[0-9]+,col=[0-9]+,endLine=[0-9]+)?::.+")


def check_report(report: Report, root: Path) -> None:
    """Every span lies inside its file; every format is escaped, and can be read again."""
    check_spans(report, root)
    for name, format in FORMATS.items():
        shown = format(report)
        assert all(char.isprintable() or char == "\n" for char in shown), name
        assert not re.search(r"##\w*\[", shown), name
        shown.encode()
    check_lines(report)
    assert len(json.loads(FORMATS["json"](report))["findings"]) == len(report.findings)


def check_spans(report: Report, root: Path) -> None:
    lengths: dict[str, list[int]] = {}
    for finding in report.findings:
        if finding.path not in lengths:
            lengths[finding.path] = _line_lengths(root / finding.path)
        lines = lengths[finding.path]
        assert (finding.line == 0) == (finding.column == 0), finding
        assert 0 <= finding.line <= finding.end_line <= len(lines), finding
        if finding.line:
            assert 1 <= finding.column <= lines[finding.line - 1] + 1, finding


def _line_lengths(path: Path) -> list[int]:
    """The length of each line of a file; none where it is no file."""
    try:
        data = path.read_bytes() if path.is_file() else None
    except (OSError, ValueError):
        data = None
    if data is None:
        return []
    return [len(line) for line in normalise(data.decode("utf-8", "replace")).split("\n")]


def check_lines(report: Report) -> None:
    """A line for each finding and one more, and no line that a workflow runner takes for ours."""
    *text, summary = FORMATS["text"](report).splitlines()
    assert len(text) == len(report.findings) and summary.startswith("keep-the-why-lint: ")
    assert all(_TEXT.fullmatch(line) and not line.lstrip().startswith("::") for line in text)
    *commands, _ = FORMATS["github"](report).splitlines()
    assert len(commands) == len(report.findings)
    assert all(_COMMAND.fullmatch(line) for line in commands), commands
