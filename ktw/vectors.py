"""The static-embedding sidecar of the index: a row of small numbers for each passage of a memory.

Derived data beside the index, keyed on its build, on the embedder and on how texts become rows;
NumPy is imported here alone, and only where the `semantic` extra is installed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ktw.catalogue import Catalogue
from ktw.derived import read_sealed, write_sealed
from ktw.embedding import Embedder
from ktw.index import Snapshot
from ktw.memory import MemoryFile
from ktw.store import Project, read_memory
from ktw.terms import meant
from ktw.text.passages import PASSAGE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCHEME = f"1: passages of {PASSAGE} characters under the title, int8 rows, only their direction"
# What of a memory's cosine its best passage decides, the rest being the mean of all: by the best
# alone, a long text would have more chances than a short one.
BEST_SHARE = 0.7
_BATCH, _BLOCK = 256, 1 << 13


class Vectors(NamedTuple):
    """Row numbers in ascending order, how many passages each memory has, and their rows in order.

    `rows`: int8 of shape (sum of counts, dim), of any length; zero where a text has no known token.
    """

    numbers: list[int]
    counts: list[int]
    rows: "NDArray[np.int8]"

    def cosines(self, query: "NDArray[np.float32]") -> dict[int, float]:
        """Row number to the cosine of each memory with a unit vector: BEST_SHARE of that of its
        best passage and the rest of the mean."""
        import numpy as np

        if not self.numbers:
            return {}
        each = _row_cosines(self.rows, query)
        counts = np.array(self.counts)
        starts = np.cumsum(counts) - counts
        best = np.maximum.reduceat(each, starts)
        mean = np.add.reduceat(each, starts) / counts
        values = np.round(BEST_SHARE * best + (1 - BEST_SHARE) * mean, 6)
        return dict(zip(self.numbers, values.tolist(), strict=True))


def cosines(
    project: Project, snapshot: Snapshot, embedder: Embedder, question: str
) -> dict[int, float]:
    """Row number to the cosine of each memory with `question`; missing rows are made first."""
    vectors = current_vectors(project, snapshot, embedder)
    return vectors.cosines(embedder.encode([question])[0])


def cosines_of(
    embedder: Embedder, texts: Mapping[int, Sequence[str]], question: str
) -> dict[int, float]:
    """Row number to cosine with `question` for a few memories that are in no sidecar."""
    return embed(embedder, texts).cosines(embedder.encode([question])[0])


def passage_cosines(embedder: Embedder, passages: Sequence[str], question: str) -> list[float]:
    """The cosine of each passage with `question`."""

    rows = _small(embedder.encode(passages))
    each = _row_cosines(rows, embedder.encode([question])[0])
    return [round(float(cosine), 6) for cosine in each]


def embed(embedder: Embedder, texts: Mapping[int, Sequence[str]]) -> Vectors:
    """The vectors of memories, given as their passages by row number."""
    import numpy as np

    passages = list(chain.from_iterable(texts.values()))
    batches = [passages[at : at + _BATCH] for at in range(0, len(passages), _BATCH)]
    empty = np.zeros((0, embedder.dim), dtype=np.int8)
    rows = np.concatenate([empty, *(_small(embedder.encode(batch)) for batch in batches)])
    return Vectors(list(texts), [len(told) for told in texts.values()], rows)


def update_vectors(project: Project, snapshot: Snapshot, embedder: Embedder) -> int:
    """Bring the sidecar up to date without a question; how many memories have a vector."""
    return len(current_vectors(project, snapshot, embedder).numbers)


def current_vectors(project: Project, snapshot: Snapshot, embedder: Embedder) -> Vectors:
    """The vectors of the live memories, brought up to date on disk."""
    path = _path(snapshot, embedder)
    known = _read(path, embedder.dim)
    wanted = sorted(snapshot.catalogue.row_at)
    if known.numbers == wanted:
        return known
    kept = _kept(known, set(wanted))
    missing = sorted(set(wanted) - set(kept.numbers))  # behind all others, as row numbers only grow
    fresh = embed(embedder, _passages(project, snapshot.catalogue, missing))
    vectors = _joined(kept, fresh)
    if path is not None:
        facts = {"numbers": vectors.numbers, "counts": vectors.counts, "dim": embedder.dim}
        header = json.dumps(facts, separators=(",", ":"))
        write_sealed(path, header.encode() + b"\n" + vectors.rows.tobytes())
    return vectors


def _row_cosines(rows: "NDArray[np.int8]", query: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Cosine of every row; in blocks, for as float32 the rows take four times the room."""
    import numpy as np

    found = np.zeros(len(rows), dtype=np.float32)
    for at in range(0, len(rows), _BLOCK):
        block = rows[at : at + _BLOCK].astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", block, block))
        found[at : at + _BLOCK] = (block @ query) / np.where(lengths > 0, lengths, 1)
    return found


def _small(rows: "NDArray[np.float32]") -> "NDArray[np.int8]":
    """Rows whose largest component is 127: the direction is kept to within 0.001 of a cosine."""
    import numpy as np

    peaks = np.abs(rows).max(axis=1, keepdims=True, initial=0)
    return np.rint(rows * (127 / np.where(peaks > 0, peaks, 1))).astype(np.int8)


def _kept(known: Vectors, wanted: set[int]) -> Vectors:
    import numpy as np

    stay = [number in wanted for number in known.numbers]
    rows = known.rows[np.repeat(np.array(stay, dtype=bool), known.counts)]
    pairs = zip(known.numbers, known.counts, strict=True)
    left = [pair for pair, stays in zip(pairs, stay, strict=True) if stays]
    return Vectors([number for number, _ in left], [count for _, count in left], rows)


def _joined(one: Vectors, other: Vectors) -> Vectors:
    import numpy as np

    rows = np.concatenate([one.rows, other.rows])
    return Vectors(one.numbers + other.numbers, one.counts + other.counts, rows)


def _path(snapshot: Snapshot, embedder: Embedder) -> Path | None:
    if snapshot.directory is None:
        return None
    model = hashlib.sha256(f"{SCHEME}\n{embedder.id}".encode()).hexdigest()[:16]
    return snapshot.directory / f"vectors-{model}-{snapshot.catalogue.build}.i8"


def _read(path: Path | None, dim: int) -> Vectors:
    import numpy as np

    sealed = read_sealed(path) if path else None
    if sealed is None:
        return Vectors([], [], np.zeros((0, dim), dtype=np.int8))
    header, _, data = sealed.partition(b"\n")
    facts = json.loads(header)
    rows = np.frombuffer(data, dtype=np.int8).reshape(-1, dim)
    return Vectors(facts["numbers"], facts["counts"], rows)


def _passages(
    project: Project, catalogue: Catalogue, numbers: Iterable[int]
) -> dict[int, list[str]]:
    """Row number to passages; one empty passage for a memory that is gone meanwhile."""
    files: dict[str, MemoryFile] = {}
    texts = {}
    for number in numbers:
        texts[number] = [""]
        place = catalogue.place(number)
        if place is None:
            continue
        if place.name not in files:
            files = {place.name: read_memory(project, place.name)}
        for entry in files[place.name].memories:
            if entry.line == place.row.line:
                texts[number] = meant(entry)
    return texts
