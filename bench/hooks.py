"""Hooks, side by side with skillmem's on the same texts in the same run: what an agent waits for.

    python bench/hooks.py --skillmem PATH [--ktw COMMAND] [--size 10000] [--runs 9] [--texts FILE]
                          [--out FILE]

Whole processes, taken in turns, each with a payload on standard input; figures are medians of wall
time and of the process's own CPU time with that of its children. The peer lives in an environment
of its own: `pip install skillmem==0.13.0`. Warm: with `ktw warm` up, where there is that command.
`--texts` is a file with one text a line; without it texts are made from a fixed seed, of words in
no language, each of which is asked for in all its possible forms.
"""

import argparse
import itertools
import os
import platform
import random
import shlex
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stores import (
    SEED,
    environment,
    found_command,
    notes,
    run,
    start_warm,
    texts_of,
    write_ktw,
    write_peer,
)


class Took(NamedTuple):
    """One finished hook: wall and CPU seconds, and how many bytes it said."""

    wall: float
    cpu: float
    said: int


def hook(command: Sequence[str], payload: object, cwd: Path, env: Mapping[str, str]) -> Took:
    done = run(command, cwd, env, payload)
    return Took(done.wall, done.cpu, len(done.output.encode()))


class Bench:
    """One project of `size` memories in both tools."""

    def __init__(self, options: argparse.Namespace, scratch: Path) -> None:
        self.ktw, self.skillmem = shlex.split(options.ktw), options.skillmem
        self.home, self.root = scratch / "home", scratch / "ktw"
        self.home.mkdir()
        chance = random.Random(SEED + options.size)
        made = notes(options.size, texts_of(options.texts, chance), chance)
        self.words = [" ".join(chance.choice(made).body.split()[3:9]) for _ in range(999)]
        write_ktw(self.root, made, self.env())
        write_peer(scratch / "source", made)
        run([*self.ktw, "index", "--rebuild"], self.root, self.env())
        migrate = [self.skillmem, "migrate", "--source", str(scratch / "source")]
        run(migrate, self.root, self.env())
        self._numbers = itertools.count()

    def env(self) -> dict[str, str]:
        return environment(self.home, KTW_MODEL="off")

    def calls(self) -> dict[str, Callable[[], Took]]:
        """One call an event and tool; each in a session of its own, so that nothing was said."""
        return {
            "skillmem tool-recall": lambda: self._peer("tool-recall", "PreToolUse"),
            "ktw pre-tool": lambda: self._ours("pre-tool", "PreToolUse"),
            "skillmem auto-recall": lambda: self._peer("auto-recall", "UserPromptSubmit"),
            "skillmem verify-gate": lambda: self._peer("verify-gate", "UserPromptSubmit"),
            "ktw user-prompt": lambda: self._ours("user-prompt", "UserPromptSubmit"),
            "skillmem inject": self._inject,
            "ktw session-start": lambda: self._ours("session-start", "SessionStart"),
        }

    def _payload(self, native: str) -> dict[str, object]:
        number = next(self._numbers)
        words = self.words[number % len(self.words)]
        return {
            "session_id": f"session-{number}",
            "cwd": str(self.root),
            "hook_event_name": native,
            "prompt": f"Tell me: {words}",
            "tool_name": "Bash",
            "tool_input": {"command": f"run {words}"},
            "source": "startup" if native == "SessionStart" else "user",
        }

    def _ours(self, event: str, native: str) -> Took:
        command = [*self.ktw, "hook", event, "--agent", "claude-code"]
        return hook(command, self._payload(native), self.root, self.env())

    def _peer(self, name: str, native: str) -> Took:
        return hook([self.skillmem, "hook", name], self._payload(native), self.root, self.env())

    def _inject(self) -> Took:
        return hook([self.skillmem, "inject"], {}, self.root, self.env())


BASES = {
    "ktw pre-tool": "skillmem tool-recall",
    "ktw user-prompt": "skillmem auto-recall",
    "ktw session-start": "skillmem inject",
}


def taken(calls: Mapping[str, Callable[[], Took]], runs: int) -> dict[str, list[Took]]:
    """One round that does not count, then `runs` rounds of all in turn."""
    found: dict[str, list[Took]] = {name: [] for name in calls}
    for at in range(runs + 1):
        for name, call in calls.items():
            one = call()
            if at:
                found[name].append(one)
    return found


def rows(found: Mapping[str, Sequence[Took]], way: str) -> Iterator[str]:
    wall = {name: statistics.median(one.wall for one in took) for name, took in found.items()}
    cpu = {name: statistics.median(one.cpu for one in took) for name, took in found.items()}
    for name, took in found.items():
        base = BASES.get(name)
        ratio = f"{wall[name] / wall[base]:.2f} | {cpu[name] / cpu[base]:.2f}" if base else " | "
        said = statistics.median(one.said for one in took)
        how = way if base else "cold"
        figures = f"{wall[name] * 1000:,.0f} | {cpu[name] * 1000:,.0f} | {ratio} | {said:,.0f}"
        yield f"| {name} | {how} | {figures} |\n"


def report(options: argparse.Namespace) -> Iterator[str]:
    yield "# Hooks, side by side with skillmem 0.13.0\n\n"
    yield f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; "
    texts = options.texts.name if options.texts else "made"
    yield f"{options.size:,} memories, medians of {options.runs} runs in turns; texts {texts}, "
    yield f"seed {SEED}. The ratio is to the peer's hook above. A prompt costs one process against "
    yield "two, a session's start one against three.\n\n"
    yield "| hook | way | wall ms | CPU ms | ratio, wall | ratio, CPU | bytes said |\n"
    yield "|---|---|---|---|---|---|---|\n"
    with tempfile.TemporaryDirectory(prefix="ktw-bench-") as scratch:
        bench = Bench(options, Path(scratch))
        yield from rows(taken(bench.calls(), options.runs), "cold")
        up = start_warm(bench.ktw, bench.root, bench.env())
        if up is not None:
            try:
                yield from rows(taken(bench.calls(), options.runs), "warm")
            finally:
                up.terminate()
                up.wait()
    yield f"\nLoad of the machine at the end: {os.getloadavg()[0]:.1f}.\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    found = found_command("ktw", f"{sys.executable} -m ktw")
    parser.add_argument("--ktw", default=found, help="the command, with its words")
    parser.add_argument("--skillmem", required=True)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--texts", type=Path)
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
