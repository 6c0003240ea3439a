"""Rules of the trust report about what guards a review: signers, owners, checks, attributes.

They judge a change, so they hold only where a base is given; none of them can be silenced.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from keep_the_why_lint.change import Change, ChangedFile, added_lines
from keep_the_why_lint.path_patterns import may_cover
from keep_the_why_lint.rule import Found, Rule, quoted_first, rule
from keep_the_why_lint.watched import (
    is_agent_settings,
    is_attributes,
    is_below,
    is_check,
    is_codeowners,
    is_guard,
    is_instructions,
    is_signers,
)
from ktw.config import CONFIG_FILE

_MENTIONS = re.compile(r"keep.the.why|\bktw\b")
_RULE = re.compile(r"((?:\\.|[^\s\\])+)\s*(.*)")
_SECTION = re.compile(r"\^?\[[^\]]+\]")
_ATTRIBUTE = re.compile(r'("(?:\\.|[^"\\])*"|\S+)\s+(.*)')
_HIDES = frozenset({"-diff", "binary"})
_HARMLESS = re.compile(r"[-!]?text|text=auto|eol=(?:lf|crlf)|whitespace=\S+|merge=union|diff")
_MOST_MATCHES = 300_000  # of patterns with paths: a second or so
_WHAT = {"absent": "is gone", "link": "is now a link", "unreadable": "can no longer be read"}


def _fate(file: ChangedFile) -> str:
    if file.before.state == "absent":
        return "is new"
    return _WHAT.get(file.after.state, "is another")


def _first_difference(file: ChangedFile) -> int:
    """The first line that differs, 0 where the file is new or gone."""
    if file.before.state != "file" or file.after.state != "file":
        return 0
    pairs = zip(file.before.lines, file.after.lines, strict=False)
    same = next((at for at, (old, new) in enumerate(pairs) if old != new), None)
    shorter = min(len(file.before.lines), len(file.after.lines))
    return min((shorter if same is None else same) + 1, len(file.after.lines))


def _probes(change: Change) -> list[str]:
    """Paths that stand for what a review has to see: the config, and files in `context`."""
    paths = [posixpath.join(change.prefix, CONFIG_FILE)]
    for home in sorted(change.homes):
        names = ("memory.md", "index.md", "README.md", "AGENTS.md", "revoked")
        paths += [posixpath.join(home, name) for name in names]
    paths += [path for file in change.memories for path in (file.path, file.was) if path]
    for project in (change.base, change.head):
        paths += [posixpath.join(change.prefix, file.path) for file in project.files]
    return list(dict.fromkeys(paths))


def _covers(pattern: str, probes: list[str], lines: int) -> bool:
    """True where a pattern, one of `lines`, may match a probe, or where that is too much to ask."""
    return len(probes) * lines > _MOST_MATCHES or may_cover(pattern, probes)


@rule("T301", "change", severity="warning")
def signers_changed(change: Change) -> Iterator[Found]:
    """Who may sign, or what was signed, is another.

    Why: a key in an allowed-signers file approves; a list with its signature does so anywhere.
    Fix: compare each key with what its owner says is theirs.
    Bad: a key added by a pull request about something else.
    Good: one that its owner confirmed by other means.
    """
    for file in change.files:
        if is_signers(file.path) or (file.was and is_signers(file.was)):
            message = f"what decides over signatures {_fate(file)}"
            yield Found(_first_difference(file), message, file.name)


@rule("T302", "change", severity="warning")
def owners_changed(change: Change) -> Iterator[Found]:
    """Who has to review the memories or the config is another.

    Why: without an owner a change to what agents are told needs nobody's consent in particular.
    Fix: put the rule for the context directory back.
    Bad: `/context/ @team` removed from CODEOWNERS, or a later `*` that overrides it.
    Good: the same owners for both.
    """
    probes = _probes(change)
    for file in change.files:
        if not is_codeowners(file.path):
            continue
        before, after = (list(_owners(side.lines, probes)) for side in (file.before, file.after))
        if file.before.state == "absent":
            message = "this file is new, and on some hosts takes the place of another CODEOWNERS"
            yield Found(0, message, file.name)
        elif [text for _, text in before] != [text for _, text in after]:
            known = Counter(text for _, text in before)
            line = next((number for number, text in after if not known[text]), 0)
            yield Found(line, "who reviews the memories or the config is another", file.name)


def _owners(lines: list[str], probes: list[str]) -> Iterator[tuple[int, str]]:
    """The rules that may cover a probe, and sections, in order, with their lines."""
    for number, line in enumerate(lines, start=1):
        text = " ".join(line.split("#", 1)[0].split())
        match = _RULE.fullmatch(text)
        if match and (_SECTION.match(text) or _covers(match[1], probes, len(lines))):
            yield number, text


@rule("T303", "change", severity="warning")
def check_changed(change: Change) -> Iterator[Found]:
    """A file that runs keep-the-why-lint is another, or gone.

    Why: a check that does not run, or runs something else under its name, finds nothing.
    Fix: read what the file runs now, where it comes from, and with which options.
    Bad: the step removed, `continue-on-error`, an action pinned to someone else's commit.
    Good: the same step.
    """
    for file in change.files:
        paths = [path for path in (file.path, file.was) if path]
        if file.before.state == "absent" or not any(map(is_check, paths)):
            continue
        if any(_MENTIONS.search(line) for line in (*file.before.lines, *file.after.lines)):
            message = f"a file that runs keep-the-why-lint {_fate(file)}"
            yield Found(_first_difference(file), message, file.name)


@dataclass(frozen=True)
class _Line:
    """A line of .gitattributes that is new, or gone (number 0), and may hold for a probe."""

    number: int
    text: str
    words: frozenset[str]
    hides: bool


def _attribute_lines(file: ChangedFile, probes: list[str]) -> Iterator[_Line]:
    """What is different in a .gitattributes file; a macro holds wherever its name is used."""
    home = posixpath.dirname(file.path)
    inner = [posixpath.relpath(probe, home or ".") for probe in probes]
    inner = [path for path in inner if not path.startswith("../")]
    hiding = _hiding(file)
    differing = list(_differing(file))
    for number, text in differing:
        match = _ATTRIBUTE.fullmatch(text)
        if match is None or text.startswith("#"):
            continue
        if match[1].startswith("[attr]") or _covers(match[1], inner, len(differing)):
            words = frozenset(match[2].split())
            yield _Line(number, text, words, bool(number) and not hiding.isdisjoint(words))


def _hiding(file: ChangedFile) -> set[str]:
    """What unsets `diff`: the attribute itself, and the macros of this file that hold it."""
    names = set(_HIDES)
    for line in file.after.lines:
        if line.startswith("[attr]"):
            name, *words = line.removeprefix("[attr]").split() or [""]
            if not names.isdisjoint(words):
                names.add(name)
    return names


def _differing(file: ChangedFile) -> Iterator[tuple[int, str]]:
    """Lines that are new, with their numbers, and lines that are gone, with 0."""
    old, new = ([line.strip() for line in side.lines] for side in (file.before, file.after))
    yield from added_lines(old, enumerate(new, start=1))
    yield from added_lines(new, ((0, line) for line in old))


@rule("T304", "change", severity="error")
def diff_hidden(change: Change) -> Iterator[Found]:
    """Memories or the config are declared to have no difference that is worth showing.

    Why: a host then shows "binary file" in place of the words that are about to be approved.
    Fix: remove the attribute.
    Bad: `context/* -diff`
    Good: `context/revoked merge=union`
    """
    probes = _probes(change)
    for file in filter(lambda file: is_attributes(file.path), change.files):
        lines = [line for line in _attribute_lines(file, probes) if line.hides]
        for line, told in zip(lines, quoted_first(line.text for line in lines), strict=True):
            yield Found(line.number, f"this hides from reviewers what changes: {told}", file.name)
    for file in change.files:
        if file.path in change.undiffed and not file.is_gone:
            message = "git shows no difference of this file: its `diff` attribute is unset"
            yield Found(0, message, file.name)


@rule("T305", "change", severity="warning")
def attributes_changed(change: Change) -> Iterator[Found]:
    """How git or the host treats memories or the config is another.

    Why: filters show other bytes than those that are committed; generated files are folded away.
    Fix: remove the attribute; memories need none but `merge=union` for `revoked` and the index.
    Bad: `context/*.md linguist-generated`, `*.md filter=x`
    Good: `*.md text eol=lf`
    """
    probes = _probes(change)
    for file in filter(lambda file: is_attributes(file.path), change.files):
        lines = [line for line in _attribute_lines(file, probes) if _matters(line)]
        for line, told in zip(lines, quoted_first(line.text for line in lines), strict=True):
            what = "holds now" if line.number else "no longer holds"
            yield Found(line.number, f"for memories or the config {what}: {told}", file.name)
        if file.after.state in ("unreadable", "link"):
            yield Found(0, f"a file of attributes {_fate(file)}", file.name)


def _matters(line: _Line) -> bool:
    """True for a new line that asks for treatment, or one that is gone and spoke of the diff."""
    if not line.number:
        return any("diff" in word for word in line.words)
    return not line.hides and any(not _HARMLESS.fullmatch(word) for word in line.words)


@rule("T306", "change", severity="warning")
def instructions_changed(change: Change) -> Iterator[Found]:
    """A file that agents follow, or that configures them, is another.

    Why: agents read it as instructions, outside any frame and without any approval; settings start
    hooks and tools.
    Fix: read every line of the difference as an order to an agent.
    Bad: `AGENTS.md` that tells agents to read `context/` raw.
    Good: the pointer that `ktw init` writes.
    """
    for file in change.files:
        followed = is_instructions(file.path) or is_agent_settings(file.path)
        if followed or any(is_guard(file.path, home) for home in change.homes):
            message = f"a file that agents follow {_fate(file)}"
            yield Found(_first_difference(file), message, file.name)


@rule("T307", "change", severity="warning")
def became_link(change: Change) -> Iterator[Found]:
    """A file or directory that counts is now a link, or a submodule.

    Why: what stands there is decided where the link leads, by changes that nobody reviews as such.
    Fix: put the file itself there.
    Bad: `context` as a link to another directory of the repository.
    Good: plain files.
    """
    for file in change.files:
        counted = file.before.state == "file" or file.path in change.homes
        if file.after.state == "link" and counted and file.before.state != "link":
            yield Found(0, "what stood here is now a link", file.name)
        inside = any(is_below(file.path, home) for home in change.homes)
        if inside and file.after.state == "directory" != file.before.state:
            yield Found(0, "what stands here is another repository's now", file.name)


RULES: tuple[Rule[Change], ...] = (
    signers_changed,
    owners_changed,
    check_changed,
    diff_hidden,
    attributes_changed,
    instructions_changed,
    became_link,
)
