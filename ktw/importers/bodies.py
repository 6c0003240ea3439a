"""Make a foreign text the body of one memory: what its form would take for structure becomes words.

Pure text. It changes no sentence, and names each kind of thing that it did change.
"""

import re

from ktw.entries import HEADER_LABELS, heading, scan, unfenced_lines
from ktw.importers.lost import Lost
from ktw.text.hidden import strip_hidden
from ktw.text.late import late
from ktw.text.likeness import one_slip_apart, skeleton

_TOP = 3  # the highest level of a heading inside an entry
_LOWEST = 6
_UNSEEN = late("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_HEADING = late(r"( {0,3}(?:(?:>|[*+-][ \t]|[0-9]{1,9}[.)][ \t])[ \t]{0,4})*)(#{1,6})(?=[ \t]|$)")
_RULE = late(r"[ >]{0,8}(=+|-+)[ \t]*")
_BEGINS_BLOCK = late(r"[ >]{0,8}(?:#{1,6}[ \t]|[*+-][ \t]|[0-9]{1,9}[.)][ \t]|\||<|`{3}|~{3}|$)")
_LABEL = late(
    r"([ \t>]{0,8}(?:[*+-][ \t]{1,4}|[0-9]{1,9}[.)][ \t]{1,4})?)"
    r"(?:\*\*|__)[ \t]?([^*_:\n]{1,30}?)[ \t]?(?::[ \t]?(?:\*\*|__)|(?:\*\*|__)[ \t]?:)"
)
_HTML_HEADING = late(r"(</?)h[12](?=[\s/>])", re.IGNORECASE)
_FENCE = late(r"[ \t>]{0,12}(?:[*+-][ \t]+)?(`{3,}|~{3,})")
_STRUCTURE = late(r"#{1,2}(?:[ \t]|$)|\*\*")
_NAMES = tuple(label.casefold() for label in HEADER_LABELS)


def as_one_memory(text: str) -> tuple[str, list[Lost]]:
    """`text` as the body of one memory, and what was changed to that end.

    Headings go below the entry's own, lines that read like a header field lose their bold, what
    nobody sees is taken out. Linear in the text.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    text, unseen = _seen(text)
    text = _closed(_HTML_HEADING.sub(r"\1h3", text))
    lines = _without_underlines(text)
    lines = _demoted(lines)
    lines, labels = _without_fields(lines)
    lines = _plain_to_all(lines)
    changed = (
        Lost(unseen, "invisible character taken out", "invisible characters taken out"),
        Lost(labels, "line like a header field", "lines like a header field"),
    )
    return "\n".join(lines), [one for one in changed if one.number]


def opening_title(body: str) -> str:
    """The level-1 heading that opens a body, "" without one."""
    level, title = heading(body.lstrip("\n").partition("\n")[0])
    return title if level == 1 else ""


def without_title(body: str, title: str) -> str:
    """`body` without the level-1 heading that opens it, where that says the title."""
    rest = body.lstrip("\n").partition("\n")[2]
    return rest if opening_title(body) == title and rest.strip() else body


def seen_line(text: str) -> str:
    """`text` on one line, without what nobody sees."""
    return " ".join(_seen(text)[0].split())


def as_code(text: str) -> str:
    """`text` as one block of code: what no rewriting of lines can keep from being structure.

    Indented, not fenced: readers do not agree on which line ends a fence.
    """
    return "\n".join(f"    {line}" if line.strip() else "" for line in text.split("\n"))


def _seen(text: str) -> tuple[str, int]:
    """`text` without characters that show nothing, and how many they were; blanks are spaces."""
    seen = _UNSEEN.sub("", strip_hidden(text))
    return seen, len(text) - len(seen)


def _closed(text: str) -> str:
    """`text` with a fence that it never closes closed."""
    opened = scan(text).open_fence
    if opened is None:
        return text
    marks = _FENCE.match(text.split("\n")[opened])
    return f"{text}\n{marks[1] if marks else '```'}"


def _without_underlines(text: str) -> list[str]:
    """The lines, each heading that the line below it made written with `#`."""
    lines = text.split("\n")
    unfenced = {at for at, _ in unfenced_lines(text)}
    kept: list[str] = []
    for at, line in enumerate(lines):
        rule = _RULE.fullmatch(line) if at in unfenced else None
        under = kept[-1] if rule and kept and at - 1 in unfenced else ""
        if rule is None or not under.strip(" \t>") or _BEGINS_BLOCK.match(under):
            kept.append(line)
        elif len(kept) > 1 and kept[-2].strip(" \t>") and not _BEGINS_BLOCK.match(kept[-2]):
            kept += ["", line] if rule[1][0] == "-" else [""]  # a paragraph of several lines
        else:
            bare = under.lstrip(" >")
            lead = under[: len(under) - len(bare)]
            kept[-1] = f"{lead}{'#' if rule[1][0] == '=' else '##'} {bare}"
    return kept


def _demoted(lines: list[str]) -> list[str]:
    """The lines with all headings so much deeper that none stands above level 3."""
    unfenced = unfenced_lines("\n".join(lines))
    found = {at: match for at, line in unfenced if "#" in line and (match := _HEADING.match(line))}
    highest = min((len(match[2]) for match in found.values()), default=_TOP)
    for at, match in found.items():
        level = min(_LOWEST, len(match[2]) + max(0, _TOP - highest))
        lines[at] = f"{match[1]}{'#' * level}{lines[at][match.end() :]}"
    return lines


def _without_fields(lines: list[str]) -> tuple[list[str], int]:
    """The lines, those that are or look like a header field without their bold; how many."""
    changed = 0
    for at, line in unfenced_lines("\n".join(lines)):
        match = _LABEL.match(line) if "**" in line or "__" in line else None
        if match and _is_like_a_field(match[2]):
            lines[at] = f"{match[1]}{match[2].strip()}:{line[match.end() :]}"
            changed += 1
    return lines, changed


def _plain_to_all(lines: list[str]) -> list[str]:
    """The lines, a space before each that is code, but not to readers that take any line of marks
    for a fence's end, however long or deep it is."""
    bare = _outside_to_others(lines) - {at for at, _ in unfenced_lines("\n".join(lines))}
    for at in bare:
        if _STRUCTURE.match(lines[at]):
            lines[at] = f" {lines[at]}"
    return lines


def _outside_to_others(lines: list[str]) -> set[int]:
    """The lines outside all fences, to a reader that asks for three marks of the same kind."""
    found, fence = set(), ""
    for at, line in enumerate(lines):
        begin = line.lstrip()[:3]
        if begin in ("```", "~~~") and fence in ("", begin):
            fence = "" if fence else begin
        elif not fence:
            found.add(at)
    return found


def _is_like_a_field(label: str) -> bool:
    told = " ".join(skeleton(label).split())
    plain = " ".join(label.casefold().split())
    return any(
        name in (told, plain) or (len(name) > 4 and one_slip_apart(plain, name)) for name in _NAMES
    )
