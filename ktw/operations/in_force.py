"""What is in force though the work tree does not hold it: approved words edited, lapsed or gone.

Silencing a rule is an attack as much as forging one. The words are read from git, hashed and judged
at each call; only a person's approval of other words, a revocation, or the trust ref ends them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ktw.beside import NOTHING, Beside
from ktw.catalogue import Place
from ktw.displaced import Displaced, displaced
from ktw.entries import Entry
from ktw.evidence import Evidence
from ktw.fields import breaks_approval
from ktw.git import GitFailed
from ktw.index import Snapshot
from ktw.memory import MemoryFile, address, parse_memory
from ktw.operations.finding import NotFound, find_memory, read_file
from ktw.render import Reading
from ktw.search import Hit
from ktw.store import Project
from ktw.trust import Facts, Policy, Verdict, Version, judge, short_ref

GONE, UNREADABLE = "not in this work tree", "unreadable here"
EDITED = "edited here: shown is the approved text, the edit needs a review"
RENAMED, TWICE = "under another name here", "its Id stands twice here"
UNAPPROVED = "its approval taken out here"
MOVED = "this work tree keeps its memories elsewhere"


Parts = tuple[tuple[str, float], ...]


class Standing(NamedTuple):
    """One memory in force in words from git. `edit`: what the work tree holds in its place;
    `twin`: that it is the same words in the same place, which only do not count as they stand."""

    name: str
    reading: Reading
    at: str
    state: str
    edit: Reading | None = None
    twin: bool = False


class InForce:
    """All of a moment; `beside`: their words, to be searched together with those of files."""

    def __init__(self, standing: Sequence[Standing] = (), beside: Beside = NOTHING) -> None:
        self.standing, self.beside = standing, beside

    @cached_property
    def readings(self) -> Mapping[str, list[Reading]]:
        """Document name to what stands in it."""
        found: dict[str, list[Reading]] = {}
        for each in self.standing:
            found.setdefault(each.name, []).append(each.reading)
        return found

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, str], Standing]:
        return {(each.name, each.reading.entry.anchor): each for each in self.standing}

    @cached_property
    def _twins(self) -> frozenset[tuple[str, str]]:
        edits = (each.edit for each in self.standing if each.twin and each.edit is not None)
        return frozenset(place_of(edit) for edit in edits)

    def of(self, place: Place) -> Standing | None:
        """What stands at a place of the joined catalogue."""
        return self._by_place.get((place.name, place.row.anchor))

    def named(self, project: Project, reference: str) -> list[Reading]:
        """What a reference names among them, all of a file by the file's name."""
        stem = reference.strip().removeprefix(f"{project.context_name}/").removesuffix(".md")
        whole = [one.reading for one in self.standing if one.reading.file.slug == stem]
        if whole:
            return whole
        try:
            place = find_memory(project, self.beside.catalogue(), reference)
        except NotFound:
            return []
        return [self._by_place[place.name, place.row.anchor].reading]

    def repeats(self, path: str, anchor: str) -> bool:
        """True for a memory of the work tree that would only say again what is in force."""
        return (path, anchor) in self._twins


def in_force(project: Project, evidence: Evidence, snapshot: Snapshot) -> InForce:
    """The approved words that count in this clone and that no approved file here holds.

    Nothing in a clone without a policy. One memory (Id, or place without one) stands once: as HEAD
    has it where this clone's own approval says so, else as the trust ref has it.
    """
    rows = displaced(evidence, snapshot.catalogue, snapshot.directory is not None)
    if not rows:
        return InForce()
    standing = list(_standing(_Here(project, evidence, snapshot), evidence, rows))
    files: dict[str, MemoryFile] = {}
    for each in standing:
        before = files[each.name].entries if each.name in files else ()
        kept = (*before, each.reading.entry) if each.reading.file.entries else ()
        files[each.name] = each.reading.file._replace(entries=kept)
    return InForce(standing, Beside(list(files.items())))


def _standing(here: "_Here", evidence: Evidence, rows: Sequence[Displaced]) -> Iterator[Standing]:
    taken: set[str] = set()
    for row in rows:
        file, verdict = _judged(evidence, row)
        if file is None or not verdict.approved:
            continue
        for entry in file.memories:
            id_ = address(file.path, entry)
            if id_ not in taken and not here.answers(file, entry):
                taken.add(id_)
                yield here.standing(file, entry, verdict, row.at_ref)


def _judged(evidence: Evidence, row: Displaced) -> tuple[MemoryFile | None, Verdict]:
    """A file read from git and the verdict on it; what `merged` says is the trust ref's to say."""
    nothing = Verdict("unapproved")
    try:
        data = evidence.objects.blob(row.oid)
    except GitFailed:
        return None, nothing
    file = parse_memory(row.path, data)
    if row.at_ref:
        return file, _at_ref(evidence, file, row.shares_id)
    verdict = evidence.verdict(file, data, row.shares_id)
    return file, nothing if verdict.method == "merged" else verdict


