"""Rows of small numbers, and cosines by them."""

from operator import mul

import pytest

from ktw.lanes import norm
from ktw.vectors import BEST_SHARE, embed, passage_cosines
from test_vector_index import Hashed


def test_small_rows_keep_the_cosine() -> None:
    embedder = Hashed()
    texts = [f"word{number} rows cache deploy again again" for number in range(20)]
    query, *vectors = embedder.vectors(["cache rows", *texts])
    expected = [sum(map(mul, query, each)) / norm(query) / norm(each) for each in vectors]
    assert passage_cosines(embedder, texts, "cache rows") == pytest.approx(expected)
    found = embed(embedder, {number: [text] for number, text in enumerate(texts)}).cosines(query)
    assert list(found.values()) == pytest.approx(expected, abs=0.002)
    assert passage_cosines(embedder, ["", "cache"], "") == [0.0, 0.0]
    assert passage_cosines(embedder, [""], "cache rows") == [0.0]


def test_the_best_passage_decides_most() -> None:
    embedder = Hashed()
    texts = {3: ["cache rows", "other words"], 7: ["cache rows"], 9: [""]}
    found = embed(embedder, texts).cosines(embedder.vectors(["cache rows"])[0])
    one, other = passage_cosines(embedder, texts[3], "cache rows")
    assert found[7] == pytest.approx(1) and found[9] == 0
    mean = (one + other) / 2
    assert found[3] == pytest.approx(BEST_SHARE * max(one, other) + (1 - BEST_SHARE) * mean)
    assert embed(embedder, {}).cosines(embedder.vectors([""])[0]) == {}
