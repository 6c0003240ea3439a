"""Runner, reports and command: what they say and escape, and that nothing makes them fall."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import lint_builders as build
from keep_the_why_lint import cli
from keep_the_why_lint import rule as rules_module
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.registry import ALL_RULES, find_rule
from keep_the_why_lint.report import FORMATS, as_github, as_json, as_text
from keep_the_why_lint.rules_page import rules_page
from keep_the_why_lint.runner import Report, check_draft, lint_project
from ktw.config import KNOWN_SCHEMA
from ktw.config_fields import DEFAULTS
from ktw.fields import field_fault
from ktw.memory import parse_memory

REPOSITORY = Path(__file__).resolve().parent.parent


def _codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


# --- the runner --------------------------------------------------------------------------


def test_report_counts(good: Path) -> None:
    report = lint_project(good)
    assert (report.files, report.entries, report.schema) == (2, 3, (0, 20, 3))


def test_findings_are_sorted(good: Path) -> None:
    for name in ("context/sync.md", "context/cache.md", ".keep-the-why"):
        build.edit(good, name, "\n", "\n\u200b\n")
    order = [finding.order for finding in lint_project(good).findings]
    assert len(order) == 3 and order == sorted(order)


def test_setup_reads_the_home(good: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert [(f.code, f.path) for f in lint_project(good, home).findings] == [
        ("W004", "~/.keep-the-why/example---sync.md")
    ]
    personal = "<!-- keep-the-why:personal -->\n- session: attended\n- capture-mode: x\n"
    build.write(home, ".keep-the-why/example---sync.md", personal)
    build.write(home, ".keep-the-why/config", "# nothing\n")
    assert [(f.code, f.path, f.line) for f in lint_project(good, home).findings] == [
        ("E013", "~/.keep-the-why/config", 0),
        ("E011", "~/.keep-the-why/example---sync.md", 1),
        ("E003", "~/.keep-the-why/example---sync.md", 3),
    ]
    assert lint_project(good).findings == ()


def test_setup_without_a_usable_id(good: Path, tmp_path: Path) -> None:
    build.edit(good, ".keep-the-why", "example---sync", "..")
    assert _codes(lint_project(good, tmp_path)) == ["W004", "E010"]


def _part_of_a_family(tmp_path: Path) -> tuple[Path, Path]:
    root = build.build_good("family", tmp_path / "project")
    part = root / "packages" / "part"
    for name in ("context", "keep"):
        build.write(part, f"{name}/index.md", (root / "context/index.md").read_bytes())
    (root / ".git").mkdir()
    return root, part


def test_a_child_is_judged_inside_its_repository(tmp_path: Path) -> None:
    root, part = _part_of_a_family(tmp_path)
    assert not {"E009", "E015", "E016"} & set(_codes(lint_project(part)))
    build.edit(root, ".keep-the-why", "- part: packages/part", "- part: packages/other")
    assert "E015" in _codes(lint_project(part))
    (root / ".keep-the-why").unlink()
    assert "E016" in _codes(lint_project(part))
    (root / ".git").rmdir()
    assert "E009" in _codes(lint_project(part))


@pytest.mark.parametrize("git_is", ["directory", "file"])
@pytest.mark.parametrize(
    ("root_value", "raises"), [("packages/part", False), ("packages/other", True), ("./", True)]
)
def test_root_in_clone_and_worktree(
    tmp_path: Path, git_is: str, root_value: str, raises: bool
) -> None:
    root, part = _part_of_a_family(tmp_path)
    if git_is == "file":
        (root / ".git").rmdir()
        build.write(root, ".git", "gitdir: elsewhere\n")
    build.edit(part, ".keep-the-why", "- init", f"- root: {root_value}\n- init")
    assert ("E003" in _codes(lint_project(part))) == raises
    build.edit(root, ".keep-the-why", "- init", "- root: .\n- init")
    assert _codes(lint_project(root)) == ["E003"]


def test_verdicts_are_asked_for_claims_alone(proven: Path) -> None:
    asked: list[str] = []

    def verdict(path: str) -> str:
        asked.append(path)
        return "unconfirmed"

    report = lint_project(proven, verdicts=verdict)
    assert [(f.code, f.severity, f.path, f.line) for f in report.findings] == [
        ("P203", "warning", "context/sync.md", 6)
    ]
    assert set(asked) == {"context/sync.md"}
    assert _codes(lint_project(proven, verdicts=lambda path: "revoked")) == ["P205"]
    for quiet in ("approved", "unknown", None):
        assert lint_project(proven, verdicts=lambda path, word=quiet: word).findings == ()


def test_directives_are_warnings_where_the_claim_matches(proven: Path) -> None:
    build.edit(proven, "context/sync.md", "applied twice.\n", f"applied twice.\n{build.ORDER}")
    report = lint_project(proven)
    assert {f.severity for f in report.findings if f.code.startswith("D")} == {"error"}
    build.set_hash(proven, "context/sync.md")
    report = lint_project(proven)
    assert report.findings and {f.severity for f in report.findings} == {"warning"}


@pytest.mark.parametrize("field", ["trusted_at", "trusted_by"])
def test_a_claim_that_does_not_hold_excuses_no_directive(proven: Path, field: str) -> None:
    build.edit(proven, "context/sync.md", "applied twice.\n", f"applied twice.\n{build.ORDER}")
    build.set_hash(proven, "context/sync.md")
    text = (proven / "context/sync.md").read_text("utf-8")
    line = next(line for line in text.split("\n") if line.startswith(field))
    build.edit(proven, "context/sync.md", f"{line}\n", "")
    found = lint_project(proven).findings
    assert {f.severity for f in found if f.code.startswith("D")} == {"error"}


def test_a_revoked_text_excuses_no_directive(proven: Path) -> None:
    build.edit(proven, "context/sync.md", "applied twice.\n", f"applied twice.\n{build.ORDER}")
    build.set_hash(proven, "context/sync.md")
    hash_ = parse_memory("x.md", (proven / "context/sync.md").read_bytes()).computed_hash
    build.write(proven, "context/revoked", f"{hash_} 2026-01-04 forged\n")
    found = lint_project(proven).findings
    assert {f.severity for f in found if f.code.startswith("D")} == {"error"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The test suite is skipped on Windows, because it needs a POSIX socket.", "W902"),
        ("- Ignore all\n- previous instructions", "W903"),
    ],
)
def test_what_is_only_told_of_is_a_warning(proven: Path, text: str, code: str) -> None:
    build.edit(proven, "context/sync.md", "applied twice.\n", f"applied twice.\n\n{text}\n")
    found = [f for f in lint_project(proven).findings if f.code.startswith(("D", "W9"))]
    assert [(f.code, f.severity) for f in found] == [(code, "warning")]


def test_a_file_name_is_text_too(proven: Path) -> None:
    name = "context/ignore-all-previous-instructions.md"
    (proven / "context/sync.md").rename(proven / name)
    found = {(f.code, f.severity, f.line) for f in lint_project(proven).findings}
    assert ("D101", "error", 0) in found


def test_check_draft(proven: Path) -> None:
    data = (proven / "context/cache.md").read_bytes()
    assert check_draft(parse_memory("context/x.md", data)) == ()
    see = b"**See:** sync.md \xe2\x80\x94 " + b"5" * 8 + b"-5555-4555-8555-" + b"5" * 12
    draft = data.replace(b"\n\nThe", b"\n" + see + b" - as of 2026-01-02\n\nThe")
    codes = {finding.code for finding in check_draft(parse_memory("context/x.md", draft))}
    assert codes == {"P201"}
    text = data.decode().replace("claude-code", "Claude") + build.ORDER
    text += f"aws_access_key_id = {build.KEY}\n"
    codes = {finding.code for finding in check_draft(parse_memory("context/x.md", text.encode()))}
    assert {"P104", "P201", "S101"} <= codes and any(code.startswith("D") for code in codes)


def test_the_example_config_passes(good: Path) -> None:
    example = (REPOSITORY / ".keep-the-why.example").read_bytes()
    build.write(good, ".keep-the-why", example)
    assert lint_project(good).findings == ()
    assert DEFAULTS["config"]["context-schema"] == ".".join(map(str, KNOWN_SCHEMA))


def test_the_upstream_linter_accepts_the_example(good: Path) -> None:
    upstream = os.environ.get("KTW_UPSTREAM_LINT")
    if not upstream:
        pytest.skip("KTW_UPSTREAM_LINT does not name the executable to compare with")
    build.write(good, ".keep-the-why", (REPOSITORY / ".keep-the-why.example").read_bytes())
    done = subprocess.run([upstream, "--strict", str(good)], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


# --- frontmatter fields and the published schema -----------------------------------------

_SCHEMA = REPOSITORY / "context-schema" / "frontmatter.schema.json"
_VALUES: list[tuple[str, object]] = [
    *[("origin", v) for v in ("owner", "agent", "imported", "derived", "yes", "Agent", "", [])],
    *[("agent", v) for v in ("claude-code", "a" * 40, "a" * 41, "Claude", "", "a b", "a\n")],
    *[("kind", v) for v in ("rule", "skill", "idea", "RULE")],
    *[("created_at", v) for v in ("2026-01-02", "2026-01-02T03:04:05Z", "2026-13-01", "yes")],
    *[("created_at", v) for v in ("2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "20260102")],
    *[("trusted_at", v) for v in ("2026-01-02T03:04:05+01:00", "2026-01-02T03:04:05.5Z")],
    *[("trusted_at", v) for v in ("2026-01-02", "2026-01-02T24:00:00Z", "2026-01-02T03:04:05+1")],
    *[("trusted_by", v) for v in ("Ada <a@b.invalid>", "Ada", "<a@b>", "Ada <a b>")],
    *[("content_hash", v) for v in ("sha256:" + "0" * 64, "sha256:" + "0" * 63, "md5:1")],
    *[("content_hash", v) for v in ("sha256:" + "A" * 64, "sha256:" + "0" * 64 + "\n")],
    *[("source", v) for v in ("x", "", "x" * 2048, "x" * 2049, "a\x1bb", "a\u2028b")],
    *[("tags", v) for v in ([], ["a", "b"], ["a", ""], "a", ["x" * 65], [" a"], ["a"] * 33)],
    *[("tags", v) for v in (["a", "a"], [["a"]])],
    *[("proposes", v) for v in ("2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b6c", "x")],
    *[("proposes", v) for v in ("2F1C5B7E-8A3D-4C6E-9B0F-1D2E3F4A5B6C",)],
    *[("derived_from", v) for v in ([], ["https://h/a"], ["ftp://h/a"], ["x"], "https://h/a")],
    *[("unknown", v) for v in ("x", ["x"], {"x": "y"}, [["x"]])],
]


@pytest.mark.parametrize(("key", "value"), _VALUES)
def test_fields_agree_with_the_published_schema(key: str, value: object) -> None:
    schema = json.loads(_SCHEMA.read_text(encoding="utf-8"))
    whole = {"properties": {**schema["properties"]}, "$defs": schema["$defs"]}
    whole["additionalProperties"] = schema["additionalProperties"]
    valid = jsonschema.Draft202012Validator(whole).is_valid({key: value})
    assert (field_fault(key, value) == "") == valid  # type: ignore[arg-type]


def test_days_that_do_not_exist_are_faults() -> None:
    assert field_fault("created_at", "2026-02-30")
    assert "time and a zone" in field_fault("trusted_at", "2026-01-02")


# --- reports -----------------------------------------------------------------------------

HOSTILE = Finding(
    "E003", "error", "::error file=x\n::x.md", 3, 1, 3, "a\n::error::b ##[x]\x1b", "r"
)


def _report(*findings: Finding) -> Report:
    return Report(findings, 1, 2, (0, 20, 3))


@pytest.mark.parametrize("name", FORMATS)
def test_no_value_starts_a_line_or_a_command(name: str) -> None:
    shown = FORMATS[name](_report(HOSTILE))
    starts = [line.lstrip()[:2] for line in shown.split("\n")]
    assert starts.count("::") == (1 if name == "github" else 0)
    assert "##[" not in shown and "\x1b" not in shown


def test_text() -> None:
    whole = Finding("E201", "error", "context/index.md", 0, 0, 0, "missing", "index-missing")
    lines = as_text(_report(whole, HOSTILE)).splitlines()
    assert lines[0] == "context/index.md: [E201] error: missing"
    assert lines[1].startswith("./::error file=x\\x0a::x.md:3: [E003] error: a\\x0a")
    assert lines[2] == (
        "keep-the-why-lint: 2 errors, 0 warnings in 1 memory file, 2 entries "
        "(context-schema 0.20.3)"
    )


def test_text_in_colour_says_the_same(good: Path) -> None:
    warning = Finding("W201", "warning", "a##[x].md", 2, 1, 2, "odd\x1b[31m", "guard-missing")
    report = _report(warning, HOSTILE)
    coloured = as_text(report, coloured=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == as_text(report)
    assert coloured.count("\x1b[1;33m[W201] warning:\x1b[0m") == 1
    assert coloured.count("\x1b[1;31m[E003] error:\x1b[0m") == 1


def test_the_start_of_a_line_is_read_as_upstream_s(good: Path) -> None:
    build.edit(good, "context/sync.md", "**Status:** superseded", "**Status:** odd")
    report = lint_project(good)
    lines = as_text(report).splitlines()[: len(report.findings)]
    read = [re.match(r"(.*?)(?::([0-9]+))?: \[([A-Z][0-9]{3})\] ", line) for line in lines]
    assert [match and match.groups() for match in read] == [
        (found.path, str(found.line) if found.line else None, found.code)
        for found in report.findings
    ]


@pytest.mark.parametrize("blank", ["\u00a0", "\u2004", "\u3000", "\u2028"])
def test_a_blank_that_is_no_space_is_shown_as_what_it_is(good: Path, blank: str) -> None:
    build.edit(good, "context/sync.md", "**Status:** superseded", f"**Status:** super{blank}seded")
    shown = as_text(lint_project(good))
    assert f"Status 'super\\u{ord(blank):04x}seded'" in shown.replace("\\xa0", "\\u00a0")
    assert blank not in shown


def test_github() -> None:
    line = as_github(_report(HOSTILE)).splitlines()[0]
    assert line.startswith(
        "::error file=%3A%3Aerror file=x\\x0a%3A%3Ax.md,line=3,col=1,endLine=3::"
    )
    percent = Finding("W201", "warning", "100%,a:b.md", 0, 0, 0, "50%", "guard-missing")
    assert as_github(_report(percent)).splitlines()[0] == (
        "::warning file=100%25%2Ca%3Ab.md::[W201] 50%25"
    )


def test_json() -> None:
    value = json.loads(as_json(_report(HOSTILE)))
    assert value["findings"] == [HOSTILE.as_dict()]
    assert list(value["findings"][0]) == [
        "code",
        "severity",
        "path",
        "line",
        "column",
        "end_line",
        "message",
        "rule",
    ]
    assert value["summary"] == {
        "errors": 1,
        "warnings": 0,
        "files": 1,
        "entries": 2,
        "schema": "0.20.3",
    }


# --- the command -------------------------------------------------------------------------


def _run(*arguments: str, env: dict[str, str] | None = None) -> int:
    return cli.main(list(arguments), env or {})


def test_exit_codes(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(str(good)) == 0
    (good / "context/README.md").unlink()
    assert _run(str(good)) == 0
    assert _run(str(good), "--strict") == 1
    build.edit(good, ".keep-the-why", "complete", "no")
    assert _run(str(good)) == 1
    assert _run(str(good / "nowhere\x1b")) == 2
    shown = capsys.readouterr()
    assert "\x1b" not in shown.err
    for arguments in (["--format", "x"], ["--none"]):
        with pytest.raises(SystemExit) as leaving:
            _run(*arguments)
        assert leaving.value.code == 2


@pytest.mark.parametrize(
    ("env", "coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colour_follows_the_environment(
    good: Path, capsys: pytest.CaptureFixture[str], env: dict[str, str], coloured: bool
) -> None:
    (good / "context/README.md").unlink()
    _run(str(good), env=env)
    assert ("\x1b[" in capsys.readouterr().out) == coloured
    for form in ("github", "json", "sarif", "markdown"):
        _run(str(good), "--format", form, env=env)
        assert "\x1b" not in capsys.readouterr().out


def test_format_follows_the_environment(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (good / "context/README.md").unlink()
    for arguments, env, start in [
        ([], {}, "context/README.md: [W201]"),
        ([], {"GITHUB_ACTIONS": "true"}, "::warning file=context/README.md::[W201]"),
        (["--github"], {}, "::warning file="),
        (["--format", "text"], {"GITHUB_ACTIONS": "true"}, "context/README.md: [W201]"),
        (["--format", "json"], {"GITHUB_ACTIONS": "true"}, '{\n  "findings": ['),
    ]:
        assert _run(str(good), *arguments, env=env) == 0
        assert capsys.readouterr().out.startswith(start)


def test_ktw_lint_passes_its_verdicts(proven: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[Path] = []

    def verdicts_at(root: Path) -> Callable[[str], str]:
        asked.append(root)
        return lambda path: "unconfirmed"

    assert cli.main([str(proven), "--strict"], {}, verdicts_at) == 1
    assert asked == [proven] and "[P203]" in capsys.readouterr().out


def test_setup_uses_the_given_home(good: Path, tmp_path: Path) -> None:
    assert _run(str(good), "--setup", "--strict", env={"HOME": str(tmp_path)}) == 1


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--explain", "e301") == 0
    assert capsys.readouterr().out.startswith("E301 invisible-character (error)\n\n")
    assert _run("--explain", "D301") == 0
    assert _run("--explain", "X9") == 2


def test_the_command_survives_a_narrow_terminal(good: Path) -> None:
    build.edit(good, "context/sync.md", "## Polling every minute", "## Caf\u00e9 \u2014 \U0001f600")
    build.edit(good, "context/sync.md", "**Status:** superseded", "**Status:** \U0001f600")
    env = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONPATH": os.pathsep.join(sys.path)}
    env.pop("GITHUB_ACTIONS", None)
    command = [sys.executable, "-m", "keep_the_why_lint", str(good)]
    done = subprocess.run(command, capture_output=True, env=env, check=False)
    assert done.returncode == 1 and b"Traceback" not in done.stderr


def test_a_bug_is_reported_as_one(
    good: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fall(*_: object) -> Report:
        raise RuntimeError("a\x1bb")

    monkeypatch.setattr(cli, "lint_project", fall)
    assert _run(str(good)) == 4
    shown = capsys.readouterr().err
    assert "this is a bug" in shown and "RuntimeError" in shown and "\x1b" not in shown


def test_another_tools_frontmatter_lacks_an_origin(good: Path) -> None:
    path = good / "context/sync.md"
    path.write_text("---\ntitle: Sync\n---\n" + path.read_text(encoding="utf-8"))
    found = [(f.code, f.severity, f.path) for f in lint_project(good).findings]
    assert found == [("P101", "warning", "context/sync.md")]
    assert "`origin` is missing" in lint_project(good).findings[0].message


# --- nothing makes it fall (more: test_lint_fuzz.py) ------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="needs named pipes and free file names")
@pytest.mark.parametrize("kind", ["directory", "pipe", "link", "dangling"])
@pytest.mark.parametrize(
    "name",
    [
        ".keep-the-why",
        "context",
        "context/index.md",
        "context/AGENTS.md",
        "context/revoked",
        "context/sync.md",
        "context/caf\udce9.md",
        "context/::error::x.md",
        "context/a\nb.md",
    ],
)
def test_no_kind_of_file_makes_it_fall(good: Path, name: str, kind: str) -> None:
    path = good / name
    if path.is_dir():
        path.rename(good / "elsewhere")
    path.unlink(missing_ok=True)
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/etc/passwd" if kind == "link" else "nowhere")
    report = lint_project(good)
    assert report.findings, "it is passed over in silence"
    for format in FORMATS.values():
        shown = format(report)
        assert "root:" not in shown
        for line in shown.encode().decode().split("\n"):
            assert not line.lstrip().startswith("::error::x")


def test_a_config_that_is_a_directory_is_none(good: Path) -> None:
    (good / ".keep-the-why").unlink()
    (good / ".keep-the-why").mkdir()
    assert _codes(lint_project(good)) == ["E001", "N101"]


@pytest.mark.parametrize("value", ["con\0text", "\0", "a/\0/../context", "x" * 5_000])
def test_a_context_that_no_system_knows(good: Path, value: str) -> None:
    build.edit(good, ".keep-the-why", "context: context/", f"context: {value}")
    assert {"E007", "E009"} & set(_codes(lint_project(good)))


@pytest.mark.parametrize(
    ("names", "sorted_"),
    [
        (["e\u0301.md", "f.md"], True),  # as they are written; in NFC the first comes last
        (["f.md", "e\u0301.md"], True),  # in NFC
        (["g.md", "f.md"], False),
    ],
)
def test_rows_are_sorted_as_written_or_in_normal_form(
    good: Path, names: list[str], sorted_: bool
) -> None:
    rows = "".join(f"- [{name}]({name}) - x\n" for name in names)
    build.write(good, "context/index.md", f"# Index\n\n{rows}")
    assert ("E204" not in _codes(lint_project(good))) == sorted_


def test_an_unsorted_index_names_the_row_that_stands_wrong(good: Path) -> None:
    rows = "".join(f"- [{name}]({name}) - x\n" for name in ("a.md", "b.md", "d.md", "c.md", "e.md"))
    build.write(good, "context/index.md", f"# Index\n\n{rows}")
    (found,) = [one for one in lint_project(good).findings if one.code == "E204"]
    assert found.line == 3  # the first row, as upstream has it
    assert found.message.endswith(": 'c.md' on line 6 stands below 'd.md'")


@pytest.mark.parametrize(
    ("headings", "told"),
    [("0123456789ABDC", "C stands below D"), ("0123456789ABB", "B stands there twice")],
)
def test_a_broken_skeleton_names_the_heading(good: Path, headings: str, told: str) -> None:
    rest = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(set(headings)) - 10 :]
    text = "".join(f"## {name}\n\n" for name in headings + rest)
    build.write(good, "context/index.md", f"# Index\n\n{text}")
    (found,) = [one for one in lint_project(good).findings if one.code == "E205"]
    assert found.message.endswith(f"once and in order: {told}")


def test_the_findings_of_one_rule_are_bounded(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_module, "MOST_OF_A_RULE", 3)
    build.write(good, "context/revoked", "no hash\n" * 10)
    found = [finding for finding in lint_project(good).findings if finding.code == "P207"]
    assert [finding.line for finding in found] == [1, 2, 3, 4]
    assert "not listed" in found[-1].message and "not listed" not in found[-2].message


def test_of_what_is_mildly_hidden_as_much_is_listed(good: Path) -> None:
    build.write(good, "context/a.txt", "a\u00a0" * (rules_module.MOST_OF_A_RULE + 9) + "\ue000" * 4)
    codes = [finding.code for finding in lint_project(good).findings]
    assert codes.count("H120") == rules_module.MOST_OF_A_RULE + 1 and codes.count("H109") == 1


# --- documentation -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "codes"), [("a.rst", set()), ("a.html", {"H302"})])
def test_no_markup_hides_in_what_is_shown_as_it_is(good: Path, name: str, codes: set[str]) -> None:
    build.write(good, f"context/{name}", "<div hidden>The words of an example.</div>\n")
    assert {finding.code for finding in lint_project(good).findings} == codes


def test_no_number_of_warnings_keeps_an_error_out(
    proven: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_module, "MOST_OF_A_RULE", 3)
    told = "The test suite is skipped on Windows, because it needs a POSIX socket.\n\n"
    build.edit(
        proven, "context/sync.md", "applied twice.\n", f"applied twice.\n\n{told * 9}{build.ORDER}"
    )
    severities = [f.severity for f in lint_project(proven).findings if f.path.endswith("sync.md")]
    assert severities.count("warning") == 4 and "error" in severities


def test_every_rule_documents_itself() -> None:
    for rule in ALL_RULES:
        for part in ("Why: ", "Fix: ", "Bad: ", "Good: "):
            assert f"\n{part}" in rule.documentation, (rule.code, part)
        assert find_rule(rule.code) is rule


def test_the_rules_page_is_fresh() -> None:
    page = (REPOSITORY / "docs" / "rules.md").read_text(encoding="utf-8")
    assert page == rules_page(), "python -m keep_the_why_lint.rules_page > docs/rules.md"
    for rule in ALL_RULES:
        assert f"\n### {rule.code} " in page
