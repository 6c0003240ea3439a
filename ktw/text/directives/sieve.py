"""Lets through, at a fifth of what judging costs, the sentences that no rule can meet: most of
them.

A sentence is told by its words, and what each of them can bring about is worked out once. Knows
what the judges look for, not what any of it means; where in doubt it says no.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from ktw.text.directives.disguise import STRANGE, are_ciphered, may_turn, unmarked
from ktw.text.directives.foreign import ascii_in, may_be_told
from ktw.text.directives.frames import TAG, WORD_CUES, frame_in
from ktw.text.directives.glue import has_letterlike, parts_of
from ktw.text.directives.inert import LONGEST
from ktw.text.directives.lettering import holds_lettered
from ktw.text.directives.lookup import Candidate, Lookup
from ktw.text.directives.plain import SPELT_ANEW, plain_folded, words_of_each
from ktw.text.directives.scrambled import is_scrambled
from ktw.text.directives.sought import Sought
from ktw.text.directives.tongues import any_sign, may_be_spoken, tell_a_tongue
from ktw.text.escape import entities_read
from ktw.text.hidden import fold
from ktw.text.late import late

_REMEMBERED = 1 << 15  # words
_ENDS = ".,!?:;"
OF_A_LINE = ">#/*;|-"  # what the plain view drops where a line begins
_TAG = late("</?[a-z]")


class _Word(NamedTuple):
    """What one word can bring about. `partners`: of which cue sets (as bits) the phrases that it
    anchors need one more; `cues`: the words in it that phrases need, but for itself; `signs`: those
    that tell a language; `strange`: whether it may be spelt backwards or in a cipher.
    """

    partners: int = 0
    cues: tuple[str, ...] = ()
    signs: frozenset[str] = frozenset()
    frames: bool = False
    strange: bool = False
    alarms: bool = False


class Sifted(NamedTuple):
    """All that can be found in a sentence: `phrases` that it may meet, in the order of the rules,
    and the texts that it may stand for once a disguise is `undone`.
    """

    phrases: Sequence[Candidate]
    undone: Iterable[str]


_LET = {"let": "let$"}
# ASCII without letters and what escapes begin with.
_WORDLESS = re.compile(r"(?:[\n\t !-$&-<>-@\[\]-`{-~]|\\(?!0))*")
_CLAUSES = frozenset((";", ",", "?"))
_NOTHING = Sifted((), ())
_QUIET = _Word()
_ALARM = _Word(alarms=True)


class Sieve:
    """What words can bring about, learned as they are met.

    Its proof: the plain view of a folded sentence has no words in ASCII but those of `views_of` of
    the words between its blanks, and marks; unglued, none but these and their parts. Others tell
    languages in other letters alone. Only tags, which may reach over blanks and have a `<` before a
    letter and a `>` behind, and "let us", which becomes one word, are otherwise: where they may be,
    all is judged. Signs of a shell and of frames hold no blank, so each is seen in one word.
    """

    def __init__(
        self,
        lookup: Lookup,
        words: frozenset[str],
        parts: tuple[str, ...],
        switches: re.Pattern[str],
    ) -> None:
        """`words` and `parts` of words, `switches` anywhere: where one stands, a sentence has to be
        judged.
        """
        self._lookup, self._switches = lookup, switches
        self._alarming = Sought(parts, _LET)
        self._showing = Sought((*parts, *WORD_CUES), {**_LET, "<": TAG})
        self._told = lookup.words | any_sign()
        self._running = words
        self._telling = self._told | words | STRANGE | frozenset(SPELT_ANEW)
        self._quiet: set[str] = set()
        self._loud: dict[str, _Word] = {}
        self._ahead: dict[str, Sifted | None] = {}

    def sift(self, raw: str, folded: str) -> Sifted | None:
        """What has to be judged of a sentence; None where it is everything."""
        if raw in self._ahead:
            return self._ahead.pop(raw)
        if is_wordless(folded):
            return _NOTHING
        if not self._is_told_by_words(raw, folded):
            return None
        words = set(ascii_in(folded).split())
        self._learn(words)
        return self._sifted(raw, folded, words)

    def silent(self, sentences: Collection[str]) -> set[str]:
        """Those of some sentences of which nothing has to be judged. The words of all are learned
        together; what `sift` will say of the others is told ahead.
        """
        silent = set()
        told: list[tuple[str, str, str, set[str]]] = []
        for sentence in sentences:
            raw = entities_read(sentence)
            folded = fold(raw)
            if is_wordless(folded):
                silent.add(sentence)
            elif self._is_told_by_words(raw, folded):
                told.append((sentence, raw, folded, set(ascii_in(folded).split())))
        self._learn(set().union(*[words for *_, words in told]))
        self._ahead.clear()
        for sentence, raw, folded, words in told:
            if len(raw) > LONGEST:
                continue
            sifted = self._sifted(raw, folded, words)
            if sifted is _NOTHING:
                silent.add(sentence)
            else:
                self._ahead[raw] = sifted
        return silent

    def _is_told_by_words(self, raw: str, folded: str) -> bool:
        return not (may_turn(raw) or has_letterlike(raw) or self._reaches_over_blanks(folded))

    def _sifted(self, raw: str, folded: str, words: set[str]) -> Sifted | None:
        """As `sift`, of a sentence whose words are learned."""
        loud = words - self._quiet
        told = self._told_together(loud) if loud else _QUIET
        if told.alarms or (told.frames and frame_in(folded)):
            return None
        if told.strange or tell_a_tongue(told.signs):
            view = set(plain_folded(folded).split(" "))
            if (told.strange and are_ciphered(view)) or may_be_spoken(view):
                return None
        undone = unmarked(raw, folded, self._lookup.words)
        phrases: Sequence[Candidate] = ()
        if told.partners:
            phrases = self._lookup.candidates(words.union(told.cues, _CLAUSES), told.partners)
        return Sifted(phrases, undone) if phrases or undone else _NOTHING

    def _reaches_over_blanks(self, folded: str) -> bool:
        """Whether a sentence may set something, has a tag, or is told by letters beyond ASCII,
        beside which a word may be written with digits."""
        if "=" in folded and self._switches.search(folded):
            return True
        if "<" in folded and folded.find("<") < folded.rfind(">") and _TAG.search(folded):
            return True
        if folded.isascii():
            return False
        return may_be_told(folded) or holds_lettered(folded, self._lookup.words)

    def _told_together(self, words: Iterable[str]) -> _Word:
        """What words that are not quiet bring about in one sentence."""
        asked, framing, ciphered = 0, False, False
        held: tuple[str, ...] = ()
        signs: frozenset[str] = frozenset()
        for partners, cues, more, frames, strange, alarms in map(self._loud.__getitem__, words):
            if alarms:
                return _ALARM
            asked |= partners
            held += cues
            signs |= more
            framing = framing or frames
            ciphered = ciphered or strange
        return _Word(asked, held, signs, framing, ciphered)

    def _learn(self, words: set[str]) -> None:
        """Learn what each of the words can bring about; others may be forgotten for them."""
        if len(self._quiet) + len(self._loud) >= _REMEMBERED:
            self._quiet.clear()
            self._loud.clear()
        new = (words - self._quiet).difference(self._loud)
        if new:
            self._learn_anew(new)

    def _learn_anew(self, new: set[str]) -> None:
        showing = self._showing.found_in(new)
        odd: list[str] = []
        for word in new:
            bare = word[:-1] if word[-1] in _ENDS else word
            if not bare.isalpha() and holds_lettered(word, self._lookup.words):
                self._loud[word] = _ALARM
            elif not bare.isalnum() or bare in self._telling or word in showing:
                odd.append(word)
            elif is_scrambled(bare):
                self._loud[word] = _ALARM
            else:
                self._quiet.add(word)
        for word, views in zip(odd, views_of_each(odd), strict=True):
            told = self._told_by(word, views, word in showing)
            if told == _QUIET:
                self._quiet.add(word)
            else:
                self._loud[word] = told

    def _told_by(self, word: str, views: set[str], showing: bool) -> _Word:
        if showing and self._alarming.held_by(word):
            return _ALARM
        if not views.isdisjoint(self._running) or any(map(is_scrambled, views)):
            return _ALARM
        told = (views | parts_of(views)) & self._told
        strange = not views.isdisjoint(STRANGE)
        if not (told or showing or strange):
            return _QUIET
        return _Word(
            self._lookup.partners(told),
            tuple((told & self._lookup.words) - {word}),
            any_sign() & views,
            showing,
            strange,
        )


def is_wordless(folded: str) -> bool:
    """Whether a sentence has no letter, nor what an escape makes one of: then nothing directs in it
    but a frame, for each phrase, shell and tongue has a cue with a letter, and no other disguise
    adds letters to those there are.
    """
    return _WORDLESS.fullmatch(folded) is not None and not frame_in(folded)


def views_of(word: str) -> set[str]:
    """Every word of a plain view that one between blanks can become, whatever stands beside it."""
    return next(views_of_each((word,)))


def views_of_each(words: Iterable[str]) -> Iterator[set[str]]:
    """As `views_of` of each of the words, at once."""
    return words_of_each(list(map(_begun_or_not, words)))


def _begun_or_not(word: str) -> str:
    """A word as it stands, as it begins a line, and as quotes part it; no tag reaches over two."""
    if "/" not in word and '"' not in word:
        return word
    # Of the marks that go where a line begins, others leave no word even where they stay.
    forms = [word, word.lstrip(OF_A_LINE)]
    forms += [" ; ".join(form.rsplit('"', 1)) for form in forms]
    return " < ".join(forms)
