"""Splits short ASCII text into the pieces of a BERT vocabulary, read from tokenizer.json's bytes.

Building the real tokenizer costs more than the rest of a short query; this gives the same ids or
none at all. It knows nothing of vectors.
"""

import json
import re
from collections.abc import Iterator

MAX_TEXT = 1000
MAX_SCANS = 100  # of the vocabulary, each about 0.1 ms: past that the real tokenizer is cheaper

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
_WORD = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_BLANK = re.compile(r"\s")
_NUMBER = re.compile(rb"\d{1,9}")


class AsciiPieces:
    """The pieces of short ASCII texts, or None wherever the real tokenizer has to be asked."""

    def __init__(self, tokenizer: bytes) -> None:
        """`tokenizer`: the bytes of a tokenizer.json, of any kind and validity."""
        self._tokenizer = tokenizer
        self._start = tokenizer.find(_VOCAB)
        self._longest_word = _longest_word(tokenizer, self._start)
        self._exact: dict[str, int | None] = {}
        self._starting: dict[str, list[str]] = {}

    @property
    def is_plain(self) -> bool:
        """True for a plain BERT, to which each word between blanks is a text of its own."""
        return bool(self._longest_word)

    def ids(self, text: str) -> list[int] | None:
        """The ids of `text`'s known tokens in order; None when this cannot tell.

        After MAX_SCANS of the vocabulary, over all texts, the answer is None for good.
        """
        # A bracket may open an added token such as [PAD], which is matched before any splitting.
        if not self._longest_word or len(text) > MAX_TEXT or not text.isascii() or "[" in text:
            return None
        words = _WORD.findall(text.translate(_DROPPED).lower())
        ids = [piece for word in words for piece in self._pieces(word)]
        return None if self._exhausted() else ids

    def _exhausted(self) -> bool:
        return len(self._exact) + len(self._starting) > MAX_SCANS

    def _pieces(self, word: str) -> list[int]:
        """WordPiece: the longest known prefix, again and again; nothing when one is unknown."""
        if len(word) > self._longest_word:
            return []
        ids: list[int] = []
        rest = word
        while rest and not self._exhausted():
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
        if piece not in self._exact:
            key = b"," + json.dumps(piece).encode() + b":"
            at = self._tokenizer.find(key, self._start)
            value = _NUMBER.match(self._tokenizer, at + len(key)) if at >= 0 else None
            self._exact[piece] = int(value[0]) if value else None
        return self._exact[piece]


def _longest_word(tokenizer: bytes, vocab: int) -> int:
    """The longest word that the tokenizer splits, in characters; 0 when it is no plain BERT.

    Everything but the vocabulary is read as JSON; the vocabulary has to be the last value.
    """
    if vocab < 0 or not tokenizer.endswith(b"}}}"):
        return 0
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
        return int(settings["model"]["max_input_chars_per_word"]) if plain else 0
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return 0
