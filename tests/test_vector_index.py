"""The file of vectors and tokens: always those of the live memories, whatever became of it."""

import hashlib
import math
import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from builders import Repo, make_project, memory_text
from ktw.embedding import is_installed, load_embedder
from ktw.index import index_directory, refresh
from ktw.lanes import rows_of, small
from ktw.operations.reading import recall
from ktw.vector_file import BadFile, decoded, encoded
from ktw.vector_index import VectorIndex
from ktw.vectors import Vectors

semantic = pytest.mark.semantic
with_the_extra = pytest.mark.skipif(
    not is_installed(), reason="the semantic extra is not installed"
)
NOW = datetime(2026, 2, 1, tzinfo=UTC)
DIM = 64


class Hashed:
    """An embedder that needs no model: words hashed into a few dimensions."""

    name = "hashed"

    def __init__(self, id_: str = "hashed-1", dim: int = DIM) -> None:
        self.id, self.dim = id_, dim
        self.encoded = 0

    def vectors(self, texts: Sequence[str]) -> list[list[int]]:
        self.encoded += len(texts)
        return [self._vector(text) for text in texts]

    def small(self, texts: Sequence[str]) -> bytes:
        return b"".join(map(small, self.vectors(texts)))

    def _vector(self, text: str) -> list[int]:
        row = [0] * self.dim
        for word in text.lower().replace(".", "").split():
            row[hashlib.sha256(f"{self.id}{word}".encode()).digest()[0] % self.dim] += 1
        return row

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [[len(word) for word in text.split()] for text in texts]

    def rows(self, ids: Sequence[int]) -> bytes:
        raise NotImplementedError


@pytest.fixture
def several(tmp_path: Path) -> Repo:
    words = ("snapshot", "buffer", "deploy", "rows", "cache")
    files = {f"{word}.md": memory_text(f"About {word}", f"We keep {word}.") for word in words}
    return make_project(tmp_path / "several", files)


def near(
    repo: Repo, embedder: Any, question: str = "about deploy", index: VectorIndex | None = None
) -> dict[str, float]:
    """Cosine by file and line, from a refreshed index."""
    snapshot = refresh(repo.project)
    try:
        kept = (index or VectorIndex()).kept(repo.project, snapshot, embedder)
        found = kept.vectors.cosines(embedder.vectors([question])[0])
        places = {number: snapshot.catalogue.place(number) for number in found}
        return {f"{p.name}:{p.row.line}": found[n] for n, p in places.items() if p is not None}
    finally:
        snapshot.close()


def lists(repo: Repo, embedder: Any, index: VectorIndex | None = None) -> dict[str, list[int]]:
    """Tokens by file, of the last memory of each."""
    snapshot = refresh(repo.project)
    try:
        numbers = list(snapshot.catalogue.row_at)
        found = (index or VectorIndex()).lists(repo.project, snapshot, embedder, [*numbers, 10**6])
        assert set(found) == set(numbers)
        places = {number: snapshot.catalogue.place(number) for number in found}
        return {p.name: found[n].tolist() for n, p in places.items() if p is not None}
    finally:
        snapshot.close()


def sidecars(repo: Repo) -> list[Path]:
    return sorted(index_directory(repo.project).glob("vectors-*"))


def test_each_memory_is_embedded_once(several: Repo) -> None:
    embedder = Hashed()
    first = near(several, embedder)
    assert embedder.encoded == 5 + 1
    assert near(several, embedder) == first
    assert embedder.encoded == 5 + 2, "only the question"
    assert len(first) == 5
    assert max(first, key=lambda name: first[name]).startswith("deploy.md")


def test_incremental_is_rebuilt(several: Repo) -> None:
    embedder = Hashed()
    near(several, embedder)
    context = several.root / "context"
    (context / "rows.md").unlink()
    several.write("context/new.md", memory_text("About deploy", "We deploy rows."))
    several.write("context/cache.md", memory_text("About cache", "We deploy it."))
    several.write("context/two.md", "# T\n\n## Deploy\n\nx\n\n## Cache\n\ny\n")
    (context / "snapshot.md").rename(context / "another.md")
    kept_up = near(several, embedder)
    assert embedder.encoded == 5 + 1 + 5 + 1
    tokens = lists(several, embedder)
    assert len(sidecars(several)) == 1
    shutil.rmtree(index_directory(several.project))
    assert near(several, embedder) == kept_up
    assert lists(several, embedder) == tokens
    assert (len(kept_up), len(tokens)) == (7, 6)


