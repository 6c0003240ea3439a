"""Which phrases a set of words can meet, without trying them.

Knows how phrases are cued, not what any of them means.
"""

from collections.abc import Set
from functools import cache

from ktw.text.directives.phrase import Phrase
from ktw.text.directives.rule import Rule

# The commonest words of English prose, the commonest first; a word's share falls with its rank.
_FREQUENT = (
    "; , the to and a of i you it in is that for ? on this with be not have my are so your was but "
    "as at we what do if me can all just about or by an from when how they will no more there one "
    "time get up out good like some know her been has would which their who its any only our go "
    "see make new them she him work people take than into could other use also back these how "
    "should now after then way over first even here last want most where may always much keep us "
    "need file set run name does each made let going every great own before does must same such "
    "very never down too through well day give think look say tell come find help long still next "
    "off sure add call read show test code change check line right users user thing something"
).split()
_SHARES = {word: 1 / (rank + 2) for rank, word in reversed(list(enumerate(_FREQUENT)))}
_RARE = 1 / 2000

Candidate = tuple[int, int, Rule, Phrase]  # rank, the cue bits that it needs, rule, phrase


class Lookup:
    """Which phrases a set of words can meet, without trying them.

    Each word knows the cue sets that it stands in (as bits) and the phrases whose rarest cue set
    holds it; about one sentence in eight has any candidate that is worth a regular expression.
    """

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        numbers: dict[frozenset[str], int] = {}
        anchored: dict[str, list[Candidate]] = {}
        for rank, (one, phrase) in enumerate((r, p) for r in rules for p in r.phrases):
            need = 0
            for cue in phrase.cues:
                need |= 1 << numbers.setdefault(cue, len(numbers))
            for word in min(phrase.cues, key=_share):
                anchored.setdefault(word, []).append((rank, need, one, phrase))
        bits: dict[str, int] = {}
        for cue, number in numbers.items():
            bit = 1 << number
            for word in cue:
                bits[word] = bits.get(word, 0) | bit
        self.words = {word: (mask, anchored.get(word, ())) for word, mask in bits.items()}
        # Sets are faster to intersect than the keys of a dict.
        self.known = frozenset(self.words)
        self._anchors = frozenset(anchored)

    def partners(self, words: set[str]) -> frozenset[str]:
        """The words of which one must occur for a phrase to match that one of `words` anchors:
        its own where the phrase needs no other.
        """
        partners: set[str] = set()
        for word in words & self._anchors:
            for _, _, _, phrase in self.words[word][1]:
                partners |= sorted(phrase.cues, key=_share)[:2][-1]
        return frozenset(partners)

    def candidates(self, words: Set[str] | Set[str | None]) -> list[Candidate]:
        """The phrases all of whose cues occur, in the order of the rules."""
        if self._anchors.isdisjoint(words):
            return []
        mask = 0
        near: list[Candidate] = []
        for word in self.known.intersection(words):
            bits, anchored = self.words[word]
            mask |= bits
            near += anchored
        met = [item for item in near if item[1] & mask == item[1]]
        if len(met) < 2:
            return met
        ranked = {item[0]: item for item in met}
        return [ranked[rank] for rank in sorted(ranked)]


@cache
def _share(cue: frozenset[str]) -> float:
    """About how often one of the words occurs: half the sentences hold none that is a rarest."""
    frequent = cue & _SHARES.keys()
    return sum(map(_SHARES.__getitem__, frequent)) + _RARE * (len(cue) - len(frequent))
