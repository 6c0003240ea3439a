"""What short pieces can bring about where they are read in a row, as one sentence: most rows
nothing.

A piece is told by its words in every reading that a judge may come to, whatever stands beside it.
Knows what the judges look for, not what any of it means; where in doubt a row may direct.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ktw.text.directives.disguise import (
    JOINING,
    STRANGE,
    are_ciphered,
    looks_spaced,
    may_turn,
    reaches_over_blanks,
    without_elements,
    without_marks,
)
from ktw.text.directives.foreign import ascii_in, may_be_told_without_marks, may_begin, parted
from ktw.text.directives.frames import CUES, frame_in
from ktw.text.directives.glue import has_letterlike, parts_of, unstuck
from ktw.text.directives.inert import Inert
from ktw.text.directives.lettering import holds_lettered, lettered
from ktw.text.directives.lookup import Lookup
from ktw.text.directives.plain import SPELT_ANEW, plain_folded, without_markup
from ktw.text.directives.safety import MAY_SWITCH_OFF
from ktw.text.directives.scrambled import is_scrambled
from ktw.text.directives.sieve import OF_A_LINE, views_of
from ktw.text.directives.stems import Tongue
from ktw.text.directives.tongues import any_sign, are_of_kind, signed, stems_in
from ktw.text.escape import PERCENT, entities_read
from ktw.text.hidden import fold
from ktw.text.late import late

_REMEMBERED = 1 << 15  # words
_NEAR = 1 << 13  # pieces that may soon be met again
_CLAUSES = frozenset((";", ",", "?"))
_CHAINING = "-._*~+/|,"
_UNMARKED = str.maketrans("", "", _CHAINING)
# Once marks are gone: a tag that may end in the next piece; any other.
_REACHING = re.compile(r"<[a-z][^<>]*\Z")
_TAG = late(r"<(?:[a-z][a-z0-9]*[\s>]|!)")
_STRINGS = late(r"[\"'] {0,2}[+.&,]|[+.&,] {0,2}[\"']")  # part of how two are joined
_SETS = late(MAY_SWITCH_OFF)
# What is looked for in a whole row, where a piece may have a part of it.
_FRAMED, _DISGUISED, _SPACED, _OPEN, _REACHES, _LET, _FOREIGN, _STRANGE, _ALARMING = (
    1 << bit for bit in range(9)
)
_LETS = re.compile("let$", re.MULTILINE)
_DRESSED = re.compile(r"[(\"`*\[<]?[a-z0-9]+[)\]\"`*.,:;!?]?")  # has no marks to take out
_LET_US = re.compile(r"let[\s>#;]+us|<")  # also over the marks where a line begins


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
_ALARM = _Brought(flags=_ALARMING)


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
        self._near = lru_cache(_NEAR)(self._brought)
        self._begins = lru_cache(_NEAR)(may_begin)
        self._stems = lru_cache(_NEAR)(self._stems_in)
        self._read = lru_cache(_NEAR)(self._readings)
        self._readings_of = lru_cache(_NEAR)(
            lambda word: _views_of({*_forms(word), lettered(word, lookup.words)})
        )

    def may_direct(self, row: Sequence[str]) -> bool:
        """False only where pieces joined by blanks direct neither together nor the first few of
        them: no phrase has all its cues among their words, nor is there anything else in them.
        """
        brought = list(map(self._near, row))
        all_met, all_asked, all_flags, told = self._clauses, 0, 0, False
        for _, met, asked, signs, flags in brought:
            all_met |= met
            all_asked |= asked
            all_flags |= flags
            told = told or bool(signs)
        if all_flags & _FOREIGN and not any(map(self._begins, row)):
            all_flags -= _FOREIGN
        return (
            bool(all_flags & _ALARMING)
            or bool(all_asked & all_met and self._may_meet(brought, all_asked))
            or (told and self._may_be_spoken(row, brought))
            or (all_flags > 0 and _looked_for(all_flags, row))
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
        words = _words_of(parted(fold(entities_read(raw))))
        return set().union(*map(self._readings_of, words))

    def _brought(self, raw: str) -> _Brought:
        """What a piece brings into a row."""
        read = entities_read(raw)
        folded = fold(read)
        if "\x1b" in read or "\x9b" in read or may_turn(read) or has_letterlike(read):
            return _ALARM
        flags = _flags(folded)
        if flags & _FOREIGN and holds_lettered(folded, self._lookup.words):
            return _ALARM
        if flags & _ALARMING:
            return _ALARM
        if len(self._words) > _REMEMBERED:
            self._words.clear()
        known = self._words
        all_cues, all_met, all_asked, all_signs = _NOTHING[:4]
        for word in _words_of(ascii_in(folded)):
            brought = known.get(word) or self._learn(word)
            if brought is _NOTHING:
                continue
            cues, met, asked, signs, more = brought
            all_cues |= cues
            all_met |= met
            all_asked |= asked
            all_signs |= signs
            flags |= more
        return _Brought(all_cues, all_met, all_asked, all_signs, flags)

    def _learn(self, word: str) -> _Brought:
        cues = None if "<" in word else self._inert.cues(word)
        if cues is None:
            brought = self._looked_into(word)
        elif cues or word in self._lookup.words:
            held = self._lookup.words.intersection((word, *cues))
            brought = _Brought(held, self._lookup.cue_sets(held))
        else:
            brought = _NOTHING
        self._words[word] = brought
        return brought

    def _looked_into(self, word: str) -> _Brought:
        """What a word brings that is not inert."""
        forms = _forms(word)
        readings = _views_of(forms)
        if not self._alarming.isdisjoint(readings) or any(map(is_scrambled, readings)):
            return _ALARM
        together = "\n".join(forms)
        if self._parts.search(together) or holds_lettered(together, self._lookup.words):
            return _ALARM
        flags = _FRAMED if any(map(word.__contains__, CUES)) else 0
        if _LETS.search(together):
            flags |= _LET
        if not readings.isdisjoint(STRANGE):
            flags |= _STRANGE
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
        cues = self._lookup.words & (readings | lettering | parts_of(readings | lettering))
        asked = self._lookup.partners(readings | parts_of(readings))
        return _Brought(cues, self._lookup.cue_sets(cues), asked, any_sign() & readings, flags)


def _forms(word: str) -> set[str]:
    """A word as it stands, without marks of one kind, also those beside a symbol, and parted by
    dashes and arrows, which may leave of a link's target some of it.
    """
    if _DRESSED.fullmatch(word):
        return {word}
    forms = {word, *without_marks(word), *word.split("|"), unstuck(word.replace("](", " "))}
    bare = word.strip(_CHAINING)
    return forms if bare == word else forms.union(without_marks(bare))


def _flags(folded: str) -> int:
    """What a piece may have a part of, whatever its words are."""
    flags = 0 if folded.isascii() else _FOREIGN
    flags |= _SPACED if (folded.count(" ") + 1) * 5 > (len(folded) + 1) * 2 else 0
    if "\\" in folded or "+" in folded or ("%" in folded and PERCENT.search(folded)):
        flags |= _DISGUISED
    if folded in JOINING or (('"' in folded or "'" in folded) and _STRINGS.search(folded)):
        flags |= _DISGUISED
    if "=" in folded:
        flags |= _DISGUISED | (_ALARMING if _may_set(folded) else 0)
    if "<" in folded:
        flags |= _DISGUISED | _FRAMED | (_OPEN if folded.rfind("<") > folded.rfind(">") else 0)
        if _REACHING.search(folded.translate(_UNMARKED)):
            flags |= _REACHES
    return flags


def _looked_for(flags: int, row: Sequence[str]) -> bool:
    """Whether what the flags tell of is found in the row, or in the first few of its pieces."""
    whole = fold(entities_read(" ".join(row)))
    if flags & (_DISGUISED | _FOREIGN) and reaches_over_blanks(whole):
        return True
    if flags & _FOREIGN and may_be_told_without_marks(whole):
        return True
    if flags & _OPEN and ">" in whole and (flags & _REACHES or whole.count("<") > 2):
        return True  # a tag may end in another piece than it begins in
    if flags & _LET and "'" in whole and _LET_US.search(whole.translate(_UNMARKED)):
        return True
    if not flags & (_FRAMED | _SPACED | _STRANGE):
        return False
    texts = [fold(entities_read(" ".join(row[:end]))) for end in range(2, len(row) + 1)]
    if flags & _STRANGE and any(are_ciphered(set(plain_folded(text).split())) for text in texts):
        return True
    return any(map(looks_spaced, texts)) or any(map(frame_in, texts))


def _may_set(folded: str) -> bool:
    """Whether a piece may turn off a safeguard, also without marks or tags, or beside others."""
    texts = (folded, without_elements(folded)) if "<" in folded else (folded,)
    return any(_SETS.search(text.translate(_UNMARKED)) for text in texts)


def _words_of(folded: str) -> Iterable[str]:
    """What stands between blanks in a piece without its tags, in any reading."""
    if "<" not in folded or not _TAG.search(folded.translate(_UNMARKED)):
        return folded.split()
    # Dashes are clause marks too, of which a tag holds none.
    texts = (folded, *without_marks(folded), folded.replace("|", " "), folded.replace("-", " "))
    shown = (*map(without_markup, texts), without_elements(folded))
    return {word for text in shown for word in text.split()}


def _views_of(words: set[str]) -> set[str]:
    """As `views_of` of each of the words, at once."""
    if len(words) == 1 or any("<" in word for word in words):
        return {view for word in words if word for view in views_of(word)}
    starts = words.union(word.lstrip(OF_A_LINE) for word in words)
    forms = starts.union(" ".join(start.rsplit('"', 1)) for start in starts if '"' in start)
    # The mark keeps words from being read with their neighbours.
    views = set(plain_folded(" ; ".join(forms)).split())
    return views.union(SPELT_ANEW) if "not" in views else views
