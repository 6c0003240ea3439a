"""Trust: a person approves exactly the words that were shown, one memory or a whole sitting.

Refuses what would not be an act of a person; `recording` writes all of a sitting or none of it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from ktw import ledger
from ktw.errors import KtwError, Refused, UsageError, visible
from ktw.evidence import Evidence
from ktw.fields import obstacles
from ktw.frontmatter import split
from ktw.git import run
from ktw.memory import MemoryFile, edit_memory, parse_memory
from ktw.operations.candidate import Candidate
from ktw.operations.recording import Act, Change, LedgerFiles, record
from ktw.operations.signing import sign_list
from ktw.policy import PolicyReading
from ktw.store import Changed, Project, name_of, read_bytes, restyle
from ktw.trust import Approval, Policy, Verdict


@dataclass(frozen=True)
class Outcome:
    """What an approval or a withdrawal did; `verdict` is the one that holds now."""

    path: str
    verdict: Verdict
    commit: str | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recorded:
    """What the approval of several memories at once did: their verdicts now, in one commit."""

    verdicts: tuple[tuple[str, Verdict], ...]
    commit: str | None
    notes: tuple[str, ...] = ()


def refuse_without_person(person: bool, agent: str | None, act: str = "approval") -> None:
    """Raise Refused unless a person sits at a terminal that no agent drives."""
    if agent is not None:
        raise Refused(
            f"{act} is a person's act, and this process runs under {agent}",
            "Ask the person to run it in a terminal of their own.",
        )
    if not person:
        shown = ", where the text can be shown and its hash typed" if act == "approval" else ""
        raise Refused(
            f"{act} needs a person at a terminal, and there is none here",
            f"Run it in a terminal of your own{shown}.",
        )


def check_possible(project: Project, *chosen: Candidate) -> None:
    """Raise where an approval of these could not be recorded or would not hold."""
    from ktw.git.writing import identity

    with Evidence(project) as evidence:
        _policy_of(evidence.reading)
        revoked = evidence.revoked
    refuse_half_done(project)
    identity(project.repository)
    for each in chosen:
        _check_one(each, revoked)


def _policy_of(reading: PolicyReading) -> Policy:
    if reading.policy is None:
        raise UsageError(f"this clone has no approval policy: {reading.why}", reading.todo)
    return reading.policy


def _check_one(chosen: Candidate, revoked: Collection[str]) -> None:
    if chosen.file.computed_hash in revoked:
        raise Refused(
            "these very words were revoked; approving them again would change nothing",
            "If that was a mistake, have its line in the `revoked` list removed in a review.",
        )
    if chosen.shared_ids.intersection(id_.lower() for id_ in chosen.file.ids):
        raise KtwError(
            f"another file carries the Id of {visible(chosen.file.path)}: neither can be approved",
            "Remove one of the two, or give it an Id of its own.",
        )
    faults = [*chosen.file.problems, *obstacles(chosen.file)]
    if faults:
        raise KtwError(
            f"{visible(chosen.file.path)}:{faults[0].line}: {faults[0].message}",
            "Mend the file first; what cannot be read whole cannot be approved.",
        )


def check_typed(chosen: Candidate, typed: str) -> None:
    """Raise Refused unless `typed` are the first digits of the hash that was shown."""
    if typed.strip().lower() != chosen.key:
        raise Refused(
            "those are not the digits of the hash that was shown", "Nothing was approved."
        )


def refuse_half_done(project: Project) -> None:
    """Raise KtwError while a rebase, a merge or the like is not finished."""
    from ktw.git.writing import operation_in_progress

    half_done = operation_in_progress(project.repository)
    if half_done:
        raise KtwError(f"{half_done} is in progress here", "Finish or abort it, then try again.")


def needs_signature(project: Project) -> bool:
    """True where approving asks for a signature, and so may ask for a passphrase or a touch."""
    with Evidence(project) as evidence:
        policy = evidence.reading.policy
    return policy is not None and "signed" in policy.methods


def stands_on_trust_branch(project: Project) -> bool:
    """True where a commit made now would land on the branch that counts as reviewed."""
    from ktw.git.writing import head_ref, upstream_ref

    with Evidence(project) as evidence:
        policy = evidence.reading.policy
    if policy is None or policy.trust_ref is None:
        return False
    return policy.trust_ref in (head_ref(project.repository), upstream_ref(project.repository))


def approve(
    project: Project,
    chosen: Candidate,
    typed: str,
    now: datetime,
    commit: bool = True,
    person: bool = False,
) -> Outcome:
    """Record that a person approved the words of `chosen`: a sitting of one.

    `typed` are the first digits of the hash that was shown; other digits raise Refused. All else
    is as for `approve_all`.
    """
    check_typed(chosen, typed)
    done = approve_all(project, [chosen], now, commit, person)
    ((path, verdict),) = done.verdicts
    return Outcome(path, verdict, done.commit, done.notes)


def approve_all(
    project: Project,
    chosen: Sequence[Candidate],
    now: datetime,
    commit: bool = True,
    person: bool = False,
    signs: bool = True,
) -> Recorded:
    """Record that a person approved the words of all of these, in one commit.

    Whoever calls it has had the act confirmed. Raises as `approval` does, and GitFailed where git
    refuses the commit: then everything is as it was before.
    """
    act = approval(project, chosen, now, person, signs)
    commit_id = record(project, act, message(act.approved), commit)
    shared_ids = frozenset().union(*(each.shared_ids for each in chosen))
    notes = what_remains(project, bool(commit_id))
    return Recorded(verdicts_now(project, act.approved, shared_ids), commit_id, notes)


def approval(
    project: Project,
    chosen: Sequence[Candidate],
    now: datetime,
    person: bool,
    signs: bool = True,
) -> Act:
    """What approving all of these writes: a claim each, and once for all of them a signed list
    (under `signed`, where it `signs`) and entries of the ledger (under `local`).

    Where a `person` sits at the terminal, signing may ask for a passphrase. Raises what
    `check_possible` raises, Changed where words would change, CannotSign.
    """
    from ktw.git.writing import identity

    if not chosen:
        raise UsageError("no memory was chosen", "Nothing was written.")
    check_possible(project, *chosen)
    who, at = identity(project.repository), now.strftime("%Y-%m-%dT%H:%M:%SZ")
    claims = [_claimed(each, at, who) for each in chosen]
    made = [parse_memory(change.path, change.new) for change in claims]
    with Evidence(project) as evidence:
        policy = _policy_of(evidence.reading)
        subjects = [evidence.subject(file) for file in made]
    entries: LedgerFiles = {}
    if "local" in policy.methods:
        entries = ledger.ledger_files(subjects, Approval(who, at))
    signs = signs and "signed" in policy.methods and bool(subjects)
    lists = sign_list(project, subjects, now, person) if signs else []
    return Act((*claims, *lists), entries, made)


def what_remains(project: Project, committed: bool) -> tuple[str, ...]:
    """What a person should know once an approval is recorded."""
    with Evidence(project) as evidence:
        methods = _policy_of(evidence.reading).methods
    merged = ["it counts for everyone once it is merged to the trust ref"]
    left = _left_uncommitted(project) if committed else []
    return (*(merged if "merged" in methods else []), *left)


def _claimed(chosen: Candidate, at: str, who: str) -> Change:
    changes = [("trusted_at", at), ("trusted_by", who)]
    if chosen.file.origin is None:
        changes.insert(0, ("origin", "imported"))
    change = rewritten(chosen, changes)
    made = parse_memory(change.path, change.new)
    if made.computed_hash != chosen.file.computed_hash and chosen.file.origin is not None:
        raise Changed("the words changed while they were approved", "Nothing was written.")
    return change


def message(made: Sequence[MemoryFile]) -> str:
    """The commit message of an approval, a trailer for each memory."""
    what = f"memory {told_as(made[0])}" if len(made) == 1 else f"{len(made)} memories"
    trailers = "\n".join(f"Memory-Approved: {file.computed_hash}" for file in made)
    return f"Approve {what}\n\n{trailers}"


def told_as(file: MemoryFile) -> str:
    """A memory file as a commit message names it."""
    return visible(", ".join(file.ids) or file.slug, 60)


def _left_uncommitted(project: Project) -> list[str]:
    """What a reader of the commit would miss: a new file's row in index.md is another change."""
    page = project.git_path(f"{project.context_name}/index.md")
    changed = run(project.repository, "status", "--porcelain", "-z", "--", f":(literal,top){page}")
    return [f"{visible(page)} holds changes that are not in this commit"] if changed else []


def rewritten(chosen: Candidate, changes: Sequence[tuple[str, str | None]]) -> Change:
    """The memory's file with these frontmatter keys set or taken out, all else as it is."""
    return edited(chosen.file, chosen.data, changes)


def edited(file: MemoryFile, data: bytes, changes: Sequence[tuple[str, str | None]]) -> Change:
    """As `rewritten`, for a file that was read as `data`; raises NotEditable."""
    text = edit_memory(file.text, changes)
    new = restyle(text, data, file.body_line, split(text).body_line)
    return Change(file.path, data, new)


def verdicts_now(
    project: Project, files: Sequence[MemoryFile], shared_ids: Collection[str] = ()
) -> tuple[tuple[str, Verdict], ...]:
    """The verdicts that hold now, by path, on bytes read now."""
    with Evidence(project, lambda: shared_ids) as evidence:
        return tuple((file.path, _verdict_now(project, evidence, file.path)) for file in files)


def _verdict_now(project: Project, evidence: Evidence, path: str) -> Verdict:
    data = read_bytes(project, name_of(project, path))
    return evidence.verdict(parse_memory(path, data), data)
