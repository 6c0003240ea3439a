"""The terms of a text, for indexing and for queries: identifiers split, words stemmed.

Whatever a text is found by, a question looks for. VERSION is part of the index key, so a change
rebuilds the index.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ktw.text.hidden import strip_hidden
from ktw.text.languages import languages_asked, says_little, stem

VERSION = 4
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
# Latin letters that are no other letter with a mark, and that many keyboards lack.
_LETTERS = str.maketrans("øØłŁđĐı", "oOlLdDi") | str.maketrans(
    {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
)
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

# What only says that a question is asked about what is told, as terms; and the form of a question
# for a kind of thing.
TELLING = frozenset("say said mention describ tell told".split())
KIND_OF = re.compile(r"\b(?:what|which) (?:\w{1,20} )?(?:kind|type|sort)s? of\b", re.IGNORECASE)


class Pieces(NamedTuple):
    """The words and identifiers of a text, and its runs of characters without blanks, in order."""

    words: list[str]
    runs: list[str]


def tokenize(text: str, languages: Sequence[str] = ()) -> list[str]:
    """The terms that `text` is found by, repeats kept; linear in its length."""
    return terms_of(split(text), languages)


def terms_of(pieces: Pieces, languages: Sequence[str] = ()) -> list[str]:
    """As `tokenize`, of a text that was split already.

    Beside the words' own terms stand their stems in `languages` ("de:datenbank") and the single
    characters of a run without blanks ("1:x"): no question has these by chance.
    """
    terms = [term for chunk in pieces.words for term in _chunk_terms(chunk)]
    if languages:
        named = tuple(languages)
        terms += [term for chunk in pieces.words for term in _chunk_stems(chunk, named)]
    for run in pieces.runs:
        terms += [*_pairs(run), *_singles(run)]
    return terms


def words(question: str) -> set[str]:
    """The distinct terms to look for: those that `tokenize` gives, in whatever language it is.

    "Say", "mention" and the like and the "kind" of "what kind of" are left out where there is more
    to look for.
    """
    terms = _terms_of_question(KIND_OF.sub("what", question))
    sought = {term for term in terms if term.rpartition(":")[2] not in TELLING}
    return sought or _terms_of_question(question)


def is_one_word(question: str) -> bool:
    """Whether a question has one word or identifier, beside those that the index leaves out."""
    chunks, runs = split(question)
    return not runs and sum(map(carries_meaning, chunks)) == 1


def _terms_of_question(question: str) -> set[str]:
    chunks, runs = split(question)
    languages = languages_asked(chunks)
    chunks = [chunk for chunk in chunks if not says_little(chunk, languages)]
    terms = {term for chunk in chunks for term in _chunk_terms(chunk)}
    terms.update(term for chunk in chunks for term in _chunk_stems(chunk, languages))
    for run in runs:
        terms.update(_pairs(run) or _singles(run))
    return terms


def is_extra(term: str) -> bool:
    """Whether a term only repeats, stemmed or in parts, what another term says."""
    return ":" in term


def split(text: str) -> Pieces:
    """What there is to make terms of."""
    if _PLAIN_TEXT.fullmatch(text) is not None:
        return Pieces(_PLAIN_CHUNK.findall(text), [])
    pieces = Pieces([], [])
    for matched in _any_chunk().finditer(unicodedata.normalize("NFKC", strip_hidden(text))):
        (pieces.runs if matched["run"] else pieces.words).append(matched[0])
    return pieces


@cache
def _any_chunk() -> re.Pattern[str]:
    """A run without blanks, or a word of any other script; 5 ms to compile, so only when needed."""
    return re.compile(
        rf"(?P<run>[{_UNSPACED}]+)|(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])"
        rf"(?:(?![{_UNSPACED}])(?:[^\W_]|[{_MARKS}])|[_-](?=[^\W_]))*"
    )


def word_list(text: str) -> list[str]:
    """The words of `text` as they are written, without what stands between them."""
    return _WORD.findall(text)


def carries_meaning(word: str) -> bool:
    """False for the words that the index leaves out."""
    return word.lower() not in _STOP_WORDS


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _singles(run: str) -> list[str]:
    return [f"1:{character}" for character in run]


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
    word = (_OPTIONAL_MARKS.sub("", word) or word).translate(_LETTERS)
    spread = unicodedata.normalize("NFD", word)
    if not any(char < "\u0400" and unicodedata.category(char) != "Mn" for char in spread):
        return word
    return "".join(char for char in spread if unicodedata.category(char) != "Mn")


def _stem(word: str) -> str:
    if word.isascii():
        return stem(word, "en") if len(word) > 3 and word.isalpha() else word
    if "\u0430" <= word[0] <= "\u045f":
        return stem(word.replace("\u0451", "\u0435"), "ru")
    return word


@lru_cache(maxsize=1 << 14)
def _chunk_stems(chunk: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The stems of the plain words of a chunk in each language, accents folded afterwards."""
    pieces = [piece for piece in chunk.split("-") if _may_be_inflected(piece)]
    return tuple(
        f"{language}:{_folded(_plain(stem(piece.lower(), language)))}"
        for piece in pieces
        for language in languages
        if not says_little(piece, (language,))
    )


def _may_be_inflected(piece: str) -> bool:
    """A word of Latin letters that is no part of an identifier; a longer one is none of a human."""
    is_word = 2 < len(piece) < MAX_TERM - 8 and piece.isalpha() and piece[0] < "\u0250"
    return is_word and piece[1:] == piece[1:].lower()
