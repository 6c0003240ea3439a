"""Plain views of sentences in disguise: letters spaced out, backwards, shifted alphabets, escapes,
digits for letters.

Only undoes; what the undone text says is judged by the rules. Each disguise has a cheap sign of its
own.
"""

import re
import string
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

from ktw.text.directives.glue import is_stuck, unstuck
from ktw.text.directives.lettering import all_read, holds_lettered, known_read, looks_lettered
from ktw.text.directives.segments import segmented
from ktw.text.escape import unescaped
from ktw.text.late import late

_CHAINED = late(r"(?<![^\W_])[^\W_](?:([-._*~+/|,])[^\W_](?:\1[^\W_])*)(?![^\W_])")
_CHAINS = "-._*~+/|, "
_MARKS = frozenset("-._*~+/|,")
# Marks between anything but blanks, and between letters.
_BETWEEN = {
    mark: (late(rf"(?<=\S){re.escape(mark)}(?=\S)"), late(rf"(?<=[a-z]){re.escape(mark)}(?=[a-z])"))
    for mark in _MARKS
}
_INNER = late(r"(?<=[a-z])([-._*~+/|])(?=[a-z])")
_ESCAPE = late(
    r"\\u\{?([0-9a-f]{4}|[0-9a-f]{2,6}(?=\}))\}?|\\x([0-9a-f]{2})|\bu\+([0-9a-f]{4,6})[ ;,]?"
    r"|=([0-9a-f]{2})|\\(0000[0-9a-f]{2}) ?"
)
_ESCAPES = ("\\u", "\\x", "u+", "=", "\\0000")  # what one of these begins with
_ELEMENT = late(r"<[^<>]{0,200}>")
_COMMENT = late(r"<!--[^<>]{0,200}-->")
JOINING = ("+", ".", "&", ",")  # signs between strings
_PIECES = late(r"[\"'] {0,2}[+.&,] {0,2}[\"']")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_RTL = late("\u202e([^\u202c\n]{2,20000})")

_REVERSED = frozenset(
    "eht dna uoy ton siht taht si ni ot fo rof lla era htiw tuohtiw od ti ruoy "
    "retfa erofeb nehw yreve reven nur sptth".split()
)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
# What undoes each cipher: shifts of the alphabet, the commonest one last, and its mirror.
_CIPHERS = [
    *(str.maketrans(_ALPHABET, _ALPHABET[n:] + _ALPHABET[:n]) for n in range(1, 26) if n != 13),
    str.maketrans(_ALPHABET, _ALPHABET[::-1]),
    str.maketrans(_ALPHABET, _ALPHABET[13:] + _ALPHABET[:13]),
]
_SHORT = "is in to of it an do by if no so on at".split()
_LONG = (
    "the and you not this that for all are any with without from before after when must will "
    "your can have only never always rules user every run curl https"
).split()


def _ciphered(cipher: dict[int, int], words: list[str]) -> frozenset[str]:
    """The words as they look in the cipher."""
    back = {plain: strange for strange, plain in cipher.items()}
    return frozenset(word.translate(back) for word in words)


# Short words are some other cipher's short words: they count, but by themselves only in the last.
_FORMS = [_ciphered(cipher, _LONG + _SHORT) for cipher in _CIPHERS]
_TELLING = {word: at for at, cipher in enumerate(_CIPHERS) for word in _ciphered(cipher, _LONG)}
_TELLING |= dict.fromkeys(_FORMS[-1], len(_CIPHERS) - 1)
_UPSIDE_DOWN = str.maketrans(
    "\u0250q\u0254p\u01dd\u025f\u0183\u0265\u1d09\u0131\u027e\u0638\u029e\u026fu\u0279\u0287n"
    "\u028c\u028d\u028edb\u05df",
    "abcdefghiijjkmnrtuvwypql",
)
STRANGE = _REVERSED | _TELLING.keys()
_TURNED = frozenset("\u0250\u01dd\u0265\u0279\u0287")
_TURNING = _TURNED | {"\u202e"}
_WITHOUT_LETTERS = dict.fromkeys(map(ord, string.ascii_letters + string.whitespace))
# As many signs as each of the other disguises has that are undone; four marks of a chain.
_ENOUGH = late(
    r"""(?:[^<]*<){3}|(?:[^|]*\|){5}|(?:[^"']*["']){4}|(?:[^%]*%){4}|(?:[^\\=+]*[\\=+]){4}"""
)
_FOUR_MARKS = late(r"(?:[^-._*~+/|,]*[-._*~+/|,]){4}")


