"""Start, first and warm recall over MCP, side by side with skillmem on the same texts, in turns.

    python bench/mcp.py --ktw PATH --skillmem PATH [--sizes 100,1000,10000] [--runs 7] [--out FILE]

Each run starts a fresh server and times it from the outside: the answer to `initialize`, to the
first `mem_recall`, to a second one. Medians of wall time; compare within a run, not across
machines. The index of both is made before.
"""

import argparse
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from stores import SEED, environment, made_texts, notes, run, write_ktw, write_peer

NAMES = ("initialize", "first recall", "warm recall", "answer, characters")


def ask(process: "subprocess.Popen[str]", id_: int, method: str, **params: object) -> str:
    """The line that answers one request."""
    assert process.stdin is not None and process.stdout is not None
    request = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    return process.stdout.readline()


def timed(command: Sequence[str], cwd: Path, env: dict[str, str], query: str) -> list[float]:
    """Milliseconds from the start to the handshake's answer and to the first recall, those of a
    second recall, and the characters of its answer."""
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        me = {"name": "bench", "version": "1"}
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": me}
        ask(process, 1, "initialize", **about)
        greeted = time.perf_counter()
        assert process.stdin is not None
        process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        call = {"name": "mem_recall", "arguments": {"query": query}}
        ask(process, 2, "tools/call", **call)
        first = time.perf_counter()
        answer = ask(process, 3, "tools/call", **call)
        warm = time.perf_counter()
        process.stdin.close()
    moments = [greeted - start, first - start, warm - first]
    return [*(moment * 1000 for moment in moments), float(len(answer))]


def measured(size: int, ktw: str, skillmem: str, runs: int, root: Path) -> dict[str, list[float]]:
    """Medians by program."""
    chance = random.Random(SEED)
    made = notes(size, made_texts(chance), chance)
    home = root / "home"
    home.mkdir()
    env = environment(home)
    write_ktw(root / "ktw", made, env)
    write_peer(root / "source", made)
    for file in (root / "source").glob("*.md"):  # mem_recall answers from skills alone
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("type: feedback", "type: skill"), encoding="utf-8")
    run([ktw, "index"], root / "ktw", env)
    peer = {**env, "SKILLMEM_DB": str(root / "peer.db")}
    run([skillmem, "init", "--skip-migrate"], root, peer)
    run([skillmem, "migrate", "--source", str(root / "source")], root, peer)
    query = " ".join(made[size // 2].title.split()[:4])
    taken: dict[str, list[list[float]]] = {"ktw": [], "skillmem": []}
    for _ in range(runs + 1):
        taken["ktw"].append(timed([ktw, "mcp"], root / "ktw", env, query))
        taken["skillmem"].append(timed([skillmem, "mcp"], root, peer, query))
    return {
        name: [statistics.median(column) for column in zip(*rows[1:], strict=True)]
        for name, rows in taken.items()
    }


def report(found: dict[int, dict[str, list[float]]], command: str) -> str:
    lines = ["# MCP, side by side", "", f"`{command}`, medians, milliseconds of wall time.", ""]
    lines += ["| memories | what | ktw | skillmem | ratio |", "|---|---|---|---|---|"]
    for (size, by), (at, name) in itertools.product(found.items(), enumerate(NAMES)):
        ours, theirs = by["ktw"][at], by["skillmem"][at]
        lines.append(f"| {size:,} | {name} | {ours:,.0f} | {theirs:,.0f} | {ours / theirs:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ktw", required=True)
    parser.add_argument("--skillmem", required=True)
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    found = {}
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as root:
            found[size] = measured(
                size, options.ktw, options.skillmem, options.runs, Path(root).resolve()
            )
    command = f"python bench/mcp.py --sizes {options.sizes} --runs {options.runs}"
    text = report(found, command)
    sys.stdout.write(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
