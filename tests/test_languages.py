"""Recall in many languages: by words in the memory's own, by meaning with a model of theirs."""

import json
import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import Repo, make_project, memory_text
from ktw.embedding import embedder_id, is_installed
from ktw.index import index_directory
from ktw.operations.reading import recall

NOW = datetime(2026, 2, 1, tzinfo=UTC)
MEMORIES = {
    "en": ("Cache warming", "The caches are warmed nightly because the first queries were slow."),
    "de": ("Zwischenspeicher", "Die Abfragen sind langsam, wenn der Zwischenspeicher leer ist."),
    "es": ("Copias", "Las copias de seguridad se guardan por la noche en otra región."),
    "fr": ("Sauvegardes", "Les requêtes sont journalisées pour que nous puissions les rejouer."),
    "it": ("Chiavi", "Le connessioni sono chiuse dopo un minuto perché il server le perde."),
    "pt": ("Senhas", "As migrações são feitas com a tabela bloqueada e não em paralelo."),
    "ru": ("Очередь", "Соединения с базами закрываются по ночам."),
    "zh": ("快照", "同步步骤在重放缓冲区之前等待完整快照"),
    "ja": ("再起動", "新しいサーバーを再起動すると記憶は消えない"),
    "ko": ("저장소", "데이터베이스를 매일 백업한다"),
    "th": ("สำรอง", "ฐานข้อมูลหลักถูกสำรองทุกคืน"),
    "mixed": ("Gateway", "网关的 timeout 设置太短, see src/gateway/http_client.py for db."),
    "long": ("Long", "word " * 10_000 + "needle in the haystack"),
}


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    files = {f"{name}.md": memory_text(*told) for name, told in MEMORIES.items()}
    return make_project(tmp_path_factory.mktemp("languages") / "many", files)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("query caching", "en"),
        ("langsame Abfrage", "de"),
        ("warum ist eine Abfrage langsam", "de"),
        ("copia seguridad", "es"),
        ("requête", "fr"),
        ("requetes", "fr"),
        ("connessione chiusa", "it"),
        ("migração", "pt"),
        ("соединение с базой", "ru"),
        ("缓冲", "zh"),
        ("放", "zh"),
        ("サーバー", "ja"),
        ("데이터", "ko"),
        ("ข้อมูล", "th"),
        ("网关 timeouts", "mixed"),
        ("http_client.py", "mixed"),
        ("db", "mixed"),
        ("hay\u200bstack", "long"),
    ],
)
def test_case_24_is_found_by_the_lexical_index_alone(
    many: Repo, question: str, wanted: str
) -> None:
    answer = recall(many.project, question, NOW, model="off")
    assert answer.found[0].reading.slug == wanted


def test_neighbours_the_wrong_way_round_are_not_found(many: Repo) -> None:
    assert recall(many.project, "冲缓", NOW, model="off").found == []


# --- a model of one's own -----------------------------------------------------------------------

MEANINGS = (("cache", "zwischenspeicher", "кэш"), ("nightly", "nachts"), ("vacuum", "putzen"))


def write_model(folder: Path) -> Path:
    """A model2vec folder whose words of one meaning have one vector, whatever the language."""
    words = ["[UNK]", *(word for meaning in MEANINGS for word in meaning)]
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: at for at, word in enumerate(words)},
            "unk_token": "[UNK]",
        },
    }
    rows = [[0.0] * len(MEANINGS)]
    for at, meaning in enumerate(MEANINGS):
        rows += [[float(at == other) for other in range(len(MEANINGS))] for _ in meaning]
    data = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    shape = [len(rows), len(MEANINGS)]
    entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, len(data)]}
    header = json.dumps({"embeddings": entry}).encode()
    folder.mkdir()
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + data)
    return folder


@pytest.mark.semantic
@pytest.mark.skipif(not is_installed(), reason="the semantic extra is not installed")
def test_a_model_of_several_languages_finds_across_them(tmp_path: Path) -> None:
    folder = str(write_model(tmp_path / "many-languages"))
    repo = make_project(
        tmp_path / "across",
        {
            "cache.md": memory_text("Warm it", "We warm the cache."),
            "broom.md": memory_text("Kehren", "The vacuum is for the office."),
        },
    )
    question = "Zwischenspeicher kehren"
    by_words = recall(repo.project, question, NOW, model="off")
    across = recall(repo.project, question, NOW, model=folder)
    assert [found.reading.slug for found in by_words.found] == ["broom"]
    assert "cache" in [found.reading.slug for found in across.found]
    assert (across.mode, across.model) == ("hybrid", "many-languages")
    assert embedder_id(folder) != embedder_id()
    recall(repo.project, question, NOW)
    assert len(list(index_directory(repo.project).glob("vectors-*"))) == 2
