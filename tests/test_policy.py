"""The approval policy as this clone's git config states it, and what may never state it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from builders import Repo, Team, add_project, make_project
from ktw.policy import (
    PolicyReading,
    default_branch,
    in_work_tree,
    is_full_ref,
    policy_name,
    read_policy,
    stated_policy,
)
from ktw.store import find_project
from ktw.trust import Policy

REF = "refs/remotes/origin/main"
POLICY_FILE = "[ktw]\n\tproject = test .\n\tapproval = local\n"


def reading(repo: Repo, below: str = "") -> PolicyReading:
    return read_policy(find_project(repo.root / below))


# --- this clone's own -------------------------------------------------------------------------


def test_a_clone_starts_without_a_policy(repo: Repo) -> None:
    assert reading(repo) == PolicyReading(None, "ktw init writes one")


def test_methods_keep_their_order_and_lose_repetition(repo: Repo) -> None:
    repo.policy("local", "merged", "local", ref=REF)
    assert reading(repo).policy == Policy(REF, ("local", "merged"))


def test_a_policy_speaks_for_the_projects_it_names_and_for_no_other(repo: Repo) -> None:
    add_project(repo, "sub/", {}, "inner")
    repo.policy("local", project="inner sub")
    assert reading(repo, "sub").policy is not None
    assert reading(repo).policy is None
    assert "not for test ." in reading(repo).why
    repo.setting("ktw.project", "inner sub", "test .")
    assert reading(repo).policy is not None


def test_the_same_id_in_another_place_is_another_project(repo: Repo) -> None:
    add_project(repo, "vendor/", {}, "test")
    repo.policy("local")
    assert reading(repo, "vendor").policy is None


def test_an_id_that_could_pass_for_another_name_has_no_policy(repo: Repo) -> None:
    add_project(repo, "b/", {}, "test a")
    repo.policy("local", project="test a b")
    assert policy_name(find_project(repo.root / "b")) == "test a b"
    assert reading(repo, "b").policy is None


def test_a_project_from_before_ids_is_named_by_its_place(repo: Repo) -> None:
    text = repo.read(".keep-the-why").replace("- id: test\n", "")
    repo.write(".keep-the-why", text)
    repo.policy("local", project="- .")
    assert reading(repo).policy == Policy(None, ("local",))


@pytest.mark.parametrize("methods", [("review",), ("merged", "Local"), ("",)])
def test_a_method_that_does_not_exist_is_refused(repo: Repo, methods: tuple[str, ...]) -> None:
    repo.policy(*methods)
    found = reading(repo)
    assert found.policy is None
    assert found.faults and "must be one of: merged, local, signed" in found.faults[0]


def test_a_policy_without_methods_is_refused(repo: Repo) -> None:
    repo.policy()
    assert reading(repo).policy is None


def test_two_trust_refs_are_refused(repo: Repo) -> None:
    repo.policy("merged")
    repo.setting("ktw.trustRef", REF, "refs/remotes/fork/main")
    assert reading(repo).faults == ("ktw.trustRef is set more than once",)
    repo.setting("ktw.trustRef", REF, REF)
    assert reading(repo).policy == Policy(REF, ("merged",))


@pytest.mark.parametrize(
    "name",
    [
        "origin/main",
        "HEAD",
        "",
        "refs",
        "refs/",
        "refs/heads/",
        "refs/heads/a..b",
        "refs/heads/a^",
        "refs/heads/a~1",
        "refs/heads/a@{1}",
        "refs/heads/a:b",
        "refs/heads//a",
        "refs/heads/a.lock",
        "refs/heads/a b",
        "refs/heads/a\x1b",
        "refs/heads/a\x9b",
        "refs/heads/a\u202e",
        "refs/heads/a\u200b",
        "refs/heads/a\u2028",
        "refs/heads/a\u2029",
        "refs/heads/*",
        "a" * 40,
        "0123456789" * 4,
    ],
)
def test_what_is_no_full_ref(repo: Repo, name: str) -> None:
    assert not is_full_ref(name)
    repo.policy("merged", "local")
    repo.setting("ktw.trustRef", name)
    found = reading(repo)
    assert found.policy is None
    assert "full ref name" in found.why
    assert "\x1b" not in found.why


@pytest.mark.parametrize("name", [REF, "refs/heads/main", "refs/heads/a-b/ü", "refs/tags/v1"])
def test_what_is_a_full_ref(name: str) -> None:
    assert is_full_ref(name)


def test_a_policy_of_one_worktree_holds_there_alone(repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    repo.git("worktree", "add", "--quiet", str(other.root))
    repo.git("config", "extensions.worktreeConfig", "true")
    other.bind()
    for key, value in (("ktw.project", "test ."), ("ktw.approval", "local")):
        other.git("config", "--worktree", key, value)
    assert reading(other).policy == Policy(None, ("local",))
    assert reading(repo).policy is None


@pytest.mark.parametrize("how", ["file", "link", "commondir"])
def test_a_git_directory_among_the_files_of_the_project_states_no_policy(
    repo: Repo, how: str
) -> None:
    repo.policy("local")
    assert reading(repo).policy is not None
    (repo.root / ".git").rename(repo.root / "meta")
    if how == "file":
        repo.write(".git", "gitdir: meta\n")
    elif how == "link":
        (repo.root / ".git").symlink_to("meta")
    else:
        repo.write(".git/HEAD", "ref: refs/heads/main\n")
        repo.write(".git/commondir", "../meta\n")
    found = reading(repo)
    assert found.policy is None and "lies among the files of its own work tree" in found.why
    assert stated_policy(repo.project.repository)[0] == found


def test_a_submodule_has_its_own_policy(repo: Repo) -> None:
    repo.git("submodule", "--quiet", "add", str(repo.root), "sub")
    Repo(repo.root / "sub").policy("local")
    assert reading(repo, "sub").policy == Policy(None, ("local",))
    assert reading(repo).policy is None


def test_what_a_clone_states_whichever_project_asks(repo: Repo) -> None:
    assert stated_policy(repo.project.repository) == (PolicyReading(None), ())
    repo.policy("merged", ref=REF, project="other sub")
    found, named = stated_policy(repo.project.repository)
    assert (found.policy, named) == (Policy(REF, ("merged",)), ("other sub",))
    assert reading(repo).policy is None


def test_a_global_policy_is_no_policy_of_this_clone(repo: Repo, empty_home: Path) -> None:
    (empty_home / ".gitconfig").write_text(POLICY_FILE)
    assert reading(repo).policy is None


def test_the_environment_states_no_policy(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
    for at, (key, value) in enumerate([("ktw.project", "test ."), ("ktw.approval", "local")]):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{at}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{at}", value)
    assert reading(repo).policy is None


# --- values from the work tree ----------------------------------------------------------------


def _plain(repo: Repo, away: Path) -> str:
    repo.write("policy.cfg", POLICY_FILE)
    return "../policy.cfg"


def _absolute(repo: Repo, away: Path) -> str:
    return str(repo.write("policy.cfg", POLICY_FILE))


def _link_outside_into_the_tree(repo: Repo, away: Path) -> str:
    (away / "link").symlink_to(repo.write("policy.cfg", POLICY_FILE))
    return str(away / "link")


def _link_in_the_tree_that_leads_out(repo: Repo, away: Path) -> str:
    (away / "policy.cfg").write_text(POLICY_FILE)
    (repo.root / "link").symlink_to(away / "policy.cfg")
    return "../link"


def _directory_link_in_the_tree(repo: Repo, away: Path) -> str:
    (away / "policy.cfg").write_text(POLICY_FILE)
    (repo.root / "link").symlink_to(away)
    return "../link/policy.cfg"


def _directory_link_into_the_tree(repo: Repo, away: Path) -> str:
    repo.write("team/policy.cfg", POLICY_FILE)
    (away / "link").symlink_to(repo.root / "team")
    return str(away / "link/policy.cfg")


def _chain_through_the_tree(repo: Repo, away: Path) -> str:
    (away / "policy.cfg").write_text(POLICY_FILE)
    (repo.root / "link").symlink_to(away / "policy.cfg")
    (away / "first").symlink_to(repo.root / "link")
    return str(away / "first")


def _included_by_an_included_file(repo: Repo, away: Path) -> str:
    inner = repo.write("policy.cfg", POLICY_FILE)
    (away / "outer.cfg").write_text(f"[include]\n\tpath = {inner}\n")
    return str(away / "outer.cfg")


def _the_config_itself_is_a_link(repo: Repo, away: Path) -> str:
    config = repo.root / ".git/config"
    repo.write("config", config.read_text() + POLICY_FILE)
    config.unlink()
    config.symlink_to("../config")
    return str(away / "nothing")


@pytest.mark.parametrize(
    "place",
    [
        _plain,
        _absolute,
        _the_config_itself_is_a_link,
        _link_outside_into_the_tree,
        _link_in_the_tree_that_leads_out,
        _directory_link_in_the_tree,
        _directory_link_into_the_tree,
        _chain_through_the_tree,
        _included_by_an_included_file,
    ],
)
def test_a_policy_from_a_file_of_the_work_tree_is_refused(
    repo: Repo, tmp_path: Path, place: Callable[[Repo, Path], str]
) -> None:
    away = tmp_path / "away"
    away.mkdir()
    repo.setting("include.path", place(repo, away))
    assert repo.git("config", "ktw.approval") == "local"
    found = reading(repo)
    assert found.policy is None
    assert "work tree" in found.faults[0]


@pytest.mark.parametrize(
    "condition",
    [
        "gitdir:**",
        "gitdir/i:**/REPO/**",
        "onbranch:main",
        "hasconfig:remote.*.url:https://e.invalid/**",
    ],
)
def test_a_policy_that_is_included_on_a_condition_is_refused(repo: Repo, condition: str) -> None:
    repo.setting("remote.origin.url", "https://e.invalid/x")
    repo.setting(f"includeIf.{condition}.path", str(repo.write("policy.cfg", POLICY_FILE)))
    assert repo.git("config", "ktw.approval") == "local"
    assert "work tree" in reading(repo).faults[0]


@pytest.mark.parametrize("variable", ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"])
def test_a_machine_config_that_is_a_file_of_the_work_tree_states_nothing(
    plain: Repo, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = plain.write("team.cfg", '[ktw]\n\ttrustedRemote = "*"\n')
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM")
    monkeypatch.setenv(variable, str(place))
    assert plain.git("config", "ktw.trustedRemote") == "*"
    assert "work tree" in reading(plain).faults[0]


def test_the_parameters_of_a_calling_git_state_no_policy(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'ktw.project=test .' 'ktw.approval=local'")
    assert repo.git("config", "ktw.approval") == "local"
    assert reading(repo).policy is None


def test_a_remote_that_the_home_takes_from_the_work_tree_is_refused(
    plain: Repo, empty_home: Path
) -> None:
    """Whoever writes that file would say which remote the clone comes from."""
    plain.setting("remote.origin.url")
    url = plain.write("team.cfg", '[remote "origin"]\n\turl = https://host.invalid/acme/x\n')
    (empty_home / ".gitconfig").write_text(
        f'[ktw]\n\ttrustedRemote = "https://host.invalid/acme/*"\n[include]\n\tpath = {url}\n'
    )
    assert plain.git("config", "remote.origin.url") == "https://host.invalid/acme/x"
    assert "remote.origin.url" in reading(plain).faults[0]


def test_one_value_from_the_work_tree_spoils_the_whole_policy(repo: Repo) -> None:
    repo.policy("merged", ref=REF)
    repo.write("policy.cfg", "[ktw]\n\tapproval = local\n")
    repo.setting("include.path", "../policy.cfg")
    assert reading(repo).policy is None


def test_a_file_of_another_worktree_is_refused_too(repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    repo.git("worktree", "add", "--quiet", str(other.root))
    repo.write("policy.cfg", POLICY_FILE)
    repo.setting("include.path", "../policy.cfg")
    assert reading(other).policy is None
    repo.setting("include.path", str(other.write("policy.cfg", POLICY_FILE)))
    assert reading(repo).policy is None


def test_a_work_tree_inside_a_bare_repository_is_a_work_tree(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    bare = Repo(tmp_path / "bare")
    bare.git("worktree", "add", "--quiet", "-b", "side", "tree")
    tree = Repo(bare.root / "tree")
    tree.policy("local")
    assert reading(tree).policy is not None
    tree.write("policy.cfg", "[ktw]\n\tapproval = merged\n")
    bare.setting("include.path", "tree/policy.cfg")
    assert reading(tree).policy is None


def test_a_file_outside_every_work_tree_may_state_the_policy(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "policy.cfg").write_text(POLICY_FILE)
    repo.bind()
    repo.setting("include.path", str(tmp_path / "policy.cfg"))
    assert reading(repo).policy == Policy(None, ("local",))
    repo.write(".git/policy.cfg", POLICY_FILE)
    repo.setting("include.path", "policy.cfg")
    assert reading(repo).policy == Policy(None, ("local",))


def test_a_value_without_a_file_counts_as_from_the_work_tree(repo: Repo) -> None:
    assert in_work_tree(repo.project.repository, None)


# --- a ledger that a fetch would write --------------------------------------------------------


@pytest.mark.parametrize(
    ("refspec", "refused"),
    [
        ("+refs/*:refs/*", True),
        ("+refs/ktw/*:refs/ktw/*", True),
        ("refs/heads/x:refs/ktw/approvals", True),
        ("+refs/*/approvals:refs/*/approvals", True),
        ("+refs/heads/*:refs/remotes/origin/*", False),
        ("refs/ktw/approvals", False),
        ("+refs/ktw/*:refs/remotes/origin/ktw/*", False),
    ],
)
def test_a_ledger_that_is_fetched_is_nobodys_own(repo: Repo, refspec: str, refused: bool) -> None:
    repo.policy("merged", "local", ref=REF)
    repo.setting("remote.origin.fetch", refspec)
    assert bool(reading(repo).faults) is refused
    repo.policy("merged", ref=REF)
    assert reading(repo).policy == Policy(REF, ("merged",))


# --- a team's machines ------------------------------------------------------------------------


def trust_remotes(home: Path, pattern: str) -> None:
    (home / ".gitconfig").write_text(f'[ktw]\n\ttrustedRemote = "{pattern}"\n')


@pytest.fixture
def plain(team: Team) -> Repo:
    """A clone without a policy of its own; its remote is called https://host.invalid/acme/x."""
    for key in ("ktw.project", "ktw.approval", "ktw.trustRef"):
        team.work.setting(key)
    team.work.setting("remote.origin.url", "https://host.invalid/acme/x")
    return team.work


