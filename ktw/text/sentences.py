"""Where the sentences of a Markdown text begin and end, as spans that cover every non-blank
character once.

Knows Markdown's line kinds and sentence punctuation; not what a sentence means, nor any memory
format beyond the `**Label:**` field line.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ktw.text import Span
from ktw.text.late import late

_FENCE = late(r"(`{3,}|~{3,})(.*)", re.DOTALL)
_CODE_MARK = late(r"[={}()]|```|~~~|;\s*$")
_ITEM = late(r"(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_HEADING = late(r"#{1,6}(?:[ \t]|$)")
_FIELD = late(r"\*\*[^*\n]{1,60}(?::\*\*|\*\*:)")
_ID_LINE = late(r"\*\*Id:\*\* [0-9a-f-]{36}")
_RULE = late(r"(?:=+|-+|\*+|_+|(?:[-*_] ?){3,100})$")
_YAML_LINE = late(r"[A-Za-z_][\w.-]{0,60}:(?:[ \t]|$)")

_CLOSERS = "\"')]*_`\u201d\u2019\u00bb"
# A mark that may end a sentence, up to four closers, blanks; a full-width mark needs no blanks.
_PAUSE = re.compile(rf"[.!?\u2026][{re.escape(_CLOSERS)}]{{0,4}}(\s+)|[\u3002\uff01\uff1f](?=\S)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'*_])(?:e\.g|i\.e|etc|vs|cf|viz|approx|resp|incl|excl|al|ca|no|nr|fig|"
    r"eq|sec|ch|pp?|mr|mrs|ms|dr|prof|st|inc|ltd|z\.b|d\.h|u\.a|bzw|[a-z])\.$",
    re.IGNORECASE,
)
_LOOK_BACK = 12  # characters: longer than any abbreviation above and the closers after it

Bounds = tuple[int, int]


def split_sentences(text: str) -> list[Span]:
    """The sentences of `text` in order (code and why empty), trimmed of blanks.

    A heading, table row, code line, thematic break, front matter line is one sentence; a list item,
    a field line and a paragraph are split at sentence ends and never joined with what follows them.
    A line break inside a paragraph ends nothing.
    """
    return [Span(start, end, "", "") for start, end in sentence_bounds(text)]


def sentence_bounds(text: str) -> list[Bounds]:
    """As `split_sentences`, as bare (start, end) pairs: a text of a megabyte has many."""
    bounds: list[Bounds] = []
    lines = text.split("\n")
    code, matter = code_lines(text), _front_matter_end(lines)
    begin = end = -1  # the open paragraph or item
    offset = 0
    for number, line in enumerate(lines):
        at, offset = offset, offset + len(line) + 1
        kind, lead, length = _look_once(line) if len(line) <= _TINY else _look(line)
        if kind != _BLANK and (number < matter or number in code):
            kind = _WHOLE
        if begin >= 0 and kind != _PLAIN:
            _add_block(bounds, text, begin, end)
            begin = -1
        start = at + lead
        if kind == _WHOLE:
            bounds.append((start, start + length))
        elif kind != _BLANK:
            begin = start if begin < 0 else begin
            end = start + length
    if begin >= 0:
        _add_block(bounds, text, begin, end)
    return bounds


def is_id_line(sentence: str) -> bool:
    """Whether a sentence is an entry's Id and nothing else: it says nothing, and there are many."""
    return sentence.startswith("**Id:** ") and _ID_LINE.fullmatch(sentence) is not None


def fenced_lines(text: str) -> Sequence[tuple[Bounds, Bounds]]:
    """Neighbouring lines of prose inside a fence, trimmed, in order: they may be one sentence."""
    return _fenced_lines(text) if "```" in text or "~~~" in text else ()


@lru_cache(maxsize=2)  # what judges a text in parts asks for each of them
def _fenced_lines(text: str) -> Sequence[tuple[Bounds, Bounds]]:
    lines = text.split("\n")
    code = code_lines(text)
    pairs: list[tuple[Bounds, Bounds]] = []
    before: Bounds | None = None
    offset = 0
    for number, line in enumerate(lines):
        here = None
        if number in code and line.count(" ") > 1 and not _CODE_MARK.search(line):
            start = offset + len(line) - len(line.lstrip())
            here = (start, start + len(line.strip()))
            if before:
                pairs.append((before, here))
        before = here
        offset += len(line) + 1
    return pairs


def fenced_ranges(text: str) -> Sequence[Bounds]:
    """The fences of `text` in order, each from its opening line to the end of its closing one."""
    return _fenced_ranges(text) if "```" in text or "~~~" in text else ()


@lru_cache(maxsize=2)
def _fenced_ranges(text: str) -> Sequence[Bounds]:
    lines = text.split("\n")
    code = code_lines(text)
    ranges: list[Bounds] = []
    offset = 0
    for number, line in enumerate(lines):
        end = offset + len(line) + 1
        if number in code:
            joined = bool(ranges) and ranges[-1][1] == offset
            ranges[-1 if joined else len(ranges) :] = [(ranges[-1][0] if joined else offset, end)]
        offset = end
    return ranges


