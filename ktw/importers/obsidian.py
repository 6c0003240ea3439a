"""What a note says in the ways of Obsidian and its kin: inline tags, and what only they resolve.

Pure text in, plain values out.
"""

import re

from ktw.entries import unfenced_lines
from ktw.importers.lost import Lost
from ktw.text.late import late

_TAG = late(r"(?<![\w#&/\\])#([\w/-]{1,120})(?![\w/-])")
_LETTER = late(r"[^\W\d_]")
_CODE = late(r"`[^`\n]{1,2000}`")
_TARGET = late(r"\]\([^()\s]{0,2000}\)|\[\[[^\[\]\n]{1,500}\]\]|https?://\S+")
_FENCED_TOOL = late(
    r"^ {0,3}(?:`{3,}|~{3,})[ \t]{0,4}(?:dataviewjs|dataview|tasks|query)\b", re.MULTILINE
)
# What is text alone here and shows or leads to nothing, by what one of it is called, and many.
_CARRIED = {
    ("embed as text", "embeds as text"): late(r"!\[\[[^\[\]\n]{1,500}\]\]"),
    ("link between notes as text", "links between notes as text"): late(
        r"(?<!!)\[\[[^\[\]\n]{1,500}\]\]"
    ),
    ("block id as text", "block ids as text"): late(
        r"(?:^|[ \t])\^[A-Za-z0-9-]{1,64}[ \t]{0,8}$", re.MULTILINE
    ),
    ("callout as a quote", "callouts as quotes"): late(
        r"^ {0,3}(?:> ?){1,8}\[![A-Za-z-]{1,32}\]", re.MULTILINE
    ),
    ("picture left behind", "pictures left behind"): late(
        r"!\[[^\[\]\n]{0,500}\]\((?!https?://)[^()\n]{1,1000}\)"
    ),
    ("mark of a comment as text", "marks of comments as text"): late(r"%%"),
}
_QUERIES = "query of a plugin as text", "queries of plugins as text"


def inline_tags(text: str) -> list[str]:
    """The tags that stand in a text as `#tag` or `#part/of`, each once, in order; code left out."""
    if "#" not in text:
        return []
    found: dict[str, None] = {}
    for _, line in unfenced_lines(text):
        if "#" in line:
            found.update(dict.fromkeys(_TAG.findall(_TARGET.sub(" ", _CODE.sub(" ", line)))))
    return [tag for tag in found if _LETTER.search(tag)]


def carried_as_text(text: str) -> list[Lost]:
    """What in a text means more to its own program than it does here."""
    told = "\n".join(line for _, line in unfenced_lines(text))
    found = {called: _count(pattern, told) for called, pattern in _CARRIED.items()}
    found[_QUERIES] = _count(_FENCED_TOOL, text)
    return [Lost(number, *called) for called, number in found.items() if number]


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))
