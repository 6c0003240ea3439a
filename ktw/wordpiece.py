"""Splits texts of common scripts into the pieces of a BERT vocabulary, read from tokenizer.json's
bytes.

Building the real tokenizer costs more than the rest of a short query; this gives the same ids or
none at all. It knows nothing of vectors.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

MAX_TEXT = 1 << 15  # past that the real tokenizer is cheaper
MAX_SCANS = 100  # of the vocabulary's bytes, each about 0.1 ms: past that they are parsed, in 5 ms
_SHORT_TEXT = 500  # what may do with fewer

_MARK = "##"
_STEM = 3
_VOCAB = b'"vocab":{'
_NORMALIZER = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
_DROPPED = {code: None for code in range(0x20) if chr(code) not in "\t\n\r"} | {0x7F: None}
# Latin, Greek, Cyrillic, their accents and the punctuation of prose: a test holds each of these
# characters to what the real tokenizer makes of it.
_COMMON = re.compile(
    r"[\0-\x7f\xa0-\u024f\u0300-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0482"
    r"\u048a-\u0527\u2010-\u2027]*"
)
_WORD = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_ANY_WORD = re.compile(r"[^\s!-/:-@\[-`{-~]+|[!-/:-@\[-`{-~]")
_BLANK = re.compile(r"\s")
_NUMBER = re.compile(rb"\d{1,9}")


class Pieces:
    """The pieces of common texts, or None wherever the real tokenizer has to be asked."""

    def __init__(self, tokenizer: bytes) -> None:
        """`tokenizer`: the bytes of a tokenizer.json, of any kind and validity."""
        self._tokenizer = tokenizer
        self._start = tokenizer.find(_VOCAB)
        self._longest_word, self._added = _settings(tokenizer, self._start)
        self._vocabulary: dict[str, int] = {}
        self._exact: dict[str, int | None] = {}
        self._starting: dict[str, list[str]] = {}

    @property
    def is_plain(self) -> bool:
        """True for a plain BERT, to which each word between blanks is a text of its own."""
        return bool(self._longest_word)

    def ids(self, text: str) -> list[int] | None:
        """The ids of `text`'s known tokens in order; None when this cannot tell."""
        if not self._longest_word or len(text) > MAX_TEXT:
            return None
        words = _words(text)
        # An added token such as [PAD] is matched before any splitting.
        if words is None or any(added in text.lower() for added in self._added):
            return None
        self.expect(len(text))
        if not text.isascii():
            self._parse()
        ids = [piece for word in words for piece in self._pieces(word)]
        return ids if self._longest_word else None

    def expect(self, characters: int) -> None:
        """Make ready for so many."""
        if characters > _SHORT_TEXT:
            self._parse()

    def _parse(self) -> None:
        """Read the whole vocabulary; where it is garbled this can tell nothing from now on."""
        if not self._vocabulary and self._longest_word:
            self._vocabulary = _vocabulary(self._tokenizer[self._start :])
            self._longest_word *= bool(self._vocabulary)

    def _pieces(self, word: str) -> list[int]:
        """WordPiece: the longest known prefix, again and again; nothing when one is unknown."""
        if len(self._exact) + len(self._starting) > MAX_SCANS:
            self._parse()
        if len(word) > self._longest_word:
            return []
        ids: list[int] = []
        rest = word
        while rest:
            mark = _MARK if ids else ""
            piece = self._longest_prefix(mark + rest, len(mark))
            known = self._id(piece)
            if known is None:
                return []
            ids.append(known)
            rest = rest[len(piece) - len(mark) :]
        return ids

    def _longest_prefix(self, marked: str, mark: int) -> str:
        """The longest key that begins `marked`, whose first `mark` characters are the mark.

        Without one, a piece that is no key.
        """
        if self._vocabulary:
            prefixes = (marked[:end] for end in range(len(marked), mark, -1))
            return next((each for each in prefixes if each in self._vocabulary), "")
        if self._id(marked) is not None:
            return marked
        if len(marked) > mark + _STEM:
            keys = [key for key in self._keys(marked[: mark + _STEM]) if marked.startswith(key)]
            if keys:
                return max(keys, key=len)
        two, one = marked[: mark + 2], marked[: mark + 1]
        return one if self._id(two) is None else two

    def _keys(self, stem: str) -> list[str]:
        """The plain keys that begin with `stem`, which is plain itself."""
        if stem not in self._starting:
            self._starting[stem] = list(self._scan(stem.encode()))
        return self._starting[stem]

    def _scan(self, stem: bytes) -> Iterator[str]:
        # A quote inside a key is escaped, so a comma and a bare quote always open a key.
        at = self._tokenizer.find(b',"' + stem, self._start)
        while at >= 0:
            end = self._tokenizer.find(b'"', at + 2)
            key = self._tokenizer[at + 2 : end]
            if key.isascii() and b"\\" not in key:
                yield key.decode()
            at = self._tokenizer.find(b',"' + stem, end)

    def _id(self, piece: str) -> int | None:
        if self._vocabulary:
            return self._vocabulary.get(piece)
        if piece not in self._exact:
            key = b"," + json.dumps(piece).encode() + b":"
            at = self._tokenizer.find(key, self._start)
            value = _NUMBER.match(self._tokenizer, at + len(key)) if at >= 0 else None
            self._exact[piece] = int(value[0]) if value else None
        return self._exact[piece]


