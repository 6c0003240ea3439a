"""W903: pieces that direct only together: list items, table rows, headings or lines that go on in
the next one.

Chooses what belongs together; the caller's judge says whether it directs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from ktw.text import Span
from ktw.text.directives.disguise import JOINING
from ktw.text.directives.rows import Row
from ktw.text.hidden import fold
from ktw.text.late import late
from ktw.text.sentences import is_id_line

CODE = "W903"
WHY = "reads as a directive together with what follows it"
_SHORTEST, _LONGEST = 3, 70  # characters of a piece that goes on elsewhere
_PIECES = 4  # that are taken together
_AT_ONCE = 500  # runs whose words are looked at together
_NEAR = 1 << 12  # runs that may soon be met again
_MARKS = late(r"[\s>#|*+-]*(?:\d{1,3}[.)]\s+)?")
# One of a few known words: any other is a finding of its own.
_FIELD = late(r"\*\*(?:Type|Status|Evidence):\*\* [a-z-]{1,24}")
_BARS = late(r"[\s|]+$")
_ENDED = frozenset((".", "!", "?", ":", "\u3002"))

Judge = Callable[[str], bool]
Rows = Callable[[Iterable[Row]], set[Row]]
Bounds = tuple[int, int]


def find_split(
    text: str,
    sentences: Sequence[Bounds],
    inert: Sequence[bool],
    directs: Judge,
    may_direct: Rows,
) -> Iterator[Span]:
    """Spans over runs of two to four short pieces that direct together and none alone.

    `inert`: of which sentences nothing is met, as `Inert` says. `may_direct` is asked before for
    some runs at a time, so that few have to be judged.
    """
    # The same few pieces may follow each other all through a text.
    taken_of = lru_cache(_NEAR)(lambda run: _taken(run, directs))
    runs = _runs(_pieces(text, sentences), inert)
    free = 0
    while some := list(islice(runs, _AT_ONCE)):
        may = may_direct(run for _, run in some)
        for at, run in some:
            taken = taken_of(run) if at >= free and run in may else 0
            if taken:
                yield Span(sentences[at][0], sentences[at + taken - 1][1], CODE, WHY)
                free = at + taken


def _runs(pieces: Sequence[str | None], inert: Sequence[bool]) -> Iterator[tuple[int, Row]]:
    """Where a run begins of which some piece may direct, and the run."""
    stirring = _stirring(pieces, inert)
    at, last = 0, len(pieces) - 1
    while (near := stirring.find(1, at)) >= 0:
        at = max(at, near - _PIECES + 1)
        if at >= last:
            return
        first = pieces[at]
        if first and first[-1] not in _ENDED and pieces[at + 1] is not None:
            yield at, _run(pieces[at : at + _PIECES])
        at += 1


def _pieces(text: str, sentences: Iterable[Bounds]) -> list[str | None]:
    """The sentences as pieces; None for what is none, and for what ends behind another end: nothing
    goes on in it, and it in nothing.
    """
    pieces: list[str | None] = []
    goes_on = False
    for start, end in sentences:
        ends = text[end - 1] in _ENDED
        wanted = (goes_on or not ends) and _SHORTEST <= end - start <= _LONGEST
        pieces.append(_piece(text[start:end]) if wanted else None)
        goes_on = not ends
    return pieces


def _stirring(pieces: Sequence[str | None], inert: Sequence[bool]) -> bytearray:
    """For each piece 1 where it may direct together with others, whatever they are, else 0."""
    return bytearray(
        piece is not None and not (is_inert and _joins_nothing(piece))
        for piece, is_inert in zip(pieces, inert, strict=True)
    )


def _joins_nothing(piece: str) -> bool:
    """Whether four such pieces, or fewer, are no disguise by their quotes and blanks.

    Strings are joined by a sign between quotes, so by one in the same piece or in a piece of its
    own. Letters are spaced out by at least eight blanks, two for each five characters; with one
    blank a piece and three between them there are seven. A piece with more makes up for three
    others.
    """
    if "\x1b" in piece or "\x9b" in piece:
        return False  # a terminal escape may reach over blanks
    piece = fold(piece)
    if piece in JOINING or (
        ('"' in piece or "'" in piece) and any(map(piece.__contains__, JOINING))
    ):
        return False
    blanks = piece.count(" ")
    return blanks < 2 or 12 + 5 * blanks <= 2 * len(piece)


def _taken(run: Sequence[str], directs: Judge) -> int:
    """How many pieces of a run, from the first, direct together and none alone; 0 for none."""
    taken = next((n for n in range(2, len(run) + 1) if directs(" ".join(run[:n]))), 0)
    return 0 if any(directs(piece) for piece in run[:taken]) else taken


def _piece(sentence: str) -> str | None:
    """A sentence without the marks of lists and tables; None for one that joins no others."""
    if sentence[0] == "*" and (is_id_line(sentence) or _FIELD.fullmatch(sentence)):
        return None
    piece = sentence[_MARKS.match(sentence).end() :]  # type: ignore[union-attr]
    return _BARS.sub("", piece) if piece.endswith("|") else piece


def _run(pieces: Sequence[str | None]) -> Row:
    """The first piece and those that go on from it."""
    run: list[str] = []
    for piece in pieces:
        if piece is None:
            break
        run.append(piece)
        if piece[-1:] in _ENDED:
            break
    return tuple(run)
