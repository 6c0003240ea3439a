"""The tools that write: an agent's memory, a proposal beside somebody else's, a note of its use.

Stamps `agent` and the writer's name, whatever a call says.
"""

from dataclasses import asdict

from ktw.errors import UsageError
from ktw.mcp.answers import Answer, Call
from ktw.mcp.wire import Json
from ktw.names import unportable
from ktw.operations import changing, reinforcing, writing

_UNAPPROVED = "(origin: {}, unapproved)"


def write(call: Call) -> Answer:
    """Keep a memory."""
    return _written(call, call.get("body"), call.get("kind", "decision"))


def learn(call: Call) -> Answer:
    """Keep a procedure after it was used."""
    trigger, steps, outcome = (call.get(name) for name in ("trigger", "steps", "outcome"))
    body = writing.after_action(trigger, steps, outcome, call.get("lessons", ""))
    return _written(call, body, "skill")


def _written(call: Call, body: str, kind: str) -> Answer:
    why = unportable(call.get("topic", ""))
    if why:
        raise UsageError(f"the topic {why}", "Name it with a-z, 0-9 and '-'.")
    draft = writing.Draft(
        title=call.get("title"),
        body=body,
        kind=kind,
        origin=writing.lowered("agent", call.get("origin")),
        agent=call.agent,
        topic=call.get("topic", ""),
        source=call.get("source", ""),
        tags=tuple(call.get("tags", ())),
        derived_from=tuple(call.get("derived_from", ())),
        proposes=call.get("proposes", ""),
        evidence=call.get("evidence", ""),
        insist=call.get("force", False),
    )
    written = writing.remember(call.project, draft, call.session.now())
    data = _as_data(written)
    return Answer(_told(f"Wrote {written.path}  {written.id}", written), data)


def update(call: Call) -> Answer:
    """Give a memory other words, or propose them."""
    words = changing.Words(call.get("body"), call.get("title", ""), call.get("source", ""))
    done = changing.update(call.project, call.get("id"), words, call.agent, call.session.now())
    what = f"Changed {done.written.id}"
    if done.proposes is not None:
        what = f"Proposed {done.written.id} for {done.proposes}, which is left as it is"
    kept = {key: _as_data(done.written)[key] for key in ("id", "origin", "warnings")}
    return Answer(_told(what, done.written), kept | {"proposes": done.proposes})


def reinforce(call: Call) -> Answer:
    """Note that a memory helped, as an agent may say it."""
    evidence = call.get("evidence", "self-report")
    done = reinforcing.reinforce(
        call.project, call.get("id"), evidence, call.agent, call.session.now()
    )
    told = f"Noted {done.evidence} for {done.address}: it counts for {done.counts_for}"
    return Answer(told, {"id": done.address, **_others(done)})


def pin(call: Call) -> Answer:
    """Keep a memory from fading, or take that back."""
    done = reinforcing.pin(
        call.project, call.get("id"), call.get("pinned", True), call.agent, call.session.now()
    )
    state = "pinned" if done.pinned else "not pinned"
    told = f"{done.address} is {state}{'' if done.changed else ', as it was'}"
    return Answer(told, {"id": done.address, **_others(done)})


def _others(done: reinforcing.Reinforced | reinforcing.Pinned) -> Json:
    """All that was answered but the address, and what is a person's alone: a proof given again."""
    told = done._asdict().items()
    return {name: value for name, value in told if name not in ("address", "again")}


def _as_data(written: writing.Written) -> Json:
    data = asdict(written) | {"warnings": list(written.warnings)}
    return {key: value for key, value in data.items() if key != "content_hash"}


def _told(what: str, written: writing.Written) -> str:
    first = f"{what}  {_UNAPPROVED.format(written.origin)}"
    return "\n".join([first, *(f"[{warning}]" for warning in written.warnings)])
