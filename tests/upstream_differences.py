"""Where our linter differs from upstream's on purpose, each with its reason and its proof.

A difference is explained only when it vanishes once the one construct in question is written in
the way that both linters read alike: `rewrite` does that, and changes nothing else in the tree.
"""

import posixpath
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import NamedTuple

from lint_projects import Link, Tree

Rewrite = Callable[[str, str], str]  # a file's name and text -> its text


class Difference(NamedTuple):
    """A construct that the two read differently: why, and how to write it so that they agree."""

    name: str
    reason: str
    rewrite: Callable[[Tree], Tree]
    ours_alone: bool = False  # it can only make us report more


def _texts(change: Rewrite) -> Callable[[Tree], Tree]:
    def rewrite(tree: Tree) -> Tree:
        return {name: _changed(name, data, change) for name, data in tree.items()}

    return rewrite


def _changed(name: str, data: bytes | Link | None, change: Rewrite) -> bytes | Link | None:
    if not isinstance(data, bytes):
        return data
    try:
        return change(name, data.decode()).encode()
    except UnicodeDecodeError:
        return data


def _lines(change: Callable[[str], str]) -> Callable[[Tree], Tree]:
    return _texts(lambda name, text: "\n".join(change(line) for line in text.split("\n")))


_LINE_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_FENCE_LINE = re.compile(r"(?:[\s>]|[-+*]\s|\d+[.)]\s)*(?:`{3}|~{3}).*")
_OTHER_BLANK = re.compile(r"^(#{1,6})(?:[^\S \t\n]|[ \t]+[^\S \t\n])\s*", re.MULTILINE)
_INDENTED = re.compile(r"^ {1,3}(?=#{1,6}(?:\s|$))", re.MULTILINE)
_CLOSING = re.compile(r"^(#{1,6}[ \t].*?)[ \t]+#+[ \t]*(?=\r?$)", re.MULTILINE)
_EMPTY_HEADING = re.compile(r"^#{1,6}[ \t]*(?=\r?$)", re.MULTILINE)
_CANONICAL = re.compile(r"^([ \t]*-[ \t]+canonical[ \t]*:).*$", re.MULTILINE)
_INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
_CONFIGS = (".keep-the-why", "AGENTS.md", "packages/app/.keep-the-why", "packages/app/AGENTS.md")
_PIN_IN_TICKS = re.compile(r"^([ \t]*-[ \t]+pinned-path[ \t]*:[ \t]*)`(.*)`", re.MULTILINE)
_PIN = re.compile(r"^([ \t]*-[ \t]+)pinned-(?:path|version)[ \t]*:.*$", re.MULTILINE)


def _without_directories(tree: Tree) -> Tree:
    return {name: data for name, data in tree.items() if data is not None}


def _without_dangling(tree: Tree) -> Tree:
    def leads(name: str, data: object) -> bool:
        if not isinstance(data, Link) or data.target.startswith("/"):
            return True
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), data.target))
        return place != name and any(
            other == place or other.startswith(f"{place}/") for other in tree
        )

    return {name: data for name, data in tree.items() if leads(name, data)}


def _without_links_elsewhere(tree: Tree) -> Tree:
    def stays(data: object) -> bool:
        return not isinstance(data, Link) or "/" not in data.target

    return {name: data for name, data in tree.items() if stays(data)}


def _nfc(tree: Tree) -> Tree:
    def name_of(name: str) -> str:
        return unicodedata.normalize("NFC", name)

    changed = _texts(lambda name, text: unicodedata.normalize("NFC", text))(tree)
    return {name_of(name): data for name, data in changed.items()}


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "bom",
        "a BOM at the start is an encoding mark, not a character of the first line",
        _texts(lambda name, text: text.removeprefix("\ufeff")),
    ),
    Difference(
        "line-break",
        "only LF, CRLF and CR end a line; U+2028, NEL, VT, FF and FS do not",
        _texts(lambda name, text: _LINE_BREAKS.sub(" ", text)),
    ),
    Difference("nfc", "NFC and NFD are one name, and one title", _nfc),
    Difference(
        "fence",
        "a fence is what CommonMark says: as long as its opening, indented at most three columns, "
        "ended by the list item that holds it",
        _lines(lambda line: "" if _FENCE_LINE.fullmatch(line) else line),
    ),
    Difference(
        "heading-blank",
        "behind the marks of a heading stands a space or a tab, not any blank",
        _texts(lambda name, text: _OTHER_BLANK.sub(r"\1 ", text)),
    ),
    Difference(
        "heading-indented",
        "a heading may be indented by up to three columns",
        _texts(lambda name, text: _INDENTED.sub("", text)),
    ),
    Difference(
        "heading-closed",
        "the closing marks of a heading are no part of its title",
        _texts(lambda name, text: _CLOSING.sub(r"\1", text)),
    ),
    Difference(
        "heading-empty",
        "a heading may be empty: it ends an entry all the same",
        _texts(lambda name, text: _EMPTY_HEADING.sub("", text)),
    ),
    Difference(
        "directory",
        "a directory that is called like a file is not that file",
        _without_directories,
    ),
    Difference(
        "dangling",
        "a link that leads nowhere is named where it leads out, and is no file that is there",
        _without_dangling,
    ),
    Difference(
        "link-elsewhere",
        "a memory that is a link to another directory is reported, and not read",
        _without_links_elsewhere,
    ),
    Difference(
        "canonical",
        "the host of a canonical name is one that can exist",
        _texts(lambda name, text: _CANONICAL.sub(r"\1 https://git.example.invalid/a", text)),
        ours_alone=True,
    ),
    Difference(
        "unreadable-context",
        "the config is scanned for hidden text where the context directory cannot be read, too",
        _texts(lambda name, text: _INVISIBLE.sub("", text) if name in _CONFIGS else text),
        ours_alone=True,
    ),
    Difference(
        "pin-in-backticks",
        "the pinned path may stand in backticks, as other values may",
        _texts(lambda name, text: _PIN_IN_TICKS.sub(r"\1\2", text)),
    ),
    Difference(
        "pin-identity",
        "the pinned file is the skill, and of the pinned version",
        _texts(lambda name, text: _PIN.sub("", text)),
        ours_alone=True,
    ),
)


# Not a construct in the project: a member's own faults are reported where it is linted.
OF_A_MEMBER = Difference(
    "member", "a family member's faults are reported where that member is linted", lambda tree: tree
)


def by_name() -> Mapping[str, Difference]:
    return {known.name: known for known in (*DIFFERENCES, OF_A_MEMBER)}
