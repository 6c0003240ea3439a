"""What `ktw init --ci` proposes, and the action: valid, minimal rights, nothing interpolated."""

import os
import re
import stat
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from builders import Repo, Team, add_project, make_repo
from ktw.cli.root import ktw
from ktw.errors import KtwError, UsageError
from ktw.operations import ci_texts
from ktw.operations.ci import HOSTS, plan_ci, write_proposal
from ktw.store import Changed, find_project

ROOT = Path(__file__).parents[1]
FOLLOWED = {
    *("AGENTS.md", "CLAUDE.md", "SKILL.md", ".mcp.json", "opencode.json", ".vscode/mcp.json"),
    *(".claude/settings.json", ".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json"),
    *(".cursor/mcp.json", ".cursor/hooks.json"),
}
WORKFLOW, OWNERS = ".github/workflows/keep-the-why-lint.yml", ".github/CODEOWNERS"
JOB, PIPELINE = ".gitlab/keep-the-why-lint.yml", ".gitlab-ci.yml"
HOSTILE = "a\"; touch pwned; $(touch pwned) `touch pwned` 'x"

bash = pytest.mark.skipif(os.name == "nt", reason="needs bash and a POSIX file system")


def load(text: str) -> Any:
    return YAML(typ="safe").load(text)


def steps_of(repo: Repo, host: str = "github", *owners: str) -> dict[str, str]:
    return {step.path: step.action for step in plan_ci(repo.project, host, owners).steps}


