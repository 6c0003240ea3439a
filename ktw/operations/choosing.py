"""Which memories a revocation is about: by name, source, origin, day, author or commit.

Reads and judges, and asks git for its log at most once; writes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ktw.boundaries import Unreadable
from ktw.catalogue import Catalogue
from ktw.errors import UsageError, visible
from ktw.evidence import Evidence, shared
from ktw.git import GitFailed
from ktw.git.log import Brought, brought, commit_id
from ktw.index import Progress, refresh
from ktw.memory import MemoryFile, parse_memory
from ktw.operations.candidate import Candidate, file_named
from ktw.operations.finding import NotFound, evidence_for
from ktw.operations.in_force import InForce, in_force
from ktw.store import Project, read_bytes


@dataclass(frozen=True)
class Selection:
    """What a person says of the memories that are meant; all that is said must fit.

    `since` is a date or time as memories carry it; `author` a name or a mail address.
    """

    memories: tuple[str, ...] = ()
    source: str | None = None
    origin: str | None = None
    since: str | None = None
    author: str | None = None
    commit: str | None = None

    @property
    def is_empty(self) -> bool:
        return self == Selection()

    def fits(self, file: MemoryFile) -> bool:
        """True where the file itself says nothing else."""
        return (
            (self.source is None or self.source in (file.source or ""))
            and self.origin in (None, file.origin)
            and (self.since is None or (file.created_at or "") >= self.since)
        )


@dataclass(frozen=True)
class Chosen:
    """Memory files of the work tree, and words in force that stand in git alone."""

    here: Sequence[Candidate]
    in_git: Sequence[MemoryFile]

    def __bool__(self) -> bool:
        return bool(self.here or self.in_git)


def choose(project: Project, wanted: Selection, progress: Progress | None = None) -> Chosen:
    """Everything that fits and is not revoked already, in file order.

    Raises UsageError where nothing is said, or a memory or commit is named that is not there.
    """
    if wanted.is_empty:
        raise UsageError(
            "nothing says which memories are meant",
            "Name them, or say --source, --author, --commit, --origin or --since.",
        )
    snapshot = refresh(project, progress)
    with evidence_for(project, snapshot) as evidence:
        standing = in_force(project, evidence, snapshot)
        named = _Named(project, snapshot.catalogue, standing, wanted.memories)
        names = [name for name in snapshot.catalogue.names if named.file(name)]
        candidates = _candidates(project, evidence, snapshot.catalogue, names)
        here = [one for one in candidates if wanted.fits(one.file)]
        in_git = {
            each.reading.file.computed_hash: each.reading.file
            for each in standing.standing
            if wanted.fits(each.reading.file) and named.words(each.reading.file)
        }
        files = [*(one.file for one in here), *in_git.values()]
        written = _written(project, evidence, wanted, files)
    if written is not None:
        here = [one for one in here if one.file.computed_hash in written]
        in_git = {hash_: file for hash_, file in in_git.items() if hash_ in written}
    known = {one.file.computed_hash for one in here}
    return Chosen(here, [file for hash_, file in in_git.items() if hash_ not in known])


class _Named:
    """The files and words that a person named one by one; everything where none was."""

    def __init__(
        self, project: Project, catalogue: Catalogue, standing: InForce, memories: Sequence[str]
    ) -> None:
        self._all = not memories
        self._files: set[str] = set()
        self._words: set[str] = set()
        for reference in memories:
            there = standing.named(project, reference)
            self._words.update(reading.file.computed_hash for reading in there)
            try:
                self._files.add(file_named(project, catalogue, reference))
            except NotFound:
                if not there:
                    raise

    def file(self, name: str) -> bool:
        return self._all or name in self._files

    def words(self, file: MemoryFile) -> bool:
        return self._all or file.computed_hash in self._words


def _candidates(
    project: Project, evidence: Evidence, catalogue: Catalogue, names: Sequence[str]
) -> Iterator[Candidate]:
    """The files that can be read; what is revoked and claims nothing has nothing left to revoke."""
    ids = shared(catalogue.files_per_id())
    for name in names:
        try:
            data = read_bytes(project, name)
        except Unreadable:
            continue
        file = parse_memory(f"{project.context_name}/{name}", data)
        if file.problems:
            continue
        verdict = evidence.verdict(file, data)
        if verdict.name != "revoked" or file.trusted_at or file.trusted_by:
            yield Candidate(file, data, verdict, (), ids)


# --- who wrote the words -----------------------------------------------------------------------


def _written(
    project: Project, evidence: Evidence, wanted: Selection, files: Sequence[MemoryFile]
) -> set[str] | None:
    """The content hashes of words that the author wrote and the commit brought; None: not asked.

    An author wrote words when no other one brought the same words earlier to a file of that name:
    whoever commits an approval has not written what is approved. A commit is taken at its word.
    """
    if wanted.author is None and wanted.commit is None:
        return None
    head = evidence.objects.commit("HEAD")
    tips = [tip for tip in dict.fromkeys((head, evidence.trust_tip)) if tip]
    versions = _Versions(project, evidence, tips)
    hashes = {file.computed_hash for file in files}
    if wanted.commit is not None:
        hashes &= versions.of_commit(_commit(project, wanted.commit))
    if wanted.author is not None:
        hashes &= versions.of_author(wanted.author, hashes)
    return hashes


def _commit(project: Project, revision: str) -> str:
    try:
        return commit_id(project.repository, revision)
    except GitFailed as error:
        raise UsageError(
            f"{visible(revision)} names no commit of this clone", "See them with: git log"
        ) from error


class _Versions:
    """All versions of the memory files in the history, each distinct one parsed at most once."""

    def __init__(self, project: Project, evidence: Evidence, tips: Sequence[str]) -> None:
        self._evidence = evidence
        directory = project.git_path(project.context_name)
        log = brought(project.repository, tips, directory)
        self._log = [row for row in log if row.path.endswith(".md")]
        self._hashes: dict[str, str] = {}

    def of_commit(self, commit: str) -> set[str]:
        """What a commit brought, against any of its parents."""
        return {self._hash(row) for row in self._log if row.commit == commit} - {""}

    def of_author(self, author: str, hashes: set[str]) -> set[str]:
        """Those of the hashes that this author was the first to bring."""
        theirs = {row.path for row in self._log if _is_by(row, author)}
        first: dict[tuple[str, str], Brought] = {}
        for row in self._log:
            if row.path in theirs:
                first.setdefault((row.path, self._hash(row)), row)
        return {hash_ for (_, hash_), row in first.items() if _is_by(row, author)} & hashes

    def _hash(self, row: Brought) -> str:
        if row.oid not in self._hashes:
            try:
                file = parse_memory(row.path, self._evidence.objects.blob(row.oid))
                self._hashes[row.oid] = file.computed_hash
            except GitFailed:
                self._hashes[row.oid] = ""
        return self._hashes[row.oid]


def _is_by(row: Brought, author: str) -> bool:
    names = (row.author, row.email, f"{row.author} <{row.email}>")
    return author.strip().casefold() in (name.casefold() for name in names)
