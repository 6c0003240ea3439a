"""Which phrases a set of words can meet, without trying them.

Knows how phrases are cued, not what any of them means.
"""

import json
from collections.abc import Iterable, Sequence, Set
from functools import cache, lru_cache
from math import fsum
from pathlib import Path
from typing import NamedTuple

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
_NEAR = 1 << 12  # sets of words that may soon be met again
TABLE = Path(__file__).with_name("cues.json")


class Table(NamedTuple):
    """What the rules' phrases are looked up by, all of it a function of the rules.

    `needs`: for each phrase, in the order of the rules, the numbers of its cue sets, the rarest
    first. `cues`: for
    each word the numbers of the cue sets that hold it. `anchors`: for each word the phrases whose
    rarest cue set holds it. Numbers stand in one text, parted by blanks.
    """

    needs: list[str]
    cues: dict[str, str]
    anchors: dict[str, str]


def shipped_table() -> Table:
    """The table of the rules that ship, as `tools/tabulate_phrases.py` wrote it."""
    return Table(**json.loads(TABLE.read_text(encoding="utf-8")))


def table_of(rules: tuple[Rule, ...]) -> Table:
    """The table of any rules; takes some 30 ms for those that ship."""
    numbers: dict[frozenset[str], int] = {}
    needs: list[str] = []
    anchors: dict[str, list[int]] = {}
    for rank, phrase in enumerate(phrase for one in rules for phrase in one.phrases):
        cues = sorted(phrase.cues, key=_share)
        needs.append(_told(numbers.setdefault(cue, len(numbers)) for cue in cues))
        for word in cues[0]:
            anchors.setdefault(word, []).append(rank)
    words: dict[str, list[int]] = {}
    for cue, number in numbers.items():
        for word in cue:
            words.setdefault(word, []).append(number)
    return Table(needs, _all_told(words), _all_told(anchors))


def _all_told(known: dict[str, list[int]]) -> dict[str, str]:
    return {word: _told(known[word]) for word in sorted(known)}


def _told(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _bits(numbers: Iterable[str]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << int(number)
    return bits


class Lookup:
    """Which phrases a set of words can meet, without trying them.

    Each word knows the cue sets that it stands in (as bits) and the phrases whose rarest cue set
    holds it; about one sentence in eight has any candidate that is worth a closer look.
    """

    def __init__(self, rules: tuple[Rule, ...], table: Table) -> None:
        # Sets are faster to intersect than the keys of a dict.
        self.words = frozenset(table.cues)
        self.anchors = frozenset(table.anchors)
        self._candidates = lru_cache(_NEAR)(self._met_by)
        self._met = _Met(table, [(one, phrase) for one in rules for phrase in one.phrases])

    def partners(self, words: set[str]) -> int:
        """The cue sets (as bits) of which one must be met for a phrase to match that one of `words`
        anchors: its second rarest, or the only one.
        """
        partners = 0
        for word in words & self.anchors:
            partners |= self._met[word].partners
        return partners

    def cue_sets(self, words: Set[str]) -> int:
        """The cue sets (as bits) that hold one of these words."""
        bits = 0
        for word in self.words.intersection(words):
            bits |= self._met[word].cue_sets
        return bits

    def candidates(self, words: Set[str], partners: int = -1) -> Sequence[Candidate]:
        """The phrases all of whose cues occur, in the order of the rules; none where none of
        `partners`, which are those of all anchors among the words, is met."""
        if self.anchors.isdisjoint(words):
            return ()
        return self._candidates(self.words.intersection(words), partners)

    def _met_by(self, words: frozenset[str], partners: int) -> Sequence[Candidate]:
        mask = 0
        near: list[Candidate] = []
        for word in words:
            bits, anchored, _ = self._met[word]
            mask |= bits
            near += anchored
        if not partners & mask:
            return ()
        met = [item for item in near if item[1] & mask == item[1]]
        if len(met) < 2:
            return met
        ranked = {item[0]: item for item in met}
        return [ranked[rank] for rank in sorted(ranked)]


class _Known(NamedTuple):
    """Of a word: the cue sets that hold it, the phrases that it anchors, and of which cue sets
    these need one more."""

    cue_sets: int
    anchored: list[Candidate]
    partners: int


class _Met(dict[str, _Known]):
    """What is known of words, worked out when one is first met."""

    def __init__(self, table: Table, phrases: list[tuple[Rule, Phrase]]) -> None:
        super().__init__()
        self._table, self._phrases = table, phrases

    def __missing__(self, word: str) -> _Known:
        anchored, partners = [], 0
        for rank in map(int, self._table.anchors.get(word, "").split()):
            needs = self._table.needs[rank].split()
            anchored.append((rank, _bits(needs), *self._phrases[rank]))
            partners |= _bits(needs[:2][-1:])
        found = _Known(_bits(self._table.cues[word].split()), anchored, partners)
        self[word] = found
        return found


@cache
def _share(cue: frozenset[str]) -> float:
    """About how often one of the words occurs: half the sentences hold none that is a rarest."""
    frequent = cue & _SHARES.keys()
    return fsum(map(_SHARES.__getitem__, frequent)) + _RARE * (len(cue) - len(frequent))
