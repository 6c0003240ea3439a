"""Our linter against upstream's over projects made by chance, both directions; prints what differs.

    python bench/differential.py --upstream PATH [--examples 5000] [--seed 0]
                                 [--out bench/differential.md]

`--upstream` is `ktw-lint` in an environment of its own. A project has up to five faults; its seed
makes it anew. Exit 1 when a difference has no reason in `tests/upstream_differences.py`.
"""

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from lint_projects import make_project
from upstream import Comparer, Comparison
from upstream_differences import by_name

SHOWN = 20


class Totals:
    """What all projects gave together."""

    def __init__(self) -> None:
        self.projects = self.fell = self.clean = 0
        self.both: Counter[str] = Counter()
        self.reasons: Counter[tuple[str, str]] = Counter()
        self.unexplained: list[str] = []

    def add(self, seed: str, found: Comparison) -> None:
        self.projects += 1
        self.both.update(place.code for place in found.both)
        self.fell += found.fell
        self.clean += not (found.both or found.differences or found.fell)
        self.reasons.update(
            (side, reason) for (side, _), reason in found.differences.items() if reason
        )
        self.unexplained += [f"{seed}: {side} {tuple(place)}" for side, place in found.unexplained]

    def report(self) -> str:
        lines = [
            f"- projects compared: {self.projects:,}, of them without a finding: {self.clean:,}",
            f"- findings of both, at the same code, file and line: {self.both.total():,}",
            f"- differences without a reason: {len(self.unexplained):,}",
            f"- projects on which upstream's linter fell with a traceback: {self.fell:,}",
            "",
            "| only found by | times | why |",
            "|---|---|---|",
        ]
        reasons = by_name()
        for (side, name), times in sorted(self.reasons.items(), key=lambda item: -item[1]):
            who = "upstream" if side == "theirs" else "ours"
            lines.append(f"| {who} | {times:,} | {reasons[name].reason} |")
        codes = ", ".join(f"{code} {times:,}" for code, times in sorted(self.both.items()))
        return "\n".join([*lines, "", f"Findings of both by code: {codes}."]) + "\n"


def run(options: argparse.Namespace) -> Totals:
    totals = Totals()
    with tempfile.TemporaryDirectory(prefix="ktw-differential-") as scratch:
        comparer = Comparer(options.upstream, Path(scratch))
        for number in range(options.seed, options.seed + options.examples):
            totals.add(str(number), comparer.compare(make_project(random.Random(number))))
            if sys.stderr.isatty() and number % 100 == 0:
                print(f"\r{number:,}", end="", file=sys.stderr)
        comparer.close()
    return totals


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--upstream", default=os.environ.get("KTW_UPSTREAM_LINT"))
    parser.add_argument("--examples", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    totals = run(options)
    told = totals.report()
    sys.stdout.write(told)
    print("\n".join(totals.unexplained[:SHOWN]))
    if options.out:
        command = (
            f"python bench/differential.py --examples {options.examples} --seed {options.seed}"
        )
        title = "# Our linter against upstream's keep-the-why-lint 0.20.3.0\n\n"
        options.out.write_text(f"{title}Made with `{command}`.\n\n{told}", encoding="utf-8")
    return 1 if totals.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
