"""Sentences that direct a reader, found by rules: each a code, a reason, and phrases over the plain
view.

Pure text in, spans out. Knows neither memories nor verdicts; whether a finding matters where it
stands is for those who ask.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ktw.text import Span
from ktw.text.directives import judging
from ktw.text.directives.blobs import may_hold_blobs
from ktw.text.directives.decoding import Budget
from ktw.text.directives.encoded import find_encoded
from ktw.text.directives.judging import LONGEST, RULES, judge
from ktw.text.directives.learned import find_likely
from ktw.text.directives.setting import Setting
from ktw.text.directives.split import find_split
from ktw.text.directives.tongues import TOLD_OF
from ktw.text.overlaps import with_apart
from ktw.text.sentences import Bounds, fenced_lines, is_id_line, sentence_bounds

__all__ = ["RULES", "directing", "find_alone", "find_blobs", "find_directives", "find_notes"]

_SHORTEST = 6  # characters below which no sentence directs
_NEAR = 1 << 12  # pieces and joins of them that may soon be asked about again
_AT_ONCE = 500  # sentences whose words are looked at together


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
    if judging.inert().is_all_of(text):
        return []
    return [span for span in find_alone(text) if span.code[0] != "W"]


def find_alone(text: str) -> list[Span]:
    """Of what `find_directives` finds with notes, what sentences and blobs say by themselves."""
    found = _found(text, zip(*_sentences(text), strict=True), 0)
    return sorted(found, key=lambda span: (span.start, span.end))


def find_notes(text: str) -> list[Span]:
    """W903 and W904, also where a sentence or a blob directs by itself."""
    sentences, say_nothing = _sentences(text)
    directs = lru_cache(_NEAR)(lambda piece: judge(piece) is not None)
    split = find_split(text, sentences, say_nothing, directs, judging.rows().may_direct)
    return [*split, *find_likely(text, sentences)]


@lru_cache(maxsize=2)
def _sentences(text: str) -> tuple[Sequence[Bounds], Sequence[bool]]:
    """The sentences, and whether each is inert."""
    sentences = sentence_bounds(text)
    return sentences, judging.inert().sentences(text, sentences)


def directing(texts: Iterable[str]) -> set[str]:
    """Those of the texts in which `find_directives` finds anything; each is read up to there."""
    asked = set(texts)
    return {text for text in asked - judging.inert().texts(asked) if _directs(text, 0)}


@lru_cache(maxsize=2)  # rules about blobs and rules about directives ask one after the other
def find_blobs(text: str) -> tuple[Span, ...]:
    """Blobs of `text` that decode to a directive (H202) or merely to prose (H201), in order."""
    return tuple(find_encoded(text, _directs, readable=True))


def _found(
    text: str, sentences: Iterable[tuple[Bounds, bool]], depth: int, budget: Budget | None = None
) -> Iterator[Span]:
    """What directs in sentences, of which it is known whether they are inert, in wrapped ones, in
    blobs.
    """
    known: set[Bounds] = set()
    setting = Setting(text)
    for (start, end), says_nothing in sentences:
        sentence = text[start:end]
        if end - start < _SHORTEST or is_id_line(sentence):
            continue
        verdict = None if says_nothing else judge(sentence)
        setting.pass_by(sentence)
        if verdict:
            if setting.excuses(sentence, start, verdict):
                verdict = TOLD_OF
            known.add((start, end))
            yield Span(start, end, *verdict)
    yield from _wrapped_in_fences(text, known)
    if depth:
        yield from find_encoded(text, _directs, depth, budget)
    elif may_hold_blobs(text):
        yield from (blob for blob in find_blobs(text) if blob.code == "H202")


def _wrapped_in_fences(text: str, known: set[Bounds]) -> Iterator[Span]:
    """Lines of a fence that direct only together with the next one: a comment that was wrapped."""
    for first, second in fenced_lines(text):
        if first in known or second in known or second[1] - first[0] > LONGEST:
            continue
        verdict = judge(text[first[0] : second[1]])
        if verdict and verdict != TOLD_OF:
            known |= {first, second}
            yield Span(*first, *verdict)
            yield Span(*second, *verdict)


def _directs(text: str, depth: int, budget: Budget | None = None) -> bool:
    found = _found(text, _told_apart(text, sentence_bounds(text)), depth, budget)
    return any(span.code[0] != "W" for span in found)


def _told_apart(text: str, sentences: Sequence[Bounds]) -> Iterator[tuple[Bounds, bool]]:
    """The sentences, each with whether it is inert, some at a time: often the first ones direct."""
    for first in range(0, len(sentences), _AT_ONCE):
        some = sentences[first : first + _AT_ONCE]
        begin = some[0][0]
        inside = [(start - begin, end - begin) for start, end in some]
        yield from zip(
            some, judging.inert().sentences(text[begin : some[-1][1]], inside), strict=True
        )
