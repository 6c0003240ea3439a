"""How memories are shown in a chat to the person who may approve them: whole, each in its frame.

Rows are broken here, so that no window breaks them and lets words of a memory begin a row without
its mark. What would not be shown as it is written does not fit a chat.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from ktw.errors import visible
from ktw.framing import as_content, frame
from ktw.memory import KINDS, ORIGINS, is_uuid
from ktw.operations.candidate import Candidate

LONGEST, MOST_ROWS = 2000, 60
_WIDTH = 72
_GOES_ON = "\u21b3 "


def fits(chosen: Candidate) -> bool:
    """True for a memory that a person can judge in a chat: short, shown exactly as it is written,
    without findings that have to be named, and not to be compared with another one."""
    file = chosen.file
    if len(file.text) > LONGEST or len(list(_rows(chosen))) > MOST_ROWS:
        return False
    plain = all(as_content(text) == text for text in (file.path, file.text))
    return plain and not chosen.grave and not file.proposes and not file.derived_from


def offer_text(chosen: Sequence[Candidate], words: Sequence[str], left: int) -> str:
    """What is shown: each memory whole in a frame of its own, then the one way to approve them."""
    one = len(chosen) == 1
    usual, *others = (f"`{visible(word)}`" for word in words)
    also = f" (or {', '.join(others)})" if others else ""
    asked = (
        f"Answer exactly {usual}{also} and nothing else to approve {'it' if one else 'them'} as "
        "shown; any other message approves nothing. This guards against accidents, no more."
    )
    rest = [f"{left} more: ktw review, in a terminal."] if left else []
    return "\n".join([*_shown(chosen), asked, *rest])


def saved_text(chosen: Sequence[Candidate], command: str, left: int) -> str:
    """What was saved and waits, where no answer in the chat approves it: `command` does."""
    rest = [f"{left} more: ktw review, in a terminal."] if left else []
    asked = [f"To approve, in a terminal: {command}"] if chosen else []
    return "\n".join([*(_shown(chosen) if chosen else []), *asked, *rest])


def _shown(chosen: Sequence[Candidate]) -> Iterator[str]:
    """Each memory whole in a frame of its own, under a line that says what they wait for."""
    many = len(chosen)
    what = "This memory waits" if many == 1 else f"These {many} memories wait"
    yield f"{what} for your approval."
    yield ""
    for at, each in enumerate(chosen, start=1):
        yield frame(f"### {at} of {many}: {_heading(each)}", list(_rows(each)))


def _heading(chosen: Candidate) -> str:
    """What may stand outside the frame: no word that the author chose."""
    file = chosen.file
    kind = file.kind if file.kind in KINDS else "memory"
    origin = file.origin if file.origin in ORIGINS else "undeclared"
    ids = [id_.lower() for id_ in file.ids if is_uuid(id_.lower())]
    return f"{kind}, origin {origin}, Id {', '.join(ids) or 'none'}"


def _rows(chosen: Candidate) -> Iterator[str]:
    """The path and the whole text, in rows that fit a narrow window."""
    yield from _broken(f"file: {chosen.file.path}")
    for line in chosen.file.text.rstrip("\n").split("\n"):
        yield from _broken(line)


def _broken(line: str) -> Iterator[str]:
    mark = ""
    while (at := _fill(line)) < len(line):
        yield mark + line[:at]
        mark, line = _GOES_ON, line[at:]
    yield mark + line


def _fill(line: str) -> int:
    """How many characters of a line make a row: up to a blank where one is near its end."""
    used = 0
    for at, char in enumerate(line):
        used += _columns(char)
        if used > _WIDTH:
            blank = line.rfind(" ", at * 2 // 3, at)
            return at if blank < 0 else blank + 1
    return len(line)


def _columns(char: str) -> int:
    """How many columns of a terminal a character takes at most."""
    if char == "\t":
        return 8
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
