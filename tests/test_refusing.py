"""Every way to approve goes through one gate, and the gate is shut where no person can be."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest

from builders import Repo, claimed, memory_text
from ktw.ledger import REF as LEDGER
from test_house import MODULES, tree

# What approves, withdraws or rejects. Whoever calls one of these has had the act confirmed.
ACTS = {"approve", "approve_all", "approval", "carry_out", "withdraw", "approve_shown"}
ACTS |= {"supersede", "revoke"}
# The rooms below the surfaces that may pass an act on, and the one surface a command has each.
PASS_ON = {
    "ktw.operations.approving",
    "ktw.operations.deciding",
    "ktw.operations.withdrawing",
    "ktw.operations.chat_approval",
    "ktw.operations.chat",
    "ktw.operations.superseding",
    "ktw.operations.revoking",
}
AT_A_TERMINAL = {
    "ktw.cli.approving",
    "ktw.cli.review",
    "ktw.cli.writing",
    "ktw.cli.adopt",
    "ktw.cli.revoking",
}
COMMANDS: dict[str, Sequence[str]] = {
    "trust": ("trust", "snapshot"),
    "untrust": ("trust", "--untrust", "snapshot"),
    "review": ("review",),
    "adopt": ("adopt", "--approve", "--yes"),
    "revoke": ("revoke", "--reason", "a trial", "snapshot"),
}
FILE = "context/snapshot.md"
ASKS_FOR_A_HASH = {"trust", "review", "adopt"}


def called(module: str) -> Iterator[str]:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2]


@pytest.fixture
def repo(repo: Repo) -> Repo:
    """A project whose one memory claims an approval that nothing backs; the policy is `local`."""
    repo.policy("local")
    repo.write(FILE, claimed(memory_text()))
    repo.commit("a forged claim")
    return repo


def state(repo: Repo) -> tuple[str, ...]:
    asked = (("status", "--porcelain"), ("rev-parse", "HEAD"), ("for-each-ref", LEDGER))
    return tuple(repo.git(*each) for each in asked)


# --- one gate ---------------------------------------------------------------------------------


def test_only_these_rooms_approve() -> None:
    acting = {name for name in MODULES if name.startswith("ktw.") and ACTS & set(called(name))}
    assert acting <= PASS_ON | AT_A_TERMINAL


@pytest.mark.parametrize("module", sorted(AT_A_TERMINAL))
def test_each_surface_that_approves_asks_for_a_person_first(module: str) -> None:
    assert "refuse_without_person" in set(called(module))


def test_a_chat_asks_for_its_setting() -> None:
    assert "chat_words" in set(called("ktw.operations.chat"))


# --- the gate is shut -------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_terminal_it_is_refused_with_a_reason(repo: Repo, command: str) -> None:
    before = state(repo)
    done = subprocess.run(
        [sys.executable, "-m", "ktw", *COMMANDS[command]],
        cwd=repo.root,
        input="y\naaaaaa\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "needs a person at a terminal" in done.stderr
    assert "Run it in a terminal" in done.stderr and done.stdout == ""
    assert ("its hash typed" in done.stderr) == (command in ASKS_FOR_A_HASH)
    assert state(repo) == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("command", "variable"),
    [
        *zip(
            COMMANDS,
            ("CLAUDECODE", "KTW_AGENT", "CODEX_CI", "CURSOR_AGENT", "GEMINI_CLI"),
            strict=True,
        )
    ],
)
def test_under_an_agent_a_terminal_does_not_help(repo: Repo, command: str, variable: str) -> None:
    from terminal import Terminal

    before = state(repo)
    with Terminal(repo.root, COMMANDS[command], {variable: "1"}) as terminal:
        assert terminal.end() == 1
    assert " is a person's act" in terminal.seen and "sync step" not in terminal.seen
    assert state(repo) == before


REMEMBER = ("remember", "A word", "--body", "Kept as it was typed.")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_what_an_agent_writes_brings_no_question(repo: Repo) -> None:
    from terminal import Terminal

    with Terminal(repo.root, REMEMBER, {"AI_AGENT": "codex"}) as terminal:
        assert terminal.end() == 0
    assert "Approve" not in terminal.seen and not repo.git("for-each-ref", LEDGER)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_person_sees_the_whole_text_before_the_question(repo: Repo) -> None:
    from terminal import Terminal

    with Terminal(repo.root, REMEMBER) as terminal:
        terminal.expect("Approve these words now?")
        (path,) = set((repo.root / "context").glob("decision-*.md"))
        assert "Kept as it was typed." in terminal.seen and "the whole text" in terminal.seen
        path.write_text(path.read_text().replace("typed", "swapped"))
        terminal.type("y")
        assert terminal.end() == 3
    assert "changed while ktw was at work" in terminal.seen
    assert "trusted_at" not in path.read_text() and not repo.git("for-each-ref", LEDGER)


def test_a_prompt_without_the_setting_approves_nothing(repo: Repo) -> None:
    from datetime import UTC, datetime

    from ktw.operations.candidate import candidate
    from ktw.operations.chat import Answer, answer, offer

    before, now = state(repo), datetime(2026, 1, 3, tzinfo=UTC)
    assert offer(repo.project, "s", [candidate(repo.project, "snapshot")], now) is None
    assert answer(repo.project, "s", "approve", now) == Answer()
    assert state(repo) == before


def test_the_environment_of_this_test_is_nobodys() -> None:
    assert not any(os.environ.get(name) for name in ("CLAUDECODE", "KTW_AGENT", "AI_AGENT"))
