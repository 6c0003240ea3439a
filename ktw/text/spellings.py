"""Words that are not spelt as they look: scripts mixed, look-alikes, letters styled, spaced,
numbered, drowned in marks.

Sees letters, never what they say. `fold` undoes each of these for matching; here they are named for
a reviewer.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from ktw.text import Span
from ktw.text.hidden import fold
from ktw.text.lengths import lengths_between_blanks, words_between_blanks

MIXED = "H113"
LOOKALIKE = "H114"
FLOOD = "H115"
STYLED = "H121"
SPACED = "H122"
NUMBERED = "H123"

WHY = {
    MIXED: "a word that mixes letters of scripts that look alike",
    LOOKALIKE: "a word in letters of another script that draw like Latin ones",
    FLOOD: "a letter drowned in combining marks",
    STYLED: "a word in letters that are styled by their code points",
    SPACED: "words whose letters stand apart",
    NUMBERED: "words with digits for letters",
}

_WORD = re.compile(r"[^\W\d_]+")
_OVERLAY = "\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb"
_STRUCK = re.compile(rf"(?:\w[{_OVERLAY}]){{4,}}")
_STRIKING = re.compile(f"[{_OVERLAY}]")
_ENCLOSING = re.compile(
    "[\u249c-\u24e9\U0001f110-\U0001f12b\U0001f130-\U0001f149\U0001f150-\U0001f169"
    "\U0001f170-\U0001f189]"
)
_ENCLOSED = re.compile(_ENCLOSING.pattern + "{4,}")
_FLOODING = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")
_FLOOD = re.compile(_FLOODING.pattern + "{4,}")
_APART = re.compile(
    r"(?<![^\s\"'(*_])[A-Za-z](?: {1,3}[A-Za-z](?![A-Za-z])){9,}"
    r"|(?<![\w.+-])[A-Za-z](?:([-._*~+])[A-Za-z](?![A-Za-z]))(?:\1[A-Za-z](?![A-Za-z])){5,}"
)
# What `_APART` cannot lack: letters chained, or single ones between blanks.
_CHAINED = re.compile(r"[-._*~+][A-Za-z](?:[-._*~+][A-Za-z]){5}")
_SPACED = re.compile(r" [A-Za-z](?: {1,3}[A-Za-z]){7}")
_SINGLE = b"\x01" * 8
_DIGITS = str.maketrans("oieastb", "0134578")
_SIGNS = str.maketrans("oieastb", "013@$78")
# The commonest words as they look with digits for letters.
_FORMS = frozenset(
    form
    for word in "the that this and are you not all with without from have must never always".split()
    for form in (word.translate(_DIGITS), word.translate(_SIGNS), word.replace("e", "3"))
    if form != word
)
_DIGIT_IN_WORD = re.compile(r"(?<!\S)(?:[0134578@$]+[a-z]|[a-z]+[0134578@$])\S*")

# Letters that cannot be told from Latin ones in common fonts: of Cyrillic, Greek, Armenian.
_SAME = frozenset(
    "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0458\u0455\u0501\u051b\u051d\u04bb\u04cf"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408"
    "\u03bf\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0585\u0581\u057d\u0578\u0570"
)
_ALPHABETS = ("CYRILLIC", "GREEK", "ARMENIAN", "COPTIC", "CHEROKEE", "LISU", "CANADIAN", "DESERET",
              "OSAGE", "TIFINAGH", "RUNIC", "WARANG")  # fmt: skip
_SCRIPTS = frozenset((*_ALPHABETS, "LATIN"))


def find_spellings(text: str) -> list[Span]:
    """Words that are spelt so as to look like others, in order: H113 to H115 hide what is written,
    H121 to H123 only defeat matching.

    Linear in the text.
    """
    found = [*_apart(text), *_numbered(text)]
    characters = set() if text.isascii() else set(text)
    if any(map(_could_pass, characters)):
        found += [*_strange_words(text, characters), *_signs(text, "".join(characters))]
    return sorted(Span(start, end, code, WHY[code]) for start, end, code in found)


Piece = tuple[int, int, str]


def _apart(text: str) -> Iterator[Piece]:
    places = {*_lines_with(_CHAINED, text)}
    if _SINGLE in lengths_between_blanks(text):
        places |= {*_lines_with(_SPACED, text)}
    for match in (match for place in places for match in _APART.finditer(text, *place)):
        letters = [c.lower() for c in match[0] if c.isalpha()]
        steps = sum(ord(b) - ord(a) == 1 for a, b in pairwise(letters))
        if steps * 2 < len(letters) and len(set(letters)) > 3:  # else the alphabet, or a pattern
            yield *match.span(), SPACED


def _lines_with(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Where the lines stand in which it is met, which never is across lines."""
    end = -1
    for match in pattern.finditer(text):
        if match.start() > end:
            begin, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
            end = len(text) if end < 0 else end
            yield begin, end


