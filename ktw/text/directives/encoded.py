"""H202: a blob that decodes to a directive, in base64 or hexadecimal, or spelt with invisible
characters.

Finds and decodes; asks the caller's judge whether the decoded text directs.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator

from ktw.text import Span
from ktw.text.hidden import smuggled

CODE = "H202"
WHY = "decodes to a directive"
_DEPTH = 3  # blobs inside blobs

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
# A path or an identifier: no blob, however long.
_WORDLIKE = re.compile(r"[a-z/_-]+|[A-Z/_-]+")
_HEX = re.compile(r"(?:0[xX])?[0-9A-Fa-f\s|>#*]{16,}")
_SPACED_HEX = re.compile(r"[0-9A-Fa-f]{2}(?:[ :,\n][0-9A-Fa-f]{2}){7,}(?![0-9A-Za-z])")
_HEX_SIGN = re.compile(r"[ :,\n][0-9A-Fa-f]{2}[ :,\n][0-9A-Fa-f]{2}[ :,\n]")
_NO_DIGIT = re.compile(r"0[xX]|[^0-9A-Fa-f]+")
_WRAP = re.compile(r"[ \t]{0,8}\r?\n[ \t>|#*/]{0,8}")

Judge = Callable[[str, int], bool]


def find_encoded(text: str, directs: Judge, depth: int = 0) -> list[Span]:
    """Spans over the blobs of `text` whose decoded text `directs(decoded, depth)`."""
    if depth >= _DEPTH:
        return []
    return [
        Span(start, end, CODE, WHY)
        for start, end, decoded in _decoded(text)
        if directs(decoded, depth + 1)
    ]


def _decoded(text: str) -> Iterator[tuple[int, int, str]]:
    yield from smuggled(text)
    yield from _blobs(text)
    for match in _SPACED_HEX.finditer(text) if _HEX_SIGN.search(text) else ():
        readable = _readable(_from_hex(match[0]))
        if readable:
            yield match.start(), match.end(), readable


def _blobs(text: str) -> Iterator[tuple[int, int, str]]:
    for start, end in _joined(text, _BASE64):
        if _WORDLIKE.fullmatch(text, start, end):
            continue
        blob = text[start:end]
        readable = _readable(_from_hex(blob) if _HEX.fullmatch(blob) else _from_base64(blob))
        if readable:
            yield start, end, readable


def _joined(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Matches, those that only a line break separates taken together: blobs are often wrapped."""
    start = end = -1
    for match in pattern.finditer(text):
        wrapped = _WRAP.match(text, end) if start >= 0 else None
        if wrapped and wrapped.end() == match.start():
            end = match.end()
            continue
        if start >= 0:
            yield start, end
        start, end = match.span()
    if start >= 0:
        yield start, end


def _from_base64(blob: str) -> bytes:
    compact = re.sub(r"[^A-Za-z0-9+/_-]", "", blob).replace("-", "+").replace("_", "/")
    compact = compact[: len(compact) - (len(compact) % 4 == 1)]
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4))
    except (binascii.Error, ValueError):
        return b""


def _from_hex(blob: str) -> bytes:
    digits = _NO_DIGIT.sub("", blob)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _readable(raw: bytes) -> str:
    """The decoded text when it is one: printable, with blanks unless it is a blob again."""
    text = raw.decode("utf-8", "replace")
    if " " not in text and "\n" not in text:
        return text if len(text) >= 16 and text.isascii() and text.isprintable() else ""
    strange = sum(not (c.isprintable() or c in "\n\t\r") or c == "\ufffd" for c in text)
    return text if strange * 10 <= len(text) else ""
