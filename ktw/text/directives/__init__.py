"""Sentences that direct a reader, found by rules: each a code, a reason, and phrases over the plain
view.

Pure text in, spans out. Knows neither memories nor verdicts; whether a finding matters where it
stands is for those who ask.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from ktw.text import Span
from ktw.text.directives import judging
from ktw.text.directives.blobs import may_hold_blobs
from ktw.text.directives.decoding import Budget
from ktw.text.directives.encoded import CODE, find_encoded
from ktw.text.directives.judging import LONGEST, RULES, judge
from ktw.text.directives.learned import find_likely
from ktw.text.directives.setting import Setting
from ktw.text.directives.split import find_split
from ktw.text.directives.tongues import TOLD_OF
from ktw.text.overlaps import with_apart
from ktw.text.sentences import (
    Bounds,
    fenced_lines,
    fenced_ranges,
    is_id_line,
    sentence_bounds,
)

__all__ = [
    "RULES",
    "directing",
    "find_alone",
    "find_blobs",
    "find_directives",
    "find_learned",
    "find_ordering_blobs",
    "find_together",
]

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
    if not notes and judging.inert().is_all_of(text):
        return []
    found = [*find_alone(text), *find_ordering_blobs(text)]
    if notes:
        return with_apart(found, [*find_together(text), *find_learned(text)])
    return sorted([span for span in found if span.code[0] != "W"], key=_place)


def find_alone(text: str, part: int = 0, parts: int = 1) -> list[Span]:
    """Of what `find_directives` finds with notes, what sentences say by themselves, in one of some
    parts of the text that are about equal and overlap nowhere.
    """
    sentences, say_nothing = _sentences(text)
    first, last = (_cut(text, sentences, part + more, parts) for more in (0, 1))
    setting = Setting(text)
    for start, end in islice(sentences, first):
        if end - start >= _SHORTEST:
            setting.pass_by(text[start:end])
    asked = zip(sentences[first:last], say_nothing[first:last], strict=True)
    return sorted(_told(text, asked, setting), key=_place)


def _cut(text: str, sentences: Sequence[Bounds], part: int, parts: int) -> int:
    """The first sentence of a part; never inside fences, whose lines may go on in the next one."""
    first = len(sentences) * part // parts
    if 0 < first < len(sentences):
        start = sentences[first][0]
        ends = [end for begin, end in fenced_ranges(text) if begin <= start < end]
        first = bisect_left(sentences, (ends[0],)) if ends else first
    return first


def find_ordering_blobs(text: str) -> list[Span]:
    """H202."""
    return [blob for blob in find_blobs(text) if blob.code == CODE] if may_hold_blobs(text) else []


def find_together(text: str) -> list[Span]:
    """W903, also where a sentence or a blob directs by itself."""
    directs = lru_cache(_NEAR)(lambda piece: judge(piece) is not None)
    return list(find_split(text, *_sentences(text), directs, judging.rows().may_direct))


def find_learned(text: str) -> list[Span]:
    """W904, also where a sentence or a blob directs by itself."""
    return list(find_likely(text, _sentences(text)[0]))


def _place(span: Span) -> Bounds:
    return span.start, span.end


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


def _told(text: str, sentences: Iterable[tuple[Bounds, bool]], setting: Setting) -> Iterator[Span]:
    """What directs in sentences, of which is known whether they are inert, and in wrapped ones."""
    known: set[Bounds] = set()
    reach = [len(text), 0]
    for (start, end), says_nothing in sentences:
        reach = [min(reach[0], start), end]
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
    yield from _wrapped_in_fences(text, known, *reach)


def _wrapped_in_fences(text: str, known: set[Bounds], begin: int, stop: int) -> Iterator[Span]:
    """Lines of a fence that direct only together with the next one: a comment that was wrapped.

    Only those between two places, of which `known` are the sentences that direct alone.
    """
    for first, second in fenced_lines(text):
        if not begin <= first[0] < stop or first in known or second in known:
            continue
        verdict = judge(text[first[0] : second[1]]) if second[1] - first[0] <= LONGEST else None
        if verdict and verdict != TOLD_OF:
            known |= {first, second}
            yield Span(*first, *verdict)
            yield Span(*second, *verdict)


def _directs(text: str, depth: int, budget: Budget | None = None) -> bool:
    told = _told(text, _told_apart(text, sentence_bounds(text)), Setting(text))
    if any(span.code[0] != "W" for span in told):
        return True
    return may_hold_blobs(text) and any(find_encoded(text, _directs, depth, budget))


def _told_apart(text: str, sentences: Sequence[Bounds]) -> Iterator[tuple[Bounds, bool]]:
    """The sentences, each with whether it is inert, some at a time: often the first ones direct."""
    for first in range(0, len(sentences), _AT_ONCE):
        some = sentences[first : first + _AT_ONCE]
        begin = some[0][0]
        inside = [(start - begin, end - begin) for start, end in some]
        yield from zip(
            some, judging.inert().sentences(text[begin : some[-1][1]], inside), strict=True
        )
