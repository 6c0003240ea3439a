"""Gather what a verdict rests on: trust ref, merge bases, ledger, signed and revoked lists.

Asks git only what the policy and the claim call for, and decides nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ktw.approvers import Approvers
from ktw.boundaries import Unreadable, read_regular
from ktw.context_at import context_at
from ktw.fields import claim_holds
from ktw.git import GitFailed, Objects, Setting, merge_bases
from ktw.ledger import Ledger, Subject, records
from ktw.memory import MAX_FILE_BYTES, MemoryFile, parse_memory
from ktw.outlines import Outline, outline
from ktw.policy import PolicyReading, read_policy
from ktw.revoked import REVOKED_FILE, parse_revoked
from ktw.store import Project
from ktw.trust import METHODS, Approval, Backing, Facts, Policy, State, Verdict, Version, judge

if TYPE_CHECKING:
    from ktw.signatures import SignedLists

_UNKNOWN = Version("unknown")


class Evidence:
    """The facts of one moment for one project; close it, or use it as a context manager.

    `shared_ids` gives the Ids that more than one file carries; it is asked at the first claim.
    `many`: for the verdicts of a whole project, without who approved what the trust ref holds.
    `objects`: a way to git that is lent, and left open at the end. `stated`: as for `read_policy`.
    """

    def __init__(
        self,
        project: Project,
        shared_ids: Callable[[], Collection[str]] = frozenset,
        many: bool = False,
        objects: Objects | None = None,
        stated: Sequence[Setting] | None = None,
    ) -> None:
        self.project, self._stated = project, stated
        self._find_shared_ids = shared_ids
        self._objects, self._lent = objects or Objects(project.repository), objects
        self._many = many
        self.revoked_unreadable = False
        self._homes: dict[str, str | None] = {}
        self._lists: SignedLists | None = None
        self._ledger = Ledger(self._objects, records(project.repository) if many else None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the git process behind this, unless it is lent; keep what was found out."""
        if self._lent is None:
            self._objects.close()
        self._ledger.close()
        if self._lists is not None:
            self._lists.close()

    @cached_property
    def reading(self) -> PolicyReading:
        """This clone's policy (one git process, at the first claim)."""
        return read_policy(self.project, self._stated)

    @cached_property
    def _shared_ids(self) -> frozenset[str]:
        return frozenset(id_.lower() for id_ in self._find_shared_ids())

    @property
    def objects(self) -> Objects:
        """git's objects, through the one process that is open here."""
        return self._objects

    def verdict(self, file: MemoryFile, data: bytes, shares_id: bool | None = None) -> Verdict:
        """The verdict on a file whose bytes are `data`: the bytes that are about to be shown.

        `shares_id`: whether another file beside it carries its Id; None: look in the work tree.
        """
        return judge(self.facts(file, data, shares_id))

    def facts(self, file: MemoryFile, data: bytes, shares_id: bool | None = None) -> Facts:
        """What `judge` asks of one file."""
        return self.facts_of(file.path, outline(file, data), shares_id)

    def facts_of(self, path: str, file: Outline, shares_id: bool | None = None) -> Facts:
        """The same, of a file at a project path that is known by its outline."""
        if not file.claimed:
            revoked = file.computed_hash in self.revoked
            return Facts(False, file.hash_matches, None, revoked_here=revoked)
        if self.reading.policy is None:
            return Facts(True, file.hash_matches, None, self.reading.why)
        if shares_id is None:
            shares_id = not self._shared_ids.isdisjoint(id_.lower() for id_ in file.ids)
        return self._claim_facts(path, file, self.reading.policy, shares_id)

    def _claim_facts(self, path: str, file: Outline, policy: Policy, shares: bool) -> Facts:
        """Asks no method once one before it holds; only `merged`, asked first, can withdraw."""
        revoked = file.computed_hash in self.revoked
        unsure = self.revoked_unreadable
        facts = Facts(True, file.hash_matches, policy, "", revoked, shares, file.whole, unsure)
        if revoked or not file.hash_matches or shares or not file.whole or unsure:
            return facts
        if "merged" in policy.methods and policy.trust_ref:
            facts = self._with_merged(facts, path, file)
        for method in policy.methods:
            if method == "local":
                ledger, unreadable = self._ledger.find(self._subject(path, file))
                facts = facts._replace(ledger=ledger, ledger_unreadable=unreadable)
            elif method == "signed":
                facts = facts._replace(signed=self.signed(self._subject(path, file)))
            if METHODS[method](facts, policy).holds:
                break
        return facts

    def _with_merged(self, facts: Facts, path: str, file: Outline) -> Facts:
        at_ref, at_bases, by = self._at(self.trust_tip, path, file), None, None
        if at_ref.state in ("different", "absent"):
            at_bases = self._at_bases(path, file)
        elif at_ref.state == "same":
            by = self.merged_by(path)
        return facts._replace(at_ref=at_ref, at_bases=at_bases, merged_by=by)

    # --- the trust ref ----------------------------------------------------------------------

    @cached_property
    def trust_tip(self) -> str | None:
        """The commit the trust ref stands for, None where this clone does not have it."""
        ref = self.reading.policy.trust_ref if self.reading.policy else None
        try:
            return self._objects.commit(ref) if ref else None
        except GitFailed:
            return None

    def approved_at_ref(self, path: str) -> MemoryFile | None:
        """The trust ref's words at a project path, where `merged` counts and they are approved."""
        policy, tip = self.reading.policy, self.trust_tip
        if policy is None or "merged" not in policy.methods or tip is None:
            return None
        try:
            if self.home(tip) != self.project.context_name:
                return None
            file = self._file(tip, path)
        except GitFailed:
            return None
        holds = file is not None and claim_holds(file) and file.computed_hash not in self.revoked
        return file if holds else None

    def version(self, commit: str, git_path: str, start: str) -> MemoryFile | None:
        """A file as a commit has it, `start` taken off its path; None where git has no such."""
        try:
            data = self._objects.file(commit, git_path)
        except GitFailed:
            return None
        return parse_memory(git_path.removeprefix(start), data) if data is not None else None

    def _file(self, commit: str, path: str) -> MemoryFile | None:
        directory, _, name = self.project.git_path(path).rpartition("/")
        entry = (self._objects.directory(commit, directory) or {}).get(name)
        if entry is None or not entry.is_file:
            return None
        return parse_memory(path, self._objects.blob(entry.oid))

    def home(self, commit: str) -> str | None:
        """The context directory of this project in a commit, one link followed; None without one.

        A branch may name any directory as its own: what lies there was reviewed as something else.
        """
        if commit not in self._homes:
            self._homes[commit] = context_at(self._objects, self.project, commit)
        return self._homes[commit]

    def _at(self, commit: str | None, path: str, ours: Outline) -> Version:
        if commit is None:
            return _UNKNOWN
        directory, _, name = self.project.git_path(path).rpartition("/")
        try:
            if self.home(commit) != self.project.context_name:
                return Version("elsewhere")
            entry = (self._objects.directory(commit, directory) or {}).get(name)
            if entry is None or not entry.is_file:
                return Version("absent")
            if entry.oid in ours.blob_ids:
                return Version("same", True)
            return self._compare(path, self._objects.blob(entry.oid), ours)
        except GitFailed:
            return _UNKNOWN

    def _compare(self, path: str, theirs: bytes, ours: Outline) -> Version:
        file = outline(parse_memory(path, theirs), theirs)
        state: State = "same" if file.plain_id == ours.plain_id else "different"
        return Version(state, file.claim_holds, file.computed_hash in self.revoked)

    def _at_bases(self, path: str, ours: Outline) -> tuple[Version, ...] | None:
        bases = self._merge_bases
        return None if bases is None else tuple(self._at_base(base, path, ours) for base in bases)

    def _at_base(self, commit: str, path: str, ours: Outline) -> Version:
        """How the file stands at a merge base, which need not be a state that was ever reviewed.

        A base may lie inside a branch that was merged as a whole later; its words count only where
        the trust ref stood at a state that holds exactly them.
        """
        version = self._at(commit, path, ours)
        if version.state != "same":
            return version
        reviewed = self._approvers.brought(commit, path)
        return _UNKNOWN if reviewed is None else version if reviewed else Version("different")

    @cached_property
    def _merge_bases(self) -> list[str] | None:
        tip = self.trust_tip
        return merge_bases(self.project.repository, tip) if tip else None

    @cached_property
    def _approvers(self) -> Approvers:
        ref = self.reading.policy.trust_ref if self.reading.policy else None
        return Approvers(self.project, self._objects, self.trust_tip, ref)

    def merged_by(self, path: str) -> Approval | None:
        """Who brought the trust ref's version of a file, where git tells and `many` lets it ask."""
        return None if self._many else self._approvers.of(path)

    # --- ledger and revoked lists ------------------------------------------------------------

    def subject(self, file: MemoryFile) -> Subject:
        """What an approval of this file's words would be bound to."""
        return self._subject(file.path, file)

    def _subject(self, path: str, file: MemoryFile | Outline) -> Subject:
        path = self.project.git_path(path)
        return Subject(self.project.id, path, file.ids, file.computed_hash)

    def is_in_ledger(self, file: MemoryFile) -> bool:
        """True where this clone's ledger lists exactly this file's words in this place."""
        return self._ledger.find(self.subject(file))[0] is not None

    def signed(self, subject: Subject) -> Backing:
        """Whether a signed list beside the memories names exactly this subject."""
        if self._lists is None:
            from ktw.signatures import SignedLists  # only where the policy asks for signatures

            self._lists = SignedLists(self.project, self.reading.signers)
        return self._lists.backing(subject)

    @cached_property
    def revoked(self) -> frozenset[str]:
        """The hashes that either list names."""
        return self.revoked_here | self.revoked_at_ref

    @cached_property
    def revoked_here(self) -> frozenset[str]:
        """The hashes that the working tree's `revoked` list names."""
        path = self.project.context / REVOKED_FILE
        try:
            return parse_revoked(read_regular(path, self.project.context, MAX_FILE_BYTES))
        except Unreadable as error:
            self.revoked_unreadable = error.kind != "missing"
            return frozenset()

    @cached_property
    def revoked_at_ref(self) -> frozenset[str]:
        """The hashes that the trust ref's `revoked` list names, where it keeps its memories."""
        if self.trust_tip is None:
            return frozenset()
        try:
            home = self.home(self.trust_tip) or self.project.context_name
            directory = self.project.git_path(home)
            entry = (self._objects.directory(self.trust_tip, directory) or {}).get(REVOKED_FILE)
            if entry is None:
                return frozenset()
            if entry.is_file:
                return parse_revoked(self._objects.blob(entry.oid))
        except GitFailed:
            pass
        self.revoked_unreadable = True
        return frozenset()


def shared(ids: Mapping[str, int]) -> frozenset[str]:
    """The Ids that more than one file carries, from a count of files per Id; in lower case."""
    count: Counter[str] = Counter()
    for id_, files in ids.items():
        count[id_.lower()] += files
    return frozenset(id_ for id_, files in count.items() if files > 1)
