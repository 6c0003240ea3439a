"""Recall, hooks and indexing, side by side with skillmem on the same texts in the same run.

    python bench/recall.py --skillmem PATH [--ktw COMMAND] [--sizes 100,1000,10000] [--runs 15]
                           [--peer-up-to 10000] [--model SETTING] [--texts FILE]
                           [--out FILE] [--plot FILE]

Whole commands in fresh processes, taken in turns. `--texts` is a file with one text a line; without
it texts are made from a fixed seed. Sizes above `--peer-up-to` are measured without the peer, which
takes ten minutes and more to import them. The peer lives in an environment of its own:
`pip install skillmem==0.13.0`; its search has no vectors. Warm rows need `ktw warm`; without that
command they are left out, and the report says so. `--plot` writes an SVG of cost against size.
"""

import argparse
import itertools
import json
import os
import platform
import random
import shlex
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from plot import chart
from stores import (
    SEED,
    Run,
    environment,
    file_of,
    found_command,
    notes,
    run,
    start_warm,
    texts_of,
    write_ktw,
    write_peer,
)

SEARCH, HOOK, IMPORT = "skillmem search", "skillmem hook tool-recall", "skillmem migrate"
LEXICAL, HYBRID, AFTER_EDIT = "ktw recall", "ktw recall, vectors", "ktw recall after one edit"
HYBRID_AFTER_EDIT = "ktw recall, vectors, after one edit"
PRE_TOOL, BUILD, BUILD_VECTORS = "ktw hook pre-tool", "ktw index", "ktw index, vectors"
WARM_RECALL, WARM_HOOK = "ktw recall, warm", "ktw hook pre-tool, warm"
PLOTTED = (SEARCH, HOOK, LEXICAL, HYBRID, PRE_TOOL, WARM_RECALL, WARM_HOOK)
SETTLED_S = 0.2  # past the time in which a file just written is read once more

Call = Callable[[], Run]


class Row(NamedTuple):
    """One line of the report: what was run how often, and the row it is to be compared with."""

    size: int
    what: str
    mode: str
    runs: Sequence[Run]
    base: float | None
    load: float

    @property
    def wall(self) -> float:
        return statistics.median(one.wall for one in self.runs)

    def __str__(self) -> str:
        cpu = statistics.median(one.cpu for one in self.runs)
        peak = max(one.peak_mib for one in self.runs)
        ratio = f"{self.wall / self.base:.2f}" if self.base else ""
        figures = f"{self.wall * 1000:,.0f} | {cpu * 1000:,.0f} | {peak:.0f} | {ratio}"
        told = f"| {self.size:,} | {self.what} | {self.mode} | {len(self.runs)} "
        return f"{told}| {figures} | {self.load:.1f} |\n"


