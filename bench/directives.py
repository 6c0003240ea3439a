"""Measures the directive detector over a folder of labelled texts, as Markdown on standard output.

The folder holds `positive/*.jsonl` and `benign/*.jsonl`, each line an object with `id`, `text` and
`source`. Every file is divided into a tuning and a checking half by a hash, texts of one document
together; goals, misses and false positives are those of the checking half.
Usage: python bench/directives.py FOLDER [--half checking|tuning|both]
"""

import argparse
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from ktw.text import Span
from ktw.text.directives import find_directives
from ktw.text.hidden import find_hidden, fold, show_hidden, strip_hidden
from ktw.text.sentences import split_sentences

ENTRY = 1200  # characters of an ordinary memory
MEGABYTE = 1_000_000
SHOWN = 100  # characters of a false positive or a miss
PROJECT = (
    "authored_bypass authored_authorise authored_command authored_selftrust authored_conceal "
    "authored_disable authored_frame authored_override authored_secret authored_agentimp"
).split()
HOSTILE = {
    "one letter": "a",
    "parentheses": "(",
    "emphasis": "**",
    "emoji": "\U0001f600",
    "newlines": "\n",
    "headings": "#\n",
    "list items": "- a\n",
    "cue words": "skip never the tests ignore all deploy , main ",
    "commands": "run the delete all send it to main now ",
    "blobs": "QUJDREVGR0hJSktMTU5P ",
    "Han": "\u8df3\u8fc7",
    "Cyrillic": "\u0442\u0435\u0441\u0442 ",
}


# Why what is missed in these files is hard, where nothing in the text itself tells.
HARD = {
    "bipia_text": "an ordinary question or writing task, harmless but for its place",
    "bipia_code": "code offered without an order of a known kind",
    "garak_latent": "a claim or a jeer, or an order whose whole content is arbitrary",
    "pyrit_jailbreak": "a game or story whose frame alone is the attack",
    "jailbreak_inthewild": "a game or story whose frame alone is the attack",
    "nullsec_payloads": "a persona or a tool call in a form of its own",
    "bastion_obfuscation": "an encoding that is not undone",
}


class Row(NamedTuple):
    """One labelled text, what was found in it, and of how many sentences."""

    file: str
    id: str
    text: str
    half: str
    found: tuple[Span, ...]
    sentences: int


class Goal(NamedTuple):
    """`least` or `most` is a share of texts (or of sentences) over the files that match."""

    name: str
    files: tuple[str, ...]
    least: float | None = None
    most: float | None = None
    of_sentences: bool = False


GOALS = (
    Goal("project-style directives, ten families", tuple(PROJECT), least=0.93),
    *(Goal(f"- {name.removeprefix('authored_')}", (name,), least=0.85) for name in PROJECT),
    Goal("obfuscated", ("obfuscated",), least=0.96),
    Goal("other languages", ("authored_ml",), least=0.90),
    Goal("bastion", ("bastion_[!b]*",), least=0.85),
    Goal(
        "mixed general sets",
        ("bipia_*", "garak_*", "nullsec_*", "pyrit_*", "jailbreak_*", "giskard_*", "agent_inj*"),
        least=0.80,
    ),
    Goal("agentdojo, wrapped", ("agentdojo_wrapped",), least=0.98),
    Goal("real decision records", ("adr_*",), most=0.02),
    Goal("their sentences", ("adr_*",), most=0.001, of_sentences=True),
    Goal("real entries of a context directory", ("ktw_context",), most=0.0),
    Goal("contributing guides and change logs", ("contributing", "changelog"), most=0.01),
    Goal("near-misses", ("authored_nearmiss",), most=1 / 44),
    Goal("documents about injection", ("ktw_docs_mention",), most=0.03),
)


def half_of(row: dict[str, Any]) -> str:
    """Texts of one document, and a text with its disguises, fall into one half."""
    source = row.get("source", "")
    document = source.split("#")[0] if "/" in source and "." in source else ""
    group = row.get("plain") or document or row["text"]
    return "tuning" if hashlib.sha256(group.encode()).digest()[0] & 1 else "checking"


def errors(text: str) -> tuple[Span, ...]:
    """What is found at the error tier; a note (W9xx) is none."""
    return tuple(span for span in find_directives(text) if not span.code.startswith("W"))


def read(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def rows_of(folder: Path) -> list[Row]:
    return [
        Row(
            path.stem,
            row.get("id", ""),
            row["text"],
            half_of(row),
            errors(row["text"]),
            len(split_sentences(row["text"])),
        )
        for path in sorted(folder.glob("*.jsonl"))
        for row in read(path)
    ]


def share(rows: Iterable[Row], of_sentences: bool = False) -> tuple[int, int]:
    """How many were found, of how many."""
    rows = list(rows)
    if of_sentences:
        return sum(len(row.found) for row in rows), sum(row.sentences for row in rows)
    return sum(bool(row.found) for row in rows), len(rows)


def percent(found: int, total: int) -> str:
    return f"{found}/{total} = {found / total:.1%}" if total else "-"


def goal_line(goal: Goal, rows: list[Row]) -> Iterator[str]:
    mine = [row for row in rows if any(fnmatch(row.file, name) for name in goal.files)]
    tuning = share((row for row in mine if row.half == "tuning"), goal.of_sentences)
    checking = share((row for row in mine if row.half == "checking"), goal.of_sentences)
    if not checking[1]:
        return
    rate = checking[0] / checking[1]
    reached = rate >= goal.least if goal.least is not None else rate <= (goal.most or 0)
    wanted = f"≥ {goal.least:.0%}" if goal.least is not None else f"≤ {goal.most or 0:.1%}"
    answer = "yes" if reached else "**no**"
    yield f"| {goal.name} | {wanted} | {percent(*checking)} | {answer} | {percent(*tuning)} |"


def goals(rows: list[Row]) -> None:
    print("\n## Goals\n\n| set | goal | checking half | reached | tuning half |")
    print("|---|---|---|---|---|")
    for goal in GOALS:
        for line in goal_line(goal, rows):
            print(line)


def files(title: str, rows: list[Row]) -> None:
    print(f"\n## {title}, by file\n")
    print("| file | checking half | tuning half | sentences found, checking half |")
    print("|---|---|---|---|")
    for name in dict.fromkeys(row.file for row in rows):
        tuning = [row for row in rows if row.file == name and row.half == "tuning"]
        checking = [row for row in rows if row.file == name and row.half == "checking"]
        fine = percent(*share(checking, of_sentences=True))
        print(f"| {name} | {percent(*share(checking))} | {percent(*share(tuning))} | {fine} |")


def shown(text: str) -> str:
    line = " ".join(text.split())[:SHOWN]
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line).replace("|", "\\|")


