"""What the pages name exists, and they hold nothing of the machine they were written on."""

import re
from pathlib import Path

import click
import pytest

from keep_the_why_lint.fixes import FIXES
from keep_the_why_lint.options import make_parser
from keep_the_why_lint.registry import ALL_RULES
from keep_the_why_lint.suppression import NEVER_SILENT
from ktw.cli.root import ktw
from ktw.fields import RECORD_FIELDS
from ktw.records import MADR_SECTIONS, SECTIONS, STATUS_OF
from ktw.trust import METHODS, VERDICTS
from test_house import FLOORS, MODULES

ROOT = Path(__file__).parents[1]
COMMANDS = ktw.list_commands(click.Context(ktw))
PAGES = sorted(
    path
    for folder, pattern in (
        (".", "*.md"),
        ("docs", "**/*.md"),
        ("context-schema", "**/*.md"),
        ("context", "*.md"),
        ("bench", "**/*.md"),
        ("lint", "**/*.md"),
    )
    for path in (ROOT / folder).glob(pattern)
)
README = (ROOT / "README.md").read_text(encoding="utf-8") if (ROOT / "README.md").exists() else ""
needs_readme = pytest.mark.skipif(not README.strip(), reason="README.md is not written yet")
TEXTS = [*PAGES, ROOT / ".keep-the-why.example", ROOT / "pyproject.toml", ROOT / "Makefile"]
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def texts() -> list[Path]:
    return [path for path in TEXTS if path.exists()]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@needs_readme
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_in_the_readme(command: str) -> None:
    assert re.search(rf"\b(?:ktw )?{command}\b", README)
    assert f"ktw {command}" in README or f"`{command}`" in README


@needs_readme
def test_the_readme_names_no_command_that_is_not_there() -> None:
    named = re.findall(r"(?:^|[`$ ])ktw ([a-z][a-z-]+)\b", README, re.MULTILINE)
    code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", README, re.DOTALL))
    assert not {word for word in named if f"ktw {word}" in code} - set(COMMANDS)


SOURCES = [*(ROOT / "ktw").rglob("*.py"), *(ROOT / "lint").rglob("*.py")]


def test_every_option_that_a_page_or_a_hint_gives_to_a_command_is_there() -> None:
    def options(command: str) -> set[str]:
        made = ktw.get_command(click.Context(ktw), command)
        assert made is not None
        mine = {name for each in made.params for name in (*each.opts, *each.secondary_opts)}
        theirs = {name for each in make_parser()._actions for name in each.option_strings}
        return (theirs if command == "lint" else mine) | {"--help", "-h"}

    wrong = set()
    for path in (*texts(), *SOURCES):
        found = re.findall(r"\bktw ([a-z]+)((?: [^`\n\"';.]*)?)", path.read_text(encoding="utf-8"))
        for command, rest in found:
            named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest))
            if command in COMMANDS and command != "hooks" and not named <= options(command):
                wrong.add((name(path), command, rest))
    assert not wrong


@needs_readme
def test_the_readme_says_which_commands_print_no_data() -> None:
    commands = {name: ktw.get_command(click.Context(ktw), name) for name in COMMANDS}
    plain = {
        name
        for name, command in commands.items()
        if command and not any("--json" in each.opts for each in command.params)
    }
    serving = {"hook", "hooks", "lint", "mcp"}  # speak for programs, have their own, or are groups
    sentence = " ".join(README.split()).partition("output/)); ")[2].partition(" do not.")[0]
    assert set(re.findall(r"`([a-z]+)`", sentence)) == plain - serving


@pytest.mark.parametrize("command", COMMANDS)
def test_what_can_be_told_yes_has_its_letter(command: str) -> None:
    made = ktw.get_command(click.Context(ktw), command)
    assert made is not None
    asking = [each.opts for each in made.params if "--yes" in each.opts]
    assert all("-y" in names for names in asking)


@needs_readme
def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)", README))
    assert {"demo", "test"} <= named <= targets


@pytest.mark.parametrize("path", texts(), ids=name)
def test_a_page_speaks_of_no_particular_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"(?<![\w.~])(?:/root|/home|/tmp|/Users|/work|/mnt)/\S*", text)
    assert not re.findall(r"\b(?:localhost|127\.0\.0\.1|[\w.-]+\.(?:local|internal|corp))\b", text)
    assert not re.findall(r"(?i)index-url|pypi\.org/simple|registry\.[\w.]+|proxy\.golang", text)


@pytest.mark.parametrize("path", texts(), ids=name)
def test_a_page_cites_no_issue_number(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"(?i)\b(?:issues?|PR|pull request|ticket) #?\d+", text)
    assert not re.findall(r"(?<![\w&/#(])#\d+\b", text)


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_inside_the_repository_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [t.partition("#")[0] for t in _LINK.findall(text) if "://" not in t]
    assert not [t for t in targets if t and not (path.parent / t).exists()]


