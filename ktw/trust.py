"""The verdict on a memory file: pure, facts in, verdict out, in the order of the specification.

Never looks at git, files or the clock: `evidence` gathers what is asked here.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

VerdictName = Literal["approved", "unapproved", "lapsed", "unconfirmed", "revoked", "unknown"]
VERDICTS: tuple[VerdictName, ...] = (
    "approved",
    "unapproved",
    "lapsed",
    "unconfirmed",
    "revoked",
    "unknown",
)
State = Literal["same", "different", "absent", "elsewhere", "unknown"]


class Policy(NamedTuple):
    """What this clone's owner allows: a full trust ref (or None) and methods in order."""

    trust_ref: str | None
    methods: tuple[str, ...]


class Version(NamedTuple):
    """How the file stands at one commit, compared with the working file, line ends aside.

    `elsewhere`: that commit keeps the project's memories in another directory, so whatever lies at
    this path is none. `claim_holds`: that version makes a claim whose hash matches its own words.
    """

    state: State
    claim_holds: bool = False
    revoked: bool = False


class Approval(NamedTuple):
    """An approval on record: who and when, as git or the ledger tell it."""

    by: str
    at: str


class Backing(NamedTuple):
    """What one method says of a claim: True, False, or None where it cannot be told here."""

    holds: bool | None
    reason: str
    approval: Approval | None = None
    revoked: bool = False


class Facts(NamedTuple):
    """All that a verdict rests on, for one file.

    `revoked_here`: its words stand in a `revoked` list. `fields_hold`: its frontmatter is valid.
    `at_ref`, `at_bases`, `ledger`, `signed` are None where the policy does not ask for them.
    """

    claimed: bool
    hash_matches: bool
    policy: Policy | None
    why_no_policy: str = ""
    revoked_here: bool = False
    shares_id: bool = False
    fields_hold: bool = True
    revoked_unreadable: bool = False
    at_ref: Version | None = None
    at_bases: tuple[Version, ...] | None = None
    ledger: Approval | None = None
    ledger_unreadable: bool = False
    merged_by: Approval | None = None
    signed: Backing | None = None


class Verdict(NamedTuple):
    """One of the six verdicts, why, and (when approved) by which method and whom."""

    name: VerdictName
    reasons: tuple[str, ...] = ()
    method: str | None = None
    approval: Approval | None = None

    @property
    def approved(self) -> bool:
        return self.name == "approved"


def judge(facts: Facts) -> Verdict:
    """The verdict on one memory file (context-schema/specification.md, "Approval")."""
    if facts.policy is None and facts.claimed:
        return Verdict("unknown", (f"no approval policy in this clone: {facts.why_no_policy}",))
    if facts.revoked_here:
        return Verdict("revoked", ("its words stand in the list of revoked hashes",))
    if not facts.claimed:
        return Verdict("unapproved", ("nobody has approved it",))
    if not facts.hash_matches:
        return Verdict("lapsed", ("its words are not those that the claim was made for",))
    if facts.revoked_unreadable:
        return Verdict("unknown", ("the list of revoked hashes cannot be read",))
    if not facts.fields_hold:
        return Verdict("unconfirmed", ("a field of its frontmatter is missing or wrong",))
    if facts.shares_id:
        return Verdict("unconfirmed", ("another file carries the same Id",))
    assert facts.policy is not None
    return _ask_methods(facts, facts.policy)


def _ask_methods(facts: Facts, policy: Policy) -> Verdict:
    answers = [(name, METHODS[name](facts, policy)) for name in policy.methods]
    withdrawn = next((answer for _, answer in answers if answer.revoked), None)
    if withdrawn is not None:
        return Verdict("revoked", (withdrawn.reason,))
    for name, answer in answers:
        if answer.holds:
            return Verdict("approved", (f"{name}: {answer.reason}",), name, answer.approval)
    reasons = tuple(f"{name}: {answer.reason}" for name, answer in answers)
    undecided = any(answer.holds is None for _, answer in answers)
    return Verdict("unknown" if undecided else "unconfirmed", reasons)


def short_ref(ref: str) -> str:
    """A full ref name as people say it."""
    return ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")


def _merged(facts: Facts, policy: Policy) -> Backing:
    if policy.trust_ref is None:
        return Backing(False, "no trust ref is set in this clone")
    ref, at_ref = short_ref(policy.trust_ref), facts.at_ref
    if at_ref is None or at_ref.state == "unknown":
        return Backing(None, f"git cannot tell what {ref} holds in this clone")
    if at_ref.state == "same":
        return Backing(True, f"on {ref}", facts.merged_by)
    if at_ref.state == "elsewhere":
        return Backing(False, f"{ref} keeps its memories in another directory")
    return _merged_before(ref, at_ref, facts.at_bases)


def _merged_before(ref: str, at_ref: Version, bases: tuple[Version, ...] | None) -> Backing:
    """For a branch that lags behind: approved as long as the trust ref has not withdrawn it."""
    if bases is None or any(base.state == "unknown" for base in bases):
        return Backing(None, f"not on {ref}, and git cannot tell where the branch left it")
    if not bases or any(base.state != "same" for base in bases):
        return Backing(False, f"this file, with these words, is not on {ref}")
    if at_ref.state == "absent":
        return Backing(False, f"removed on {ref}", revoked=True)
    if at_ref.revoked or not at_ref.claim_holds:
        return Backing(False, f"{ref} holds a version that is no longer approved")
    return Backing(True, f"was on {ref} where this branch left it")


def _local(facts: Facts, policy: Policy) -> Backing:
    if facts.ledger_unreadable:
        return Backing(None, "git cannot read this clone's ledger")
    if facts.ledger is None:
        return Backing(False, "not in this clone's ledger")
    return Backing(True, "in this clone's ledger", facts.ledger)


def _signed(facts: Facts, policy: Policy) -> Backing:
    return facts.signed or Backing(None, "nobody looked for a signed list")


METHODS: Mapping[str, Callable[[Facts, Policy], Backing]] = {
    "merged": _merged,
    "local": _local,
    "signed": _signed,
}
