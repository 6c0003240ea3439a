"""Cold recall and index building, side by side with skillmem on the same texts in the same run.

    python bench/recall.py --ktw PATH --skillmem PATH [--sizes 100,1000,10000] [--runs 9]
                           [--texts FILE] [--out bench/report.md]

Both are whole commands in fresh processes, taken in turns. `--texts` is a file with one text a
line; without it texts are made from a fixed seed. The peer lives in an environment of its own:
`pip install skillmem==0.13.0`. Figures are medians of wall time; the load of the machine and the
way ktw searched stand beside them.
"""

import argparse
import itertools
import json
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

from ktw.config import format_block
from ktw.config_fields import DEFAULTS
from ktw.entries import format_entry
from ktw.memory import format_memory

SEED = 20260101
DATE = "2026-01-02T03:04:05Z"


@dataclass(frozen=True)
class Run:
    """One finished process: wall seconds and peak resident memory in MiB."""

    seconds: float
    peak_mib: float
    output: str


@dataclass(frozen=True)
class Note:
    """One text of the benchmark, kept by both tools."""

    id: str
    title: str
    body: str


def run(command: Sequence[str], cwd: Path, env: dict[str, str]) -> Run:
    """Run a command to its end; raises RuntimeError when it fails."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, cwd=cwd, env=env, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{text[-2000:]}")
    return Run(seconds, usage.ru_maxrss / 1024, text)


def made_texts(chance: random.Random) -> Iterator[str]:
    """Endless sentences over a made vocabulary whose words are as unequal as real ones."""
    syllables = [a + b for a in "bdfgklmnprstv" for b in ("a", "e", "i", "o", "u", "ar", "en")]
    vocabulary = [
        "".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3)))) for _ in range(9000)
    ]
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(vocabulary))))
    while True:
        yield " ".join(chance.choices(vocabulary, cum_weights=weights, k=chance.randint(8, 30)))


def notes(count: int, texts: Iterator[str], chance: random.Random) -> list[Note]:
    made = []
    for _ in range(count):
        body = ". ".join(text[:1].upper() + text[1:] for text in itertools.islice(texts, 5)) + "."
        title = " ".join(next(texts).split()[:6])
        made.append(Note(str(uuid.UUID(int=chance.getrandbits(128), version=4)), title, body))
    return made


def write_ktw(root: Path, made: Sequence[Note], env: dict[str, str]) -> None:
    context = root / "context"
    context.mkdir(parents=True)
    run(["git", "init", "--quiet"], root, env)
    config = format_block("config", dict(DEFAULTS["config"]) | {"id": "bench"})
    (root / ".keep-the-why").write_text(config, encoding="utf-8")
    for note in made:
        header = [
            ("Id", note.id),
            ("Type", "decision"),
            ("Status", "active"),
            ("Evidence", "inferred"),
        ]
        text = format_memory(
            {"origin": "agent", "kind": "decision", "created_at": DATE},
            "Bench",
            format_entry(note.title, header, note.body),
        )
        (context / f"decision-{note.id[:13]}.md").write_text(text, encoding="utf-8")


def write_skillmem(source: Path, made: Sequence[Note]) -> None:
    source.mkdir(parents=True)
    for note in made:
        name = f"decision-{note.id[:13]}"
        head = f"name: {name}\ndescription: {json.dumps(note.title)}\nmetadata:\n  type: project\n"
        (source / f"{name}.md").write_text(f"---\n{head}---\n{note.body}\n", encoding="utf-8")


def taken_in_turns(calls: dict[str, Callable[[], Run]], runs: int) -> dict[str, list[Run]]:
    """Each call once to warm the disk, then `runs` rounds of all of them in turn."""
    for call in calls.values():
        call()
    taken: dict[str, list[Run]] = {name: [] for name in calls}
    for _ in range(runs):
        for name, call in calls.items():
            taken[name].append(call())
    return taken


class Bench:
    """One size: both stores made, built and asked."""

    def __init__(self, options: argparse.Namespace, size: int, scratch: Path) -> None:
        self.options, self.size = options, size
        self.home = scratch / "home"
        self.home.mkdir(parents=True)
        self.root, self.source = scratch / "ktw", scratch / "source"
        chance = random.Random(SEED + size)
        lines = options.texts.read_text(encoding="utf-8").splitlines() if options.texts else []
        texts = iter(lambda: chance.choice(lines), None) if lines else made_texts(chance)
        self.notes = notes(size, texts, chance)
        self.questions = [" ".join(chance.choice(self.notes).body.split()[3:11]) for _ in range(99)]
        write_ktw(self.root, self.notes, self.env())
        write_skillmem(self.source, self.notes)

    def env(self, **more: str) -> dict[str, str]:
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("GIT_", "PYTHON"))}
        own = {"HOME": str(self.home), "SKILLMEM_HOME": str(self.home / "sm"), "MEM_SEMANTIC": "0"}
        return kept | own | more

    def build(self) -> dict[str, Run]:
        ktw = [self.options.ktw, "index", "--rebuild"]
        return {
            "ktw index": run(ktw, self.root, self.env(KTW_MODEL="off")),
            "skillmem migrate": run(
                [self.options.skillmem, "migrate", "--source", str(self.source)],
                self.root,
                self.env(),
            ),
        }

    def asks(self) -> dict[str, Callable[[], Run]]:
        turn = itertools.cycle(self.questions)

        def ask(model: str) -> Run:
            question = [self.options.ktw, "recall", next(turn), "-n", "5", "--budget", "400"]
            return run(question, self.root, self.env(KTW_MODEL=model))

        def search() -> Run:
            question = [self.options.skillmem, "search", next(turn), "--limit", "5"]
            return run(question, self.root, self.env())

        calls = {"skillmem search": search, "ktw recall, lexical": lambda: ask("off")}
        if self.options.model != "off":
            calls[f"ktw recall, hybrid ({self.options.model or 'shipped model'})"] = lambda: ask(
                self.options.model
            )
        return calls

    def reread(self) -> int:
        """How many files a refresh reads after one was changed."""
        changed = self.root / "context" / f"decision-{self.notes[0].id[:13]}.md"
        changed.write_text(
            changed.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8"
        )
        done = run([self.options.ktw, "index", "--json"], self.root, self.env(KTW_MODEL="off"))
        return int(json.loads(done.output)["read"])


def report(options: argparse.Namespace) -> Iterator[str]:
    yield "# Recall and indexing, side by side with skillmem 0.13.0\n"
    yield f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores. "
    yield f"Medians of {options.runs} runs in turns; whole processes, cold. "
    yield f"Texts: {'from ' + options.texts.name if options.texts else f'made, seed {SEED}'}.\n\n"
    yield "| memories | what | wall ms | peak MiB | ratio | load |\n|---|---|---|---|---|---|\n"
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="ktw-bench-") as scratch:
            yield from measured(Bench(options, size, Path(scratch)))


def measured(bench: Bench) -> Iterator[str]:
    built = bench.build()
    base = built["skillmem migrate"].seconds
    for name, done in built.items():
        yield row(bench.size, name, done.seconds, done.peak_mib, base)
    taken = taken_in_turns(bench.asks(), bench.options.runs)
    base = statistics.median(one.seconds for one in taken["skillmem search"])
    for name, runs in taken.items():
        seconds = statistics.median(one.seconds for one in runs)
        yield row(bench.size, name, seconds, max(one.peak_mib for one in runs), base)
    yield f"| {bench.size:,} | files read after one changed | {bench.reread()} | | | |\n"


def row(size: int, name: str, seconds: float, peak: float, base: float) -> str:
    load = os.getloadavg()[0]
    figures = f"{seconds * 1000:,.0f} | {peak:.0f} | {seconds / base:.2f} | {load:.1f}"
    return f"| {size:,} | {name} | {figures} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ktw", default=shutil.which("ktw"), required=shutil.which("ktw") is None)
    parser.add_argument("--skillmem", required=True)
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--model", default="", help="KTW_MODEL of the hybrid runs; off: none")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    options.sizes = [int(size) for size in options.sizes.split(",")]
    lines = []
    for part in report(options):
        sys.stdout.write(part)
        sys.stdout.flush()
        lines.append(part)
    if options.out:
        options.out.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
