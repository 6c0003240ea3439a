"""Judges one sentence by all rules: what it directs to do, as it stands or once a disguise is off.

Knows no text beyond the sentence. A rule stands in the tuple of its family's module; `RULES` lists
the families.
"""

from collections.abc import Collection, Sequence
from functools import cache, lru_cache

from ktw.text.directives import (
    agent,
    broad,
    chat,
    command,
    conceal,
    exposure,
    orders,
    override,
    permission,
    practices,
    safety,
    selftrust,
    wide_acts,
    wide_claims,
)
from ktw.text.directives.disguise import undisguised
from ktw.text.directives.frames import frame_in
from ktw.text.directives.glue import has_symbols, parts_of, unglued
from ktw.text.directives.inert import LONGEST, Inert
from ktw.text.directives.lookup import Candidate, Lookup, shipped_table
from ktw.text.directives.mention import quotations, told_of, unquoted
from ktw.text.directives.pieces import Pieces
from ktw.text.directives.plain import plain_folded, without_targets
from ktw.text.directives.rule import DIRECTS, TOLD, Rule
from ktw.text.directives.scrambled import unscrambled
from ktw.text.directives.sieve import Sieve
from ktw.text.directives.tongues import TOLD_OF, spoken_in
from ktw.text.directives.walk import Places, can_match
from ktw.text.escape import entities_read
from ktw.text.hidden import fold
from ktw.text.late import late

RULES: tuple[Rule, ...] = (
    *override.RULES,
    *safety.RULES,
    *exposure.RULES,
    *conceal.RULES,
    *permission.RULES,
    *selftrust.RULES,
    *command.RULES,
    *agent.RULES,
    *chat.RULES,
    *broad.RULES,
    *wide_acts.RULES,
    *wide_claims.RULES,
    *orders.RULES,
    *practices.RULES,
)

Verdict = tuple[str, str]  # code, why

_FETCH_AND_RUN = [(signs, late(source)) for signs, source in command.FETCH_AND_RUN]
_FETCH_WORDS = frozenset(
    "fetch iwr iex base64 ssh nc pip pip3 rm invoke sh bash source eval".split()
)
_SWITCHED_OFF = late(safety.SWITCHED_OFF)
_SWITCHES = late(safety.SWITCHES)
_FETCH_PARTS = ("curl", "wget", "/dev/")
# Words that are harmless without one of the parts.
_RUNNERS = frozenset("pip pip3 sh bash source eval".split())
_RUN_PARTS = ("index-url", "trusted-host")
# A setting inside a line of code is read where code is reviewed.
_CODE_SIGN = late(r"[{};]|\w\(|==|fixed|issue|even if|cases?\b")
_REMEMBERED = 1 << 15  # sentences
_REPEATED = 250  # characters of a sentence that may well stand elsewhere too


@cache
def lookup() -> Lookup:
    return Lookup(RULES, shipped_table())


@cache
def sieve() -> Sieve:
    return Sieve(lookup(), _FETCH_WORDS, _FETCH_PARTS, _SWITCHES)


@cache
def rows() -> Pieces:
    return Pieces(lookup(), _FETCH_WORDS - _RUNNERS, (*_FETCH_PARTS, *_RUN_PARTS), inert())


@cache
def inert() -> Inert:
    return Inert(lookup(), _FETCH_WORDS, _FETCH_PARTS)


def judge(sentence: str) -> Verdict | None:
    """What one sentence directs to do, if anything."""
    return _judge_once(sentence) if len(sentence) <= _REPEATED else judge_anew(sentence)


@lru_cache(maxsize=1 << 16)
def _judge_once(sentence: str) -> Verdict | None:
    """As `judge`: fields, headings and stock phrases stand in many entries and files."""
    return judge_anew(sentence)


def silent(sentences: Collection[str]) -> set[str]:
    """Those of some sentences of which is known, or can be told at once, that judging them would
    give nothing.
    """
    known = _silences()
    if len(known) > _REMEMBERED:
        known.clear()
    new = set(sentences).difference(known)
    quiet = sieve().silent(new) if new else set()
    quiet |= inert().among(new - quiet)
    known.update((one, one in quiet) for one in new if len(one) <= _REPEATED)
    return {one for one in sentences if known.get(one, one in quiet)}


@cache
def _silences() -> dict[str, bool]:
    """Of sentences met lately, whether they are silent: many stand in other files too."""
    return {}


