"""Take out of a text what directs its reader, and say that it was taken out.

Pure text. Knows no memory and no frame: `render` decides whose words are withheld.
"""

from collections.abc import Sequence
from functools import lru_cache

from ktw.text import Span
from ktw.text.directives import find_directives
from ktw.text.escape import escape_line, words_in
from ktw.text.sentences import split_sentences

_HIDDEN = "\x00"  # stands for a sentence that is withheld, while a text is put together
_GAP = "[\u2026]"
_PASSES = 5


def withhold(text: str) -> tuple[str, list[Span]]:
    """`text` without the sentences that direct, and what was taken out of it.

    What is left is looked at again: pieces around a gap must not make a directive of their own.
    """
    taken: list[Span] = []
    for _ in range(_PASSES):
        spans = _whole_sentences(text, find_directives(text))
        if not spans:
            return text, taken
        taken += spans
        text = _without(text, spans)
    return "", taken


def _whole_sentences(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans, each as wide as the sentences it touches: an encoded one covers its blob alone."""
    if not any(span.code.startswith("H") for span in spans):
        return list(spans)
    sentences = split_sentences(text)
    wide: list[Span] = []
    for span in spans:
        touched = [s for s in sentences if s.start < span.end and span.start < s.end]
        start = min([span.start, *(s.start for s in touched)])
        end = max([span.end, *(s.end for s in touched)])
        if not wide or start >= wide[-1].end:
            wide.append(span._replace(start=start, end=end))
    return wide


def directs(text: str) -> list[Span]:
    """The directives of a short field, also where dashes, escapes or capitals part its words."""
    return find_directives(text) or find_directives(words_in(text))


def notice(spans: Sequence[Span], what: str) -> str:
    """What stands where something was withheld: what it was, how many, by which rules."""
    codes = ", ".join(sorted({span.code for span in spans}))
    if what != "sentence":
        return f"[{what} withheld: it reads as a directive ({codes})]"
    one = len(spans) == 1
    verb = "it reads as a directive" if one else "they read as directives"
    return f"[{len(spans)} sentence{'' if one else 's'} withheld: {verb} ({codes})]"


def _without(text: str, spans: Sequence[Span]) -> str:
    """`text` without the spans, and without lines that held nothing else."""
    text = text.replace(_HIDDEN, "\u2400")
    kept, at = [], 0
    for span in sorted(spans, key=lambda span: span.start):
        kept.append(text[at : max(at, span.start)] + _HIDDEN)
        at = max(at, span.end)
    lines = ("".join(kept) + text[at:]).split("\n")
    told = [line.replace(_HIDDEN, _GAP) for line in lines if _says_something(line)]
    return "\n".join(told).strip("\n")


def _says_something(line: str) -> bool:
    return _HIDDEN not in line or any(char.isalnum() for char in line)


@lru_cache(1024)
def shown_words(text: str, what: str) -> str:
    """A few words (a file's name, a person's) that must stand outside a frame; none that direct.

    `what` is what the notice calls them.
    """
    spans = directs(text)
    return notice(spans[:1], what) if spans else escape_line(text)
