"""`ktw reinforce`, `pin`, `stale`, `list --faded` and the hook of `ktw init`, as called."""

import json
import math
import re
import sys

import pytest

from builders import Repo, make_id, memory_text
from ktw.errors import Refused
from test_cli import APPROVED, SCHEMAS, UNAPPROVED, here, invoke, mixed
from test_priors import FACTORS

__all__ = ["here", "mixed"]
OLD = "2020-01-01"


def test_json_is_what_its_schema_says(here: Repo) -> None:
    here.write("context/late.md", memory_text("Late", "See src/gone.py."))
    here.write("context/skill.md", memory_text("Skill", kind="skill", created_at=OLD))
    for name, arguments in (
        ("reinforce", ("reinforce", APPROVED, "--evidence", "test-passed")),
        ("pin", ("pin", UNAPPROVED)),
        ("stale", ("stale",)),
        ("list", ("list", "--faded")),
        ("list", ("list",)),
        ("recall", ("recall", "sync step snapshot gone", "--explain")),
    ):
        result = invoke(*arguments, "--json")
        assert result.exit_code == 0, result.output
        SCHEMAS[name].validate(json.loads(result.stdout))
        assert "revious" not in result.stdout and "gone.py" not in result.stdout.split('"text"')[0]


def test_without_a_terminal_nobody_is_a_person(here: Repo) -> None:
    told = invoke("reinforce", APPROVED, "--evidence", "test-passed")
    assert "test-passed counts for recency" in told.output
    with pytest.raises(Refused, match="is its owner's"):
        invoke("pin", APPROVED)
    assert "pinned" in invoke("pin", UNAPPROVED).output
    assert "pinned already" in invoke("pin", UNAPPROVED).output
    assert "not pinned" in invoke("pin", UNAPPROVED, "--off").output


def test_what_has_faded_is_counted_and_listed(here: Repo) -> None:
    here.write("context/skill.md", memory_text("Skill", kind="skill", created_at=OLD))
    asked = invoke("recall", "snapshot").output
    assert "1 faded; ktw list --faded" in asked and make_id("Skill") not in asked
    assert json.loads(invoke("recall", "snapshot", "--json").stdout)["omitted"]["faded"] == 1
    listed = invoke("list", "--faded").output
    assert make_id("Skill") in listed and APPROVED not in listed
    assert invoke("list", "--faded", "--kind", "rule").output == "None fits.\n"


def test_stale_says_its_hints_inside_the_frame(here: Repo) -> None:
    assert invoke("stale").output == "Nothing is stale.\n"
    here.write("context/late.md", memory_text("Late", "See src/gone.py."))
    told = invoke("stale").output
    assert "| [missing-file: a file that it names is not in this tree: src/gone.py]" in told


def test_a_printed_score_is_recomputed_from_its_printed_rows(here: Repo) -> None:
    invoke("reinforce", APPROVED)
    lines = re.findall(
        r"^score ([0-9.]+): (.*)$", invoke("recall", "snapshot", "--explain").output, re.M
    )
    assert len(lines) == 2
    for score, rows in lines:
        parts = {name: float(value) for name, value in re.findall(r"([a-z]+) ([0-9.]+)", rows)}
        factors = [parts.pop(name) for name in FACTORS if name in parts]
        assert sum(parts.values()) * math.prod(factors) == pytest.approx(float(score), rel=2e-3)


def test_the_hook_is_set_and_taken_away(here: Repo) -> None:
    told = invoke("init", "--memory-used-hook").output
    assert "prepare-commit-msg" in told and "recalled before them" in told
    assert (here.root / ".git/hooks/prepare-commit-msg").exists()
    assert "Took the hook away." in invoke("init", "--no-memory-used-hook").output
    (here.root / ".git/hooks/prepare-commit-msg").write_text("#!/bin/sh\n")
    assert "ktw/memory-used.sh" in invoke("init", "--memory-used-hook").output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_person_pins_and_an_agent_at_a_terminal_does_not_unpin(mixed: Repo) -> None:
    from terminal import Terminal

    with Terminal(mixed.root, ["pin", UNAPPROVED]) as person:
        assert person.end() == 0
    with Terminal(mixed.root, ["pin", UNAPPROVED, "--off"], {"CLAUDECODE": "1"}) as agent:
        assert agent.end() == 1
    assert "a person pinned" in agent.seen
    with Terminal(mixed.root, ["reinforce", APPROVED, "--evidence", "test-passed"]) as person:
        assert person.end() == 0
    assert "counts for strength" in person.seen
    with Terminal(mixed.root, ["reinforce", APPROVED, "--evidence", "test-passed"]) as person:
        assert person.end() == 0
    assert "counts once a day, and did so today already: now for recency alone" in person.seen
