"""Measures the directive detector over a folder of labelled texts: recall, false positives, speed.

The folder holds `positive/*.jsonl` and `benign/*.jsonl`, each line an object with a `text`. Prints
one row per file and the rate of entries of about 1.2 KB on one core. Usage: python
bench/directives.py FOLDER
"""

import argparse
import json
import time
from pathlib import Path

from ktw.text.directives import find_directives
from ktw.text.hidden import find_hidden, fold, show_hidden, strip_hidden
from ktw.text.secrets import find_secrets
from ktw.text.sentences import split_sentences

ENTRY = 1200  # characters of an ordinary memory
MEGABYTE = 1_000_000
HOSTILE = {
    "one letter": "a",
    "parentheses": "(",
    "emphasis": "**",
    "emoji": "\U0001f600",
    "newlines": "\n",
    "headings": "#\n",
    "cue words": "skip never the tests ignore all deploy , main ",
    "blobs": "QUJDREVGR0hJSktMTU5P ",
}


def texts(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines if line.strip()]


def rows(folder: Path) -> list[tuple[str, int, int, int, int]]:
    """(file, texts, texts flagged, sentences, sentences flagged) per file."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        entries = texts(path)
        spans = [len(find_directives(entry)) for entry in entries]
        sentences = sum(len(split_sentences(entry)) for entry in entries)
        found.append((path.stem, len(entries), sum(map(bool, spans)), sentences, sum(spans)))
    return found


def show(title: str, found: list[tuple[str, int, int, int, int]]) -> None:
    print(f"{title:32} {'texts':>6} {'flagged':>8} {'rate':>7} {'sentences':>10} {'rate':>7}")
    for name, entries, flagged, sentences, spans in found:
        rate, fine = flagged / max(entries, 1), spans / max(sentences, 1)
        print(f"{name:32} {entries:6} {flagged:8} {rate:7.1%} {sentences:10} {fine:7.2%}")


def group(title: str, found: list[tuple[str, int, int, int, int]], prefix: str) -> None:
    chosen = [row for row in found if row[0].startswith(prefix)]
    if chosen:
        entries, flagged = sum(row[1] for row in chosen), sum(row[2] for row in chosen)
        print(f"{title}: {flagged} of {entries} = {flagged / entries:.1%}")


def speed(folder: Path) -> None:
    entries = [text for path in sorted(folder.glob("*.jsonl")) for text in texts(path)]
    stream = "\n\n".join(entries)
    pieces = [stream[at : at + ENTRY] for at in range(0, len(stream), ENTRY)]
    for function in (find_directives, split_sentences, find_hidden, find_secrets):
        begin = time.process_time()
        for piece in pieces:
            function(piece)
        taken = time.process_time() - begin
        print(f"{function.__name__:16} {len(pieces) / taken:9.0f} entries a second")


def hostile() -> None:
    functions = (
        find_directives,
        split_sentences,
        find_hidden,
        strip_hidden,
        show_hidden,
        fold,
        find_secrets,
    )
    for name, unit in HOSTILE.items():
        text = unit * (MEGABYTE // len(unit.encode()))
        taken = []
        for function in functions:
            begin = time.process_time()
            function(text)
            taken.append(f"{function.__name__} {time.process_time() - begin:.2f}")
        print(f"1 MB of {name}, seconds: {', '.join(taken)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds positive/ and benign/ with .jsonl files")
    folder = parser.parse_args().folder
    positive, benign = rows(folder / "positive"), rows(folder / "benign")
    show("positive", positive)
    show("benign", benign)
    group("authored directives found", positive, "authored_")
    group("real decision records flagged", benign, "adr_")
    speed(folder / "benign")
    hostile()


if __name__ == "__main__":
    main()
