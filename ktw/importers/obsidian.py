"""What a note says in the ways of Obsidian and its kin: inline tags, and what only they resolve.

Pure text in, plain values out.
"""

from collections import Counter

from ktw.entries import unfenced_lines
from ktw.text.counting import counted
from ktw.text.late import late

_TAG = late(r"(?<![\w#&/\\])#([\w/-]{0,63}[^\W\d_][\w/-]{0,63})(?![\w/-])")
_CODE = late(r"`[^`\n]{1,2000}`")
_TARGET = late(r"\]\([^()\s]{0,2000}\)|\[\[[^\[\]\n]{1,500}\]\]|https?://\S+")
_FENCED_TOOL = late(r" {0,3}(?:`{3,}|~{3,})[ \t]{0,4}(dataviewjs|dataview|tasks|query)\b")
# What is carried as text and shows or leads to nothing here, by what a summary calls one of it.
_CARRIED = {
    "embed": late(r"!\[\[[^\[\]\n]{1,500}\]\]"),
    "link between notes": late(r"(?<!!)\[\[[^\[\]\n]{1,500}\]\]"),
    "block id": late(r"(?:^|[ \t])\^[A-Za-z0-9-]{1,64}[ \t]{0,8}$"),
    "callout": late(r" {0,3}(?:> ?){1,8}\[![A-Za-z-]{1,32}\]"),
    "comment": late(r"%%"),
    "picture or file beside the note": late(
        r"!\[[^\[\]\n]{0,500}\]\((?!https?://)[^()\n]{1,1000}\)"
    ),
}


def inline_tags(text: str) -> list[str]:
    """The tags that stand in a text as `#tag` or `#part/of`, each once, in order; code left out."""
    if "#" not in text:
        return []
    found: dict[str, None] = {}
    for _, line in unfenced_lines(text):
        if "#" in line:
            found.update(dict.fromkeys(_TAG.findall(_TARGET.sub(" ", _CODE.sub(" ", line)))))
    return list(found)


def carried_as_text(text: str) -> tuple[str, ...]:
    """How much of a text means more to its own program than it does here, in short clauses."""
    found: Counter[str] = Counter()
    for _, line in unfenced_lines(text):
        for what, pattern in _CARRIED.items():
            found[what] += sum(1 for _ in pattern.finditer(line))
    found["comment"] //= 2  # each has two ends
    tools = sum(1 for line in text.split("\n") if _FENCED_TOOL.match(line))
    told = {"query of a plugin": tools} | dict(found)
    return tuple(
        counted(number, what, _MANY.get(what, "")) + " as text"
        for what, number in told.items()
        if number
    )


_MANY = {
    "link between notes": "links between notes",
    "picture or file beside the note": "pictures or files beside the note",
    "query of a plugin": "queries of plugins",
}
