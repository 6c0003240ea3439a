"""F1xx: imitations of what surrounds a text: chat markers, tool markers, our own frame, a forged
dialogue.

Looks at the folded sentence, markup included, since the markup is the imitation.
"""

import re
from functools import cache
from typing import NamedTuple


class Frame(NamedTuple):
    """`source`, a regular expression, is searched where `cue` occurs in a folded sentence."""

    code: str
    why: str
    cue: str
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled at the first sentence that holds the cue."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _frame(code: str, why: str, cue: str, source: str) -> Frame:
    return Frame(code, why, cue, source)


def _dialogue(answers: str) -> str:
    """A turn of a person next to a turn of `answers`, in either order."""
    start, asks = r"(?:^|\n)[\s>|*#-]{0,8}", r"(?:human|user|owner|question|maintainer|prompt)"
    between = r"(?:\*\*)?:[^\n]{0,2000}\n[\s>|*#-]{0,8}"
    return f"{start}(?:{asks}{between}{answers}|{answers}{between}{asks})(?:\\*\\*)?:"


def _line(answers: str) -> str:
    """Both turns in one line: "User: go on. Assistant: I will."."""
    return rf"(?:^|\n)[\s>|*#-]{{0,8}}(?:human|user|owner):\s[^\n:]{{1,300}}[.!?,;]\s{answers}:\s"


_LINE = r"(?<![-=#<\[*_])[-=#<\[*_]{2,}+"  # of marks; each run is looked at once
_TAGS = (
    r"system|assistant|human|developer|system[-_ ]?(?:reminder|prompt|message|note|"
    r"instructions?|notice|update|policy)"
    r"|(?:antml:)?(?:function_calls?|invoke|parameter|thinking)|tool_(?:result|call|use|"
    r"response)s?|function_results?|instructions?|user_(?:message|query|input)|"
    r"im_(?:start|end)|admin|untrusted|untrusted_\w{1,30}|memory|memories"
)
_ENDED = r"context|document|documents|user|data|input|conversation|message|prompt|search_results"
_POWERS = (
    r"policy|policies|permissions?|authori[sz]ation|approval|directives?|override|operator|"
    r"guidelines|safety|security|root|owner|maintainer"
)

