"""Trust and untrust: a person approves exactly the words that were shown, or withdraws it.

Refuses what would not be an act of a person or could not be recorded whole.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.runner import check_draft
from ktw import ledger
from ktw.catalogue import Catalogue
from ktw.errors import KtwError, Refused, UsageError, visible
from ktw.evidence import Evidence, shared
from ktw.fields import field_problems
from ktw.frontmatter import Problem, split
from ktw.git import GitFailed, run
from ktw.index import refresh
from ktw.memory import MemoryFile, edit_memory, parse_memory
from ktw.operations.finding import find_memory
from ktw.store import Changed, Project, name_of, read_bytes, replace, restyle
from ktw.trust import Approval, Verdict

TYPED_DIGITS = 6


@dataclass(frozen=True)
class Candidate:
    """A memory file as it is shown for approval: its bytes, its hash, what is to be noticed."""

    file: MemoryFile
    data: bytes
    verdict: Verdict
    findings: tuple[Finding, ...]
    shared_ids: frozenset[str] = frozenset()

    @property
    def digest(self) -> str:
        """The hex digits of the content hash that the person confirms."""
        return self.file.computed_hash.removeprefix("sha256:")

    @property
    def key(self) -> str:
        """What the person types."""
        return self.digest[:TYPED_DIGITS]


@dataclass(frozen=True)
class Outcome:
    """What an approval or a withdrawal did; `verdict` is the one that holds now."""

    path: str
    verdict: Verdict
    commit: str | None
    notes: tuple[str, ...] = ()


def refuse_without_person(person: bool, agent: str | None) -> None:
    """Raise Refused unless a person sits at a terminal that no agent drives."""
    if agent is not None:
        raise Refused(
            f"approval is a person's act, and this process runs under {agent}",
            "Ask the person to run it in a terminal of their own.",
        )
    if not person:
        raise Refused(
            "approval needs a person at a terminal, and there is none here",
            "Run it in a terminal, where the text can be shown and its hash typed.",
        )


def candidate(project: Project, reference: str) -> Candidate:
    """The memory file that `reference` names, ready to be shown; raises NotFound and UsageError.

    A file is approved whole, so its own name is enough where it holds several memories.
    """
    snapshot = refresh(project)
    try:
        name = _file_named(project, snapshot.catalogue, reference)
        ids = shared(snapshot.catalogue.files_per_id())
    finally:
        snapshot.close()
    data = read_bytes(project, name)
    file = parse_memory(f"{project.context_name}/{name}", data)
    with Evidence(project, lambda: ids) as evidence:
        verdict = evidence.verdict(file, data)
    return Candidate(file, data, verdict, check_draft(file), ids)


def _file_named(project: Project, catalogue: Catalogue, reference: str) -> str:
    wanted = reference.strip().removeprefix(f"{project.context_name}/").removesuffix(".md")
    if f"{wanted}.md" in catalogue and catalogue.numbers(f"{wanted}.md"):
        return f"{wanted}.md"
    return find_memory(project, catalogue, reference).name


def check_possible(project: Project, chosen: Candidate) -> None:
    """Raise where an approval could not be recorded or would not hold."""
    from ktw.git.writing import identity

    with Evidence(project) as evidence:
        reading = evidence.reading
        revoked = chosen.file.computed_hash in (evidence.revoked_here | evidence.revoked_at_ref)
    if reading.policy is None:
        raise UsageError(f"this clone has no approval policy: {reading.why}", reading.todo)
    _refuse_half_done(project)
    identity(project.repository)
    if revoked:
        raise Refused(
            "these very words were revoked; approving them again would change nothing",
            "If that was a mistake, have its line in the `revoked` list removed in a review.",
        )
    if chosen.shared_ids.intersection(id_.lower() for id_ in chosen.file.ids):
        raise KtwError(
            f"another file carries the Id of {visible(chosen.file.path)}: neither can be approved",
            "Remove one of the two, or give it an Id of its own.",
        )
    faults = [*chosen.file.problems, *_field_faults(chosen.file)]
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


def _refuse_half_done(project: Project) -> None:
    from ktw.git.writing import operation_in_progress

    half_done = operation_in_progress(project.repository)
    if half_done:
        raise KtwError(f"{half_done} is in progress here", "Finish or abort it, then try again.")


def stands_on_trust_branch(project: Project) -> bool:
    """True where a commit made now would land on the branch that counts as reviewed."""
    from ktw.git.writing import head_ref, upstream_ref

    with Evidence(project) as evidence:
        policy = evidence.reading.policy
    if policy is None or policy.trust_ref is None:
        return False
    return policy.trust_ref in (head_ref(project.repository), upstream_ref(project.repository))


def _field_faults(file: MemoryFile) -> Sequence[Problem]:
    return [fault for fault in field_problems(file) if fault.kind != "field-missing"]


def approve(
    project: Project, chosen: Candidate, typed: str, now: datetime, commit: bool = True
) -> Outcome:
    """Record that a person approved the words of `chosen`: claim, commit, ledger.

    `typed` are the first digits of the hash that was shown. Raises Refused for other digits,
    Changed where the file is no longer what was shown, GitFailed where git refuses the commit:
    then the file is as it was before.
    """
    from ktw.git.writing import identity, write_files

    check_possible(project, chosen)
    check_typed(chosen, typed)
    who, at = identity(project.repository), now.strftime("%Y-%m-%dT%H:%M:%SZ")
    changes = [("trusted_at", at), ("trusted_by", who)]
    if chosen.file.origin is None:
        changes.insert(0, ("origin", "imported"))
    made, data = _rewritten(project, chosen, changes)
    if made.computed_hash != chosen.file.computed_hash and chosen.file.origin is not None:
        raise Changed("the words changed while they were approved", "Nothing was written.")
    commit_id = _write(project, chosen, made, data, "Approve", commit)
    notes: list[str] = []
    with Evidence(project) as evidence:
        policy = evidence.reading.policy
        subject = evidence.subject(made)
    if policy is not None and "local" in policy.methods:
        files = ledger.ledger_files([subject], Approval(who, at))
        write_files(project.repository, ledger.REF, files, f"Approve {made.computed_hash}")
    if policy is not None and "merged" in policy.methods:
        notes.append("it counts for everyone once it is merged to the trust ref")
    notes += _left_uncommitted(project) if commit_id else []
    verdict = _verdict_now(project, made.path, chosen.shared_ids)
    return Outcome(made.path, verdict, commit_id, tuple(notes))


def _left_uncommitted(project: Project) -> list[str]:
    """What a reader of the commit would miss: a new file's row in index.md is another change."""
    page = project.git_path(f"{project.context_name}/index.md")
    changed = run(project.repository, "status", "--porcelain", "-z", "--", f":(literal,top){page}")
    return [f"{visible(page)} holds changes that are not in this commit"] if changed else []