def taken_in_turns(calls: Mapping[str, Call], runs: int) -> dict[str, list[Run]]:
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
        self.ktw, self.skillmem = shlex.split(options.ktw), options.skillmem
        self.size, self.runs, self.model = size, options.runs, options.model
        self.with_peer = size <= options.peer_up_to
        self.home, self.root, self.source = scratch / "home", scratch / "ktw", scratch / "source"
        self.home.mkdir(parents=True)
        chance = random.Random(SEED + size)
        self.notes = notes(size, texts_of(options.texts, chance), chance)
        asked = [" ".join(chance.choice(self.notes).body.split()[3:11]) for _ in range(99)]
        self._questions, self._numbers = itertools.cycle(asked), itertools.count()
        write_ktw(self.root, self.notes, self.env())
        write_peer(self.source, self.notes)

    def env(self, model: str = "off") -> dict[str, str]:
        return environment(self.home, KTW_MODEL=model)

    def build(self) -> Iterator[Row]:
        """Both stores from nothing; the peer's figure is the base of ours."""
        peer = [self._peer(["migrate", "--source", str(self.source)])] if self.with_peer else []
        base = peer[0].wall if peer else None
        if peer:
            yield self._row(IMPORT, "", peer, base)
        rounds = range(1 if self.size > 1000 else 3)
        for name, model in ((BUILD, "off"), (BUILD_VECTORS, self.model)):
            if name == BUILD or model != "off":
                built = [self._ours(["index", "--rebuild"], model) for _ in rounds]
                yield self._row(name, self.mode(model), built, base)

    def cold(self) -> Iterator[Row]:
        calls: dict[str, Call] = {}
        if self.with_peer:
            calls = {SEARCH: self.search, HOOK: self.peer_hook}
        calls[LEXICAL] = partial(self.recall, "off")
        calls[AFTER_EDIT] = partial(self.recall_after_edit, "off")
        if self.model != "off":
            calls[HYBRID] = partial(self.recall, self.model)
            calls[HYBRID_AFTER_EDIT] = partial(self.recall_after_edit, self.model)
        models = {HYBRID: self.model, HYBRID_AFTER_EDIT: self.model}
        yield from self._rows(calls | {PRE_TOOL: self.hook}, models)

    def warm(self) -> Iterator[Row]:
        """Nothing where there is no `ktw warm`."""
        up = start_warm(self.ktw, self.root, self.env())
        if up is None:
            return
        calls: dict[str, Call] = {}
        if self.with_peer:
            calls = {SEARCH: self.search, HOOK: self.peer_hook}
        calls |= {WARM_RECALL: partial(self.recall, "off"), WARM_HOOK: self.hook}
        try:
            yield from self._rows(calls, {})
        finally:
            up.terminate()
            up.wait()

    def _rows(self, calls: Mapping[str, Call], models: Mapping[str, str]) -> Iterator[Row]:
        taken = taken_in_turns(calls, self.runs)
        walls = {name: statistics.median(one.wall for one in runs) for name, runs in taken.items()}
        for name, runs in taken.items():
            mode = "" if name.startswith("skillmem") else self.mode(models.get(name, "off"))
            yield self._row(name, mode, runs, walls.get(HOOK if "hook" in name else SEARCH))

    def _row(self, what: str, mode: str, runs: Sequence[Run], base: float | None) -> Row:
        return Row(self.size, what, mode or "lexical", runs, base, os.getloadavg()[0])

    def mode(self, model: str) -> str:
        """How ktw says that it searched, and with which model."""
        told = json.loads(self._ours(["recall", "--json", next(self._questions)], model).output)
        return ", ".join(filter(None, (told["mode"], told["model"])))

    def _ours(self, words: Sequence[str], model: str = "off", given: object = None) -> Run:
        return run([*self.ktw, *words], self.root, self.env(model), given)

    def _peer(self, words: Sequence[str], given: object = None) -> Run:
        return run([self.skillmem, *words], self.root, self.env(), given)

    def search(self) -> Run:
        return self._peer(["search", next(self._questions), "--limit", "5"])

    def recall(self, model: str) -> Run:
        question = ["recall", next(self._questions), "-n", "5", "--budget", "400"]
        return self._ours(question, model)

    def recall_after_edit(self, model: str) -> Run:
        """One file longer by a line, then asked; at the end nothing is left to be read again, nor
        to be embedded."""
        with file_of(self.root, self.notes[0]).open("a", encoding="utf-8") as file:
            file.write("\nOne more line.\n")
        taken = self.recall(model)
        time.sleep(SETTLED_S)
        self._ours(["index"], self.model)
        return taken

    def hook(self) -> Run:
        return self._ours(["hook", "pre-tool", "--agent", "claude-code"], given=self._payload())

    def peer_hook(self) -> Run:
        return self._peer(["hook", "tool-recall"], self._payload())

    def _payload(self) -> dict[str, object]:
        """A tool call in a session of its own, in which nothing was said yet."""
        return {
            "session_id": f"session-{next(self._numbers)}",
            "cwd": str(self.root),
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": f"run {next(self._questions)}"},
        }

    def disk(self) -> Iterator[str]:
        """Bytes a memory, of the index, of the vectors and of the peer's database."""
        kept = [path for path in (self.root / ".git" / "ktw").rglob("*") if path.is_file()]
        sizes = {"index": 0, "vectors": 0}
        for path in kept:
            of = "vectors" if any("vector" in part for part in path.parts[-2:]) else "index"
            sizes[of] += path.stat().st_size
        told = [f"{of} {size / self.size:,.0f}" for of, size in sizes.items()]
        told.append(f"together {sum(sizes.values()) / self.size:,.0f}")
        if self.with_peer:
            databases = (p for p in self.home.rglob("*") if p.is_file() and ".db" in p.name)
            told.append(f"skillmem {sum(p.stat().st_size for p in databases) / self.size:,.0f}")
        yield f"- Bytes a memory on disk at {self.size:,}: {', '.join(told)}.\n"


