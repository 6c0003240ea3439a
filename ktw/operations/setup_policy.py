"""The approval policy that init would write for this clone, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ktw.errors import UsageError, visible
from ktw.git import Repository
from ktw.operations.signing import SET_SIGNERS, signing_key
from ktw.policy import default_branch, read_policy, stated_policy
from ktw.signers import ALLOWED, Signers
from ktw.store import Project
from ktw.trust import Policy, short_ref


@dataclass(frozen=True)
class PolicyPlan:
    """The policy that init would write, why, and what stands there now. None: leave it.

    `joins`: the policy of this clone does not name this project yet. `lacks`: what this person
    cannot do yet with a method that was asked for, and how to mend it.
    """

    policy: Policy | None
    reasons: tuple[str, ...]
    current: Policy | None = None
    joins: bool = False
    lacks: tuple[str, ...] = ()

    @property
    def states(self) -> bool:
        """True where methods or trust ref would be written, for all projects of the clone."""
        return self.policy is not None and self.policy != self.current

    @property
    def changes(self) -> bool:
        return self.states or self.joins


def plan_policy(
    repository: Repository,
    project: Project | None,
    name: str,
    urls: Mapping[str, str],
    remote: str | None,
    methods: Sequence[str] = (),
) -> PolicyPlan:
    """A first policy, a stronger one, or the one that stands, joined; never a weaker one.

    Where `methods` are named, exactly those. Raises UsageError where one of them could back nothing
    here.
    """
    if remote is not None and remote not in urls:
        known = visible(", ".join(sorted(urls))) or "none"
        raise UsageError(f"there is no remote {visible(remote)}", f"Remotes here: {known}")
    chosen = remote or (next(iter(urls)) if len(urls) == 1 else None)
    ref = default_branch(repository, chosen) if chosen else None
    stated, named = stated_policy(repository)
    others = [visible(each) for each in named if each != name]
    if stated.faults and (others or repository.displaced()):
        return PolicyPlan(None, (stated.why, stated.todo))
    joins = stated.policy is not None and name not in named
    current = stated.policy or (read_policy(project).policy if project is not None else None)
    if methods:
        exact = _exactly(methods, ref or (current.trust_ref if current else None), stated.signers)
        changes = exact != current
        why = "as you asked" if changes else "the policy of this clone stays as it is"
        lacks = _cannot_sign(repository) if "signed" in exact.methods else ()
        return PolicyPlan(exact, (why, *_shared(others, changes)), current, joins, lacks)
    proposed, reasons = _propose(urls, chosen, ref)
    if stated.elsewhere:
        reasons += (f"what stands here does not count: {stated.why}", stated.todo)
    plan = _strongest(proposed, reasons, current, joins, remote, others)
    return replace(plan, reasons=(*plan.reasons, *_offer(repository, stated.signers, plan)))


def _strongest(
    proposed: Policy,
    reasons: tuple[str, ...],
    current: Policy | None,
    joins: bool,
    remote: str | None,
    others: Sequence[str],
) -> PolicyPlan:
    if current is None:
        return PolicyPlan(proposed, reasons)
    if "merged" not in proposed.methods or (remote is None and current.methods != ("local",)):
        stays = "the policy of this clone stays as it is"
        if joins:
            stays = f"this project joins the policy of this clone: {told(current)}"
        return PolicyPlan(None, (stays, *reasons[1:]) if remote else (stays,), current, joins)
    methods = tuple(dict.fromkeys(("merged", *current.methods)))
    changed = Policy(proposed.trust_ref, methods)
    return PolicyPlan(changed, (*reasons[:1], *_shared(others, changed != current)), current, joins)


def _shared(others: Sequence[str], changes: bool) -> tuple[str, ...]:
    told = f"this holds for the other projects of this clone too: {', '.join(others)}"
    return (told,) if others and changes else ()


def _exactly(methods: Sequence[str], ref: str | None, signers: Signers) -> Policy:
    """The policy of these methods; raises UsageError where one of them could back nothing here."""
    if "merged" in methods and ref is None:
        raise UsageError(
            "`merged` needs a remote whose default branch is known here",
            "Fetch, then git remote set-head NAME --auto; or name one: ktw init --remote NAME",
        )
    if "signed" in methods and signers.allowed is None:
        what = signers.fault or f"no file of allowed signers is set ({ALLOWED})"
        raise UsageError(f"`signed` would back nothing here: {what}", SET_SIGNERS)
    return Policy(ref if "merged" in methods else None, tuple(dict.fromkeys(methods)))


def _offer(repository: Repository, signers: Signers, plan: PolicyPlan) -> tuple[str, ...]:
    """Where git signs with SSH here already: that its signatures could prove approvals."""
    policy = plan.policy or plan.current
    if policy is None or "signed" in policy.methods or signers.allowed is None:
        return ()
    if _cannot_sign(repository):
        return ()
    asked = " ".join(f"--approval {method}" for method in (*policy.methods, "signed"))
    return (f"not signed: your SSH key could prove approvals to other machines: ktw init {asked}",)


def _cannot_sign(repository: Repository) -> tuple[str, ...]:
    """Why this person could sign no list here, and the command that mends it; () where they can."""
    try:
        signing_key(repository)
    except UsageError as error:
        return (f"signed: you cannot approve by it yet: {error.what}", error.todo)
    return ()


def told(policy: Policy) -> str:
    """A policy in a few words."""
    ref = f", trust ref {policy.trust_ref}" if policy.trust_ref else ""
    return f"{', '.join(policy.methods)}{ref}"


def _propose(
    urls: Mapping[str, str], chosen: str | None, ref: str | None
) -> tuple[Policy, tuple[str, ...]]:
    local = "local: what you approve here with `ktw trust` counts in this clone"
    if ref is not None:
        merged = f"merged: an approval that was reviewed and merged to {short_ref(ref)} counts"
        return Policy(ref, ("merged", "local")), (merged, local)
    if chosen is not None:
        why = (
            f"not merged: the default branch of {visible(chosen)} is not known here; fetch, then "
            f"`git remote set-head {visible(chosen)} --auto` and `ktw init` again"
        )
    elif urls:
        names = visible(", ".join(sorted(urls)))
        why = f"not merged: say which remote is reviewed, `ktw init --remote NAME` ({names})"
    else:
        why = "not merged: there is no remote yet; run `ktw init` again once there is one"
    return Policy(None, ("local",)), (local, why)
