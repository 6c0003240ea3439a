"""Gather what memories earned in this clone: by merged commits, and by its own marks."""

from ktw.evidence import Evidence
from ktw.marks import marked
from ktw.priors import NOBODY, NOTHING, EarnedBy, joined
from ktw.uses import used


def earned(evidence: Evidence) -> EarnedBy:
    """By name, as commits and notes name memories; nothing in a clone without a policy.

    Asks the git process that `evidence` has open, and starts none.
    """
    if evidence.reading.policy is None:
        return NOBODY
    directory = evidence.project.repository.git_dir / "ktw"
    marks = marked(evidence.objects, directory) if evidence.reading.marks_count else NOBODY
    tip = evidence.trust_tip
    uses = used(evidence.objects, tip, directory) if tip else NOBODY
    names = {**marks, **uses}
    return {name: joined([marks.get(name, NOTHING), uses.get(name, NOTHING)]) for name in names}
