"""Gather what a verdict rests on: the trust ref, merge bases, the ledger, signed lists, revoked
lists.

Asks git only what the policy and the claim call for, and decides nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ktw.approvers import Approvers
from ktw.boundaries import Unreadable, read_regular
from ktw.context_at import context_at
from ktw.fields import breaks_approval
from ktw.git import GitFailed, Objects, blob_ids, merge_bases
from ktw.ledger import Subject, find_approval
from ktw.memory import MAX_FILE_BYTES, MemoryFile, normalise, parse_memory
from ktw.policy import PolicyReading, read_policy
from ktw.revoked import REVOKED_FILE, parse_revoked
from ktw.store import Project
from ktw.trust import Approval, Backing, Facts, Verdict, Version, judge

if TYPE_CHECKING:
    from ktw.signatures import SignedLists

_UNKNOWN = Version("unknown")


class Evidence:
    """The facts of one moment for one project; close it, or use it as a context manager.

    `shared_ids` gives the Ids that more than one file carries; it is asked at the first claim.
    """

    def __init__(
        self, project: Project, shared_ids: Callable[[], Collection[str]] = frozenset
    ) -> None:
        self.project = project
        self._find_shared_ids = shared_ids
        self._objects = Objects(project.repository)
        self.revoked_unreadable = False
        self._homes: dict[str, str | None] = {}
        self._lists: SignedLists | None = None

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
        """End the git process behind this; keep what was found out about signatures."""
        self._objects.close()
        if self._lists is not None:
            self._lists.close()

    @cached_property
    def reading(self) -> PolicyReading:
        """This clone's policy (one git process, at the first claim)."""
        return read_policy(self.project)

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
        claimed = bool(file.trusted_at or file.trusted_by) and not file.problems
        matches = file.content_hash == file.computed_hash
        if not claimed:
            revoked = file.computed_hash in (self.revoked_here | self.revoked_at_ref)
            return Facts(False, matches, None, revoked_here=revoked)
        if self.reading.policy is None:
            return Facts(True, matches, None, self.reading.why)
        if shares_id is None:
            shares_id = bool(self._shared_ids.intersection(id_.lower() for id_ in file.ids))
        return self._claim_facts(file, data, matches, shares_id)

    def _claim_facts(self, file: MemoryFile, data: bytes, matches: bool, shares: bool) -> Facts:
        policy = self.reading.policy
        assert policy is not None
        revoked = file.computed_hash in (self.revoked_here | self.revoked_at_ref)
        whole = not breaks_approval(file)
        settled = Facts(True, matches, policy, "", revoked, shares, whole, self.revoked_unreadable)
        if revoked or not matches or shares or not whole or self.revoked_unreadable:
            return settled
        at_ref, at_bases = None, None
        if "merged" in policy.methods and policy.trust_ref:
            at_ref = self._at_ref(file.path, data)
            if at_ref.state in ("different", "absent"):
                at_bases = self._at_bases(file.path, data)
        ledger, unreadable = None, False
        if "local" in policy.methods:
            ledger, unreadable = self._ledger(file)
        merged_by = self.merged_by(file.path) if at_ref and at_ref.state == "same" else None
        signed = self.signed(self.subject(file)) if "signed" in policy.methods else None
        return settled._replace(
            at_ref=at_ref,
            at_bases=at_bases,
            ledger=ledger,
            ledger_unreadable=unreadable,
            merged_by=merged_by,
            signed=signed,
        )

    # --- the trust ref ----------------------------------------------------------------------

    @cached_property
    def trust_tip(self) -> str | None:
        """The commit the trust ref stands for, None where this clone does not have it."""
        ref = self.reading.policy.trust_ref if self.reading.policy else None
        try:
            return self._objects.commit(ref) if ref else None
        except GitFailed:
            return None

    def _at_ref(self, path: str, data: bytes) -> Version:
        return self._at(self.trust_tip, path, data)

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
        withdrawn = self.revoked_at_ref | self.revoked_here
        return file if file and claim_holds(file) and file.computed_hash not in withdrawn else None

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

    def _at(self, commit: str | None, path: str, data: bytes) -> Version:
        if commit is None:
            return _UNKNOWN
        directory, _, name = self.project.git_path(path).rpartition("/")
        try:
            if self.home(commit) != self.project.context_name:
                return Version("elsewhere")
            entry = (self._objects.directory(commit, directory) or {}).get(name)
            if entry is None or not entry.is_file:
                return Version("absent")
            if entry.oid in blob_ids(data, len(entry.oid)):
                return Version("same", True)
            return self._compare(path, self._objects.blob(entry.oid), data)
        except GitFailed:
            return _UNKNOWN

    def _compare(self, path: str, theirs: bytes, ours: bytes) -> Version:
        file = parse_memory(path, theirs)
        holds = claim_holds(file)
        same = line_ends_aside(theirs) == line_ends_aside(ours)
        revoked = file.computed_hash in (self.revoked_at_ref | self.revoked_here)
        return Version("same" if same else "different", holds, revoked)

    def _at_bases(self, path: str, data: bytes) -> tuple[Version, ...] | None:
        bases = self._merge_bases
        return None if bases is None else tuple(self._at_base(base, path, data) for base in bases)

    def _at_base(self, commit: str, path: str, data: bytes) -> Version:
        """How the file stands at a merge base, which need not be a state that was ever reviewed.

        A base may lie inside a branch that was merged as a whole later; its words count only where
        a first-parent commit of the trust ref brought exactly them.
        """
        version = self._at(commit, path, data)
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
        return Approvers(self.project, self._objects, self.trust_tip)

    def merged_by(self, path: str) -> Approval | None:
        """Who brought the trust ref's version of a file, where git tells."""
        return self._approvers.of(path)

    # --- ledger and revoked lists ------------------------------------------------------------

    def subject(self, file: MemoryFile) -> Subject:
        """What an approval of this file's words would be bound to."""
        path = self.project.git_path(file.path)
        return Subject(self.project.id, path, file.ids, file.computed_hash)

    def is_in_ledger(self, file: MemoryFile) -> bool:
        """True where this clone's ledger lists exactly this file's words in this place."""
        return self._ledger(file)[0] is not None

    def signed(self, subject: Subject) -> Backing:
        """Whether a signed list beside the memories names exactly this subject."""
        if self._lists is None:
            from ktw.signatures import SignedLists  # only where the policy asks for signatures

            self._lists = SignedLists(self.project, self.reading.signers)
        return self._lists.backing(subject)

    def _ledger(self, file: MemoryFile) -> tuple[Approval | None, bool]:
        try:
            return find_approval(self._objects, self.subject(file)), False
        except GitFailed:
            return None, True

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


def claim_holds(file: MemoryFile) -> bool:
    """True for a claim in a sound file, made for the very words it holds."""
    whole = not file.problems and not breaks_approval(file)
    return bool(file.trusted_at) and whole and file.content_hash == file.computed_hash


def line_ends_aside(data: bytes) -> bytes:
    """The bytes as they are compared: without a BOM, with LF line ends."""
    return normalise(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
