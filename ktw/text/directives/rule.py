"""What a rule is: a code, a reason in the family's words, the phrases that match, what excuses a
match.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from ktw.text.directives.phrase import Phrase
from ktw.text.directives.words import CLASSES
from ktw.text.late import late

Excuse = Callable[[str, re.Match[str]], bool]
DIRECTS, TOLD = "directs", "told"


class Rule(NamedTuple):
    """One kind of directive. A phrase that matches directs unless one of `excuses` holds."""

    code: str
    why: str
    phrases: tuple[Phrase, ...]
    excuses: tuple[Excuse, ...]

    def judge(self, view: str, phrase: Phrase) -> str:
        """`DIRECTS`, or `TOLD` for a match that is only told of, or nothing."""
        answer = ""
        for match in phrase.pattern.finditer(view):
            excuse = next((e for e in self.excuses if e(view, match)), None)
            if excuse is None:
                return DIRECTS
            answer = TOLD if excuse in TELLING else answer
        return answer


def rule(code: str, why: str, *phrases: str, excuses: tuple[Excuse, ...] = ()) -> Rule:
    """A rule from phrase sources, see `phrase` for their language."""
    return Rule(code, why, tuple(map(Phrase, phrases)), excuses)


_NEGATION = late(r" (?:not|never|no longer|nobody|none|without|forbidden|prohibited)(?= )")
# These govern what they stand before, not what comes after a comma: "to prevent delays, skip".
_PREVENTION = late(
    r" (?:avoid|avoids|prevent|prevents|forbid|forbids|refuse|refuses|instead of|rather than|"
    r"reject|rejects|disallow|disallows|block|blocks|stop|stops|stopped|ceased|impossible|risk of|"
    r"fails|fail)"
    r"(?= )[^,]*$"
)
# Words that put a whole clause into the past or among what was not chosen.
_FORMERLY = late(
    r" (?:used to|previously|formerly|rejected|proposed|considered|an earlier|an old|"
    r"a former|originally|historically|alternative|alternatives|in the past|discarded|"
    r"ruled out|downside|drawback|option \w+|last (?:year|month|week|spring|summer|autumn|winter))"
    r"(?= )"
)
# Tenses that govern their own part of a sentence alone.
_TENSE = late(r" (?:was|were|had|did|would|could|might|if we|risk|instead of|rather than)(?= )")
_PART = late(r" (?:,|so|because|since|as|but|while|whereas)(?= )")
# What may follow a choice that was not taken, or a state that has ended.
_ENDED = late(
    r"(?: \S+){0,4}? (?:was|were|been|is|are|but|and|,|got|we|has|have) (?:\S+ ){0,2}?"
    r"(?:rejected|discarded|ruled out|reverted|restored|refused|replaced|stopped|fixed|"
    r"undone|repaired|turned down|voted down)(?= )"
)
_PLATFORM = late(
    r" on (?:windows|macos|mac|osx|linux|arm|arm64|ios|android|bsd|pypy|python|alpine|"
    r"wsl|i386|32|big|ci runners|forks|draft|s390x|ppc64le)(?= )| in (?:the )?(?:unit )"
    r"?(?:test|tests|dev|development|local|sandboxed)(?= )| locally "
)
_REACH = 30  # characters before a match in which a negation still governs it


def _clause(view: str, match: re.Match[str]) -> str:
    start = view.rfind(" ; ", 0, match.start() + 1) + 1
    end = view.find(" ; ", match.end() - 1)
    return view[start : end if end >= 0 else len(view)]


def _before(view: str, match: re.Match[str]) -> str:
    """What stands before the match in its clause, the nearest 80 characters."""
    near = view[max(0, match.start() - 80) : match.start()]
    return near[near.rfind(" ; ") + 1 :]


def negated(view: str, match: re.Match[str]) -> bool:
    """A negation stands close before the match, in its clause."""
    near = view[max(0, match.start() - _REACH) : match.start() + 1]
    near = near[near.rfind(" ; ") + 1 :]
    return _NEGATION.search(near) is not None or _PREVENTION.search(near) is not None


def negated_inside(view: str, match: re.Match[str]) -> bool:
    """A negation stands close before the match or within it: "are not merged without review"."""
    return negated(view, match) or re.search(r" (?:not|never) ", match[0] + " ") is not None


def past(view: str, match: re.Match[str]) -> bool:
    """The clause tells of the past, or of a choice that was not taken.

    What merely follows ("they skip the tests, which were slow") excuses nothing.
    """
    start = view.rfind(" ; ", 0, match.start() + 1) + 1
    before = view[start : match.end()] + " "
    if _FORMERLY.search(before) or _ENDED.match(view, match.end()):
        return True
    parts = [part.start() for part in _PART.finditer(view, start, match.start() + 1)]
    return _TENSE.search(view[parts[-1] if parts else start : match.end()] + " ") is not None


_LISTED = late(r" (?:to|can|may|will) [a-z]+ ,(?: [a-z]+ ,){0,8}(?: or| and)?$")
_REFUSED = late(
    r"(?: \S+){0,2} (?:is|are|get|gets|be|being|stay) (?:\S+ )?(?:blocked|rejected|"
    r"refused|forbidden|prohibited|disabled|disallowed|prevented|denied|protected|not|"
    r"impossible)(?= )"
)
_ASKED = late(
    r" (?:whether|what|which|how|who|where|asks|ask if|asked if|decide if)(?: \S+){0,12}$"
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
    return _ASKED.search(_before(view, match)) is not None


def platform(view: str, match: re.Match[str]) -> bool:
    """A platform's or a test environment's limit, not a practice: "skipped on Windows"."""
    return _PLATFORM.search(_clause(view, match)) is not None


_CONDITION = late(r" (?:if|unless|when|whether|where|whenever|because|in case|ensure|ensures)(?= )")


def conditional(view: str, match: re.Match[str]) -> bool:
    """The match is itself a condition: "if encryption is disabled, pass the option"."""
    start = view.rfind(" ; ", 0, match.start() + 1) + 1
    comma = view.rfind(" , ", start, match.start() + 1) + 1
    part = view[max(start, comma, match.start() - _REACH) : match.start() + 1]
    return _CONDITION.search(part) is not None


def denied(view: str, match: re.Match[str]) -> bool:
    """The clause denies it from its beginning: "it does not start without asking"."""
    start = view.rfind(" ; ", 0, match.start() + 1) + 1
    return re.search(r" (?:not|never) ", view[start : match.start() + 1]) is not None


_HOW_TO = late(r" (?:by (?:passing|using|setting|calling|adding|giving)|with the|via)(?= )")


def explained(view: str, match: re.Match[str]) -> bool:
    """A feature is explained: "tests can be skipped by passing the option"."""
    return _HOW_TO.match(view, match.end()) is not None


_PURPOSE = late(r" (?:\S+ (?:\d+ )?; )?(?:to|how to|in order to) [a-z]+ .* and$")


def purposed(view: str, match: re.Match[str]) -> bool:
    """The second verb of a purpose: "to create a filter and suppress findings"."""
    start = view.rfind(" ; ", 0, match.start() + 1) + 1
    return _PURPOSE.match(view[start : match.start()]) is not None


_OPTION = late(r" (?:option|variant|choice|alternative|candidate) \w+ ;$")


def named_option(view: str, match: re.Match[str]) -> bool:
    """One of the choices of a record: "Option 2: turn the check off"."""
    return _OPTION.search(view[max(0, match.start() - 40) : match.start()] + "") is not None


_DILIGENCE = late(r" (?:tests?|suite|linter|lint|checks?|formatter|ruff|pytest|mypy|tox|make)(?= )")
_FOREIGN_PART = late(r" (?:curl|wget|sudo|\S*(?:://|/tmp/|/srv/)\S*)(?= )")


def diligent(view: str, match: re.Match[str]) -> bool:
    """What is to be run are the checks: "run the tests before each commit"."""
    part = match[0] + " "
    return _DILIGENCE.search(part) is not None and _FOREIGN_PART.search(part) is None


_CONTACT = late(
    r" (?:vulnerabilit(?:y|ies)|issues?|questions?|feedback|comments?|bugs?|patch(?:es)?|"
    r"proposals?|suggestions?|concerns?|incident)(?= )"
)
_PRIVATE = late(
    r" (?:keys?|tokens?|passwords?|secrets?|credentials?|database|dump|histor(?:y|ies)|files|"
    r"repository|customers?|transcripts?|conversations?|contents?|environment|logs?|all|every)(?= )"
)


def contact(view: str, match: re.Match[str]) -> bool:
    """Where to write to: "send questions to the list", nothing private with it."""
    clause = _clause(view, match)
    return _CONTACT.search(clause) is not None and _PRIVATE.search(clause) is None


_DOCUMENTED = late(
    r" (?:about|documentation|docs|support|help|option|flag|example|sample|template|"
    r"\S*\.env\.(?:example|sample|template))(?= )"
)


def described(view: str, match: re.Match[str]) -> bool:
    """Not the secret but what is written about it, or its template."""
    return _DOCUMENTED.search(match[0] + " ") is not None


_ATTEMPT = late(
    r" (?:an|any|such|another|hidden|its|attempts?|tries|cannot|can not|may not|must not|nor)"
    r"(?: \w+)?(?: (?:order|attempt|request|instruction|text|sentence|payload|entry|entries|"
    r"comment|"
    r"injection|line|page|document|prompt|note|memory|demand|claim))?"
    r"(?: (?:that|which|who))?(?: (?:asks?|tells?|orders?|tries|demands?|claims?|says?)"
    r"(?: (?:an?|the|its|your)? ?(?:agent|model|reader|assistant|llm))?)?(?: to)?$"
)


def attempted(view: str, match: re.Match[str]) -> bool:
    """What some text tries, not what this one does: "an order to ignore the instructions"."""
    return _ATTEMPT.search(_before(view, match)) is not None


_APART = late(r" \S+ ;(?= )| \S+(?: \S+){3,} ;(?= )")


def apart(view: str, match: re.Match[str]) -> bool:
    """A clause ends between the verb and what it would act on."""
    return _APART.match(match[0] + " ") is not None


def restricted(_: str, match: re.Match[str]) -> bool:
    """A permission that narrows: "you are only allowed to read"."""
    return " only " in match[0] + " "


_POINTED = late(
    r" (?:read|check|see|consult) ; $| (?:read|see|consult)(?: the)? \S*(?:agents|claude|"
    r"contributing)\.md(?: ;)?(?: and use the (?:\w+ )?(?:skills|conventions|guidelines)"
    r"(?: it \w+)?)?(?: ;)? $"
)


def pointed(view: str, match: re.Match[str]) -> bool:
    """Agents are only pointed to the file made for them, or to what follows in sight."""
    return _POINTED.search(view, match.start()) is not None


_THIRD_PERSON = frozenset(CLASSES["omit:s"] + CLASSES["ship:s"])


def fragment(_: str, match: re.Match[str]) -> bool:
    """An item without a subject: "- disables a safety check", of a list of what something does."""
    return match.start() == 0 and match[0].split(" ", 2)[1] in _THIRD_PERSON


# Excuses that leave something to report: the words direct, and only their setting does not.
TELLING = frozenset(
    {
        past,
        platform,
        asked,
        explained,
        purposed,
        named_option,
        diligent,
        contact,
        described,
        attempted,
        apart,
        restricted,
        fragment,
        denied,
        pointed,
    }
)
