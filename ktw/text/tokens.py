"""The terms of a text, for indexing and for queries alike: identifiers split, words stemmed.

One analyzer for both sides; its VERSION is part of the index key, so a change rebuilds the index.
"""

import re
import unicodedata
from functools import cache, lru_cache

from ktw.text.hidden import strip_hidden

VERSION = 3
MAX_TERM = 48

# Scripts written without blanks between words: matched by pairs of neighbouring characters.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0dff"
_PLAIN_CHUNK = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9]|[_-](?=[A-Za-z0-9]))*")
# Points and strokes that Hebrew and Arabic are mostly written without.
_OPTIONAL_MARKS = re.compile("[\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670]")
_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_PLAIN_TEXT = re.compile(r"[\t\n\r -~]*")
_STOP_WORDS = frozenset(
    (
        "a about above after again against all also am an and any are as at be because been "
        "before being below between both but by can could did do does doing down during each "
        "either ever few for from further get gets got had has have having he her here hers "
        "him his how i if in into is it its itself just let like may me might more most must "
        "my myself no nor not now of off on once one only or other our ours out over own per "
        "same shall she should since so some such than that the their theirs them then there "
        "these they this those through to too under until up upon us very was we were what "
        "when where whether which while who whom whose why will with within without would yes "
        "yet you your yours "
    ).split()
)


def tokenize(text: str) -> list[str]:
    """The terms of `text` in order, repeats kept; linear in its length."""
    if _PLAIN_TEXT.fullmatch(text) is not None:
        return [term for chunk in _PLAIN_CHUNK.findall(text) for term in _chunk_terms(chunk)]
    terms: list[str] = []
    for matched in _any_chunk().finditer(unicodedata.normalize("NFKC", strip_hidden(text))):
        run = matched["run"]
        terms.extend(_pairs(run) if run else _chunk_terms(matched[0]))
    return terms


@cache
def _any_chunk() -> re.Pattern[str]:
    """A run without blanks, or a word of any other script; 5 ms to compile, so only when needed."""
    return re.compile(
        rf"(?P<run>[{_UNSPACED}]+)|(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])"
        rf"(?:(?![{_UNSPACED}])(?:[^\W_]|[{_MARKS}])|[_-](?=[^\W_]))*"
    )


def words(text: str) -> set[str]:
    """The distinct terms of `text`."""
    return set(tokenize(text))


def word_list(text: str) -> list[str]:
    """The words of `text` as they are written, without what stands between them."""
    return _WORD.findall(text)


def carries_meaning(word: str) -> bool:
    """False for the words that the index leaves out."""
    return word.lower() not in _STOP_WORDS


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _chunk_terms(chunk: str) -> tuple[str, ...]:
    return _short_terms(chunk) if len(chunk) <= MAX_TERM else _word_terms(chunk)


@lru_cache(maxsize=1 << 14)
def _short_terms(chunk: str) -> tuple[str, ...]:
    return _word_terms(chunk)


def _word_terms(chunk: str) -> tuple[str, ...]:
    """A word, or an identifier as a whole (separators dropped) and in its parts."""
    pieces = [piece for piece in re.split("[_-]", chunk) if piece]
    parts = [(part, piece.isascii()) for piece in pieces for part in _parts(_plain(piece))]
    # A word that only its accents tell from a stop word is none.
    folded = [(_folded(part), plain) for part, plain in parts]
    terms = [_stem(word) for word, plain in folded if not (plain and word in _STOP_WORDS)]
    if len(parts) > 1:
        terms.insert(0, _stem(_folded("".join(part for part, _ in parts))))
    return tuple(terms)


def _parts(word: str) -> list[str]:
    return _PART.findall(word) if word.isascii() else [word]


def _folded(part: str) -> str:
    return part.casefold()[:MAX_TERM]


def _plain(word: str) -> str:
    """`word` without the marks that a reader does without: accents of Latin and Greek, points."""
    if word.isascii():
        return word
    word = _OPTIONAL_MARKS.sub("", word) or word
    spread = unicodedata.normalize("NFD", word)
    if not any(char < "\u0400" and unicodedata.category(char) != "Mn" for char in spread):
        return word
    return "".join(char for char in spread if unicodedata.category(char) != "Mn")


def _stem(word: str) -> str:
    if word.isascii():
        return _english(word) if len(word) > 3 and word.isalpha() else word
    if "\u0430" <= word[0] <= "\u045f":
        return _russian(word)
    return word


@lru_cache(maxsize=1 << 14)
def _english(word: str) -> str:
    return str(_stemmers()[0].stem(word))


@lru_cache(maxsize=1 << 14)
def _russian(word: str) -> str:
    return str(_stemmers()[1].stem(word.replace("\u0451", "\u0435")))


@lru_cache(maxsize=1)
def _stemmers() -> tuple["_Stemmer", "_Stemmer"]:
    from whoosh.lang.snowball.english import EnglishStemmer
    from whoosh.lang.snowball.russian import RussianStemmer

    return EnglishStemmer(), RussianStemmer()


class _Stemmer:
    def stem(self, word: str) -> str:
        raise NotImplementedError
