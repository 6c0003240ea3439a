"""Run one hook: from an agent's payload to the text that it prints. The same in a process of its
own and in one that was up already.

Never raises and never fails an agent's session; what goes wrong is a line of the log.
"""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ktw.agents import AGENTS
from ktw.agents.adapters import adapter_of
from ktw.agents.call import EVENTS, Adapter, Call, Said
from ktw.errors import KtwError
from ktw.git import NoRepository, find_repository
from ktw.held import COLD, Cold
from ktw.hooks.boundary import safely
from ktw.hooks.ledger import Ledger
from ktw.hooks.log import FAILED, RAN, SKIPPED, Entry, record
from ktw.hooks.reporting import SAYS, Hook
from ktw.hooks.settings import hook_settings
from ktw.store import NoProject, Project, find_project

RECAP_MARKER = "KTW_RECAP"
MAX_PAYLOAD = 8 * 1024 * 1024


class Skip(Exception):
    """There is nothing to do, for a reason in words of this program."""


class Log:
    """Writes the one line of a run, once, as soon as it is known where the log lies."""

    def __init__(self, event: str, agent: str, started: float) -> None:
        self.event = event if event in EVENTS else "unknown"
        self.agent = agent if agent in AGENTS else "unknown"
        self._started = started
        self.common_dir: Path | None = None
        self._written = False

    def write(self, outcome: str, why: str = "", chars: int = 0) -> None:
        if self.common_dir is None or self._written:
            return
        self._written = True
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        ms = int((time.monotonic() - self._started) * 1000)
        record(self.common_dir, Entry(at, self.event, self.agent, outcome, why, ms, chars))

    def failed(self, why: str) -> None:
        self.write(FAILED, why)


class Asked(NamedTuple):
    """One hook as it was started: `start` is the directory of the process, `payload` what the agent
    sent on standard input. `held`: what a process that stays keeps between hooks."""

    start: str
    agent: str
    event: str
    payload: str
    now: datetime
    env: Mapping[str, str]
    held: Cold = COLD


def run_hook(
    asked: Asked, log: Log | None = None, limit: Callable[[int], object] = lambda ms: None
) -> str:
    """What the hook prints: one JSON object, or "".

    `limit` is told the budget in milliseconds once it is known.
    """
    log = log or Log(asked.event, asked.agent, time.monotonic())
    if asked.env.get(RECAP_MARKER):
        return ""  # the summariser's own session: whatever it does, nothing follows from it
    return safely(lambda: _run(asked, log, limit), log.failed)


def _run(asked: Asked, log: Log, limit: Callable[[int], object]) -> str:
    try:
        with suppress(KtwError):
            log.common_dir = find_repository(Path(asked.start)).common_dir
        adapter = _adapter(asked.agent, asked.event)
        hook = _hook(asked, adapter)
        log.common_dir = hook.project.repository.common_dir
        limit(hook.settings.ms)
        said = _say(hook)
    except Skip as skip:
        log.write(SKIPPED, str(skip))
        return ""
    except (NoRepository, NoProject):
        return ""
    answer = adapter.answer(hook.call, said)
    log.write(RAN, chars=len(said.context))
    return json.dumps(answer, ensure_ascii=True) if answer else ""


def _hook(asked: Asked, adapter: Adapter) -> Hook:
    call = adapter.parse(asked.event, _parsed(asked.payload))
    project = _project(call, asked.start)
    stated, ledger = asked.held.stated(project), _ledger(project, call, asked.now)
    settings = hook_settings(project.repository, stated or ())
    now, env, held = asked.now, asked.env, asked.held
    return Hook(project, asked.agent, adapter, call, settings, ledger, now, env, held, stated)


def _adapter(agent: str, event: str) -> Adapter:
    adapter = adapter_of(agent)
    if adapter is None:
        raise Skip("no such agent")
    if event not in EVENTS:
        raise Skip("no such event")
    return adapter


def _parsed(payload: str) -> Mapping[str, object]:
    if len(payload) > MAX_PAYLOAD:
        raise Skip("an oversized input")
    try:
        data = json.loads(payload)
    except (ValueError, RecursionError):
        raise Skip("an input that is not JSON") from None
    if not isinstance(data, dict):
        raise Skip("an input that is no JSON object")
    return data


def _project(call: Call, start: str) -> Project:
    """The project that the agent is in, else the one of the directory where the hook runs."""
    if call.cwd and call.cwd != start:
        with suppress(NoRepository, NoProject, OSError, ValueError):
            return find_project(Path(call.cwd))
    return find_project(Path(start))


def _ledger(project: Project, call: Call, now: datetime) -> Ledger:
    return Ledger(project.repository.common_dir, call.session, call.part, now.timestamp())


def _say(hook: Hook) -> Said:
    call = hook.call
    # A prompt that goes no further may leave its id to the next one.
    id_ = f"{call.native} {call.id} {call.prompt}" if call.id else ""
    if call.session and not hook.ledger.first(*_sameness(hook), id=id_):
        raise Skip("the same event again")
    return SAYS[call.event](hook)


def _sameness(hook: Hook) -> tuple[str, ...]:
    """What two processes of one event have in common, where the agent does not name it."""
    call = hook.call
    turn = "" if call.event in ("session-start", "user-prompt") else hook.ledger.turn
    told = (call.event, call.native, turn, call.source, call.prompt)
    return (*told, call.tool.command, *call.tool.paths)