def tree(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


# --- what is proposed --------------------------------------------------------------------------


def test_the_workflow_has_read_rights_and_interpolates_nothing(team: Team) -> None:
    write_proposal(plan_ci(team.work.project, "github", ["@org/team"]))
    text = team.work.read(WORKFLOW)
    value = load(text)
    assert value["permissions"] == {"contents": "read"}
    assert value["on"] == {"pull_request": None, "push": {"branches": ["main"]}}
    (job,) = value["jobs"].values()
    assert "permissions" not in job
    checkout = job["steps"][0]
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
    assert "${{" not in text
    assert "Pin each action by commit id" in text
    assert all(
        re.fullmatch(r"actions/[a-z-]+@v\d+", s["uses"]) for s in job["steps"] if "uses" in s
    )


def install_step(text: str) -> tuple[str, str]:
    """What a job says that pip installs, and the shell lines that install it."""
    value = load(text)
    if "jobs" not in value:
        job = value["keep-the-why-lint"]
        return job["variables"]["KTW_FROM"], job["script"][0]
    (job,) = value["jobs"].values()
    return job["env"]["KTW_FROM"], job["steps"][2]["run"]


@bash
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_a_job_that_names_no_source_fails_and_says_so(repo: Repo, host: str, shell: str) -> None:
    plan = plan_ci(repo.project, host, ["@me"])
    assert plan.lacks_source == plan.steps[0].path
    source, script = install_step(plan.steps[0].text)
    run = subprocess.run(
        [shell, "-e", "-c", script],
        env={"PATH": os.environ["PATH"], "KTW_FROM": source},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode != 0 and "say in this job what pip shall install" in run.stderr


@bash
@pytest.mark.parametrize("host", HOSTS)
def test_a_job_installs_what_was_named(repo: Repo, tmp_path: Path, host: str) -> None:
    wanted = "git+https://example.invalid/o/ktw@" + "a" * 40 + "#egg=ktw[semantic]"
    plan = plan_ci(repo.project, host, ["@me"], wanted)
    source, script = install_step(plan.steps[0].text)
    assert source == wanted and not plan.lacks_source
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text('#!/bin/sh\nfor last; do :; done; printf %s "$last"\n')
    (tmp_path / "bin/python").chmod(0o700)
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "KTW_FROM": source}
    run = subprocess.run(["sh", "-c", script], env=env, capture_output=True, text=True, timeout=60)
    assert run.stdout == wanted


@pytest.mark.parametrize("host", HOSTS)
def test_what_somebody_filled_in_stays(repo: Repo, host: str) -> None:
    write_proposal(plan_ci(repo.project, host, ["@me"]))
    path = {"github": WORKFLOW, "gitlab": JOB}[host]
    again = plan_ci(repo.project, host, ["@me"])
    assert not again.changes and again.lacks_source == path
    repo.write(path, repo.read(path).replace('KTW_FROM: ""', 'KTW_FROM: "ktw==1.0"'))
    filled = plan_ci(repo.project, host, ["@me"])
    assert not filled.changes and not filled.diffs and not filled.lacks_source


@pytest.mark.parametrize(
    "source", ["-r x", "--pre", 'a"b', "$(x)", "${{ x }}", "a\nb", "a;b", "`x`"]
)
def test_a_source_that_no_job_can_name_is_refused(repo: Repo, source: str) -> None:
    for host in HOSTS:
        with pytest.raises(UsageError, match="cannot safely name"):
            plan_ci(repo.project, host, ["@me"], source)


def test_gitlab_includes_the_job(repo: Repo) -> None:
    write_proposal(plan_ci(repo.project, "gitlab", ["@group/sub/team"]))
    assert load(repo.read(PIPELINE)) == {"include": [{"local": f"/{JOB}"}]}
    job = load(repo.read(JOB))["keep-the-why-lint"]
    assert job["variables"] == {"GIT_DEPTH": "0", "KTW_PROJECT": ".", "KTW_FROM": ""}
    page = (ROOT / "docs/linting.md").read_text(encoding="utf-8")
    assert f"```yaml\n{repo.read(JOB)}```" in page


@pytest.mark.parametrize("host", HOSTS)
def test_writing_twice_changes_nothing(repo: Repo, host: str) -> None:
    write_proposal(plan_ci(repo.project, host, ["@me"]))
    before = tree(repo.root)
    again = plan_ci(repo.project, host, ["@somebody-else"])
    assert not again.changes and not again.lacks_owner
    write_proposal(again)
    assert tree(repo.root) == before


def test_a_file_that_differs_is_left_with_what_it_would_need(repo: Repo) -> None:
    repo.write(WORKFLOW, "name: mine\n")
    repo.write(PIPELINE, "stages: [test]\n")
    plan = plan_ci(repo.project, "github", ["@me"])
    assert steps_of(repo)[WORKFLOW] == "leave"
    (path, diff), *_ = plan.diffs
    assert path == WORKFLOW and "-name: mine" in diff and "+permissions:" in diff
    write_proposal(plan)
    assert repo.read(WORKFLOW) == "name: mine\n"
    gitlab = plan_ci(repo.project, "gitlab", ["@me"])
    assert gitlab.diffs[0][1].endswith(f'+include:\n+  - local: "/{JOB}"')
    assert "-stages" not in gitlab.diffs[0][1]
    repo.write(PIPELINE, f"stages: [test]\ninclude: ['/{JOB}']\n")
    assert steps_of(repo, "gitlab")[PIPELINE] == "keep"


# --- owners ------------------------------------------------------------------------------------


def test_owners_are_added_to_what_is_there(repo: Repo) -> None:
    repo.write("CODEOWNERS", "* @everyone\r\n/.keep-the-why @ops")
    write_proposal(plan_ci(repo.project, "github", ["@org/team", "ada@example.invalid"]))
    text = (repo.root / "CODEOWNERS").read_bytes().decode()
    assert text.startswith("* @everyone\r\n/.keep-the-why @ops\r\n")
    rows = [line.split() for line in text.splitlines() if line.startswith("/")]
    before, agents, behind = rows[:3], rows[3:-2], rows[-2:]
    assert [row[0] for row in before] == [
        "/.keep-the-why",
        "/context/",
        "/.keep-the-why-baseline.json",
    ]
    assert [row[0] for row in behind] == [f"/{WORKFLOW}", "/CODEOWNERS"]
    assert {row[0] for row in agents} == {f"/{path}" for path in FOLLOWED}
    assert rows[1][1:] == ["@org/team", "ada@example.invalid"] and rows[0][1:] == ["@ops"]
    assert not (repo.root / OWNERS).exists()


def test_no_owner_is_invented(repo: Repo) -> None:
    plan = plan_ci(repo.project, "github", [])
    assert plan.lacks_owner and OWNERS not in {step.path for step in plan.steps}


@pytest.mark.parametrize("owner", ["", "ada", "@", "@a b", "@a\n* @evil", "@a/", "# x", "@-a"])
def test_what_is_no_owner_is_refused(repo: Repo, owner: str) -> None:
    with pytest.raises(UsageError):
        plan_ci(repo.project, "github", [owner])


# --- places ------------------------------------------------------------------------------------


def test_a_project_below_the_top_is_named(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo")
    add_project(repo, "packages/a/", {})
    write_proposal(plan_ci(find_project(repo.root / "packages/a"), "github", ["@me"]))
    (job,) = load(repo.read(WORKFLOW))["jobs"].values()
    assert job["env"] == {"KTW_PROJECT": "packages/a", "KTW_FROM": ""}
    assert "/packages/a/context/ @me\n" in repo.read(OWNERS)
    assert "/packages/a/.claude/settings.json @me\n" in repo.read(OWNERS)


@bash
@pytest.mark.parametrize("name", ["${{ secrets.X }}", "a b", 'a"b', "$(x)", "-rf", "a\nb", "*"])
def test_a_path_that_no_workflow_can_name_is_refused(tmp_path: Path, name: str) -> None:
    repo = make_repo(tmp_path / "repo")
    add_project(repo, f"{name}/", {})
    for host in HOSTS:
        with pytest.raises(UsageError, match="cannot safely name"):
            plan_ci(find_project(repo.root / name), host, ["@me"])


@bash
def test_a_hostile_branch_is_not_named(team: Team) -> None:
    branch = 'a";${IFS}x'
    team.push(branch=branch)
    team.work.git("symbolic-ref", "refs/remotes/origin/HEAD", f"refs/remotes/origin/{branch}")
    write_proposal(plan_ci(team.work.project, "github", ["@me"]))
    assert load(team.work.read(WORKFLOW))["on"]["push"] is None


@bash
def test_nothing_is_written_through_a_link_that_leads_out(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (repo.root / ".github").symlink_to(tmp_path / "outside")
    plan = plan_ci(repo.project, "github", ["@me"])
    assert {step.action for step in plan.steps} == {"leave"}
    write_proposal(plan)
    assert not list((tmp_path / "outside").iterdir())


def test_what_appears_meanwhile_is_not_overwritten(repo: Repo) -> None:
    plan = plan_ci(repo.project, "github", ["@me"])
    repo.write(WORKFLOW, "name: mine\n")
    with pytest.raises(Changed):
        write_proposal(plan)
    assert repo.read(WORKFLOW) == "name: mine\n"


def test_what_stands_in_the_way_is_said(repo: Repo) -> None:
    repo.write(".github", "a file\n")
    plan = plan_ci(repo.project, "github", ["@me"])
    with pytest.raises(KtwError, match="cannot be made"):
        write_proposal(plan)


# --- the command -------------------------------------------------------------------------------


def invoke(repo: Repo, monkeypatch: pytest.MonkeyPatch, *arguments: str, data: str = "") -> Any:
    monkeypatch.chdir(repo.root)
    return CliRunner().invoke(ktw, ["init", *arguments], input=data, standalone_mode=False)


def test_the_command_asks_who_reviews(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    told = invoke(repo, monkeypatch, "--ci", "github", data="@org/team\ny\n").output
    assert f"create  {OWNERS}" in told and "Written as a proposal" in told
    assert "require review from code owners: " in told
    assert "/context/ @org/team\n" in repo.read(OWNERS)
    assert repo.git("status", "--porcelain") == "?? .github/"


def test_the_command_writes_no_placeholder(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    told = invoke(repo, monkeypatch, "--ci", "github", "--yes").output
    assert "leave   CODEOWNERS: say who reviews" in told
    assert f"fill in {WORKFLOW}: say in KTW_FROM what pip installs" in told
    assert (repo.root / WORKFLOW).exists() and not (repo.root / OWNERS).exists()
    told = invoke(repo, monkeypatch, "--ci", "github", "--yes").output
    assert "Nothing to write." in told


def test_a_no_writes_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(repo.root)
    invoke(repo, monkeypatch, "--ci", "gitlab", "--owner", "@me", data="n\n")
    assert tree(repo.root) == before
    for alone in (("--owner", "@me"), ("--from", "ktw")):
        result = invoke(repo, monkeypatch, *alone)
        assert isinstance(result.exception, UsageError) and alone[0] in result.exception.what


@pytest.mark.parametrize("more", [(), ("--yes",), ("--owner", "@me")])
@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_a_dry_run_shows_all_and_writes_nothing(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, host: str, more: tuple[str, ...]
) -> None:
    before = tree(repo.root)
    told = invoke(repo, monkeypatch, "--ci", host, "--dry-run", *more).output
    assert "create  " in told and "Settings of the protected branch" in told
    assert "Write it?" not in told and "Written" not in told
    assert tree(repo.root) == before


# --- the action and the hook -------------------------------------------------------------------


def action() -> Any:
    return load((ROOT / "action.yml").read_text(encoding="utf-8"))


def test_the_action_interpolates_nothing_into_the_shell() -> None:
    steps = action()["runs"]["steps"]
    for step in steps:
        assert "${{" not in step.get("run", "")
        assert ("shell" in step) == ("run" in step)
    assert steps[1]["env"] == {"KTW_ACTION": "${{ github.action_path }}"}
    assert "pip install" in steps[1]["run"] and '"$KTW_ACTION"' in steps[1]["run"]


@bash
@pytest.mark.parametrize("base", ["", "main", HOSTILE, "--help", "-x"])
@pytest.mark.parametrize("strict", ["true", "false"])
def test_the_action_hands_on_what_it_was_given(tmp_path: Path, base: str, strict: str) -> None:
    run_check(tmp_path, action()["runs"]["steps"][2]["run"], base, strict)
    told = (tmp_path / "arguments").read_text(encoding="utf-8").split("\0")[:-1]
    wanted = ["--strict"] if strict == "true" else []
    wanted += ["--base", f"origin/{base}", "--summary", "sum mary"] if base else []
    assert told == [*wanted, "--", HOSTILE]
    assert not (tmp_path / "pwned").exists()


@bash
@pytest.mark.parametrize("base", ["main", HOSTILE])
def test_the_workflow_and_the_job_hand_on_what_they_were_given(tmp_path: Path, base: str) -> None:
    (job,) = load(ci_texts.github_workflow(".", "main", "ktw"))["jobs"].values()
    run_check(tmp_path, job["steps"][3]["run"], base)
    told = (tmp_path / "arguments").read_text(encoding="utf-8").split("\0")[:-1]
    assert told == ["--base", f"origin/{base}", "--summary", "sum mary", "--", HOSTILE]
    script = load(ci_texts.gitlab_job(".", "ktw"))["keep-the-why-lint"]["script"]
    (tmp_path / "runner/git").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "runner/git").chmod(0o700)
    run_check(tmp_path, script[1], base)
    told = (tmp_path / "arguments").read_text(encoding="utf-8").split("\0")[:-1]
    assert told == ["--base", f"origin/{base}", "--", HOSTILE]
    run_check(tmp_path, script[1], "")
    told = (tmp_path / "arguments").read_text(encoding="utf-8").split("\0")[:-1]
    assert told == ["--", HOSTILE]
    assert not (tmp_path / "pwned").exists()


def run_check(tmp_path: Path, script: str, base: str, strict: str = "false") -> None:
    """Run a shell step as a runner does, with a linter that only writes its arguments down."""
    place = tmp_path / "runner/keep-the-why-lint/bin/keep-the-why-lint"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text('#!/bin/sh\nprintf "%s\\0" "$@" > arguments\n', encoding="utf-8")
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    env = {
        "PATH": f"{tmp_path / 'runner'}:{place.parent}:{os.environ['PATH']}",
        "KTW_BIN": str(place.parent),
        "KTW_PROJECT": HOSTILE,
        "KTW_STRICT": strict,
        "GITHUB_BASE_REF": base,
        "GITHUB_STEP_SUMMARY": "sum mary",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": base,
    }
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
    subprocess.run(command, cwd=tmp_path, env=env, check=True, timeout=60)


def test_the_hook_of_pre_commit_runs_once_for_what_concerns_it() -> None:
    (hook,) = load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "scripts"
    ]
    assert hook["id"] == hook["entry"] and hook["entry"] in scripts
    assert hook["pass_filenames"] is False
    files = re.compile(hook["files"])
    for path in (".keep-the-why", "context/a.md", "a/context/revoked", "sub/AGENTS.md"):
        assert files.search(path)
    for path in ("src/context.py", "my-context/a.md", "README.md"):
        assert not files.search(path)
