"""The linter's cache: it spares work, and no answer ever differs from one that was not cached."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest

import lint_builders as build
from builders import make_project, make_repo
from keep_the_why_lint import cache as caching
from keep_the_why_lint import cli, page, texts
from keep_the_why_lint.cache import Cache, open_cache
from keep_the_why_lint.project import MemoryFiles
from keep_the_why_lint.reading import read_project
from keep_the_why_lint.registry import PAGE_RULES
from keep_the_why_lint.remembered import run_digest
from keep_the_why_lint.runner import Report, lint_project
from keep_the_why_lint.suppression import Baseline
from ktw.text.directives import find_alone

LINES = (build.ORDER, "a\u200bb", "## Other", f"key = {build.KEY}", "QUJDREVG" * 10, "<<<<<<< a")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    root = build.build_good("provenance", tmp_path / "project")
    make_repo(root)
    return root


def _cache_file(root: Path) -> Path:
    return root / ".git" / "ktw" / "lint.json"


def _run_file(root: Path) -> Path:
    return _cache_file(root).with_name(caching.RUN)


def _cached(root: Path) -> Report:
    return lint_project(root, cache=open_cache(root))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the directive detector was really asked about."""
    seen: list[str] = []

    def ask(text: str, part: int, parts: int) -> object:
        seen.append(text)
        return find_alone(text, part, parts)

    monkeypatch.setattr("ktw.text.directives.find_alone", ask)
    return seen


def test_what_is_unchanged_is_not_checked_again(good: Path, asked: list[str]) -> None:
    build.edit(good, "context/sync.md", "applied twice.\n", f"applied twice.\n{build.ORDER}")
    first = _cached(good)
    assert sum(build.ORDER in text for text in asked) == 1
    assert _cached(good) == first == lint_project(good)
    asked.clear()
    assert _cached(good) == first
    assert not [text for text in asked if build.ORDER in text]


def test_what_is_unchanged_is_not_even_parsed(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build.edit(good, "context/sync.md", "applied twice.\n", f"applied twice.\n{build.ORDER}")
    first = _cached(good)
    monkeypatch.setattr("keep_the_why_lint.project.parse_text", None)
    assert _cached(good) == first
    with pytest.raises(TypeError):
        lint_project(good, select=("D",), cache=open_cache(good))


def test_all_that_rules_see_is_in_the_digest_of_a_run(good: Path) -> None:
    project = read_project(good)
    other: dict[str, object] = {
        field.name: frozenset({"x"}) if isinstance(value, frozenset) else "x"
        for field in fields(project)
        if (value := getattr(project, field.name)) is not None or field.name != "verdicts"
    }
    page = replace(project.texts[0], text="x")
    other |= {"texts": (page, *project.texts[1:]), "files": MemoryFiles([("context/x.md", b"x")])}
    changed = [replace(project, **{name: value}) for name, value in other.items()]
    changed += [
        replace(project, texts=(replace(project.texts[0], **{name: "other"}), *project.texts[1:]))
        for name in ("path", "kind")
    ]
    digests = [run_digest(each, None, ()) for each in (project, *changed)]
    digests += [run_digest(project, Baseline("x"), ()), run_digest(project, None, ("D",))]
    assert len(set(digests)) == len(digests) == len(fields(project)) + 4
    assert run_digest(read_project(good), None, ()) == digests[0]
    assert run_digest(replace(project, verdicts=lambda path: None), None, ()) is None


def test_the_digest_of_a_run_is_the_same_in_every_process(good: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from keep_the_why_lint.reading import read_project\n"
        "from keep_the_why_lint.remembered import run_digest\n"
        "print(run_digest(read_project(Path(sys.argv[1])), None, ()))"
    )
    build.write(good, "context/revoked", "".join(f"sha256:{n:064x}\n" for n in range(9)))
    told = {
        subprocess.run(
            [sys.executable, "-c", program, good],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert told == {f"{run_digest(read_project(good), None, ())}\n".encode()}


@pytest.mark.parametrize("seed", range(6))
def test_cached_and_uncached_answers_are_equal(good: Path, seed: int) -> None:
    chance = random.Random(seed)
    names = ["context/sync.md", "context/cache.md", "context/index.md", ".keep-the-why"]
    states = {name: [(good / name).read_bytes()] for name in names}
    for _ in range(8):
        name = chance.choice(names)
        lines = chance.choice(states[name]).decode().split("\n")
        lines.insert(chance.randrange(len(lines)), chance.choice(LINES))
        states[name].append("\n".join(lines).encode())
        build.write(good, name, chance.choice(states[name]))
        twin = good / "context" / f"twin-{chance.randrange(3)}.md"
        twin.write_bytes(chance.choice(states["context/sync.md"]))
        assert _cached(good) == lint_project(good)


def test_one_text_under_two_names_and_schemas(good: Path) -> None:
    build.edit(good, "context/sync.md", "applied twice.\n", f"applied twice.\n{LINES[1]}\n")
    _cached(good)
    (good / "context/sync.md").rename(good / "context/moved.md")
    report = _cached(good)
    assert report == lint_project(good)
    assert "context/moved.md" in {f.path for f in report.findings if f.code == "E301"}
    build.edit(good, ".keep-the-why", "0.20.3", "0.6.0")
    assert _cached(good) == lint_project(good)


def test_a_claim_changes_what_a_cached_directive_is_worth(good: Path) -> None:
    build.edit(good, "context/sync.md", "applied twice.\n", f"applied twice.\n{build.ORDER}")
    _cached(good)
    build.set_hash(good, "context/sync.md")
    assert _cached(good) == lint_project(good)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data.replace(b"[]", b"{}"),
        lambda data: b"\0" * 100,
        lambda data: b"[" * 100_000,
        lambda data: data * 2,
    ],
)
def test_a_damaged_cache_counts_as_absent(good: Path, change: Callable[[bytes], bytes]) -> None:
    build.edit(good, "context/sync.md", "applied twice.\n", f"applied twice.\n{build.ORDER}")
    _cached(good)
    for path in (_run_file(good), _cache_file(good)):  # what a run found, then its answers too
        path.write_bytes(change(path.read_bytes()))
        assert _cached(good) == lint_project(good)
        _run_file(good).unlink()


def test_answers_of_another_version_are_not_used(
    good: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str]
) -> None:
    _cached(good)
    before = len(asked)
    monkeypatch.setattr(caching, "code_version", lambda: "another")
    _cached(good)
    assert len(asked) > before


