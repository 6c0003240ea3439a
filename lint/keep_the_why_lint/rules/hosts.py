"""The rule about the hosts of repository addresses, wherever one may stand: what they look like."""

from collections.abc import Iterator

from keep_the_why_lint.finding import Severity
from keep_the_why_lint.likeness import imitated_host, mixes_alphabets
from keep_the_why_lint.project import Project
from keep_the_why_lint.rule import Found, Rule, rule
from ktw.config import split_value
from ktw.errors import visible

_SCHEME = "https://"
_MARK = "xn--"
_REFERENCES = ("See", "Superseded by")


@rule("C103", "project")
def host_look_alike(project: Project) -> Iterator[Found]:
    """The host of a repository's address draws like another one.

    Why: an address is the name of a project; a person who compares two names sees one.
    Fix: copy the address from the repository itself. A host that is written in another alphabet
    throughout is a warning: it may be a word of its own.
    Bad: a `canonical` whose host is `git` with a Cyrillic i, written as `xn--gt-...`.
    Good: `- canonical: https://git.example.org/team/tool`
    """
    for value, line, path in _addresses(project):
        host = value.removeprefix(_SCHEME).split("/", 1)[0].rpartition("@")[2].partition(":")[0]
        looks = imitated_host(host) if _MARK in host.lower() else ""
        if looks:
            message = f"the host {visible(host, 80)} is drawn like '{visible(looks, 80)}'"
            severity: Severity | None = None if mixes_alphabets(host) else "warning"
            yield Found(line, message, path, severity=severity)


def _addresses(project: Project) -> Iterator[tuple[str, int, str]]:
    """Each repository address of the config and of references: value, line, path."""
    for placed in project.blocks:
        for field in placed.block.fields:
            yield from _if_address(field.value, field.line, placed.path)
    for file in project.files:
        if _MARK in file.text.lower():
            for entry in file.entries:
                for told in entry.fields:
                    if told.label in _REFERENCES:
                        yield from _if_address(told.value, told.line, file.path)


def _if_address(value: str, line: int, path: str) -> Iterator[tuple[str, int, str]]:
    address = split_value(value)[0].strip("`")
    if address.startswith(_SCHEME):
        yield address, line, path


RULES: tuple[Rule[Project], ...] = (host_look_alike,)