def change(at: int) -> Callable[[bytes], bytes]:
    """Another byte at a place."""
    return lambda data: data[: at % len(data)] + bytes([data[at] ^ 1]) + data[at % len(data) + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: None,
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data[:-DIM],
        lambda data: data + bytes(DIM),
        lambda data: b"garbage",
        lambda data: bytes(len(data)),
        *(change(at) for at in (0, 8, 12, 16, 20, 24, 28, 32, 40, 52, 72, 92, 112, 131, -DIM, -1)),
    ],
    ids=range(24),
)
def test_a_damaged_file_is_made_anew(
    several: Repo, damage: Callable[[bytes], bytes | None]
) -> None:
    embedder = Hashed()
    told, tokens = near(several, embedder), lists(several, embedder)
    (path,) = sidecars(several)
    whole = path.read_bytes()
    data = damage(whole)
    path.unlink()
    if data is not None:
        path.write_bytes(data)
    assert near(several, embedder) == told
    assert lists(several, embedder) == tokens
    assert path.read_bytes() == whole


@pytest.mark.parametrize("byte", [132, -5 * DIM - 1])
def test_a_damaged_list_of_tokens_is_made_anew(several: Repo, byte: int) -> None:
    embedder = Hashed()
    tokens = lists(several, embedder)
    (path,) = sidecars(several)
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(change(byte)(whole))
    assert near(several, embedder)
    assert path.read_bytes() != whole, "no question has needed a list"
    assert lists(several, embedder) == tokens
    assert path.read_bytes() == whole


@pytest.mark.parametrize("meanwhile", [memory_text("About deploy", "Elephants."), None])
def test_what_changed_since_the_index_saw_it_is_not_kept(
    several: Repo, meanwhile: str | None
) -> None:
    told = near(several, Hashed())
    sidecars(several)[0].unlink()
    index, embedder = VectorIndex(), Hashed()
    snapshot = refresh(several.project)
    place = several.root / "context" / "deploy.md"
    text = place.read_text(encoding="utf-8")
    place.unlink()
    if meanwhile is not None:
        place.write_text(meanwhile, encoding="utf-8")
    index.kept(several.project, snapshot, embedder)
    place.write_text(text, encoding="utf-8")
    assert sidecars(several) == []
    kept = index.kept(several.project, snapshot, embedder)
    snapshot.close()
    assert list(kept.vectors.cosines(embedder.vectors(["about deploy"])[0]).values()) == list(
        told.values()
    )
    assert near(several, embedder) == told


def test_a_file_of_another_order_is_no_file(several: Repo) -> None:
    near(several, Hashed())
    kept = decoded(sidecars(several)[0].read_bytes(), DIM)
    vectors = kept.vectors
    numbers, ends, rest = vectors.numbers, vectors.ends, (vectors.rows, vectors.lengths)
    for planted in (
        kept._replace(vectors=Vectors(numbers[::-1], ends, *rest)),
        kept._replace(vectors=Vectors(numbers, ends[::-1], *rest)),
        kept._replace(token_ends=[end + 1 for end in kept.token_ends]),
        kept._replace(vectors=Vectors(numbers, [0] * len(ends), *rest)),
        *(
            kept._replace(vectors=Vectors(numbers, ends, rest[0], [*rest[1][1:], length]))
            for length in (math.nan, math.inf, -1.0, 1e-45, 1e38)
        ),
    ):
        with pytest.raises(BadFile):
            decoded(encoded(planted), DIM)
    with pytest.raises(BadFile):
        decoded(encoded(kept), DIM + 1)


class TestHeld:
    """What a process keeps between questions."""

    def test_nothing_is_read_again_while_nothing_changes(self, several: Repo) -> None:
        embedder, index = Hashed(), VectorIndex()
        snapshot = refresh(several.project)
        first = index.kept(several.project, snapshot, embedder)
        assert index.kept(several.project, snapshot, embedder) is first
        other = Hashed("other")
        assert index.kept(several.project, snapshot, other) is not first
        assert other.encoded == 5
        snapshot.close()

    def test_a_changed_file_is_seen(self, several: Repo) -> None:
        embedder, index = Hashed(), VectorIndex()
        told = near(several, embedder, index=index)
        (path,) = sidecars(several)
        kept = decoded(path.read_bytes(), DIM)
        first = rows_of([(kept.vectors.rows, slice(0, 1))] * 5)
        old = kept.vectors
        other = Vectors(old.numbers, old.ends, first, old.lengths)
        changed = encoded(kept._replace(vectors=other))
        path.rename(path.with_name("aside"))
        path.write_bytes(changed)
        planted = near(several, embedder, index=index)
        assert planted != told
        assert planted == near(several, embedder), "as a new process sees it"
        path.unlink()
        assert near(several, embedder, index=index) == told
        assert path.exists()

    def test_it_follows_the_index(self, several: Repo) -> None:
        embedder, index = Hashed(), VectorIndex()
        near(several, embedder, index=index)
        for turn in range(3):
            several.write(f"context/new{turn}.md", memory_text("About deploy", "We deploy rows."))
            (several.root / "context" / f"new{turn - 1}.md").unlink(missing_ok=True)
            assert near(several, embedder, index=index) == near(several, embedder)
            assert lists(several, embedder, index) == lists(several, embedder)
            assert len(sidecars(several)) == 1