def planted(positive: list[Row], benign: list[Row], half: str) -> None:
    """Each authored directive in the middle of a real entry; the span must meet what was planted"""
    entries = [row.text for row in benign if row.file == "ktw_context" and not row.found]
    texts = [row for row in positive if row.file in PROJECT and row.half == half]
    if not entries or not texts:
        return
    met = 0
    for number, row in enumerate(texts):
        paragraphs = entries[number % len(entries)].split("\n\n")
        at = max(1, len(paragraphs) // 2)
        before = "\n\n".join(paragraphs[:at]) + "\n\n"
        text = before + row.text + "\n\n" + "\n\n".join(paragraphs[at:])
        end = len(before) + len(row.text)
        met += any(span.start < end and span.end > len(before) for span in errors(text))
    print(f"\nPlanted in real entries, span on the planted text: {percent(met, len(texts))}")
    print("(goal ≥ 92%).")


def why_missed(row: Row) -> str:
    """The nearest reason: what the detector saw in the text, or what is hard about the file."""
    if find_hidden(row.text):
        return "hidden characters, reported as H1xx instead"
    notes = [span for span in find_directives(row.text, notes=True) if span.code[0] == "W"]
    if notes:
        return f"a note only: {notes[0].code} {notes[0].why}"
    return HARD.get(row.file, "no rule's words meet in one sentence")


def remaining(title: str, rows: list[Row], why: Callable[[Row], str]) -> None:
    print(f"\n## {title}\n\n| id | why | text |\n|---|---|---|")
    for row in rows:
        print(f"| {row.id} | {why(row)} |")


def false_positive(row: Row) -> str:
    return "; ".join(dict.fromkeys(f"{span.code} {span.why}" for span in row.found))


def speed(folder: Path) -> None:
    entries = [row["text"] for path in sorted(folder.glob("*.jsonl")) for row in read(path)]
    stream = "\n\n".join(entries)
    pieces = [stream[at : at + ENTRY] for at in range(0, len(stream), ENTRY)]
    print(
        f"\n## Speed\n\nOne core, CPU time, {len(pieces)} benign entries of {ENTRY} characters.\n"
    )
    for function in (find_directives, split_sentences, find_hidden):
        begin = time.process_time()
        for piece in pieces:
            function(piece)
        taken = time.process_time() - begin
        print(f"- {function.__name__}: {len(pieces) / taken:.0f} entries a second")


def hostile() -> None:
    functions = (find_directives, split_sentences, find_hidden, strip_hidden, show_hidden, fold)
    print("\nOne megabyte of one thing repeated, CPU seconds:\n")
    print("| of | " + " | ".join(function.__name__ for function in functions) + " |")
    print("|---" * (len(functions) + 1) + "|")
    for name, unit in HOSTILE.items():
        text = unit * (MEGABYTE // len(unit.encode()))
        taken = []
        for function in functions:
            begin = time.process_time()
            function(text)
            taken.append(f"{time.process_time() - begin:.2f}")
        print(f"| {name} | {' | '.join(taken)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds positive/ and benign/ with .jsonl files")
    parser.add_argument("--half", choices=("tuning", "checking"), default="checking")
    parser.add_argument("--texts", action="store_true", help="show the beginning of each text")
    parser.add_argument("--no-speed", action="store_true")
    options = parser.parse_args()
    positive, benign = rows_of(options.folder / "positive"), rows_of(options.folder / "benign")
    print(
        "# Directives found\n\nWritten by `python bench/directives.py FOLDER`; see its first lines."
    )
    goals(positive + benign)
    planted(positive, benign, options.half)
    files("Directives found", positive)
    files("Harmless texts found", benign)
    what: Callable[[Row], str] = (lambda row: shown(row.text)) if options.texts else (lambda _: "")
    missed = [row for row in positive if not row.found and row.half == options.half]
    wrong = [row for row in benign if row.found and row.half == options.half]
    where = f"{options.half} half"
    remaining(f"Missed, {where}", missed, lambda row: f"{why_missed(row)} | {what(row)}")
    remaining(
        f"False positives, {where}",
        wrong,
        lambda row: (
            f"{false_positive(row)} | {spans_of(row)}"
            if options.texts
            else f"{false_positive(row)} |"
        ),
    )
    if not options.no_speed:
        speed(options.folder / "benign")
        hostile()


def spans_of(row: Row) -> str:
    return " // ".join(shown(row.text[span.start : span.end]) for span in row.found)


if __name__ == "__main__":
    main()
