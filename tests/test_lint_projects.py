"""Several projects in one run: found, named apart, one report, one exit code."""

import json
import os
from pathlib import Path

import jsonschema
import pytest

import lint_builders as build
from keep_the_why_lint import baseline, cli
from keep_the_why_lint.projects import place_projects, search_projects
from ktw.errors import UsageError

SCHEMA = Path(__file__).resolve().parent.parent / "context-schema/output/lint.schema.json"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """`packages/a` (a warning), `packages/b` (an error); decoys where nobody looks."""
    root = tmp_path / "repo"
    for name in ("packages/a", "packages/b", "node_modules/x", ".git/y"):
        build.build_good("upstream", root / name)
    (root / "packages/a/context/README.md").unlink()
    build.edit(root / "packages/b", "context/sync.md", "**Status:** active", "**Status:** dead")
    if os.name != "nt":
        (root / "packages/loop").symlink_to("..")
    (root / "home/.keep-the-why").mkdir(parents=True)
    return root


def _run(*arguments: str) -> int:
    return cli.main(list(arguments), {})


def test_every_project_below_is_found_once(tree: Path) -> None:
    found = search_projects(tree).roots
    assert [path.relative_to(tree).as_posix() for path in found] == ["packages/a", "packages/b"]
    with pytest.raises(UsageError):
        search_projects(tree / "home")


def test_a_directory_that_cannot_be_listed_is_said(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("home"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert _run(str(tree), "--all") == 1
    assert "cannot be listed: " in capsys.readouterr().err


def test_one_report_with_paths_from_here(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tree)
    for arguments in (["--all"], ["packages/b", "packages/a", "./packages/a"]):
        assert _run(*arguments, "--json") == 1
        value = json.loads(capsys.readouterr().out)
        jsonschema.validate(value, json.loads(SCHEMA.read_text(encoding="utf-8")))
        assert [(f["code"], f["path"]) for f in value["findings"]] == [
            ("W201", "packages/a/context/README.md"),
            ("E103", "packages/b/context/sync.md"),
        ]
        assert value["summary"] == {
            "errors": 1,
            "warnings": 1,
            "files": 4,
            "entries": 6,
            "schema": "0.20.3",
        }
    assert _run("packages/a") == 0
    assert "\ncontext/README.md" in f"\n{capsys.readouterr().out}", "one alone: from its root"
    assert _run("packages/a", "--github") == 0
    assert "file=packages/a/context/README.md" in capsys.readouterr().out, "a host: from its top"


def test_elsewhere_they_are_named_from_their_common_directory(tree: Path, tmp_path: Path) -> None:
    roots = [tree / "packages/b", tree / "packages/a"]
    named = place_projects(roots, roots, tmp_path / "elsewhere")
    assert [place.prefix for place in named] == ["a/", "b/"]


def test_one_inside_another(tree: Path) -> None:
    build.build_good("upstream", tree / "packages/a/vendored")
    start = tree / "packages/a"
    named = place_projects(search_projects(start).roots, [start], start)
    assert [place.prefix for place in named] == ["", "vendored/"]


def test_fix_and_baseline_hold_for_each(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build.edit(tree / "packages/a", "context/index.md", "## 5\n", "")
    assert _run(str(tree), "--all", "--fix", "--diff") == 1
    assert "packages/a/context/index.md (E202" in capsys.readouterr().out
    assert _run(str(tree), "--all", "--fix", "--write-baseline", "--strict") == 0
    for name in "ab":
        assert (tree / f"packages/{name}" / baseline.NAME).exists()
    assert _run(str(tree), "--all", "--baseline", "x.json") == 2


def test_settings_of_a_home_are_told_once(tree: Path, tmp_path: Path) -> None:
    build.write(tmp_path, ".keep-the-why/config", "# nothing\n")
    arguments = [str(tree), "--all", "--setup", "--select", "E013"]
    assert cli.main(arguments, {"HOME": str(tmp_path)}) == 1


def test_exit_codes(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(str(tree / "packages/a"), str(tree / "nowhere")) == 2
    assert _run(str(tree / "home"), "--all") == 2
    build.edit(tree / "packages/b", "context/sync.md", "**Status:** dead", "**Status:** active")
    assert _run(str(tree), "--all") == 0
    assert _run(str(tree), "--all", "--strict") == 1
