"""What an import would do, or did: a row for each memory of a store, as values and as data.

Decides nothing, reads nothing and writes nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ktw.importers.lost import Lost
from ktw.operations.writing import Composed
from ktw.store import Project, path_of

NEW, PROPOSAL, HERE, LEFT = OUTCOMES = ("new", "proposal", "here", "left")


@dataclass(frozen=True)
class Row:
    """What becomes of one memory of a store. `place` names it and is fit to be shown.

    `file` is what is written of it, None where nothing is; `proposes`: the memory that it wants to
    replace. `fault`: it is left because something is wrong.
    """

    place: str
    outcome: str
    why: str = ""
    fault: bool = False
    id: str = ""
    kind: str = ""
    proposes: str = ""
    file: Composed | None = None
    lost: tuple[Lost, ...] = ()
    claims: tuple[str, ...] = ()
    project: str = ""


@dataclass(frozen=True)
class Plan:
    """What importing would do, or did: a row for each memory, and what is to be said of all."""

    project: Project
    source: str
    rows: tuple[Row, ...]
    notices: tuple[str, ...] = ()

    def of(self, *outcomes: str) -> list[Row]:
        return [row for row in self.rows if row.outcome in outcomes]

    @property
    def faults(self) -> list[Row]:
        return [row for row in self.rows if row.fault]


def import_data(plan: Plan, dry_run: bool) -> Mapping[str, Any]:
    """A plan as `--json` prints it (context-schema/output/import.schema.json)."""
    counts = Counter(row.outcome for row in plan.rows)
    return {
        "source": plan.source,
        "dry_run": dry_run,
        "memories": [_row_data(plan.project, row) for row in plan.rows],
        "summary": {outcome: counts[outcome] for outcome in OUTCOMES}
        | {"faults": len(plan.faults), "directive_memories": len(directing(plan))},
        "notices": list(plan.notices),
    }


def _row_data(project: Project, row: Row) -> Mapping[str, Any]:
    return {
        "from": row.place,
        "outcome": row.outcome,
        "reason": row.why or None,
        "fault": row.fault,
        "id": row.id or None,
        "path": path_of(project, row.file.name) if row.file else None,
        "kind": row.kind or None,
        "proposes": row.proposes or None,
        "directive_sentences": row.file.directing if row.file else 0,
        "warnings": [finding.code for finding in row.file.warnings] if row.file else [],
        "lost": [str(one) for one in row.lost],
        "claims": list(row.claims),
    }


def directing(plan: Plan) -> Sequence[Row]:
    """The rows of memories that are written and hold sentences that direct."""
    return [row for row in plan.rows if row.file and row.file.directing]
