"""The quick pieces are the tokenizer's own, or none."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktw import wordpiece
from ktw.embedding import SHIPPED
from ktw.wordpiece import _COMMON, MAX_TEXT, Pieces

SOURCE = (SHIPPED / "tokenizer.json").read_bytes()
ASCII = st.characters(max_codepoint=127)
PLAIN = ["snapshot", "un", "internationalization", "parseConfig", "snake_case", "a", "db2", "##ing"]
ODD = ["don't", "C:\\path\\file.py", '"quoted"', "\x0bv\x00t", "zzxqj", "a\tb\r\nc", "x" * 101]
WORDS = st.sampled_from(PLAIN + ODD)
COMMON = [chr(code) for code in range(0x2100) if _COMMON.fullmatch(chr(code))]
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
    found = Pieces(SOURCE).ids(text)
    assert found is None or found == [token for token in expected if token != unknown]


def test_an_ordinary_question_is_answered() -> None:
    pieces = Pieces(SOURCE).ids("Why does the sync step wait for a full snapshot?")
    assert pieces is not None and len(pieces) > 9


def test_empty_text_has_no_pieces() -> None:
    assert Pieces(SOURCE).ids(" \n\x00") == []


@pytest.mark.parametrize(
    "text", ["see [PAD]", "see [pad]", "x" * (MAX_TEXT + 1), "\u5feb", "\u0e23\u0e2d", "\U0001f525"]
)
def test_the_tokenizer_is_asked(text: str) -> None:
    assert Pieces(SOURCE).ids(text) is None


@pytest.mark.semantic
def test_every_common_character_is_as_the_tokenizer_has_it() -> None:
    tokenizer = real_tokenizer()
    unknown = tokenizer.token_to_id("[UNK]")
    pieces = Pieces(SOURCE)
    assert len(COMMON) > 900
    texts = [f"do{each}re {each} {each}mi fa{each} e{each}\u0301" for each in COMMON]
    expected = tokenizer.encode_batch(texts, add_special_tokens=False)
    for text, real in zip(texts, expected, strict=True):
        assert pieces.ids(text) == [token for token in real.ids if token != unknown], ascii(text)


@pytest.mark.semantic
@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS | st.text(st.sampled_from(COMMON), max_size=9), max_size=8).map(" ".join))
def test_common_texts_are_answered(text: str) -> None:
    tokenizer = real_tokenizer()
    unknown = tokenizer.token_to_id("[UNK]")
    expected = tokenizer.encode(text, add_special_tokens=False).ids
    assert Pieces(SOURCE).ids(text) == [token for token in expected if token != unknown]


def test_what_is_scanned_and_what_is_parsed_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The qzxjkv of internationalization, [see] parseConfig. " * 10
    scanned = Pieces(SOURCE).ids(text)
    monkeypatch.setattr(wordpiece, "MAX_SCANS", 3)
    assert scanned and Pieces(SOURCE).ids(text) == scanned
    assert Pieces(SOURCE).ids(text * 5) == scanned * 5


def test_a_garbled_vocabulary_is_seen_when_it_is_parsed() -> None:
    garbled = SOURCE.replace(b'"the":', b'"the":x')
    assert Pieces(garbled).ids("caf\u00e9") is None
    assert Pieces(SOURCE.replace(b'"the":', b'"the":"x",":":')).ids("caf\u00e9") is None


def altered(**changes: object) -> bytes:
    content = json.loads(SOURCE) | changes
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


def test_the_same_settings_written_anew_are_understood() -> None:
    assert Pieces(altered()).ids("the") == Pieces(SOURCE).ids("the")


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
    assert Pieces(source).ids("the") is None
