"""Agents are wired and unwired on disk: what was there comes back byte for byte, what ktw cannot
change safely is left and named."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from builders import Repo
from ktw.agents import AGENTS
from ktw.cli.root import ktw
from ktw.operations import wiring
from ktw.operations.wiring import WiringPlan, plan_unwiring, plan_wiring, write_wiring
from ktw.wiring import changes, settings_file
from ktw.wiring.agents import WIRINGS
from ktw.wiring.changes import Change
from ktw.wiring.places import EVENTS, PERSON_ONLY, SCOPES, Scope

posix = pytest.mark.skipif(os.name == "nt", reason="links and modes")
ALL = tuple(WIRINGS.values())
FOREIGN = '{"mcpServers": {"other": {"command": "x"}, "ktwx": {"url": "y"}}, "mcp": {"z": {}}}'
CORPUS = {
    "empty file": b"",
    "blanks": b" \n\t",
    "empty object": b"{}",
    "blank object": b"{ \n\n }\n",
    "comment alone": b"// mine\n{ /* nothing */ }\n",
    "commented": b'{\n  // why\n  "a": 1, // one\n  /* two\n lines */ "b": [1, 2]\n  // end\n}\n',
    "trailing commas": b'{\n    "a": [\n        1,\n    ],\n}',
    "foreign servers": FOREIGN.encode(),
    "foreign, laid out": json.dumps(json.loads(FOREIGN), indent=4).encode(),
    "hooks of others": b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}],\n'
    b'"stop": [{"command": "y"}]}, "permissions": {"deny": ["Bash(rm:*)"], "allow": []}}',
    "empty containers": b'{"mcpServers": { }, "hooks": {\n}, "permissions": {"deny": [ ]}}',
    "mark": b'\xef\xbb\xbf{\n  "a": 1\n}\n',
    "windows": b'{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": null\r\n\t}\r\n}\r\n',
    "tabs": b'{\n\t"a": 1\n}',
    "one line": b'{"a":1}',
    "twice": b'{"a": 1, "a": 2, "b": {"c": 1, "c": 2}}',
    "odd text": '{"a": "\u00e9\u4e2d // no", "b": "\\u0000\\ud800", "c": 1e999}'.encode(),
}
HUGE = b'{"projects": {%s}}' % b", ".join(b'"p%d": {"n": [1, 2]}' % n for n in range(9_000))
TOMLS = {
    "empty file": b"",
    "commented": b'# mine\nmodel = "x" # why\n\n\n# end',
    "foreign servers": b'[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.other.env]\nA = "1"\n',
    "windows": b'\xef\xbb\xbfmodel = "x"\r\n\r\n[profiles.a]\r\nb = 1\r\n',
}
BROKEN = {
    "no json": (b'{\n  "a": 1\n  "b": 2\n}\n', "line 3: a comma or } is missing"),
    "cut short": (b'{"a": ', "line 1: a value is missing"),
    "no object": (b"[1]", "it holds no object"),
    "not text": (b'{"a": "\xff"}', "it is not UTF-8"),
    "utf-16": ('{"a": 1}'.encode("utf-16"), "it is not UTF-8"),
    "deep": (b'{"a": ' + b"[" * 300 + b"]" * 300 + b"}", "line 1: it is nested too deep"),
    "twice there": (b'{"mcpServers": {}, "mcpServers": {}}', "`mcpServers` is there twice"),
}


def files(scope: Scope, form: str) -> list[str]:
    places = [place for each in ALL for place in each.places(scope, "ktw")]
    return [place.path for place in places if place.form == form]


def snapshot(root: Path) -> dict[str, tuple[bytes | None, int]]:
    found = {}
    for place in sorted(root.rglob("*")):
        if ".git" not in place.parts:
            mode = stat.S_IMODE(place.lstat().st_mode)
            name = place.relative_to(root).as_posix()
            found[name] = (place.read_bytes() if place.is_file() else None, mode)
    return found


def wire(root: Path, scope: Scope = "project", command: str = "ktw") -> tuple[Change, ...]:
    return write_wiring(plan_wiring(root, scope, ALL, command))


def unwire(root: Path, scope: Scope = "project", command: str = "ktw") -> tuple[Change, ...]:
    return write_wiring(plan_unwiring(root, scope, ALL, command))


def actions(done: tuple[Change, ...]) -> set[str]:
    return {change.action for change in done}


def fill(root: Path, scope: Scope, data: bytes, toml: bytes | None = None) -> None:
    for form, content in (("json", data), ("toml", toml)):
        for path in files(scope, form) if content is not None else []:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content or b"")
            (root / path).chmod(0o640)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("name", CORPUS)
def test_what_was_there_comes_back_byte_for_byte(tmp_path: Path, name: str, scope: Scope) -> None:
    fill(tmp_path, scope, CORPUS[name], TOMLS.get(name, b""))
    before = snapshot(tmp_path)
    done = wire(tmp_path, scope)
    assert actions(done) == {"add"}, done
    assert not [change.why for change in done if change.why]
    there = snapshot(tmp_path)
    assert there != before and set(there) == set(before)
    assert {mode for _, mode in there.values()} == {mode for _, mode in before.values()}
    assert actions(wire(tmp_path, scope)) == {"keep"} and snapshot(tmp_path) == there
    assert actions(unwire(tmp_path, scope)) == {"restore"}
    assert snapshot(tmp_path) == before
    assert actions(unwire(tmp_path, scope)) == {"keep"}


@pytest.mark.parametrize(
    "name", ["commented", "trailing commas", "foreign servers", "tabs", "mark"]
)
def test_without_what_is_remembered_the_entries_alone_go(
    tmp_path: Path, empty_home: Path, name: str
) -> None:
    fill(tmp_path, "project", CORPUS[name], TOMLS["windows"])
    before = snapshot(tmp_path)
    wire(tmp_path)
    (empty_home / ".keep-the-why").rename(empty_home / "of-another")
    assert actions(unwire(tmp_path)) == {"remove"}
    after = snapshot(tmp_path)
    left = after.pop(".cursor/hooks.json")[0] or b""
    assert b'"version": 1' in left and b"ktw hook" not in left  # others may need it by now
    assert after.items() <= before.items()


def test_a_huge_file_comes_back_too(tmp_path: Path) -> None:
    (tmp_path / ".claude.json").write_bytes(HUGE)
    claude = (WIRINGS["claude-code"],)
    write_wiring(plan_wiring(tmp_path, "user", claude, "ktw"))
    assert b'"mcpServers": {"ktw"' in (tmp_path / ".claude.json").read_bytes()
    write_wiring(plan_unwiring(tmp_path, "user", claude, "ktw"))
    assert (tmp_path / ".claude.json").read_bytes() == HUGE


@pytest.mark.parametrize("scope", SCOPES)
def test_what_init_made_alone_goes_with_its_directories(tmp_path: Path, scope: Scope) -> None:
    assert actions(wire(tmp_path, scope)) == {"create"}
    assert actions(unwire(tmp_path, scope)) == {"delete"}
    assert not list(tmp_path.iterdir())


def test_a_clone_of_a_wired_project_is_unwired_without_a_memory_of_it(
    tmp_path: Path, empty_home: Path
) -> None:
    wire(tmp_path)
    (empty_home / ".keep-the-why").rename(empty_home / "of-another")
    assert actions(unwire(tmp_path)) == {"delete"}
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_broken_is_left_and_named(tmp_path: Path, name: str) -> None:
    data, why = BROKEN[name]
    (tmp_path / ".mcp.json").write_bytes(data)
    (change,) = (each for each in wire(tmp_path) if each.path == ".mcp.json")
    assert change.action == "leave" and why in change.why[0], change.why
    assert (tmp_path / ".mcp.json").read_bytes() == data
    assert (tmp_path / ".cursor/mcp.json").exists()


def test_broken_toml_is_left_and_named(tmp_path: Path) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_bytes(b"a = 1\nb = \n")
    (change,) = (each for each in wire(tmp_path) if each.path.endswith(".toml"))
    assert change.action == "leave" and "line 2" in change.why[0]


@posix
def test_a_link_is_written_through_while_it_stays_inside(tmp_path: Path) -> None:
    root, outside = tmp_path / "project", tmp_path / "outside.json"
    (root / "dotfiles").mkdir(parents=True)
    (root / "dotfiles/mcp.json").write_bytes(b'{"a": 1}')
    (root / ".mcp.json").symlink_to("dotfiles/mcp.json")
    outside.write_bytes(b"{}")
    (root / "opencode.json").symlink_to(outside)
    (root / ".cursor").symlink_to(tmp_path)
    (root / ".git").mkdir()
    (root / ".gemini").symlink_to(".git")
    (root / ".vscode").mkdir()
    (root / ".vscode/mcp.json").symlink_to("nowhere.json")
    done = {change.path: change for change in wire(root)}
    assert done[".mcp.json"].action == "add" and (root / ".mcp.json").is_symlink()
    for path in ("opencode.json", ".cursor/mcp.json", ".vscode/mcp.json", ".gemini/settings.json"):
        assert done[path].action == "leave" and "link" in done[path].why[0], done[path]
    assert outside.read_bytes() == b"{}" and not (tmp_path / "mcp.json").exists()
    unwire(root)
    assert (root / ".mcp.json").is_symlink()
    assert (root / "dotfiles/mcp.json").read_bytes() == b'{"a": 1}'


@posix
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda place: place.write_text("{}") and place.chmod(0o444), "read-only"),
        (lambda place: place.mkdir(), "directory"),
        (lambda place: os.mkfifo(place), "named pipe"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path: Path, spoil: object, why: str) -> None:
    assert callable(spoil)
    spoil(tmp_path / ".mcp.json")
    (change,) = (each for each in wire(tmp_path) if each.path == ".mcp.json")
    assert change.action == "leave" and why in change.why[0]


def test_a_file_in_the_place_of_a_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / ".cursor").write_text("mine")
    done = {change.path: change for change in wire(tmp_path)}
    assert done[".cursor/mcp.json"].action == "leave"
    assert "directory" in done[".cursor/mcp.json"].why[0].lower()
    assert (tmp_path / ".cursor").read_text() == "mine" and done[".mcp.json"].action == "create"


def test_an_entry_that_a_person_changed_is_neither_changed_nor_removed(tmp_path: Path) -> None:
    wire(tmp_path)
    settings, servers = tmp_path / ".claude/settings.json", tmp_path / ".mcp.json"
    settings.write_text(settings.read_text().replace('"timeout": 10', '"timeout": 60', 1))
    servers.write_text('{"mcpServers": {"ktw": {"command": "docker", "args": ["run"]}}}')
    mine = servers.read_bytes()
    done = {change.path: change for change in wire(tmp_path)}
    assert done[".mcp.json"].action == "leave"
    assert done[".claude/settings.json"].why == ("`hooks.SessionStart` was changed by hand",)
    done = {change.path: change for change in unwire(tmp_path)}
    assert done[".mcp.json"].why == ("`mcpServers.ktw` was changed by hand",)
    assert servers.read_bytes() == mine
    assert json.loads(settings.read_text()).keys() == {"hooks"}
    assert json.loads(settings.read_text())["hooks"].keys() == {"SessionStart"}


def test_what_others_put_in_since_stays(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text('{\n  "mcpServers": {\n  }\n}\n')
    wire(tmp_path)
    place = tmp_path / ".mcp.json"
    data = json.loads(place.read_text())
    data["mcpServers"] = {"new": {"command": "n"}, **data["mcpServers"]}
    place.write_text(json.dumps(data, indent=2))
    unwire(tmp_path)
    assert json.loads(place.read_text()) == {"mcpServers": {"new": {"command": "n"}}}


def test_a_rule_that_a_person_had_before_stays_theirs(tmp_path: Path) -> None:
    place, mine = (
        tmp_path / ".claude/settings.json",
        {"permissions": {"deny": ["Bash(ktw trust:*)"]}},
    )
    place.parent.mkdir()
    place.write_text(json.dumps(mine))
    wire(tmp_path)
    assert place.read_text().count("ktw trust") == 1
    place.write_text(f"// changed since\n{place.read_text()}")
    unwire(tmp_path)
    assert place.read_text() == f"// changed since\n{json.dumps(mine)}"


def test_an_entry_moves_with_ktw(tmp_path: Path) -> None:
    wire(tmp_path, "user", "/old/bin/ktw")
    assert actions(wire(tmp_path, "user", "/new bin/ktw")) == {"add"}
    text = (tmp_path / ".claude/settings.json").read_text()
    assert "/old" not in text and "'/new bin/ktw' hook stop" in text
    assert actions(unwire(tmp_path, "user", "ktw")) == {"delete"}
    assert not list(tmp_path.iterdir())


def test_a_file_that_changes_meanwhile_is_planned_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, real = tmp_path / ".mcp.json", settings_file.replace
    place.write_text('{"a": 1}')
    plan = plan_wiring(tmp_path, "project", ALL, "ktw")
    place.write_text('{"b": 2}')
    done = {change.path: change for change in write_wiring(plan)}
    assert done[".mcp.json"].action == "add"
    assert json.loads(place.read_text()).keys() == {"b", "mcpServers"}

    def disturb(path: Path, data: bytes, expected: bytes) -> None:
        if path == place:
            place.write_text(f'{{"c": "{place.stat().st_size}"}}' + " " * place.stat().st_size)
        real(path, data, expected)

    monkeypatch.setattr(settings_file, "replace", disturb)
    done = {change.path: change for change in unwire(tmp_path)}
    assert done[".mcp.json"].action in ("keep", "leave") and "ktw" not in place.read_text()


def test_what_another_ktw_did_meanwhile_is_remembered_as_that_one_left_it(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text('{"a": 1}')
    before = snapshot(tmp_path)
    plan = plan_wiring(tmp_path, "project", ALL, "ktw")
    wire(tmp_path)
    assert actions(write_wiring(plan)) == {"keep"}
    assert actions(unwire(tmp_path)) == {"restore", "delete"} and snapshot(tmp_path) == before


def test_of_many_at_once_each_ends_well(tmp_path: Path) -> None:
    wire(tmp_path)
    code = (
        "import sys; from pathlib import Path; from test_wiring import unwire;"
        "print({each.why for each in unwire(Path(sys.argv[1]))})"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    here = Path(__file__).parent
    running = [subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE) for _ in range(3)]
    told = [(each.communicate(timeout=60)[0].strip(), each.returncode) for each in running]
    assert told == [(b"{()}", 0)] * 3
    assert not list(tmp_path.iterdir())


def test_uninstall_names_no_file_that_is_not_there(
    repo: Repo, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.root)
    for scope in ((), ("--user",)):
        told = CliRunner().invoke(ktw, ["uninstall", *scope, "--yes"]).output
        assert told == "Nothing to take out: none of these agents has settings there.\n"
    (empty_home / ".claude.json").write_text("{}")
    told = CliRunner().invoke(ktw, ["uninstall", "--user", "--yes"]).output
    assert told == "keep    ~/.claude.json (claude-code)\n"


def test_a_conflict_leaves_one_entry_and_not_the_others(tmp_path: Path) -> None:
    (tmp_path / "opencode.json").write_text('{"permission": "allow"}')
    (change,) = (each for each in wire(tmp_path) if each.path == "opencode.json")
    assert change.action == "add" and "cannot be added" in change.why[0]
    data = json.loads((tmp_path / "opencode.json").read_text())
    assert data.keys() == {"permission", "mcp"} and data["permission"] == "allow"


def test_opencode_in_its_newer_shape_is_written_in_that(tmp_path: Path) -> None:
    place = tmp_path / "opencode.json"
    place.write_text('{"mcp": {"servers": {"x": {"type": "local", "command": ["x"]}}}}')
    before = place.read_bytes()
    wire(tmp_path)
    data = json.loads(place.read_text())
    assert data["mcp"]["servers"]["ktw"]["command"] == ["ktw", "mcp"]
    assert {rule["effect"] for rule in data["permissions"]} == {"deny"}
    assert actions(wire(tmp_path)) == {"keep"}
    unwire(tmp_path)
    assert place.read_bytes() == before


@posix
def test_what_was_there_is_kept_for_its_owner_alone(tmp_path: Path, empty_home: Path) -> None:
    (tmp_path / ".mcp.json").write_text('{"token": "not for others"}')
    wire(tmp_path)
    places = (empty_home / ".keep-the-why").rglob("*")
    kept = [each for each in places if each.is_file() and each.suffix != ".lock"]
    assert any(b"not for others" in each.read_bytes() for each in kept)
    assert {stat.S_IMODE(each.stat().st_mode) & 0o077 for each in kept} == {0}
    assert {stat.S_IMODE(each.parent.stat().st_mode) & 0o077 for each in kept} == {0}
    unwire(tmp_path)
    assert not (empty_home / ".keep-the-why/settings").exists()


# --- the tables ------------------------------------------------------------------------------


def test_no_shared_file_holds_a_path_of_one_machine() -> None:
    for each in ALL:
        for path, text in wiring.snippets("project", each, "ktw"):
            assert "/bin/" not in text and str(Path.home()) not in text, path


def test_the_tables_name_known_agents_and_events() -> None:
    assert set(AGENTS) <= set(WIRINGS)
    for name, each in WIRINGS.items():
        assert each.agent == name and set(each.events) <= set(EVENTS)
        texts = [text for path, text in wiring.snippets("user", each, "ktw") if "hook" in text]
        called = "".join(texts)
        for event in each.events:
            assert f"ktw hook {event} --agent {name}" in called


def test_what_is_denied_is_a_command_that_is_there() -> None:
    import click

    commands = ktw.list_commands(click.Context(ktw))
    assert {start.split()[0] for start in PERSON_ONLY} <= set(commands)
    assert changes.open_place  # the one way in


# --- the commands ----------------------------------------------------------------------------


def run(root: Path, *arguments: str, **env: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ktw", *arguments],
        cwd=root,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_init_wires_and_uninstall_unwires(repo: Repo) -> None:
    repo.commit()
    shown = run(repo.root, "init", "--agents", "claude-code,codex", "--dry-run")
    assert '+  "mcpServers": {' in shown.stdout and not (repo.root / ".mcp.json").exists()
    done = run(repo.root, "init", "--agents", "claude-code,codex", "--yes")
    assert done.returncode == 0, done.stderr
    assert "create  .mcp.json (claude-code)" in done.stdout
    assert "Codex runs hooks" in done.stdout and not (repo.root / ".cursor").exists()
    assert run(repo.root, "uninstall", "--dry-run").stdout.count("delete") == 4
    done = run(repo.root, "uninstall", "--yes")
    assert done.returncode == 0 and not (repo.root / ".mcp.json").exists()
    assert not {"?? .claude/", "?? .codex/"} & set(repo.git("status", "--short").splitlines())


def test_user_settings_are_written_on_request(repo: Repo, empty_home: Path) -> None:
    done = run(repo.root, "init", "--agents", "windsurf", "--user", "--yes")
    assert done.returncode == 0, done.stderr
    written = json.loads((empty_home / ".codeium/windsurf/mcp_config.json").read_text())
    assert written["mcpServers"]["ktw"]["args"] == ["mcp"]
    assert run(repo.root, "uninstall", "--user", "--yes").returncode == 0
    assert not (empty_home / ".codeium").exists()


def test_what_is_left_is_said_and_ends_with_1(repo: Repo) -> None:
    repo.write(".mcp.json", "{")
    done = run(repo.root, "init", "--agents", "claude-code", "--yes")
    assert done.returncode == 1 and "leave   .mcp.json (claude-code); it cannot be" in done.stdout


def test_snippets_are_printed_for_who_writes_by_hand(repo: Repo) -> None:
    done = run(repo.root, "init", "--agents", "codex", "--print")
    assert "[mcp_servers.ktw]" in done.stdout and not (repo.root / ".codex").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["init", "--agents", "emacs"], "Known are: claude-code"),
        (["init", "--agents", "all,emacs"], "there is no agent emacs"),
        (["init", "--agents", ""], "no agent is named"),
        (["uninstall", "--agents", " ,"], "no agent is named"),
        (["init", "--user"], "go with --agents"),
        (["uninstall", "--agents", "x\x1b[2J"], "x\\x1b[2J"),
    ],
)
def test_wrong_usage_says_what_is_right(repo: Repo, arguments: list[str], told: str) -> None:
    done = run(repo.root, *arguments)
    assert done.returncode == 2 and told in done.stderr


@pytest.mark.parametrize(
    "arguments", [["uninstall", "--yes"], ["init", "--agents", "all", "--user", "--yes"]]
)
def test_an_agent_does_not_do_it(repo: Repo, arguments: list[str]) -> None:
    done = run(repo.root, *arguments, CLAUDECODE="1")
    assert done.returncode == 1 and "is a person's" in done.stderr


def test_nobody_to_ask(repo: Repo) -> None:
    done = run(repo.root, "init", "--agents", "cursor")
    assert done.returncode == 2 and "--yes" in done.stderr
    assert not (repo.root / ".cursor").exists()


def plan_of(root: Path) -> WiringPlan:
    return plan_wiring(root, "project", ALL, "ktw")


def test_a_large_file_is_not_shown_as_a_diff(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_bytes(HUGE)
    (change,) = (each for each in plan_of(tmp_path).changes if each.path == ".mcp.json")
    assert "too large" in wiring.diff(change)
