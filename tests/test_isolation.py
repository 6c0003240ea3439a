"""The isolation canary: it proves a cage only where the control was seen to act without it."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from builders import Repo
from fake_agents import HELP, Fake, transcript
from ktw import canary
from ktw.cage import CAGES, canary_day, prove
from ktw.cli.root import ktw
from ktw.operations import isolation as room
from ktw.operations.isolation import ISOLATED, LEAKS, UNPROVEN, Finding, isolation
from ktw.operations.recap import Session, recap
from test_schema import validator

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ALL = ("file", "server", "secret")


def ran(fake: Fake, tmp_path: Path) -> Finding:
    kept = tmp_path / "kept.json"
    return isolation("claude-code", fake.env, "haiku", tmp_path / "tree", NOW, kept)


def test_a_command_that_acts_uncaged_and_not_caged_is_isolated(tmp_path: Path) -> None:
    fake = Fake(tmp_path / "bin")
    found = ran(fake, tmp_path)
    assert (found.result, found.control, found.caged) == (ISOLATED, ALL, ())
    control, caged = fake.calls
    assert "--tools" not in control["arguments"] and "--strict-mcp-config" in caged["arguments"]
    assert control["files"] == caged["files"] == [".claude", ".mcp.json", "secret.txt"]
    assert not Path(caged["cwd"]).exists() and caged["env"]["KTW_RECAP"] == "1"
    kept = tmp_path / "kept.json"
    proof = prove(CAGES["claude-code"], fake.env, tmp_path / "tree", kept)
    assert proof.why == "" and canary_day(kept, proof) == "2026-11-30"


@pytest.mark.parametrize("act", ALL)
def test_each_way_of_leaking_is_seen_and_ends_recaps(
    repo: Repo, tmp_path: Path, act: str, empty_home: Path
) -> None:
    fake = Fake(tmp_path / "bin", leaks=[act])
    place = empty_home / ".keep-the-why/recap/cages.json"
    found = isolation("claude-code", fake.env, "haiku", repo.root, NOW, place)
    assert (found.result, found.control, found.caged) == (LEAKS, ALL, (act,))
    paper = transcript(tmp_path / "s.jsonl")
    outcome = recap(repo.project, Session("claude-code", "one", str(paper)), fake.env, NOW)
    assert outcome.result == "none" and "a canary saw" in outcome.why
    assert len(fake.calls) == 2
    Fake(tmp_path / "bin")
    assert recap(repo.project, Session("claude-code", "two", str(paper)), fake.env, NOW).why == ""


def test_one_that_lists_the_options_and_ignores_them_leaks(tmp_path: Path) -> None:
    fake = Fake(tmp_path / "bin", leaks=list(ALL), version="99.9.9 (Claude Code)")
    assert ran(fake, tmp_path).caged == ALL


@pytest.mark.parametrize(
    "does",
    [
        "if caged and 'test of what' in prompt: Path('secret.txt').write_text('x' * 32)",
        "if caged and 'test of what' in prompt: Path('.mcp.json').unlink()",
    ],
)
def test_a_file_that_is_written_anew_or_gone_is_seen(tmp_path: Path, does: str) -> None:
    assert ran(Fake(tmp_path / "bin", does=does), tmp_path).caged == ("file",)


def test_files_that_come_and_go_meanwhile_break_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).touch()
    real = Path.rglob

    def vanishing(place: Path, pattern: str) -> list[Path]:
        found = list(real(place, pattern))
        (tmp_path / "a").unlink()
        return found

    monkeypatch.setattr(Path, "rglob", vanishing)
    assert room._files(str(tmp_path)).keys() == {"b"}


def test_a_server_that_is_only_started_is_reached(tmp_path: Path) -> None:
    start = (
        "server = json.loads(Path('.mcp.json').read_text())['mcpServers']['ktw-canary']\n"
        "if caged:\n"
        "    subprocess.run([server['command'], *server['args']], stdin=subprocess.DEVNULL)\n"
    )
    found = ran(Fake(tmp_path / "bin", does=start), tmp_path)
    assert (found.result, found.caged) == (LEAKS, ("server",))


@pytest.mark.parametrize("missing", ALL)
def test_a_control_that_does_not_fire_proves_nothing(tmp_path: Path, missing: str) -> None:
    fake = Fake(tmp_path / "bin", acts=[act for act in ALL if act != missing])
    found = ran(fake, tmp_path)
    assert found.result == UNPROVEN and found.caged == ()
    assert found.why == f"the uncaged control never {room.ACTS[missing]}"


def test_a_leak_counts_whatever_the_control_did(tmp_path: Path) -> None:
    found = ran(Fake(tmp_path / "bin", acts=[], leaks=["file"]), tmp_path)
    assert found.result == LEAKS


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("if caged: sys.exit(1)", "status 1"),
        ("if caged: sys.exit(0)", "said nothing"),
        ("if caged: print('x' * 3_000_000); sys.stdout.flush(); time.sleep(600)", "said too much"),
    ],
)
def test_a_caged_run_that_fails_proves_nothing(tmp_path: Path, does: str, why: str) -> None:
    found = ran(Fake(tmp_path / "bin", does=f"import time\n{does}"), tmp_path)
    assert found.result == UNPROVEN and why in found.why and found.control == ALL


def test_one_that_hangs_proves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_SECONDS", 0.3)
    hang = Fake(tmp_path / "bin", does="import time; time.sleep(600)")
    found = ran(hang, tmp_path)
    assert found.result == UNPROVEN and "too long" in found.why


@pytest.mark.parametrize("missing", ["--tools <", "--strict-mcp-config"])
def test_without_a_cage_nothing_is_run(tmp_path: Path, missing: str) -> None:
    fake = Fake(tmp_path / "bin", help=HELP.replace(missing, "--other"))
    found = ran(fake, tmp_path)
    assert found.result == UNPROVEN and "no cage" in found.why and fake.calls == []
    assert isolation("codex", fake.env, "x", tmp_path, NOW).result == UNPROVEN


def test_the_tool_server_speaks_the_protocol(tmp_path: Path) -> None:
    def ask(method: str, **more: object) -> dict[str, object]:
        request = {"jsonrpc": "2.0", "id": 7, "method": method, **more}
        told = canary.answer(request, tmp_path, "ktw-canary")
        assert told is not None and told["id"] == 7
        result = told["result"]
        assert isinstance(result, dict)
        return result

    begun = ask("initialize", params={"protocolVersion": "2025-11-25"})
    assert begun["protocolVersion"] == "2025-11-25" and "tools" in begun["capabilities"]
    assert [tool["name"] for tool in ask("tools/list")["tools"]] == [room._TOOL]  # type: ignore[attr-defined]
    assert not (tmp_path / room.CALLED).exists()
    ask("tools/call", params={"name": "leave_mark"})
    assert (tmp_path / canary.CALLED).exists() and canary.CALLED == room.CALLED
    notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert canary.answer(notification, tmp_path, "x") is None


def test_doctor_asks_first_and_says_what_it_costs(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = Fake(tmp_path / "bin")
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", fake.env["PATH"])
    asked = CliRunner().invoke(ktw, ["doctor", "--isolation"], input="n\n")
    assert "two calls of a model" in asked.output and fake.calls == []
    nobody = CliRunner().invoke(ktw, ["doctor", "--isolation"])
    assert nobody.exit_code != 0 and fake.calls == []
    done = CliRunner().invoke(ktw, ["doctor", "--isolation", "--yes", "--json"])
    data = json.loads(done.stdout)
    validator("isolation").validate(data)
    assert done.exit_code == 0 and (data["result"], data["agent"]) == (ISOLATED, "claude-code")


def test_doctor_says_what_leaks(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = Fake(tmp_path / "bin", leaks=["secret"])
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", fake.env["PATH"])
    done = CliRunner().invoke(ktw, ["doctor", "--isolation", "--yes"], standalone_mode=False)
    assert done.return_value == 1 and "leaks\n" in done.output
    assert "caged     read a secret" in done.output
