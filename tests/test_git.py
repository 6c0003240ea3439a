"""Finding a repository, asking git, reading objects, writing for a person: real git throughout."""

import hashlib
import os
import shutil
import stat
import threading
import time
from pathlib import Path

import pytest

from builders import Repo, Team, make_repo
from ktw.errors import KtwError
from ktw.git import (
    GitFailed,
    NoRepository,
    Objects,
    Repository,
    blob_ids,
    check_accepted,
    find_repository,
    merge_bases,
    read_settings,
    refs,
    run,
    writing,
)
from ktw.git.log import touches
from ktw.git.objects import Unreadable
from ktw.git.refs import take_back, write_files
from ktw.git.repository import command, environment, executable, first_line
from ktw.git.writing import (
    NoIdentity,
    commit_paths,
    head_ref,
    identity,
    operation_in_progress,
    remotes,
    set_clone_settings,
    start_branch,
    upstream_ref,
)


@pytest.fixture
def repo(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    templates: dict[str, Path],
    empty_home: Path,
) -> Repo:
    """A repository with one commit of one file; no project."""
    if "plain" not in templates:
        templates["plain"] = tmp_path_factory.mktemp("template") / "plain"
        made = make_repo(templates["plain"])
        made.write("context/a.md", "first\n")
        made.commit("first")
    shutil.copytree(templates["plain"], tmp_path / "repo")
    return Repo(tmp_path / "repo")


def located(repo: Repo) -> Repository:
    return find_repository(repo.root)


def hook(repo: Repo, name: str, body: str) -> Path:
    place = repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{body}\n")
    place.chmod(0o755)
    return place


def index_of(repo: Repo) -> str:
    return repo.git("ls-files", "--stage", "--debug").partition("ctime")[0] + repo.git(
        "diff", "--cached", "--raw", "--no-abbrev"
    )


# --- repository -------------------------------------------------------------------------------


def test_a_repository_is_found_from_below(repo: Repo) -> None:
    found = find_repository(repo.root / "context")
    assert (found.toplevel, found.git_dir) == (repo.root, repo.root / ".git")
    assert found.common_dir == found.git_dir
    assert not found.is_shallow


def test_without_a_repository_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoRepository) as failure:
        find_repository(tmp_path)
    assert "git init" in failure.value.todo


def test_a_linked_worktree_has_its_own_directory_and_a_common_one(
    repo: Repo, tmp_path: Path
) -> None:
    repo.git("worktree", "add", "--quiet", str(tmp_path / "tree"))
    found = find_repository(tmp_path / "tree")
    assert found.git_dir == repo.root / ".git/worktrees/tree"
    assert found.common_dir == repo.root / ".git"
    assert set(found.work_trees()) == {repo.root, tmp_path / "tree"}
    assert set(located(repo).work_trees()) == {repo.root, tmp_path / "tree"}


@pytest.mark.parametrize("content", ["gitdir: ../missing", "", "garbage", "gitdir: \udcff"])
def test_a_git_file_that_leads_nowhere_is_passed_by(repo: Repo, content: str) -> None:
    repo.write("sub/.git", content.encode("utf-8", "surrogateescape"))
    assert find_repository(repo.root / "sub").toplevel == repo.root


@pytest.mark.parametrize("content", [b"gitdir: a\0b", b"gitdir: .git\n" + b"x" * 70_000, b"\0"])
def test_a_git_file_that_no_git_wrote_is_passed_by(repo: Repo, content: bytes) -> None:
    repo.write("sub/.git", content)
    assert find_repository(repo.root / "sub").toplevel == repo.root


@pytest.mark.parametrize("target", ["a/" * 3000, "x" * 300, "loop/x"])
def test_a_git_file_whose_path_the_system_refuses_is_passed_by(repo: Repo, target: str) -> None:
    repo.write("sub/.git", f"gitdir: {target}")
    (repo.root / "sub/loop").symlink_to("loop")
    assert find_repository(repo.root / "sub").toplevel == repo.root