def _at_ref(evidence: Evidence, file: MemoryFile, shares_id: bool) -> Verdict:
    """The verdict on words that were read from the trust ref, by `merged` alone."""
    policy = evidence.reading.policy
    assert policy is not None
    facts = Facts(
        bool(file.trusted_at) and not file.problems,
        file.content_hash == file.computed_hash,
        Policy(policy.trust_ref, ("merged",)),
        revoked_here=file.computed_hash in evidence.revoked,
        shares_id=shares_id,
        fields_hold=not breaks_approval(file),
        revoked_unreadable=evidence.revoked_unreadable,
        at_ref=Version("same", True),
        merged_by=evidence.merged_by(file.path),
    )
    return judge(facts)


class _Here:
    """What the work tree holds in the place of a memory, read and judged once a file."""

    def __init__(self, project: Project, evidence: Evidence, snapshot: Snapshot) -> None:
        self._project, self._evidence = project, evidence
        self._catalogue, self._carriers = snapshot.catalogue, snapshot.catalogue.carriers()
        self._read: dict[str, list[Reading]] = {}

    def answers(self, file: MemoryFile, entry: Entry) -> bool:
        """True where an approved file here stands in its place: under its name, or with its Id."""
        names = [name for name in (self._name(file), *self._carrying(entry)) if name is not None]
        return any(one.verdict.approved for name in names for one in self._readings(name))

    def standing(self, file: MemoryFile, entry: Entry, verdict: Verdict, at_ref: bool) -> Standing:
        policy = self._evidence.reading.policy
        ref = (policy and policy.trust_ref) or ""
        edit, state = self._instead(file, entry)
        reading = Reading(file, entry, verdict._replace(reasons=(*verdict.reasons, state)))
        at = short_ref(ref) if at_ref else "HEAD"
        twin = edit is not None and _same_words(edit, reading)
        return Standing(f"{at}:/{file.path}", reading, at, state, edit, twin)

    def _instead(self, file: MemoryFile, entry: Entry) -> tuple[Reading | None, str]:
        """What a reader may take for the memory here, and in a few words what became of it."""
        name, carrying = self._name(file), self._carrying(entry)
        if name is not None and name in self._catalogue:
            there = self._readings(name)
            edit = _counterpart(there, entry)
            if edit is None:
                return None, UNREADABLE
            return edit, _state(edit, file)
        moved = MOVED if name is None else GONE
        others = [one for other in carrying for one in self._readings(other)]
        edit = _counterpart(others, entry)
        return edit, RENAMED if edit is not None and name is not None else moved

    def _name(self, file: MemoryFile) -> str | None:
        directory, _, name = file.path.rpartition("/")
        return name if directory == self._project.context_name else None

    def _carrying(self, entry: Entry) -> Sequence[str]:
        return self._carriers.get(entry.id.lower(), ()) if entry.id else ()

    def _readings(self, name: str) -> list[Reading]:
        if name not in self._read:
            known = name in self._catalogue
            self._read[name] = read_file(self._project, self._evidence, name) if known else []
        return self._read[name]


def _state(edit: Reading, file: MemoryFile) -> str:
    if edit.file.computed_hash != file.computed_hash:
        return EDITED
    return TWICE if edit.file.trusted_at else UNAPPROVED


def _counterpart(readings: Sequence[Reading], entry: Entry) -> Reading | None:
    """The one with the Id, else with the heading, else the first."""
    wanted = (entry.id or "").lower()
    by_id = [one for one in readings if wanted and (one.entry.id or "").lower() == wanted]
    by_anchor = [one for one in readings if one.entry.anchor == entry.anchor]
    return next(iter([*by_id, *by_anchor, *readings]), None)


def _same_words(one: Reading, other: Reading) -> bool:
    return one.file.path == other.file.path and one.file.computed_hash == other.file.computed_hash


def with_edits(
    in_force: InForce, hits: Sequence[Hit], readings: Sequence[Reading | None]
) -> Iterator[tuple[float, Parts, Reading]]:
    """What was found; behind a memory in force comes what the work tree holds instead of it."""
    rows = [(hit, in_force.of(hit.place), one) for hit, one in zip(hits, readings, strict=True)]
    edits = {place_of(each.edit) for _, each, _ in rows if each and each.edit and not each.twin}
    alone = {
        place_of(one): (hit.score, hit.parts)
        for hit, each, one in rows
        if one is not None and each is None
    }
    told: set[tuple[str, str]] = set()
    for hit, each, one in rows:
        if one is not None and (each is not None or place_of(one) not in edits):
            yield hit.score, hit.parts, one
        edit = each.edit if each is not None else None
        if edit is not None and place_of(edit) in edits - told:
            told.add(place_of(edit))
            yield *alone.get(place_of(edit), (0.0, ())), edit


def place_of(reading: Reading) -> tuple[str, str]:
    """Path and anchor."""
    return reading.file.path, reading.entry.anchor
