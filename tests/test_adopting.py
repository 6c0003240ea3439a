"""Adopting a Keep the Why project: a frontmatter for each file, every other byte as it was."""

import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import Repo, claimed, judged, make_project, memory_text
from keep_the_why_lint.runner import lint_project
from ktw.errors import KtwError
from ktw.memory import parse_memory
from ktw.operations.adopting import Adoption, adopt, difference, plan_adoption

NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
UPSTREAM = os.environ.get("KTW_UPSTREAM_LINT", "")
ENTRY = """## {title}

**Id:** {id}
**Type:** {type}
**Status:** active
**Evidence:** confirmed

It is so. **Reason:** it was so.
"""
IDS = [f"2f1c5b7e-8a3d-4c6e-9b0f-1d2e3f4a5b{at:02}" for at in range(9)]


def topic(*types: str, first: int = 0) -> str:
    entries = [
        ENTRY.format(title=f"Why {at}", id=IDS[at], type=type_)
        for at, type_ in enumerate(types, start=first)
    ]
    return "\n".join(["# Layout\n", *entries])


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A project of Keep the Why: no frontmatter anywhere, no policy."""
    files = {
        "layout.md": topic("decision", "decision"),
        "mixed.md": topic("incident", "constraint", first=2),
        "skill.md": topic("undefined — a procedure", first=4),
    }
    repo = make_project(tmp_path / "upstream", files)
    index = repo.read("context/index.md").replace("decision, agent, 2026-01-02", "what people say")
    repo.write("context/index.md", index)
    repo.commit("an index of its own")
    return repo


def plan(repo: Repo) -> Adoption:
    return plan_adoption(repo.project, NOW)


def fields(repo: Repo, name: str) -> Mapping[str, object]:
    data = (repo.root / f"context/{name}").read_bytes()
    return parse_memory(f"context/{name}", data).frontmatter


def contents(repo: Repo) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (repo.root / "context").iterdir()}


def test_each_file_gets_a_frontmatter_and_keeps_its_text(repo: Repo) -> None:
    before = contents(repo)
    assert not adopt(plan(repo))
    for name, kind in (("layout.md", "decision"), ("mixed.md", None), ("skill.md", "skill")):
        data = (repo.root / "context" / name).read_bytes()
        file = parse_memory(f"context/{name}", data)
        assert (file.origin, file.kind, file.agent) == ("imported", kind, None)
        assert file.created_at == "2026-01-02T03:04:05Z"
        assert file.content_hash == file.computed_hash and not file.trusted_at
        assert data.endswith(b"---\n" + before[name])
        assert judged(repo.root, name).name == "unapproved"
    untouched = {"README.md", "AGENTS.md", "CLAUDE.md", "index.md"}
    assert {name for name in before if contents(repo)[name] == before[name]} == untouched
    assert repo.git("rev-list", "--count", "HEAD") == "2" and not repo.git("diff", "--cached")


def test_a_second_time_there_is_nothing_to_do(repo: Repo) -> None:
    adopt(plan(repo))
    again = plan(repo)
    assert (again.changes, again.left, again.settled) == ((), (), 3)


def test_no_finding_but_the_rows_that_people_wrote(repo: Repo) -> None:
    adopt(plan(repo))
    found = {(each.code, each.message.split("'")[1]) for each in lint_project(repo.root).findings}
    assert found == {("P301", "layout.md"), ("P301", "skill.md")}


def test_a_file_that_tells_no_kind_is_adopted_without_one(repo: Repo) -> None:
    repo.write("context/layout.md", topic("undefined — nobody knows yet"))
    repo.write("context/mixed.md", topic("decision", first=2).replace("**Type:** decision\n", ""))
    adopt(plan(repo))
    assert [fields(repo, name).get("kind") for name in ("layout.md", "mixed.md")] == [None, None]
    found = {each.code for each in lint_project(repo.root).findings}
    assert found == {"W101", "P301"}  # the row of skill.md, that people wrote


@pytest.mark.skipif(not UPSTREAM, reason="KTW_UPSTREAM_LINT names no executable")
def test_the_linter_of_the_format_still_passes(repo: Repo) -> None:
    adopt(plan(repo))
    subprocess.run([UPSTREAM, "--strict", str(repo.root)], check=True, capture_output=True)


def test_the_plan_is_shown_without_a_word_of_the_files(repo: Repo) -> None:
    (layout, *_) = plan(repo).changes
    told = difference(layout)
    assert told[0] == "@@ -0,0 +1,6 @@" and "+origin: imported" in told
    assert all(line.startswith(("@@", "+")) for line in told)
    assert "Layout" not in "".join(told)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_mark_stay(repo: Repo, mark: bytes) -> None:
    old = topic("decision").replace("\n", "\r\n").encode() + b"\r\n\r\n"
    repo.write("context/layout.md", mark + old)
    adopt(plan(repo))
    new = (repo.root / "context/layout.md").read_bytes()
    assert new.startswith(mark + b"---\r\norigin: imported\r\n") and new.endswith(b"---\r\n" + old)


def test_when_a_file_was_made(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-03-04T05:06:07+02:00")
    repo.write("context/later.md", topic("decision", first=5))
    repo.git("mv", "context/layout.md", "context/renamed \u00fc.md")
    repo.commit("later")
    repo.write("context/later.md", topic("decision", first=6))
    repo.commit("changed")
    repo.write("context/never.md", topic("decision", first=7))
    adopt(plan(repo))
    assert fields(repo, "later.md")["created_at"] == "2026-03-04T03:06:07Z"
    assert fields(repo, "renamed \u00fc.md")["created_at"] == "2026-01-02T03:04:05Z"
    assert fields(repo, "never.md")["created_at"] == "2026-05-06T07:08:09Z"


def test_a_shallow_clone_cannot_tell(repo: Repo, tmp_path: Path) -> None:
    repo.commit("another")
    url = f"file://{repo.root}"
    repo.git("clone", "--quiet", "--depth=1", url, str(tmp_path / "shallow"))
    with pytest.raises(KtwError, match="shallow"):
        plan(Repo(tmp_path / "shallow"))


def test_another_tools_frontmatter_is_kept(repo: Repo) -> None:
    repo.write("context/layout.md", f"---\ntitle: Layout # ours\n---\n{topic('decision')}")
    adopt(plan(repo))
    assert repo.read("context/layout.md").startswith(
        "---\ntitle: Layout # ours\norigin: imported\n"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("---\nkind: a: b\n---\n" + topic("decision"), "line 2"),
        ("---\norigin: owner\n" + topic("decision"), "never closed"),
        (claimed(memory_text()).replace("origin: agent\nagent: claude-code\n", ""), "claims"),
    ],
)
def test_what_cannot_be_given_one_is_left_and_said(repo: Repo, text: str, why: str) -> None:
    place = repo.write("context/layout.md", text)
    found = plan(repo)
    ((path, told),) = found.left
    assert path == "context/layout.md" and why in told
    adopt(found)
    assert place.read_text() == text and fields(repo, "mixed.md")["origin"] == "imported"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_is_left(repo: Repo) -> None:
    (repo.root / "context/link.md").symlink_to("layout.md")
    assert plan(repo).left == (("context/link.md", "it is a link"),)


def test_memories_of_ours_stay_as_they_are(repo: Repo) -> None:
    repo.write("context/ours.md", memory_text())
    before = repo.read("context/ours.md")
    adopt(plan(repo))
    assert repo.read("context/ours.md") == before


def test_a_file_that_changed_since_the_plan_is_left_and_the_others_written(repo: Repo) -> None:
    found = plan(repo)
    text = topic("workaround")
    repo.write("context/layout.md", text)
    ((path, why),) = adopt(found)
    assert path == "context/layout.md" and "changed" in why
    assert repo.read("context/layout.md") == text
    assert fields(repo, "mixed.md")["origin"] == "imported"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_config_without_an_id_gets_one(repo: Repo, end: str) -> None:
    lines = [line for line in repo.read(".keep-the-why").splitlines() if "- id:" not in line]
    repo.write(".keep-the-why", end.join(["Ours.", *lines, ""]))
    adopt(plan(repo))
    assert repo.project.id.endswith("---upstream")
    new = (repo.root / ".keep-the-why").read_bytes().decode().split(end)
    assert [line for line in new if "- id:" not in line] == ["Ours.", *lines, ""]


def test_a_config_in_agents_md_stays(repo: Repo) -> None:
    block = repo.read(".keep-the-why").replace("- id: test\n", "").replace("0.20.3", "0.9.0")
    repo.git("rm", "--quiet", ".keep-the-why")
    repo.write("AGENTS.md", f"# Agents\n\n{block}")
    adopt(plan(repo))
    assert repo.read("AGENTS.md") == f"# Agents\n\n{block}"
    assert fields(repo, "layout.md")["origin"] == "imported"


# --- the command ------------------------------------------------------------------------------


def ktw(repo: Repo, *arguments: str, **extra: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ktw", "adopt", *arguments],
        cwd=repo.root,
        env={**os.environ, **extra},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_dry_run_writes_nothing(repo: Repo) -> None:
    done = ktw(repo, "--dry-run")
    assert done.returncode == 0 and "+origin: imported" in done.stdout
    assert not repo.git("status", "--porcelain")


def test_without_anybody_to_answer_it_writes_nothing(repo: Repo) -> None:
    assert ktw(repo).returncode == 2
    assert not repo.git("status", "--porcelain")


def test_the_command_says_what_it_did(repo: Repo) -> None:
    repo.write("context/broken.md", "---\nkind: a: b\n---\n")
    done = ktw(repo, "--yes", AI_AGENT="codex")
    assert done.returncode == 0 and "Wrote 3 files; nothing was committed." in done.stdout
    assert "left    context/broken.md: line 2" in done.stdout
    assert "Nothing to adopt." in ktw(repo, "--yes").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_approve_opens_the_review(repo: Repo) -> None:
    from terminal import Terminal, digits_shown

    repo.policy("local")
    repo.write("context/ours.md", memory_text())
    with Terminal(repo.root, ["adopt", "--approve"]) as terminal:
        terminal.expect("Write this?")
        terminal.type("y")
        for number in (1, 2, 3):
            terminal.expect(f"{number} of 3")
            terminal.expect("? help", terminal.seen.index(f"{number} of 3"))
            terminal.press("a")
        terminal.type(digits_shown(terminal))
        assert terminal.end() == 0
    names = ("layout.md", "mixed.md", "skill.md")
    assert all(judged(repo.root, name).approved for name in names)
    assert judged(repo.root, "ours.md").name == "unapproved"
    assert repo.git("log", "-1", "--format=%s") == "Approve 3 memories"
