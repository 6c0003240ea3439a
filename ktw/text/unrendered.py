"""Text in a Markdown source that a reader of the page does not see: comments, titles, alt text,
unused definitions, hidden elements, targets that carry content.

Pure text in, spans out: where such text stands. Whether it directs is for `directives` to judge.
"""

import re
from collections.abc import Iterator

from ktw.text import Span
from ktw.text.escape import without_entities
from ktw.text.hidden import fold
from ktw.text.markup import comments, hidden_elements, tag_attributes
from ktw.text.sentences import code_lines

UNSEEN = "H302"
SCRIPT = "H303"
CARRIES = "H304"

Kind = tuple[str, str]  # the code that such text has by itself, if any; what it is
_COMMENT: Kind = ("", "a comment")
_DEFINITION: Kind = (UNSEEN, "a reference definition that nothing refers to")
_TITLE: Kind = ("", "a link's title")
_ALTERNATIVE: Kind = ("", "an image's alternative text")
_ELEMENT: Kind = (UNSEEN, "an element that is not shown")
_ATTRIBUTE: Kind = ("", "an HTML attribute")
_CARRIER: Kind = (CARRIES, "a link target that carries content or leads to a file of the reader")
_SCRIPT: Kind = (SCRIPT, "a link target that runs a script")

Piece = tuple[int, int, Kind]

_TITLED = r"(?:\s{1,5}(\"[^\"]{0,1000}\"|'[^']{0,1000}'|\([^()]{0,1000}\)))?"
_LINK = re.compile(
    r"\[([^\[\]]{0,500})\]\(\s{0,3}(<[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()<>]{0,200}\)"
    r"[^\s()<>]{0,500})?)" + _TITLED + r"\s{0,3}\)"
)
_DEFINED = re.compile(
    r"^[ >]{0,8}\[(?!\^)([^\[\]\n]{1,500})\]:\s{0,5}(<[^<>\n]{0,2000}>|[^\s<>]{1,2000})"
    + _TITLED
    + r"[ \t]{0,8}$",
    re.MULTILINE,
)
_LABEL = re.compile(r"\[([^\[\]\n]{1,500})\](?!:)")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]{0,2000})>")
# A mark that begins it stands first, for a search that begins with one character is quick.
_INLINE_CODE = re.compile(r"(`(?<!``)`{0,2})(?!`)[^`\n]{1,2000}\1(?!`)")
_SCHEME = re.compile(r"(javascript|vbscript|livescript|data|file):")


def find_unrendered(text: str) -> list[Span]:
    """Spans over such text, in order, the text alone without its marks; code is left out, since it
    shows. `why` says what it stands in.

    `code` is empty where people write such text for good reason (comments, titles, alternative
    text), H302 where it is merely kept from sight, H303 and H304 for targets. Linear in the text.
    """
    if not ("<" in text or "](" in text or "]:" in text):
        return []
    seen = _without_code(text)
    found = [*_in_definitions(seen), *_in_links(seen), *_in_html(seen), *_autolinked(seen)]
    once = dict.fromkeys(piece for piece in found if piece[0] < piece[1])
    return [Span(start, end, *kind) for start, end, kind in sorted(once)]


def _without_code(text: str) -> str:
    """The text with code blanked, which shows as it stands; same length."""
    if "`" not in text and "~~~" not in text:
        return text
    lines = text.split("\n")
    for number in code_lines(text):
        lines[number] = " " * len(lines[number])
    text = "\n".join(lines)
    return _INLINE_CODE.sub(lambda match: " " * len(match[0]), text)


def _in_html(text: str) -> Iterator[Piece]:
    if "<" not in text:
        return
    for start, end in comments(text):
        yield start, end, _COMMENT
    for start, end in hidden_elements(text):
        yield start, end, _ELEMENT
    for name, start, end in tag_attributes(text):
        if name in ("href", "src", "action", "formaction", "data"):
            yield from _target(text, start, end)
        elif name == "alt":
            yield start, end, _ALTERNATIVE
        else:
            yield start, end, _ATTRIBUTE


def _in_links(text: str) -> Iterator[Piece]:
    if "](" not in text:
        return
    for match in _LINK.finditer(text):
        if text.startswith("!", max(0, match.start() - 1)):
            yield *match.span(1), _ALTERNATIVE
        yield from _target(text, *match.span(2))
        if match[3]:
            yield match.start(3) + 1, match.end(3) - 1, _TITLE


def _in_definitions(text: str) -> Iterator[Piece]:
    if "]:" not in text:
        return
    used = {match[1].casefold() for match in _LABEL.finditer(text)}
    for match in _DEFINED.finditer(text):
        yield from _target(text, *match.span(2))
        inner = (match.start(3) + 1, match.end(3) - 1)
        if match[1].casefold() in used:
            if match[3]:
                yield *inner, _TITLE
            continue
        places = [match.span(1), *([inner] if match[3] else [])]
        yield from ((*place, _DEFINITION) for place in places)


def _autolinked(text: str) -> Iterator[Piece]:
    for match in _AUTOLINK.finditer(text):
        yield from _target(text, *match.span(1))


def _target(text: str, start: int, end: int) -> Iterator[Piece]:
    """A link target whose scheme makes it more than an address; browsers skip blanks in it."""
    written = text[start : min(end, start + 200)]
    if written.isascii() and ":" not in written and "&" not in written:
        return  # no scheme without a colon, or what may turn into one
    scheme = _SCHEME.match(re.sub(r"[\s<]+", "", fold(without_entities(written))))
    if scheme:
        carries = scheme[1] in ("data", "file")
        comma = text.find(",", start, min(end, start + 200)) if scheme[1] == "data" else -1
        yield (start if comma < 0 else comma + 1), end, _CARRIER if carries else _SCRIPT
