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
from ktw.text.directives.inert import LONGEST
from ktw.text.directives.judging import RULES, Verdict, judge
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
_SHORT = 200  # characters of a text that is looked at together with others
_NEAR = 1 << 12  # pieces and joins of them that may soon be asked about again
_FEW = 20  # sentences that are judged one by one
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
    sentences = _saying(text, _sentences(text))
    begin, stop = (_cut(text, part + more, parts) for more in (0, 1))
    inside = sentences[bisect_left(sentences, (begin,)) : bisect_left(sentences, (stop,))]
    return sorted(_told(text, inside, Setting(text, sentences), (begin, stop)), key=_place)


def _cut(text: str, part: int, parts: int) -> int:
    """Where a part begins: with a sentence, or behind the fences around it, in which a line may
    direct together with the next one.
    """
    sentences = _sentences(text)
    first = len(sentences) * part // parts
    if first in (0, len(sentences)):
        return len(text) if first else 0
    start = sentences[first][0]
    return next((end for begin, end in fenced_ranges(text) if begin < start < end), start)


def find_ordering_blobs(text: str) -> list[Span]:
    """H202: blobs that decode to a directive."""
    return [blob for blob in find_blobs(text) if blob.code == CODE] if may_hold_blobs(text) else []


def find_together(text: str) -> list[Span]:
    """W903, also where a sentence or a blob directs by itself."""
    sentences = _sentences(text)
    say_nothing = judging.inert().sentences(text, sentences)
    directs = lru_cache(_NEAR)(lambda piece: judge(piece) is not None)
    return list(find_split(text, sentences, say_nothing, directs, judging.rows().may_direct))


def find_learned(text: str) -> list[Span]:
    """W904, also where a sentence or a blob directs by itself."""
    return list(find_likely(text, _sentences(text)))


def _place(span: Span) -> Bounds:
    return span.start, span.end


@lru_cache(maxsize=2)
def _sentences(text: str) -> Sequence[Bounds]:
    return sentence_bounds(text)


def directing(texts: Iterable[str]) -> set[str]:
    """Those of the texts in which `find_directives` finds anything; each is read up to there."""
    asked = set(texts)
    asked -= judging.inert().texts(asked)
    return {text for text in asked - _silent(asked) if _directs(text, 0)}


def _silent(texts: Iterable[str]) -> set[str]:
    """Those of the texts that are short and hold neither fences nor blobs, in which no sentence has
    to be judged.
    """
    said = {
        text: {text[start:end] for start, end in _saying(text, sentence_bounds(text))}
        for text in texts
        if len(text) <= _SHORT and "```" not in text and "~~~" not in text
    }
    sentences = iter(set().union(*said.values()))
    silent: set[str] = set()
    while some := list(islice(sentences, _AT_ONCE)):
        silent |= judging.silent(some)
    return {text for text, each in said.items() if each <= silent and not may_hold_blobs(text)}


@lru_cache(maxsize=2)  # rules about blobs and rules about directives ask one after the other
def find_blobs(text: str) -> tuple[Span, ...]:
    """Blobs of `text` that decode to a directive (H202) or merely to prose (H201), in order."""
    return tuple(find_encoded(text, _directs, readable=True))


def _told(
    text: str, sentences: Sequence[Bounds], setting: Setting, within: Bounds
) -> Iterator[Span]:
    """What directs in these sentences, and in wrapped ones between two places in the text."""
    known: set[Bounds] = set()
    for (start, end), verdict in _judged(text, sentences):
        known.add((start, end))
        excused = setting.excuses(start, end, verdict)
        yield Span(start, end, *(TOLD_OF if excused else verdict))
    yield from _wrapped_in_fences(text, known, *within)


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
    sentences = _saying(text, sentence_bounds(text))
    told = _told(text, sentences, Setting(text, sentences), (0, len(text)))
    if any(span.code[0] != "W" for span in told):
        return True
    return may_hold_blobs(text) and any(find_encoded(text, _directs, depth, budget))


def _judged(text: str, sentences: Sequence[Bounds]) -> Iterator[tuple[Bounds, Verdict]]:
    """The sentences that direct or tell of it; some at a time, for often the first ones do."""
    for first in range(0, len(sentences), _AT_ONCE):
        some = sentences[first : first + _AT_ONCE]
        said = [text[start:end] for start, end in some]
        silent = judging.silent(said) if len(said) > _FEW else ()
        for bounds, sentence in zip(some, said, strict=True):
            verdict = None if sentence in silent else judge(sentence)
            if verdict:
                yield bounds, verdict


def _saying(text: str, sentences: Iterable[Bounds]) -> list[Bounds]:
    """The sentences that are long enough to direct, and no ids."""
    return [
        (start, end)
        for start, end in sentences
        if end - start >= _SHORTEST and not (text[start] == "*" and is_id_line(text[start:end]))
    ]