def measured(bench: Bench) -> Iterator[Row]:
    yield from bench.build()
    yield from bench.cold()
    yield from bench.warm()


def told_of(size: int, rows: Sequence[Row]) -> Iterator[str]:
    """What no single row says."""
    wall = {row.what: row.wall for row in rows}
    edit = (wall[AFTER_EDIT] - wall[LEXICAL]) * 1000
    yield f"- One edit costs the next recall {edit:,.0f} ms at {size:,}.\n"
    if IMPORT in wall:
        yield f"- A build is {wall[IMPORT] / wall[BUILD]:.1f} times as fast at {size:,}.\n"
    if WARM_HOOK not in wall:
        yield f"- No warm rows at {size:,}: this ktw has no `ktw warm`.\n"


def head(options: argparse.Namespace) -> str:
    texts = f"from {options.texts.name}" if options.texts else f"made, seed {SEED}"
    return (
        "# Recall, hooks and indexing, side by side with skillmem 0.13.0\n\n"
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; texts "
        f"{texts}.\nMedians of whole processes taken in turns; the peak is the highest. The ratio "
        "of wall times is to\n`skillmem search`, for hooks to `skillmem hook tool-recall`, for "
        "`ktw index` to `skillmem migrate`.\n\n"
        "| memories | what | mode, model | runs | wall ms | CPU ms | peak MiB | ratio | load |\n"
        "|---|---|---|---|---|---|---|---|---|\n"
    )


def report(options: argparse.Namespace, rows: list[Row]) -> Iterator[str]:
    """The report line by line; `rows` gets what was measured."""
    yield head(options)
    more: list[str] = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="ktw-bench-") as scratch:
            bench, own = Bench(options, size, Path(scratch)), []
            for row in measured(bench):
                own.append(row)
                yield str(row)
            more += [*told_of(size, own), *bench.disk()]
            rows += own
    yield "\n" + "".join(more)


def plotted(rows: Sequence[Row]) -> str:
    """Milliseconds against memories, one line a command."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.what in PLOTTED:
            lines.setdefault(row.what, []).append((row.size, row.wall * 1000))
    return chart("What one command costs", "memories", "ms", lines)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    found = found_command("ktw", f"{sys.executable} -m ktw")
    parser.add_argument("--ktw", default=found, help="the command, with its words")
    needed = shutil.which("skillmem") is None
    parser.add_argument("--skillmem", default=shutil.which("skillmem"), required=needed)
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--peer-up-to", type=int, default=10_000)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--model", default="", help="KTW_MODEL of the rows with vectors; off: none")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    options.sizes = [int(size) for size in options.sizes.split(",")]
    return options


def main() -> None:
    options = arguments()
    lines, rows = [], []
    for part in report(options, rows):
        sys.stdout.write(part)
        sys.stdout.flush()
        lines.append(part)
    if options.out:
        options.out.write_text("".join(lines), encoding="utf-8")
    if options.plot:
        options.plot.write_text(plotted(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
