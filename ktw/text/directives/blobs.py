"""Where in a text blobs may stand: long runs, wrapped runs, runs in groups of one width, chains of
short codes.

Knows the shape of letters and lines only; `decoding` says what they are.
"""

import re
from collections.abc import Iterator
from itertools import islice

from ktw.text.lengths import word_lengths, words_between_blanks

LEAST = 16  # characters of a blob that says anything

_RUN = re.compile(r"(?<![A-Za-z0-9+/_-])={0,2}[A-Za-z0-9+/_-]{16,}={0,6}")
_WRAP = re.compile(r"[ \t|\"'+,\\]{0,8}\r?\n[ \t>|#*/\"'-]{0,8}")
_WHOLE_LINE = re.compile(
    r"^[ \t>|#*/\"'-]{0,8}([A-Za-z0-9+/_]{2}[A-Za-z0-9+/_-]*={0,6})[ \t|\"'+,\\]{0,8}\r?$",
    re.MULTILINE,
)
# Over the lengths of words: several of one length; many that are short.
_EQUAL = re.compile(rb"([\x04-\x07])\1{4,}|([\x08-\xff])\2{2,}", re.DOTALL)
_SHORT = re.compile(rb"[\x02-\x05]{8,}|([\x04-\x0b])\1{5,}", re.DOTALL)

_FEW = 6  # words, or marks between codes, below which no codes are chained
_LONG = 20  # characters of a word that may be a blob of any kind

Bounds = tuple[int, int]


def may_hold_blobs(text: str) -> bool:
    """False only of a line of few words none of which is a long run or a chain, nor like its
    neighbours in length, so that no blob is found in it.
    """
    if len(text) > _FEW * LEAST or not (text.isascii() and text.isprintable()):
        return True
    words = text.replace("|", " ").split()
    if len(words) >= _FEW or _EQUAL.search(word_lengths(words)):
        return True
    return any(len(word) >= LEAST and _may_be_blob(word) for word in words)


def _may_be_blob(word: str) -> bool:
    return len(word) >= _LONG or sum(map(word.count, ":,;-\\")) >= _FEW or bool(_RUN.search(word))


class Layout:
    """A text seen as words and their lengths, read once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words_between_blanks(text.replace("|", " "))
        self.lengths = word_lengths(self.words)

    def long_words(self) -> list[Bounds]:
        """Words that are as long as a blob."""
        if not self.lengths or max(self.lengths) < LEAST:
            return []
        places: list[Bounds] = []
        at = 0
        for word in [word for word in self.words if len(word) >= LEAST]:
            at = self.text.index(word, at) + len(word)
            places.append((at - len(word), at))
        return places

    def groups(self) -> Iterator[Bounds]:
        """Neighbouring words of one length and the shorter one after them: a blob in groups."""
        if not _EQUAL.search(self.lengths):
            return
        places = _Places(self.text)
        for run in _EQUAL.finditer(self.lengths):
            rest = run.end() < len(self.words) and self.lengths[run.end()] < run[0][0]
            begin = places.of(run.start())[0]
            yield begin, places.of(run.end() - (not rest))[1]

    def may_chain(self) -> bool:
        """Whether many short words follow each other that begin with digits: character codes."""
        for run in _SHORT.finditer(self.lengths):
            words = self.words[run.start() : run.end()]
            if sum([word[0] in "01234567\\" for word in words]) >= 6:
                return True
        return False


class _Places:
    """Where the words of a text stand, asked for in order: those between are only counted."""

    def __init__(self, text: str) -> None:
        self._rest = re.finditer(r"[^\s|]+", text)
        self._number, self._place = -1, (0, 0)

    def of(self, number: int) -> Bounds:
        if number > self._number:
            skipped = number - self._number - 1
            self._place = next(islice(self._rest, skipped, None)).span()
            self._number = number
        return self._place


def joined(text: str) -> str:
    """A blob without the line breaks, bars and quotes that wrapped it."""
    return _WRAP.sub("", text) if "\n" in text else text


def long_runs(text: str, words: list[Bounds]) -> Iterator[Bounds]:
    """Long runs of letters and digits in long words, those that only a line break separates taken
    together.
    """
    start = end = -1
    for match in (match for word in words for match in _RUN.finditer(text, *word)):
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

    Also without the first, and those of one width: above the blob may stand a line of one word.
    """
    for lines in _runs_of_lines(text):
        yield lines[0][0], lines[-1][1]
        yield lines[1][0], lines[-1][1]
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
    following = -1  # where the line after the last of `lines` begins
    for match in _WHOLE_LINE.finditer(text):
        if match[0].count(" ") > 4:
            continue
        if match.start() != following:
            yield from _long_enough(lines)
            lines = []
        lines.append(match.span(1))
        following = match.end() + 1
    yield from _long_enough(lines)


def _long_enough(lines: list[Bounds]) -> Iterator[list[Bounds]]:
    if len(lines) > 1 and lines[-1][1] - lines[0][0] >= LEAST:
        yield lines
