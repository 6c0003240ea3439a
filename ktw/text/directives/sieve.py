"""Lets through, at a fifth of what judging costs, the sentences that no rule can meet: most of
them.

A sentence is told by its words, and what each of them can bring about is worked out once. Knows
what the judges look for, not what any of it means; where in doubt it says no.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ktw.text.directives.disguise import STRANGE, is_disguised, may_turn
from ktw.text.directives.frames import CUES, frame_in
from ktw.text.directives.lookup import Candidate, Lookup
from ktw.text.directives.plain import plain_folded
from ktw.text.directives.scrambled import is_scrambled
from ktw.text.directives.tongues import any_sign

_REMEMBERED = 1 << 15  # words
_ENDS = ".,!?:;"
_SPELT_ANEW = ("cannot", "dont", "doesnt")  # of two in a row the plain view keeps the second
_OF_A_LINE = ">#/*;|-"  # what the plain view drops where a line begins
_DISGUISING = frozenset("%+\\|@_*~304")


class _Word(NamedTuple):
    """What one word can bring about. `partners`: of which cue sets (as bits) the phrases that it
    anchors need one more; `cues`: the words in it that phrases need, where not just one; `signs`:
    how many words in it tell a language.
    """

    partners: int = 0
    cues: tuple[str, ...] = ()
    signs: int = 0
    frames: bool = False
    disguises: bool = False
    alarms: bool = False


_MARKS = frozenset((";", ",", "?"))
_QUIET = _Word()
_ALARM = _Word(alarms=True)


class Sieve:
    """What words can bring about, learned as they are met.

    Its proof: the plain view of a folded ASCII sentence has no words but those of `_views` of the
    words between its blanks, and marks. Only `<`, which may reach over blanks, and "let us", which
    becomes one word, are otherwise: both alarm. Frames, signs of a shell and of settings hold no
    blank, so each is seen in one word.
    """

    def __init__(self, lookup: Lookup, words: frozenset[str], parts: tuple[str, ...]) -> None:
        """`words` and `parts` of words: where one stands, a sentence has to be judged."""
        self._lookup, self._words, self._parts = lookup, words, (*parts, "<", "=")
        self._quiet: set[str] = set()
        self._loud: dict[str, _Word] = {}
        self._cue: dict[str, str] = {}  # of words that hold one

    def sift(self, raw: str, folded: str) -> Sequence[Candidate] | None:
        """The phrases that a sentence may meet, in the order of the rules, if nothing but phrases
        can be found in it; None where anything can.
        """
        if not folded.isascii() or may_turn(raw):
            return None
        if len(self._quiet) + len(self._loud) >= _REMEMBERED:
            self._forget()
        words = set(folded.split())
        signs, framing, disguised = 0, False, False
        asked = 0
        held: list[str] = []
        for word in words - self._quiet:
            known = self._loud.get(word) or self._learn(word)
            partners, cues, count, frames, disguises, alarms = known
            if alarms:
                return None
            asked |= partners
            held += cues
            signs += count
            framing = framing or frames
            disguised = disguised or disguises
        if (
            signs > 1
            or (framing and frame_in(folded))
            or is_disguised(raw, folded, self._lookup.words, signs=disguised)
        ):
            return None
        if not asked:
            return []
        return self._lookup.candidates({*held, *_MARKS, *map(self._cue.get, words)}, asked)

    def _forget(self) -> None:
        """Not while a sentence is sifted, whose words it would lose."""
        self._quiet.clear()
        self._loud.clear()
        self._cue.clear()

    def _learn(self, word: str) -> _Word:
        views = set(_views(word))
        cues = tuple(views & self._lookup.words)
        known = self._known(word, views, cues if len(cues) > 1 else ())
        if len(cues) == 1:
            self._cue[word] = cues[0]
        if known == _QUIET:
            self._quiet.add(word)
        else:
            self._loud[word] = known
        return known

    def _known(self, word: str, views: set[str], cues: tuple[str, ...]) -> _Word:
        if (
            any(map(word.__contains__, self._parts))
            or word.endswith("let")
            or not views.isdisjoint(self._words)
            or not views.isdisjoint(STRANGE)
            or any(map(is_scrambled, views))
        ):
            return _ALARM
        return _Word(
            self._lookup.partners(views),
            cues,
            len(views & any_sign()),
            any(map(word.__contains__, CUES)),
            not _DISGUISING.isdisjoint(word),
        )


def _views(word: str) -> Iterator[str]:
    """Every word of a plain view that one between blanks can become, whatever stands beside it."""
    bare = word[:-1] if word[-1] in _ENDS else word
    if bare.isalnum() and bare not in _SPELT_ANEW:
        yield bare
        return
    for start in {word, word.lstrip(_OF_A_LINE)}:
        for form in (start, " ".join(start.rsplit('"', 1))):
            view = plain_folded(form)
            yield from view.split()
            yield from _SPELT_ANEW if " not " in view else ()
