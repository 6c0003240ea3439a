"""Turns texts into vectors with a static embedding model, and names that model for the index key.

Which model, whether it can be used and what its id is are answered here without importing NumPy;
what is in a model's files is for `ktw.plain_model` and `ktw.static_model`. It knows nothing of
memories or ranking.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from ktw.errors import EXIT_USAGE, KtwError, visible
from ktw.model_files import ModelFiles, read_weights
from ktw.plain_model import PlainEmbedder, is_plain
from ktw.text.late import late

OFF = "off"
SHIPPED = Path(__file__).parent / "model"

# Part of every id: changed by hand when the same files would yield other vectors.
RECIPE = "1: whole text, unknown tokens dropped, sum of token rows, unit length"

_EXTRA = ("model2vec", "numpy", "tokenizers")
_HUB_NAME = late(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
# Where model2vec and sentence-transformers put the weights; the tokenizer is always beside them.
_PLACES = ("", "0_StaticEmbedding")
_WEIGHTS, _TOKENIZER, _MANIFEST = "model.safetensors", "tokenizer.json", "manifest.json"
_WHOLE_DIGEST = 16 << 20
_SAMPLES, _SAMPLE = 64, 4096


class Embedder(Protocol):
    """A text-to-vector model. `id` is for keys, `name` for people, `dim` the length of a vector."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def dim(self) -> int: ...

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """The known tokens of each text, in order."""
        ...

    def vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """The direction of each text, at any length; nothing but zeros where it has none.

        Every token of a text counts, however long it is. Equal texts have equal vectors.
        """
        ...

    def small(self, texts: Sequence[str]) -> bytes:
        """The direction of each text, as `dim` signed bytes."""
        ...

    def rows(self, ids: Sequence[int]) -> bytes:
        """The direction of each token, as `dim` signed bytes."""
        ...


def is_installed() -> bool:
    """True when the `semantic` extra is importable; nothing of it is imported to find out."""
    return all(_importable(name) for name in _EXTRA)


def load_embedder(setting: str = "") -> Embedder | None:
    """The embedder that `setting` names, or None for "off" or without the `semantic` extra.

    "" is the model that ships with ktw, an absolute path a model2vec folder, anything else a name
    on the Hugging Face hub, downloaded once. Raises KtwError when the model cannot be had.
    `setting` must be the person's own: a name that a repository chose would reach the network.
    """
    if setting == OFF or not is_installed():
        return None
    files, id_ = _files(setting), embedder_id(setting)
    weights = read_weights(files)
    if is_plain(weights):
        return PlainEmbedder(files, id_, weights)
    from ktw.static_model import StaticEmbedder  # brings NumPy

    return StaticEmbedder(files, id_)


def embedder_id(setting: str = "") -> str:
    """The id of `load_embedder(setting)` without NumPy or the weights; "" when that is None.

    Content-derived: 16 hex digits that change with the weights, the tokenizer or the recipe.
    Raises KtwError as load_embedder does.
    """
    if setting == OFF or not is_installed():
        return ""
    if setting == "":
        digests = _shipped_digests()
    else:
        files = _files(setting)
        digests = (_digest_of(files.weights, files), _digest_of(files.tokenizer, files))
    return hashlib.sha256("\n".join((RECIPE, *digests)).encode()).hexdigest()[:16]


