"""Verdicts of many memory files, cold and warm: whole `ktw` processes on made projects.

    python bench/verdicts.py [--sizes 100,1000,10000] [--runs 5] [--out FILE]

Every file claims an approval and every claim is backed: on a remote's main branch, in this clone's
ledger, by signed lists, or as it says. Cold: nothing that ktw derives is there. Figures are medians
of wall time, and of user and system time of the process with its git processes; the number of those
is counted through a `git` that is first on the PATH.
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
from datetime import UTC, datetime
from pathlib import Path

from ktw.binding import bind
from ktw.config import format_block
from ktw.config_fields import DEFAULTS
from ktw.entries import format_entry
from ktw.git import find_repository
from ktw.git.refs import write_files
from ktw.ledger import REF, Subject, ledger_files
from ktw.memory import edit_memory, format_memory, parse_memory
from ktw.sittings import NAMESPACE, Sitting, format_list, list_name
from ktw.trust import Approval

SEED = 20260101
DATE = "2026-01-02T03:04:05Z"
AT = datetime(2026, 1, 3, 3, 4, 5, tzinfo=UTC)
WHO = "Bench <bench@example.invalid>"
WAITING = 30
A_SITTING = 2000
TRUST_REF = "refs/remotes/origin/main"


@dataclass(frozen=True)
class Run:
    """One finished process: wall and CPU seconds, peak resident memory in MiB."""

    seconds: float
    cpu: float
    peak_mib: float


# --- the project ------------------------------------------------------------------------------


def made_text(chance: random.Random) -> str:
    """Some ninety words of a made vocabulary, as unequal as real ones, in one memory file."""
    syllables = [a + b for a in "bdfgklmnprstv" for b in ("a", "e", "i", "o", "u", "ar", "en")]
    words = ["".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3)))) for _ in range(90)]
    header = [
        ("Id", str(uuid.UUID(int=chance.getrandbits(128), version=4))),
        ("Type", "decision"),
        ("Status", "active"),
        ("Evidence", "unknown"),
    ]
    entry = format_entry(" ".join(words[:6]), header, " ".join(words[6:]) + ".")
    origin = chance.choice(("agent", "owner", "imported"))
    values = {"origin": origin, "kind": "decision", "created_at": DATE}
    return format_memory(values, "Bench", entry)


class Bench:
    """One project of `size` memory files, all of them claimed but the first `waiting`."""

    def __init__(self, size: int, scratch: Path, waiting: int = 0) -> None:
        self.root, self.home = scratch / "work", scratch / "home"
        self.home.mkdir()
        os.environ["HOME"] = str(self.home)  # where the key lies to which a policy is bound
        chance = random.Random(SEED + size)
        self.texts: dict[str, str] = {}
        claim = [("trusted_at", DATE), ("trusted_by", WHO)]
        for at in range(size):
            text = made_text(chance)
            claimed = text if at < waiting else edit_memory(text, claim)
            self.texts[f"context/decision-{at:05}.md"] = claimed
        self._write()

    def _write(self) -> None:
        (self.root / "context").mkdir(parents=True)
        config = format_block("config", dict(DEFAULTS["config"]) | {"id": "bench"})
        (self.root / ".keep-the-why").write_text(config, encoding="utf-8")
        for path, text in self.texts.items():
            (self.root / path).write_text(text, encoding="utf-8")
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Bench")
        self.git("config", "user.email", "bench@example.invalid")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message=Memories")
        self.git("update-ref", TRUST_REF, "HEAD")
        self.git("config", "ktw.project", "bench .")
        self.git("config", "ktw.trustRef", TRUST_REF)
        self.git("config", "ktw.bound", bind(find_repository(self.root)))

    def subjects(self) -> list[Subject]:
        files = (parse_memory(path, text.encode()) for path, text in self.texts.items())
        claimed = (file for file in files if file.trusted_at)
        return [Subject("bench", file.path, file.ids, file.computed_hash) for file in claimed]

    def fill_ledger(self) -> None:
        """Approve everything in this clone."""
        files = ledger_files(self.subjects(), Approval(WHO, DATE))
        write_files(find_repository(self.root), REF, files, "Approve")

    def sign(self) -> int:
        """Approve everything by signed lists; how many there are."""
        key, lists = self.home / "key", self.root / "context" / ".approvals"
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
        subprocess.run(command, check=True)
        signers = self.home / "signers"
        signers.write_text(f"bench@example.invalid {key.with_suffix('.pub').read_text()}")
        self.git("config", "gpg.ssh.allowedSignersFile", str(signers))
        lists.mkdir()
        subjects = self.subjects()
        for start in range(0, len(subjects), A_SITTING):
            data = format_list(Sitting(AT, tuple(subjects[start : start + A_SITTING])))
            place = lists / list_name(data)
            place.write_bytes(data)
            sign = ["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), str(place)]
            subprocess.run(sign, check=True, stderr=subprocess.DEVNULL)
        return len(list(lists.glob("*.list")))

    def allow(self, *methods: str) -> None:
        """Make these the methods that count."""
        self.git("config", "--unset-all", "ktw.approval", check=False)
        for method in methods:
            self.git("config", "--add", "ktw.approval", method)

    def git(self, *arguments: str, check: bool = True) -> None:
        subprocess.run(["git", *arguments], cwd=self.root, env=self.env(), check=check)

    def env(self, **more: str) -> dict[str, str]:
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("GIT_", "PYTHON"))}
        return kept | {"GIT_CONFIG_NOSYSTEM": "1"} | more

    # --- measuring ----------------------------------------------------------------------------

    def run(self, *arguments: str, **more: str) -> Run:
        """One process to its end; raises RuntimeError when it fails."""
        command, env = [sys.executable, "-m", "ktw", *arguments], self.env(**more)
        start = time.perf_counter()
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(command, cwd=self.root, env=env, stdout=out, stderr=out)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                out.seek(0)
                raise RuntimeError(out.read()[-2000:].decode("utf-8", "replace"))
        return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)

    def forget(self) -> None:
        """Drop everything that ktw derived."""
        shutil.rmtree(self.root / ".git" / "ktw", ignore_errors=True)

    def processes(self, *arguments: str) -> int:
        """How many git processes one such call starts."""
        real, log = shutil.which("git"), self.home / "git.log"
        wrapper = self.home / "bin" / "git"
        wrapper.parent.mkdir(exist_ok=True)
        wrapper.write_text(f'#!/bin/sh\necho "$*" >> "{log}"\nexec "{real}" "$@"\n')
        wrapper.chmod(0o755)
        log.write_text("")
        self.run(*arguments, PATH=f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
        return len(log.read_text().splitlines())


# --- the report -------------------------------------------------------------------------------


def report(sizes: Sequence[int], runs: int) -> Iterator[str]:
    yield "# Verdicts of many memory files\n\n"
    yield f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores. "
    yield f"Medians of {runs} whole processes; `--runs {runs}`.\n\n"
    yield "| files | command | methods | state | wall ms | CPU ms | git | peak MiB | load |\n"
    yield "|---|---|---|---|---|---|---|---|---|\n"
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="ktw-bench-") as scratch:
            yield from _verifying(Bench(size, Path(scratch)), size, runs)
        with tempfile.TemporaryDirectory(prefix="ktw-bench-") as scratch:
            yield from _queueing(Bench(size, Path(scratch), WAITING), size, runs)


def _verifying(bench: Bench, size: int, runs: int) -> Iterator[str]:
    bench.fill_ledger()
    sittings = bench.sign()
    signed = f"signed ({sittings} sittings)"
    named = {"merged": ["merged"], "local": ["local"], "merged, local": ["merged", "local"]}
    for told, methods in {**named, signed: ["signed"]}.items():
        bench.allow(*methods)
        yield from _rows(bench, size, told, runs, ["verify"])


def _queueing(bench: Bench, size: int, runs: int) -> Iterator[str]:
    bench.fill_ledger()
    bench.allow("merged", "local")
    told = f"merged, local; {WAITING} wait"
    yield from _rows(bench, size, told, runs, ["review", "--json"])
    yield from _rows(bench, size, told, runs, ["status"])


def _rows(bench: Bench, size: int, told: str, runs: int, call: Sequence[str]) -> Iterator[str]:
    def measured(prepare: Callable[[], None]) -> str:
        taken = []
        for _ in range(runs):
            prepare()
            taken.append(bench.run(*call))
        prepare()
        processes = bench.processes(*call)
        wall = statistics.median(one.seconds for one in taken) * 1000
        cpu = statistics.median(one.cpu for one in taken) * 1000
        peak = max(one.peak_mib for one in taken)
        load = os.getloadavg()[0]
        return f"{wall:,.0f} | {cpu:,.0f} | {processes} | {peak:.0f} | {load:.1f}"

    command = " ".join(call)
    yield f"| {size:,} | {command} | {told} | cold | {measured(bench.forget)} |\n"
    yield f"| {size:,} | {command} | {told} | warm | {measured(lambda: None)} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    lines = []
    for part in report([int(size) for size in options.sizes.split(",")], options.runs):
        sys.stdout.write(part)
        sys.stdout.flush()
        lines.append(part)
    if options.out:
        options.out.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