_PLAIN, _OPENS, _WHOLE, _BLANK = range(4)
_TINY = 5  # characters of a line of which a text can hold hundreds of thousands


def _look(line: str) -> tuple[int, int, int]:
    """What a line does, where its words begin, and their length without the blanks around them."""
    bare = line.strip()
    if not bare:
        return _BLANK, 0, 0
    lead = 0 if line[0] == bare[0] else len(line) - len(line.lstrip())
    return _line_kind(bare), lead, len(bare)


_look_once = lru_cache(maxsize=1 << 12)(_look)


_PLAIN_STARTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ([\"'`!@$%&/\\,.;:?")
_RULE_MARKS = frozenset("=-*_")


def _line_kind(bare: str) -> int:
    """What a line that is not blank and not code does: stands whole, opens a block, or goes on."""
    first = bare[0]
    if first in _PLAIN_STARTS:
        return _WHOLE if bare[-1] == "|" and bare.count("|") > 1 else _PLAIN
    if first == ">":
        inner = bare.lstrip("> \t")
        if not inner:
            return _WHOLE
        kind = _line_kind(inner)
        return _WHOLE if kind == _WHOLE and inner[0] != ">" else kind
    if first == "#":
        return _WHOLE if _HEADING.match(bare) else _PLAIN
    if first == "|" or (first in _RULE_MARKS and bare[-1] in _RULE_MARKS and _RULE.match(bare)):
        return _WHOLE
    return _OPENS if _ITEM.match(bare) or _FIELD.match(bare) else _PLAIN


def _front_matter_end(lines: list[str]) -> int:
    """How many leading lines are front matter, fences included; 0 for none."""
    if lines[0].strip() != "---":
        return 0
    for number, line in enumerate(lines[1:], start=1):
        bare = line.strip()
        if bare == "---":
            return number + 1
        if bare and not (bare[0] in "-#" or line[0] in " \t" or _YAML_LINE.match(bare)):
            return 0
    return 0


def code_lines(text: str) -> frozenset[int]:
    """The numbers of lines inside fences, fences included. A fence that nothing closes opens
    nothing:

    else one stray fence would turn all that follows into code lines.
    """
    return _code_lines(text) if "```" in text or "~~~" in text else frozenset()


@lru_cache(maxsize=2)  # what reads a text asks several times in a row
def _code_lines(text: str) -> frozenset[int]:
    fences = [
        (number, *fence)
        for number, line in enumerate(text.split("\n"))
        if ("```" in line or "~~~" in line)
        and (fence := _fence_once(line) if len(line) <= _SHORT_FENCE else _fence(line))
    ]
    code: set[int] = set()
    opened: tuple[int, str, int] | None = None
    for (number, mark, length, bare), closable in zip(fences, _closable(fences), strict=True):
        if opened is None:
            opened = (number, mark, length) if closable else None
        elif bare and mark == opened[1] and length >= opened[2]:
            code.update(range(opened[0], number + 1))
            opened = None
    return frozenset(code)


def _fence(line: str) -> tuple[str, int, bool] | None:
    """Mark and length of the fence that a line is, and whether nothing follows it."""
    match = _FENCE.match(line.lstrip(" \t>-*+"))
    return (match[1][0], len(match[1]), not match[2].strip()) if match else None


_SHORT_FENCE = 4  # characters: of longer ones a text holds no hundreds of thousands
_fence_once = lru_cache(maxsize=1 << 10)(_fence)


def _closable(fences: list[tuple[int, str, int, bool]]) -> list[bool]:
    """For each fence line, whether a later one could close it."""
    longest = {"`": 0, "~": 0}
    answers = []
    for _, mark, length, bare in reversed(fences):
        answers.append(longest[mark] >= length)
        if bare:
            longest[mark] = max(longest[mark], length)
    return answers[::-1]


def _add_block(bounds: list[Bounds], text: str, begin: int, end: int) -> None:
    """Add the sentences of a paragraph or an item."""
    if _PAUSE.search(text, begin, end):
        bounds.extend(_split_block(text, begin, end))
    else:
        bounds.append((begin, end))


def _split_block(text: str, start: int, end: int) -> Iterator[Bounds]:
    begin = start
    for pause in _PAUSE.finditer(text, start, end):
        if pause[1] is None:
            yield begin, pause.end()
            begin = pause.end()
        elif _ends_sentence(text, begin, pause):
            yield begin, pause.start(1)
            begin = pause.end()
    yield begin, end


def _ends_sentence(text: str, begin: int, pause: re.Match[str]) -> bool:
    """Whether the sentence that began at `begin` ends at a mark with blanks behind it."""
    mark, following = pause.start(), pause.end()
    after = text[following : following + 4].lstrip(_CLOSERS)
    if after and after[0].islower():
        return False
    if text[mark] != "." or not text[mark - 1 : mark].isalpha():
        return True
    return not _ABBREVIATION.search(text[max(begin, pause.start(1) - _LOOK_BACK) : mark + 1])
