"""Vectors equal model2vec's, whole texts count, and damaged files are named."""

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ktw.embedding import SHIPPED, _files, is_installed, load_embedder
from ktw.errors import KtwError

if not is_installed():
    pytest.skip("the `semantic` extra is not installed", allow_module_level=True)

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from model2vec import StaticModel
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

from ktw.static_model import StaticEmbedder

pytestmark = pytest.mark.semantic

TEXTS = [
    "Why does the sync step wait for a full snapshot?",
    "parseConfigBlocks fails on snake_case keys in src/analysis.ipynb",
    "Na\u00efve caf\u00e9, \u043c\u0438\u0440, \u5feb\u7167\u3092\u5f85\u3064",
    "\u0e23\u0e2d \u2764\ufe0f\u200d\U0001f525 [PAD] [UNK] \u202e\u200b",
    "db js py",
    "word " * 300,
]


@pytest.fixture(scope="module")
def shipped() -> StaticEmbedder:
    return load(SHIPPED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "mine"))


def load(folder: Path) -> StaticEmbedder:
    return StaticEmbedder(_files(str(folder)), "an id")


def reference(folder: Path, texts: list[str]) -> Any:
    """model2vec's own vectors, of whole texts, at unit length."""
    model = StaticModel.from_pretrained(folder, normalize=True)
    return model.encode(texts, max_length=None)


def test_vectors_are_those_of_model2vec(shipped: StaticEmbedder) -> None:
    vectors = shipped.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 256) and vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, reference(SHIPPED, TEXTS), atol=1e-5)


def test_a_query_without_the_tokenizer_has_the_same_vector(folder: Path) -> None:
    alone = np.concatenate([load(folder).encode([text]) for text in TEXTS])
    np.testing.assert_array_equal(alone, load(folder).encode(TEXTS))


ODD = st.sampled_from(
    [
        *("\n", "\t", "\r\n", "\x0b", "\x1c", "\x85", "\xa0", "\u2028", "\u200b", "\x00", "  "),
        *("\u0301", "\u0130", "\u0391\u03a3", "\u5feb", "\u0e23", "\u2014", "\ufb01", "\U0001f525"),
        *("[PAD]", "[UNK]", "[", "]", "x" * 101, "snapshot", "Snap", "##ing", "'s", "1.5", "."),
    ]
)


@cache
def both_ways() -> tuple[StaticEmbedder, Tokenizer]:
    """The shipped model, and its tokenizer as the library has it."""
    embedder = load(SHIPPED)
    tokenizer = Tokenizer.from_file(str(SHIPPED / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return embedder, tokenizer


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(ODD | st.just(" "), max_size=12).map("".join), max_size=6))
def test_words_tokenized_one_by_one_are_the_tokens_of_the_text(texts: list[str]) -> None:
    embedder, tokenizer = both_ways()
    unknown = tokenizer.token_to_id("[UNK]")
    asked = ["\u00e9", *texts]  # the first lets no short cut be taken
    expected = [tokenizer.encode(text, add_special_tokens=False).ids for text in asked]
    found = embedder.tokens(asked)
    assert found == [[token for token in ids if token != unknown] for ids in expected]
    assert embedder.tokens(asked) == found, "and as they are remembered"


