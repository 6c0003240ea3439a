"""Gather for each event the facts that it speaks from, and say them: one function an event."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple

from ktw.agents.call import Adapter, Call, Said
from ktw.git import Setting
from ktw.held import COLD, Cold
from ktw.hooks.events import at_prompt, at_start, before_tool
from ktw.hooks.guard import guard_text
from ktw.hooks.ledger import Ledger
from ktw.hooks.reminders import is_time_sensitive
from ktw.hooks.settings import Settings
from ktw.hooks.touched import Touched, touched
from ktw.operations.chat import answer
from ktw.operations.injecting import (
    Memories,
    Relevant,
    approved_titles,
    files_changed_since,
    open_memories,
)
from ktw.scan import memory_names
from ktw.store import Project

_NOTES, _TITLES = 3, 100
_SHORTEST_PROMPT, _LONGEST_QUESTION = 10, 2000
_SHORTEST_QUERY, _LONGEST_QUERY = 5, 300
_AT_PROMPT, _BEFORE_TOOL = (3, 2), (2, 1)
_MOST_FILES = 40
_CLOCK_SLACK_S = 2.0  # a file's times may be coarser than the clock


class Hook(NamedTuple):
    """One event to be answered, and all that it is answered from."""

    project: Project
    agent: str
    adapter: Adapter
    call: Call
    settings: Settings
    ledger: Ledger
    now: datetime
    env: Mapping[str, str]
    held: Cold = COLD
    stated: Sequence[Setting] | None = None  # by git config, where git answered

    @property
    def is_told(self) -> bool:
        """True where what is said can reach the agent."""
        return self.call.native in self.adapter.told

    @property
    def is_shown(self) -> bool:
        """True where what is said can reach the person."""
        return self.call.native in self.adapter.shown


def session_start(hook: Hook) -> Said:
    """Approved titles, counts, the last sessions' notes, missing servers."""
    hook.ledger.prune()
    hook.ledger.begin_turn("session-start")
    if not hook.is_told:
        return Said()
    from ktw.hooks.baseline import missing_servers  # what these take is for this event alone
    from ktw.operations import notes

    project = hook.project
    missing = missing_servers(hook.env.get("HOME", ""), project.root, hook.adapter.servers)
    kept = [] if hook.settings.counts_unapproved else notes.latest(project, _NOTES)
    titles = approved_titles(project, _TITLES, hook.stated)
    return Said(at_start(titles, kept, missing, hook.settings))


def user_prompt(hook: Hook) -> Said:
    """The answer to an offer where it is one; else what bears on the prompt."""
    prompt = hook.call.prompt
    hook.ledger.begin_turn("user-prompt", hook.call.id, prompt)
    said = _answered(hook)
    if said.receipt or not hook.is_told:
        return said
    reminds = hook.settings.reminds and is_time_sensitive(prompt)
    found, model = Relevant(), hook.env.get("KTW_MODEL") or "off"
    if len(prompt.strip()) >= _SHORTEST_PROMPT:
        with open_memories(hook.project, hook.now, model, hook.held, hook.stated) as memories:
            found = memories.relevant(prompt[:_LONGEST_QUESTION], *_AT_PROMPT)
    context = at_prompt(found, hook.ledger.inject, reminds, hook.settings)
    return said._replace(context=context)


def _answered(hook: Hook) -> Said:
    """What a prompt did to an offer. Only a person's words can approve; any other message ends the
    offer."""
    words = hook.call.prompt if hook.call.by_person else ""
    done = answer(hook.project, hook.call.session, words, hook.now)
    return Said(receipt=done.text) if done.is_receipt else Said(message=done.text)


def pre_tool(hook: Hook) -> Said:
    """The verdicts of memory files that are opened raw, and what bears on the command or path."""
    if not hook.is_told:
        return Said()
    project, tool = hook.project, hook.call.tool

    @cache
    def listed() -> Sequence[str]:
        return memory_names(project)

    cwd = hook.call.cwd or str(project.root)
    touch = touched(tool, str(project.context.resolve()), cwd, listed)
    query = _query(hook, cwd, touch)
    if not (touch.names or touch.whole or query):
        return Said()
    with open_memories(project, hook.now, "off", hook.held, hook.stated) as memories:
        found = memories.relevant(query, *_BEFORE_TOOL) if query else Relevant()
        guard = _guard(hook, touch, memories)
    return Said(before_tool(guard, found, hook.ledger.inject, hook.settings))


def _query(hook: Hook, cwd: str, touch: Touched) -> str:
    """What a tool's memories are looked for by: its command, or its paths from the root on; none
    for a tool that reads memories themselves."""
    if touch.names or touch.whole:
        return ""
    root = str(hook.project.root)
    paths = [os.path.relpath(path, root) if path.startswith(root) else path
             for path in hook.call.tool.paths]  # fmt: skip
    words = hook.call.tool.command or " ".join(path for path in paths if path != ".")
    return words[:_LONGEST_QUERY] if len(words) >= _SHORTEST_QUERY else ""


def _guard(hook: Hook, touch: Touched, memories: Memories) -> str:
    if touch.whole and not touch.names and not hook.ledger.once("guard"):
        return ""
    files = memories.of_files(touch.names[:_MOST_FILES])
    return guard_text(touch, files)


def stop(hook: Hook) -> Said:
    """What was saved in this turn is shown to the person; the session's recap is begun."""
    _begin_recap(hook, final=False)
    return Said(message=_saved(hook) if hook.is_shown else "")


def _begin_recap(hook: Hook, final: bool) -> None:
    """In a process of its own that nobody waits for; why there is none is for its own status."""
    from ktw.operations import recap  # what it takes is for these two events alone

    call = hook.call
    if call.session and call.transcript and not call.part:
        recap.start(
            hook.project, hook.agent, call.session, call.transcript, final, hook.env, hook.now
        )


def _saved(hook: Hook) -> str:
    began = hook.ledger.turn_began
    if began is None:
        return ""
    names = files_changed_since(hook.project, began - _CLOCK_SLACK_S)
    if not names:
        return ""
    from ktw.operations.offering import saved_and_waiting, show_saved  # a quarter of a second

    waiting = saved_and_waiting(hook.project, names, hook.ledger.once)
    return show_saved(hook.project, hook.call.session, waiting, hook.now)


def session_end(hook: Hook) -> Said:
    """The session's last word."""
    _begin_recap(hook, final=True)
    return Said()


SAYS: Mapping[str, Callable[[Hook], Said]] = {
    "session-start": session_start,
    "user-prompt": user_prompt,
    "pre-tool": pre_tool,
    "stop": stop,
    "session-end": session_end,
}
