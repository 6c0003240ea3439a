"""The same made memories for ktw and for skillmem, and whole processes run to their end.

What is measured and what is said of it is for the scripts that use this.
"""

import itertools
import json
import os
import random
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ktw.config import format_block
from ktw.config_fields import DEFAULTS
from ktw.entries import format_entry
from ktw.memory import format_memory

SEED = 20260101
DATE = "2026-01-02T03:04:05Z"
_START_S = 30.0


@dataclass(frozen=True)
class Run:
    """One finished process: wall and CPU seconds, peak resident memory in MiB, what it printed."""

    wall: float
    cpu: float
    peak_mib: float
    output: str


@dataclass(frozen=True)
class Note:
    """One text of the benchmark, kept by both tools."""

    id: str
    title: str
    body: str


def run(command: Sequence[str], cwd: Path, env: Mapping[str, str], given: object = None) -> Run:
    """Run a command to its end, `given` as JSON on standard input; RuntimeError when it fails."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out:
        source.write(b"" if given is None else json.dumps(given).encode())
        source.seek(0)
        start = time.perf_counter()
        streams = {"stdin": source, "stdout": out, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, cwd=cwd, env=env, **streams)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{text[-2000:]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def texts_of(file: Path | None, chance: random.Random) -> Iterator[str]:
    """Lines of a file by chance, without end; without a file, texts that are made."""
    lines = file.read_text(encoding="utf-8").splitlines() if file else []
    return iter(lambda: chance.choice(lines), None) if lines else made_texts(chance)


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


def write_ktw(root: Path, made: Sequence[Note], env: Mapping[str, str]) -> None:
    """A project of ktw, one file a memory."""
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
        file_of(root, note).write_text(text, encoding="utf-8")


def file_of(root: Path, note: Note) -> Path:
    return root / "context" / f"decision-{note.id[:13]}.md"


def write_peer(source: Path, made: Sequence[Note]) -> None:
    """The same texts as feedback: the one imported kind that the peer's hooks look at."""
    source.mkdir(parents=True)
    for note in made:
        name = f"feedback-{note.id[:13]}"
        head = f"name: {name}\ndescription: {json.dumps(note.title)}\nmetadata:\n  type: feedback\n"
        (source / f"{name}.md").write_text(f"---\n{head}---\n{note.body}\n", encoding="utf-8")


def environment(home: Path, **more: str) -> dict[str, str]:
    """A home of their own for both tools, and no vectors for the peer."""
    kept = {n: v for n, v in os.environ.items() if not n.startswith(("GIT_", "PYTHON", "KTW_"))}
    own = {"HOME": str(home), "SKILLMEM_HOME": str(home / "sm"), "MEM_SEMANTIC": "0"}
    return kept | own | more


def start_warm(
    ktw: Sequence[str], root: Path, env: Mapping[str, str]
) -> subprocess.Popen[bytes] | None:
    """A `ktw warm` that is up, None where there is no such command."""
    shown = subprocess.run([*ktw, "warm", "--help"], capture_output=True, check=False)
    if shown.returncode:
        return None
    quiet = subprocess.DEVNULL
    up = subprocess.Popen([*ktw, "warm"], cwd=root, env=env, stdout=quiet, stderr=quiet)
    until = time.monotonic() + _START_S
    asked = [*ktw, "warm", "--status"]
    while subprocess.run(asked, cwd=root, env=env, capture_output=True, check=False).returncode:
        if up.poll() is not None or time.monotonic() > until:
            up.kill()
            raise RuntimeError("ktw warm does not come up")
        time.sleep(0.1)
    return up


def found_command(name: str, otherwise: str) -> str:
    return shutil.which(name) or otherwise