def undisguised(raw: str, folded: str, words: set[str], known: frozenset[str]) -> Iterable[str]:
    """Texts that the sentence may stand for once a disguise is taken off.

    `folded` is the sentence folded, `words` the words of its plain view, `known` the words that a
    rule may ask for.
    """
    # Most sentences bear none of the signs, and looking for all of them costs more.
    signed = not words.isdisjoint(STRANGE) or may_turn(raw) or may_be_marked(raw, folded)
    signed = signed or holds_lettered(folded, known)
    return _undone(raw, folded, words, known) if signed else ()


def _undone(raw: str, folded: str, words: set[str], known: frozenset[str]) -> Iterator[str]:
    if not (raw.isascii() and words.isdisjoint(_REVERSED)):
        yield from _turned_back(raw, folded, words)
    if is_stuck(raw):
        yield unstuck(raw)
    if "%" in folded or "+" in folded or "\\" in folded or "=6" in folded:
        yield from _unescaped(folded)
    if "<" in folded or "|" in folded or '"' in folded or "'" in folded or " " not in folded:
        yield from _without_seams(raw, folded)
    if looks_lettered(folded):
        yield all_read(folded, known)
    elif holds_lettered(folded, known):
        yield known_read(folded, known)
    if looks_spaced(folded):
        yield _unspaced(raw, known)
    yield from _unchained(folded)
    for cipher in _ciphers(words):
        yield folded.translate(cipher)


def may_turn(raw: str) -> bool:
    """Whether characters in it may turn it round."""
    return not raw.isascii() and not _TURNING.isdisjoint(raw)


def unmarked(raw: str, folded: str, known: frozenset[str]) -> Iterable[str]:
    """As `undisguised`, for a sentence of which neither `are_ciphered`, `may_turn` nor
    `holds_lettered` is true.
    """
    return _undone(raw, folded, set(), known) if may_be_marked(raw, folded) else ()


def may_be_marked(raw: str, folded: str) -> bool:
    """False where `unmarked` undoes nothing.

    Letters spaced out are told by blanks, seams within one word by its length. All else needs three
    tags, or four signs of an escape, of joined strings, of cells, of digits for letters, or of a
    chain; a chain is close, or parts letters four times.
    """
    blanks = folded.count(" ")
    if (not blanks and len(folded) > 20) or is_stuck(raw):
        return True
    if blanks >= 8 and blanks * 5 >= len(folded) * 2:
        return True
    signs = folded.translate(_WITHOUT_LETTERS)
    if len(signs) < 3:
        return False
    if _ENOUGH.match(signs) or (_FOUR_MARKS.match(signs) and _is_chained(folded, blanks)):
        return True
    return looks_lettered(folded)


def _is_chained(folded: str, blanks: int) -> bool:
    marks = sum(map(folded.count, _MARKS))
    close = marks * 4 > len(folded) or len(_INNER.findall(folded)) > 3
    return close and marks * 3 > blanks


def _turned_back(raw: str, folded: str, words: set[str]) -> Iterator[str]:
    """Backwards: by a control character, letter by letter, word by word, or upside down."""
    if "\u202e" in raw:
        yield _RTL.sub(lambda m: m[1][::-1], raw)
    if not words.isdisjoint(_REVERSED) and _sure(words, _REVERSED):
        yield folded[::-1]
        yield " ".join(word[::-1] for word in folded.split())
    if not raw.isascii() and len(_TURNED.intersection(raw)) > 2:
        yield raw.lower().translate(_UPSIDE_DOWN)[::-1]


def are_ciphered(words: set[str]) -> bool:
    """Whether words of a plain view are undone as spelt backwards or in a cipher."""
    backwards = not words.isdisjoint(_REVERSED) and _sure(words, _REVERSED)
    return backwards or bool(_ciphers(words))


def _sure(words: set[str], signs: Container[str]) -> bool:
    """Whether enough of the words are the disguised forms of the commonest English ones."""
    return sum(word in signs for word in words) * 8 >= len(words)


def _ciphers(words: set[str]) -> list[dict[int, int]]:
    """The ciphers in which enough of the words are common ones."""
    if _TELLING.keys().isdisjoint(words):
        return []
    told = {_TELLING[word] for word in words & _TELLING.keys()}
    return [_CIPHERS[at] for at in sorted(told) if _sure(words, _FORMS[at])]


