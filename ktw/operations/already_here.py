"""What a project holds already of what is to be imported: words, places they came from, rejections.

Reads the context directory once; writes nothing and decides nothing.
"""

import hashlib
import json
import uuid

from ktw.entries import parts
from ktw.evidence import Evidence
from ktw.importers.bodies import as_code
from ktw.memory import MemoryFile, is_uuid, parse_memory
from ktw.operations.writing import Composed, Draft, demoted
from ktw.scan import scan
from ktw.store import Project, read_memory

_TAIL = 8  # characters of an Id in a file's name


class Here:
    """What this project holds already: words, places that words came from, names that are taken."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._words: dict[bytes, str] = {}
        self._places: dict[str, list[MemoryFile]] = {}
        self._tails: set[str] = set()  # of file names: the Id's part
        for name in scan(project)[0].names:
            self.add(read_memory(project, name))
        with Evidence(project) as evidence:
            self._rejected = evidence.revoked

    def add(self, file: MemoryFile) -> None:
        self._tails.add(file.slug[-_TAIL:])
        for entry in file.memories:
            self._words.setdefault(_digest(entry.title, parts(entry)[1]), entry.id or file.slug)
        if file.origin == "imported" and file.source:
            self._places.setdefault(file.source, []).append(file)

    def with_words_of(self, draft: Draft) -> str:
        """The memory that says exactly this, "" for none."""
        bodies = (demoted(draft.body), as_code(draft.body))
        found = (self._words.get(_digest(draft.title.strip(), body.strip("\n"))) for body in bodies)
        return next(filter(None, found), "")

    def from_place(self, place: str) -> str:
        """The Id of the memory that was imported from there before, "" for none.

        Of several, one that stands: no proposal, and not superseded; of these the newest.
        """
        found = [file for file in self._places.get(place, ()) if file.ids]
        found.sort(key=lambda file: (not file.proposes, not _is_superseded(file), file.created_at))
        id_ = found[-1].ids[0].lower() if found else ""
        return id_ if is_uuid(id_) else ""

    def were_rejected(self, file: Composed) -> bool:
        return parse_memory(file.name, file.text.encode()).computed_hash in self._rejected

    def new_id(self, draft: Draft) -> str:
        """An Id that follows from the project and the draft, so that who imports the same twice,
        or in two clones, writes the same file."""
        told = [self.project.id, self.project.location, *map(str, vars(draft).values())]
        for salt in range(1000):
            digest = hashlib.sha256(json.dumps([*told, salt]).encode()).digest()
            id_ = str(uuid.UUID(bytes=digest[:16], version=4))
            if id_[:_TAIL] not in self._tails:
                break
        return id_


def _is_superseded(file: MemoryFile) -> bool:
    return any(entry.status == "superseded" for entry in file.entries)


def _digest(title: str, words: str) -> bytes:
    return hashlib.sha256(f"{title}\n{words}".encode("utf-8", "surrogatepass")).digest()
