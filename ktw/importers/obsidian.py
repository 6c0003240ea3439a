"""What a note says in the ways of Obsidian and its kin: inline tags, and what only they resolve.

Pure text in, plain values out.
"""

from collections import Counter

from ktw.entries import unfenced_lines
from ktw.importers.lost import Lost
from ktw.text.late import late

_TAG = late(r"(?<![\w#&/\\])#([\w/-]{0,63}[^\W\d_][\w/-]{0,63})(?![\w/-])")
_CODE = late(r"`[^`\n]{1,2000}`")
_TARGET = late(r"\]\([^()\s]{0,2000}\)|\[\[[^\[\]\n]{1,500}\]\]|https?://\S+")
_FENCED_TOOL = late(r" {0,3}(?:`{3,}|~{3,})[ \t]{0,4}(dataviewjs|dataview|tasks|query)\b")
# What is text alone here and shows or leads to nothing, by what one of it is called, and many.
_CARRIED = {
    ("embed as text", "embeds as text"): late(r"!\[\[[^\[\]\n]{1,500}\]\]"),
    ("link between notes as text", "links between notes as text"): late(
        r"(?<!!)\[\[[^\[\]\n]{1,500}\]\]"
    ),
    ("block id as text", "block ids as text"): late(r"(?:^|[ \t])\^[A-Za-z0-9-]{1,64}[ \t]{0,8}$"),
    ("callout as a quote", "callouts as quotes"): late(r" {0,3}(?:> ?){1,8}\[![A-Za-z-]{1,32}\]"),
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
    return list(found)


def carried_as_text(text: str) -> list[Lost]:
    """What in a text means more to its own program than it does here."""
    found: Counter[tuple[str, str]] = Counter()
    for _, line in unfenced_lines(text):
        for called, pattern in _CARRIED.items():
            found[called] += sum(1 for _ in pattern.finditer(line))
    found[_QUERIES] = sum(1 for line in text.split("\n") if _FENCED_TOOL.match(line))
    return [Lost(number, *called) for called, number in found.items() if number]
