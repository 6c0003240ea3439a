"""What a project holds already of what is to be imported: words, places they came from, rejections.

Reads the context directory once; writes nothing and decides nothing.
"""

import hashlib
import json
import uuid
from typing import NamedTuple

from ktw.entries import parts
from ktw.evidence import Evidence
from ktw.importers.bodies import as_code
from ktw.memory import MemoryFile, is_uuid, parse_memory
from ktw.operations.writing import Composed, Draft, demoted
from ktw.scan import scan
from ktw.store import Project, read_memory

_TAIL = 8  # characters of an Id in a file's name


class _Imported(NamedTuple):
    """A memory file that came from elsewhere, without its words: of many, those take room."""

    id: str
    is_proposal: bool
    is_superseded: bool
    created_at: str


class Here:
    """What this project holds already: words, places that words came from, names that are taken."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._words: dict[bytes, str] = {}
        self._places: dict[str, list[_Imported]] = {}
        self._tails: set[str] = set()  # of file names: the Id's part
        self._ids: set[str] = set()
        for name in scan(project)[0].names:
            self.add(read_memory(project, name))
        with Evidence(project) as evidence:
            self._rejected = evidence.revoked

    def add(self, file: MemoryFile) -> None:
        self._tails.add(file.slug[-_TAIL:])
        self._ids.update(map(str.lower, file.ids))
        for entry in file.memories:
            self._words.setdefault(_digest(entry.title, parts(entry)[1]), entry.id or file.slug)
        if file.origin == "imported" and file.source:
            self._places.setdefault(file.source, []).append(_imported(file))

    def with_words_of(self, draft: Draft) -> str:
        """The memory that says exactly this, "" for none."""
        bodies = (demoted(draft.body), as_code(draft.body))
        found = (self._words.get(_digest(draft.title.strip(), body.strip("\n"))) for body in bodies)
        return next(filter(None, found), "")

    def from_place(self, place: str) -> str:
        """The Id of the memory that was imported from there before, "" for none.

        Of several, one that stands: no proposal, and not superseded; of these the newest.
        """
        found = [one for one in self._places.get(place, ()) if is_uuid(one.id)]
        found.sort(key=lambda one: (not one.is_proposal, not one.is_superseded, one.created_at))
        return found[-1].id if found else ""

    def were_rejected(self, file: Composed) -> bool:
        return parse_memory(file.name, file.text.encode()).computed_hash in self._rejected

    def edited_since(self, draft: Draft) -> str:
        """The memory that these words from this place became, whatever it says by now; "" for
        none."""
        id_ = self._id(draft, 0)
        return id_ if id_ in self._ids else ""

    def new_id(self, draft: Draft) -> str:
        """An Id that follows from the project, the words and their place, so that who imports the
        same twice, or in two clones, writes the same file."""
        for salt in range(1000):
            id_ = self._id(draft, salt)
            if id_[:_TAIL] not in self._tails:
                break
        return id_

    def _id(self, draft: Draft, salt: int) -> str:
        told = [self.project.id, self.project.location, draft.title, draft.body, draft.source, salt]
        digest = hashlib.sha256(json.dumps(told).encode()).digest()
        return str(uuid.UUID(bytes=digest[:16], version=4))


def _imported(file: MemoryFile) -> _Imported:
    superseded = any(entry.status == "superseded" for entry in file.entries)
    id_ = file.ids[0].lower() if file.ids else ""
    return _Imported(id_, bool(file.proposes), superseded, file.created_at or "")


def _digest(title: str, words: str) -> bytes:
    return hashlib.sha256(f"{title}\n{words}".encode("utf-8", "surrogatepass")).digest()