def test_a_named_pipe_in_place_of_a_git_file_is_not_waited_for(repo: Repo, tmp_path: Path) -> None:
    (repo.root / "sub").mkdir()
    os.mkfifo(repo.root / "sub/.git")
    assert find_repository(repo.root / "sub").toplevel == repo.root
    (tmp_path / "alone").mkdir()
    os.mkfifo(tmp_path / "alone/.git")
    with pytest.raises(NoRepository):
        find_repository(tmp_path / "alone")


@pytest.mark.parametrize("kind", ["nul", "large", "fifo", "directory"])
def test_a_commondir_that_no_git_wrote_is_a_clear_error(repo: Repo, kind: str) -> None:
    place = repo.root / ".git/commondir"
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "directory":
        place.mkdir()
    else:
        place.write_bytes(b"a\0b" if kind == "nul" else b"./" * 40_000)
    with pytest.raises(KtwError, match="commondir is not a file that git wrote"):
        find_repository(repo.root)


def test_a_list_of_worktrees_with_a_pipe_in_it_is_read(repo: Repo) -> None:
    for name in ("pipe", "nul"):
        (repo.root / ".git/worktrees" / name).mkdir(parents=True)
    os.mkfifo(repo.root / ".git/worktrees/pipe/gitdir")
    repo.write(".git/worktrees/nul/gitdir", "/a\0b/.git")
    assert set(located(repo).work_trees()) == {repo.root}


@pytest.mark.parametrize("how", ["file", "link", "commondir"])
def test_a_git_directory_among_the_files_of_its_work_tree_is_told(repo: Repo, how: str) -> None:
    assert located(repo).displaced() is None
    (repo.root / ".git").rename(repo.root / "meta")
    if how == "file":
        repo.write(".git", "gitdir: meta\n")
    elif how == "link":
        (repo.root / ".git").symlink_to("meta")
    else:
        repo.write(".git/HEAD", "ref: refs/heads/main\n")
        repo.write(".git/commondir", "../meta\n")
    assert located(repo).displaced() == repo.root / "meta"


def test_worktrees_and_submodules_have_their_git_directory_elsewhere(
    repo: Repo, tmp_path: Path
) -> None:
    repo.git("submodule", "--quiet", "add", str(repo.root), "sub")
    repo.git("worktree", "add", "--quiet", str(repo.root / "tree"))
    for below in ("sub", "tree", "sub/context"):
        assert find_repository(repo.root / below).displaced() is None
    assert find_repository(repo.root / "sub").git_dir == repo.root / ".git/modules/sub"


def test_the_environment_is_scrubbed_and_made_quiet(repo: Repo) -> None:
    base = {"GIT_DIR": "/x", "GIT_INDEX_FILE": "/y", "GIT_EXTERNAL_DIFF": "z", "HOME": "/h"}
    made = environment(base | {"GIT_AUTHOR_NAME": "Ada"}, located(repo))
    assert not {"GIT_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"} & set(made)
    assert (made["HOME"], made["GIT_AUTHOR_NAME"]) == ("/h", "Ada")
    assert made["GIT_NO_LAZY_FETCH"] == "1"
    assert "protocol.allow=never" in command(["log"])


