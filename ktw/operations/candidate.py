"""A memory file as it is shown to the person who may approve it. Decides and writes nothing."""

from dataclasses import dataclass

from keep_the_why_lint.finding import Finding
from keep_the_why_lint.runner import check_draft
from ktw.catalogue import Catalogue
from ktw.config import Config
from ktw.evidence import Evidence, shared
from ktw.index import refresh
from ktw.memory import MemoryFile, parse_memory
from ktw.operations.finding import find_memory
from ktw.operations.in_force import InForce, in_force
from ktw.operations.taint import Sources, as_findings
from ktw.store import Project, read_bytes
from ktw.trust import Verdict

TYPED_DIGITS = 6
_SETTLED = frozenset({"P201", "P202"})


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

    @property
    def grave(self) -> tuple[Finding, ...]:
        """The findings that a person has to name in order to approve it all the same.

        What directs is among them also where a claim, which anyone can write, makes it a warning.
        """
        found = self.findings
        return tuple(f for f in found if f.severity == "error" or f.code.startswith(("D", "F")))


def candidate(project: Project, reference: str) -> Candidate:
    """The memory file that `reference` names, ready to be shown; raises NotFound and UsageError.

    A file is approved whole, so its own name is enough where it holds several memories.
    """
    snapshot = refresh(project)
    try:
        name = file_named(project, snapshot.catalogue, reference)
        ids = shared(snapshot.catalogue.files_per_id())
        data = read_bytes(project, name)
        file = parse_memory(f"{project.context_name}/{name}", data)
        with Evidence(project, lambda: ids) as evidence:
            verdict = evidence.verdict(file, data)
            standing = in_force(project, evidence, snapshot) if file.derived_from else InForce()
            taints = Sources(project, evidence, snapshot.catalogue, standing).of(file)
    finally:
        snapshot.close()
    findings = findings_for_approval(file, project.config, as_findings(file, taints))
    return Candidate(file, data, verdict, findings, ids)


def findings_for_approval(
    file: MemoryFile, config: Config | None, taints: tuple[Finding, ...] = ()
) -> tuple[Finding, ...]:
    """What the linter says of a file, without what approving it settles: a hash of other words.

    `taints`: what is to be said of its sources.
    """
    found = (f for f in check_draft(file, config) if f.code not in _SETTLED)
    return (*found, *taints)


def file_named(project: Project, catalogue: Catalogue, reference: str) -> str:
    """The name of the file that `reference` names, itself or by a memory in it."""
    wanted = reference.strip().removeprefix(f"{project.context_name}/").removesuffix(".md")
    if catalogue.holds_memories(f"{wanted}.md"):
        return f"{wanted}.md"
    return find_memory(project, catalogue, reference).name
