"""Init makes what is missing, adds to what is there, and never overwrites."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import Repo, add_project, make_project, make_remote, make_repo
from keys import make_key, use_key
from ktw.cli.root import ktw
from ktw.cli.setup import _print_files
from ktw.config import format_block, load_config
from ktw.errors import KtwError, UsageError
from ktw.git import GitFailed
from ktw.names import OutOfBounds, project_id
from ktw.operations.setup import Setup, Step, initialise, plan_setup, remove_pointer
from ktw.operations.setup_texts import (
    POINTER_CLOSE,
    POINTER_OPEN,
    config_text,
    pages,
    pointer,
    with_attributes,
    with_pointer,
    without_pointer,
)
from ktw.operations.writing import Draft, remember
from ktw.policy import read_policy
from ktw.scan import scan
from ktw.store import Changed, find_project
from ktw.trust import Policy

NOW = datetime(2026, 1, 2, tzinfo=UTC)
MADE = (
    ".gitattributes",
    ".keep-the-why",
    "AGENTS.md",
    "context/AGENTS.md",
    "context/CLAUDE.md",
    "context/README.md",
    "context/index.md",
)


def set_up(repo: Repo, remote: str | None = None, policy: bool = True) -> Setup:
    plan = plan_setup(repo.root, remote, None)
    initialise(plan, write_policy=policy)
    return plan


def actions(plan: Setup) -> dict[str, str]:
    return {step.path: step.action for step in plan.steps}


def tree(repo: Repo) -> dict[str, bytes]:
    return {
        path.relative_to(repo.root).as_posix(): path.read_bytes()
        for path in sorted(repo.root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(repo.root).parts[:1]
    }


def policy_of(repo: Repo) -> Policy | None:
    return read_policy(repo.project).policy


@pytest.fixture
def bare(tmp_path: Path) -> Repo:
    """A repository without a commit, a remote or a file."""
    return make_repo(tmp_path / "repo")


@pytest.fixture
def cloned(tmp_path: Path) -> Repo:
    """A repository with one commit and one remote whose default branch is known."""
    repo = make_repo(tmp_path / "repo")
    repo.write("README.md", "# Read me\n")
    repo.commit()
    make_remote(repo, tmp_path / "owner" / "project.git")
    return repo


# --- files -----------------------------------------------------------------------------------


def test_an_empty_repository_gets_all_of_it(bare: Repo) -> None:
    plan = set_up(bare)
    assert tuple(tree(bare)) == MADE
    assert set(actions(plan).values()) == {"create"}
    assert policy_of(bare) == Policy(None, ("local",))
    written = remember(bare.project, Draft("T", "B"), NOW)
    assert (bare.root / written.path).is_file()


def test_init_below_the_top_sets_up_the_top(bare: Repo) -> None:
    deep = bare.root / "src" / "deep"
    deep.mkdir(parents=True)
    initialise(plan_setup(deep), write_policy=False)
    assert (bare.root / ".keep-the-why").is_file()


def test_a_second_run_changes_no_byte(cloned: Repo) -> None:
    set_up(cloned)
    before, config = tree(cloned), cloned.read(".git/config")
    plan = set_up(cloned)
    assert tree(cloned) == before and cloned.read(".git/config") == config
    assert set(actions(plan).values()) == {"keep"}
    assert not plan.changes_files and not plan.policy.changes


def test_what_is_there_is_never_overwritten(bare: Repo) -> None:
    texts = {f"context/{name}": "mine\n" for name in ("README.md", "AGENTS.md", "index.md")}
    for path, text in texts.items():
        bare.write(path, text)
    plan = set_up(bare)
    assert {path: bare.read(path) for path in texts} == texts
    assert actions(plan)["context/CLAUDE.md"] == "create"


def test_what_appears_between_plan_and_act_is_left_alone(bare: Repo) -> None:
    plan = plan_setup(bare.root)
    bare.write(".keep-the-why", "mine")
    with pytest.raises(Changed):
        initialise(plan, write_policy=True)
    assert bare.read(".keep-the-why") == "mine"


def test_what_changes_between_plan_and_act_is_left_alone(bare: Repo) -> None:
    bare.write("AGENTS.md", "# One\n")
    plan = plan_setup(bare.root)
    bare.write("AGENTS.md", "# Two\n")
    with pytest.raises(Changed):
        initialise(plan, write_policy=True)
    assert bare.read("AGENTS.md") == "# Two\n"


def test_a_config_without_its_block_is_left_to_the_person(bare: Repo) -> None:
    bare.write(".keep-the-why", "notes\n")
    with pytest.raises(UsageError, match="has no keep-the-why:config block"):
        plan_setup(bare.root)


def test_a_context_directory_that_leads_out_is_not_written(bare: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (bare.root / "context").symlink_to(outside)
    with pytest.raises(OutOfBounds, match="leads out of the project"):
        plan_setup(bare.root)
    assert not list(outside.iterdir())


def test_a_declared_context_directory_is_used_everywhere(bare: Repo) -> None:
    block = format_block("config", {"id": "x", "context": "docs/the why", "init": "complete"})
    bare.write(".keep-the-why", block)
    set_up(bare)
    assert (bare.root / "docs/the why/index.md").is_file()
    assert '"docs/the why/index.md" merge=union' in bare.read(".gitattributes")
    assert "`docs/the why/`" in bare.read("AGENTS.md")
    bare.write("docs/the why/index.md", "x")
    assert "union" in bare.git("check-attr", "merge", "--", "docs/the why/index.md")


def test_a_legacy_project_keeps_its_block(bare: Repo) -> None:
    block = format_block("config", {"id": "old", "context": "context", "init": "complete"})
    bare.write("AGENTS.md", f"# Agents\n\n{block}")
    plan = set_up(bare)
    assert actions(plan)["AGENTS.md"] == "merge"
    assert not (bare.root / ".keep-the-why").exists()
    config = load_config(bare.root)
    assert config is not None and config.legacy and config.value("id") == "old"
    assert bare.read("AGENTS.md").startswith(f"# Agents\n\n{block}\n{POINTER_OPEN}")
    assert set(actions(set_up(bare)).values()) == {"keep"}


def test_a_file_that_is_added_to_is_not_said_to_be_kept(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _print_files([Step("AGENTS.md", "keep"), Step("AGENTS.md", "merge"), Step("x", "keep")])
    assert capsys.readouterr().out.split() == ["add", "to", "AGENTS.md", "keep", "x"]


# --- the pointer -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["# Agents\n", "# Agents", "# Agents\n\n\n", "", "\n", "# A\r\n\r\nb\r\n", "\ufeff# A\n"],
)
def test_the_pointer_is_added_and_taken_out_byte_for_byte(bare: Repo, text: str) -> None:
    path = bare.write("AGENTS.md", text.encode())
    set_up(bare)
    data = path.read_bytes()
    assert data.startswith(text.encode()) and POINTER_OPEN.encode() in data
    assert not (b"\r\n" in text.encode() and b"\n" in data.replace(b"\r\n", b""))
    assert remove_pointer(bare.root)
    assert path.read_bytes() == text.encode()
    assert not remove_pointer(bare.root)


@settings(deadline=None)
@given(st.text(alphabet="ab#\n `"), st.text(alphabet="ab#\n"), st.booleans())
def test_without_undoes_with_and_with_is_idempotent(before: str, after: str, crlf: bool) -> None:
    if crlf:
        before, after = "\r\n" + before.replace("\n", "\r\n"), after.replace("\n", "\r\n")
    block = pointer("context")
    once = with_pointer(before, block)
    assert with_pointer(once, block) == once
    assert without_pointer(once) == before
    assert with_pointer(once + after, block) == once + after


def test_an_old_pointer_is_renewed_in_its_place(bare: Repo) -> None:
    bare.write("AGENTS.md", f"# A\n\n{POINTER_OPEN}\nold words\n{POINTER_CLOSE}\n\n# B\n")
    set_up(bare)
    text = bare.read("AGENTS.md")
    assert text == f"# A\n\n{pointer('context')}\n# B\n"


def test_marks_that_are_only_quoted_are_no_block() -> None:
    text = f"Our marks are `{POINTER_OPEN}` and `{POINTER_CLOSE}`.\n"
    assert without_pointer(text) == text
    assert with_pointer(text, pointer("context")).startswith(text)


def test_a_link_to_another_file_of_the_project_is_followed(bare: Repo) -> None:
    bare.write("CLAUDE.md", "# Claude\n")
    (bare.root / "AGENTS.md").symlink_to("CLAUDE.md")
    assert actions(set_up(bare))["CLAUDE.md"] == "merge"
    assert (bare.root / "AGENTS.md").is_symlink()
    assert POINTER_OPEN in bare.read("CLAUDE.md")
    assert remove_pointer(bare.root) and bare.read("CLAUDE.md") == "# Claude\n"


@pytest.mark.parametrize("kind", ["link out", "nowhere", "fifo", "not utf-8", "directory"])
@pytest.mark.parametrize("name", ["AGENTS.md", ".gitattributes"])
def test_what_cannot_be_added_to_is_left_and_said(
    bare: Repo, tmp_path: Path, kind: str, name: str
) -> None:
    path, outside = bare.root / name, tmp_path / "outside"
    outside.write_text("out\n")
    if kind in ("link out", "nowhere"):
        path.symlink_to(outside if kind == "link out" else "gone")
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    else:
        path.write_bytes(b"\xff\xfe")
    plan = set_up(bare)
    (step,) = [step for step in plan.steps if step.action == "leave"]
    assert step.path == name and step.why
    assert outside.read_text() == "out\n"
    if name == "AGENTS.md":
        with pytest.raises(KtwError, match=r"AGENTS\.md"):
            remove_pointer(bare.root)


@pytest.mark.parametrize("text", ["*.png binary\n", "*.png binary", "a\r\nb\r\n"])
def test_gitattributes_are_added_to(bare: Repo, text: str) -> None:
    path = bare.write(".gitattributes", text.encode())
    set_up(bare)
    data = path.read_bytes()
    assert data.startswith(text.encode())
    assert b"context/index.md merge=union" in data and b"context/revoked merge=union" in data
    assert with_attributes(data.decode(), "context") == data.decode()
    bare.write("context/index.md", "x")
    assert bare.git("check-attr", "merge", "context/index.md").endswith("merge: union")


@pytest.mark.parametrize("context", ["a b", "#a", "!a", 'a"b', "a*b", "a[b", "a\\b"])
def test_gitattributes_mean_this_directory_alone(bare: Repo, context: str) -> None:
    bare.write(".gitattributes", with_attributes("", context))
    bare.write(f"{context}/index.md", "x")
    told = bare.git("check-attr", "-z", "merge", "--", f"{context}/index.md", "axxb/index.md")
    assert told.split("\0")[2::3] == ["union", "unspecified"]


# --- the id ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "id_"),
    [
        ("https://host.invalid/owner/project.git", "owner---project"),
        ("git@host.invalid:owner/project.git", "owner---project"),
        ("ssh://git@host.invalid:22/group/owner/project", "owner---project"),
        ("https://user:secret@host.invalid/owner/pro%20ject", "owner---pro-20ject"),
        ("https://[::1/owner/project", "owner---project"),
        ("https://host.invalid/../..", None),
        ("/x", None),
    ],
)
def test_the_id_comes_from_the_remote(bare: Repo, url: str, id_: str | None) -> None:
    bare.setting("remote.origin.url", url)
    set_up(bare)
    made = bare.project.id
    assert project_id(made) == made and "secret" not in made
    assert made == id_ if id_ else made.endswith("---repo")


# --- the policy ------------------------------------------------------------------------------


def test_one_remote_makes_merged_and_local_with_a_full_ref(cloned: Repo) -> None:
    set_up(cloned)
    assert policy_of(cloned) == Policy("refs/remotes/origin/main", ("merged", "local"))


def test_a_remote_without_a_known_default_branch_gives_no_trust_ref(cloned: Repo) -> None:
    cloned.git("remote", "set-head", "origin", "--delete")
    plan = set_up(cloned)
    assert policy_of(cloned) == Policy(None, ("local",))
    assert any("git remote set-head origin --auto" in reason for reason in plan.policy.reasons)


def test_of_several_remotes_one_is_named_or_none_counts(cloned: Repo, tmp_path: Path) -> None:
    cloned.git("remote", "add", "upstream", str(tmp_path / "owner" / "project.git"))
    cloned.git("fetch", "--quiet", "upstream")
    cloned.git("remote", "set-head", "upstream", "main")
    plan = set_up(cloned)
    assert plan.remote_choices == ("origin", "upstream")
    assert policy_of(cloned) == Policy(None, ("local",))
    assert any("--remote NAME` (origin, upstream)" in reason for reason in plan.policy.reasons)
    set_up(cloned, "upstream")
    assert policy_of(cloned) == Policy("refs/remotes/upstream/main", ("merged", "local"))


def test_an_unknown_remote_is_a_usage_error(cloned: Repo) -> None:
    with pytest.raises(UsageError, match="there is no remote nowhere"):
        plan_setup(cloned.root, "nowhere")


def test_a_remote_that_was_added_later_brings_merged(bare: Repo, tmp_path: Path) -> None:
    set_up(bare)
    bare.commit()
    assert policy_of(bare) == Policy(None, ("local",))
    make_remote(bare, tmp_path / "remote.git")
    assert plan_setup(bare.root).policy.changes
    before = tree(bare)
    set_up(bare)
    assert policy_of(bare) == Policy("refs/remotes/origin/main", ("merged", "local"))
    assert tree(bare) == before


@pytest.mark.parametrize("methods", [("signed",), ("signed", "local"), ("merged",)])
def test_a_policy_that_the_owner_chose_stays(cloned: Repo, methods: tuple[str, ...]) -> None:
    set_up(cloned, policy=False)
    ref = "refs/remotes/origin/main" if "merged" in methods else None
    cloned.policy(*methods, ref=ref, project=f"{cloned.project.id} .")
    plan = set_up(cloned)
    assert not plan.policy.changes and policy_of(cloned) == Policy(ref, methods)


def test_an_agent_writes_no_policy(cloned: Repo) -> None:
    set_up(cloned, policy=False)
    assert policy_of(cloned) is None
    assert "[ktw" not in cloned.read(".git/config")


def test_two_projects_of_one_clone_share_its_policy(bare: Repo) -> None:
    add_project(bare, "sub/", {}, "inner")
    set_up(bare)
    initialise(plan_setup(bare.root / "sub"), write_policy=True)
    named = bare.git("config", "--get-all", "ktw.project").splitlines()
    assert len(named) == 2 and named[1] == "inner sub"
    assert policy_of(bare) is not None


@pytest.fixture
def shared(cloned: Repo) -> Repo:
    """A clone whose owner chose `merged` from a second remote for its first project."""
    cloned.git("update-ref", "refs/remotes/upstream/main", "HEAD")
    set_up(cloned, policy=False)
    cloned.policy("merged", ref="refs/remotes/upstream/main", project=f"{cloned.project.id} .")
    add_project(cloned, "packages/b/", {}, "inner")
    return cloned


UPSTREAM = Policy("refs/remotes/upstream/main", ("merged",))


@pytest.mark.parametrize("several_remotes", [True, False])
def test_a_second_project_joins_and_weakens_nothing(shared: Repo, several_remotes: bool) -> None:
    if several_remotes:
        shared.git("remote", "add", "upstream", str(shared.root))
    plan = plan_setup(shared.root / "packages/b")
    assert plan.policy.changes and not plan.policy.states
    (reason,) = plan.policy.reasons
    assert reason == (
        "this project joins the policy of this clone: merged, trust ref refs/remotes/upstream/main"
    )
    initialise(plan, write_policy=True)
    assert policy_of(shared) == UPSTREAM
    assert read_policy(find_project(shared.root / "packages/b")).policy == UPSTREAM
    assert not plan_setup(shared.root / "packages/b").policy.changes


def test_a_new_project_without_a_config_joins_too(shared: Repo) -> None:
    shared.setting("ktw.project", "inner packages/b")
    (shared.root / ".keep-the-why").unlink()
    set_up(shared)
    assert policy_of(shared) == UPSTREAM
    assert read_policy(find_project(shared.root / "packages/b")).policy == UPSTREAM


def test_a_remote_that_is_named_changes_it_for_all_and_says_so(shared: Repo) -> None:
    plan = plan_setup(shared.root / "packages/b", "origin")
    assert shared.project.id in plan.policy.reasons[-1]
    assert "other projects of this clone" in plan.policy.reasons[-1]
    initialise(plan, write_policy=True)
    assert policy_of(shared) == Policy("refs/remotes/origin/main", ("merged",))


def test_a_second_project_may_bring_merged_to_a_clone_with_local_alone(shared: Repo) -> None:
    shared.policy("local", project=f"{shared.project.id} .")
    plan = plan_setup(shared.root / "packages/b")
    assert shared.project.id in plan.policy.reasons[-1]
    initialise(plan, write_policy=True)
    assert policy_of(shared) == Policy("refs/remotes/origin/main", ("merged", "local"))


def test_a_named_remote_without_a_known_branch_weakens_nothing(shared: Repo) -> None:
    shared.git("remote", "set-head", "origin", "--delete")
    initialise(plan_setup(shared.root / "packages/b", "origin"), write_policy=True)
    assert policy_of(shared) == UPSTREAM


def test_a_broken_policy_of_another_project_is_left_to_the_person(shared: Repo) -> None:
    shared.setting("ktw.trustRef", "origin/main")
    before = shared.read(".git/config")
    plan = plan_setup(shared.root / "packages/b")
    assert not plan.policy.changes and "full ref name" in plan.policy.reasons[0]
    initialise(plan, write_policy=True)
    assert shared.read(".git/config") == before


def test_a_git_directory_among_the_files_gets_no_policy(cloned: Repo) -> None:
    (cloned.root / ".git").rename(cloned.root / "meta")
    cloned.write(".git", "gitdir: meta\n")
    plan = set_up(cloned)
    assert not plan.policy.changes and "its own work tree" in plan.policy.reasons[0]
    assert "[ktw" not in cloned.read("meta/config")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
def test_what_git_does_not_accept_is_said_before_anything_is_planned(cloned: Repo) -> None:
    before = tree(cloned)
    for place in (cloned.root, *cloned.root.rglob("*")):
        os.chown(place, 12345, 12345, follow_symlinks=False)
    with pytest.raises(GitFailed, match="dubious ownership") as caught:
        plan_setup(cloned.root)
    assert "safe.directory" in caught.value.todo
    assert tree(cloned) == before


# --- what git has and the work tree has not ---------------------------------------------------


@pytest.mark.parametrize("cone", ["--cone", "--no-cone"])
def test_a_sparse_checkout_gets_no_pages_over_committed_ones(cloned: Repo, cone: str) -> None:
    set_up(cloned)
    cloned.write("src/a.txt", "x")
    cloned.commit()
    wanted = ["src"] if cone == "--cone" else ["/src/", "/.keep-the-why"]
    cloned.git("sparse-checkout", "set", cone, *wanted)
    before = tree(cloned)
    with pytest.raises(KtwError, match="sparse checkout") as caught:
        plan_setup(cloned.root)
    assert caught.value.exit_code == 3
    assert "git sparse-checkout add context" in caught.value.todo
    assert tree(cloned) == before


def test_a_sparse_checkout_of_a_project_below_the_top_names_the_whole_path(cloned: Repo) -> None:
    add_project(cloned, "packages/b/", {}, "inner")
    cloned.commit()
    cloned.git("sparse-checkout", "set", "--no-cone", "/packages/b/.keep-the-why")
    with pytest.raises(KtwError, match="sparse checkout") as caught:
        plan_setup(cloned.root / "packages/b")
    assert "git sparse-checkout add packages/b/context" in caught.value.todo


@pytest.mark.parametrize("how", ["deleted", "not checked out"])
def test_committed_pages_that_are_gone_are_not_made_anew(
    cloned: Repo, tmp_path: Path, how: str
) -> None:
    set_up(cloned)
    cloned.commit()
    repo = cloned
    if how == "deleted":
        (repo.root / "context/README.md").unlink()
    else:
        repo = Repo(tmp_path / "other")
        cloned.git("clone", "--quiet", "--no-checkout", str(cloned.root), str(repo.root))
    with pytest.raises(KtwError, match="not in this work tree") as caught:
        plan_setup(repo.root)
    assert "git checkout HEAD -- " in caught.value.todo
    repo.git("checkout", "HEAD", "--", ".")
    assert not plan_setup(repo.root).changes_files


def test_no_context_tells_sparse_from_a_sparse_checkout_that_was_given_up(cloned: Repo) -> None:
    set_up(cloned)
    cloned.write("src/a.txt", "x")
    cloned.commit()
    cloned.git("sparse-checkout", "set", "src")
    with pytest.raises(KtwError, match="sparse checkout"):
        scan(cloned.project)
    cloned.git("sparse-checkout", "disable")
    (cloned.root / "context").rename(cloned.root / "moved")
    with pytest.raises(KtwError, match="does not exist"):
        scan(cloned.project)


@pytest.mark.parametrize("value", ["x" * 300, "a/" * 2000 + "a", "loop/here", "yy/" * 400])
def test_a_context_that_the_system_refuses_is_a_clean_error(bare: Repo, value: str) -> None:
    bare.write(".keep-the-why", format_block("config", {"id": "x", "context": value}))
    (bare.root / "loop").symlink_to("loop")
    before = tree(bare)
    with pytest.raises(OutOfBounds, match="context"):
        plan_setup(bare.root)
    assert tree(bare) == before


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["y\n", "n\n"])
def test_a_plan_that_is_asked_about_is_told_as_a_plan(
    bare: Repo, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.chdir(bare.root)
    asked = CliRunner().invoke(ktw, ["init"], input=answer).output
    assert asked.startswith("ktw init would:\ncreate  .keep-the-why\n")
    told = CliRunner().invoke(ktw, ["init", "--yes"]).output
    assert "would" not in told
    assert "would" not in CliRunner().invoke(ktw, ["init"]).output


def test_this_project_holds_what_init_writes() -> None:
    top = Path(__file__).parents[1]
    assert (top / ".keep-the-why").read_text() == config_text({"id": "ktw-memory"})
    for name in ("AGENTS.md", "README.md", "CLAUDE.md"):
        assert (top / "context" / name).read_text() == pages()[name]
    for text in (config_text({"id": "x"}), pages()["AGENTS.md"]):
        assert ".example" not in text and "(SKILL.md)" not in text


def test_outside_a_repository_nothing_is_planned(tmp_path: Path) -> None:
    with pytest.raises(KtwError, match="git"):
        plan_setup(tmp_path)


# --- other programs --------------------------------------------------------------------------


@pytest.mark.skipif(not os.environ.get("KTW_UPSTREAM_LINT"), reason="KTW_UPSTREAM_LINT not set")
def test_the_result_passes_the_linter_of_keep_the_why(cloned: Repo) -> None:
    set_up(cloned)
    for kind in ("decision", "skill", "rule"):
        remember(cloned.project, Draft(f"A {kind}", "A body.", kind=kind, insist=True), NOW)
    cloned.commit()
    command = os.environ["KTW_UPSTREAM_LINT"].split()
    done = subprocess.run(
        command, cwd=cloned.root, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_existing_project_is_left_as_it_is(tmp_path: Path) -> None:
    repo = make_project(tmp_path / "r", {})
    before = tree(repo)
    set_up(repo)
    after = tree(repo)
    assert {path: after[path] for path in before} == before
    assert sorted(after.keys() - before.keys()) == [".gitattributes", "AGENTS.md"]


def test_a_short_ref_is_no_policy_and_init_mends_it(cloned: Repo) -> None:
    set_up(cloned, policy=False)
    cloned.policy("merged", ref="origin/main", project=f"{cloned.project.id} .")
    reading = read_policy(cloned.project)
    assert reading.policy is None and "full ref name" in reading.why
    set_up(cloned)
    assert policy_of(cloned) == Policy("refs/remotes/origin/main", ("merged", "local"))


def test_a_dry_run_takes_no_pointer_out(cloned: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(cloned)
    monkeypatch.chdir(cloned.root)
    before = cloned.read("AGENTS.md")
    dry = ["init", "--remove-pointer", "--dry-run"]
    assert CliRunner().invoke(ktw, dry).output == "Would take our block out of AGENTS.md.\n"
    assert cloned.read("AGENTS.md") == before
    assert CliRunner().invoke(ktw, dry[:2]).output == "Took our block out of AGENTS.md.\n"
    assert CliRunner().invoke(ktw, dry).output == "There is no block of ours.\n"


# --- signatures -------------------------------------------------------------------------------


@pytest.fixture
def signing(cloned: Repo, tmp_path: Path) -> Repo:
    """A clone in which git signs with SSH, and whose file of allowed signers is outside of it."""
    key = make_key(tmp_path)
    (tmp_path / "allowed").write_text(key.row())
    use_key(cloned, key, tmp_path / "allowed")
    return cloned


def test_signatures_are_offered_where_they_could_count(signing: Repo) -> None:
    offer = "ktw init --approval merged --approval local --approval signed"
    assert plan_setup(signing.root).policy.reasons[-1].endswith(offer)
    set_up(signing)
    assert policy_of(signing) == Policy("refs/remotes/origin/main", ("merged", "local"))
    assert plan_setup(signing.root).policy.reasons[-1].endswith(offer)


@pytest.mark.parametrize("key", ["user.signingkey", "gpg.format", "gpg.ssh.allowedSignersFile"])
def test_without_one_of_the_settings_nothing_is_offered(signing: Repo, key: str) -> None:
    signing.setting(key)
    assert not any("signed" in reason for reason in plan_setup(signing.root).policy.reasons)


def test_signers_of_the_work_tree_are_offered_to_nobody(signing: Repo, tmp_path: Path) -> None:
    signing.write("allowed", (tmp_path / "allowed").read_text())
    signing.setting("gpg.ssh.allowedSignersFile", str(signing.root / "allowed"))
    assert not any("signed" in reason for reason in plan_setup(signing.root).policy.reasons)
    with pytest.raises(UsageError, match="work tree"):
        plan_setup(signing.root, methods=("signed",))


@pytest.mark.parametrize("first", [True, False])
def test_the_methods_that_are_asked_for_are_the_policy(signing: Repo, first: bool) -> None:
    if not first:
        set_up(signing)
    initialise(plan_setup(signing.root, methods=("signed", "local")), write_policy=True)
    assert policy_of(signing) == Policy(None, ("signed", "local"))
    initialise(plan_setup(signing.root, methods=("merged", "signed")), write_policy=True)
    assert policy_of(signing) == Policy("refs/remotes/origin/main", ("merged", "signed"))
    plan = plan_setup(signing.root)
    assert not plan.policy.changes
    assert plan.policy.reasons == ("the policy of this clone stays as it is",)


def test_a_method_that_could_back_nothing_is_refused(bare: Repo) -> None:
    with pytest.raises(UsageError, match="allowedSignersFile") as caught:
        plan_setup(bare.root, methods=("signed",))
    assert "git config --global" in caught.value.todo
    with pytest.raises(UsageError, match="default branch"):
        plan_setup(bare.root, methods=("merged",))


def test_signers_without_a_key_of_ones_own_are_enough_to_check(signing: Repo) -> None:
    signing.setting("user.signingkey")
    initialise(plan_setup(signing.root, methods=("signed",)), write_policy=True)
    assert policy_of(signing) == Policy(None, ("signed",))


@pytest.mark.parametrize(
    ("gone", "named"),
    [
        (("user.signingkey",), "set user.signingkey"),
        (("gpg.format",), "set gpg.format"),
        (("gpg.format", "user.signingkey"), "set gpg.format and user.signingkey"),
    ],
)
def test_who_cannot_sign_is_told_what_is_missing(
    signing: Repo, monkeypatch: pytest.MonkeyPatch, gone: tuple[str, ...], named: str
) -> None:
    assert plan_setup(signing.root, methods=("signed",)).policy.lacks == ()
    for key in gone:
        signing.setting(key)
    what, todo = plan_setup(signing.root, methods=("signed",)).policy.lacks
    assert what.endswith(named)
    assert [f"git config --global {key} " in todo for key in gone] == [True] * len(gone)
    assert todo.count("git config") == len(gone)
    monkeypatch.chdir(signing.root)
    shown = CliRunner().invoke(ktw, ["init", "--yes", "--approval", "signed"]).output
    assert f"policy  {what}\npolicy  {todo}\n" in shown
