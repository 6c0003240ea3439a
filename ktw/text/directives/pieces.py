"""What short pieces can bring about where they are read in a row, as one sentence: most rows
nothing.

A piece is told by its words in every reading that a judge may come to, whatever stands beside it.
Knows what the judges look for, not what any of it means; where in doubt a row may direct.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ktw.text.directives.disguise import (
    STRANGE,
    lettered,
    may_turn,
    reaches_over_blanks,
    without_elements,
    without_marks,
)
from ktw.text.directives.frames import CUES, frame_in
from ktw.text.directives.inert import Inert
from ktw.text.directives.lookup import Lookup
from ktw.text.directives.plain import SPELT_ANEW, plain_folded, without_markup
from ktw.text.directives.safety import MAY_SWITCH_OFF
from ktw.text.directives.scrambled import is_scrambled
from ktw.text.directives.sieve import OF_A_LINE, views_of
from ktw.text.directives.tongues import any_sign, may_be_spoken
from ktw.text.escape import entities_read
from ktw.text.hidden import fold
from ktw.text.late import late

_REMEMBERED = 1 << 15  # words
_NEAR = 1 << 13  # pieces that may soon be met again
_CLAUSES = frozenset((";", ",", "?"))
_UNMARKED = str.maketrans("", "", "-._*~+/|,")
_REACHING = re.compile(r"</?[a-z][^<>]*\Z")  # a tag that may end in the next piece
_SETS = late(MAY_SWITCH_OFF)
# What is looked for in a whole row, where a piece may have a part of it.
_FRAMED, _DISGUISED, _OPEN, _LET = (1 << bit for bit in range(4))
_LET_US = re.compile(r"let\s+us|<")


class Piece(NamedTuple):
    """What a piece brings into a row. `known`: its words that phrases need; `met`: the cue sets
    that these, or marks of a clause, meet; `asked`: the cue sets of which the phrases that they
    anchor need one; `signs`: its words that tell a language; `flags`: what it may have a part of.
    """

    folded: str
    known: frozenset[str]
    met: int
    asked: int
    signs: frozenset[str]
    flags: int


class _Word(NamedTuple):
    """`cues`: the words that phrases need and it may be read as; the rest as of `Piece`."""

    cues: frozenset[str]
    asked: int = 0
    signs: frozenset[str] = frozenset()
    flags: int = 0


class Pieces:
    """What pieces can bring about, learned word by word.

    Its proof: what the judges read of a row is its plain view, or that of what undoes a disguise.
    But for tags, strings joined, letters spaced out, escapes and "let us", which are looked for in
    the whole row, each of these has no words but those that its parts between blanks have by
    themselves: as they stand, with letters for digits, or without marks of one kind. Tags that end
    in their piece are taken out of each of its readings first.
    """

    def __init__(
        self, lookup: Lookup, words: frozenset[str], parts: tuple[str, ...], inert: Inert
    ) -> None:
        """`words` and `parts` of words: where one stands, a row has to be judged."""
        self._lookup, self._inert = lookup, inert
        self._alarming = words | STRANGE
        self._telling = lookup.anchors | words | any_sign()
        self._parts = re.compile("|".join(map(re.escape, parts)))
        self._words: dict[str, _Word | None] = {}
        self._near = lru_cache(_NEAR)(self._piece)

    def may_direct(self, row: Sequence[str]) -> bool:
        """False only where pieces joined by blanks direct neither together nor the first few of
        them: no phrase has all its cues among their words, nor is there anything else in them.
        """
        pieces = []
        met = asked = flags = 0
        signs: frozenset[str] = frozenset()
        for raw in row:
            piece = self._near(raw)
            if piece is None:
                return True
            pieces.append(piece)
            met |= piece.met
            asked |= piece.asked
            flags |= piece.flags
            signs |= piece.signs
        if len(signs) > 1 and may_be_spoken(signs):
            return True
        if flags and _looked_for(flags, [piece.folded for piece in pieces]):
            return True
        return bool(asked & met) and self._may_meet(pieces, asked)

    def _may_meet(self, pieces: Sequence[Piece], asked: int) -> bool:
        words = _CLAUSES.union(*[piece.known for piece in pieces])
        return bool(self._lookup.candidates(words, asked))

    def _piece(self, raw: str) -> Piece | None:
        """What a piece brings into a row; None where it has to be judged in any."""
        raw = entities_read(raw)
        if "\x1b" in raw or "\x9b" in raw or may_turn(raw):
            return None
        folded = fold(raw)
        if not folded.isascii() or ("=" in folded and _may_set(folded)):
            return None
        readings = _readings(folded) if "<" in folded else set(folded.split())
        if readings is None:
            return None
        if len(self._words) > _REMEMBERED:
            self._words.clear()
        known = [self._words[w] if w in self._words else self._learn(w) for w in readings]
        asked, flags = 0, _flags(folded)
        signs: frozenset[str] = frozenset()
        for word in known:
            if word is None:
                return None
            readings |= word.cues
            asked |= word.asked
            flags |= word.flags
            signs |= word.signs
        words = self._lookup.words & readings
        return Piece(folded, words, self._lookup.cue_sets(words | _CLAUSES), asked, signs, flags)

    def _learn(self, word: str) -> _Word | None:
        cues = None if "<" in word else self._inert.cues(word)
        known = self._looked_into(word) if cues is None else _Word(frozenset(cues))
        self._words[word] = known
        return known

    def _looked_into(self, word: str) -> _Word | None:
        """What a word brings about that is not inert; None where it has to be judged."""
        forms = {word} if word.isalnum() else {word, *without_marks(word), *word.split("|")}
        readings = _views_of(forms)
        if (
            not self._alarming.isdisjoint(readings)
            or any(map(is_scrambled, readings))
            or any(map(self._parts.search, forms))
        ):
            return None
        flags = _FRAMED if any(map(word.__contains__, CUES)) else 0
        if any(form.endswith("let") for form in forms):
            flags |= _LET
        lettering: set[str] = set()
        read = lettered(word, self._lookup.words)
        if read != word:
            lettering = _views_of({read})
            if (
                not self._telling.isdisjoint(lettering)
                or self._parts.search(read)
                or read.startswith("us")
                or read.endswith("let")
            ):
                flags |= _DISGUISED
        return _Word(
            self._lookup.words & (readings | lettering),
            self._lookup.partners(readings),
            any_sign() & readings,
            flags,
        )


def _flags(folded: str) -> int:
    flags = 0
    if (
        '"' in folded
        or "'" in folded
        or "\\" in folded
        or "%" in folded
        or "=" in folded
        or "<" in folded
        or "u+00" in folded
        or (folded.count(" ") + 1) * 5 > (len(folded) + 1) * 2
    ):
        flags |= _DISGUISED
    if "<" in folded:
        flags |= _FRAMED | (_OPEN if folded.rfind("<") > folded.rfind(">") else 0)
    return flags


def _looked_for(flags: int, row: list[str]) -> bool:
    """Whether what the flags tell of is found in the row, or in the first few of its pieces."""
    texts = [" ".join(row[:end]) for end in range(2, len(row) + 1)]
    whole = texts[-1]
    return (
        bool(flags & _FRAMED and any(map(frame_in, texts)))
        or bool(flags & _DISGUISED and any(map(reaches_over_blanks, texts)))
        or bool(flags & _OPEN and whole.count("<") > 2)
        or bool(flags & _LET and "'" in whole and _LET_US.search(whole.translate(_UNMARKED)))
    )


def _may_set(folded: str) -> bool:
    """Whether a piece may turn off a safeguard, also without marks or tags, or beside others."""
    texts = (folded, without_elements(folded)) if "<" in folded else (folded,)
    return any(_SETS.search(text.translate(_UNMARKED)) for text in texts)


def _readings(folded: str) -> set[str] | None:
    """What stands between blanks in a piece without its tags, in any reading; None where one of
    them may end in the next piece.
    """
    texts = [folded, *without_marks(folded), folded.replace("|", " ")]
    if any(map(_REACHING.search, texts)):
        return None
    shown = (*map(without_markup, texts), without_elements(folded))
    return {word for text in shown for word in text.split()}


def _views_of(words: set[str]) -> set[str]:
    """As `views_of` of each of the words, at once."""
    if len(words) == 1 or any("<" in word or ">" in word for word in words):
        return {view for word in words if word for view in views_of(word)}
    starts = words.union(word.lstrip(OF_A_LINE) for word in words)
    forms = starts.union(" ".join(start.rsplit('"', 1)) for start in starts if '"' in start)
    # The mark keeps words from being read with their neighbours.
    views = set(plain_folded(" ; ".join(forms)).split())
    return views.union(SPELT_ANEW) if "not" in views else views
