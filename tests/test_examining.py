"""`ktw doctor`: each thing that can be wrong is one line with what to do, and a report tells
nothing private."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from builders import Repo, Team, make_repo, memory_text
from keys import make_key, use_key
from ktw.git.standing import git_version
from ktw.keygen import program, version
from ktw.operations.examining import Examination, examine
from ktw.operations.examining_agents import NOWHERE, Machine, examine_agents
from ktw.operations.examining_clone import examine_clone, examine_permissions
from ktw.operations.symptoms import Symptom, symptom
from ktw.operations.wiring import plan_wiring, write_wiring
from ktw.wiring.agents import named_wirings
from ktw.wiring.places import Scope
from test_schema import validator

NOW = datetime.now(UTC)
ALONE = {"clone": examine_clone, "hooks": examine_clone, "permissions": examine_permissions}
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")


def lines(place: Repo, about: str, model: str = "off", now: datetime = NOW) -> list[Symptom]:
    alone = ALONE.get(about)
    found = alone(place.project) if alone else examine(place.root, model, now, person=True).symptoms
    return [each for each in found if each.about == about]


def line(place: Repo, about: str, model: str = "off", now: datetime = NOW) -> Symptom:
    (found,) = lines(place, about, model, now)
    return found


def test_what_is_well_says_so(team: Team) -> None:
    (team.work.root / "context").chmod(0o755)
    found = examine(team.work.root, "off", NOW, person=True)
    assert found.is_well, [each for each in found.symptoms if each.state == "bad"]
    assert {each.about for each in found.symptoms} == {
        *("ktw", "git", "project", "config", "memories", "policy", "merged", "local", "signed"),
        *("trust-ref", "ssh-keygen", "identity", "chat", "person", "clone", "hooks"),
        *("permissions", "index", "model", "agents", "command", "mcp", "recap"),
    }
    assert "as strong as the protection of origin/main" in line(team.work, "merged").what
    assert "from this clone's git config" in line(team.work, "policy").what
    assert line(team.work, "signed").what.startswith("not used here; backs nothing")


def _none(repo: Repo) -> None:
    pass


def _no_policy(repo: Repo) -> None:
    for key in ("ktw.approval", "ktw.project"):
        repo.setting(key)


def _shared_config(repo: Repo) -> None:
    (repo.root / ".git/config").chmod(0o666)


def _shared_context(repo: Repo) -> None:
    (repo.root / "context").chmod(0o775)


def _tree_policy(repo: Repo) -> None:
    repo.write("x.config", "[ktw]\n\tapproval = local\n")
    repo.git("config", "--local", "include.path", "../x.config")


def _broken_config(repo: Repo) -> None:
    repo.write(".keep-the-why", repo.read(".keep-the-why").replace("complete", "half"))


def _hook(repo: Repo, folder: str) -> None:
    repo.write(f"{folder}/pre-commit", "#!/bin/sh\n").chmod(0o755)


def _tree_hooks(repo: Repo) -> None:
    _hook(repo, "our-hooks")
    repo.setting("core.hooksPath", "our-hooks")


def _unusable_key(repo: Repo) -> None:
    Path("~/.keep-the-why/ktw.key").expanduser().write_bytes(b"short")


@posix
@pytest.mark.parametrize(
    ("spoil", "about", "state", "told"),
    [
        (_none, "policy", "ok", "local"),
        (_no_policy, "policy", "warn", "none in this clone"),
        (lambda repo: repo.setting("ktw.approval", "x"), "policy", "bad", "must be one of"),
        (lambda repo: repo.setting("ktw.bound", "x"), "policy", "bad", "another place"),
        (_tree_policy, "policy", "bad", "a file of the work tree"),
        (lambda repo: repo.policy("merged"), "merged", "bad", "no trust ref"),
        (lambda repo: repo.policy("signed"), "signed", "bad", "is not set"),
        (
            lambda repo: repo.policy("merged", ref="refs/heads/main"),
            "merged",
            "warn",
            "ref of this",
        ),
        (_broken_config, "config", "bad", "1 error"),
        (lambda repo: repo.write("context/x.md", "# X\n"), "memories", "warn", "error"),
        (lambda repo: repo.write(".git/MERGE_HEAD", "x"), "clone", "warn", "merge is in progress"),
        (lambda repo: repo.write(".git/shallow", ""), "clone", "warn", "shallow"),
        (lambda repo: repo.setting("remote.o.promisor", "true"), "clone", "warn", "partial"),
        (lambda repo: repo.setting("core.sparseCheckout", "true"), "clone", "warn", "sparse"),
        (lambda repo: _hook(repo, ".git/hooks"), "hooks", "ok", "pre-commit will run"),
        (_tree_hooks, "hooks", "warn", "of the work tree"),
        (lambda repo: repo.setting("commit.gpgSign", "true"), "hooks", "ok", "signed"),
        (_shared_config, "permissions", "bad", "everybody may write its config"),
        (_shared_context, "permissions", "warn", "a group may write the context"),
        (_unusable_key, "permissions", "bad", "is not used"),
        (lambda repo: repo.setting("ktw.chatApproval", "true"), "chat", "warn", "is on"),
    ],
)
def test_each_thing_that_can_be_wrong(
    repo: Repo, spoil: Callable[[Repo], object], about: str, state: str, told: str
) -> None:
    (repo.root / "context").chmod(0o755)
    repo.policy("local")
    spoil(repo)
    found = [each for each in lines(repo, about) if told in each.what]
    assert [each.state for each in found] == [state], lines(repo, about)
    assert state == "ok" or found[0].todo


def test_nobody_to_approve(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_COMMITTER_NAME")
    monkeypatch.delenv("GIT_COMMITTER_EMAIL")
    repo.setting("user.useConfigOnly", "true")
    assert line(repo, "identity").state == "warn"
    under = examine(repo.root, "off", NOW, agent="codex").symptoms
    assert [each.state for each in under if each.about == "person"] == ["warn"]


def test_a_trust_ref_that_is_old(team: Team) -> None:
    assert line(team.work, "trust-ref").state == "ok"
    old = line(team.work, "trust-ref", now=NOW + timedelta(days=15))
    assert old.state == "warn" and "git fetch" in old.todo


def test_a_model_that_cannot_be_had(repo: Repo, tmp_path: Path) -> None:
    pytest.importorskip("model2vec")
    assert line(repo, "model", str(tmp_path / "nowhere")).state == "bad"
    assert line(repo, "model").what.startswith("turned off")


def test_where_there_is_no_project(tmp_path: Path) -> None:
    for place in (Repo(tmp_path), make_repo(tmp_path / "empty")):
        assert line(place, "project").state == "bad"


def test_ssh_keygen_is_told_by_its_version() -> None:
    if not program():
        pytest.skip("OpenSSH is not installed")
    assert version() >= (7, 0) and git_version() >= (2, 0)


def test_a_report_says_the_same_without_a_private_word(
    team: Team, tmp_path: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, allowed = team.work, tmp_path / "tellsigners"
    key = make_key(tmp_path)
    allowed.write_text(key.row())
    allowed.chmod(0o666)
    use_key(work, key, allowed)
    work.setting("gpg.ssh.program", str(tmp_path / "tellprogram"))
    work.git("update-ref", "refs/remotes/origin/tellbranch", "HEAD")
    work.policy("merged", "signed", ref="refs/remotes/origin/tellbranch")
    work.write("context/tellfile.md", "---\nkind: a: b\n---\n")
    work.write("context/x.md", memory_text("telltitle"))
    work.write("telltale/pre-commit", "#!/bin/sh\n").chmod(0o755)
    work.setting("core.hooksPath", "telltale")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "tellname")
    (work.root / ".git/config").chmod(0o666)
    found = examine(work.root, "off", NOW, agent="tellagent")
    assert sum("tell" in each.what for each in found.symptoms) >= 5
    private = ("tell", str(tmp_path), str(empty_home), "ada@", "Ada", "test .")
    for each in found.symptoms:
        assert not [word for word in private if word in each.public], each
        assert each.public.split()[0] in ("[…]", each.what.split()[0])


def test_private_parts_are_escaped() -> None:
    assert symptom("ok", "git", "in {}", "a\x1b[2J{}").what == "in a\\x1b[2J{}"
    assert symptom("ok", "git", "in {}", "a{}").public == "in […]"


# --- agents -----------------------------------------------------------------------------------


def agent_lines(root: Path, machine: Machine = NOWHERE) -> list[Symptom]:
    return list(examine_agents(root, machine))


def wire(root: Path, scope: Scope, name: str, command: str = "ktw") -> None:
    write_wiring(plan_wiring(root, scope, named_wirings(name), command))


def test_what_is_wired_is_told_by_agent(tmp_path: Path) -> None:
    root, home = tmp_path / "tellproject", tmp_path / "tellhome"
    root.mkdir()
    home.mkdir()
    assert agent_lines(root)[0].what.startswith("none is wired")
    wire(root, "project", "claude-code")
    wire(home, "user", "windsurf", "/tell/ktw")
    found = agent_lines(root, Machine(home, "/tell/ktw"))
    assert {each.state for each in found} == {"ok"}
    assert found[-1].what.endswith("in the settings of claude-code, windsurf")
    assert "claude-code, in the project: 5 hooks, 9 rules" in {each.what for each in found}
    assert "windsurf, in your home: server" in {each.what for each in found}
    assert not [each for each in found if "tell" in each.public]


@pytest.mark.parametrize(("answers", "told"), [(True, "answers hooks"), (False, "starts cold")])
def test_a_warm_ktw_is_asked_for_the_project(tmp_path: Path, answers: bool, told: str) -> None:
    asked: list[Path] = []

    def is_warm(root: Path) -> bool:
        asked.append(root)
        return answers

    found = agent_lines(tmp_path, Machine(is_warm=is_warm))
    assert found[-1].about == "warm" and told in found[-1].what and asked == [tmp_path]
    assert not [each for each in agent_lines(tmp_path) if each.about == "warm"]


def test_what_does_not_work_is_told_with_what_to_do(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    wire(root, "project", "claude-code,codex,gemini")
    settings = root / ".claude/settings.json"
    settings.write_text(settings.read_text().replace(": 10", ": 99", 1).replace("Bash(", "B(", 1))
    (root / ".codex/config.toml").write_text("tellme = \n")
    wire(tmp_path, "user", "gemini", "/old/ktw")
    found = agent_lines(root, Machine(tmp_path, "/new/ktw"))
    told = {each.what: each for each in found if each.state == "warn"}
    (by_hand,) = (each for what, each in told.items() if "changed by hand, 1 missing" in what)
    assert by_hand.todo == "To add them: ktw init --agents claude-code"
    assert any("line 1" in what and "cannot be told" in what for what in told)
    assert any("calls another ktw" in what for what in told)
    assert not [each for each in found if "tellme" in each.public or "config.toml" in each.public]
    (command,) = (each for each in agent_lines(root) if each.about == "command")
    assert command.state == "bad" and command.todo


# --- the command ------------------------------------------------------------------------------


def doctor(repo: Repo, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ktw", "doctor", *arguments],
        cwd=repo.root,
        env={**os.environ, "KTW_MODEL": "off"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_ends_as_it_found(repo: Repo) -> None:
    (repo.root / "context").chmod(0o755)
    done = doctor(repo)
    assert done.returncode == 0 and "warn  policy" in done.stdout, done.stdout
    assert "Set one up with: ktw init" in done.stdout
    assert not repo.git("status", "--porcelain")
    repo.policy("signed")
    assert doctor(repo).returncode == 1


def test_data_fits_its_schema(repo: Repo) -> None:
    whole, report = (
        json.loads(doctor(repo, "--json", *more).stdout) for more in ((), ("--report",))
    )
    for data in (whole, report):
        validator("doctor").validate(data)
    assert str(repo.root) in json.dumps(whole) and str(repo.root) not in json.dumps(report)
    assert [each["state"] for each in whole["lines"]] == [each["state"] for each in report["lines"]]


def test_an_examination_counts_its_lines() -> None:
    found = Examination((symptom("ok", "git", "x"), symptom("bad", "git", "y")))
    assert found.summary == {"ok": 1, "warn": 0, "bad": 1} and not found.is_well
