"""Reads one static embedding model from its files and embeds texts with it.

The weights stay in their file, mapped into memory, so that a query touches only its own tokens'
rows. It does not know which model that is or where it came from; importing it imports NumPy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ktw.model_files import MATRICES, TYPES, fault, read_weights, read_whole
from ktw.wordpiece import MAX_TEXT, Pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from ktw.model_files import ModelFiles

# Bounds on what is tokenized at once, and so on the memory that an enormous text can take.
_PART = 1 << 14
_BATCH_PARTS, _BATCH_CHARACTERS = 256, 1 << 18
_KNOWN_WORDS = 1 << 16


class StaticEmbedder:
    """A model2vec model of `files`, whose vectors are those of StaticModel without truncation."""

    def __init__(self, files: ModelFiles, id: str) -> None:
        """Map the weights; the tokenizer waits until a text needs it. Raises ModelFault."""
        self.id = id
        self.name = files.name
        self._files = files
        self._tokens = _Tokens(files)
        tensors = _tensors(files)
        self._rows, self._weights, self._mapping = _model_parts(tensors, files)
        self.dim = int(self._rows.shape[1])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows of shape (len(texts), dim); a zero row where a text has no known token.

        Raises ModelFault when the tokenizer cannot be read or does not belong to these weights.
        """
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, total in self._totals(texts):
            length = math.sqrt(float(np.add.reduce(total * total)))
            if 0 < length < math.inf:
                vectors[row] = total / length
        return vectors

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """The known tokens of each text, in order. Raises ModelFault."""
        found: list[list[int]] = [[] for _ in texts]
        for row, ids in self._tokens.parts(texts):
            found[row] += ids
        return found

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """What `encode` gives, in Python's numbers. Raises ModelFault."""
        vectors: list[list[float]] = self.encode(texts).tolist()
        return vectors

    def sums(self, texts: Sequence[str]) -> list[list[int]]:
        """The sum of the rows of each text's tokens, where these are whole numbers and weigh the
        same. Raises ModelFault."""
        found = np.zeros((len(texts), self.dim), dtype=np.int64)
        for row, total in self._totals(texts):
            found[row] = total
        sums: list[list[int]] = found.tolist()
        return sums

    def small(self, texts: Sequence[str]) -> bytes:
        """The direction of each text, as signed bytes. Raises ModelFault."""
        return bytes(small(self.encode(texts)))

    def rows(self, ids: Sequence[int]) -> bytes:
        """The direction of each token, as signed bytes. Raises ModelFault."""
        numbers = self._numbers(np.array(ids, dtype=np.int64))
        return bytes(small(self._rows[numbers].astype(np.float32)))

    def _totals(self, texts: Sequence[str]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """(row, sum of the tokens' rows).

        int8 rows add up exactly, so a text has one vector whatever it is embedded with.
        """
        for row, parts in groupby(self._tokens.parts(texts), key=itemgetter(0)):
            each = (self._sum(np.array(ids, dtype=np.int64)) for _, ids in parts if ids)
            yield row, sum(each, np.zeros(self.dim))

    def _sum(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        rows = self._rows[self._numbers(ids)]
        if self._weights is not None:
            rows = rows * self._weights[ids][:, None]
        total: NDArray[np.float64] = np.add.reduce(rows, axis=0, dtype=np.float64)
        return total

    def _numbers(self, ids: NDArray[Any]) -> NDArray[Any]:
        """The rows of tokens. Raises ModelFault for a token that the weights lack."""
        known = len(self._rows if self._mapping is None else self._mapping)
        if len(ids) and int(ids.max()) >= known:
            raise fault(self._files.tokenizer, "has tokens that the weights lack", self._files)
        return ids if self._mapping is None else self._mapping[ids]


class _Tokens:
    """The known tokens of texts, with the real tokenizer built only when a text needs it."""

    def __init__(self, files: ModelFiles) -> None:
        self._files = files
        self._tokenizer: Tokenizer | None = None
        self._unknown: int | None = None
        self._known: dict[str, list[int]] = {}

    def parts(self, texts: Sequence[str]) -> Iterator[tuple[int, list[int]]]:
        """(row, token ids), in order; a long text comes in several parts of the same row."""
        quick = self._quick(texts)
        if quick is not None:
            yield from enumerate(quick)
            return
        encode = self._by_word if self._pieces.is_plain else self._encode
        for batch in _batches(texts):
            found = encode([part for _, part in batch])
            yield from zip((row for row, _ in batch), found, strict=True)

    def _quick(self, texts: Sequence[str]) -> list[list[int]] | None:
        """The tokens of a plain query, or of its words, without the tokenizer (25 ms to build)."""
        if self._tokenizer is not None or sum(map(len, texts)) > MAX_TEXT:
            return None
        found: list[list[int]] = []
        for text in texts:
            ids = self._pieces.ids(text)
            if ids is None:
                return None
            found.append(ids)
        return found

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces(read_whole(self._files.tokenizer, self._files))

    def _by_word(self, texts: Sequence[str]) -> list[list[int]]:
        """Each word is tokenized once: what a plain BERT makes of one depends on no other."""
        if len(self._known) > _KNOWN_WORDS:
            self._known = {}
        words = [text.replace("\n", " ").split(" ") for text in texts]
        new = sorted(set(chain.from_iterable(words)).difference(self._known))
        self._known.update(zip(new, self._encode(new), strict=True))
        return [list(chain.from_iterable(map(self._known.__getitem__, each))) for each in words]

    def _encode(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._loaded().encode_batch_fast(texts, add_special_tokens=False)
        return [[id for id in encoding.ids if id != self._unknown] for encoding in encodings]

    def _loaded(self) -> Tokenizer:
        if self._tokenizer is None:
            self._tokenizer, self._unknown = _load_tokenizer(self._files)
        return self._tokenizer


def small(rows: NDArray[np.float32]) -> NDArray[np.int8]:
    """Rows whose largest component is 127: the direction is kept to within 0.001 of a cosine."""
    known = np.nan_to_num(rows)
    peaks = np.abs(known).max(axis=1, keepdims=True, initial=0)
    return np.rint(known * (127 / np.where(peaks > 0, peaks, 1))).astype(np.int8)


def _batches(texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    batch: list[tuple[int, str]] = []
    characters = 0
    for row, text in enumerate(texts):
        for part in _cut(_encodable(text)):
            batch.append((row, part))
            characters += len(part)
            if len(batch) == _BATCH_PARTS or characters > _BATCH_CHARACTERS:
                yield batch
                batch, characters = [], 0
    if batch:
        yield batch


def _cut(text: str) -> Iterator[str]:
    """`text` in parts of at most _PART characters, cut at a blank or line end if there is one."""
    start = 0
    while len(text) - start > _PART:
        end = start + _PART
        blank = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
        end = blank if blank > start else end
        yield text[start:end]
        start = end
    yield text[start:] if start else text


def _encodable(text: str) -> str:
    """`text` without lone surrogates, which a command line can hold and UTF-8 cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _load_tokenizer(files: ModelFiles) -> tuple[Tokenizer, int | None]:
    """The tokenizer without padding and truncation, and the id of its unknown token."""
    from tokenizers import Tokenizer

    source = read_whole(files.tokenizer, files)
    try:
        tokenizer = Tokenizer.from_buffer(source)
    except Exception as error:  # the library raises nothing more specific
        raise fault(files.tokenizer, f"is no tokenizer ({error})", files) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    model = json.loads(tokenizer.to_str())["model"] if _is_unigram(tokenizer) else {}
    if "unk_id" in model:
        return tokenizer, model["unk_id"]
    unknown = getattr(tokenizer.model, "unk_token", None)
    return tokenizer, None if unknown is None else tokenizer.token_to_id(unknown)


def _is_unigram(tokenizer: Tokenizer) -> bool:
    return not hasattr(tokenizer.model, "unk_token")


def _model_parts(
    tensors: dict[str, NDArray[Any]], files: ModelFiles
) -> tuple[NDArray[Any], NDArray[Any] | None, NDArray[Any] | None]:
    """The matrix of rows and, for a vocabulary-quantized model, token weights and row numbers."""
    rows = next((tensors[name] for name in MATRICES if name in tensors), None)
    if rows is None or rows.ndim != 2 or 0 in rows.shape:
        raise fault(files.weights, "holds no matrix of token vectors", files)
    weights, mapping = tensors.get("weights"), tensors.get("mapping")
    if mapping is not None and not _fits(mapping, len(rows)):
        raise fault(files.weights, "maps tokens to rows that it does not hold", files)
    tokens = len(rows if mapping is None else mapping)
    if weights is not None and (weights.ndim != 1 or len(weights) != tokens):
        raise fault(files.weights, "holds weights for another vocabulary", files)
    return rows, weights, mapping


def _fits(mapping: NDArray[Any], rows: int) -> bool:
    if mapping.ndim != 1 or mapping.dtype.kind != "i" or not len(mapping):
        return False
    return int(mapping.min()) >= 0 and int(mapping.max()) < rows


def _tensors(files: ModelFiles) -> dict[str, NDArray[Any]]:
    """The tensors of a model as views of its mapped file. Raises ModelFault."""
    weights = read_weights(files)
    return {
        name: np.frombuffer(
            weights.data, dtype=TYPES[each.kind], count=math.prod(each.shape), offset=each.start
        ).reshape(each.shape)
        for name, each in weights.tensors.items()
    }
