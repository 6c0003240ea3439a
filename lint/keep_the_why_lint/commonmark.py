"""What a reader of rendered Markdown sees of a body: headings, paragraphs, code, HTML, by line.

The only place that asks a CommonMark parser. It knows no memory, no field and no rule.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from markdown_it.token import Token

# Measured: what is slowest for its size, nested lists of one line each, takes 0.15 ms a line.
MAX_LINES = 5_000
MAX_NESTING = 16

Form = Literal["#", "underline", "html"]
Part = Literal["paragraph", "heading", "code", "html", "list", "quote"]

_MARKS = r"[ >+*0-9.)\-]"
_UNCLEAR = re.compile(
    rf"\n(?:<(?!!--[^\n]*-->)|{_MARKS}+(?:<|```|~~~|##?(?:[ \n]|\Z))"
    r"|(?<=[^\n]\n)[ >]*(?:=+|-+) *(?:\n|\Z))"
    r"|<[Hh][12]"
)
_HTML_HEADING = r"<h[12](?=[\s/>]|\Z)"
_IN_HTML = re.compile(rf"<!--|{_HTML_HEADING}", re.IGNORECASE)
_IN_TEXT = re.compile(rf"\\[\\`<]|`+|<!--|{_HTML_HEADING}", re.IGNORECASE)


class Heading(NamedTuple):
    """A heading of level 1 or 2 that a reader sees. `inside`: the block around it, "" for none."""

    line: int
    level: int
    form: Form
    inside: str


@dataclass(frozen=True)
class Outline:
    """A body as CommonMark has it; lines count from 0.

    `parts` names the innermost block of each line that stands in one, `single` the lines that are
    an HTML block of their own. `unknown` says why there is no outline; then the rest is empty.
    """

    headings: tuple[Heading, ...] = ()
    parts: Mapping[int, Part] = field(default_factory=dict)
    single: frozenset[int] = frozenset()
    open_fences: tuple[int, ...] = ()
    unknown: str = ""


def is_plain(body: str) -> bool:
    """True where the line scanner of `ktw.entries` provably sees what a CommonMark parser sees.

    Of a text without tabs, in which after blanks and container marks (`>`, bullets, numbers) no
    line goes on with `<`, a fence or a level-1 or level-2 heading, what is left of those three
    begins at column 0. There neither list, quote nor paragraph can hold it (CommonMark 0.31, 5.1
    and 5.2: only paragraph text continues lazily), so a heading is one, a fence opens one, and a
    comment that ends on its line is a block of that line. Other HTML blocks start with `<`, other
    headings need an underline below a line that is not blank, or a tag: all of that is excluded.
    Both sides then close a fence by the same rule (4.5), line by line from the top.
    """
    return "\t" not in body and not _UNCLEAR.search("\n" + body)


@lru_cache(maxsize=4)
def outline(body: str) -> Outline:
    """The outline of a body with LF line ends, within bounds of lines and nesting."""
    if body.count("\n") > MAX_LINES:
        return Outline(unknown=f"it has more than {MAX_LINES:,} lines")
    tokens = _blocks(body)
    if any(token.level >= MAX_NESTING - 1 and token.nesting == 1 for token in tokens):
        return Outline(unknown="its lists and quotes are nested too deeply")
    return _outlined(tokens)


def _blocks(body: str) -> "Sequence[Token]":
    """The block structure; what stands inside a paragraph is left unparsed."""
    from markdown_it import MarkdownIt  # 45 ms, and most runs meet no text that needs it

    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    tokens: list[Token] = []
    parser.block.parse(body + "\n", parser, {}, tokens)
    return tokens


_PARTS: dict[str, Part] = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "fence": "code",
    "code_block": "code",
    "html_block": "html",
    "blockquote_open": "quote",
    "list_item_open": "list",
}


def _outlined(tokens: "Sequence[Token]") -> Outline:
    headings: list[Heading] = []
    parts: dict[int, Part] = {}
    single: set[int] = set()
    open_fences: list[int] = []
    around: list[Part] = []
    for token in tokens:
        if token.type in ("blockquote_close", "list_item_close"):
            around.pop()
        if token.map is None:
            continue
        lines = range(*token.map)
        headings += _headings_of(token, lines.start, around[-1] if around else "")
        if part := _PARTS.get(token.type):
            parts.update(dict.fromkeys(lines, part))
            if part in ("list", "quote"):
                around.append(part)
            elif part == "html" and len(lines) == 1:
                single.add(lines[0])
        # One line opens a fence, one closes it, and every line between is content.
        if token.type == "fence" and token.content.count("\n") + 2 > len(lines):
            open_fences.append(lines[0])
    return Outline(tuple(headings), parts, frozenset(single), tuple(open_fences))


def _headings_of(token: "Token", line: int, inside: str) -> Iterator[Heading]:
    """The heading that a block is, or the first one that its HTML makes."""
    if token.type == "heading_open" and token.tag in ("h1", "h2"):
        form: Form = "#" if token.markup.startswith("#") else "underline"
        yield Heading(line, int(token.tag[1]), form, inside)
    elif token.type in ("inline", "html_block"):
        tag = _html_heading(token.content, _IN_HTML if token.type == "html_block" else _IN_TEXT)
        if tag:
            row = line + token.content.count("\n", 0, tag.start())
            yield Heading(row, int(tag[0][2]), "html", inside)


def _html_heading(content: str, form: re.Pattern[str]) -> re.Match[str] | None:
    """The first `<h1>` or `<h2>` tag of a block, those in comments and code spans left out."""
    if not re.search(_HTML_HEADING, content, re.IGNORECASE):
        return None
    runs, last_end, at = _backtick_runs(content), content.rfind("-->"), 0
    while match := form.search(content, at):
        at = match.end()
        if match[0] == "<!--":
            at = content.find("-->", at) + 3 if at <= last_end else at
        elif match[0][0] == "`":
            starts = runs.get(len(match[0]), [])
            after = bisect_left(starts, at)
            at = starts[after] + len(match[0]) if after < len(starts) else at
        elif match[0][0] == "<":
            return match
    return None


def _backtick_runs(content: str) -> dict[int, list[int]]:
    """Where runs of backticks begin, by their length: a code span ends at one like its own."""
    runs: dict[int, list[int]] = {}
    for match in re.finditer("`+", content):
        runs.setdefault(len(match[0]), []).append(match.start())
    return runs
