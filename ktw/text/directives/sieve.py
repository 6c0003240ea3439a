"""Lets through, at a fifth of what judging costs, the sentences that no rule can meet: most of
them.

A sentence is told by its words, and what each of them can bring about is worked out once. Knows
what the judges look for, not what any of it means; where in doubt it says no.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ktw.text.directives.disguise import STRANGE, lettered, may_turn, unmarked
from ktw.text.directives.frames import CUES, frame_in
from ktw.text.directives.inert import Inert
from ktw.text.directives.lookup import Candidate, Lookup
from ktw.text.directives.plain import SPELT_ANEW, plain_folded, words_of
from ktw.text.directives.scrambled import is_scrambled
from ktw.text.directives.tongues import any_sign, roman_tongues

_REMEMBERED = 1 << 15  # words
_MANY = 100  # words that are looked at at once
_ENDS = ".,!?:;"
_OF_A_LINE = ">#/*;|-"  # what the plain view drops where a line begins
_DIGITS = frozenset("304")  # that stand for letters
_PARTING = frozenset("%+\\|@_*~=")
_PARTING_PIECES = _PARTING - {"*", "="}


class _Word(NamedTuple):
    """What one word can bring about. `partners`: of which cue sets (as bits) the phrases that it
    anchors need one more; `cues`: the words in it that phrases need, but for itself; `signs`: how
    many words in it tell a language.
    """

    partners: int = 0
    cues: tuple[str, ...] = ()
    signs: int = 0
    frames: bool = False
    disguises: bool = False
    alarms: bool = False


class Sifted(NamedTuple):
    """All that can be found in a sentence: `phrases` that it may meet, in the order of the rules,
    and the texts that it may stand for once a disguise is `undone`.
    """

    phrases: Sequence[Candidate]
    undone: Iterable[str]


class Piece(NamedTuple):
    """What a piece brings into a row of pieces. `met`: the cue sets that its words, or marks of a
    clause, meet; `asked`: as `_Word.partners`; `marks`: how many that could chain or part letters,
    `stars` left out: the plain view drops them, so that they only add to the others.
    """

    met: int
    asked: int
    marks: int
    stars: int


_CLAUSES = frozenset((";", ",", "?"))
_NOTHING = Sifted((), ())
_QUIET = _Word()
_NUMBERED = _Word(disguises=True)
_ALARM = _Word(alarms=True)
# What is not seen in a word alone: entities, line breaks, controls; nothing beyond ASCII.
_BEYOND_WORDS = re.compile(r"[^ -%'-~]")
_MARK = re.compile(r"[\"',./-]")
_FEW = 3  # marks: too few for a disguise


def may_direct(row: Sequence[Piece | None]) -> bool:
    """False only where pieces joined by blanks direct neither together nor the first few of them.

    Its proof: no phrase that a word of theirs anchors finds its next cue among their words, nor do
    these bring about anything else, as they stand or with letters for digits. What is left are the
    disguises that marks or blanks make: of marks the row has too few, of blanks each piece for its
    length, and so their sum. Where stars are the only marks, taking them out makes the plain view
    again.
    """
    met = asked = marks = stars = 0
    for piece in row:
        if piece is None:
            return True
        met |= piece.met
        asked |= piece.asked
        marks += piece.marks
        stars += piece.stars
    return bool(marks and marks + stars > _FEW) or bool(asked & met)


class Sieve:
    """What words can bring about, learned as they are met.

    Its proof: the plain view of a folded ASCII sentence has no words but those of `_views` of the
    words between its blanks, and marks. Only `<`, which may reach over blanks, and "let us", which
    becomes one word, are otherwise: both alarm. Frames and signs of a shell hold no blank, so each
    is seen in one word.
    """

    def __init__(
        self,
        lookup: Lookup,
        words: frozenset[str],
        parts: tuple[str, ...],
        switches: re.Pattern[str],
        inert: Inert,
    ) -> None:
        """`words` and `parts` of words, `switches` anywhere: where one stands, a sentence has to be
        judged.
        """
        self._lookup, self._inert, self._switches = lookup, inert, switches
        self._alarming = _any_of((*parts, "<"), r"let\Z")
        self._showing = _any_of((*parts, "<", *CUES), r"let\Z")
        self._told = lookup.words | any_sign()
        self._strange = words | STRANGE
        self._telling = self._told | self._strange | frozenset(SPELT_ANEW)
        self._quiet: set[str] = set()
        self._loud: dict[str, _Word] = {}
        self._plain: dict[str, _Word] = {}

    def sift(self, raw: str, folded: str) -> Sifted | None:
        """What has to be judged of a sentence; None where it is everything."""
        if not folded.isascii() or may_turn(raw) or self._switches.search(folded):
            return None
        self._forget_many()
        words = set(folded.split())
        signs, framing, disguised = 0, False, False
        asked = 0
        held: list[str] = []
        new = words - self._quiet
        if len(new) > _MANY:
            self._quiet |= self._inert.letters_in(new)
            new -= self._quiet
        for word in new:
            partners, cues, count, frames, disguises, alarms = self._known(word)
            if alarms:
                return None
            asked |= partners
            held += cues
            signs += count
            framing = framing or frames
            disguised = disguised or disguises
        if (framing and frame_in(folded)) or (
            signs > 1 and roman_tongues(set(plain_folded(folded).split(" ")))
        ):
            return None
        undone = unmarked(raw, folded, self._lookup.words, signs=disguised)
        if not asked:
            return Sifted((), undone) if undone else _NOTHING
        return Sifted(self._lookup.candidates(words.union(held, _CLAUSES), asked), undone)

    def piece(self, raw: str) -> Piece | None:
        """What a piece brings into a row, as `may_direct` judges them; None for what it cannot."""
        if _BEYOND_WORDS.search(raw):
            return None
        self._forget_many()
        folded = raw.lower()
        words = folded.split(" ")
        if "" in words or len(words) * 5 - 2 > len(folded) * 2:
            return None
        known = [self._plain.get(word) or self._of_plain(word) for word in words]
        if _ALARM in known:
            return None
        held = _CLAUSES.union(words, *[word.cues for word in known if word.cues])
        asked = 0
        for word in known:
            asked |= word.partners
        marks, stars = len(_MARK.findall(folded)), folded.count("*")
        return Piece(self._lookup.cue_sets(held), asked, marks, stars)

    def _of_plain(self, word: str) -> _Word:
        """As `_known`; an alarm for what is more than phrases, or more with letters for digits."""
        cues = None if "<" in word else self._inert.cues(word)
        if cues is not None:
            known = _Word(cues=cues) if _PARTING_PIECES.isdisjoint(word) else _ALARM
            self._plain[word] = known
            return known
        known = self._seen_at_once(word) or self._known(word)
        if known.signs or known.frames or "=" in word or not _PARTING_PIECES.isdisjoint(word):
            known = _ALARM
        read = lettered(word, self._lookup.words)
        if read != word:
            if (self._seen_at_once(read) or self._known(read)) is not _QUIET:
                known = _ALARM
            elif read in self._lookup.words:
                known = known._replace(cues=(*known.cues, read))
        self._plain[word] = known
        return known

    def _forget_many(self) -> None:
        """Not while a sentence is sifted, whose words it would lose."""
        if len(self._quiet) + len(self._loud) >= _REMEMBERED:
            self._quiet.clear()
            self._loud.clear()
            self._plain.clear()

    def _known(self, word: str) -> _Word:
        return _QUIET if word in self._quiet else self._loud.get(word) or self._learn(word)

    def _learn(self, word: str) -> _Word:
        known = self._seen_at_once(word) or self._looked_into(word)
        if known == _QUIET:
            known = _QUIET
            self._quiet.add(word)
        else:
            self._loud[word] = known
        return known

    def _seen_at_once(self, word: str) -> _Word | None:
        """What a word brings about that is none of those looked for: most new ones."""
        bare = word[:-1] if word[-1] in _ENDS else word
        if not bare.isalnum() or bare in self._telling or self._showing.search(word):
            return None
        if is_scrambled(bare):
            return _ALARM
        return _QUIET if _DIGITS.isdisjoint(bare) else _NUMBERED

    def _looked_into(self, word: str) -> _Word:
        parting = not (_DIGITS.isdisjoint(word) and _PARTING.isdisjoint(word))
        cues = None if "<" in word else self._inert.cues(word)
        if cues is not None:
            return _Word(cues=cues, disguises=parting)
        if self._alarming.search(word):
            return _ALARM
        views = _views(word)
        if not views.isdisjoint(self._strange) or any(map(is_scrambled, views)):
            return _ALARM
        told = views & self._told
        return _Word(
            self._lookup.partners(told),
            tuple((told & self._lookup.words) - {word}),
            len(told & any_sign()),
            any(map(word.__contains__, CUES)),
            parting,
        )


def _any_of(parts: Iterable[str], end: str) -> re.Pattern[str]:
    return re.compile("|".join([*map(re.escape, parts), end]))


def _views(word: str) -> set[str]:
    """Every word of a plain view that one between blanks can become, whatever stands beside it."""
    # Of the marks that go where a line begins, others leave no word even where they stay.
    forms = {word, word.lstrip(_OF_A_LINE)} if "/" in word else {word}
    if '"' in word:
        forms |= {" ".join(form.rsplit('"', 1)) for form in forms}
    return set().union(*map(words_of, forms))
