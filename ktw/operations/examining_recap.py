"""Doctor's word on recaps: whether one can be made here, and what became of the last."""

from collections.abc import Iterator, Mapping

from ktw.cage import CAGES, canary_day, prove
from ktw.notes import note_names
from ktw.operations.recap import is_off, kept_proofs, outcomes
from ktw.operations.symptoms import Symptom, symptom
from ktw.store import Project
from ktw.text.counting import counted


def examine_recap(project: Project, env: Mapping[str, str]) -> Iterator[Symptom]:
    """One line for each agent whose command can be caged at all, one for the last outcome.

    Asks the command for its help where it was not asked before; calls no model.
    """
    kept = len(note_names(project))
    told = counted(kept, "local note")
    if is_off(project):
        yield symptom("ok", "recap", f"off in this clone (git config ktw.recap); {told}")
        return
    for cage in CAGES.values():
        proof = prove(cage, env, project.repository.toplevel, kept_proofs())
        if not proof.program:
            yield symptom("ok", "recap", f"none: {proof.why}; {told}")
        elif proof.why:
            todo = f"Install a newer {cage.program}; until then no session is summed up."
            yield symptom("warn", "recap", f"none: {{}}; {told}", proof.why, todo=todo)
        else:
            day = canary_day(kept_proofs(), proof)
            test = "Test the cage, at the cost of two calls of a model: ktw doctor --isolation"
            shown, todo = (f", shown on {day}", "") if day else (", not yet shown", test)
            what = f"{cage.program} {proof.version} can be caged{shown}; {told}"
            yield symptom("ok", "recap", what, todo=todo)
    last = next(iter(outcomes(project)), None)
    if last is not None and last.result == "failed":
        yield symptom("warn", "recap", "the last one failed: {}", last.why)
