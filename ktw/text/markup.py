"""HTML inside Markdown: where comments, elements that are not shown, and attributes stand.

Knows HTML as a browser shows it, roughly and without a tree; no Markdown.
"""

import re
from collections.abc import Iterator

from ktw.text.characters import lowered

Piece = tuple[int, int, str]

# What begins a region that is not shown, and what ends it.
_ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>", "<!": ">"}
_OPENING = re.compile("|".join(map(re.escape, _ENDS)))
_TAG = re.compile(
    r"<([A-Za-z][A-Za-z0-9-]{0,30})"
    r"((?:[\s/](?:[^<>\"']|\"[^\"<]{0,2000}\"|'[^'<]{0,2000}'){0,3000})?)>"
)
_ATTRIBUTE = re.compile(
    r"([A-Za-z_:][\w:.-]{0,60})\s{0,3}=\s{0,3}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))"
)
_UNSEEN = frozenset("script style template noscript title desc metadata head".split())
_HIDDEN_ATTRIBUTE = re.compile(r"(?:^|[\s/])hidden(?=[\s/=]|$)", re.IGNORECASE)
_HIDDEN_CLASS = re.compile(r"(?:^|\s)(?:sr-only|visually-hidden|hidden|d-none)(?=\s|$)")
_NOTHING = r"0*(?:\.0+)?(?:px|pt|em|rem|%|vh|vw)?(?=$|;|!)"
_HIDING_STYLE = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|content-visibility:hidden"
    rf"|(?:^|;)(?:font-size|opacity|line-height|max-height|max-width|height|width):0{_NOTHING}"
    r"|font-size:0?\.0|opacity:0?\.0|font-size:1px"
    r"|(?:left|top|right|text-indent|margin-left|margin-top):-\d{3,}|clip(?:-path)?:(?:rect|inset)"
    r"|(?:^|;)color:(?:transparent|rgba\(\d+,\d+,\d+,0(?:\.0+)?\)|white|#fff(?:fff)?\b)"
    r"|transform:scale\(0\)"
)
_COLOUR = re.compile(r"(?:^|;)color:([^;!]+)")
_BACKGROUND = re.compile(r"(?:^|;)background(?:-color)?:([^;!]+)")
_IGNORED = frozenset(
    "style class id name color width height align type lang dir rel target".split()
)


def comments(text: str) -> Iterator[tuple[int, int]]:
    """What stands in comments, declarations and processing instructions, which may go on to the end
    of the text.
    """
    opening = _OPENING.search(text)
    while opening is not None:
        begin, end = opening.end(), _ENDS[opening[0]]
        stop = text.find(end, begin)
        if stop < 0:
            yield begin, len(text)
            return
        yield begin, stop
        opening = _OPENING.search(text, stop + len(end))


def hidden_elements(text: str) -> Iterator[tuple[int, int]]:
    """What stands in elements that a browser shows nothing of; nested ones count once."""
    lower = ""  # most texts hide no element
    unclosed: set[str] = set()
    reached = 0
    for tag in _TAG.finditer(text):
        name = tag[1].lower()
        if tag.start() < reached or name in unclosed or tag[2].rstrip().endswith("/"):
            continue
        if name not in _UNSEEN and not (tag[2] and _is_hidden(tag[2])):
            continue
        lower = lower or lowered(text)
        stop = lower.find(f"</{name}", tag.end())
        if stop < 0:
            unclosed.add(name)
            stop = len(text)
        reached = stop
        yield tag.end(), stop


def _is_hidden(attributes: str) -> bool:
    if _HIDDEN_ATTRIBUTE.search(_ATTRIBUTE.sub(" ", attributes)):
        return True
    for match in _ATTRIBUTE.finditer(attributes):
        name, value = match[1].lower(), (match[2] or match[3] or match[4] or "").lower()
        if name == "style" and _hides("".join(value.split())):
            return True
        if name == "hidden" or (name == "class" and _HIDDEN_CLASS.search(value)):
            return True
        if name == "color" and value in ("white", "#fff", "#ffffff", "transparent"):
            return True
    return False


def _hides(style: str) -> bool:
    """Whether an inline style, its blanks gone, makes its element invisible."""
    if _HIDING_STYLE.search(style):
        return True
    colour, background = _COLOUR.search(style), _BACKGROUND.search(style)
    return bool(colour and background and colour[1] == background[1])


def tag_attributes(text: str) -> Iterator[tuple[str, int, int]]:
    """(name, start, end) of the value of each attribute that can hold prose or a target."""
    for tag in _TAG.finditer(text):
        for match in _ATTRIBUTE.finditer(text, *tag.span(2)) if tag[2] else ():
            group = next(number for number in (2, 3, 4) if match[number] is not None)
            if match[1].lower() not in _IGNORED:
                yield match[1].lower(), *match.span(group)