def check_withdrawal(chosen: Candidate) -> None:
    """Raise Refused where the memory claims no approval."""
    if not (chosen.file.trusted_at or chosen.file.trusted_by):
        raise Refused("that memory claims no approval", "There is nothing to withdraw.")


def withdraw(project: Project, chosen: Candidate, commit: bool = True) -> Outcome:
    """Take a claim out of a memory file, and out of this clone's ledger.

    Raises Refused where there is none.
    """
    _refuse_half_done(project)
    check_withdrawal(chosen)
    made, data = _rewritten(project, chosen, [("trusted_at", None), ("trusted_by", None)])
    commit_id = _write(project, chosen, made, data, "Withdraw the approval of", commit)
    _forget(project, chosen.file)
    return Outcome(made.path, _verdict_now(project, made.path), commit_id)


def _forget(project: Project, file: MemoryFile) -> None:
    """Take an approval out of the ledger: an old copy of the file must not speak as approved."""
    from ktw.git.writing import write_files

    with Evidence(project) as evidence:
        subject = evidence.subject(file)
        if not evidence.is_in_ledger(file):
            return
    files = {subject.record_path: None}
    write_files(project.repository, ledger.REF, files, f"Withdraw {file.computed_hash}")


def _rewritten(
    project: Project, chosen: Candidate, changes: Sequence[tuple[str, str | None]]
) -> tuple[MemoryFile, bytes]:
    text = edit_memory(chosen.file.text, changes)
    body_line = split(text).body_line
    data = restyle(text, chosen.data, chosen.file.body_line, body_line)
    return parse_memory(chosen.file.path, data), data


def _write(
    project: Project, chosen: Candidate, made: MemoryFile, data: bytes, verb: str, commit: bool
) -> str | None:
    """Replace the file and commit it alone; where the commit fails, the file is put back."""
    from ktw.git.writing import commit_paths

    path = project.context / name_of(project, chosen.file.path)
    replace(path, data, chosen.data)
    if not commit:
        return None
    message = f"{verb} memory {visible(', '.join(made.ids) or made.slug, 60)}"
    if verb == "Approve":
        message += f"\n\nMemory-Approved: {made.computed_hash}"
    done = False
    try:
        made_commit = commit_paths(project.repository, [project.git_path(made.path)], message)
        done = True
    except GitFailed as error:
        if not _holds(path, data):
            raise _changed_by_hook(error, made) from error
        todo = error.todo or "Nothing was approved or withdrawn: the file is as it was."
        raise GitFailed(error.asked, error.reason, todo) from error
    finally:
        if not done and _holds(path, data):
            replace(path, chosen.data, data)
    return made_commit


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _changed_by_hook(error: GitFailed, made: MemoryFile) -> GitFailed:
    return GitFailed(
        error.asked,
        error.reason,
        f"Meanwhile {visible(made.path)} was changed, by a hook it seems: it was left like that, "
        "with a claim that does not count. Look at it, then approve what it says now.",
    )


def _verdict_now(project: Project, path: str, shared_ids: Collection[str] = ()) -> Verdict:
    data = read_bytes(project, name_of(project, path))
    with Evidence(project, lambda: shared_ids) as evidence:
        return evidence.verdict(parse_memory(path, data), data)
