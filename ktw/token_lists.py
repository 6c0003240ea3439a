"""The token sidecar of the index: for each memory the model's tokens of the words that carry
meaning, sentence by sentence.

Derived data beside the vectors, about 150 bytes a memory; the vectors of these tokens are the
model's own rows, so none are kept. It knows nothing of questions.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ktw.catalogue import Catalogue
from ktw.derived import read_sealed, write_sealed
from ktw.embedding import Embedder
from ktw.index import Snapshot
from ktw.memory import MemoryFile
from ktw.store import Project, read_memory
from ktw.terms import told
from ktw.text import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Part of the file's name: changed by hand when the same texts would yield other lists.
_RECIPE = 1
END = 0xFFFFFFFF  # stands after each sentence
_SENTENCE = re.compile(r"[.!?]+(?=\s|$)|\n")
_SHORT = 3  # a sentence of fewer words is part of its neighbour
_BATCH = 256

Lists = dict[int, "NDArray[np.uint32]"]


def token_lists(
    project: Project, snapshot: Snapshot, embedder: Embedder, numbers: Sequence[int]
) -> Lists:
    """The tokens of some memories by row number; missing lists are made first."""
    known = _current(project, snapshot, embedder)
    return {number: known[number] for number in numbers if number in known}


def token_lists_of(embedder: Embedder, texts: Mapping[int, str]) -> Lists:
    """The tokens of texts that are in no sidecar."""
    return dict(zip(texts, _encode(embedder, list(texts.values())), strict=True))


def sentences(text: str) -> list[str]:
    """The words of each sentence that carry meaning, joined by blanks; at least one sentence."""
    found: list[list[str]] = [[]]
    for part in _SENTENCE.split(text):
        words = [word for word in tokens.word_list(part) if tokens.carries_meaning(word)]
        if len(found[-1]) < _SHORT or len(words) < _SHORT:
            found[-1] += words
        else:
            found.append(words)
    return [" ".join(words) for words in found]


def _encode(embedder: Embedder, texts: Sequence[str]) -> list["NDArray[np.uint32]"]:
    import numpy as np

    parts = [sentences(text) for text in texts]
    encoded = iter(embedder.tokens([sentence for part in parts for sentence in part]))
    return [
        np.array([token for _ in part for token in (*next(encoded), END)], dtype=np.uint32)
        for part in parts
    ]


class _Lists:
    """Lists one after the other: row numbers ascending, and where each list begins and ends."""

    def __init__(self, numbers: Sequence[int], bounds: Sequence[int], data: Any) -> None:
        self.numbers, self._bounds, self.data = numbers, bounds, data
        self._at = {number: at for at, number in enumerate(numbers)}

    @property
    def lengths(self) -> list[int]:
        return [end - start for start, end in pairwise(self._bounds)]

    def __contains__(self, number: int) -> bool:
        return number in self._at

    def __getitem__(self, number: int) -> "NDArray[np.uint32]":
        at = self._at[number]
        found: NDArray[np.uint32] = self.data[self._bounds[at] : self._bounds[at + 1]]
        return found


def _current(project: Project, snapshot: Snapshot, embedder: Embedder) -> _Lists:
    """The lists of the live memories, brought up to date on disk."""
    path = _path(snapshot, embedder)
    known = _read(path)
    wanted = sorted(snapshot.catalogue.row_at)
    if known.numbers == wanted:
        return known
    missing = [number for number in wanted if number not in known]
    made = _made(project, snapshot.catalogue, embedder, missing)
    lists = _joined(wanted, [made[n] if n in made else known[n] for n in wanted])
    if path is not None:
        header = json.dumps({"numbers": wanted, "lengths": lists.lengths}, separators=(",", ":"))
        write_sealed(path, header.encode() + b"\n" + lists.data.tobytes())
    return lists


def _joined(numbers: Sequence[int], lists: Sequence["NDArray[np.uint32]"]) -> _Lists:
    import numpy as np

    bounds = [0, *accumulate(map(len, lists))]
    return _Lists(numbers, bounds, np.concatenate([np.zeros(0, dtype=np.uint32), *lists]))


def _path(snapshot: Snapshot, embedder: Embedder) -> Path | None:
    if snapshot.directory is None:
        return None
    key = hashlib.sha256(f"{_RECIPE} {tokens.VERSION} {embedder.id}".encode()).hexdigest()[:16]
    return snapshot.directory / f"tokens-{key}-{snapshot.catalogue.build}.u32"


def _read(path: Path | None) -> _Lists:
    import numpy as np

    header, _, data = ((read_sealed(path) if path else None) or b"").partition(b"\n")
    names = json.loads(header) if header else {"numbers": [], "lengths": []}
    bounds = [0, *accumulate(names["lengths"])]
    return _Lists(names["numbers"], bounds, np.frombuffer(data, dtype=np.uint32))


def _made(
    project: Project, catalogue: Catalogue, embedder: Embedder, numbers: Sequence[int]
) -> dict[int, "NDArray[np.uint32]"]:
    made: dict[int, NDArray[np.uint32]] = {}
    texts = _texts(project, catalogue, numbers)
    for at in range(0, len(numbers), _BATCH):
        batch = {number: texts.get(number, "") for number in numbers[at : at + _BATCH]}
        made |= token_lists_of(embedder, batch)
    return made


def _texts(project: Project, catalogue: Catalogue, numbers: Sequence[int]) -> dict[int, str]:
    files: dict[str, MemoryFile] = {}
    texts = {}
    for number in numbers:
        place = catalogue.place(number)
        if place is None:
            continue
        if place.name not in files:
            files = {place.name: read_memory(project, place.name)}
        for entry in files[place.name].memories:
            if entry.line == place.row.line:
                texts[number] = told(entry)
    return texts
