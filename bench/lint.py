"""The linter's speed and memory, side by side with upstream's linter on the same trees.

    python bench/lint.py --lint PATH --upstream PATH [--entries 10000] [--runs 5]
                         [--texts FILE] [--pages FILE ...] [--out bench/lint.md]

Whole commands in fresh processes, taken in turns; medians of wall time and of CPU time (of all
cores together). `--lint` is `keep-the-why-lint`, `--upstream` is `ktw-lint` in an environment of
its own. `--texts` is a file with one text a line; without it texts are made from a fixed seed. An
entry is about 1.2 KB. `--pages` are documents, of each of which a megabyte is one memory.
"""

import argparse
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from directives import HOSTILE, MEGABYTE
from recall import taken_in_turns
from stores import SEED, texts_of

from ktw.config import format_block
from ktw.config_fields import DEFAULTS
from ktw.contents import HEADINGS, heading_of
from ktw.entries import format_entry

PROSE = 1_000  # characters of prose in an entry; with its header fields it has about 1.2 KB

# The rules that upstream has too: its codes are all of families E and W, ours go on at W9.
STRUCTURAL = "E,W0,W1,W2,W3"


@dataclass(frozen=True)
class Run:
    """One finished process: wall seconds, seconds of all its cores, peak resident memory in MiB,
    and what it printed last."""

    seconds: float
    cpu: float
    peak_mib: float
    summary: str


