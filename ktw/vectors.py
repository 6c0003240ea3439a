"""The static-embedding sidecar of the index: a row of float16 numbers for each memory.

Derived data beside the index, keyed on its build and on the embedder; NumPy is imported here alone,
and only where the `semantic` extra is installed.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ktw.catalogue import Catalogue
from ktw.derived import read_sealed, write_sealed
from ktw.embedding import Embedder
from ktw.index import Snapshot
from ktw.memory import MemoryFile
from ktw.store import Project, read_memory
from ktw.terms import meant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 256


def cosines(
    project: Project, snapshot: Snapshot, embedder: Embedder, question: str
) -> dict[int, float]:
    """Row number to the cosine of each memory with `question`; missing rows are made first."""
    import numpy as np

    numbers, matrix = _current(project, snapshot, embedder)
    query = embedder.encode([question])[0]
    values = matrix.astype(np.float32) @ query
    return dict(zip(numbers, np.round(values, 6).tolist(), strict=True))


def cosines_of(embedder: Embedder, texts: Mapping[int, str], question: str) -> dict[int, float]:
    """Row number to cosine with `question` for a few texts that are in no sidecar."""
    import numpy as np

    if not texts:
        return {}
    matrix = embedder.encode(list(texts.values())).astype(np.float16).astype(np.float32)
    values = matrix @ embedder.encode([question])[0]
    return dict(zip(texts, np.round(values, 6).tolist(), strict=True))


def update_vectors(project: Project, snapshot: Snapshot, embedder: Embedder) -> int:
    """Bring the sidecar up to date without a question; how many memories have a vector."""
    return len(_current(project, snapshot, embedder)[0])


def _current(
    project: Project, snapshot: Snapshot, embedder: Embedder
) -> tuple[list[int], "NDArray[np.float16]"]:
    """The live rows in ascending order and their vectors, brought up to date on disk."""
    import numpy as np

    path = _path(snapshot, embedder)
    known, matrix = _read(path, embedder.dim)
    wanted = sorted(snapshot.catalogue.row_at)
    if known == wanted:
        return known, matrix
    place = {number: at for at, number in enumerate(known)}
    kept = [number for number in wanted if number in place]
    missing = [number for number in wanted if number not in place]
    fresh = _encode(project, snapshot.catalogue, embedder, missing)
    numbers = kept + missing
    rows = np.concatenate([matrix[[place[number] for number in kept]], fresh])
    order = np.argsort(np.array(numbers, dtype=np.int64), kind="stable")
    numbers, rows = [numbers[at] for at in order], np.ascontiguousarray(rows[order])
    if path is not None:
        header = json.dumps({"numbers": numbers, "dim": embedder.dim}, separators=(",", ":"))
        write_sealed(path, header.encode() + b"\n" + rows.tobytes())
    return numbers, rows


def _path(snapshot: Snapshot, embedder: Embedder) -> Path | None:
    if snapshot.directory is None:
        return None
    model = hashlib.sha256(embedder.id.encode()).hexdigest()[:16]
    return snapshot.directory / f"vectors-{model}-{snapshot.catalogue.build}.f16"


def _read(path: Path | None, dim: int) -> tuple[list[int], "NDArray[np.float16]"]:
    import numpy as np

    sealed = read_sealed(path) if path else None
    if sealed is None:
        return [], np.zeros((0, dim), dtype=np.float16)
    header, _, data = sealed.partition(b"\n")
    return json.loads(header)["numbers"], np.frombuffer(data, dtype=np.float16).reshape(-1, dim)


def _encode(
    project: Project, catalogue: Catalogue, embedder: Embedder, numbers: Sequence[int]
) -> "NDArray[np.float16]":
    import numpy as np

    texts = _texts(project, catalogue, numbers)
    vectors = [np.zeros((0, embedder.dim), dtype=np.float16)]
    for at in range(0, len(numbers), _BATCH):
        batch = [texts.get(number, "") for number in numbers[at : at + _BATCH]]
        vectors.append(embedder.encode(batch).astype(np.float16))
    return np.concatenate(vectors)


def _texts(project: Project, catalogue: Catalogue, numbers: Sequence[int]) -> Mapping[int, str]:
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
                texts[number] = meant(entry)
    return texts
