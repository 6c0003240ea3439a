"""What a rule is: a code, a name and a generator. It knows no particular rule and reads nothing."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, Protocol, TypeVar

from keep_the_why_lint.finding import Finding, Severity
from keep_the_why_lint.showing import WITHHELD, reads_as_directive, shown_message
from ktw.config import Version
from ktw.errors import visible

MAX_QUOTED = 120
MOST_OF_A_RULE = 10_000
_MORE = "there is more of this from here on, which is not listed"
Scope = Literal["project", "page", "memory", "heading", "entry", "run", "change"]


class Placed(Protocol):
    """Whatever a rule judges: it stands in a file."""

    @property
    def path(self) -> str:
        """The file, as findings name it."""


Subject = TypeVar("Subject", bound=Placed)


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule yields: a place and a message. Empty fields mean the rule's or subject's own."""

    line: int
    message: str
    path: str = ""
    column: int = 0
    end_line: int = 0
    code: str = ""
    severity: Severity | None = None


@dataclass(frozen=True)
class Rule(Generic[Subject]):
    """A rule: `check` takes a subject of `scope` and yields what it finds.

    `since`: the context-schema from which on it holds. A one-letter `code` stands for a family
    whose findings carry their own codes; `also`: prefixes of other codes that they may carry.
    """

    code: str
    name: str
    severity: Severity
    scope: Scope
    since: Version
    check: Callable[[Subject], Iterator[Found]]
    also: tuple[str, ...] = ()

    def may_find(self, select: Sequence[str]) -> bool:
        """Whether a finding of it can be one of the codes or prefixes of `select`, if any."""
        return not select or any(
            own.startswith(wanted) or wanted.startswith(own)
            for own in (self.code, *self.also)
            for wanted in select
        )

    @property
    def documentation(self) -> str:
        """What, why, fix, a bad and a good example: the docstring of the check."""
        return inspect.getdoc(self.check) or ""

    def finding(self, found: Found, path: str) -> Finding:
        """The finding that `found` is, in a subject that stands at `path`."""
        return Finding(
            found.code or self.code,
            found.severity or self.severity,
            found.path or path,
            found.line,
            found.column or min(found.line, 1),
            found.end_line or found.line,
            shown_message(found.message),
            self.name,
        )


def rule(
    code: str,
    scope: Scope,
    since: Version = (0, 0, 0),
    severity: Severity | None = None,
    also: tuple[str, ...] = (),
) -> Callable[[Callable[[Subject], Iterator[Found]]], Rule[Subject]]:
    """Turn a generator into a Rule named after it. Registers nothing.

    Without `severity` a code that starts with W warns and any other fails.
    """
    chosen: Severity = severity or ("warning" if code.startswith("W") else "error")

    def build(check: Callable[[Subject], Iterator[Found]]) -> Rule[Subject]:
        name = check.__name__.replace("_", "-")
        return Rule(code, name, chosen, scope, since, check, also)

    return build


def quoted_first(values: Iterable[str], most: int = 50) -> Iterator[str]:
    """Each value as a message shows it; only the first are, since judging 50,000 takes a minute."""
    for number, value in enumerate(values):
        yield quoted(value) if number < most else "(not shown)"


def run_rules(rules: Iterable["Rule[Subject]"], subject: Subject) -> Iterator[Finding]:
    """Every finding of these rules in a subject; of one rule at most MOST_OF_A_RULE, and a word.

    A file of a megabyte can hold half a million faults: nobody reads them, and all of them at once
    would cost more time and memory than a check may. Errors and warnings are counted apart, so that
    no number of warnings keeps an error out.
    """
    for rule in rules:
        counts: dict[Severity, int] = {}
        for found in rule.check(subject):
            severity = found.severity or rule.severity
            counts[severity] = count = counts.get(severity, 0) + 1
            if count <= MOST_OF_A_RULE:
                yield rule.finding(found, subject.path)
            elif count == MOST_OF_A_RULE + 1:
                yield rule.finding(replace(found, message=_MORE), subject.path)
                if severity == "error":
                    break


def quoted(value: str) -> str:
    """A value from a file as a message shows it: in quotes, on one line, nothing hidden.

    One that reads as a directive is not shown.
    """
    if reads_as_directive(value):
        return WITHHELD
    return f"'{visible(value, MAX_QUOTED)}'"
