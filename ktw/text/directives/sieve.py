"""Lets through, at a fifth of what judging costs, the sentences that no rule can meet: most of
them.

A sentence is told by its words, and what each of them can bring about is worked out once. Knows
what the judges look for, not what any of it means; where in doubt it says no.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ktw.text.directives.disguise import STRANGE, are_ciphered, may_turn, unmarked
from ktw.text.directives.foreign import ascii_in, may_be_told
from ktw.text.directives.frames import CUES, frame_in
from ktw.text.directives.inert import Inert
from ktw.text.directives.lookup import Candidate, Lookup
from ktw.text.directives.plain import SPELT_ANEW, plain_folded, words_of
from ktw.text.directives.scrambled import is_scrambled
from ktw.text.directives.tongues import any_sign, may_be_spoken

_REMEMBERED = 1 << 15  # words
_MANY = 100  # words that are looked at at once
_ENDS = ".,!?:;"
OF_A_LINE = ">#/*;|-"  # what the plain view drops where a line begins
_TAG = re.compile("</?[a-z]")
_DIGITS = frozenset("304")  # that stand for letters
_PARTING = frozenset("%+\\|@_*~=<")


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
    strange: bool = False
    alarms: bool = False


class Sifted(NamedTuple):
    """All that can be found in a sentence: `phrases` that it may meet, in the order of the rules,
    and the texts that it may stand for once a disguise is `undone`.
    """

    phrases: Sequence[Candidate]
    undone: Iterable[str]


_CLAUSES = frozenset((";", ",", "?"))
_NOTHING = Sifted((), ())
_QUIET = _Word()
_NUMBERED = _Word(disguises=True)
_ALARM = _Word(alarms=True)


class Sieve:
    """What words can bring about, learned as they are met.

    Its proof: the plain view of a folded sentence has no words in ASCII but those of `views_of` of
    the words between its blanks, and marks; others tell languages in other letters alone. Only
    tags, which may reach over blanks and have a `<` before a letter and a `>` behind, and "let us",
    which becomes one word, are otherwise: where they may be, all is judged. Signs of a shell and of
    frames hold no blank, so each is seen in one word.
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
        self._alarming = _any_of(parts, r"let\Z")
        self._showing = _any_of((*parts, *CUES), r"let\Z")
        self._told = lookup.words | any_sign()
        self._running = words
        self._telling = self._told | words | STRANGE | frozenset(SPELT_ANEW)
        self._quiet: set[str] = set()
        self._loud: dict[str, _Word] = {}

    def sift(self, raw: str, folded: str) -> Sifted | None:
        """What has to be judged of a sentence; None where it is everything."""
        if may_turn(raw) or self._switches.search(folded):
            return None
        if "<" in folded and folded.find("<") < folded.rfind(">") and _TAG.search(folded):
            return None
        if not folded.isascii() and may_be_told(folded):
            return None
        self._forget_many()
        words = set(ascii_in(folded).split())
        signs, framing, disguised, ciphered = 0, False, False, False
        asked = 0
        held: list[str] = []
        new = words - self._quiet
        if len(new) > _MANY:
            self._quiet |= self._inert.letters_in(new)
            new -= self._quiet
        for word in new:
            known = self._loud.get(word) or self._learn(word)
            partners, cues, count, frames, disguises, strange, alarms = known
            if alarms:
                return None
            asked |= partners
            held += cues
            signs += count
            framing = framing or frames
            disguised = disguised or disguises
            ciphered = ciphered or strange
        if framing and frame_in(folded):
            return None
        if signs > 1 or ciphered:
            view = set(plain_folded(folded).split(" "))
            if (signs > 1 and may_be_spoken(view)) or (ciphered and are_ciphered(view)):
                return None
        undone = unmarked(raw, folded, self._lookup.words, signs=disguised)
        if not asked:
            return Sifted((), undone) if undone else _NOTHING
        return Sifted(self._lookup.candidates(words.union(held, _CLAUSES), asked), undone)

    def _forget_many(self) -> None:
        """Not while a sentence is sifted, whose words it would lose."""
        if len(self._quiet) + len(self._loud) >= _REMEMBERED:
            self._quiet.clear()
            self._loud.clear()

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
        showing = self._showing.search(word)
        if showing and self._alarming.search(word):
            return _ALARM
        views = views_of(word)
        if not views.isdisjoint(self._running) or any(map(is_scrambled, views)):
            return _ALARM
        told = views & self._told
        strange = not views.isdisjoint(STRANGE)
        if not (told or showing or strange):
            return _NUMBERED if parting else _QUIET
        return _Word(
            self._lookup.partners(told),
            tuple((told & self._lookup.words) - {word}),
            len(told & any_sign()),
            showing is not None,
            parting,
            strange,
        )


def _any_of(parts: Iterable[str], end: str) -> re.Pattern[str]:
    return re.compile("|".join([*map(re.escape, parts), end]))


def views_of(word: str) -> set[str]:
    """Every word of a plain view that one between blanks can become, whatever stands beside it."""
    bare = word[:-1] if word[-1] in _ENDS else word
    if bare.isalnum() and bare not in SPELT_ANEW:
        return {bare}
    # Of the marks that go where a line begins, others leave no word even where they stay.
    forms = {word, word.lstrip(OF_A_LINE)} if "/" in word else {word}
    if '"' in word:
        forms |= {" ".join(form.rsplit('"', 1)) for form in forms}
    return set().union(*map(words_of, forms))
