"""The trust report: every rule has changes that raise it and changes that it leaves alone."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lint_changes as changes
from builders import Repo
from keep_the_why_lint.finding import Finding
from keep_the_why_lint.pull_request import lint_change
from keep_the_why_lint.registry import CHANGE_RULES
from keep_the_why_lint.report import FORMATS

# What a change raises besides its own code, because one act is seen from two sides.
ALSO = {
    "T104/link": {"T307"},
    "T104/frontmatter-gone": {"T108"},
    "T105/context-gone": {"T103", "T306"},
    "T110/revocation": {"T103"},
    "T110/other-directory": {"T203", "T103", "T105", "T106"},
    "T203/context": {"T101", "T106", "T306", "T103"},
    "T203/gone": {"T105", "T103", "T306"},
    "T203/legacy": {"T306", "T201"},
    "T201/missing": {"T203"},
    "T307/file": {"T306"},
    "T307/context": {"T101", "T306"},
}


@pytest.fixture
def base(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    templates: dict[str, Path],
    empty_home: Path,
) -> Repo:
    if "changes" not in templates:
        templates["changes"] = tmp_path_factory.mktemp("template") / "changes"
        changes.make_base(templates["changes"])
    shutil.copytree(templates["changes"], tmp_path / "repo", symlinks=True)
    return Repo(tmp_path / "repo")


def _raised(repo: Repo) -> list[Finding]:
    report = lint_change(repo.root, "main")
    return [finding for finding in report.findings if finding.code.startswith("T")]


def test_the_base_is_clean(base: Repo) -> None:
    report = lint_change(base.root, "main")
    assert report.findings == () and report.approved == ()


@pytest.mark.parametrize("case", changes.CHANGES)
def test_a_change_raises_its_code(base: Repo, case: str) -> None:
    changes.CHANGES[case](base)
    found = _raised(base)
    assert {f.code for f in found} - ALSO.get(case, set()) == {case.split("/")[0]}
    for finding in found:
        path = base.root / finding.path
        lines = path.read_bytes().split(b"\n") if path.is_file() else []
        assert 0 <= finding.line <= max(len(lines), 0), finding


@pytest.mark.parametrize("case", changes.HARMLESS)
def test_a_harmless_change_is_left_alone(base: Repo, case: str) -> None:
    changes.HARMLESS[case](base)
    assert case.split("/")[0] not in {finding.code for finding in _raised(base)}


def test_every_rule_has_a_case_and_a_good_twin() -> None:
    codes = {rule.code for rule in CHANGE_RULES}
    for cases in (changes.CHANGES, changes.HARMLESS):
        assert {case.split("/")[0] for case in cases} == codes


_PATHS = [
    ".keep-the-why",
    ".gitattributes",
    "context/.gitattributes",
    "CODEOWNERS",
    ".github/workflows/lint.yml",
    ".keep-the-why-baseline.json",
    "context/freeze.md",
    "context/revoked",
    "context/new.md",
    "keys/allowed_signers",
]
_PIECES = [
    *(
        b"* -diff\n",
        b"[attr]\n",
        b"[attr]a a b\n",
        b'"\\\n',
        b'"\\x" -diff\n',
        b"[[:alpha:\n",
        b"\\\n",
    ),
    *(b"[x][2] @a\n", b"^[x]\n", b"# x", b"\xff\xfe", b"\x00", b"\r", b"\xe2\x80\xa8", b"\n"),
    *(
        b"---\n",
        b"trusted_at: x\n",
        b"origin: owner\n",
        b"proposes: [x]\n",
        b"derived_from: {a: b}\n",
    ),
    *(b"<!-- keep-the-why:config -->\n", b"<!-- keep-the-why:lint -->\n", b"- context-schema: 9\n"),
    *(b"- context: ..\n", b"- context: .git\n", b"<!-- keep-the-why:children -->\n", b"- a: b\n"),
]


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.dictionaries(
        st.sampled_from(_PATHS),
        st.one_of(st.lists(st.sampled_from(_PIECES), max_size=8).map(b"".join), st.binary()),
        min_size=1,
        max_size=3,
    )
)
def test_no_content_makes_it_fall(base: Repo, files: dict[str, bytes]) -> None:
    base.git("checkout", "--quiet", "--force", ".")
    for path, data in files.items():
        base.write(path, data)
    report = lint_change(base.root, "main")
    for format in FORMATS.values():
        shown = format(report)
        assert "\x00" not in shown and "\r" not in shown and "\u2028" not in shown
