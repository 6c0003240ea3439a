"""Words with which nothing directs, whatever stands beside them: most words of most texts.

Knows every reading of a word that a judge may come to, not what any of them means; where in doubt a
word is not inert.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice

from ktw.text.directives.blobs import LEAST
from ktw.text.directives.disguise import JOINING, STRANGE, may_turn
from ktw.text.directives.frames import WORD_CUES
from ktw.text.directives.glue import has_letterlike
from ktw.text.directives.lettering import all_lettered, known_read, lettered
from ktw.text.directives.lookup import Lookup
from ktw.text.directives.plain import DROPPED, SPELT_ANEW, in_full
from ktw.text.directives.scrambled import is_scrambled
from ktw.text.directives.sought import Sought
from ktw.text.directives.tongues import any_sign
from ktw.text.hidden import fold
from ktw.text.sentences import Bounds

LONGEST = 4000  # characters of a sentence that is not judged in pieces
_MANY, _SOME = 500, 200  # sentences of one text, and about how many are tried
_SEVERAL, _TRIED = 50, 20  # sentences that are left over, and how many of these are tried
_REMEMBERED = 1 << 18  # words: those of a megabyte
_MOST_PARTS = 6  # of a word, between marks of one kind
_FEW = 3  # quotation marks that join no strings
_SEAMLESS = 20  # characters without a blank in which no seams are looked for
_MARKS = frozenset("-._~+/|,")  # that are taken out from between letters
_AROUND = '*_~`"-.,:;?()[]{}>|/#^%=\\'  # marks beside letters that become none themselves
_OF_A_LINE = ">#|*+-"  # marks that a piece goes without
_ENDS = ".,:;?"
_DROPPED = str.maketrans("", "", DROPPED)
_PARTED = str.maketrans({chr(point): " " for point in range(1, 128) if not chr(point).isalnum()})
# In these no letters stand for digits or quoted marks, so that only marks can be taken out.
_UNDRESSED = re.compile(r"[a-z\-._/|,:;?()\[\]{}>#^%]+")
# Without quotes and bars, which join and part more than letters do.
_WORD = rf"[!#-&(-{{}}~]{{1,{LEAST - 1}}}"
_SHORT_LINE = re.compile(rf" ?{_WORD}(?: {_WORD})? ?")
_COMMENT = "<!--"  # parts what stands around it, also as a tag with a letter for its mark
# Escapes; what may set something; what a tag or "let us" begins with, which reach over blanks.
_REACHING = {
    "&": "&",
    "<": r"<(?!!--$)|<(?<=.<)",
    "=": r"=(?<!==)(?!=)|=[^=\n]|=(?<=[^=\n]=)",
    "let": "let$",
    "\\": r"\\[ux0]",
    "u+": r"u\+",
    "%": "%[0-9a-f]{2}",
}


class Inert:
    """Which words are inert, learned a text at a time.

    Its proof: a judge reads the words of a plain view of the sentence, or of what undoes a
    disguise: marks of one kind taken out, letters for digits, seams and escapes. `_forms` has all
    words of letters and digits that these make of one between blanks. Where none of them
    anchors a phrase, tells a shell, a language or a cipher, or is a scrambled word, no such view is
    met by anything; frames, and what anchors and has marks in it, are looked for as they stand.
    What joins words over blanks are letters spaced out and strings joined: `_is_inert` counts.
    """

    def __init__(self, lookup: Lookup, words: frozenset[str], parts: tuple[str, ...]) -> None:
        """`words` and `parts` of words: as for `Sieve`."""
        marked = [word for word in lookup.words if len(word) > 1 and not word.isalnum()]
        self._stirs = Sought((*parts, *marked, "$", *WORD_CUES), _REACHING)
        bare = {word.strip(_AROUND) for word in (*parts, *lookup.anchors.intersection(marked))}
        self._telling = lookup.anchors | words | STRANGE | any_sign() | bare | {*SPELT_ANEW}
        self._known = lookup.words
        self._cues: dict[str, tuple[str, ...]] = {}
        self._inert: set[str] = set()
        self._stirring: set[str] = set()

    def sentences(self, text: str, bounds: Sequence[Bounds]) -> list[bool]:
        """Whether each of the sentences is inert. None is looked at of few, or where of some that
        stand apart most are not: of prose, where it would not pay.
        """
        some = bounds[:: len(bounds) // _SOME | 1] if len(bounds) >= _MANY else ()
        if not some or not self._are_mostly(text[start:end] for start, end in some):
            return [False] * len(bounds)
        folded = fold(text)
        self._learn(set(folded.split()))
        if len(folded) == len(text) and folded.isascii() and text.isascii():
            return [self._is_inert(folded[start:end]) for start, end in bounds]
        return [self._is_inert_raw(text[start:end]) for start, end in bounds]

    def among(self, sentences: Collection[str]) -> set[str]:
        """Those of some sentences that are inert; none of few, or where of some most are not."""
        if len(sentences) < _SEVERAL:
            return set()
        tried = list(islice(sentences, _TRIED))
        if not self._are_mostly(tried):
            return set()
        self._learn(set(fold(" ".join(sentences)).split()))
        return set(filter(self._is_inert_raw, sentences))

    def _are_mostly(self, sentences: Iterable[str]) -> bool:
        """Whether at least half of some sentences are inert."""
        said = list(map(fold, sentences))
        self._learn({word for sentence in said for word in sentence.split()})
        return sum(map(self._is_inert, said)) * 2 >= len(said)

    def is_all_of(self, text: str) -> bool:
        """Whether a text is one or two inert words, in one line and each too short for a blob."""
        return len(text) <= 2 * LEAST and bool(self.texts((text,)))

    def texts(self, texts: Iterable[str]) -> set[str]:
        """Those of the texts that are one or two inert words, in one line and each too short for a
        blob: nothing directs in them.
        """
        lines = [text for text in texts if _SHORT_LINE.fullmatch(text)]
        self._learn(set("\n".join(lines).lower().split()))
        return {line for line in lines if self._inert.issuperset(line.lower().split())}

    def _is_inert_raw(self, raw: str) -> bool:
        if len(raw) > LONGEST or may_turn(raw) or has_letterlike(raw):
            return False
        return self._is_inert(fold(raw))

    def _is_inert(self, folded: str) -> bool:
        if not self._inert.issuperset(folded.split()):
            return False
        blanks = folded.count(" ")
        if not blanks:
            return len(folded) <= _SEAMLESS
        if (blanks >= 8 and blanks * 5 >= len(folded) * 2) or len(folded) > LONGEST:
            return False
        if folded.count('"') + folded.count("'") <= _FEW:
            return True
        return not any(map(folded.__contains__, JOINING))

    def cues(self, word: str) -> tuple[str, ...] | None:
        """The words that phrases need and an inert word may be read as; None if it is not inert,
        or is new and more than letters with marks around them, which takes long to tell.
        """
        if word not in self._inert:
            if word in self._stirring or not word.strip(_AROUND).isalpha():
                return None
            self._forget_many()
            if self._stirs.held_by(word) or self._stirs_bare(word, word.strip(_AROUND)):
                self._stirring.add(word)
                return None
            self._inert.add(word)
        return self._cues.get(word, ())

    def _learn(self, words: set[str]) -> None:
        self._forget_many()
        new = words - self._inert - self._stirring
        if new:
            stirring = self._stirs.found_in(new)
            stirring.update(self._stirring_in(new - stirring))
            self._stirring |= stirring
            self._inert |= new - stirring

    def _forget_many(self) -> None:
        if len(self._inert) + len(self._stirring) > _REMEMBERED:
            self._cues.clear()
            self._inert.clear()
            self._stirring.clear()

    def _stirring_in(self, words: Iterable[str]) -> Iterator[str]:
        """Those of the words that stir in any form."""
        numbered: dict[str, str] = {}
        forms: dict[str, Sequence[str]] = {}
        for word in words:
            bare = word.strip(_AROUND)
            if bare.isalpha():
                if self._stirs_bare(word, bare):
                    yield word
            elif not word.isascii():
                yield word
            elif bare.isalnum() and "1" not in bare:
                numbered[word] = bare
            elif word != _COMMENT:
                forms[word] = _forms(word, self._known)
        letters = all_lettered(numbered.values())
        forms.update(zip(numbered, zip(numbered.values(), letters, strict=True), strict=True))
        yield from self._stirring_as(forms)

    def _stirs_bare(self, word: str, bare: str) -> bool:
        """As `_stirring_in`, for letters with marks around them."""
        if bare in self._known and bare != word:
            self._cues[word] = (bare,)
        return not bare.isascii() or bare in self._telling or is_scrambled(bare)

    def _stirring_as(self, forms: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """Those of the words that stir in one of their forms, or have none."""
        stirring = self._stirs.found_in(set(chain.from_iterable(forms.values())).difference(forms))
        lines = "\0".join(map("\n".join, forms.values())).translate(_PARTED).split("\0")
        readings = dict(zip(forms, map(set, map(str.split, lines)), strict=False))
        met = set().union(*readings.values())
        telling = (met & self._telling) | set(filter(is_scrambled, met))
        known = met & self._known
        for word, read in readings.items():
            if not (forms[word] and stirring.isdisjoint(forms[word]) and telling.isdisjoint(read)):
                yield word
            elif cues := (known & read) - {word}:
                self._cues[word] = tuple(cues)


def _forms(word: str, known: frozenset[str]) -> list[str]:
    """What a word that is more than letters may become; nothing where it is too much."""
    if _UNDRESSED.fullmatch(word):
        return _with_marks_out(word, [word])
    bare = word.strip(_AROUND)
    if bare.isalnum():
        ones = [bare.replace("1", "i")] if "1" in bare else []
        return [bare, *(lettered(form, known) for form in (bare, *ones))]
    if sum(map(_has_letters, word.split('"'))) > 1:
        return []
    letters = {lettered(start, known) for start in (word, word.strip(_OF_A_LINE))}
    starts = [word, *letters, known_read(word, known)]
    if "'" in word:
        if not word.rstrip(_ENDS).replace("'", "").isalnum():
            return []
        starts = list(map(in_full, starts))
    dropped = [start.translate(_DROPPED).replace("~~", "") for start in starts]
    return _with_marks_out(dropped[0], [word, *dropped])


def _with_marks_out(word: str, forms: list[str]) -> list[str]:
    """The forms, and what taking out any of a word's marks of one kind makes of it; nothing where
    it has too many.
    """
    for mark in _MARKS.intersection(word):
        parts = word.split(mark)
        if len(parts) == 2:
            forms.append("".join(parts))
            continue
        if len(parts) > _MOST_PARTS:
            return []
        ends = combinations(range(len(parts) + 1), 2)
        forms += ["".join(parts[first:last]) for first, last in ends if last - first > 1]
    return forms


def _has_letters(part: str) -> bool:
    return any(map(str.isalnum, part))
