"""Where the sentences of a Markdown text begin and end, as spans that cover every non-blank
character once.

Knows Markdown's line kinds and sentence punctuation; not what a sentence means, nor any memory
format beyond the `**Label:**` field line.
"""

import re
from collections.abc import Iterator
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
_ENDS = ".!?\u2026\u3002\uff01\uff1f"
# A mark that may end a sentence, up to four closers, blanks; a full-width mark needs no blanks.
_PAUSE = re.compile(
    rf"([.!?\u2026][{re.escape(_CLOSERS)}]{{0,4}}(?=\s)|[\u3002\uff01\uff1f](?=\S))\s*"
)
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
    for start, end, whole in _blocks(text):
        if whole:
            bounds.append((start, end))
        else:
            bounds.extend(_split_block(text, start, end))
    return bounds


def is_id_line(sentence: str) -> bool:
    """Whether a sentence is an entry's Id and nothing else: it says nothing, and there are many."""
    return sentence.startswith("**Id:** ") and _ID_LINE.fullmatch(sentence) is not None


def fenced_lines(text: str) -> list[tuple[Bounds, Bounds]]:
    """Neighbouring lines of prose inside a fence, trimmed, in order: they may be one sentence."""
    if "```" not in text and "~~~" not in text:
        return []
    lines = text.split("\n")
    code = code_lines(text)
    pairs: list[tuple[Bounds, Bounds]] = []
    before: Bounds | None = None
    offset = 0
    for number, line in enumerate(lines):
        start = offset + len(line) - len(line.lstrip())
        offset += len(line) + 1
        here = (start, start + len(line.strip()))
        inside = number in code and line.count(" ") > 1 and not _CODE_MARK.search(line)
        if inside and before:
            pairs.append((before, here))
        before = here if inside else None
    return pairs


def fenced_ranges(text: str) -> list[Bounds]:
    """The fences of `text` in order, each from its opening line to the end of its closing one."""
    if "```" not in text and "~~~" not in text:
        return []
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


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """(start, end, whole) of each block, trimmed; `whole` blocks are not split any further."""
    lines = text.split("\n")
    code = code_lines(text)
    matter = _front_matter_end(lines)
    begin = end = -1  # the open paragraph
    offset = 0
    for number, line in enumerate(lines):
        at, offset = offset, offset + len(line) + 1
        bare = line.strip()
        if not bare:
            kind = _BLANK
        elif number < matter or number in code:
            kind = _WHOLE
        else:
            kind = _line_kind(bare)
        if kind != _PLAIN and begin >= 0:
            yield begin, end, False
            begin = -1
        if kind == _BLANK:
            continue
        start = at + len(line) - len(line.lstrip())
        if kind == _WHOLE:
            yield start, start + len(bare), True
            continue
        begin = start if begin < 0 else begin
        end = start + len(bare)
    if begin >= 0:
        yield begin, end, False


_PLAIN, _BLANK, _WHOLE, _OPENS = range(4)
_PLAIN_STARTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ([\"'`!@$%&/\\,.;:?")


def _line_kind(bare: str) -> int:
    """What a line that is not blank and not code does: stands whole, opens a block, or goes on."""
    if bare[0] in _PLAIN_STARTS:
        return _WHOLE if bare[-1] == "|" and bare.count("|") > 1 else _PLAIN
    if bare[0] == ">":
        inner = bare.lstrip("> \t")
        if not inner:
            return _WHOLE
        kind = _line_kind(inner)
        return _WHOLE if kind == _WHOLE and inner[0] != ">" else kind
    if bare[0] == "|" or _HEADING.match(bare) or (bare[0] in "=-*_" and _RULE.match(bare)):
        return _WHOLE
    if _ITEM.match(bare) or _FIELD.match(bare):
        return _OPENS
    return _PLAIN


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


@lru_cache(maxsize=2)  # what reads a text asks several times in a row
def code_lines(text: str) -> frozenset[int]:
    """The numbers of lines inside fences, fences included. A fence that nothing closes opens
    nothing:

    else one stray fence would turn all that follows into code lines.
    """
    if "```" not in text and "~~~" not in text:
        return frozenset()
    fences = [
        (number, match[1][0], len(match[1]), not match[2].strip())
        for number, line in enumerate(text.split("\n"))
        if ("```" in line or "~~~" in line) and (match := _FENCE.match(line.lstrip(" \t>-*+")))
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


def _closable(fences: list[tuple[int, str, int, bool]]) -> list[bool]:
    """For each fence line, whether a later one could close it."""
    longest = {"`": 0, "~": 0}
    answers = []
    for _, mark, length, bare in reversed(fences):
        answers.append(longest[mark] >= length)
        if bare:
            longest[mark] = max(longest[mark], length)
    return answers[::-1]


def _split_block(text: str, start: int, end: int) -> Iterator[Bounds]:
    begin = start
    for pause in _PAUSE.finditer(text, start, end):
        stop, following = pause.end(1), pause.end()
        if _ends_sentence(text, begin, stop, following):
            yield begin, stop
            begin = following
    yield begin, end


def _ends_sentence(text: str, begin: int, stop: int, following: int) -> bool:
    """Whether the sentence that began at `begin` ends at `stop`, the next word being at
    `following`.
    """
    tail = text[max(begin, stop - _LOOK_BACK) : stop].rstrip(_CLOSERS)
    if tail[-1] in "\u3002\uff01\uff1f":
        return True
    after = text[following : following + 4].lstrip(_CLOSERS)
    if after and after[0].islower():
        return False
    return not (tail[-1] == "." and _ABBREVIATION.search(tail))
