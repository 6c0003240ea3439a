"""Trains the linear model behind W904 and writes its weights.

    python tools/train_directives.py CORPUS MANUALS ktw/text/directives/learned.json

CORPUS is a folder as `bench/directives.py` takes it; of it only the tuning half is read. MANUALS is
a folder of public documentation (Markdown, reStructuredText, plain text): sentences that direct
nobody to harm. Our own texts in `tests/directive_texts` are read too, but for those in `unseen`,
which only measure, and as harmless ones our documents. Needs scikit-learn and the repository root
on PYTHONPATH. About a minute.

Logistic regression with L2 over hashed features (`ktw.text.directives.learned`). The threshold is
the score that one in 1,000 harmless sentences of a held-out third reaches. The output holds one
byte a bucket and the words that set the model to work, no other text.
"""

import argparse
import json
import sys
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from directives import PROJECT, half_of, read  # noqa: E402

from ktw.text.directives.learned import BUCKETS, buckets  # noqa: E402
from ktw.text.directives.plain import plain  # noqa: E402
from ktw.text.sentences import split_sentences  # noqa: E402

OWN = ROOT / "tests" / "directive_texts"
PROSE = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("context/**/*.md")]
MOST = 30_000  # sentences of manuals
FALSE = 1 / 1000  # harmless sentences of the held-out third that may reach the threshold
PLAIN = {"authored_frame"}  # their markup is what directs, not their words


def sentences(text: str) -> list[str]:
    return [plain(text[span.start : span.end]) for span in split_sentences(text)]


def texts(paths: Iterable[Path], half: str = "") -> Iterator[str]:
    for path in sorted(paths):
        yield from (row["text"] for row in read(path) if not half or half_of(row) == half)


def directing(corpus: Path) -> list[str]:
    own = (path for path in (OWN / "positive").glob("*.jsonl") if path.stem not in ("ml", "frame"))
    public = (corpus / "positive" / f"{name}.jsonl" for name in PROJECT if name not in PLAIN)
    return [plain(text) for text in (*texts(own), *texts(public, "tuning"))]


def harmless(corpus: Path, manuals: Path) -> list[str]:
    """Decision records and near-misses count three times: they are what memories look like."""
    public = [s for t in texts((corpus / "benign").glob("*.jsonl"), "tuning") for s in sentences(t)]
    own = [s for t in texts((OWN / "benign").glob("*.jsonl")) for s in sentences(t)]
    own += [s for path in PROSE for s in sentences(path.read_text(encoding="utf-8"))]
    known = {
        sentence
        for path in sorted(manuals.rglob("*.*"))
        if path.suffix in (".md", ".rst", ".txt")
        for sentence in sentences(path.read_text(encoding="utf-8", errors="replace"))
        if 20 < len(sentence) < 400
    }
    ordered = sorted(known, key=lambda sentence: zlib.crc32(sentence.encode()))
    return [*(public + own) * 3, *ordered[:MOST]]


def matrix(views: list[str]) -> csr_matrix:
    rows = [sorted(buckets(view)) for view in views]
    columns = [column for row in rows for column in row]
    ends = np.cumsum([0, *map(len, rows)])
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), BUCKETS))


def fit(good: list[str], bad: list[str]) -> LogisticRegression:
    model = LogisticRegression(C=0.5, max_iter=200, class_weight={1: 3, 0: 1})
    return model.fit(matrix(bad + good), [1] * len(bad) + [0] * len(good))


def telling(good: list[str], bad: list[str]) -> list[str]:
    """Words at least twice as frequent in directives as elsewhere, and found there twice."""
    often, seldom = (
        Counter(w for v in set(views) for w in set(v.split())) for views in (bad, good)
    )
    share = len(set(good)) / len(set(bad))
    return sorted(
        w for w, n in often.items() if n > 1 and w.isascii() and n * share > 2 * seldom[w]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("corpus", "manuals", "output"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args()
    bad, good = directing(asked.corpus), harmless(asked.corpus, asked.manuals)
    held = [view for view in {*good} if zlib.crc32(view.encode()) % 3 == 0]
    rest = [view for view in good if zlib.crc32(view.encode()) % 3]
    threshold = float(np.quantile(fit(rest, bad).decision_function(matrix(held)), 1 - FALSE))
    model = fit(good, bad)
    weights = model.coef_[0]
    scale = float(np.abs(weights).max() / 127)
    packed = zlib.compress(np.rint(weights / scale).astype("int8").tobytes(), 9)
    stored = {
        "bias": round(float(model.intercept_[0]), 4),
        "scale": round(scale, 6),
        "threshold": round(threshold, 4),
        "telling": " ".join(telling(good, bad)),
        "weights": b64encode(packed).decode(),
    }
    asked.output.write_text(json.dumps(stored, indent=1) + "\n", encoding="ascii")
    print(f"{len(bad)} directives, {len(good)} harmless sentences, threshold {threshold:.2f}")


if __name__ == "__main__":
    main()
