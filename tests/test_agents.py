"""How a process learns that an agent drives it, and what the agent may be called."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktw.agents import AGENTS, driving_agent
from ktw.errors import Refused
from ktw.operations.approving import refuse_without_person

NAME = re.compile(r"[a-z0-9-]{1,40}")


@pytest.mark.parametrize(
    ("name", "variable"), [(a.name, variable) for a in AGENTS.values() for variable in a.variables]
)
def test_each_variable_of_an_agent_gives_it_away(name: str, variable: str) -> None:
    assert driving_agent({variable: "1", "HOME": "/x"}) == name
    assert driving_agent({variable: ""}) is None


def test_no_variable_stands_for_two_agents() -> None:
    variables = [variable for agent in AGENTS.values() for variable in agent.variables]
    assert len(set(variables)) == len(variables)
    assert all(name == agent.name and NAME.fullmatch(name) for name, agent in AGENTS.items())


def test_without_a_sign_there_is_no_agent() -> None:
    assert driving_agent({}) is None
    assert driving_agent({"TERM_PROGRAM": "vscode", "EDITOR": "cursor", "CI": "true"}) is None


@pytest.mark.parametrize("variable", ["KTW_AGENT", "AI_AGENT"])
def test_an_agent_may_name_itself(variable: str) -> None:
    assert driving_agent({variable: "My Agent/2.0", "CLAUDECODE": "1"}) == "my-agent-2-0"


@pytest.mark.parametrize("named", ["---", "\u4e2d", " ", "\x1b"])
def test_a_name_without_a_letter_is_still_an_agent(named: str) -> None:
    assert driving_agent({"KTW_AGENT": named}) == "agent"


@settings(deadline=None)
@given(st.text(min_size=1))
def test_whatever_the_name_it_has_the_shape_of_one(named: str) -> None:
    found = driving_agent({"KTW_AGENT": named})
    assert found is not None and NAME.fullmatch(found)


@pytest.mark.parametrize(("person", "agent"), [(False, None), (True, "codex"), (False, "codex")])
def test_no_agent_and_no_pipe_can_approve(person: bool, agent: str | None) -> None:
    with pytest.raises(Refused):
        refuse_without_person(person, agent)
    refuse_without_person(True, None)
