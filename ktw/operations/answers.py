"""An answer of recall as data: one shape for `--json`, for the terminal and over a socket."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ktw.operations.answering import Answer


def answer_data(answer: "Answer", explain: bool = False) -> dict[str, Any]:
    """An answer as `--json` prints it (context-schema/output/recall.schema.json)."""
    from ktw.render import as_data, count_omitted  # a warm answer is data already

    results = []
    for found in answer.found:
        data = as_data(found.reading) | {"score": found.score, "text": found.shown.text}
        results.append(data | ({"explain": dict(found.parts)} if explain else {}))
    return {
        "query": answer.question,
        "mode": answer.mode,
        "model": answer.model,
        "results": results,
        "omitted": dict(count_omitted(answer.omitted, answer.withheld, answer.faded)),
        "notices": answer.notices,
    }


def more(answer: Mapping[str, Any]) -> str:
    """How many more there are, in words; "" for none."""
    left = answer["omitted"]
    of_these = f", {left['unapproved']} unapproved" if left["unapproved"] else ""
    return f"{left['results']} more{of_these}" if left["results"] else ""
