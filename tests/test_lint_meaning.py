"""What entries, rows and families mean: circles, days, likeness, what verdicts change, real git."""

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lint_builders as build
from builders import Repo, make_repo
from keep_the_why_lint import cli, places, reading_family
from keep_the_why_lint.likeness import imitated_host, mixes_alphabets
from keep_the_why_lint.rules.meaning import circles
from keep_the_why_lint.runner import Report, check_draft, lint_project
from ktw.memory import parse_memory
from ktw.text.likeness import one_slip_apart, skeleton

SHARED = "abababab-1111-4111-8111-111111111111"
SYNC, CACHE, CONFIG = "context/sync.md", "context/cache.md", ".keep-the-why"


@pytest.fixture
def derived(tmp_path: Path) -> Path:
    return build.build_good("derived", tmp_path / "project")


@pytest.fixture
def family(tmp_path: Path) -> Path:
    return build.build_good("family-of-three", tmp_path / "project")


def _found(report: Report) -> list[tuple[str, str, int]]:
    return [(finding.code, finding.path, finding.line) for finding in report.findings]


# --- circles -----------------------------------------------------------------------------


def _leads_back(successors: dict[str, str], start: str) -> bool:
    at = start
    for _ in successors:
        at = successors.get(at, "")
        if at == start:
            return True
    return False


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")))
def test_each_node_of_a_circle_is_in_exactly_one(successors: dict[str, str]) -> None:
    found = [node for circle in circles(successors) for node in circle]
    assert sorted(found) == sorted(node for node in successors if _leads_back(successors, node))
    for circle in circles(successors):
        followers = [*circle[1:], circle[0]]
        assert [successors[node] for node in circle] == followers


def test_a_long_chain_is_walked_once() -> None:
    chain = {str(at): str(at + 1) for at in range(20_000)}
    assert list(circles(chain)) == []
    assert len(next(circles(chain | {"20000": "0"}))) == 20_001


# --- likeness ----------------------------------------------------------------------------


def _slips(word: str) -> set[str]:
    """Every word one slip away, by trying all of them."""
    letters, cuts = "abc", range(len(word) + 1)
    found = {word[:at] + word[at + 1 :] for at in cuts[:-1]}
    found |= {word[:at] + new + word[at + 1 :] for at in cuts[:-1] for new in letters}
    found |= {word[:at] + new + word[at:] for at in cuts for new in letters}
    found |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    return found - {word}


@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_one_slip_is_one_letter_more_less_other_or_swapped(word: str, other: str) -> None:
    assert one_slip_apart(word, other) == (other in _slips(word))


@pytest.mark.parametrize(
    ("host", "looks", "mixed"),
    [
        ("git.example.org", "", False),
        ("xn--mnchen-3ya.example.org", "", True),
        ("xn--gt-iva.example.org", "", True),
        ("xn--80ak6aa92e.com", "apple.com", False),
        ("xn--gt-hoc.example.org", "git.example.org", True),
        ("xn--.example.org", "", False),
        ("xn--" + "9" * 59 + ".org", "", False),
        ("xn--" + "a" * 5_000, "", False),
    ],
)
def test_hosts_that_draw_like_others(host: str, looks: str, mixed: bool) -> None:
    assert (imitated_host(host), mixes_alphabets(host)) == (looks, mixed)


def test_a_skeleton_is_what_the_eye_reads() -> None:
    assert skeleton("\u0405\u0442\u0430tus \uff21\u0397\u13df") == "status ahc"
    assert skeleton("\u00c9vidence") == "\u00e9vidence"


# --- days --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("today", "found"),
    [
        (None, []),
        (date(2026, 1, 1), []),
        (date(2025, 12, 31), [("M104", CACHE, 9)]),
        (date(2026, 11, 30), []),
    ],
)
def test_days_to_come_are_judged_by_the_day_given(
    good: Path, today: date | None, found: list[tuple[str, str, int]]
) -> None:
    assert _found(lint_project(good, today=today)) == found


