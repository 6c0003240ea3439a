"""The documentation page of all rules, made from their docstrings.

`python -m keep_the_why_lint.rules_page > docs/rules.md` writes it; a test fails when it is stale.
"""

import sys
from typing import Any

from keep_the_why_lint.registry import ALL_RULES
from keep_the_why_lint.rule import Rule

_FAMILIES = (
    ("E0", "Config (E0xx)"),
    ("E1", "Entries (E1xx)"),
    ("E2", "Index (E2xx)"),
    ("E3", "Text (E3xx)"),
    ("C", "Config and family, beyond the format's own linter (Cxxx)"),
    ("M", "What entries mean (Mxxx)"),
    ("X", "Index rows (Xxxx)"),
    ("W", "Warnings of the same families (Wxxx)"),
    ("N", "Files (Nxxx)"),
    ("P", "Provenance and approval (Pxxx)"),
    ("T", "What a change does to trust (Txxx, only with `--base`)"),
    ("D", "Text that directs (Dxxx, and its notes W9xx)"),
    ("F", "Text that imitates the frame (Fxxx)"),
    ("H", "Hidden text (Hxxx)"),
    ("S", "Secrets (Sxxx)"),
    ("I", "Ignores and the baseline (Ixxx)"),
)

_INTRODUCTION = """\
# What keep-the-why-lint checks

This page is made from the rules themselves: `python -m keep_the_why_lint.rules_page`.
`keep-the-why-lint --explain CODE` shows the same text. Codes that start with E or W mean what
they mean in the format's own linter. *Since* is the `context-schema` from which on a rule holds.
A rule with a single letter stands for a family whose findings carry their own numbers.
"""


def rules_page() -> str:
    """The page as Markdown, one section for each rule."""
    parts = [_INTRODUCTION]
    for prefix, title in _FAMILIES:
        parts.append(f"## {title}\n")
        parts += [_section(rule) for rule in ALL_RULES if rule.code.startswith(prefix)]
    return "\n".join(parts)


def _section(rule: Rule[Any]) -> str:
    summary, _, details = rule.documentation.partition("\n\n")
    since = ".".join(str(part) for part in rule.since)
    note = f", since {since}" if any(rule.since) else ""
    lines = "\n".join(_item(line) for line in details.split("\n"))
    return f"### {rule.code} {rule.name}\n\n*{rule.severity}{note}.* {summary}\n\n{lines}\n"


def _item(line: str) -> str:
    label, mark, text = line.partition(": ")
    if mark and label in ("Why", "Fix", "Bad", "Good"):
        return f"- **{label}:** {text}"
    return f"  {line}"


if __name__ == "__main__":
    sys.stdout.write(rules_page())
