"""Examine what approval rests on in this clone: policy, methods, trust ref, signing, chat."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from ktw.chat_words import SWITCH, chat_words
from ktw.errors import KtwError
from ktw.evidence import Evidence
from ktw.keygen import program, version
from ktw.operations.signing import NAME_KEY
from ktw.operations.state import last_fetch
from ktw.operations.symptoms import State, Symptom, symptom
from ktw.operations.worth import Ground, ground, method_worth
from ktw.policy import PolicyReading, stated_policy
from ktw.signers import Signers
from ktw.store import Project
from ktw.text.counting import counted
from ktw.trust import METHODS, Policy

_STALE = timedelta(days=14)
_OLDEST_SSH = (8, 8)  # the first that knows validity dates of keys
_NOTHING = "backs nothing"
_WEAK = {
    "a ref of this clone": "Name a branch that is reviewed elsewhere: ktw init --remote NAME",
    "you cannot sign": f"git config --global gpg.format ssh; git config --global {NAME_KEY}",
}


def examine_approval(project: Project, now: datetime) -> Iterator[Symptom]:
    """The policy, each method's worth, and how old the trust ref is."""
    with Evidence(project) as evidence:
        reading, rests_on = evidence.reading, ground(evidence, whole=True)
    yield _policy(project, reading)
    for method in METHODS:
        yield _worth(method, reading.policy, rests_on)
    if reading.policy is not None and rests_on.has_trust_ref:
        yield from _freshness(last_fetch(project, reading), now)
    yield from _ssh(reading.policy)
    yield _identity(project)
    yield _chat(project)


def _policy(project: Project, reading: PolicyReading) -> Symptom:
    policy = reading.policy
    if policy is None:
        state: State = "bad" if reading.faults or reading.elsewhere else "warn"
        return symptom(state, "policy", "none in this clone: {}", reading.why, todo=reading.todo)
    stated, _ = stated_policy(project.repository)
    place = "this clone's git config" if stated.policy is not None else "ktw.trustedRemote"
    return symptom("ok", "policy", f"{', '.join(policy.methods)}, from {place}")


def _worth(method: str, policy: Policy | None, rests_on: Ground) -> Symptom:
    worth, public = (method_worth(method, each) for each in (rests_on, _masked(rests_on)))
    if policy is None or method not in policy.methods:
        return Symptom("ok", method, f"not used here; {worth}", f"not used here; {public}")
    if worth.startswith(_NOTHING):
        todo = "Mend that, or leave the method out: ktw init --approval METHOD"
        return Symptom("bad", method, worth, public, todo)
    todo = next((todo for weakness, todo in _WEAK.items() if weakness in worth), "")
    return Symptom("warn" if todo else "ok", method, worth, public, todo)


def _masked(rests_on: Ground) -> Ground:
    """The same ground without a name that somebody chose."""
    ref, signers, signing = rests_on.trust_ref, rests_on.signers, rests_on.signing
    if ref is not None:
        ref = "refs/remotes/REMOTE/BRANCH" if ref.startswith("refs/remotes/") else "refs/REF"
    if signers.allowed is not None:
        signers = Signers(Path("SIGNERS"))
    known = signing in ("", "hardware", "software")
    return rests_on._replace(
        trust_ref=ref, signers=signers, signing=signing if known else "no key that can be used"
    )


def _freshness(fetched: datetime | None, now: datetime) -> Iterator[Symptom]:
    if fetched is None:
        return
    age = now - fetched
    told = f"last fetched {fetched:%Y-%m-%d}, {counted(max(age.days, 0), 'day')} ago"
    stale = age > _STALE
    todo = "git fetch, so that what was approved or revoked since counts" if stale else ""
    yield symptom("warn" if stale else "ok", "trust-ref", told, todo=todo)


def _ssh(policy: Policy | None) -> Iterator[Symptom]:
    needed = policy is not None and "signed" in policy.methods
    if not program():
        state: State = "bad" if needed else "ok"
        yield symptom(state, "ssh-keygen", "not on the PATH", todo="Install OpenSSH's client.")
        return
    found = version()
    told = ".".join(map(str, found)) or "of an unknown version"
    old = needed and found < _OLDEST_SSH
    todo = "Install OpenSSH 8.8 or newer: older ones know no validity dates." if old else ""
    yield symptom("warn" if old else "ok", "ssh-keygen", f"OpenSSH {told}", todo=todo)


def _identity(project: Project) -> Symptom:
    from ktw.git.writing import identity

    try:
        return symptom("ok", "identity", "you approve as {}", identity(project.repository))
    except KtwError as error:
        return symptom("warn", "identity", "git does not know who you are", todo=error.todo)


def _chat(project: Project) -> Symptom:
    words = chat_words(project.repository)
    if not words:
        return symptom("ok", "chat", f"approving in chat is off ({SWITCH})")
    todo = f"To turn it off: git config --unset {SWITCH}"
    told = "approving in chat is on: accident protection, no more"
    return symptom("warn", "chat", told, todo=todo)
