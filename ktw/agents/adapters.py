"""Load the adapter of one agent's hooks: a process that serves one event needs no other."""

import importlib

from ktw.agents import AGENTS
from ktw.agents.call import Adapter


def adapter_of(name: str) -> Adapter | None:
    """The adapter of an agent by its name, None for one without hooks that ktw knows."""
    agent = AGENTS.get(name)
    if agent is None or not agent.adapter:
        return None
    found = importlib.import_module(agent.adapter).ADAPTER
    return found if isinstance(found, Adapter) else None
