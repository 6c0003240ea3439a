"""Decoders: characters in, bytes out, empty where they are no such code; and what bytes say.

Knows codes only: not where in a text one stands, nor what the decoded text means.
"""

import base64
import binascii
import codecs
import re
import zlib

from ktw.text.late import late

_NO_DIGIT = late(r"0[xX]|\\x|[^0-9A-Fa-f]+")
_LONGEST_85 = 4096  # characters: that decoder is slow
_INFLATED = (
    65_536  # bytes at most that all compressed blobs of a text may unfold to, and its length
)

_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SHOWN = bytes(range(0x20, 0x7F)) + b"\t\r\n"
_LETTERS = b" abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/_-]+")
_MORSE = dict(
    zip(
        (
            ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- "
            "...- .-- -..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. "
            ".-.-.- --..-- ..--.. -..-. -....- / |"
        ).split(),
        "abcdefghijklmnopqrstuvwxyz0123456789.,?/-  ",
        strict=True,
    )
)


class Budget:
    """How many bytes the compressed blobs of a text, and those inside them, may still unfold to:
    bombs stay small, also many that each stand in a blob of their own.
    """

    def __init__(self, length: int) -> None:
        self.left = _INFLATED + length

    def inflate(self, raw: bytes) -> bytes:
        """What gzip or zlib packed; empty when it is neither, or when nothing may be unfolded."""
        if self.left <= 0:
            return b""
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            unfolded = unpacker.decompress(raw, self.left)
        except zlib.error:
            return b""
        self.left -= len(unfolded)
        return unfolded


def said(raw: bytes, budget: Budget) -> str:
    """The text that bytes are, unpacked if they are packed; "" for what nobody can read."""
    if raw[:2] == b"\x1f\x8b" or raw[:1] == b"\x78":
        raw = budget.inflate(raw) or raw
    if raw[:2] in _BOMS:
        return _readable(raw.decode("utf-16", "replace"))
    if raw.count(0) * 3 > len(raw):
        return _readable(raw.decode("utf-16-le" if raw[1:2] == b"\0" else "utf-16-be", "replace"))
    if len(raw.translate(None, _SHOWN)) * 10 > len(raw):
        try:
            return _readable(raw.decode())
        except UnicodeDecodeError:
            return ""
    return _readable(raw.decode("utf-8", "replace"))


def _readable(text: str) -> str:
    """The decoded text when it is one: printable, with blanks unless it is a blob again."""
    if " " not in text and "\n" not in text:
        return text if len(text) >= 20 and text.isascii() and text.isprintable() else ""
    if text.isprintable() and text.isascii():
        return text
    strange = sum(not (c.isprintable() or c in "\n\t\r") or c == "\ufffd" for c in text)
    return text if strange * 10 <= len(text) else ""


def is_prose(text: str) -> bool:
    """Whether a decoded text is words: mostly letters and blanks, nothing that cannot be shown."""
    if text.isascii():
        letters = len(text) - len(text.encode().translate(None, _LETTERS))
    else:
        letters = sum(c.isalpha() or c == " " for c in text)
    if text.isprintable():
        return letters * 4 >= len(text) * 3 and "\ufffd" not in text
    shown = sum(c.isprintable() or c in "\n\t\r" for c in text)
    return letters * 4 >= len(text) * 3 and shown == len(text) and "\ufffd" not in text


def from_hex(blob: str) -> bytes:
    """Pairs of hexadecimal digits, whatever parts them."""
    digits = _NO_DIGIT.sub("", blob)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def from_base64(blob: str) -> bytes:
    """Base64 of either alphabet, wrapped, padded or not."""
    compact = blob
    if not (blob.isalnum() and blob.isascii()):
        compact = _NO_BASE64.sub("", blob).replace("-", "+").replace("_", "/")
    compact = compact[: len(compact) - (len(compact) % 4 == 1)]
    try:
        return binascii.a2b_base64(compact + "=" * (-len(compact) % 4))
    except (binascii.Error, ValueError):
        return b""


def from_base32(blob: str) -> bytes:
    """Base32, in one case throughout."""
    compact = re.sub(r"[^A-Za-z2-7]", "", blob)
    if compact not in (compact.upper(), compact.lower()):
        return b""
    try:
        return base64.b32decode(compact.upper() + "=" * (-len(compact) % 8))
    except (binascii.Error, ValueError):
        return b""


def from_ascii85(blob: str) -> bytes:
    """Ascii85 with or without its brackets, or else base85."""
    blob = blob[:_LONGEST_85].removeprefix("<~").removesuffix("~>")
    for decode in (base64.a85decode, base64.b85decode):
        try:
            raw = decode(blob)
        except ValueError:
            continue
        if raw.isascii():
            return raw
    return b""


def from_decimals(blob: str) -> bytes:
    """Character codes as decimal numbers."""
    numbers = [int(number) for number in re.findall(r"[0-9]+", blob)]
    return bytes(numbers) if max(numbers) < 256 else b""


def from_octals(blob: str) -> bytes:
    """Character codes as octal numbers of three digits."""
    numbers = [int(number, 8) for number in re.findall(r"[0-7]{3}", blob)]
    return bytes(numbers) if max(numbers) < 256 else b""


def from_bits(blob: str) -> bytes:
    """Octets, or groups of seven, of binary digits; nothing for fewer than six."""
    groups = re.findall(r"[01]+", blob)
    if sum(len(group) // 7 for group in groups) < 6:
        return b""
    width = 7 if all(len(group) == 7 for group in groups) else 8
    bits = "".join(groups)
    return bytes(
        int(bits[at : at + width], 2) for at in range(0, len(bits) // width * width, width)
    )


def from_morse(blob: str) -> bytes:
    """International Morse code, its words parted by a slash, a bar or two blanks."""
    signs = re.sub(r" {2,}|\n", " / ", blob.replace("\u00b7", ".").replace("\u2212", "-"))
    letters = [_MORSE.get(sign, "") for sign in signs.split()]
    return "".join(letters).encode() if all(letters) else b""