def test_a_tokenizer_that_sees_more_than_a_word_is_given_whole_texts(folder: Path) -> None:
    path = folder / "tokenizer.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    whole["added_tokens"].append(whole["added_tokens"][1] | {"id": 2, "content": "[A B]"})
    path.write_text(json.dumps(whole, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")
    assert len(load(folder).tokens(["\u00e9", "[A B]"])[1]) == 1


def test_no_more_words_are_remembered_than_will_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ktw import static_model

    monkeypatch.setattr(static_model, "_KNOWN_WORDS", 3)
    embedder = load(folder)
    texts = [f"\u00e9 word{number} and more" for number in range(1000)]
    assert embedder.tokens(texts) == load(folder).tokens(texts)
    assert len(embedder._tokens._known) < 600


def test_rows_are_of_unit_length(shipped: StaticEmbedder) -> None:
    np.testing.assert_allclose(np.linalg.norm(shipped.encode(TEXTS), axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "\u0e23" * 200])
def test_text_without_known_tokens_is_a_zero_row(shipped: StaticEmbedder, text: str) -> None:
    vectors = shipped.encode([text, "snapshot"])
    assert not vectors[0].any() and vectors[1].any()
    assert not shipped.encode([text]).any()


def test_no_texts_are_no_rows(shipped: StaticEmbedder) -> None:
    assert shipped.encode([]).shape == (0, 256)


def test_what_stands_after_the_512th_token_counts(shipped: StaticEmbedder) -> None:
    filler = "the meeting was about the budget of the office " * 100
    plain, told = shipped.encode([filler, filler + "kubernetes snapshot replication " * 40])
    query = shipped.encode(["kubernetes snapshot replication"])[0]
    assert told @ query > plain @ query + 0.1


def test_a_text_tokenized_in_parts_has_the_vector_of_the_whole(shipped: StaticEmbedder) -> None:
    long = "\n".join(f"Line {number}: the snapshot waits, na\u00efvely." for number in range(4000))
    np.testing.assert_allclose(shipped.encode([long]), reference(SHIPPED, [long]), atol=1e-5)


@pytest.mark.parametrize("text", ["x" * (1 << 20), "\u5feb" * (1 << 18), "a " * (1 << 19)])
def test_an_enormous_text_is_embedded(shipped: StaticEmbedder, text: str) -> None:
    assert np.isfinite(shipped.encode([text])).all()


def test_a_lone_surrogate_is_no_obstacle(shipped: StaticEmbedder) -> None:
    vectors = shipped.encode(["snapshot \udcff", "snapshot ?"])
    np.testing.assert_array_equal(vectors[0], vectors[1])


def rewrite(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    path = folder / "model.safetensors"
    tensors = change(dict(load_file(path)))
    path.unlink()
    save_file(tensors, path)


def quantized(tensors: dict[str, Any]) -> dict[str, Any]:
    """A vocabulary-quantized model: tokens share rows and have weights."""
    tokens = len(tensors["embeddings"])
    return {
        "embeddings": tensors["embeddings"][:500].astype(np.float32),
        "mapping": np.arange(tokens, dtype=np.int64) % 500,
        "weights": np.linspace(0.1, 1, tokens, dtype=np.float64),
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda tensors: {"embeddings": tensors["embeddings"].astype(np.float16)},
        lambda tensors: {"embeddings": tensors["embeddings"].astype(np.float32)},
        quantized,
    ],
)
def test_other_models_of_model2vec(folder: Path, change: Any) -> None:
    rewrite(folder, change)
    np.testing.assert_allclose(load(folder).encode(TEXTS), reference(folder, TEXTS), atol=1e-3)


def test_the_name_that_sentence_transformers_gives_the_matrix(folder: Path) -> None:
    expected = load(folder).encode(TEXTS)
    rewrite(folder, lambda tensors: {"embedding.weight": tensors["embeddings"]})
    np.testing.assert_array_equal(load(folder).encode(TEXTS), expected)


def test_a_tokenizer_of_another_kind(folder: Path) -> None:
    from tokenizers.models import Unigram
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(Unigram([("<unk>", 0.0), ("snap", -1.0), ("shot", -2.0)], 0, False))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    rewrite(folder, lambda tensors: {"embeddings": tensors["embeddings"][2000:2003].copy()})
    np.testing.assert_allclose(
        load(folder).encode(["snapshot \u5feb", "\u5feb"]),
        reference(folder, ["snapshot \u5feb", "\u5feb"]),
        atol=1e-6,
    )


def header(**entry: object) -> bytes:
    whole = {"embeddings": {"dtype": "I8", "shape": [2, 2], "data_offsets": [0, 4]} | entry}
    text = json.dumps(whole).encode()
    return len(text).to_bytes(8, "little") + text + b"\0" * 4


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7472472\n",
        b"\xff" * 64,
        (1 << 40).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"[]",
        (2).to_bytes(8, "little") + b"{}",
        header()[:-1],
        header(dtype="Q4"),
        header(shape=[2, 3]),
        header(shape=[-2, -2]),
        header(shape=["2", 2]),
        header(shape=[4]),
        header(shape=[0, 4], data_offsets=[0, 0]),
        header(shape=[2.0, 2]),
        header(shape=[True, 4]),
        header(data_offsets=[0.0, 4]),
        header(data_offsets=[-4, 0]),
        header(data_offsets=[1 << 62, (1 << 62) + 4]),
        header(data_offsets="04"),
        (200_000).to_bytes(8, "little") + b"[" * 200_000,
    ],
)
def test_damaged_weights_are_named(folder: Path, data: bytes) -> None:
    (folder / "model.safetensors").write_bytes(data)
    with pytest.raises(KtwError, match=r"mine.model\.safetensors ") as caught:
        load_embedder(str(folder))
    assert "\n" not in caught.value.what
    assert "complete model2vec folder" in caught.value.todo


@pytest.mark.parametrize(
    "change",
    [
        lambda tensors: {"other": tensors["embeddings"]},
        lambda tensors: tensors | {"weights": np.ones(3)},
        lambda tensors: tensors | {"mapping": np.array([0, 1 << 20])},
        lambda tensors: tensors | {"mapping": np.array([-1])},
        lambda tensors: tensors | {"mapping": np.ones(4)},
    ],
)
def test_weights_that_contradict_themselves_are_named(folder: Path, change: Any) -> None:
    rewrite(folder, change)
    with pytest.raises(KtwError, match=r"model\.safetensors (holds|maps)"):
        load_embedder(str(folder))


@pytest.mark.parametrize("cut", [0, 1, 1000, 200_000])
@pytest.mark.parametrize("text", ["plain words", "na\u00efve"])
def test_a_damaged_tokenizer_is_named(folder: Path, cut: int, text: str) -> None:
    path = folder / "tokenizer.json"
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(KtwError, match=r"tokenizer\.json is no tokenizer"):
        load(folder).encode([text])


@pytest.mark.parametrize("texts", [["yes"], ["yes", "na\u00efve"]])
def test_weights_of_another_vocabulary_are_named(folder: Path, texts: list[str]) -> None:
    rewrite(folder, lambda tensors: {"embeddings": tensors["embeddings"][:100].copy()})
    with pytest.raises(KtwError, match="has tokens that the weights lack"):
        load(folder).encode(texts)


def test_weights_that_are_not_numbers_give_no_direction(folder: Path) -> None:
    rewrite(
        folder, lambda tensors: {"embeddings": np.full(tensors["embeddings"].shape, np.nan, "f4")}
    )
    assert not load(folder).encode(["snapshot"]).any()
