"""What a rule is: a code, a reason in the family's words, the phrases that match, what excuses a
match.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from ktw.text.directives.phrase import Phrase, compile_phrase

Excuse = Callable[[str, re.Match[str]], bool]


class Rule(NamedTuple):
    """One kind of directive. A phrase that matches directs unless one of `excuses` holds."""

    code: str
    why: str
    phrases: tuple[Phrase, ...]
    excuses: tuple[Excuse, ...]

    def directs(self, view: str, phrase: Phrase) -> bool:
        """Whether `phrase` matches somewhere in the plain view without an excuse."""
        for match in phrase.pattern.finditer(view):
            if not any(excuse(view, match) for excuse in self.excuses):
                return True
        return False


def rule(code: str, why: str, *phrases: str, excuses: tuple[Excuse, ...] = ()) -> Rule:
    """A rule from phrase sources, see `phrase` for their language."""
    return Rule(code, why, tuple(compile_phrase(source) for source in phrases), excuses)


_NEGATION = re.compile(
    r" (?:not|never|no longer|nobody|none|without|avoid|avoids|prevent|prevents|forbid|"
    r"forbids|refuse|refuses|instead of|rather than|reject|rejects|disallow|disallows|"
    r"block|blocks|stop|stops|forbidden|prohibited|impossible|risk of|fails|fail)(?= )"
)
_PAST = re.compile(
    r" (?:was|were|had|did|used to|previously|formerly|rejected|proposed|considered|incident|"
    r"an earlier|an old|the old|a former|originally|would|could|might|if we|historically|"
    r"alternative|alternatives|option|in the past|"
    r"instead of|rather than|risk|discarded|ruled out|downside|drawback|because we forgot)(?= )"
)
_PLATFORM = re.compile(
    r" on (?:windows|macos|mac|osx|linux|arm|arm64|ios|android|bsd|pypy|python|alpine|"
    r"wsl|i386|32|big|ci runners|forks|draft|s390x|ppc64le)(?= )| in (?:the )?(?:unit )"
    r"?(?:test|tests|dev|development|local|sandboxed)(?= )| locally "
)
_REACH = 30  # characters before a match in which a negation still governs it


def _clause(view: str, match: re.Match[str]) -> str:
    start = view.rfind(" ; ", 0, match.start() + 1) + 1
    end = view.find(" ; ", match.end() - 1)
    return view[start : end if end >= 0 else len(view)]


def negated(view: str, match: re.Match[str]) -> bool:
    """A negation stands close before the match, in its clause."""
    near = view[max(0, match.start() - _REACH) : match.start() + 1]
    return _NEGATION.search(near[near.rfind(" ; ") + 1 :]) is not None


def negated_inside(view: str, match: re.Match[str]) -> bool:
    """A negation stands close before the match or within it: "are not merged without review"."""
    return negated(view, match) or re.search(r" (?:not|never) ", match[0] + " ") is not None


def past(view: str, match: re.Match[str]) -> bool:
    """The clause tells of the past, or of a choice that was not taken."""
    return _PAST.search(_clause(view, match)) is not None


_LISTED = re.compile(r" (?:to|can|may|will) [a-z]+ ,(?: [a-z]+ ,){0,8}(?: or| and)?$")
_REFUSED = re.compile(
    r"(?: \S+){0,2} (?:is|are|get|gets|be|being|stay) (?:\S+ )?(?:blocked|rejected|"
    r"refused|forbidden|prohibited|disabled|disallowed|prevented|denied|protected|not|"
    r"impossible)(?= )"
)
_ASKED = re.compile(
    r" (?:whether|what|which|how|who|asks|ask if|asked if|decide if)(?: \S+){0,12}$"
)


def listed(view: str, match: re.Match[str]) -> bool:
    """One verb of a list that a "to" or a "not" began: "to create, read, delete secrets"."""
    before = view[view.rfind(" ; ", 0, match.start() + 1) + 1 : match.start()]
    if _LISTED.search(before[-80:]):
        return True
    negation = max(before.rfind(" not "), before.rfind(" never "))
    return negation >= 0 and before.count(" ,", negation) >= 2


def refused(view: str, match: re.Match[str]) -> bool:
    """What was named is then refused: "force pushes to main are blocked"."""
    return _REFUSED.match(view, match.end()) is not None


def asked(view: str, match: re.Match[str]) -> bool:
    """An indirect question: "asks whether to turn the check off"."""
    return _ASKED.search(view[max(0, match.start() - 80) : match.start()]) is not None


def platform(view: str, match: re.Match[str]) -> bool:
    """A platform's or a test environment's limit, not a practice: "skipped on Windows"."""
    return _PLATFORM.search(_clause(view, match)) is not None
