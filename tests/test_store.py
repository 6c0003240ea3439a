"""The project on disk: found from anywhere in it, read without following anything out of it."""

import os
from pathlib import Path

import pytest

from builders import Repo, add_project, make_repo, memory_text
from ktw.boundaries import OutOfBounds, Unreadable
from ktw.config import CONFIG_FILE
from ktw.errors import KtwError, UsageError
from ktw.git import NoRepository
from ktw.operations.reading import list_memories, recall
from ktw.priors import parse_time
from ktw.scan import memory_names, scan
from ktw.scout import IS_BY_DESCRIPTOR
from ktw.store import NoProject, find_project, read_bytes, read_memory

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")
NOW = parse_time("2026-02-01")
SECRET = "zebra-password-in-a-foreign-file"


# --- finding the project -----------------------------------------------------------------------


@pytest.mark.parametrize("below", ["", "src", "src/deep/er", "context"])
def test_the_project_is_found_from_anywhere_below(repo: Repo, below: str) -> None:
    (repo.root / below).mkdir(parents=True, exist_ok=True)
    project = find_project(repo.root / below)
    assert (project.root, project.id, project.context_name) == (repo.root, "test", "context")
    assert (project.prefix, project.location, project.git_path("a")) == ("", ".", "a")


def test_no_repository_and_no_project_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NoRepository):
        find_project(tmp_path)
    make_repo(tmp_path / "bare")
    with pytest.raises(NoProject, match="ktw init"):
        find_project(tmp_path / "bare")


def test_a_project_above_the_repository_is_not_ours(repo: Repo) -> None:
    inner = make_repo(repo.root / "vendor" / "inner")
    with pytest.raises(NoProject):
        find_project(inner.root)
    add_project(inner, "", {}, id_="inner")
    assert find_project(inner.root / "context").id == "inner"


def test_the_nearest_of_nested_projects_wins(repo: Repo) -> None:
    add_project(repo, "packages/app/", {"a.md": memory_text("A")}, id_="app")
    inner = find_project(repo.root / "packages" / "app" / "context")
    assert (inner.id, inner.prefix, inner.location) == ("app", "packages/app", "packages/app")
    assert inner.git_path("context/a.md") == "packages/app/context/a.md"
    assert find_project(repo.root / "packages").id == "test"
    assert scan(find_project(repo.root))[0].names == ["snapshot.md"]


def test_a_block_in_agents_md_is_read_as_before(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "old")
    block = (
        "# Agents\n\n<!-- keep-the-why:config -->\n- id: old\n- context: docs/why\n"
        "<!-- /keep-the-why:config -->\n"
    )
    repo.write("AGENTS.md", block)
    repo.write("docs/why/a.md", "# A\n\n## One\n\nx\n")
    repo.write("src/AGENTS.md", "# No block here\n")
    project = find_project(repo.root / "src")
    assert (project.id, project.context_name, project.config.legacy) == ("old", "docs/why", True)
    repo.write(CONFIG_FILE, block.replace("old", "new").replace("docs/why", "context"))
    assert find_project(repo.root).id == "new"


def test_a_config_without_its_block_is_a_usage_error(repo: Repo) -> None:
    repo.write(CONFIG_FILE, "# nothing\n")
    with pytest.raises(UsageError, match="no keep-the-why:config block"):
        find_project(repo.root)