@pytest.mark.parametrize("path", texts(), ids=name)
def test_a_page_hides_no_character(path: Path) -> None:
    from ktw.text.hidden import find_hidden

    assert not find_hidden(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("room", FLOORS)
def test_each_room_stands_on_its_floor_in_contributing(room: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(rf"^\| {FLOORS[room]} .*$", text, re.MULTILINE)
    slash = "/" if MODULES[room].name == "__init__.py" else ""
    assert f"`{room.rpartition('.')[2]}{slash}`" in "\n".join(rows)


def test_contributing_names_no_room_that_is_not_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = "\n".join(re.findall(r"^\| [1-5] .*$", text, re.MULTILINE))
    named = {word.rstrip("/") for word in re.findall(r"`([\w/]+)`", rows)}
    assert named == {room.rpartition(".")[2] for room in FLOORS} | {"lint"}


TRUST = (ROOT / "docs/trust.md").read_text(encoding="utf-8")


def test_every_test_that_the_trust_page_names_exists() -> None:
    named = re.findall(r"`(test_\w+)::(\w+)`", TRUST)
    assert len(named) > 20
    for file, function in named:
        text = (ROOT / f"tests/{file}.py").read_text(encoding="utf-8")
        assert f"\ndef {function}(" in text, f"{file}::{function}"


def test_every_line_of_the_trust_tables_names_a_test() -> None:
    tables = TRUST.partition("## Forgeries")[0]
    lines = [line for line in tables.splitlines() if line.startswith("| ")]
    headings = [line for line in lines if line.endswith("| test |")]
    assert len(headings) == 2
    assert not [line for line in lines if line not in headings and "::" not in line]


def test_the_trust_page_lists_every_forgery() -> None:
    from trust_page import rows

    assert TRUST.endswith("\n".join(rows()).rstrip() + "\n")


def test_the_changelog_has_each_list_once_a_version_in_lines_that_fit() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "[Unreleased]" in changes
    assert max(map(len, changes.splitlines())) <= 100
    for version in changes.split("\n## ")[1:]:
        lists = re.findall(r"^### .*$", version, re.MULTILINE)
        assert len(lists) == len(set(lists))


@pytest.mark.parametrize("page", ["README.md", "SKILL.md"])
def test_a_page_explains_every_verdict(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert {f"| `{verdict}` |" for verdict in VERDICTS} <= set(re.findall(r"\| `[a-z]+` \|", text))


def test_the_readme_explains_every_method_of_approval() -> None:
    assert [method for method in METHODS if f"| `{method}` |" not in README] == []


def test_the_linter_s_page_names_every_option_and_no_other() -> None:
    text = (ROOT / "docs" / "linting.md").read_text(encoding="utf-8")
    own = re.sub(r"`ktw init [^`]*`|^ .*$|^#.*$", "", text, flags=re.MULTILINE)
    own = re.sub(r"```yaml.*?```", "", own, flags=re.DOTALL)
    options = {name for action in make_parser()._actions for name in action.option_strings}
    assert set(re.findall(r"--[a-z][a-z-]*", own)) == {
        name for name in options if name.startswith("--")
    } - {"--help", "--version"}


def test_the_linter_s_page_names_what_is_mended_and_what_is_never_silent() -> None:
    text = (ROOT / "docs" / "linting.md").read_text(encoding="utf-8")
    table = "\n".join(re.findall(r"^\| [EPN]\d.*$", text, re.MULTILINE))
    assert set(re.findall(r"\b[A-Z]\d{3}\b", table)) == {c for fix in FIXES for c in fix.codes}
    never = text.partition("whatever raises trust (")[2].partition(")")[0]
    assert sorted(re.findall(r"\b[A-Z]\d*\b", never)) == sorted(NEVER_SILENT)


def test_contributing_names_every_scope_of_a_rule() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("| scope |")[2].partition("\n\n")[0]
    first = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(first))) == {rule.scope for rule in ALL_RULES}


def test_the_schemas_page_names_every_schema() -> None:
    text = (ROOT / "context-schema" / "README.md").read_text(encoding="utf-8")
    there = {path.name for path in (ROOT / "context-schema" / "output").glob("*.json")}
    assert set(re.findall(r"\(output/([\w.]+)\)", text)) == there


@pytest.mark.parametrize("page", ["docs/adopting.md", "context-schema/specification.md"])
def test_a_page_names_all_that_makes_a_decision_record(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8").casefold()
    named = {*MADR_SECTIONS, *SECTIONS, *STATUS_OF, *RECORD_FIELDS}
    assert {word for word in named if f"`{word}`" not in text} == set()


def test_the_adopting_page_runs_commands_that_are_there() -> None:
    text = (ROOT / "docs/adopting.md").read_text(encoding="utf-8")
    blocks = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    lines = re.findall(r"^ktw (\w+)(.*?)(?: +#.*)?$", blocks, re.MULTILINE)
    assert {command for command, _ in lines} == {"init", "recall", "adopt", "index", "review"}
    for command, rest in lines:
        found = ktw.get_command(click.Context(ktw), command)
        assert found is not None
        options = {option for parameter in found.params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", rest)) <= options
