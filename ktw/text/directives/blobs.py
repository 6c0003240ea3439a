"""Where in a text blobs may stand: long runs, wrapped runs, runs in groups of one width, chains of
short codes.

Knows the shape of letters and lines only; `decoding` says what they are.
"""

import re
from collections.abc import Iterator

LEAST = 16  # characters of a blob that says anything

_RUN = re.compile(r"(?<![A-Za-z0-9+/_-])={0,2}[A-Za-z0-9+/_-]{16,}={0,6}")
_WRAP = re.compile(r"[ \t|\"'+,\\]{0,8}\r?\n[ \t>|#*/\"'-]{0,8}")
_WHOLE_LINE = re.compile(
    r"[ \t>|#*/\"'-]{0,8}([A-Za-z0-9+/_]{2,}[A-Za-z0-9+/_-]*={0,6})[ \t|\"'+,\\]{0,8}\r?"
)
# Over the lengths of words: several of one length, or many short ones.
_EQUAL = re.compile(rb"([\x04-\x07])\1{4,}|([\x08-\xff])\2{2,}", re.DOTALL)
_SHORT = re.compile(rb"[\x02-\x0b]{8,}", re.DOTALL)
_DIGITS = "0123456789"

Bounds = tuple[int, int]


class Layout:
    """A text seen as words and their lengths, read once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = text.replace("|", " ").split()
        self.lengths = bytes([min(len(word), 255) for word in self.words])

    @property
    def has_long(self) -> bool:
        """Whether any word is as long as a blob."""
        return bool(self.lengths) and max(self.lengths) >= LEAST

    def long_words(self) -> Iterator[Bounds]:
        """Words that are as long as a blob."""
        at = 0
        for word in [word for word in self.words if len(word) >= LEAST]:
            at = self.text.index(word, at)
            yield at, at + len(word)
            at += len(word)

    def groups(self) -> Iterator[Bounds]:
        """Neighbouring words of one length and the shorter one after them: a blob in groups."""
        if not _EQUAL.search(self.lengths):
            return
        places = [match.span() for match in re.finditer(r"[^\s|]+", self.text)]
        for run in _EQUAL.finditer(self.lengths):
            rest = run.end() < len(places) and self.lengths[run.end()] < run[0][0]
            yield places[run.start()][0], places[run.end() - (not rest)][1]

    def may_chain(self) -> bool:
        """Whether many short words with digits follow each other: codes of characters."""
        return (
            _SHORT.search(self.lengths) is not None and sum(map(self.text.count, _DIGITS)) >= LEAST
        )


def joined(text: str) -> str:
    """A blob without the line breaks, bars and quotes that wrapped it."""
    return _WRAP.sub("", text)


def long_runs(text: str) -> Iterator[Bounds]:
    """Long runs of letters and digits, those that only a line break separates taken together."""
    start = end = -1
    for match in _RUN.finditer(text):
        wrapped = _WRAP.match(text, end) if start >= 0 else None
        if wrapped and wrapped.end() == match.start():
            end = match.end()
            continue
        if start >= 0:
            yield start, end
        start, end = match.span()
    if start >= 0:
        yield start, end


def columns(text: str) -> Iterator[Bounds]:
    """Neighbouring lines that each are one run: blobs wrapped at any column, in cells, in items.

    Also those of one width within them: what stood above the blob may be a line of one word.
    """
    for lines in _runs_of_lines(text):
        yield lines[0][0], lines[-1][1]
        first = 0
        for at in range(1, len(lines)):
            before, width = (end - start for start, end in lines[at - 1 : at + 1])
            if width > before:
                first = at
            elif width < before or at == len(lines) - 1:
                if first > 0 or at < len(lines) - 1:
                    yield lines[first][0], lines[at][1]
                first = at + 1


def _runs_of_lines(text: str) -> Iterator[list[Bounds]]:
    lines: list[Bounds] = []
    offset = 0
    for line in [*text.split("\n"), ""]:
        whole = _WHOLE_LINE.fullmatch(line) if line and line.count(" ") < 10 else None
        if whole:
            lines.append((offset + whole.start(1), offset + whole.end(1)))
        elif lines:
            if len(lines) > 1 and lines[-1][1] - lines[0][0] >= LEAST:
                yield lines
            lines = []
        offset += len(line) + 1