@POSIX
def test_case_9_a_config_that_links_out_is_not_read(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text(repo.read(CONFIG_FILE), encoding="utf-8")
    (repo.root / CONFIG_FILE).unlink()
    (repo.root / CONFIG_FILE).symlink_to(outside)
    with pytest.raises(Unreadable):
        find_project(repo.root)


@POSIX
@pytest.mark.parametrize("target", ["../other", "/etc", ".git"])
def test_case_9_a_context_that_links_out_is_refused(repo: Repo, target: str) -> None:
    (repo.root.parent / "other").mkdir()
    (repo.root / "context").rename(repo.root / "moved")
    (repo.root / "context").symlink_to(target)
    with pytest.raises(OutOfBounds):
        find_project(repo.root)


@POSIX
def test_a_context_that_links_inside_the_project_is_read(repo: Repo) -> None:
    (repo.root / "context").rename(repo.root / "moved")
    (repo.root / "context").symlink_to("moved")
    project = find_project(repo.root)
    assert project.context == (repo.root / "moved").resolve()
    assert scan(project)[0].names == ["snapshot.md"]


def test_a_linked_worktree_has_its_own_git_directory(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "--quiet", str(tmp_path / "tree"))
    here, there = find_project(repo.root), find_project(tmp_path / "tree" / "context")
    assert there.root == tmp_path / "tree"
    assert there.repository.git_dir != here.repository.git_dir
    assert there.repository.common_dir == here.repository.common_dir.resolve()


def test_a_sparse_checkout_says_what_to_do(repo: Repo) -> None:
    repo.write("src/a.txt", "x")
    repo.commit()
    before = repo.git("config", "--list", "--local")
    repo.git("sparse-checkout", "set", "src")
    settings = repo.git("config", "--list")
    with pytest.raises(KtwError, match="sparse checkout") as caught:
        scan(find_project(repo.root))
    assert "git sparse-checkout add context" in caught.value.todo
    assert repo.git("config", "--list") == settings
    assert before


def test_a_missing_context_directory_is_said(repo: Repo) -> None:
    for path in (repo.root / "context").iterdir():
        path.unlink()
    (repo.root / "context").rmdir()
    with pytest.raises(KtwError, match="does not exist"):
        scan(find_project(repo.root))


# --- reading -----------------------------------------------------------------------------------


def test_names_are_those_of_a_scan(repo: Repo) -> None:
    context = repo.root / "context"
    for name in ("b.md", "a.md", ".hidden.md", "README.MD", "notes.txt"):
        repo.write(f"context/{name}", "x")
    (context / "dir.md").mkdir()
    (context / "in.md").symlink_to("a.md")
    (context / "nowhere.md").symlink_to("gone.md")
    assert memory_names(repo.project) == scan(repo.project)[0].names
    assert memory_names(repo.project) == ["a.md", "b.md", "dir.md", "in.md", "snapshot.md"]


@POSIX
@pytest.mark.parametrize("by_descriptor", [True, False])
def test_only_memory_files_are_listed(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, by_descriptor: bool
) -> None:
    monkeypatch.setattr("ktw.scan.IS_BY_DESCRIPTOR", by_descriptor and IS_BY_DESCRIPTOR)
    for name in (
        "Readme.MD",
        "readme.md",
        "INDEX.md",
        ".hidden.md",
        "notes.txt",
        "revoked",
        "x.MD",
    ):
        repo.write(f"context/{name}", "x")
    repo.write("context/b.md", "x")
    repo.write("context/sub/c.md", "x")
    repo.write("context/.dot/c.md", "x")
    (repo.root / "context" / "gone.md").symlink_to("nowhere.md")
    (repo.root / "context" / "link.md").symlink_to("b.md")
    files, problems = scan(repo.project)
    assert files.names == ["b.md", "link.md", "snapshot.md"]
    assert files.stat(1)[1:] == files.stat(0)[1:], "what a link leads to"
    told = [(found.path, found.problem.kind) for found in problems]
    assert told == [("context/gone.md", "not-a-file"), ("context/sub", "nested")]


@POSIX
def test_case_9_nothing_that_is_no_file_is_read_or_waited_for(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "config"
    outside.write_text(memory_text("Foreign words", SECRET), encoding="utf-8")
    context = repo.root / "context"
    (context / "link.md").symlink_to(outside)
    (context / "absolute.md").symlink_to("/etc/passwd")
    (context / "loop.md").symlink_to("loop.md")
    (context / "gone.md").symlink_to("nowhere.md")
    (context / "git.md").symlink_to("../.git/config")
    (context / "null.md").symlink_to("/dev/zero")
    (context / "up.md").symlink_to("..")
    (context / "directory.md").mkdir()
    os.mkfifo(context / "pipe.md")
    (context / "pipe-link.md").symlink_to("pipe.md")
    (context / "sub").symlink_to("/etc")
    names = [
        "absolute",
        "directory",
        "git",
        "gone",
        "link",
        "loop",
        "null",
        "pipe",
        "pipe-link",
        "up",
    ]
    project = repo.project
    answer = recall(project, f"foreign words {SECRET} root snapshot", NOW)
    assert [found.reading.file.path for found in answer.found] == ["context/snapshot.md"]
    assert SECRET not in "".join(found.shown.text for found in answer.found)
    assert any(f"{len(names)} files could not be read" in notice for notice in answer.notices)
    assert len(list_memories(project).readings) == 1
    for name in names:
        file = read_memory(project, f"{name}.md")
        assert [problem.kind for problem in file.problems] == ["not-a-file"], name
        assert not file.memories
    indexed = b"".join(
        path.read_bytes() for path in (repo.root / ".git" / "ktw").rglob("*") if path.is_file()
    )
    assert b"zebra" not in indexed


@POSIX
def test_a_link_inside_the_context_directory_is_read(repo: Repo) -> None:
    (repo.root / "context" / "same.md").symlink_to("snapshot.md")
    assert (
        read_memory(repo.project, "same.md").entries
        == read_memory(repo.project, "snapshot.md").entries
    )


def test_too_large_a_file_is_a_problem_of_that_file_alone(repo: Repo) -> None:
    repo.write("context/big.md", b"# T\n\n## Needle\n\n" + b"x" * (1024 * 1024))
    assert [p.kind for p in read_memory(repo.project, "big.md").problems] == ["too-large"]
    assert len(recall(repo.project, "snapshot", NOW).found) == 1


@POSIX
def test_a_name_that_is_not_utf8_is_read_like_any_other(repo: Repo) -> None:
    path = os.fsencode(repo.root / "context") + b"/caf\xe9.md"
    Path(os.fsdecode(path)).write_text(memory_text("Odd name", "Elephants."), encoding="utf-8")
    for _ in range(2):
        answer = recall(repo.project, "elephants", NOW)
        assert answer.found[0].reading.entry.title == "Odd name"
        assert answer.found[0].shown.text.encode()


def test_bytes_are_read_as_they_are(repo: Repo) -> None:
    repo.write("context/a.md", b"\xef\xbb\xbf# T\r\n")
    assert read_bytes(repo.project, "a.md") == b"\xef\xbb\xbf# T\r\n"
