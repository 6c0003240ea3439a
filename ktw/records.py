"""What a file says that holds no entry: an architecture decision record, or its whole text.

A record is known by its headings alone, those of Nygard's and of MADR's form. Pure text; it knows
no file, and is asked only where no level-2 section has a header field.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ktw.entries import Entry, FieldLine, heading, unfenced_lines
from ktw.frontmatter_values import Value
from ktw.text.late import late

# The level-2 headings of records, in small letters: one of MADR's own makes a record, or two.
MADR_SECTIONS = frozenset(
    {
        "context and problem statement",
        "decision drivers",
        "considered options",
        "decision outcome",
        "pros and cons of the options",
    }
)
SECTIONS = frozenset(
    {
        "status",
        "context",
        "problem statement",
        "discussion (context)",
        "decision",
        "options considered",
        "rationale",
        "consequences",
    }
)
_ENDED = ("superseded", "replaced", "deprecated", "obsolete", "rejected", "withdrawn", "retired")
STATUS_OF = {
    **dict.fromkeys(_ENDED, "superseded"),
    **dict.fromkeys(
        ("accepted", "approved", "adopted", "agreed", "decided", "implemented", "active"), "active"
    ),
    **dict.fromkeys(("proposed", "draft", "pending", "open"), "open"),
}
_STRONGEST = ("superseded", "active", "open")
_STATUS_LINES = 5  # of a Status section: what it says first, not a history below

_NUMBER = late(
    r"(?:\[?(?:ADR|(?:architecture )?decision record)[ \t#_-]{0,3}(?:[0-9]{1,6}\]?[ \t]*[.:)-]?|:)"
    "|[0-9]{1,6}(?:[.:)]|[ \t]+[-\u2013\u2014]))[ \t]+(?=\\S)",
    re.IGNORECASE,
)
_COMMENT = late(r"[ \t]*\\?<!--.*")
_STRUCK = late(r"~~[^~]*~~")
_WORD = late(r"[^\W\d_]+")
_ENDED_LATER = late(r"\b(?:superseded|replaced) by\b")
_STATED = late(r"[-*+_> \t]{0,8}(status|date)\b[*_: \t]{0,8}(.*)", re.IGNORECASE)
_DAY = late(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def read_record(
    slug: str, values: Mapping[str, Value], body: str, line: int, sections: Sequence[Entry]
) -> Entry | None:
    """The one memory of a decision record, None for any other text.

    `sections` are those of `body`, which begins at `line` of its file, and hold no header field.
    Its `fields` are what the record tells in its own way: Type, and where it says so, Status (one
    of ours) and Date (a day). Its text is the whole body below the title.
    """
    names = {_name(section.title) for section in sections}
    if names.isdisjoint(MADR_SECTIONS) and len(names & SECTIONS) < 2:
        return None
    titled = whole_file(_title_of(values) or slug, body, line, sections[0].line)
    found = [FieldLine("Type", "decision", titled.line)]
    found += _told("Status", _status(values, titled, sections))
    found += _told("Date", _date(values, titled, sections))
    number = _NUMBER.match(titled.title)
    title = titled.title[number.end() :] if number else titled.title
    return titled._replace(title=title, fields=tuple(found))


def whole_file(title: str, body: str, line: int, before: int | None = None) -> Entry:
    """A body as one memory, named by its first level-1 heading (above line `before`), or `title`.

    Its place is where the body begins; a heading that opens it is left out of its text.
    """
    above = len(body) - len(body.lstrip("\n"))
    lines = body.strip("\n").split("\n")
    last = len(lines) if before is None else before - line - above
    heads = ((at, *heading(text)) for at, text in unfenced_lines("\n".join(lines[:last])))
    at, name = next(((at, name) for at, level, name in heads if level == 1), (-1, title))
    text = "\n".join(lines[1:] if at == 0 else lines).strip("\n")
    end = line + body.rstrip("\n").count("\n")
    return Entry(name, "", line, end, (), text)


def _name(title: str) -> str:
    """A heading as records spell it: without a comment, emphasis, a colon and capitals."""
    return _COMMENT.sub("", title).strip("*: \t").casefold()


def _title_of(values: Mapping[str, Value]) -> str:
    title = values.get("title")
    return " ".join(title.split()) if isinstance(title, str) else ""


def _told(label: str, found: tuple[str, int] | None) -> list[FieldLine]:
    return [FieldLine(label, *found)] if found else []


# --- status and date -------------------------------------------------------------------------


def status_word(text: str) -> str | None:
    """A status as records write it, in our words; None where it is none that is known."""
    plain = _STRUCK.sub("", text).casefold()
    word = _WORD.search(plain)
    status = STATUS_OF.get(word[0]) if word else None
    return "superseded" if status and _ENDED_LATER.search(plain) else status


def _status(
    values: Mapping[str, Value], titled: Entry, sections: Sequence[Entry]
) -> tuple[str, int] | None:
    """What the frontmatter says, else a line above the sections, else the section Status."""
    stated = values.get("status")
    if isinstance(stated, str) and stated:
        word = status_word(stated)
        return (word, titled.line) if word else None
    lines = [
        *_stated("status", titled, sections),
        *(line for one in sections if _name(one.title) == "status" for line in _first_lines(one)),
    ]
    found = [(word, at) for text, at in lines if (word := status_word(text))]
    return min(found, key=lambda one: _STRONGEST.index(one[0]), default=None)


def _date(
    values: Mapping[str, Value], titled: Entry, sections: Sequence[Entry]
) -> tuple[str, int] | None:
    stated = values.get("date")
    lines: Iterable[tuple[str, int]] = _stated("date", titled, sections)
    if isinstance(stated, str) and stated:
        lines = [(stated, titled.line)]
    found = ((day[0], at) for text, at in lines if (day := _DAY.match(text)))
    return next(found, None)


def _stated(label: str, titled: Entry, sections: Sequence[Entry]) -> Iterator[tuple[str, int]]:
    """What the lines above the first section say of themselves: `* Status: accepted`."""
    first = titled.end_line - titled.text.count("\n")
    above = titled.text.split("\n")[: max(0, sections[0].line - first)]
    for at, line in enumerate(above, start=first):
        matched = _STATED.match(line)
        if matched and matched[1].casefold() == label:
            yield matched[2], at


def _first_lines(section: Entry) -> list[tuple[str, int]]:
    first = section.end_line - section.text.count("\n")
    lines = enumerate(section.text.split("\n"), start=first)
    return [(text, at) for at, text in lines if text.strip()][:_STATUS_LINES]
