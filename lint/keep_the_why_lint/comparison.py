"""Which findings a change brings: those that the project did not have where the branches parted.

Values in, values out. Lines may move and files be renamed; what a line says is what counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.fingerprints import collapsed
from keep_the_why_lint.project import Project

Identity = tuple[str, str, str, str]
Lines = Mapping[tuple[str, int], str]

_MOST_LINES = 20  # of one finding: many may reach to the end of a large file


def line_texts(findings: Iterable[Finding], project: Project) -> Lines:
    """The text that each finding points to, all its lines, by path and first line."""
    wanted: dict[str, dict[int, int]] = {}
    for finding in findings:
        if finding.line:
            ends = wanted.setdefault(finding.path, {})
            last = min(finding.end_line, finding.line + _MOST_LINES - 1)
            ends[finding.line] = max(last, ends.get(finding.line, 0))
    texts: dict[tuple[str, int], str] = {}
    for page in project.texts:
        if page.path in wanted:
            rows = page.text.split("\n")
            for first, last in wanted[page.path].items():
                if 1 <= first <= len(rows):
                    texts[page.path, first] = "\n".join(rows[first - 1 : max(first, last)])
    return texts


def new_findings(
    head: Sequence[Finding],
    head_lines: Lines,
    base: Iterable[Finding],
    base_lines: Lines,
    old_names: Mapping[str, str],
) -> list[Finding]:
    """The findings of `head` that `base` does not have, each counted as often as it stands there.

    `old_names`: the former path of each renamed file.
    """
    known = Counter(identity(finding, base_lines) for finding in base)
    new = []
    for finding in head:
        name = identity(finding, head_lines, old_names.get(finding.path))
        if known[name]:
            known[name] -= 1
        else:
            new.append(finding)
    return new


def identity(finding: Finding, lines: Lines, path: str | None = None) -> Identity:
    """What a finding is known by when lines move: code, path, its line's text and its message.

    The message alone counts for a finding without a line. Numbers of other lines in a message do
    move, so digits do not count beside a line's text.
    """
    text = collapsed(lines.get((finding.path, finding.line), ""))
    message = "".join(char for char in finding.message if not text or not char.isdigit())
    return (finding.code, path or finding.path, text, message)