def test_a_trusted_remote_gives_the_policy_of_a_team(plain: Repo, empty_home: Path) -> None:
    trust_remotes(empty_home, "https://host.invalid/acme/*")
    assert reading(plain).policy == Policy(REF, ("merged", "local"))


@pytest.mark.parametrize(
    "url",
    [
        "https://host.invalid/evil/x",
        "https://host.invalid/acme/../evil/x",
        "https://host.invalid/acme/%2e%2E/evil/x",
        "HTTPS://host.invalid/acme/x",
    ],
)
def test_another_remote_is_not_trusted(plain: Repo, empty_home: Path, url: str) -> None:
    trust_remotes(empty_home, "https://host.invalid/acme/*")
    plain.setting("remote.origin.url", url)
    assert reading(plain).policy is None


def test_every_url_of_a_remote_must_be_trusted(plain: Repo, empty_home: Path) -> None:
    trust_remotes(empty_home, "https://host.invalid/acme/*")
    plain.setting("remote.origin.url", "https://evil.invalid/x", "https://host.invalid/acme/x")
    assert reading(plain).policy is None


def test_a_pattern_in_the_clone_itself_is_nothing(plain: Repo) -> None:
    plain.setting("ktw.trustedRemote", "*")
    assert reading(plain).policy is None


