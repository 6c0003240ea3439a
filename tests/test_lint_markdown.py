"""One Markdown truth: a page that the line scan clears reads alike to a CommonMark parser."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lint_builders as build
from keep_the_why_lint import commonmark
from keep_the_why_lint.commonmark import MAX_LINES, is_plain, outline
from keep_the_why_lint.runner import check_draft, lint_project
from ktw.entries import scan, unfenced_lines
from ktw.memory import parse_memory

_PIECES = (
    *("\n", "\n\n", "## a", "# b", "##", "#", "```", "~~~", "````", "``` x", "- ", "* ", "+ "),
    *("1. ", "10) ", "> ", "  ", "    ", " ", "\t", "text", "---", "===", "-", "=", "***", "|"),
    *("<!-- x -->", "<!--", "-->", "<div>", "</div>", "<h2>", "<a", "<?", "?>", "<![CDATA[", "<!X"),
    *("[a]: b", "[a]:", " 'x", "'", "**Id:** x", "**Status:** y", "\\", "`", "*"),
    *("\u2028", "\x0c", "\u00a0", "\x85"),
)
BODIES = st.lists(st.sampled_from(_PIECES), max_size=14).map("".join)


@settings(max_examples=600, deadline=None)
@given(BODIES)
def test_on_a_plain_page_scan_and_parser_agree(body: str) -> None:
    if not is_plain(body):
        return
    seen, counted = outline(body), scan(body)
    assert not seen.unknown
    assert [(found.line, found.level) for found in seen.headings] == [
        (index, level) for index, level, _ in counted.headings
    ]
    assert seen.open_fences == (() if counted.open_fence is None else (counted.open_fence,))
    fenced = set(range(body.count("\n"))) - {index for index, _ in unfenced_lines(body)}
    assert {seen.parts.get(index) for index in fenced} <= {"code"}
    assert {seen.parts.get(index) for index, _, _ in counted.fields} <= {"paragraph"}


@settings(max_examples=300, deadline=None)
@given(BODIES)
def test_nothing_hides_between_what_counts_and_what_is_seen(body: str) -> None:
    file = parse_memory("context/x.md", f"# T\n\n{body}\n".encode())
    seen, counted = outline(file.body), scan(file.body)
    agree = (
        {found.line for found in seen.headings} == {index for index, _, _ in counted.headings}
        and {seen.parts.get(index) for index, _, _ in counted.fields} <= {"paragraph"}
        and not seen.open_fences
    )
    found = {finding.code for finding in check_draft(file)}
    assert agree or found & {"N201", "N202", "N203", "N204", "N205", "N206", "N212"}


@pytest.mark.parametrize(
    "body",
    [
        "text\n\n---\n\n- a\n- b\n\n1. c\n\n> quote\n",
        "```python\n- a\n```\n\n## A\n",
        "<!-- a remark -->\n## A\n",
        "a <b> c, a < b\n",
        "| a | b |\n|---|---|\n",
        "## A\n\n**Id:** x\n",
    ],
)
def test_everyday_text_needs_no_parser(body: str) -> None:
    assert is_plain(body)


@pytest.mark.parametrize(
    "body",
    [
        *("a\n---", "a\n  =", "> a\n> =", "- a\n  ---", "<div>", "- <div>", "> <!--", "<!-->"),
        *("a\tb", " ```", "- ```", "  ## A", "> # A", "1. ## A", "+ #", "a <H1 class=x>"),
    ],
)
def test_what_could_differ_is_parsed(body: str) -> None:
    assert not is_plain(body)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<h2>a</h2>", [0]),
        ("a\nb <H1>c</H1>", [1]),
        ("<div>\n\\<h1>\n</div>", [1]),
        ("<div>\n`<h1>`\n</div>", [1]),
        ("- <h2>", [0]),
        ("``a`<h2>`` <h1>", [0]),
        ("\\```<h2>", [0]),
        ("`<h2>`", []),
        ("``<h2>` <h1>``", []),
        ("`a\nb <h2> text\n`", []),
        ("\\<h2>", []),
        ("<!-- <h2> -->", []),
        ("a <!-- <h2>\n--> b", []),
        ("```\n<h2>\n```", []),
        ("    <h2>", []),
        ("<h3> <hr> <h22>", []),
    ],
)
def test_html_headings(body: str, lines: list[int]) -> None:
    found = [heading.line for heading in outline(body).headings if heading.form == "html"]
    assert found == lines


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("```", (0,)),
        ("```\n", (0,)),
        ("```\na", (0,)),
        ("a\n~~~\na\n```\n", (1,)),
        ("```\n```", ()),
        ("```\n\n```\n", ()),
        ("- ```\n  a\n\nb", (0,)),
        ("- ```\n  a\n  ```\nb", ()),
        ("> ```\n> a\n\nb\n\n```\n", (0, 5)),
    ],
)
def test_open_fences(body: str, lines: tuple[int, ...]) -> None:
    assert outline(body).open_fences == lines


def test_a_long_page_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fall(body: str) -> list[object]:
        raise AssertionError(body)

    monkeypatch.setattr(commonmark, "_blocks", fall)
    assert outline("- > a\n" * (MAX_LINES + 1)).unknown


def test_deep_nesting_is_said_and_not_cut() -> None:
    for mark in ("> ", "- ", "1. "):
        assert outline(mark * 30 + "a\n\n## A\n").unknown
        assert not outline(mark * 6 + "a\n\n## A\n").unknown


def test_a_plain_project_never_imports_the_parser(tmp_path: Path) -> None:
    root = build.build_good("upstream", tmp_path / "project")
    script = (
        "import sys\nfrom pathlib import Path\nfrom keep_the_why_lint.runner import lint_project\n"
        f"lint_project(Path({str(root)!r}))\nsys.exit('markdown_it' in sys.modules)\n"
    )
    env = {"PYTHONPATH": ":".join(sys.path)}
    assert subprocess.run([sys.executable, "-c", script], env=env, check=False).returncode == 0


def test_fields_that_end_in_their_line_are_fine(tmp_path: Path) -> None:
    root = build.build_good("upstream", tmp_path / "project")
    for value in ("a <b> c", "<!-- a -->", "[a](b) c", "a < b", "`](` and `<!--`", '[a](b "c")'):
        build.edit(root, "context/sync.md", "**Source:** ", f"**Source:** {value} ")
    assert lint_project(root).findings == ()


def test_where_lone_returns_are_reported(tmp_path: Path) -> None:
    root = build.build_good("upstream", tmp_path / "project")
    build.write(root, "context/README.md", b"a\r\n\r\nb\rc\n\rd")
    found = [(finding.code, finding.line) for finding in lint_project(root).findings]
    assert found == [("N209", 3), ("N190", 6)]


@pytest.mark.parametrize(
    ("heading", "always"),
    [
        ("A heading\n---", False),
        ("<h2>A heading</h2>", False),
        ("- ## A heading", False),
        ("> ## A heading", False),
        ("-\ta\n\n  ## A heading", True),
    ],
)
def test_what_looks_like_an_entry_is_an_error(heading: str, always: bool) -> None:
    fields = "\n\n**Type:** decision\n"
    for follows, severity in ((fields, "error"), ("\nText.", "error" if always else "warning")):
        file = parse_memory("context/x.md", f"# T\n\n{heading}\n{follows}\n".encode())
        found = [finding for finding in check_draft(file) if finding.code[0] == "N"]
        assert [finding.severity for finding in found] == [severity]


def test_an_example_in_a_fence_covers_no_other_claim() -> None:
    block = "---\nkind: rule\norigin: owner\n---\n"
    for body, lines in ((f"```\n{block}```\n", []), (f"```\n{block}```\n\n{block}", [10])):
        file = parse_memory("context/x.md", f"# T\n\n{body}".encode())
        found = [finding.line for finding in check_draft(file) if finding.code == "N211"]
        assert found == lines
