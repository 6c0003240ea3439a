"""The quick pieces are the tokenizer's own, or none."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktw import wordpiece
from ktw.embedding import SHIPPED
from ktw.wordpiece import MAX_TEXT, AsciiPieces

SOURCE = (SHIPPED / "tokenizer.json").read_bytes()
ASCII = st.characters(max_codepoint=127, exclude_characters="[")
PLAIN = ["snapshot", "un", "internationalization", "parseConfig", "snake_case", "a", "db2", "##ing"]
ODD = ["don't", "C:\\path\\file.py", '"quoted"', "\x0bv\x00t", "zzxqj", "a\tb\r\nc", "x" * 101]
WORDS = st.sampled_from(PLAIN + ODD)
TEXTS = st.lists(WORDS | st.text(ASCII, max_size=12), max_size=8).map(" ".join)


@cache
def real_tokenizer() -> Any:
    tokenizers = pytest.importorskip("tokenizers", reason="the `semantic` extra is not installed")
    return tokenizers.Tokenizer.from_buffer(SOURCE)


@pytest.mark.semantic
@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_the_pieces_are_those_of_the_tokenizer(text: str) -> None:
    tokenizer = real_tokenizer()
    unknown = tokenizer.token_to_id("[UNK]")
    expected = tokenizer.encode(text, add_special_tokens=False).ids
    found = AsciiPieces(SOURCE).ids(text)
    assert found is None or found == [token for token in expected if token != unknown]


def test_an_ordinary_question_is_answered() -> None:
    pieces = AsciiPieces(SOURCE).ids("Why does the sync step wait for a full snapshot?")
    assert pieces is not None and len(pieces) > 9


def test_empty_text_has_no_pieces() -> None:
    assert AsciiPieces(SOURCE).ids(" \n\x00") == []


@pytest.mark.parametrize("text", ["na\u00efve", "see [PAD]", "word " * MAX_TEXT])
def test_the_tokenizer_is_asked(text: str) -> None:
    assert AsciiPieces(SOURCE).ids(text) is None


def test_too_many_scans_end_the_short_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "MAX_SCANS", 3)
    pieces = AsciiPieces(SOURCE)
    assert pieces.ids("the") is not None
    assert pieces.ids("qzxjkv " * 10) is None
    assert pieces.ids("the") is None


def altered(**changes: object) -> bytes:
    content = json.loads(SOURCE) | changes
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


def test_the_same_settings_written_anew_are_understood() -> None:
    assert AsciiPieces(altered()).ids("the") == AsciiPieces(SOURCE).ids("the")


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b'"vocab":{}}}',
        SOURCE[:-1],
        SOURCE[: len(SOURCE) // 2],
        SOURCE[1:],
        json.dumps(json.loads(SOURCE)).encode(),
        altered(normalizer=None),
        altered(normalizer={"type": "Lowercase"}),
        altered(pre_tokenizer={"type": "Whitespace"}),
        altered(added_tokens=[{"content": "the"}]),
        altered(added_tokens=3),
        altered(model={"type": "BPE", "vocab": {"[PAD]": 0}}),
        altered(model={"vocab": {"the": 0}, "type": "WordPiece"}),
    ],
)
def test_any_other_tokenizer_is_left_alone(source: bytes) -> None:
    assert AsciiPieces(source).ids("the") is None
