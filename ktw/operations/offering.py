"""Show a person what an agent saved in a turn: by an offer in the chat where that is switched on,
else with the one command that approves it.

What it gives is for the person's eyes alone.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from ktw.errors import KtwError
from ktw.operations.candidate import Candidate, candidate
from ktw.operations.chat import MOST, offer
from ktw.operations.chat_text import fits, saved_text
from ktw.operations.queue import WAITING
from ktw.policy import read_policy
from ktw.store import Project

_MOST_READ = 20


def saved_and_waiting(
    project: Project, names: Sequence[str], is_new: Callable[[str], bool]
) -> list[Candidate]:
    """The memory files of these names that wait for a person; `is_new` is asked with the hash of
    each one's words."""
    found = []
    for name in names[:_MOST_READ]:
        try:
            one = candidate(project, name)
        except KtwError:
            continue
        if one.verdict.name in WAITING and is_new(one.file.computed_hash):
            found.append(one)
    return found


def show_saved(project: Project, session: str, waiting: Sequence[Candidate], now: datetime) -> str:
    """What the person is shown of these, "" where none waits; raises as `chat.offer` does."""
    if not waiting:
        return ""
    offered = offer(project, session, waiting, now)
    if offered is not None:
        return offered.text
    whole = [each for each in waiting if fits(each)][:MOST]
    return saved_text(whole, _command(project, whole), len(waiting) - len(whole))


def _command(project: Project, whole: Sequence[Candidate]) -> str:
    if read_policy(project).policy is None:
        return "ktw init, then ktw review"
    ids = [id_ for each in whole for id_ in each.file.ids]
    return f"ktw trust {ids[0].lower()}" if len(whole) == len(ids) == 1 else "ktw review"