def judge_anew(sentence: str) -> Verdict | None:
    told = None
    for piece in _pieces(entities_read(sentence)):
        folded = fold(piece)
        sifted = sieve().sift(piece, folded)
        words: set[str] = set()  # of a sifted one none tells a shell or is scrambled
        if sifted:
            verdict = _met(plain_folded(folded), sifted.phrases) if sifted.phrases else None
            undone = sifted.undone
        else:
            view = plain_folded(folded)
            words = set(view.split(" "))
            verdict = _look(folded, view, words)
            undone = undisguised(piece, folded, words, lookup().words)
        said = without_targets(folded)
        if verdict and verdict != TOLD_OF:
            if not _mentioned(folded):
                return verdict
            verdict, said = TOLD_OF, ""
        told = told or verdict
        shown = [folded]
        for text in map(fold, undone):
            shown.append(text)
            anew = without_targets(text) != said
            verdict = _match_anew(text, not words) if anew else _run(text, words)
            if verdict and verdict != TOLD_OF:
                return verdict
        if words and not told:
            told = _put_right(shown, words)
    return told


def _put_right(texts: Sequence[str], words: set[str]) -> Verdict | None:
    """What one of the folded texts directs once scrambled words are put right, if `words` hold any:
    a sentence as it stands, or as it is once another disguise is off.
    """
    told = None
    for text in texts:
        right = unscrambled(text, words)
        verdict = _match(text, right, set(right.split(" "))) if right else None
        if verdict and verdict != TOLD_OF:
            return verdict
        told = told or verdict
    return told


def _mentioned(folded: str) -> bool:
    """Whether what directs in a folded sentence is only quoted, as an attack or an example."""
    if not quotations(folded):
        return False
    rest = unquoted(folded)
    if not told_of(rest):
        return False
    view = plain_folded(rest)
    return _look(rest, view, set(view.split(" "))) in (None, TOLD_OF)


def _pieces(sentence: str) -> Sequence[str]:
    """The sentence, or overlapping pieces of one that is longer than any written to be read."""
    if len(sentence) <= LONGEST:
        return (sentence,)
    starts = range(0, len(sentence), LONGEST * 9 // 10)
    return [sentence[start : start + LONGEST] for start in starts]


def _look(folded: str, view: str, words: set[str]) -> Verdict | None:
    """The frame that a sentence imitates, else as `_match`."""
    frame = frame_in(folded)
    return (frame.code, frame.why) if frame else _match(folded, view, words)


def _match_anew(folded: str, ordinary: bool) -> Verdict | None:
    """The first rule that a folded text meets as it stands; it is sifted if it is `ordinary`."""
    # The words of a long one may all be new, and to learn them takes longer than to match them.
    sifting = ordinary and len(folded) <= _REPEATED
    sifted = sieve().sift(folded, folded) if sifting else None
    if sifted:
        return _met(plain_folded(folded), sifted.phrases) if sifted.phrases else None
    view = plain_folded(folded)
    return _match(folded, view, set(view.split(" ")))


def _match(folded: str, view: str, words: set[str]) -> Verdict | None:
    """The first rule that a sentence meets, given folded, as plain view, as the view's words."""
    found = _run(folded, words)
    if found:
        return found
    parts = parts_of(words)
    met = _met(view, lookup().candidates({*words, *parts, ";"} if parts else words), parts)
    return met if met and met != TOLD_OF else spoken_in(view, words) or met


def _met(view: str, phrases: Sequence[Candidate], parts: set[str] | None = None) -> Verdict | None:
    """The first rule of which a plain view meets one of the phrases; else, with its words unglued,
    one of those that need one of the `parts` of these, or any beside symbols.
    """
    met = _meet(view, phrases) if phrases else None
    if not phrases or (met and met != TOLD_OF):
        return met
    if not has_symbols(view):
        needed = lookup().cue_sets(parts_of(view.split(" ")) if parts is None else parts)
        phrases = [one for one in phrases if one[1] & needed]
    apart = unglued(view) if phrases else ()
    return next(filter(None, (_meet(text, phrases) for text in apart)), met)


def _run(folded: str, words: set[str]) -> Verdict | None:
    """What a folded sentence runs or switches off; `words` as for `_match`."""
    if not words.isdisjoint(_FETCH_WORDS) or any(map(folded.__contains__, _FETCH_PARTS)):
        for signs, pattern in _FETCH_AND_RUN:
            if any(map(folded.__contains__, signs)) and pattern.search(folded):
                return "D705", "fetches something and runs it, or destroys by shell"
    if _SWITCHES.search(folded) and _SWITCHED_OFF.search(folded) and not _CODE_SIGN.search(folded):
        return "D304", "uses a switch that turns a safeguard off"
    return None


def _meet(view: str, phrases: Sequence[Candidate]) -> Verdict | None:
    """The first rule of which a plain view meets one of the phrases."""
    told: Verdict | None = None
    places = Places(view) if phrases else None
    for _, _, one, phrase in phrases:
        if places and not can_match(phrase.source, places):
            continue
        judged = one.judge(view, phrase)
        if judged == DIRECTS:
            return one.code, one.why
        if judged == TOLD:
            told = TOLD_OF
    return told
