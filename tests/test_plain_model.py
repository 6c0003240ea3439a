"""A model of signed bytes gives the same vectors without NumPy as with it, and says what fails."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import Repo, memory_text
from ktw import plain_model
from ktw.embedding import SHIPPED, _files, is_installed, load_embedder
from ktw.errors import KtwError
from ktw.index import refresh
from ktw.model_files import read_weights
from ktw.operations.reading import recall
from ktw.plain_model import PlainEmbedder, is_plain
from test_aging import NOW

semantic = pytest.mark.semantic
with_the_extra = pytest.mark.skipif(
    not is_installed(), reason="the semantic extra is not installed"
)
WORDS = st.sampled_from(
    [
        "snapshot",
        "buffer",
        "na\u00efve",
        "\u5feb\u7167",
        "\U0001f525",
        "[PAD]",
        "x" * 101,
        "Deploy!",
    ]
)
TEXTS = st.lists(st.lists(WORDS, max_size=9).map(" ".join), max_size=5)


def load(folder: Path) -> PlainEmbedder:
    files = _files(str(folder))
    return PlainEmbedder(files, "an id", read_weights(files))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "mine"))


def test_the_shipped_model_is_plain() -> None:
    assert is_plain(read_weights(_files(str(SHIPPED))))
    if is_installed():
        assert isinstance(load_embedder(), PlainEmbedder)


def test_a_vector_is_the_sum_of_the_rows_of_its_tokens() -> None:
    embedder = load(SHIPPED)
    (ids,) = embedder.tokens(["the snapshot, the buffer"])
    rows = memoryview(embedder.rows(ids)).cast("b", (len(ids), embedder.dim)).tolist()
    assert embedder.vectors(["the snapshot, the buffer"]) == [
        [sum(column) for column in zip(*rows, strict=True)]
    ]
    assert embedder.vectors(["", " \n"]) == [[0] * embedder.dim] * 2
    assert embedder.vectors([]) == embedder.tokens([]) == []
    assert embedder.small([]) == embedder.rows([]) == b""


@semantic
@with_the_extra
@settings(max_examples=50, deadline=None)
@given(TEXTS)
def test_with_numpy_and_without_it_is_one(texts: list[str]) -> None:
    from ktw.static_model import StaticEmbedder

    alone, whole = load(SHIPPED), StaticEmbedder(_files(str(SHIPPED)), "an id")
    told = alone.vectors(texts), alone.tokens(texts), alone.small(texts)
    assert told[:2] == (whole.sums(texts), whole.tokens(texts))
    alone._split = 1 << 40
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plain_model, "_LITTLE", -1)
        assert (alone.vectors(texts), alone.tokens(texts), alone.small(texts)) == told


@semantic
@with_the_extra
def test_a_row_of_numpy_has_the_same_direction() -> None:
    import numpy as np

    from ktw.static_model import StaticEmbedder

    alone, whole = load(SHIPPED), StaticEmbedder(_files(str(SHIPPED)), "an id")
    ids = list(range(1000, 1100))
    rows = [np.frombuffer(each.rows(ids), np.int8).reshape(-1, 256) for each in (alone, whole)]
    one, other = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in rows)
    assert np.allclose((one * other).sum(axis=1), 1, atol=1e-3)


def test_weights_of_another_vocabulary_are_named(folder: Path) -> None:
    path = folder / "model.safetensors"
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    entry = {"dtype": "I8", "shape": [100, 256], "data_offsets": [0, 25_600]}
    header = json.dumps({"embeddings": entry}).encode().ljust(size)
    path.write_bytes(data[:8] + header + data[8 + size : 8 + size + 25_600])
    with pytest.raises(KtwError, match="has tokens that the weights lack"):
        load(folder).vectors(["snapshot"])


QUESTION = "why do we wait for the snapshot"


@semantic
@with_the_extra
def test_a_question_needs_no_numpy_even_after_an_edit(repo: Repo) -> None:
    text = memory_text("Wait for the snapshot", "We wait, since the buffer is short. " * 40)
    repo.write("context/wait.md", text)
    program = (
        "import sys; from ktw.cli.root import ktw\n"
        f"try: ktw(['recall', '--cold', {QUESTION!r}])\n"
        "finally: print(sorted({'numpy', 'tokenizers'}.intersection(sys.modules)), file=sys.stderr)"
    )
    for change in ("", "One more line.\n"):
        repo.write("context/wait.md", text + change)
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=repo.root, capture_output=True, check=True
        )
        assert b"Wait" in done.stdout or b"snapshot" in done.stdout
        assert done.stderr.splitlines()[-1] == b"[]"


@semantic
@with_the_extra
@pytest.mark.parametrize("question", [QUESTION, "na\u00efve \u5feb\u7167 snapshot"])
def test_a_model_that_proves_broken_leaves_the_words(
    repo: Repo, folder: Path, question: str
) -> None:
    repo.write("context/wait.md", memory_text("Wait for the snapshot", "We wait for it."))
    refresh(repo.project).close()
    (folder / "tokenizer.json").write_bytes(b"{")
    answer = recall(repo.project, question, NOW, model=str(folder))
    assert answer.mode == "lexical" and answer.found
    assert any("tokenizer.json is no tokenizer" in told for told in answer.notices)
    assert any("the words alone were searched" in told for told in answer.notices)