def test_a_pattern_that_the_work_tree_states_is_nothing(plain: Repo, empty_home: Path) -> None:
    place = plain.write("team.cfg", '[ktw]\n\ttrustedRemote = "*"\n')
    (empty_home / ".gitconfig").write_text(f"[include]\n\tpath = {place}\n")
    assert plain.git("config", "ktw.trustedRemote") == "*"
    assert reading(plain).policy is None


def test_a_url_that_the_work_tree_states_is_refused(plain: Repo, empty_home: Path) -> None:
    trust_remotes(empty_home, "https://host.invalid/acme/*")
    plain.setting("remote.origin.url")
    plain.write("team.cfg", '[remote "origin"]\n\turl = https://host.invalid/acme/x\n')
    plain.setting("include.path", "../team.cfg")
    assert reading(plain).policy is None


def test_a_team_speaks_for_the_project_at_the_top_alone(plain: Repo, empty_home: Path) -> None:
    trust_remotes(empty_home, "*")
    add_project(plain, "vendor/", {}, "test")
    assert reading(plain).policy is not None
    assert reading(plain, "vendor").policy is None


def test_the_clones_own_policy_comes_first(plain: Repo, empty_home: Path) -> None:
    trust_remotes(empty_home, "*")
    plain.policy("local")
    assert reading(plain).policy == Policy(None, ("local",))
    plain.policy("local", project="other .")
    assert reading(plain).policy is None