def _words(text: str) -> list[str] | None:
    """What BERT's normalizer and splitter make of a text; None where a character is not common."""
    if text.isascii():
        return _WORD.findall(text.translate(_DROPPED).lower())
    if _COMMON.fullmatch(text) is None:
        return None
    letters = unicodedata.normalize("NFD", text.translate(_DROPPED))
    return _ANY_WORD.findall("".join(map(_normal, letters)))


@lru_cache(maxsize=1 << 10)
def _normal(character: str) -> str:
    """A decomposed character: accents and controls are dropped, punctuation stands alone.

    Each for itself, as the tokenizer does: Python's `lower` of a word knows a final sigma.
    """
    category = unicodedata.category(character)
    if character in "\t\n\r" or category.startswith("Z"):
        return " "
    if category == "Mn" or category.startswith("C"):
        return ""
    return f" {character} " if category.startswith("P") else character.lower()


def _vocabulary(vocab: bytes) -> dict[str, int]:
    """What stands from `_VOCAB` to the end of the file; nothing where it is garbled."""
    try:
        found: dict[str, int] = json.loads(vocab[len(_VOCAB) - 1 : -2])
    except (ValueError, RecursionError):
        return {}
    return found if set(map(type, found.values())) == {int} else {}


def _settings(tokenizer: bytes, vocab: int) -> tuple[int, list[str]]:
    """The longest word that the tokenizer splits, in characters, and its added tokens in lower
    case; 0 when it is no plain BERT.

    Everything but the vocabulary is read as JSON; the vocabulary has to be the last value.
    """
    if vocab < 0 or not tokenizer.endswith(b"}}}"):
        return 0, []
    try:
        settings = json.loads(tokenizer[:vocab] + _VOCAB + b"}}}")
        added = [token["content"] for token in settings["added_tokens"]]
        plain = (
            settings["normalizer"] == _NORMALIZER
            and settings["pre_tokenizer"] == {"type": "BertPreTokenizer"}
            and settings["model"]["type"] == "WordPiece"
            and settings["model"]["continuing_subword_prefix"] == "##"
            and all(content.startswith("[") and not _BLANK.search(content) for content in added)
            # The first key, which no comma precedes, has to be one that is never looked up.
            and tokenizer.startswith(_VOCAB + b'"[', vocab)
        )
        longest = int(settings["model"]["max_input_chars_per_word"]) if plain else 0
        return longest, [content.lower() for content in added]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return 0, []