def _unescaped(folded: str) -> Iterator[str]:
    escaped = "\\" in folded or "u+00" in folded or "=6" in folded
    if escaped and sum(map(folded.count, _ESCAPES)) > 3 and len(_ESCAPE.findall(folded)) > 3:
        yield _ESCAPE.sub(lambda m: _character(next(filter(None, m.groups()))), folded)
    if folded.count("%") > 3:
        once = unescaped(folded)
        yield unescaped(once).replace("=", " ; ").replace("+", " ")
    elif folded.count("+") > 3 and " " not in folded:
        yield unescaped(folded).replace("+", " ")


def _character(digits: str) -> str:
    point = int(digits, 16)
    return chr(point) if point <= 0x10FFFF else ""


def _without_seams(raw: str, folded: str) -> Iterator[str]:
    """Without what parts words or their letters in the source only: tags, cells, joined strings."""
    if folded.count("<") > 2:
        yield without_elements(folded)
    if folded.count("|") > 4 and all(" " not in cell.strip() for cell in folded.split("|")):
        yield folded.replace("|", " ")
    if _joins_strings(folded):
        yield _PIECES.sub("", folded)
    if " " not in folded and len(folded) > 20 and "://" not in folded:
        parts = re.sub(r"[\W_]+", " ", _CAMEL.sub(" ", raw.strip()))
        if parts.count(" ") >= 4:
            yield parts


def without_elements(folded: str) -> str:
    """A folded text without comments, and with blanks for other tags."""
    return _ELEMENT.sub(" ", _COMMENT.sub("", folded))


def _joins_strings(folded: str) -> bool:
    quotes = folded.count('"') + folded.count("'")
    return quotes > 3 and len(_PIECES.findall(folded)) > 1


def reaches_over_blanks(folded: str) -> bool:
    """Whether a disguise is undone that needs several words: strings joined, escapes that change
    something, or many digits for letters. If so of the first words of a text, then of all of it.
    """
    return (
        _joins_strings(folded)
        or looks_lettered(folded)
        or any(text != folded for text in _unescaped(folded))
    )


def looks_spaced(folded: str) -> bool:
    """Whether its letters are spaced out."""
    blanks = folded.count(" ")
    if blanks < 8 or blanks * 5 < len(folded) * 2:
        return False
    words = folded.split()
    return sum(len(word) == 1 for word in words) * 5 >= len(words) * 4


def _unspaced(raw: str, known: frozenset[str]) -> str:
    """Letters joined over the commonest gap; every other gap stood between words."""
    gaps = Counter(re.findall(r"\s+", raw.strip()))
    between = gaps.most_common(1)[0][0] if gaps else " "
    parts = re.split(r"(\s+)", raw.strip().replace("|", "\u2002"))
    text = "".join("" if part == between else part for part in parts)
    return segmented(text, known) if len(gaps) == 1 and " " not in text else text


def _unchained(folded: str) -> Iterator[str]:
    """Without the marks that chain the letters of words, or part words in their middle."""
    marks = sum(map(folded.count, "-._*~+/|,"))
    if marks < 4 or marks * 3 <= (blanks := folded.count(" ")):
        return
    if marks * 4 > len(folded):
        yield _CHAINED.sub(lambda m: m[0].replace(m[1], ""), folded).rstrip(_CHAINS) + "."
        mark = max("-._*~+/|,", key=folded.count)
        yield _BETWEEN[mark][0].sub("", folded)
    inner = _INNER.findall(folded)
    for mark, count in Counter(inner).most_common(1) if len(inner) >= 4 else ():
        if count >= 4 and count * 3 > blanks:
            yield _BETWEEN[mark][1].sub("", folded)


def without_marks(texts: Sequence[str]) -> list[set[str]]:
    """All that `_unchained` may make of each of some lines, whatever stands beside it."""
    joined = "\n".join(texts)
    chained = _CHAINED.sub(lambda chain: chain[0].replace(chain[1], ""), joined)
    ways = [[line.rstrip(_CHAINS) + "." for line in text.split("\n")] for text in (chained, joined)]
    ways += [
        pattern.sub("", joined).split("\n")
        for mark in _MARKS.intersection(joined)
        for pattern in _BETWEEN[mark]
    ]
    return list(map(set, zip(*ways, strict=True))) if texts else []
