"""Which phrases a set of words can meet, without trying them.

Knows how phrases are cued, not what any of them means.
"""

from ktw.text.directives.phrase import COMMON, Phrase
from ktw.text.directives.rule import Rule

Candidate = tuple[int, int, Rule, Phrase]  # rank, the cue bits that it needs, rule, phrase


class Lookup:
    """Which phrases a set of words can meet, without trying them.

    Each word knows the cue sets that it stands in (as bits) and the phrases whose most telling cue
    set holds it; about one sentence in eight has any candidate that is worth a regular expression.
    """

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        numbers: dict[frozenset[str], int] = {}
        self.words: dict[str, tuple[int, list[Candidate]]] = {}
        for rank, (one, phrase) in enumerate((r, p) for r in rules for p in r.phrases):
            need = 0
            for cue in phrase.cues:
                need |= 1 << numbers.setdefault(cue, len(numbers))
            anchor = min(phrase.cues, key=lambda cue: (len(cue & COMMON), len(cue)))
            for word in anchor:
                self.words.setdefault(word, (0, []))[1].append((rank, need, one, phrase))
        for cue, number in numbers.items():
            for word in cue:
                bits, anchored = self.words.get(word, (0, []))
                self.words[word] = (bits | 1 << number, anchored)
        self._known = frozenset(self.words)  # faster to intersect than the keys of a dict

    def candidates(self, words: set[str]) -> list[Candidate]:
        """The phrases all of whose cues occur, in the order of the rules."""
        mask = 0
        near: list[Candidate] = []
        for word in words & self._known:
            bits, anchored = self.words[word]
            mask |= bits
            near += anchored
        met = [item for item in near if item[1] & mask == item[1]]
        if len(met) < 2:
            return met
        ranked = {item[0]: item for item in met}
        return [ranked[rank] for rank in sorted(ranked)]