def test_another_model_has_vectors_of_its_own(several: Repo) -> None:
    one, other = Hashed("one"), Hashed("other", 32)
    told = near(several, one)
    near(several, other)
    assert other.encoded == 6
    assert len(sidecars(several)) == 2
    assert near(several, one) == told
    assert one.encoded == 7


def test_ids_that_begin_alike_are_kept_apart(several: Repo) -> None:
    one, other = Hashed("minilm-svd256-int8-a"), Hashed("minilm-svd256-int8-b")
    near(several, one)
    near(several, other)
    assert other.encoded == 6
    hub = Hashed("../../maker/model")
    near(several, hub)
    assert len(sidecars(several)) == 3
    assert not (several.root / ".git" / "maker").exists()


def test_a_rebuilt_index_does_not_take_over_old_vectors(several: Repo) -> None:
    embedder = Hashed()
    told = near(several, embedder)
    refresh(several.project, rebuild=True).close()
    assert sidecars(several) == []
    assert near(several, embedder) == told


def test_without_a_place_vectors_are_made_in_memory(several: Repo) -> None:
    told = near(several, Hashed())
    shutil.rmtree(several.root / ".git" / "ktw")
    (several.root / ".git" / "ktw").write_bytes(b"in the way")
    assert near(several, Hashed()) == told


def test_no_memory_no_vector(tmp_path: Path) -> None:
    repo = make_project(tmp_path / "empty")
    assert near(repo, Hashed()) == lists(repo, Hashed()) == {}
    assert recall(repo.project, "anything", NOW).found == []


@semantic
@with_the_extra
def test_the_shipped_model_is_the_same_kept_up_or_anew(several: Repo) -> None:
    embedder = load_embedder()
    if embedder is None:
        pytest.skip("no model is shipped in this tree")
    near(several, embedder)
    several.write("context/new.md", memory_text("About elephants", "They never forget. " * 400))
    kept_up = near(several, embedder, "an animal with a trunk")
    shutil.rmtree(index_directory(several.project))
    assert near(several, embedder, "an animal with a trunk") == kept_up
    answer = recall(several.project, "why do we deploy", NOW)
    assert answer.mode == "hybrid"
    assert answer.found[0].reading.entry.title == "About deploy"


FILLER = "We keep rows and buffer the cache before each deploy of the snapshot. " * 200


def test_the_end_of_a_long_memory_is_matched_as_its_beginning_is(tmp_path: Path) -> None:
    said = "Elephants carry the trunk lines."
    repo = make_project(
        tmp_path / "long",
        {
            "first.md": memory_text("About one", f"{said} {FILLER}"),
            "last.md": memory_text("About two", f"{FILLER} {said}"),
            "none.md": memory_text("About three", FILLER),
        },
    )
    found = near(repo, Hashed(), "elephants carry trunk lines")
    one, other, none = (next(v for k, v in found.items() if k.startswith(n)) for n in FILES)
    assert min(one, other) > none + 0.03
    assert abs(one - other) < 0.05


FILES = ("first", "last", "none")


def test_a_short_memory_has_one_row_and_a_long_one_a_row_a_passage(tmp_path: Path) -> None:
    repo = make_project(
        tmp_path / "sizes",
        {"long.md": memory_text("Long", FILLER), "short.md": memory_text("Short", "A word.")},
    )
    embedder = Hashed()
    near(repo, embedder)
    kept = decoded(sidecars(repo)[0].read_bytes(), DIM)
    counts = [end - start for start, end in pairwise([0, *kept.vectors.ends])]
    assert counts[1] == 1 and len(FILLER) / 750 < counts[0] < len(FILLER) / 250
    assert (kept.vectors.rows.count, kept.vectors.rows.width) == (sum(counts), DIM)
    assert embedder.encoded == sum(counts) + 1


@semantic
@with_the_extra
def test_a_recall_shows_the_passage_that_answers(tmp_path: Path) -> None:
    text = memory_text("About one", f"{FILLER} Elephants carry the trunk lines. {FILLER}")
    repo = make_project(tmp_path / "shown", {"one.md": text})
    for model in ("", "off"):
        answer = recall(repo.project, "what do elephants carry", NOW, budget=400, model=model)
        (one,) = answer.found
        assert "Elephants carry the trunk lines." in one.shown.text
        assert "characters before this]" in one.shown.text
        assert "more characters]" in one.shown.text
