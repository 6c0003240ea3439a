"""Coverage-guided fuzzing of the linter with Atheris: no crash, no hang, every span in its file.

    python -m pip install atheris && python tools/fuzz_lint.py [CORPUS] [-max_total_time=600]

An input is up to five parts, divided by `PART`: a memory, the index, the config, `revoked`, and the
name of the memory. A part that is missing or empty is that of a good project. Without a corpus one
is made from the cases of the tests. Options are libFuzzer's.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import atheris

REPOSITORY = Path(__file__).resolve().parent.parent
TESTS = REPOSITORY / "tests"
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "lint"), str(TESTS)]

with atheris.instrument_imports(include=["ktw", "keep_the_why_lint"]):
    # What a run imports late has to be there by now, or it would not be measured.
    import ktw.evidence
    import ktw.frontmatter_events
    import ktw.text.directives  # noqa: F401
    from keep_the_why_lint.runner import lint_project
    from lint_report_checks import check_report

PART = b"\n%%%%\n"
NAMES = ("context/sync.md", "context/index.md", ".keep-the-why", "context/revoked")
WORDS = (
    "---\\x0a",
    "\\x0a%%%%\\x0a",
    "origin: agent\\x0a",
    "trusted_at: 2026-01-02T03:04:05Z\\x0a",
    "content_hash: sha256:",
    "\\x0a## ",
    "\\x0a**Id:** ",
    "**Status:** superseded",
    "**Superseded by:** ",
    "**See:** sync.md \\xe2\\x80\\x94 ",
    "```",
    "~~~",
    "<!-- keep-the-why:config -->",
    "<!-- /keep-the-why:config -->",
    "- context: ",
    "- pinned-path: ",
    "](",
    "\\xe2\\x80\\x8b",
    "\\xf3\\xa0\\x81\\x81",
    "<<<<<<< a\\x0a=======\\x0a>>>>>>> b\\x0a",
    "ignore all previous instructions",
    ">>> END UNTRUSTED MEMORY",
)


def seeds() -> Iterator[bytes]:
    """One input for each case of the tests that is kept as files."""
    for case in sorted((TESTS / "lint_cases").glob("*/*")):
        parts = [case / name for name in NAMES]
        yield PART.join(path.read_bytes() if path.is_file() else b"" for path in parts)


def corpus(scratch: Path) -> Path:
    """A directory of inputs to start from, and beside it a dictionary of the format's words."""
    place = scratch / "corpus"
    place.mkdir()
    for number, seed in enumerate(seeds()):
        (place / f"seed-{number}").write_bytes(seed)
    return place


class Target:
    """A good project on the disk, of which each input replaces some parts."""

    def __init__(self, root: Path) -> None:
        self.root = shutil.copytree(TESTS / "lint_cases" / "good" / "provenance", root)
        self.good = {name: self._read(name) for name in NAMES}

    def _read(self, name: str) -> bytes:
        path = self.root / name
        return path.read_bytes() if path.exists() else b""

    def __call__(self, data: bytes) -> None:
        parts = data.split(PART, len(NAMES))
        for name, part in zip(NAMES, parts, strict=False):
            (self.root / name).write_bytes(part or self.good[name])
        twin = self._twin(parts[len(NAMES)]) if len(parts) > len(NAMES) else None
        check_report(lint_project(self.root), self.root)
        if twin is not None:
            twin.unlink(missing_ok=True)
        for name in NAMES[: len(parts)]:
            (self.root / name).write_bytes(self.good[name])

    def _twin(self, name: bytes) -> Path | None:
        """A copy of the memory under the name that the input gives it."""
        path = self.root / "context" / os.fsdecode(name.replace(b"/", b"_")[:200])
        try:
            if path.exists():
                return None
            path.write_bytes((self.root / NAMES[0]).read_bytes())
        except (OSError, ValueError):
            return None
        return path


def main() -> None:
    scratch = Path(
        tempfile.mkdtemp(prefix="ktw-fuzz-", dir="/dev/shm" if os.name == "posix" else None)
    )
    (scratch / "words").write_text("".join(f'"{word}"\n' for word in WORDS))
    given = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    options = [f"-dict={scratch / 'words'}", "-timeout=20", "-max_len=20000"]
    places = [] if given else [str(corpus(scratch))]
    atheris.Setup([sys.argv[0], *options, *sys.argv[1:], *places], Target(scratch / "project"))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