def test_an_unknown_default_branch_is_no_trust_ref(plain: Repo, empty_home: Path) -> None:
    trust_remotes(empty_home, "*")
    plain.git("remote", "set-head", "origin", "--delete")
    found = reading(plain)
    assert found.policy is None
    assert "default branch" in found.why


def test_default_branches(team: Team) -> None:
    repository = team.work.project.repository
    assert default_branch(repository, "origin") == REF
    assert default_branch(repository, "none") is None
    assert default_branch(repository, "../heads") is None
    assert default_branch(repository, "-x") is None
    team.work.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/main")
    assert default_branch(repository, "origin") is None
    team.work.git("update-ref", "--no-deref", "refs/remotes/origin/HEAD", "HEAD")
    assert default_branch(repository, "origin") is None


def test_a_git_that_fails_gives_its_reason(tmp_path: Path) -> None:
    repo = make_project(tmp_path / "repo")
    repo.write(".git/config", "[broken\n")
    found = reading(repo)
    assert found.policy is None
    assert found.why.startswith("git config:")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_pipe_where_the_default_branch_stands_is_not_waited_for(team: Team) -> None:
    head = team.work.root / ".git" / "refs" / "remotes" / "origin" / "HEAD"
    head.unlink()
    os.mkfifo(head)
    assert default_branch(team.work.project.repository, "origin") is None
