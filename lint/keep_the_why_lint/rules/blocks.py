"""Rules about what stands in `.keep-the-why` and is read by nobody: strange blocks, stray lines."""

import re
from collections.abc import Iterator

from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, quoted, rule
from ktw.config import KINDS, split_value
from ktw.config_fields import FIELDS

_READ = ("config", "personal-defaults", "children", "lint")
_SETTING = re.compile(r"\s*[-*+]\s+([A-Za-z0-9_-]+)\s*:(.*)")
_KEYS = frozenset(spec.key for kind in FIELDS for spec in FIELDS[kind])


def _markers(project: Project) -> Iterator[tuple[int, str, str, str]]:
    """Line, slash, kind and the whole line, of everything that looks like a marker."""
    lines = enumerate(project.text_of(project.path).split("\n"), start=1)
    for number, line in [(number, line) for number, line in lines if "<!--" in line]:
        shown = line.strip()
        if shown.startswith("<!--") and shown.endswith("-->"):
            inner = shown[4:-3].strip()
            name, _, kind = inner.removeprefix("/").partition(":")
            if name.strip().lower() == "keep-the-why" and len(kind.split()) == 1:
                yield number, "/" if inner.startswith("/") else "", kind.strip(), shown


@rule("C101", "project", severity="warning")
def block_not_read(project: Project) -> Iterator[Found]:
    """A block that no program reads from this file.

    Why: its author thinks that it counts; an agent that opens the raw file might follow it.
    Fix: correct the marker, or delete the block. `personal`, `global` and `cache` blocks belong
    into a developer's home.
    Bad: `<!-- keep-the-why:policy -->`, or `<!--keep-the-why:Config-->`
    Good: `<!-- keep-the-why:config -->`
    """
    for number, slash, kind, line in _markers(project) if project.config else ():
        if line != f"<!-- {slash}keep-the-why:{kind} -->" or kind.lower() != kind:
            yield Found(number, f"the marker {quoted(line)} is not written as a marker is")
        elif kind not in KINDS and not slash:
            yield Found(number, f"no program knows blocks of the kind {quoted(kind)}")
        elif kind not in _READ and not slash:
            message = f"a {kind} block is read from a developer's home, not from here"
            yield Found(number, message)


@rule("C102", "project", severity="warning")
def setting_outside_a_block(project: Project) -> Iterator[Found]:
    """A line outside any block looks like a setting.

    Why: it has no effect, and whoever reads the file would think that it has.
    Fix: move it between the markers of its block, or write it as a sentence.
    Bad: `- source-reference: always` above the opening marker.
    Good: the same line inside the config block.
    """
    if project.config is None or project.config.legacy or project.config_block is None:
        return
    for number, line in _outside(project):
        match = _SETTING.fullmatch(line)
        if match and (match[1].lower() in _KEYS or all(split_value(match[2]))):
            yield Found(number, f"{quoted(match[1])} stands outside any block and sets nothing")


def _outside(project: Project) -> Iterator[tuple[int, str]]:
    """The lines of the config file that stand in no block and hold a colon, with their numbers."""
    inside: set[str] = set()
    marked = {number: (slash, kind) for number, slash, kind, _ in _markers(project)}
    for number, line in enumerate(project.text_of(project.path).split("\n"), start=1):
        if number in marked:
            slash, kind = marked[number]
            (inside.discard if slash else inside.add)(kind)
        elif not inside and ":" in line:
            yield number, line


RULES: tuple[Rule[Project], ...] = (block_not_read, setting_outside_a_block)