FRAMES: tuple[Frame, ...] = (
    _frame("F101", "imitates a chat template's marker", "<", r"<\s?\|\s?/?\w{2,40}\s?\|\s?>"),
    _frame("F101", "imitates a chat template's marker", "inst]", r"\[\s?/?inst\]"),
    _frame("F101", "imitates a chat template's marker", "<", r"<<\s?/?sys\s?>>"),
    _frame("F101", "imitates a chat template's marker", "_of_turn", r"<(?:start|end)_of_turn>"),
    _frame(
        "F102",
        "imitates the tags of an agent's messages",
        "<",
        rf"</?(?:{_TAGS})(?:\s[^<>]{{0,200}})?/?>",
    ),
    _frame(
        "F102",
        "imitates the tags of an agent's messages",
        "<",
        rf"</(?:{_ENDED})>\s{{0,8}}<|<user>.{{0,400}}</user>|</(?:context|data|prompt|"
        r"conversation)>\s{0,8}\w",
    ),
    _frame(
        "F103",
        "imitates a system message",
        "system",
        r"\[\s?/?(?:system|admin|developer)(?:[ _-](?:message|prompt|note|notice|override|"
        r"alert))?\s?:?\s?\]|^[\s>|*#-]{0,12}(?:#{1,6}|\*\*|-{3,}|={3,})\s{0,4}(?:new\s)"
        r"?system(?:[ _](?:message|prompt|note|instructions?|override|update))?\s?(?:\*\*)"
        r"?\s?:|(?:^|\n|\.)[\s>|*-]{0,8}system[ _](?:message|prompt|note|instructions?|"
        r"override|update|notice)\s?:",
    ),
    _frame(
        "F102",
        "imitates the tags of an agent's messages",
        "</",
        rf"<({_POWERS})>[^<>]{{2,400}}</\1>",
    ),
    *(
        _frame(
            "F103",
            "imitates a system message",
            rank,
            rf"(?:^|\n)[\s>|*#-]{{0,8}}\[\s?(?:{rank})"
            r"(?:[ _-](?:message|note|notice|override|alert))?\s?:?\s?\](?![(:\[])\s{0,3}:?\s\w",
        )
        for rank in ("admin", "administrator", "root", "operator", "sysop", "owner", "maintainer")
    ),
    _frame(
        "F103",
        "imitates a system message",
        "sistem",
        r"(?:nota di|nota del|mensaje del) sistema\s?:",
    ),
    _frame(
        "F103",
        "imitates a system message",
        "system",
        r"(?:^|\n)[\s>|*#-]{0,8}system:\s(?:\w+[ :,]){0,2}(?:you|the|continue|ignore|"
        r"disregard|all|cleanup|debug|new|user|override|call|run|execute|delete|grant|mode|"
        r"from|do|your)\b",
    ),
    _frame(
        "F104",
        "imitates a message of a chat protocol",
        "role",
        r"[\"']?role[\"']?\s?[:=]\s?[\"'](?:(?:system|assistant|developer|tool)[\"']|"
        r"user[\"']\s{0,4},\s{0,4}[\"']content)",
    ),
    _frame(
        "F104",
        "imitates a message of a chat protocol",
        "tool",
        r"[\"']tool(?:_name|_call|_use)?[\"']\s?:\s?[\"']\w{1,60}[\"']\s?,\s?[\"'](?:code|args|"
        r"arguments|"
        r"input|parameters|params|command|cmd|query)[\"']",
    ),
    _frame(
        "F105",
        "imitates a config block",
        "keep-the-why:",
        r"(?<!`)<!--\s{0,8}/?\s?keep-the-why:(?:config|personal|global|children|cache)",
    ),
    _frame(
        "F106",
        "imitates the frame around untrusted text",
        "untrusted",
        r"(?:(?<!<)<{2,}+|(?<!>)>{2,}+|(?<!=)={2,}+|(?<!-)-{2,}+|end\s(?:of\s)?)\s{0,4}(?:end\s)?(?:of\s)"
        r"?untrusted\s(?:memory|memories|content|data|input|text|document)",
    ),
    _frame(
        "F107",
        "pretends that the context ends",
        "end",
        rf"{_LINE}\s{{0,4}}/?end(?:\sof)?(?:\sthe)?(?:\s\w{{1,20}}){{0,2}}\s?(?:context|"
        r"memory|memories|input|prompt|document|data|conversation|instructions|message|file|"
        r"entry|text|session|framed?|notes?|results|excerpt|passage|knowledge)\b|\[\s?(?:context|"
        r"memory|document|prompt)\s(?:end|ends)"
        r"\s?\]",
    ),
    _frame(
        "F107",
        "pretends that the context ends",
        "begin",
        rf"{_LINE}\s{{0,4}}(?:begin|start)(?:\sof)?(?:\sthe|\snew)?\s(?:system|"
        r"instructions|prompt|user|conversation|task)\b",
    ),
    *(
        _frame("F108", "forges a dialogue", f"{answers}:", form(answers))
        for answers in ("assistant", "ai", "claude", "agent", "model")
        for form in (_dialogue, _line)
    ),
    _frame(
        "F108",
        "forges a dialogue",
        "assistant:",
        r"^[\s>|*-]{0,8}(?:\*\*)?assistant(?:\*\*)?:\s{1,3}(?:i|sure|understood|yes|ok|okay|"
        r"certainly|of "
        r"course|done|approved|acknowledged|confirmed|agreed|proceeding|as|\w+ed)\b",
    ),
    _frame("F108", "forges a dialogue", "user", r"^[\s>]{0,8}#{2,6}\s(?:user|human):\s{1,3}\w"),
)

CUES = tuple(dict.fromkeys(frame.cue for frame in FRAMES))
# Of the words of a frame one holds one of these texts, or a tag; there `$` is the end of the word.
WORD_CUES = tuple(cue for cue in CUES if cue[0] != "<")
TAG = rf"<(?:[<|]|$|/?(?:{_TAGS}|{_ENDED}|{_POWERS}))"


def frame_in(folded: str) -> Frame | None:
    """The first frame that a folded sentence imitates."""
    cues = [cue for cue in CUES if cue in folded and (cue[0] != "<" or ">" in folded)]
    for frame in FRAMES if cues else ():
        if frame.cue in cues and frame.pattern.search(folded):
            return frame
    return None
