"""SARIF: valid by the public schema, stable when lines move, and named from git's top."""

import hashlib
import json
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import lint_builders as build
import lint_changes as changes
from keep_the_why_lint.comparison import identity
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.pull_request import lint_change
from keep_the_why_lint.registry import ALL_RULES
from keep_the_why_lint.report import as_sarif
from keep_the_why_lint.runner import Report, lint_project

SCHEMA = Path(__file__).parent / "sarif" / "sarif-schema-2.1.0.json"
VALIDATOR = jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def _run(report: Report) -> Any:
    shown = as_sarif(report)
    assert shown.isascii() and "##[" not in shown
    log = json.loads(shown)
    VALIDATOR.validate(log)
    (run,) = log["runs"]
    return run


CASES = ["E009/topic-link", "H/tags", "D/order", "F/closing-marker", "N102/megabyte", "S101/key"]


@pytest.mark.parametrize("case", CASES)
def test_a_log_is_valid_and_names_its_rules(case: str, tmp_path: Path) -> None:
    report = lint_project(build.build_built(case, tmp_path / "project"))
    run = _run(report)
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(report.findings) > 0
    for result, finding in zip(run["results"], report.findings, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.code
        assert result["level"] == finding.severity


def test_every_rule_is_described() -> None:
    run = _run(Report((), 0, 0, (0, 20, 3)))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in ALL_RULES]
    for rule in rules:
        assert rule["shortDescription"]["text"].endswith(".") and "Fix:" in rule["help"]["text"]
        assert len(rule["fullDescription"]["text"]) < 1024


def _result(finding: Finding, **fields: Any) -> Any:
    return _run(Report((finding,), 1, 1, (0, 20, 3), **fields))["results"][0]


@pytest.mark.parametrize(
    ("path", "prefix", "uri"),
    [
        ("context/x.md", "", "context/x.md"),
        ("context/x.md", "packages/a b", "packages/a%20b/context/x.md"),
        ("../.github/CODEOWNERS", "part", ".github/CODEOWNERS"),
        ("context/\u00e4#?%:.md", "", "context/%C3%A4%23%3F%25%3A.md"),
        ("a:b/x.md", "", "a%3Ab/x.md"),
        ("context/caf\udce9.md", "", "context/caf%E9.md"),
        ("context/a\nb.md", "", "context/a%0Ab.md"),
    ],
)
def test_paths_are_relative_uris(path: str, prefix: str, uri: str) -> None:
    found = _result(Finding("E101", "error", path, 0, 0, 0, "m", "r"), prefix=prefix)
    place = found["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}}


def test_a_home_is_no_part_of_the_repository() -> None:
    found = _result(Finding("W004", "warning", "~/.keep-the-why/x.md", 0, 0, 0, "m", "r"))
    location = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": ".keep-the-why/x.md", "uriBaseId": "%HOME%"}


def test_a_region_has_lines_and_a_column() -> None:
    found = _result(Finding("H101", "error", "context/x.md", 3, 5, 4, "hid\x1bden", "r"))
    assert found["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 5,
        "endLine": 4,
    }
    assert found["message"]["text"] == "hid\\x1bden"


def _prints(root: Path) -> list[str]:
    results = _run(lint_project(root))["results"]
    prints = [result["partialFingerprints"]["lineText/v1"] for result in results]
    assert len(set(prints)) == len(prints)
    return prints


def test_fingerprints_survive_moves_and_tell_repeats_apart(tmp_path: Path) -> None:
    root = build.build_good("upstream", tmp_path / "project")
    text = (root / "context/sync.md").read_text(encoding="utf-8")
    lines = ["**Evidence:** guess" if x.startswith("**Evid") else x for x in text.split("\n")]
    build.write(root, "context/sync.md", "\n".join(lines))
    before = _prints(root)
    build.edit(root, "context/sync.md", "\n", "\n\nA line.\n\n")
    assert _prints(root) == before and len(before) == 2
    build.edit(root, "context/sync.md", "**Evidence:** guess", "**Evidence:** guessed")
    assert _prints(root) != before


def test_a_fingerprint_is_the_digest_of_what_a_finding_is_known_by() -> None:
    lines = {("a.md", 3): " one \ud800 line ", ("b.md", 1): "another"}
    places = [("a.md", 3), ("b.md", 1), ("a.md", 3), ("a.md", 0)]
    for (path, line), code, said in product(places, ("D301", "H101"), ("so", "line 4 \xe9")):
        found = Finding(code, "error", path, line, 5, line, said, "r")
        name = "\0".join(identity(found, lines)).encode("utf-8", "surrogatepass")
        mark = _result(found, lines=lines)["partialFingerprints"]["lineText/v1"]
        assert mark == f"{hashlib.sha256(name).hexdigest()}:1"


def test_the_trust_report_as_sarif(tmp_path: Path) -> None:
    base = changes.make_base(tmp_path / "base")
    for case in ("T105/context-gone", "T304/all", "T203/gone"):
        changes.CHANGES[case](base)
    codes = {result["ruleId"] for result in _run(lint_change(base.root, "main"))["results"]}
    assert {"T105", "T203", "T304"} <= codes