def digest(path: Path) -> str:
    """The SHA-256 of a file's bytes. Raises OSError."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _importable(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # blocked by a None in sys.modules
        return False


def _files(setting: str) -> ModelFiles:
    if setting == "":
        return _shipped_files()
    path = Path(setting)
    if path.is_absolute():
        remedy = "Put a complete model2vec folder there, or choose another model or 'off'."
        return _files_in(path, path.name, remedy)
    if not _HUB_NAME.fullmatch(setting) or ".." in setting:
        # A relative folder would mean another model in another directory, one a repository may
        # have put there.
        raise KtwError(
            f"embedding model '{visible(setting)}' is neither an absolute path nor a hub name",
            "Give a folder's absolute path, a name such as minishlab/potion-base-8M, or 'off'.",
            EXIT_USAGE,
        )
    folder = _hub_folder(setting)
    remedy = f"Delete {visible(str(folder))} to have it downloaded again, or choose another model."
    return _files_in(folder, setting, remedy)


def _shipped_files() -> ModelFiles:
    remedy = "Reinstall ktw-memory with its `semantic` extra, or switch the model 'off'."
    return _files_in(SHIPPED, _manifest()["name"], remedy)


def _files_in(folder: Path, name: str, remedy: str) -> ModelFiles:
    for place in _PLACES:
        weights, tokenizer = folder / place / _WEIGHTS, folder / place / _TOKENIZER
        if weights.is_file() and tokenizer.is_file():
            return ModelFiles(name, weights, tokenizer, remedy)
    where = visible(str(folder))
    if not folder.is_dir():
        raise KtwError(f"embedding model: there is no folder {where}", remedy)
    raise KtwError(f"embedding model: {where} lacks {_WEIGHTS} or {_TOKENIZER}", remedy)


@lru_cache(maxsize=1)
def _manifest() -> dict[str, str]:
    """What stands in the shipped model's manifest: name, weights and tokenizer digests."""
    path = SHIPPED / _MANIFEST
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return {key: str(values[key]) for key in ("name", "weights", "tokenizer")}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KtwError(
            f"embedding model: {visible(str(path))} cannot be read ({visible(str(error))})",
            "Reinstall ktw-memory, or switch the model 'off'.",
        ) from error


def _shipped_digests() -> tuple[str, str]:
    # Trusted as written: the package's files change only together, and a test compares them.
    return _manifest()["weights"], _manifest()["tokenizer"]


def _digest_of(path: Path, files: ModelFiles) -> str:
    try:
        status = path.stat()
        return _fingerprint(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise KtwError(
            f"embedding model: {visible(str(path))} cannot be read ({error.strerror})", files.remedy
        ) from error


@lru_cache(maxsize=8)
def _fingerprint(path: Path, size: int, mtime_ns: int) -> str:
    """The digest of a file; of a very large one its size, time and samples of its content.

    Half a gigabyte of weights would take a second to hash, on every recall.
    """
    if size <= _WHOLE_DIGEST:
        return digest(path)
    state = hashlib.sha256(f"{size} {mtime_ns}".encode())
    with path.open("rb") as stream:
        for sample in range(_SAMPLES):
            stream.seek(sample * (size - _SAMPLE) // (_SAMPLES - 1))
            state.update(stream.read(_SAMPLE))
    return state.hexdigest()


def _hub_folder(name: str) -> Path:
    """The local snapshot of hub model `name`, downloaded when this machine has none yet."""
    # About 15 ms, paid only by those who chose a hub model; it knows where the cache is.
    from huggingface_hub import constants

    cached = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
    try:
        revision = (cached / "refs" / "main").read_text(encoding="utf-8").strip()
        folder = cached / "snapshots" / revision
        if any((folder / place / _WEIGHTS).exists() for place in _PLACES):
            return folder
    except OSError:
        pass
    return _download(name)


def _download(name: str) -> Path:
    # What StaticModel.from_pretrained does for a name, without its look into the current
    # directory, where a repository could keep a folder of that name.
    from huggingface_hub import snapshot_download

    wanted = [f"{place}/{file}".lstrip("/") for place in _PLACES for file in (_WEIGHTS, _TOKENIZER)]
    try:
        return Path(snapshot_download(name, allow_patterns=wanted))
    except (OSError, ValueError, RuntimeError) as error:
        reason = visible(str(error).strip().partition("\n")[0])
        raise KtwError(
            f"embedding model '{name}' cannot be downloaded: {reason}",
            "Check the name and the network, or give a folder's absolute path, or 'off'.",
        ) from error