def test_days_of_the_frontmatter_are_judged_too(tmp_path: Path) -> None:
    root = build.build_good("provenance", tmp_path / "project")
    found = _found(lint_project(root, today=date(2025, 6, 1)))
    assert found == [("M104", CACHE, 5), ("M104", SYNC, 4), ("M104", SYNC, 6)]


def test_the_command_knows_the_day(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build.edit(good, CACHE, "as of 2026-01-02", "as of 2999-01-02")
    assert cli.main([str(good), "--strict"], {}) == 1
    assert "[M104]" in capsys.readouterr().out


# --- what verdicts change ------------------------------------------------------------------


def _verdicts(**words: str) -> Callable[[str], str | None]:
    return lambda path: words.get(Path(path).stem)


def test_a_source_stands_as_trust_says(derived: Path) -> None:
    approved = _verdicts(sync="approved", origin="approved")
    assert _found(lint_project(derived, verdicts=approved)) == []
    lapsed = _verdicts(sync="approved", origin="unconfirmed")
    found = {code for code, path, _ in _found(lint_project(derived, verdicts=lapsed))}
    assert found == {"P203", "P225"}
    revoked = lint_project(derived, verdicts=_verdicts(sync="approved", origin="revoked"))
    assert ("P223", SYNC, 4) in _found(revoked)


def test_a_proposal_is_told_where_trust_says_approved(derived: Path) -> None:
    target = _verdicts(cache="approved", sync="approved", origin="approved")
    found = _found(lint_project(derived, verdicts=target))
    assert found == [("P222", "context/proposal.md", 5)]
    claimed = build.build_kept("P222/rule", derived.parent / "claimed")
    denied = lint_project(claimed, verdicts=lambda path: "lapsed")
    assert "P222" not in {code for code, _, _ in _found(denied)}


def test_a_draft_is_not_judged_by_files_that_were_not_read(derived: Path) -> None:
    for name in ("context/proposal.md", SYNC):
        assert check_draft(parse_memory(name, (derived / name).read_bytes())) == ()


# --- families ----------------------------------------------------------------------------


def test_siblings_are_compared_by_way_of_the_parent(family: Path) -> None:
    part, other = (family / "packages" / name for name in ("part", "other"))
    (family / ".git").mkdir()
    build.write(part, "notes/more.md", (other / "notes/cache.md").read_bytes())
    found = [place for place in _found(lint_project(part)) if place[0].startswith("C")]
    assert found == [("C107", "notes/more.md", 5)]
    (family / ".git").rmdir()
    found = [place for place in _found(lint_project(part)) if place[0].startswith("C")]
    assert found == [], "without a repository around them nothing above is looked at"


def test_an_id_in_capitals_is_the_same_id(family: Path) -> None:
    name = "packages/part/notes/cache.md"
    build.edit(family, name, "55555555-1111-4111-8111-555555551111", SHARED.upper())
    build.edit(family, CACHE, "11111111-1111-4111-8111-111111111111", SHARED)
    assert _found(lint_project(family)) == [("C107", CACHE, 5)]


@pytest.mark.parametrize("limit", ["MAX_FILES", "MAX_MEMBERS"])
def test_limits_are_said(family: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(reading_family, limit, 1)
    assert [place[:2] for place in _found(lint_project(family))] == [("C108", CONFIG)]


def test_children_beyond_the_limit_are_not_looked_at(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "MAX_CHILDREN", 3)
    lines = "".join(f"- c{at}: gone/{at} \u2014 scope\n" for at in range(5))
    block = f"<!-- keep-the-why:children -->\n{lines}<!-- /keep-the-why:children -->\n"
    build.write(good, CONFIG, (good / CONFIG).read_text(encoding="utf-8") + block)
    codes = [code for code, _, _ in _found(lint_project(good))]
    assert codes == ["E016", "E016", "E016", "E014"]


@pytest.mark.parametrize("kind", ["pipe", "link", "megabytes", "context"])
def test_what_is_not_read_of_a_member_is_said(family: Path, kind: str) -> None:
    part = family / "packages" / "part"
    if kind == "pipe":
        os.mkfifo(part / "notes" / "x.md")
    elif kind == "link":
        (part / "notes" / "x.md").symlink_to("/etc/passwd")
    elif kind == "megabytes":
        build.write(part, "notes/x.md", "x " * 600_000)
    else:
        build.edit(part, CONFIG, "notes/", "../other/notes")
    assert [place[:2] for place in _found(lint_project(family))] == [("C108", CONFIG)]


# --- root and pin, in real repositories ------------------------------------------------------


def _part_of(repo: Repo) -> None:
    build.build_good("upstream", repo.root / "packages" / "part")
    build.edit(repo.root / "packages/part", CONFIG, "- init", "- root: packages/part\n- init")
    repo.commit("a project below the toplevel")


def test_root_is_judged_alike_in_clone_worktree_and_submodule(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo")
    _part_of(repo)
    repo.git("worktree", "add", "--quiet", str(tmp_path / "tree"))
    outer = make_repo(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", str(repo.root), "inner")
    for root in (repo.root, tmp_path / "tree", outer.root / "inner"):
        part = root / "packages" / "part"
        assert lint_project(part).findings == (), root
        build.edit(part, CONFIG, "root: packages/part", "root: inner/packages/part")
        assert [code for code, _, _ in _found(lint_project(part))] == ["E003"], root


def test_a_context_in_a_submodule_is_another_repository_s(tmp_path: Path) -> None:
    notes = make_repo(tmp_path / "notes")
    build.build_good("upstream", notes.root / "project")
    notes.commit("memories")
    outer = make_repo(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", str(notes.root), "shared")
    text = (notes.root / "project" / CONFIG).read_text(encoding="utf-8")
    outer.write(CONFIG, text.replace("context: context/", "context: shared/project/context/"))
    assert _found(lint_project(outer.root)) == [("C104", CONFIG, 3)]


SKILL = "---\nname: keep-the-why\ndescription: x\nmetadata:\n  version: {}\n---\n# Skill\n"


@pytest.mark.parametrize(
    ("path", "version", "skill", "codes"),
    [
        ("tools/SKILL.md", "0.20.3", "0.20.3", []),
        ("`tools/SKILL.md`", "0.20.3", '"0.20.3"', []),
        ("./tools/../tools/SKILL.md", "0.20.3", "0.20.3", []),
        ("tools", "0.20.3", "0.20.3", ["E006"]),
        (".", "0.20.3", "0.20.3", ["E006"]),
        ("tools/skill.md", "0.20.3", "0.20.3", ["E006"]),
        ("tools/SKILL.md", "0.20.3", "0.20.30", ["E006"]),
        ("tools/SKILL.md", "0.20.3", "0.20", ["E006"]),
        ("tools/SKILL.md", "0.20.3", "[0.20.3]", ["E006"]),
        ("tools/LINK.md", "0.20.3", "0.20.3", []),
        ("tools/OTHER/SKILL.md", "0.20.3", "0.20.3", ["E006"]),
        (".git/SKILL.md", "0.20.3", "0.20.3", ["E009"]),
    ],
)
def test_a_pin_names_exactly_the_skill(
    good: Path, path: str, version: str, skill: str, codes: list[str]
) -> None:
    build.write(good, "tools/SKILL.md", SKILL.format(skill))
    build.write(good, ".git/SKILL.md", SKILL.format(skill))
    build.write(good, "tools/OTHER/SKILL.txt", SKILL.format(skill))
    (good / "tools/LINK.md").symlink_to("SKILL.md")
    (good / "tools/OTHER/SKILL.md").symlink_to("SKILL.txt")
    pin = f"- pinned-path: {path}\n- pinned-version: {version}\n- init"
    build.edit(good, CONFIG, "- init", pin)
    assert [code for code, _, _ in _found(lint_project(good))] == codes
