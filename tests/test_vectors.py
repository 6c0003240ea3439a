"""Rows of small numbers, and cosines by them."""

import pytest

from ktw.embedding import is_installed
from ktw.vectors import BEST_SHARE, embed, passage_cosines
from test_vector_index import Hashed

pytestmark = [
    pytest.mark.semantic,
    pytest.mark.skipif(not is_installed(), reason="the semantic extra is not installed"),
]


def test_small_rows_keep_the_cosine() -> None:
    import numpy as np

    embedder = Hashed()
    texts = [f"word{number} rows cache deploy again" for number in range(20)]
    rows = embedder.encode(texts)
    query = embedder.encode(["cache rows"])[0]
    assert np.allclose(passage_cosines(embedder, texts, "cache rows"), rows @ query, atol=0.002)
    assert passage_cosines(embedder, [""], "cache rows") == [0.0]


def test_the_best_passage_decides_most() -> None:
    embedder = Hashed()
    texts = {3: ["cache rows", "other words"], 7: ["cache rows"], 9: [""]}
    found = embed(embedder, texts).cosines(embedder.encode(["cache rows"])[0])
    one, other = passage_cosines(embedder, texts[3], "cache rows")
    assert found[7] == pytest.approx(1) and found[9] == 0
    mean = (one + other) / 2
    assert found[3] == pytest.approx(BEST_SHARE * max(one, other) + (1 - BEST_SHARE) * mean)
    assert embed(embedder, {}).cosines(embedder.encode([""])[0]) == {}
