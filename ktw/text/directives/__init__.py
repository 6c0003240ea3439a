"""Sentences that direct a reader, found by rules: each a code, a reason, and phrases over the plain
view.

Pure text in, spans out. Knows neither memories nor verdicts; whether a finding matters where it
stands is for those who ask. A rule stands in the tuple of its family's module; `RULES` below lists
the families.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from ktw.text import Span
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
from ktw.text.directives.blobs import may_hold_blobs
from ktw.text.directives.disguise import undisguised
from ktw.text.directives.encoded import find_encoded
from ktw.text.directives.frames import frame_in
from ktw.text.directives.inert import Inert
from ktw.text.directives.learned import find_likely
from ktw.text.directives.lookup import Candidate, Lookup, shipped_table
from ktw.text.directives.mention import quotations, told_of, unquoted
from ktw.text.directives.pieces import Pieces
from ktw.text.directives.plain import plain_folded, without_targets
from ktw.text.directives.rule import DIRECTS, TOLD, Rule
from ktw.text.directives.scrambled import unscrambled
from ktw.text.directives.setting import Setting
from ktw.text.directives.sieve import Sieve
from ktw.text.directives.split import find_split
from ktw.text.directives.tongues import TOLD_OF, spoken_in
from ktw.text.directives.walk import Places, can_match
from ktw.text.escape import entities_read
from ktw.text.hidden import fold
from ktw.text.late import late
from ktw.text.overlaps import with_apart
from ktw.text.sentences import Bounds, fenced_lines, is_id_line, sentence_bounds

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
_LONGEST = 4000  # characters that are looked at in one piece
_SHORTEST = 6  # characters below which no sentence directs
_NEAR = 1 << 12  # pieces and joins of them that may soon be asked about again
_AT_ONCE = 500  # sentences whose words are looked at together
_REPEATED = 250  # characters of a sentence that may well stand elsewhere too


@cache
def _lookup() -> Lookup:
    return Lookup(RULES, shipped_table())


@cache
def _sieve() -> Sieve:
    return Sieve(_lookup(), _FETCH_WORDS, _FETCH_PARTS, _SWITCHES, _inert())


@cache
def _rows() -> Pieces:
    return Pieces(_lookup(), _FETCH_WORDS - _RUNNERS, (*_FETCH_PARTS, *_RUN_PARTS), _inert())


@cache
def _inert() -> Inert:
    return Inert(_lookup(), _FETCH_WORDS, _FETCH_PARTS)


def find_directives(text: str, notes: bool = False) -> list[Span]:
    """The sentences of `text` that direct its reader, in order; each span is the whole sentence.

    Codes D101… (what it directs to do), F101… (it imitates a frame) and H202 (a blob, its span the
    blob alone, that decodes to a directive). With `notes` also what a reviewer should see: W902, a
    sentence that would direct, were it not told of the past, or quoted, or a choice not taken;
    W903, short pieces that direct together; W904, what a model takes for a directive. Never raises;
    linear in the text.
    """
    if notes:
        return with_apart(find_alone(text), find_notes(text))
    if _inert().is_all_of(text):
        return []
    return [span for span in find_alone(text) if span.code[0] != "W"]


def find_alone(text: str) -> list[Span]:
    """Of what `find_directives` finds with notes, what sentences and blobs say by themselves."""
    sentences, inert = _sentences(text)
    found = _found(text, zip(sentences, inert, strict=True), 0)
    return sorted(found, key=lambda span: (span.start, span.end))


def find_notes(text: str) -> list[Span]:
    """W903 and W904, also where a sentence or a blob directs by itself."""
    sentences, inert = _sentences(text)
    directs = lru_cache(_NEAR)(lambda piece: _judge(piece) is not None)
    split = find_split(text, sentences, inert, directs, _rows().may_direct)
    return [*split, *find_likely(text, sentences)]


@lru_cache(maxsize=2)
def _sentences(text: str) -> tuple[Sequence[Bounds], Sequence[bool]]:
    """The sentences, and whether each is inert."""
    sentences = sentence_bounds(text)
    return sentences, _inert().sentences(text, sentences)


def directing(texts: Iterable[str]) -> set[str]:
    """Those of the texts in which `find_directives` finds anything; each is read up to there."""
    asked = set(texts)
    return {text for text in asked - _inert().texts(asked) if _directs(text, 0)}


@lru_cache(maxsize=2)  # rules about blobs and rules about directives ask one after the other
def find_blobs(text: str) -> tuple[Span, ...]:
    """Blobs of `text` that decode to a directive (H202) or merely to prose (H201), in order."""
    return tuple(find_encoded(text, _directs, readable=True))


def _found(text: str, sentences: Iterable[tuple[Bounds, bool]], depth: int) -> Iterator[Span]:
    """What directs in sentences, of which it is known whether they are inert, in wrapped ones, in
    blobs.
    """
    known: set[Bounds] = set()
    setting = Setting(text)
    for (start, end), says_nothing in sentences:
        sentence = text[start:end]
        if end - start < _SHORTEST or is_id_line(sentence):
            continue
        verdict = None if says_nothing else _judge(sentence)
        setting.pass_by(sentence)
        if verdict:
            if setting.excuses(sentence, start, verdict):
                verdict = TOLD_OF
            known.add((start, end))
            yield Span(start, end, *verdict)
    yield from _wrapped_in_fences(text, known)
    if depth:
        yield from find_encoded(text, _directs, depth)
    elif may_hold_blobs(text):
        yield from (blob for blob in find_blobs(text) if blob.code == "H202")


def _wrapped_in_fences(text: str, known: set[Bounds]) -> Iterator[Span]:
    """Lines of a fence that direct only together with the next one: a comment that was wrapped."""
    for first, second in fenced_lines(text):
        if first in known or second in known or second[1] - first[0] > _LONGEST:
            continue
        verdict = _judge(text[first[0] : second[1]])
        if verdict and verdict != TOLD_OF:
            known |= {first, second}
            yield Span(*first, *verdict)
            yield Span(*second, *verdict)


def _directs(text: str, depth: int) -> bool:
    found = _found(text, _told_apart(text, sentence_bounds(text)), depth)
    return any(span.code[0] != "W" for span in found)


def _told_apart(text: str, sentences: Sequence[Bounds]) -> Iterator[tuple[Bounds, bool]]:
    """The sentences, each with whether it is inert, some at a time: often the first ones direct."""
    for first in range(0, len(sentences), _AT_ONCE):
        some = sentences[first : first + _AT_ONCE]
        begin = some[0][0]
        inside = [(start - begin, end - begin) for start, end in some]
        yield from zip(some, _inert().sentences(text[begin : some[-1][1]], inside), strict=True)


def _judge(sentence: str) -> Verdict | None:
    """What one sentence directs to do, if anything."""
    return _judge_once(sentence) if len(sentence) <= _REPEATED else _judge_anew(sentence)


@lru_cache(maxsize=1 << 16)
def _judge_once(sentence: str) -> Verdict | None:
    """As `_judge`: fields, headings and stock phrases stand in many entries and files."""
    return _judge_anew(sentence)


def _judge_anew(sentence: str) -> Verdict | None:
    told = None
    for piece in _pieces(entities_read(sentence)):
        folded = fold(piece)
        sifted = _sieve().sift(piece, folded)
        words: set[str] = set()  # of a sifted one none tells a shell or is scrambled
        if sifted:
            verdict = _meet(plain_folded(folded), sifted.phrases) if sifted.phrases else None
            undone = sifted.undone
        else:
            view = plain_folded(folded)
            words = set(view.split(" "))
            verdict = _look(folded, view, words)
            undone = undisguised(piece, folded, words, _lookup().words)
        said = without_targets(folded)
        if verdict and verdict != TOLD_OF:
            if not _mentioned(folded):
                return verdict
            verdict, said = TOLD_OF, ""
        told = told or verdict
        for text in undone:
            folded = fold(text)
            anew = without_targets(folded) != said
            verdict = _match_anew(folded) if anew else _run(folded, words)
            if verdict and verdict != TOLD_OF:
                return verdict
        right = None if told or not words else unscrambled(folded, words)
        if right:
            told = _match(folded, right, set(right.split(" ")))
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
    if len(sentence) <= _LONGEST:
        return (sentence,)
    starts = range(0, len(sentence), _LONGEST * 9 // 10)
    return [sentence[start : start + _LONGEST] for start in starts]


def _look(folded: str, view: str, words: set[str]) -> Verdict | None:
    """The frame that a sentence imitates, else as `_match`."""
    frame = frame_in(folded)
    return (frame.code, frame.why) if frame else _match(folded, view, words)


def _match_anew(folded: str) -> Verdict | None:
    view = plain_folded(folded)
    return _match(folded, view, set(view.split(" ")))


def _match(folded: str, view: str, words: set[str]) -> Verdict | None:
    """The first rule that a sentence meets, given folded, as plain view, as the view's words."""
    found = _run(folded, words)
    if found:
        return found
    met = _meet(view, _lookup().candidates(words))
    return met if met and met != TOLD_OF else spoken_in(view, words) or met


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