def test_reading_runs_nothing_that_the_repository_names(repo: Repo, tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    script = repo.write("evil.sh", f"#!/bin/sh\necho $0 >> {witness}\ncat\n")
    script.chmod(0o755)
    repo.write(".gitattributes", "*.md filter=evil diff=evil\n")
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv"):
        repo.setting(key, str(script))
    for key in ("core.fsmonitor", "core.pager", "diff.external", "gpg.program"):
        repo.setting(key, str(script))
    repo.setting("log.showSignature", "true")
    found = located(repo)
    touches(found, "context/a.md")
    run(found, "log", "-p", "--raw", "--no-textconv", "--no-ext-diff", "HEAD")
    read_settings(found, "^ktw")
    with Objects(found) as objects:
        objects.file("HEAD", "context/a.md")
    assert not witness.exists()


@pytest.mark.parametrize("entry", ["", ".", "bin"])
def test_git_is_never_one_of_the_directory_where_it_runs(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    for place in ("git", "bin/git"):
        repo.write(place, "#!/bin/sh\ntouch ran\n").chmod(0o755)
    (repo.root / "git-directory" / "git").mkdir(parents=True)
    real = os.environ["PATH"]
    monkeypatch.setenv("PATH", os.pathsep.join((entry, f"{repo.root}/git-directory", real)))
    monkeypatch.chdir(repo.root)
    executable.cache_clear()
    assert run(located(repo), "rev-parse", "HEAD") and not (repo.root / "ran").exists()
    monkeypatch.setenv("PATH", entry)
    executable.cache_clear()
    with pytest.raises(KtwError, match="not on the PATH"):
        run(located(repo), "rev-parse", "HEAD")
    executable.cache_clear()


def test_a_failure_is_gits_first_line_escaped(repo: Repo) -> None:
    with pytest.raises(GitFailed) as failure:
        run(located(repo), "rev-parse", "--verify", "no\x1b[31m")
    assert failure.value.what.startswith("git rev-parse: fatal:")
    assert "\x1b" not in failure.value.what
    assert first_line(b"") == "no reason given"
    assert first_line(b"hint: x\nfatal: y\n") == "fatal: y"


def test_an_answer_that_never_comes_is_bounded(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktw.git.repository._TIMEOUT_S", 0.2)
    repo.setting("alias.hang", "!sleep 60")
    started = time.monotonic()
    with pytest.raises(GitFailed, match="no answer"):
        run(located(repo), "hang")
    assert time.monotonic() - started < 30


def test_settings_name_their_scope_and_origin(repo: Repo, empty_home: Path) -> None:
    (empty_home / ".gitconfig").write_text("[ktw]\n\ttrustedRemote = a\n\tbare\n")
    repo.write("included", "[ktw]\n\tapproval = local\n")
    repo.git("config", "include.path", "../included")
    found = {s.key: s for s in read_settings(located(repo), r"^ktw\.")}
    assert found["ktw.trustedremote"].scope == "global"
    assert found["ktw.trustedremote"].origin == empty_home / ".gitconfig"
    assert found["ktw.bare"].value == ""
    assert found["ktw.approval"].scope == "local"
    origin = found["ktw.approval"].origin
    assert origin is not None and origin.resolve() == repo.root / "included"


def test_git_accepts_a_repository_or_says_why_not(repo: Repo) -> None:
    check_accepted(located(repo))
    (repo.root / ".git/objects").rename(repo.root / ".git/gone")
    with pytest.raises(GitFailed, match="not a git repository"):
        check_accepted(located(repo))


def test_merge_bases(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("switch", "--quiet", "--create", "side")
    side = repo.commit("side")
    repo.git("switch", "--quiet", "main")
    repo.commit("main")
    assert merge_bases(located(repo), side) == [base]
    repo.git("switch", "--quiet", "--orphan", "alone")
    assert merge_bases(located(repo), side) is None
    repo.commit("alone")
    assert merge_bases(located(repo), side) == []
    assert merge_bases(located(repo), "0" * 40) is None
    repo.write(".git/shallow", "")
    assert merge_bases(located(repo), side) is None


# --- objects ----------------------------------------------------------------------------------


def test_files_and_directories_of_a_commit(repo: Repo) -> None:
    repo.write("context/sub/deep.md", "deep\n")
    (repo.root / "context/link.md").symlink_to("a.md")
    odd = "context/:(top) *^{}\n.md"
    repo.write(odd, "odd\n")
    tip = repo.commit("more")
    with Objects(located(repo)) as objects:
        assert objects.commit("refs/heads/main") == objects.commit("HEAD") == tip
        assert objects.commit("refs/heads/none") is None
        assert objects.file(tip, "context/a.md") == b"first\n"
        assert objects.file(tip, odd) == b"odd\n"
        assert objects.file(tip, "context/link.md") is None
        assert objects.file(tip, "context/sub") is None
        assert objects.file(tip, "context/none.md") is None
        assert objects.directory(tip, "context/a.md") is None
        assert objects.directory(tip, "none/deeper") is None
        assert set(objects.directory(tip, "context/sub") or ()) == {"deep.md"}
        assert set(objects.directory(tip, "") or ()) == {"context"}


def test_a_name_is_a_commit_or_nothing(repo: Repo) -> None:
    repo.git("update-ref", "refs/ktw/blob", repo.git("hash-object", "-w", "context/a.md"))
    repo.git("tag", "-a", "-m", "annotated", "v1")
    with Objects(located(repo)) as objects:
        assert objects.commit("refs/ktw/blob") is None
        assert objects.commit("refs/tags/v1") == repo.git("rev-parse", "HEAD")


@pytest.mark.parametrize("kind", ["tags", "heads", "remotes"])
def test_a_full_name_that_is_gone_is_not_found_under_another(repo: Repo, kind: str) -> None:
    wanted = "refs/remotes/origin/main"
    tip = repo.git("rev-parse", "HEAD")
    repo.git("update-ref", f"refs/{kind}/{wanted}", tip)
    with Objects(located(repo)) as objects:
        assert objects.commit(wanted) is None
    other = repo.commit("other")
    repo.git("update-ref", wanted, other)
    with Objects(located(repo)) as objects:
        assert objects.commit(wanted) == other
    repo.git("pack-refs", "--all")
    with Objects(located(repo)) as objects:
        assert objects.commit(wanted) == other


def test_what_a_tree_names_and_the_clone_lacks_is_unreadable(repo: Repo) -> None:
    oid = repo.git("rev-parse", "HEAD:context/a.md")
    (repo.root / ".git/objects" / oid[:2] / oid[2:]).unlink()
    tip = repo.git("rev-parse", "HEAD")
    with Objects(located(repo)) as objects:
        with pytest.raises(Unreadable):
            objects.file(tip, "context/a.md")
        assert objects.commit("HEAD") == tip
        with pytest.raises(Unreadable):
            objects.directory("0" * 40, "")
        with pytest.raises(Unreadable):
            objects.first_parent("0" * 40)


def test_a_git_that_dies_is_a_failure_and_the_next_question_starts_anew(repo: Repo) -> None:
    with Objects(located(repo)) as objects:
        tip = objects.commit("HEAD")
        assert tip is not None and objects._process is not None
        objects._process.kill()
        objects._process.wait()
        with pytest.raises(GitFailed):
            objects.commit("HEAD")
        assert objects.commit("HEAD") == tip


def test_a_flood_of_warnings_does_not_stop_git(repo: Repo) -> None:
    repo.git("tag", "refs/heads/main")
    with Objects(located(repo)) as objects:
        for _ in range(1500):
            assert objects.commit("refs/heads/main/none") is None
            objects._peeled("refs/heads/main")
        assert objects.commit("refs/heads/main")


def test_first_parents(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    second = repo.commit("parent 1234\n\nparent " + "0" * 40)
    with Objects(located(repo)) as objects:
        assert objects.first_parent(second) == first
        assert objects.first_parent(first) is None


@pytest.mark.parametrize("data", [b"", b"a\r\nb\r\n", b"\xff\x00\r\r\n", b"x" * 70_000])
def test_blob_ids_are_gits(repo: Repo, data: bytes) -> None:
    repo.write("x", data)
    assert repo.git("hash-object", "--no-filters", "x") in blob_ids(data)
    repo.write("x", data.replace(b"\r\n", b"\n"))
    assert repo.git("hash-object", "--no-filters", "x") in blob_ids(data)


def test_a_repository_with_sha256_objects(tmp_path: Path) -> None:
    root = tmp_path / "modern"
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main")
    repo.write("context/a.md", "words\n")
    tip = repo.commit("one")
    with Objects(located(repo)) as objects:
        entry = (objects.directory(tip, "context") or {})["a.md"]
        assert objects.blob(entry.oid) == b"words\n"
    assert entry.oid in blob_ids(b"words\n", len(entry.oid))
    assert entry.oid == hashlib.sha256(b"blob 6\0words\n").hexdigest()


# --- log --------------------------------------------------------------------------------------


def test_the_life_of_a_file_across_a_rename(repo: Repo) -> None:
    repo.write("context/a.md", "first\nsecond\n")
    repo.commit("changed")
    repo.git("mv", "context/a.md", "context/b.md")
    repo.commit("renamed | subject\twith ; odd")
    repo.git("rm", "--quiet", "context/b.md")
    repo.commit("deleted")
    found = touches(located(repo), "context/b.md")
    assert [(touch.change, touch.path) for touch in found] == [
        ("D", "context/b.md"),
        ("R", "context/b.md"),
        ("M", "context/a.md"),
        ("A", "context/a.md"),
    ]
    assert found[1].subject == "renamed | subject\twith ; odd"
    assert found[0].by == "Ada Lovelace <ada@example.invalid>"


def test_names_of_files_and_people_cannot_pass_for_commits(repo: Repo) -> None:
    odd = "context/M\x01x\x02 [a]*.md"
    repo.write(odd, "one\n")
    repo.write("context/Mxx a.md", "another\n")
    repo.git("add", ".")
    repo.git("commit", "--quiet", "-m", "A", "--author", "M\x01\x02 X <x\x01@example.invalid>")
    found = touches(located(repo), odd)
    assert [(touch.change, touch.path, touch.subject) for touch in found] == [("A", odd, "A")]
    assert found[0].by.endswith("<x\x01@example.invalid>")


def test_a_mailmap_of_the_work_tree_changes_nobodys_name(repo: Repo) -> None:
    repo.write(".mailmap", "The Boss <boss@example.invalid> <ada@example.invalid>\n")
    assert touches(located(repo), "context/a.md")[0].by == "Ada Lovelace <ada@example.invalid>"


def test_no_commits_is_no_touches(tmp_path: Path) -> None:
    assert touches(located(make_repo(tmp_path / "new")), "context/a.md") == []


# --- writing ----------------------------------------------------------------------------------


def test_a_commit_holds_exactly_its_paths_and_staged_work_stays_staged(repo: Repo) -> None:
    repo.write("context/a.md", "approved\n")
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    repo.write("staged.txt", "staged, then edited\n")
    repo.write("loose.txt", "loose\n")
    made = commit_paths(located(repo), ["context/a.md"], "Approve")
    assert repo.git("show", "--name-only", "--format=%s", str(made)).split() == [
        "Approve",
        "context/a.md",
    ]
    assert repo.git("status", "--porcelain").splitlines() == ["AM staged.txt", "?? loose.txt"]
    assert repo.git("show", ":staged.txt") == "staged"


def test_where_head_holds_it_already_there_is_no_commit(repo: Repo) -> None:
    before = repo.git("rev-parse", "HEAD")
    assert commit_paths(located(repo), ["context/a.md"], "Approve") is None
    repo.write("context/a.md", "staged\n")
    repo.git("add", "context/a.md")
    repo.write("context/a.md", "first\n")
    assert commit_paths(located(repo), ["context/a.md"], "Approve") is None
    assert repo.git("show", ":context/a.md") == "staged"
    assert repo.git("rev-parse", "HEAD") == before


def test_a_staged_older_version_of_the_file_is_overtaken(repo: Repo) -> None:
    repo.write("context/a.md", "staged\n")
    repo.git("add", "context/a.md")
    repo.write("context/a.md", "approved\n")
    commit_paths(located(repo), ["context/a.md"], "Approve")
    assert repo.git("show", "HEAD:context/a.md") == "approved"
    assert repo.git("status", "--porcelain") == ""


def test_an_untracked_file_with_a_name_like_a_pattern(repo: Repo) -> None:
    repo.write("context/[ab]*.md", "odd\n")
    repo.write("context/b.md", "not this one\n")
    commit_paths(located(repo), ["context/[ab]*.md"], "Approve")
    assert repo.git("ls-files").splitlines() == ["context/[ab]*.md", "context/a.md"]
    assert repo.git("status", "--porcelain") == "?? context/b.md"


def test_on_an_unborn_branch(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "new")
    repo.write("a.md", "words\n")
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    commit_paths(located(repo), ["a.md"], "Approve")
    assert repo.git("ls-tree", "--name-only", "HEAD") == "a.md"
    assert repo.git("status", "--porcelain") == "A  staged.txt"


@pytest.mark.parametrize("path", ["context/a.md", "context/new.md"])
def test_case_19_a_hook_that_rejects_leaves_the_index_as_it_was(repo: Repo, path: str) -> None:
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    repo.write(path, "approved\n")
    before = index_of(repo)
    refusing = hook(repo, "pre-commit", "echo 'no memories today' >&2; exit 1")
    with pytest.raises(GitFailed, match="no memories today"):
        commit_paths(located(repo), [path], "Approve")
    assert index_of(repo) == before
    refusing.unlink()
    repo.git("commit", "--quiet", "-m", "next")
    assert repo.git("show", "--name-only", "--format=", "HEAD") == "staged.txt"


def test_a_file_that_git_ignores_is_a_clear_failure(repo: Repo) -> None:
    repo.write(".gitignore", "context/new.md\n")
    repo.write("context/new.md", "words\n")
    before = index_of(repo)
    with pytest.raises(GitFailed, match="ignored"):
        commit_paths(located(repo), ["context/new.md"], "Approve")
    assert index_of(repo) == before


def test_case_19_a_signature_without_a_key_is_a_bounded_failure(
    repo: Repo, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GNUPGHOME", str(empty_home))
    repo.setting("commit.gpgsign", "true")
    repo.write("context/a.md", "approved\n")
    before = index_of(repo)
    started = time.monotonic()
    with pytest.raises(GitFailed, match="sign"):
        commit_paths(located(repo), ["context/a.md"], "Approve")
    assert time.monotonic() - started < 20
    assert index_of(repo) == before


def test_a_hook_that_hangs_is_bounded_and_leaves_no_lock(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_COMMIT_TIMEOUT_S", 0.5)
    hook(repo, "pre-commit", "sleep 20")
    repo.write("context/a.md", "approved\n")
    started = time.monotonic()
    with pytest.raises(GitFailed):
        commit_paths(located(repo), ["context/a.md"], "Approve")
    assert time.monotonic() - started < 10
    assert not (repo.root / ".git/index.lock").exists()


@pytest.mark.parametrize("path", ["context/a.md", "context/new.md"])
def test_case_20_a_lock_is_waited_for(repo: Repo, path: str) -> None:
    repo.write(path, "approved\n")
    lock = repo.write(".git/index.lock", "")
    timer = threading.Timer(0.6, lock.unlink)
    timer.start()
    commit_paths(located(repo), [path], "Approve")
    timer.join()
    assert repo.git("show", f"HEAD:{path}") == "approved"


@pytest.mark.parametrize("path", ["context/a.md", "context/new.md"])
def test_case_20_a_stale_lock_is_a_clear_error(
    repo: Repo, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_LOCK_PAUSE_S", 0.02)
    repo.write(path, "approved\n")
    lock = repo.write(".git/index.lock", "")
    with pytest.raises(GitFailed, match=r"index\.lock") as failure:
        commit_paths(located(repo), [path], "Approve")
    assert "delete that file" in failure.value.todo
    lock.unlink()
    assert repo.git("ls-files") == "context/a.md"


def test_files_are_put_on_a_ref_beside_index_and_work_tree(repo: Repo) -> None:
    found = located(repo)
    before = repo.git("status", "--porcelain"), index_of(repo)
    first = write_files(found, "refs/ktw/x", {"aa/b": b"one\r\n", "c": b"two"}, "One")
    second = write_files(found, "refs/ktw/x", {"aa/d": b"three", "c": None}, "Two")
    with Objects(found) as objects:
        assert objects.commit("refs/ktw/x") == second
        assert objects.first_parent(second) == first
        assert objects.file(second, "aa/b") == b"one\r\n"
        assert objects.file(second, "aa/d") == b"three"
        assert objects.file(second, "c") is None
    assert (repo.git("status", "--porcelain"), index_of(repo)) == before


def test_a_symbolic_ref_of_ours_leads_nobody_s_branch_away(repo: Repo) -> None:
    found, before = located(repo), repo.git("rev-parse", "refs/heads/main")
    repo.git("symbolic-ref", "refs/ktw/x", "refs/heads/main")
    made = write_files(found, "refs/ktw/x", {"a": b"x"}, "One")
    assert repo.git("rev-parse", "refs/heads/main") == before
    assert repo.git("rev-parse", "refs/ktw/x") == made
    repo.git("symbolic-ref", "refs/ktw/x", "refs/heads/main")
    take_back(found, "refs/ktw/x", before.strip(), {"a": b"x"})
    assert repo.git("rev-parse", "refs/heads/main") == before


def test_writers_at_once_lose_nothing(repo: Repo) -> None:
    found = located(repo)
    write_files(found, "refs/ktw/x", {"first": b"x"}, "First")
    stale = refs._tip
    seen: list[str] = []

    def late(opened: object, ref: str) -> str:
        told = stale(opened, ref)  # type: ignore[arg-type]
        if not seen:
            seen.append(told)
            write_files(found, "refs/ktw/x", {"other": b"y"}, "Other")
        return told

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refs, "_tip", late)
        tip = write_files(found, "refs/ktw/x", {"mine": b"z"}, "Mine")
    with Objects(found) as objects:
        assert set(objects.directory(tip, "") or ()) == {"first", "other", "mine"}


def test_what_was_put_on_a_ref_is_taken_back(repo: Repo) -> None:
    found = located(repo)
    put = {"mine": b"x"}
    take_back(found, "refs/ktw/x", write_files(found, "refs/ktw/x", put, "Mine"), put)
    assert repo.git("for-each-ref", "refs/ktw") == ""
    before = write_files(found, "refs/ktw/x", {"mine": b"x"}, "First")
    gone: dict[str, bytes | None] = {"mine": None}
    take_back(found, "refs/ktw/x", write_files(found, "refs/ktw/x", gone, "Gone"), gone)
    assert repo.git("rev-parse", "refs/ktw/x") == before


def test_taking_back_leaves_what_others_wrote_since(repo: Repo) -> None:
    found = located(repo)
    made = write_files(found, "refs/ktw/x", {"mine": b"x"}, "Mine")
    write_files(found, "refs/ktw/x", {"other": b"y"}, "Other")
    take_back(found, "refs/ktw/x", made, {"mine": b"x"})
    assert repo.git("ls-tree", "--name-only", "refs/ktw/x") == "other"


def test_the_ledger_of_a_sha256_repository(tmp_path: Path) -> None:
    root = tmp_path / "sha256"
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "--quiet", "--object-format=sha256", "--template=")
    found = located(repo)
    write_files(found, "refs/ktw/x", {"a": b"x", "b": b"y"}, "One")
    write_files(found, "refs/ktw/x", {"a": None}, "Two")
    assert repo.git("ls-tree", "--name-only", "refs/ktw/x") == "b"


def test_of_several_files_none_stays_announced_where_one_is_ignored(repo: Repo) -> None:
    repo.write(".git/info/exclude", "*.list\n")
    for path in ("new.md", "new.list"):
        repo.write(path, "x")
    before = repo.git("status", "--porcelain"), index_of(repo)
    with pytest.raises(GitFailed, match="ignored"):
        commit_paths(located(repo), ["new.md", "new.list"], "Approve")
    assert (repo.git("status", "--porcelain"), index_of(repo)) == before


def test_signing_and_hooks_do_not_concern_the_ledger(repo: Repo) -> None:
    repo.setting("commit.gpgsign", "true")
    repo.setting("user.signingkey", "none")
    assert write_files(located(repo), "refs/ktw/x", {"a": b"x"}, "One")


def test_who_commits(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    assert identity(located(repo)) == "Ada Lovelace <ada@example.invalid>"
    for name in ("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    repo.setting("user.useConfigOnly", "true")
    with pytest.raises(NoIdentity, match="does not know"):
        identity(located(repo))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rebase-merge", "a rebase"),
        ("rebase-apply", "a rebase"),
        ("MERGE_HEAD", "a merge"),
        ("CHERRY_PICK_HEAD", "a cherry-pick"),
        ("REVERT_HEAD", "a revert"),
        ("BISECT_LOG", "a bisect"),
    ],
)
def test_what_is_half_done(repo: Repo, name: str, told: str) -> None:
    assert operation_in_progress(located(repo)) is None
    (repo.root / ".git" / name).mkdir()
    assert operation_in_progress(located(repo)) == told


def test_where_head_stands(team: Team) -> None:
    found = located(team.work)
    assert head_ref(found) == "refs/heads/main"
    assert upstream_ref(found) == "refs/remotes/origin/main"
    start_branch(found, "side")
    assert (head_ref(found), upstream_ref(found)) == ("refs/heads/side", None)
    with pytest.raises(GitFailed, match="already exists"):
        start_branch(found, "main")
    team.work.git("switch", "--quiet", "--detach")
    assert head_ref(found) is None
    assert remotes(found) == {"origin": "../hub.git"}


def test_settings_are_written_exactly(repo: Repo) -> None:
    found = located(repo)
    set_clone_settings(found, {"ktw.approval": ("merged", "local"), "ktw.trustRef": ()})
    set_clone_settings(found, {"ktw.approval": ("local",)})
    assert repo.git("config", "--get-all", "ktw.approval") == "local"
    repo.write(".git/config.lock", "")
    with pytest.raises(GitFailed, match=r"lock"):
        set_clone_settings(found, {"ktw.approval": ("merged",)})


def test_the_environment_is_given_back(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    before = dict(os.environ)
    assert identity(located(repo))
    assert dict(os.environ) == before


def test_modes_of_a_committed_file_are_kept(repo: Repo) -> None:
    place = repo.write("context/a.md", "approved\n")
    place.chmod(0o755)
    commit_paths(located(repo), ["context/a.md"], "Approve")
    assert stat.S_IMODE(place.stat().st_mode) == 0o755
    assert repo.git("ls-tree", "HEAD", "context/a.md").startswith("100755")


def test_many_blobs_are_asked_for_at_once_and_missing_ones_left_out(repo: Repo) -> None:
    texts = [b"words %d\n" % number * (number * number) for number in range(1, 121)]
    oids = [repo.git("hash-object", "-w", "--stdin", data=text) for text in texts]
    asked = [*oids[:60], "0" * 40, *oids[60:]]
    with Objects(located(repo)) as objects:
        assert objects.blobs(asked) == dict(zip(oids, texts, strict=True))
        assert objects.blobs([]) == {}
        assert objects.blob(oids[7]) == texts[7]
