"""The files of one static embedding model: what they are called, the tensors that its weights hold,
and what is said where they cannot be used.

Format of the weights: an 8-byte little-endian length, that much JSON, then the data, to which the
offsets in the JSON refer (https://github.com/huggingface/safetensors). Nothing here imports NumPy.
"""

import json
import math
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ktw.errors import KtwError, visible

MATRICES = ("embeddings", "embedding.weight")  # model2vec's name, sentence-transformers' name
# Kinds of numbers, and what NumPy calls them: the last figure is how many bytes one has.
TYPES = {"I8": "i1", "F16": "<f2", "F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}
_MAX_HEADER = 1 << 20


class ModelFault(KtwError):
    """A model's files cannot be used, which may be found out when one of them is needed."""


class ModelFiles(NamedTuple):
    """One model's files, what to call it, and what to do when they cannot be read."""

    name: str
    weights: Path
    tokenizer: Path
    remedy: str


class Tensor(NamedTuple):
    """The kind of its numbers, a key of TYPES; how many each way; where its bytes begin."""

    kind: str
    shape: tuple[int, ...]
    start: int


class Weights(NamedTuple):
    """The mapped file, and what is where in it."""

    data: mmap.mmap
    tensors: Mapping[str, Tensor]


def fault(path: Path, why: str, files: ModelFiles) -> ModelFault:
    """What to raise where a file of a model cannot be used."""
    return ModelFault(f"embedding model: {visible(str(path))} {visible(why)}", files.remedy)


def read_whole(path: Path, files: ModelFiles) -> bytes:
    """The bytes of a file of a model. Raises ModelFault."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise fault(path, f"cannot be read ({error.strerror})", files) from error


def read_weights(files: ModelFiles) -> Weights:
    """The tensors of a model. Raises ModelFault."""
    path = files.weights
    try:
        with path.open("rb") as stream:
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # ValueError: an empty file
        raise fault(path, f"cannot be read ({error})", files) from error
    size = int.from_bytes(data[:8], "little")
    try:
        if size > min(_MAX_HEADER, len(data) - 8):
            raise ValueError("the header is longer than the file")
        header = json.loads(data[8 : 8 + size])
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        return Weights(
            data, {name: _tensor(entry, 8 + size, len(data)) for name, entry in entries.items()}
        )
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise fault(path, f"is damaged or no safetensors file ({error})", files) from error


def _tensor(entry: dict[str, Any], base: int, length: int) -> Tensor:
    """Raises ValueError, KeyError, TypeError where the entry does not fit the file."""
    kind, shape = entry["dtype"], tuple(entry["shape"])
    begin, end = entry["data_offsets"]
    if any(type(number) is not int for number in (*shape, begin, end)):
        raise ValueError("a tensor's shape and place are no whole numbers")
    size = math.prod(shape) * int(TYPES[kind][-1])
    if min(shape, default=0) < 0 or begin < 0 or end - begin != size or base + end > length:
        raise ValueError("a tensor's shape and place disagree")
    return Tensor(kind, shape, base + begin)
