"""What short pieces can bring about where they are read in a row, as one sentence: most rows
nothing.

A piece is told by its words in every reading that a judge may come to, whatever stands beside it.
Knows what the judges look for, not what any of it means; where in doubt a row may direct.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ktw.text.directives.disguise import (
    STRANGE,
    may_turn,
    without_elements,
    without_marks,
)
from ktw.text.directives.foreign import ascii_in, may_begin, parted
from ktw.text.directives.frames import CUES
from ktw.text.directives.glue import has_letterlike, parts_of, unstuck
from ktw.text.directives.inert import Inert
from ktw.text.directives.lettering import holds_lettered, lettered
from ktw.text.directives.lookup import Lookup
from ktw.text.directives.plain import without_markup
from ktw.text.directives.rows import (
    ALARMING,
    CHAINING,
    CIPHERED,
    DISGUISED,
    FOREIGN,
    FRAMED,
    LET,
    UNMARKED,
    Row,
    flags_of,
    is_found,
)
from ktw.text.directives.scrambled import is_scrambled
from ktw.text.directives.sieve import views_of_each
from ktw.text.directives.stems import Tongue
from ktw.text.directives.tongues import any_sign, are_of_kind, signed, stems_in
from ktw.text.escape import entities_read
from ktw.text.hidden import fold
from ktw.text.late import late

_REMEMBERED = 1 << 15  # words
_NEAR = 1 << 13  # pieces that may soon be met again
_CLAUSES = frozenset((";", ",", "?"))
# Once marks are gone: a tag, or what may be one with a letter for a mark.
_TAG = late(r"<(?:[a-z][a-z0-9]*[\s>]|!)")
_LETS = re.compile("let$", re.MULTILINE)
_DRESSED = re.compile(r"[(\"`*\[<]?[a-z0-9]+[)\]\"`*.,:;!?]?")  # has no marks to take out


class _Brought(NamedTuple):
    """What a word brings into a row, or a piece with all its words. `cues`: the words that phrases
    need and it may be read as; `met`: the cue sets that these meet; `asked`: the cue sets of which
    the phrases that it anchors need one; `signs`: those of its readings that tell a language;
    `flags`: what it may have a part of.
    """

    cues: frozenset[str] = frozenset()
    met: int = 0
    asked: int = 0
    signs: frozenset[str] = frozenset()
    flags: int = 0


_NOTHING = _Brought()
_ALARM = _Brought(flags=ALARMING)


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
        self._alarming = words
        self._telling = lookup.anchors | words | any_sign()
        self._parts = re.compile("|".join(map(re.escape, parts)))
        self._clauses = lookup.cue_sets(_CLAUSES)
        self._words: dict[str, _Brought] = {}
        self._near: dict[str, _Brought] = {}
        self._begins = lru_cache(_NEAR)(may_begin)
        self._stems = lru_cache(_NEAR)(self._stems_in)
        self._read = lru_cache(_NEAR)(self._readings)

    def may_direct(self, rows: Iterable[Row]) -> set[Row]:
        """All but those rows whose pieces, joined by blanks, direct neither together nor the first
        few of them: no phrase has all its cues among their words, nor is there anything else in
        them.
        """
        asked = set(rows)
        self._read_all({piece for row in asked for piece in row})
        return {row for row in asked if self._may_direct(row)}

    def _may_direct(self, row: Row) -> bool:
        brought = list(map(self._near.__getitem__, row))
        all_met, all_asked, all_flags, told = self._clauses, 0, 0, False
        for _, met, asked, signs, flags in brought:
            all_met |= met
            all_asked |= asked
            all_flags |= flags
            told = told or bool(signs)
        if all_flags & FOREIGN and not any(map(self._begins, row)):
            all_flags -= FOREIGN
        return (
            bool(all_flags & ALARMING)
            or bool(all_asked & all_met and self._may_meet(brought, all_asked))
            or (told and self._may_be_spoken(row, brought))
            or (all_flags > 0 and is_found(all_flags, row))
        )

    def _may_meet(self, row: Sequence[_Brought], asked: int) -> bool:
        words = _CLAUSES.union(*[piece.cues for piece in row])
        return bool(self._lookup.candidates(words, asked))

    def _may_be_spoken(self, row: Sequence[str], brought: Sequence[_Brought]) -> bool:
        for tongue in signed(frozenset().union(*[piece.signs for piece in brought])):
            stems = 0
            for piece in row:
                stems |= self._stems(tongue, piece)
            if are_of_kind(tongue, stems):
                return True
        return False

    def _stems_in(self, tongue: Tongue, raw: str) -> int:
        """The stems of a language in any reading of a piece, as bits."""
        return stems_in(tongue, self._read(raw))

    def _readings(self, raw: str) -> set[str]:
        words = list(_words_of(parted(fold(entities_read(raw)))))
        letters = [lettered(word, self._lookup.words) for word in words]
        return set().union(*_views_of_each([*_forms_of_each(words), *({word} for word in letters)]))

    def _read_all(self, pieces: set[str]) -> None:
        """Learn what each of the pieces brings into a row; others may be forgotten for them."""
        if len(self._near) > _NEAR:
            self._near.clear()
        if len(self._words) > _REMEMBERED:
            self._words.clear()
        known = self._lookup.words
        read = {raw: _read(raw, known) for raw in pieces.difference(self._near)}
        words = set().union(*[words for _, words in read.values()])
        self._learn(words.difference(self._words))
        for raw, (flags, words) in read.items():
            self._near[raw] = _ALARM if flags & ALARMING else self._brought(flags, words)

    def _brought(self, flags: int, words: set[str]) -> _Brought:
        """What a piece brings into a row by itself and by its words."""
        all_cues, all_met, all_asked, all_signs = _NOTHING[:4]
        for word in words:
            brought = self._words[word]
            if brought is _NOTHING:
                continue
            cues, met, asked, signs, more = brought
            all_cues |= cues
            all_met |= met
            all_asked |= asked
            all_signs |= signs
            flags |= more
        return _Brought(all_cues, all_met, all_asked, all_signs, flags)

    def _learn(self, words: Iterable[str]) -> None:
        odd: list[str] = []
        for word in words:
            cues = None if "<" in word else self._inert.cues(word)
            if cues is None:
                odd.append(word)
            elif cues or word in self._lookup.words:
                held = self._lookup.words.intersection((word, *cues))
                self._words[word] = _Brought(held, self._lookup.cue_sets(held))
            else:
                self._words[word] = _NOTHING
        letters = [lettered(word, self._lookup.words) for word in odd]
        forms = _forms_of_each(odd)
        views = _views_of_each([*forms, *({word} for word in letters)])
        for at, word in enumerate(odd):
            lettering = views[at + len(odd)] if letters[at] != word else set()
            self._words[word] = self._looked_into(
                word, forms[at], views[at], letters[at], lettering
            )

    def _looked_into(
        self, word: str, forms: set[str], readings: set[str], read: str, lettering: set[str]
    ) -> _Brought:
        """What a word brings that is not inert. `readings` are the views of its forms, `lettering`
        those of what it reads with letters for digits, if any.
        """
        if not self._alarming.isdisjoint(readings) or any(map(is_scrambled, readings)):
            return _ALARM
        together = "\n".join(forms)
        if self._parts.search(together) or holds_lettered(together, self._lookup.words):
            return _ALARM
        flags = FRAMED if any(map(word.__contains__, CUES)) else 0
        if _LETS.search(together):
            flags |= LET
        if not readings.isdisjoint(STRANGE):
            flags |= CIPHERED
        if lettering and (
            not self._telling.isdisjoint(lettering)
            or self._parts.search(read)
            or read.startswith("us")
            or read.endswith("let")
        ):
            flags |= DISGUISED
        cues = self._lookup.words & (readings | lettering | parts_of(readings | lettering))
        asked = self._lookup.partners(readings | parts_of(readings))
        return _Brought(cues, self._lookup.cue_sets(cues), asked, any_sign() & readings, flags)


def _read(raw: str, known: frozenset[str]) -> tuple[int, set[str]]:
    """What a piece may have a part of, and what stands between blanks in it."""
    read = entities_read(raw)
    folded = fold(read)
    if "\x1b" in read or "\x9b" in read or may_turn(read) or has_letterlike(read):
        return ALARMING, set()
    flags = flags_of(folded)
    if flags & ALARMING or (flags & FOREIGN and holds_lettered(folded, known)):
        return ALARMING, set()
    return flags, set(_words_of(ascii_in(folded)))


def _forms_of_each(words: Sequence[str]) -> list[set[str]]:
    """Each word as it stands, without marks of one kind, also those beside a symbol, and parted by
    dashes and arrows, which may leave of a link's target some of it.
    """
    marked = [word for word in words if not _DRESSED.fullmatch(word)]
    bare = [word.strip(CHAINING) for word in marked]
    ways = zip(without_marks(marked), without_marks(bare), strict=True)
    forms = dict(zip(marked, ways, strict=True))
    return [
        {word, *word.split("|"), unstuck(word.replace("](", " ")), *chain(*forms[word])}
        if word in forms
        else {word}
        for word in words
    ]


def _words_of(folded: str) -> Iterable[str]:
    """What stands between blanks in a piece without its tags, in any reading."""
    if "<" not in folded or not _TAG.search(folded.translate(UNMARKED)):
        return folded.split()
    in_one = folded.replace("\n", " ")
    # Dashes are clause marks too, of which a tag holds none.
    parted_at = (folded.replace(mark, " ") for mark in "|-")
    texts = (folded, *without_marks([in_one])[0], *parted_at)
    shown = (*map(without_markup, texts), without_elements(folded))
    return {word for text in shown for word in text.split()}


def _views_of_each(groups: Sequence[set[str]]) -> list[set[str]]:
    """Every word of a plain view that one of the words in each group can become."""
    words = list(set().union(*groups))
    views = dict(zip(words, views_of_each(words), strict=True))
    return [set().union(*map(views.__getitem__, group)) for group in groups]
