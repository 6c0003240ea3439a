"""What a chat may show of the memories that wait, and the approval of one that was shown.

Whether a person may approve in chat here, and did, is for `chat` to say.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from ktw.errors import KtwError
from ktw.offers import Shown
from ktw.operations import approving
from ktw.operations.candidate import Candidate, candidate
from ktw.operations.chat_text import fits
from ktw.operations.queue import WAITING
from ktw.store import Changed, Project
from ktw.trust import Verdict


def choose(
    project: Project, memories: Sequence[Candidate], most: int
) -> tuple[list[Candidate], int]:
    """At most so many that wait, fit a chat and could be approved; how many wait besides."""
    waiting = {each.file.path: each for each in memories if each.verdict.name in WAITING}
    fitting = (each for each in waiting.values() if fits(each) and _is_possible(project, each))
    chosen = list(islice(fitting, most))
    return chosen, len(waiting) - len(chosen)


def _is_possible(project: Project, chosen: Candidate) -> bool:
    try:
        approving.check_possible(project, chosen)
    except KtwError:
        return False
    return True


def as_shown(chosen: Candidate) -> Shown:
    """What an offer keeps of a memory file."""
    file, digest = chosen.file, hashlib.sha256(chosen.data).hexdigest()
    return Shown(file.path, file.ids, file.kind or "", file.computed_hash, digest)


def approve_shown(project: Project, shown: Shown, now: datetime) -> Verdict:
    """Approve a file that is, byte by byte, what was shown; its verdict now.

    Nothing is committed or signed. Raises Changed, and what `approving.approve_all` raises.
    """
    chosen = candidate(project, shown.path)
    if as_shown(chosen) != shown:
        raise Changed("it is not what was shown any more")
    done = approving.approve_all(project, [chosen], now, commit=False, signs=False)
    ((_, verdict),) = done.verdicts
    return verdict