def _numbered(text: str) -> Iterator[Piece]:
    words = [word for word in words_between_blanks(text) if not word.isalpha()]
    if _FORMS.isdisjoint(map(str.lower, words)):
        return
    for line in re.finditer(r"[^\n]+", text):
        lower = line[0].lower()
        words = lower.split()
        numbered = len(_DIGIT_IN_WORD.findall(lower))
        if numbered >= 4 and numbered * 2 >= len(words) and not _FORMS.isdisjoint(words):
            yield *line.span(), NUMBERED


@lru_cache(maxsize=1 << 12)
def _could_pass(character: str) -> bool:
    """Whether a character can be part of a strange word; dashes, quotes, accents cannot."""
    if character.isascii():
        return False
    if unicodedata.category(character) in ("Mn", "Me", "So"):
        return True
    return _alphabet(character) in _ALPHABETS or _is_styled(character)


@lru_cache(maxsize=1 << 12)
def _alphabet(letter: str) -> str:
    """The script whose letters could pass for Latin ones, or LATIN, or "" for any other."""
    script = unicodedata.name(letter, "").partition(" ")[0]
    return "LATIN" if letter.isascii() else script if script in _SCRIPTS else ""


def _words_beyond_ascii(text: str) -> Iterator[re.Match[str]]:
    """The words with letters beside ASCII, of which most lines of most texts have none."""
    begin = 0
    for line in text.splitlines(keepends=True):
        end = begin + len(line)
        if not line.isascii():
            yield from (word for word in _WORD.finditer(text, begin, end) if not word[0].isascii())
        begin = end


def _strange_words(text: str, characters: set[str]) -> Iterator[Piece]:
    """Words of mixed scripts, words that only pass for Latin in a text without that script, and
    words in styled letters.
    """
    honest = {_alphabet(c) for c in characters if c.isalpha() and c not in _SAME}
    strangeness = cache(lambda word: _strangeness(word, honest))  # a text repeats its words
    any_styled = any(map(_is_styled, characters))
    for word in _words_beyond_ascii(text):
        if code := strangeness(word[0]):
            yield *word.span(), code
        styled = any_styled and len(word[0]) >= 4 and sum(map(_is_styled, word[0])) >= 4
        if styled and not _full_width_among_wide(text, *word.span()):
            yield *word.span(), STYLED


def _strangeness(word: str, honest: set[str]) -> str:
    """The code of a word with letters beside ASCII, in a text of these alphabets; "" for none."""
    if len(word) < 3:
        return ""
    scripts = set(map(_alphabet, word))
    if len(scripts) > 1:
        seems = "" not in scripts and fold(word).isascii() and not _in_place(word, honest)
        return MIXED if seems else ""
    return LOOKALIKE if scripts.isdisjoint(honest) and _SAME.issuperset(word) else ""


def _in_place(word: str, honest: set[str]) -> bool:
    """Mixed as people write: a Greek sign with its index, an inflected foreign word."""
    first = len(word) - len(word.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    rest = {_alphabet(letter) for letter in word[first or 1 :]}
    if not first:
        sign = _alphabet(word[0]) == "GREEK" and word[0] not in _SAME
        return sign and rest == {"LATIN"} and len(word) <= 5
    return "LATIN" not in rest and ((first > 1 and word[:first].isupper()) or rest <= honest)


@lru_cache(maxsize=1 << 12)
def _is_styled(letter: str) -> bool:
    plain = unicodedata.normalize("NFKC", letter)
    if plain != letter:
        return len(plain) == 1 and plain.isascii() and plain.isalpha()
    return "SMALL CAPITAL" in unicodedata.name(letter, "")


def _full_width_among_wide(text: str, start: int, end: int) -> bool:
    """Full-width Latin in a line of Chinese or Japanese is how it is typed there."""
    if not "\uff21" <= text[start] <= "\uff5a":
        return False
    near = text[max(0, start - 40) : start] + text[end : end + 40]
    return any("\u3041" <= c <= "\u9fff" for c in near)


def _signs(text: str, occurring: str) -> Iterator[Piece]:
    """Letters struck, enclosed or drowned, in a text in which these characters occur."""
    for sign, pattern in ((_STRIKING, _STRUCK), (_ENCLOSING, _ENCLOSED)):
        for match in pattern.finditer(text) if sign.search(occurring) else ():
            yield *match.span(), STYLED
    for match in _FLOOD.finditer(text) if _FLOODING.search(occurring) else ():
        yield max(0, match.start() - 1), match.end(), FLOOD