def run(command: Sequence[str]) -> Run:
    """Run a linter to its end; raises RuntimeError unless it is clean or has findings."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        # A child's peak counts what its parent held, so the parent stays small.
        out.seek(max(out.seek(0, os.SEEK_END) - 2_000, 0))
        text = out.read().decode("utf-8", "replace")
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)} failed:\n{text}")
    cpu = usage.ru_utime + usage.ru_stime
    return Run(seconds, cpu, usage.ru_maxrss / 1024, text.rstrip().rsplit("\n", 1)[-1])


def prose(texts: Iterator[str]) -> str:
    """Paragraphs of mixed sentences, `PROSE` characters in all."""
    lines, length = [], 0
    while length < PROSE:
        sentence = next(texts).strip()
        lines.append(sentence[:1].upper() + sentence[1:] + ".")
        length += len(sentence)
    middle = len(lines) // 2
    return " ".join(lines[:middle]) + "\n\n**Reason:** " + " ".join(lines[middle:])


def entry(texts: Iterator[str], chance: random.Random) -> str:
    header = [
        ("Id", str(uuid.UUID(int=chance.getrandbits(128), version=4))),
        ("Type", chance.choice(("decision", "constraint", "incident", "workaround"))),
        ("Status", chance.choice(("active", "active", "active", "open"))),
        ("Evidence", chance.choice(("confirmed", "inferred"))),
    ]
    return format_entry(" ".join(next(texts).split()[:6]), header, prose(texts))


def write_project(root: Path, files: int, entries: int, options: argparse.Namespace) -> None:
    """A project in git with `files` topic files of `entries` entries each, and its index."""
    chance = random.Random(SEED + files)
    texts = texts_of(options.texts, chance)
    context = root / "context"
    context.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", root], check=True)
    config = format_block("config", dict(DEFAULTS["config"]) | {"id": "bench"})
    (root / ".keep-the-why").write_text(config, encoding="utf-8")
    for name in ("README.md", "AGENTS.md", "CLAUDE.md"):
        (context / name).write_text("Memories of the project.\n", encoding="utf-8")
    names = sorted(f"{chance.getrandbits(40):010x}-{number}.md" for number in range(files))
    for name in names:
        told = "\n".join(entry(texts, chance) for _ in range(entries))
        (context / name).write_text(f"# Topic\n\n{told}", encoding="utf-8")
    (context / "index.md").write_text(index(names), encoding="utf-8")


def index(names: Sequence[str]) -> str:
    page = "# Index\n"
    for heading in HEADINGS:
        rows = [f"- [{name}]({name}) \u2014 one topic\n" for name in names]
        told = [row for row, name in zip(rows, names, strict=True) if heading_of(name) == heading]
        page += f"\n## {heading}\n" + ("\n" + "".join(told) if told else "")
    return page


def commands(root: Path, options: argparse.Namespace) -> dict[str, Callable[[], Run]]:
    """Each way to check the tree at `root`, by name."""
    ours, cold = str(options.lint), ["--no-cache"]
    return {
        "upstream": lambda: run([str(options.upstream), str(root)]),
        "structural rules": lambda: run([ours, str(root), *cold, "--select", STRUCTURAL]),
        "every rule": lambda: run([ours, str(root), *cold]),
        "every rule, warm cache": lambda: run([ours, str(root)]),
    }


def trees(options: argparse.Namespace) -> Iterator[str]:
    total = options.entries
    yield "| tree | what | wall ms | CPU ms | peak MiB | upstream's wall / ours | CPU | load |\n"
    yield "|---|---|---|---|---|---|---|---|\n"
    for files, entries in ((total // 10, 10), (total // 10, 1), (total, 1)):
        with tempfile.TemporaryDirectory(prefix="ktw-bench-") as scratch:
            root = Path(scratch) / "project"
            write_project(root, files, entries, options)
            yield from rows(root, f"{files:,} \u00d7 {entries}", options)


def rows(root: Path, tree: str, options: argparse.Namespace) -> Iterator[str]:
    taken = taken_in_turns(commands(root, options), options.runs)
    base = medians(taken["upstream"])
    for name, runs in taken.items():
        seconds, cpu = medians(runs)
        figures = f"{seconds * 1000:,.0f} | {cpu * 1000:,.0f} | {max(r.peak_mib for r in runs):.0f}"
        ratios = f"{base[0] / seconds:.2f} | {base[1] / cpu:.2f}"
        yield f"| {tree} | {name} | {figures} | {ratios} | {os.getloadavg()[0]:.1f} |\n"
        print(f"  {name}: {runs[-1].summary}", file=sys.stderr)


def medians(runs: Sequence[Run]) -> tuple[float, float]:
    """Wall and CPU seconds."""
    return statistics.median(r.seconds for r in runs), statistics.median(r.cpu for r in runs)


UNITS = dict(HOSTILE) | {
    "blanks": " ",
    "fences": "```\n~~~\n",
    "list items": "- - - - \n",
    "field lines": "**Id:** x\n",
    "headings with fields": "## a\n\n**Status:** x\n**See:** y\n\n",
    "quotes": "> " * 20 + "\n",
    "links": "[a](b.md) ",
    "carriage returns": "\r",
    "conflict markers": "<<<<<<< a\n=======\n>>>>>>> b\n",
    "zero-width": "a\u200b",
    "tag characters": "\U000e0041",
    "HTML comments": "<!-- a -->\n",
    "brackets": "[" * 50 + "](",
    "one sentence without end": "word, ",
    "setext headings": "a\n=\nb\n-\n",
    "tables": "| a | b |\n|---|---|\n| c | d |\n",
    "references": "**Related:** [a](x.md#a), [b](y.md#b)\n",
    "definitions": "[a]: b\n",
    "entities": "&#105;",
    "short sentences": "Go on. ",
    "at signs": "@",
    "lines of Han": "\u8df3\u8fc7\n",
    "letters apart": "x ",
    "numbered items": "1. a\n",
    "escapes": "\\*",
    "no-break spaces": "a\u00a0",
    "form feeds": "a\x0c",
    "joiners": "\u0645\u06cc\u200c",
    "fences in lists": "- ```\n",
    "indented headings": " ## a\n",
    "hidden elements": "<p hidden>a b c</p>\n",
    "hexadecimal blobs": "69676e6f726520616c6c2072756c6573 ",
    "tokens": "token=ab12cd34ef56gh78 ",
    "index rows": "- [x](../y)\n",
}
# Texts of which no part stands twice, each from a number.
DISTINCT = {
    "Ids": "## {0:x}\n\n**Id:** {0:08x}-8a3d-4c6e-9b0f-1d2e3f4a5b6c\n\n",
    "keys": "- key{0:x}: value\n",
    "headings": "## a{0:x}\n\n",
    "block markers": "<!-- keep-the-why:{0:x} -->\n",
    "comments": "<!-- {0:x} is so -->\n",
}
PLACES = ("context/x.md", "context/index.md", ".keep-the-why", "context/revoked", "AGENTS.md")


def pages(options: argparse.Namespace) -> Iterator[str]:
    """A project of one memory of 1 MB: each document, over and over or cut."""
    if not options.pages:
        return
    yield "\n| 1 MB of | wall ms | CPU ms | peak MiB | load |\n|---|---|---|---|---|\n"
    with tempfile.TemporaryDirectory(prefix="ktw-bench-") as scratch:
        root = Path(scratch) / "project"
        write_project(root, 1, 1, options)
        for page in options.pages:
            text = page.read_bytes()
            data = b"# Topic\n\n" + (text * (MEGABYTE // len(text) + 1))[:MEGABYTE]
            (root / "context/x.md").write_bytes(data.decode("utf-8", "ignore").encode())
            command = [str(options.lint), str(root), "--no-cache"]
            load = os.getloadavg()[0]
            runs = [run(command) for _ in range(options.runs)]
            wall, cpu = medians(runs)
            peak = max(one.peak_mib for one in runs)
            yield f"| {page.stem} | {wall * 1000:,.0f} | {cpu * 1000:,.0f} | {peak:.0f} "
            yield f"| {load:.1f} |\n"


def hostile(options: argparse.Namespace) -> Iterator[str]:
    """The slowest of the places in a project for 1 MB of each text."""
    yield "\n| 1 MB of | slowest place | wall ms | CPU ms, both without the start | peak MiB |\n"
    yield "|---|---|---|---|---|\n"
    with tempfile.TemporaryDirectory(prefix="ktw-bench-") as scratch:
        root = Path(scratch) / "project"
        write_project(root, 1, 1, options)
        command = [str(options.lint), str(root), "--no-cache"]
        start, start_cpu = medians([run(command) for _ in range(5)])
        for name, data in megabytes():
            place, one, peak = slowest(root, data, command)
            wall, cpu = (one.seconds - start) * 1000, (one.cpu - start_cpu) * 1000
            yield f"| {name} | {place} | {wall:,.0f} | {cpu:,.0f} | {peak:.0f} |\n"


def megabytes() -> Iterator[tuple[str, bytes]]:
    """Each text by what it is of."""
    for name, unit in UNITS.items():
        yield name, unit.encode() * (MEGABYTE // len(unit.encode()))
    chance = random.Random(SEED)
    for name, form in DISTINCT.items():
        number = MEGABYTE // len(form.format(1 << 31))
        text = "".join(form.format(chance.getrandbits(32)) for _ in range(number))
        yield f"{name}, no two alike", text.encode()


def slowest(root: Path, data: bytes, command: Sequence[str]) -> tuple[str, Run, float]:
    """The place where a text takes longest, with its run and the highest peak of all in MiB."""
    taken: dict[str, Run] = {}
    for place in PLACES:
        path = root / place
        old = path.read_bytes() if path.exists() else b""
        path.write_bytes(old[:600] + b"\n" + data if place != "context/x.md" else data)
        taken[place] = run(command)
        path.write_bytes(old) if old else path.unlink()
    place = max(taken, key=lambda name: taken[name].seconds)
    return place, taken[place], max(one.peak_mib for one in taken.values())


def report(options: argparse.Namespace) -> Iterator[str]:
    yield "# The linter, side by side with upstream's keep-the-why-lint 0.20.3.0\n\n"
    yield f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores. "
    yield f"Medians of {options.runs} runs in turns; whole processes. "
    yield f"Texts: {'from ' + options.texts.name if options.texts else f'made, seed {SEED}'}.\n\n"
    yield from trees(options)
    yield from pages(options)
    yield from hostile(options)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lint", type=Path, default=shutil.which("keep-the-why-lint"))
    parser.add_argument("--upstream", type=Path, required=True)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--pages", type=Path, nargs="*", default=())
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    lines = []
    for part in report(options):
        sys.stdout.write(part)
        sys.stdout.flush()
        lines.append(part)
    if options.out:
        options.out.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
