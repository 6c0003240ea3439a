"""W903: pieces that direct only together: list items, table rows, headings or lines that go on in
the next one.

Chooses what belongs together; the caller's judge says whether it directs.
"""

from collections.abc import Callable, Iterator, Sequence

from ktw.text import Span
from ktw.text.late import late
from ktw.text.sentences import is_id_line

CODE = "W903"
WHY = "reads as a directive together with what follows it"
_SHORTEST, _LONGEST = 3, 70  # characters of a piece that goes on elsewhere
_PIECES = 4  # that are taken together
_MARKS = late(r"[\s>#|*+-]*(?:\d{1,3}[.)]\s+)?")
# One of a few known words: any other is a finding of its own.
_FIELD = late(r"\*\*(?:Type|Status|Evidence):\*\* [a-z-]{1,24}")
_BARS = late(r"[\s|]+$")
_ENDED = (".", "!", "?", ":", "\u3002")

Judge = Callable[[str], bool]
Bounds = tuple[int, int]


def find_split(text: str, sentences: Sequence[Bounds], directs: Judge) -> Iterator[Span]:
    """Spans over runs of two to four short pieces that direct together and none alone."""
    pieces = [_piece(text[start:end]) for start, end in sentences]
    at, last = 0, len(sentences) - 1
    while at < last:
        run = _run(pieces, at) if pieces[at] and pieces[at + 1] is not None else []
        taken = next((n for n in range(2, len(run) + 1) if directs(" ".join(run[:n]))), 0)
        if taken and not any(directs(piece) for piece in run[:taken]):
            yield Span(sentences[at][0], sentences[at + taken - 1][1], CODE, WHY)
            at += taken
        else:
            at += 1


def _piece(sentence: str) -> str | None:
    """A sentence without the marks of lists and tables; None for one that joins no others."""
    if (
        not _SHORTEST <= len(sentence) <= _LONGEST
        or is_id_line(sentence)
        or _FIELD.fullmatch(sentence)
    ):
        return None
    piece = sentence[_MARKS.match(sentence).end() :]  # type: ignore[union-attr]
    return _BARS.sub("", piece) if piece.endswith("|") else piece


def _run(pieces: Sequence[str | None], at: int) -> list[str]:
    """The piece at `at` and those that go on from it."""
    run: list[str] = []
    for piece in pieces[at : at + _PIECES]:
        if piece is None:
            break
        run.append(piece)
        if piece.endswith(_ENDED):
            break
    return run