def test_the_version_is_that_of_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "rule.py"
    source.write_text("one = 1\n")
    monkeypatch.setattr(caching, "_sources", lambda packages: [str(source)])
    before = caching.code_version()
    source.write_text("one = 2\n")
    assert before and caching.code_version() not in (before, None)
    source.unlink()
    assert caching.code_version() is None


def test_a_file_of_another_user_is_not_used(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _cached(good)
    path = _cache_file(good)
    assert caching._load(path, caching.code_version() or "")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1, raising=False)
    assert caching._load(path, caching.code_version() or "") is None


def test_where_there_is_no_place_there_is_no_cache(tmp_path: Path, good: Path) -> None:
    outside = build.build_good("upstream", tmp_path / "outside")
    assert open_cache(outside) is None
    (good / ".git").rename(good / "carried")
    build.write(good, ".git", "gitdir: carried\n")
    assert open_cache(good) is None


def test_a_worktree_has_its_own(tmp_path: Path) -> None:
    main = make_project(tmp_path / "main", {})
    main.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "--detach")
    _cached(tmp_path / "linked")
    assert list((tmp_path / "main/.git/worktrees").glob("*/ktw/lint.json"))
    assert not _cache_file(tmp_path / "main").exists()


def test_the_cache_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "MAX_ANSWERS", 3)
    path = tmp_path / "lint.json"
    for number in range(5):
        cache = Cache(path, "v")
        for text in ("kept", f"text {number}"):
            cache.rows(("q", text), lambda: [[1]])
        cache.save()
    assert len(caching._load(path, "v")) == 3
    monkeypatch.setattr(caching, "MAX_BYTES", 10)
    cache = Cache(path, "w")
    cache.rows(("q", "x"), lambda: [[1]])
    cache.save()
    assert caching._load(path, "w") is None


def test_no_two_questions_share_a_key(tmp_path: Path) -> None:
    long = "x" * 1_000
    questions: list[tuple[str, ...]] = [
        ("q", "a", "b"),
        ("q", "ab"),
        ("q", "a', 'b"),
        ("qa", "b"),
        ("q",),
        ("q", ""),
        ("q", long),
        ("q", long + "x"),
        ("q", caching._digest(long)),
        ("q", "text", caching._digest(long)),
        ("q", f"('text', '{caching._digest(long)}')"),
        ("q", "\ud800"),
    ]
    cache = Cache(tmp_path / "lint.json", "v")
    assert len({cache._key(question) for question in questions}) == len(questions)


def test_no_cache_reads_and_writes_none(
    good: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main([str(good), "--no-cache"], {})
    assert not _cache_file(good).exists()
    cli.main([str(good)], {})
    first, before = capsys.readouterr().out, len(asked)
    assert _cache_file(good).exists()
    cli.main([str(good), "--no-cache"], {})
    assert len(asked) == before + (before // 2) and capsys.readouterr().out in first


@dataclass(frozen=True)
class _Page(page.Page):
    more: str = ""


def test_every_field_of_a_page_is_in_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "Page", _Page)
    cache = Cache(tmp_path / "lint.json", "v")
    for found in (_Page("x.md", "t"), _Page("x.md", "t", "other"), _Page("x.md", "t", more="m")):
        list(texts.Texts(cache, PAGE_RULES, True).findings(found))
    assert len(cache._used) == 3
