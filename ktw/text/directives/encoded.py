"""Blobs that decode to text: H202 where it directs, H201 where it merely can be read.

`blobs` finds them, `decoding` decodes them, the caller's judge says whether the decoded text
directs.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from ktw.text import Span
from ktw.text.directives import decoding
from ktw.text.directives.blobs import LEAST, Bounds, Layout, columns, joined, long_runs
from ktw.text.directives.decoding import Budget, is_prose, said
from ktw.text.hidden import smuggled
from ktw.text.late import late

READABLE = "H201"
CODE = "H202"
WHY = {READABLE: "decodes to readable text", CODE: "decodes to a directive"}
_DEPTH = 2  # blobs inside blobs

_HEX = late(r"(?:0[xX])?[0-9A-Fa-f \t|>#*\"'+,\\]{16,}")
_SEAM = late("[/_-]+")
_BASE32 = late(r"(?=.{0,40}[2-7])[A-Za-z2-7\s]+={0,6}")

Judge = Callable[[str, int, Budget], bool]
Decoder = Callable[[str], bytes]
Blob = tuple[int, int, str]  # start, end, what it decodes to


# How long a run of sevens and eights can be: it is told by that, for to part one in every
# way takes a time that doubles with each eight.
_RUNS = ((42, ""), (35, 40), (28, 32), (21, 24), (14, 16), (7, 8))


def _run_of_bits(taken: int = 0) -> str:
    """An expression for a run of binary codes, of which some digits are taken already."""
    runs = (f"[01]{{{least - taken},{most and int(most) - taken}}}" for least, most in _RUNS)
    return rf"(?:{'|'.join(runs)})(?!\w)"


# Codes of single characters, chained: the pattern of a chain, and what reads it. Each begins with a
# class of characters and looks back from there, for that makes the search quick.
_HEX_CODE = r"(?:0x|\\x)?(?:[0-9A-Fa-f]{2}){1,4}"
_CHAINS = tuple(
    (late(pattern), decode)
    for pattern, decode in (
        (
            r"[0-9A-Fa-f\\](?<![\w.].)"
            r"(?:(?<=[0\\])x(?:[0-9A-Fa-f]{2}){1,4}|(?<!\\)[0-9A-Fa-f](?:[0-9A-Fa-f]{2}){0,3})"
            rf"[ :,;|\n-]{{1,3}}(?:{_HEX_CODE}[ :,;|\n-]{{1,3}}){{6,}}{_HEX_CODE}(?!\w)",
            decoding.from_hex,
        ),
        (
            r"[0-9](?<![\w.].)[0-9]{1,2}[ ,;|\n]{1,3}(?:[0-9]{2,3}[ ,;|\n]{1,3}){6,}"
            r"[0-9]{2,3}(?!\w)",
            decoding.from_decimals,
        ),
        (
            rf"[01](?<![\w.].){_run_of_bits(taken=1)}(?:[ ,\n]{{1,2}}{_run_of_bits()})*",
            decoding.from_bits,
        ),
        (r"\\[0-7]{3}(?:\\[0-7]{3}){7,}", decoding.from_octals),
    )
)
_MORSE_CODE = r"[.\u00b7\u2212-]{1,6}"
_MORSE = late(
    r"[.\u00b7\u2212-](?<!\S.)[.\u00b7\u2212-]{0,5}[ /|\n]{1,4}"
    rf"(?:{_MORSE_CODE}[ /|\n]{{1,4}}){{6,}}{_MORSE_CODE}(?!\S)"
)
_MORSE_SIGNS = (" .", " \u00b7", "\n.")
_MOST_85 = 65_536  # characters of a text that are tried as base85, which is slow to decode
_ASCII85 = late(r"[!-~]{20,}")
_MARKS = frozenset("!#$%&()*+;<=>?@^{|}~\"',:`")


def find_encoded(
    text: str,
    directs: Judge,
    depth: int = 0,
    budget: Budget | None = None,
    readable: bool = False,
) -> list[Span]:
    """Spans over the blobs of `text` whose decoded text `directs(decoded, depth, budget)`.

    With `readable` also those that merely decode to prose. Linear; a blob inside a blob is opened,
    one inside that is not. The budget is that of the text that all of them stand in.
    """
    if depth >= _DEPTH:
        return []
    left = budget or Budget(len(text))
    codes: dict[tuple[int, int], str] = {}
    # One blob may stand there often.
    orders = cache(lambda decoded: directs(decoded, depth + 1, left))
    for start, end, decoded in _decoded(text, left):
        if orders(decoded):
            codes[start, end] = CODE
        elif readable and is_prose(decoded):
            codes.setdefault((start, end), READABLE)
    return _apart([Span(*place, code, WHY[code]) for place, code in sorted(codes.items())])


def _apart(spans: list[Span]) -> list[Span]:
    """Of spans that overlap the gravest, of those the longest."""
    kept: list[Span] = []
    for span in spans:
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
        elif (span.code, span.end - span.start) > (kept[-1].code, kept[-1].end - kept[-1].start):
            kept[-1] = span
    return kept


def _decoded(text: str, budget: Budget) -> Iterator[Blob]:
    yield from smuggled(text)
    for start, end, raw in _coded(text):
        told = said(raw, budget)
        if told:
            yield start, end, told


def _coded(text: str) -> Iterator[tuple[int, int, bytes]]:
    """What may be a blob, and the bytes that it may stand for."""
    layout = Layout(text)
    words = layout.long_words()
    yield from _unpacked(text, long_runs(text, words))
    slow = 0
    for start, end in words:
        if _may_chain(text[start:end]):
            yield from _chained(text, start, end)
        if slow < _MOST_85 and _ASCII85.fullmatch(text, start, end) and _mixed(text[start:end]):
            slow += end - start
            yield start, end, decoding.from_ascii85(text[start:end])
    yield from _unpacked(text, layout.groups())
    if "\n" in text:
        yield from _unpacked(text, columns(text))
    if layout.may_chain():
        yield from _chained(text, 0, len(text))
    if any(sign in text for sign in _MORSE_SIGNS):
        for match in _MORSE.finditer(text):
            yield *match.span(), decoding.from_morse(match[0])


def _may_chain(word: str) -> bool:
    """Whether a word could be character codes in a row: many parting marks, or bits."""
    return sum(map(word.count, ":,;-\\")) >= 6 or not word[:LEAST].strip("01")


def _mixed(word: str) -> bool:
    """Whether a word is as full of signs as base85 is, and as a link is not."""
    return len(_MARKS.intersection(word)) > 2 and "://" not in word and "](" not in word


def _unpacked(text: str, places: Iterable[Bounds]) -> Iterator[tuple[int, int, bytes]]:
    readings = cache(_readings)
    for start, end in places:
        for raw in readings(joined(text[start:end])):
            yield start, end, raw


def _chained(text: str, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
    for pattern, decode in _CHAINS:
        for match in pattern.finditer(text, start, end):
            yield *match.span(), decode(match[0])


def _readings(blob: str) -> list[bytes]:
    """What a run may stand for, or a part of it: as a part of a path, behind a name, with a mark of
    emphasis. These marks are letters of base64 too, but seldom of a text in it.
    """
    parts = {part for part in _SEAM.split(blob) if len(part) >= LEAST} - {blob}
    return [decode(one) for one in (blob, *sorted(parts)) for decode in _decoders(one)]


def _decoders(blob: str) -> tuple[Decoder, ...]:
    """What may have written a run of letters and digits; nothing for paths and identifiers."""
    if _HEX.fullmatch(blob):
        return (decoding.from_hex,)
    if blob not in (blob.lower(), blob.upper()):
        return (decoding.from_base64, _backwards)
    return (decoding.from_base32,) if _BASE32.fullmatch(blob) else ()


def _backwards(blob: str) -> bytes:
    return decoding.from_base64(blob[::-1])
