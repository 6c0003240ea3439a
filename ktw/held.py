"""What a process that stays keeps between questions: the open index, one git process, a scout, what
git config states, the model.

Nothing kept is believed: each time, every file and ref is looked at as a new process would, and of
config whether anything that git reads there moved, so that an answer is the same. Whoever holds it
lets one question in at a time.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING

from ktw.ahead import Ahead
from ktw.embedding import Embedder, embedder_id, load_embedder
from ktw.errors import KtwError
from ktw.git import HeldSettings, Objects, Repository, Setting, opening
from ktw.index import Progress, Snapshot, index_directory, index_key, refresh
from ktw.postings import Postings
from ktw.scan import scan
from ktw.scout import Scout
from ktw.stated import held_stated, read_stated
from ktw.store import Project

if TYPE_CHECKING:
    from ktw.vector_index import VectorIndex


class Cold:
    """Keeps nothing: for a process that ends with its answer. `ahead`: what it began before."""

    stays = False

    def __init__(self, ahead: Ahead | None = None) -> None:
        self._ahead = ahead

    def snapshot(self, project: Project, progress: Progress | None = None) -> Snapshot:
        """The index as the files are now; the caller closes it."""
        look = scan if self._ahead is None else self._ahead.scan
        return refresh(project, progress, look=look)

    def stated(self, project: Project) -> Sequence[Setting] | None:
        """What git config states for policy and settings; None where git refuses."""
        try:
            return self._stated(project)
        except KtwError:
            return None

    def _stated(self, project: Project) -> list[Setting]:
        if self._ahead is not None:
            return self._ahead.stated(project)
        return read_stated(project.repository)

    def objects(self, repository: Repository) -> Objects | None:
        """A way to git's objects that is lent, None where the caller has to make its own."""
        return None

    def embedder(self, setting: str) -> Embedder | None:
        """The embedder of a setting, as `load_embedder` gives it; raises KtwError."""
        return load_embedder(setting)

    def vectors(self) -> "VectorIndex":
        """What hands out the vectors of the memories."""
        from ktw.vector_index import VectorIndex  # a lexical recall has no use for it

        return VectorIndex()


COLD = Cold()


class Held(Cold):
    """Keeps all of it for one project, until `close`. Not for several threads at once."""

    stays = True

    def __init__(self) -> None:
        super().__init__()
        self._scout = Scout()
        self._settings: HeldSettings | None = None
        self._index: tuple[object, Snapshot] | None = None
        self._objects: tuple[object, Objects] | None = None
        self._embedders: dict[str, tuple[str, Embedder | None]] = {}
        self._vectors: VectorIndex | None = None

    def snapshot(self, project: Project, progress: Progress | None = None) -> Snapshot:
        key = (index_directory(project), index_key(project))
        held = self._index[1] if self._index is not None and self._index[0] == key else None
        fresh = refresh(project, progress, held=held, look=partial(scan, scout=self._scout))
        if fresh.directory is None:  # no index on disk: nothing to keep
            return fresh
        if held is None or fresh.postings is not held.postings:
            self._close_index()
        self._index = (key, copy(fresh))
        fresh.postings = _Lent(fresh.postings)
        return fresh

    def _stated(self, project: Project) -> list[Setting]:
        if self._settings is None or self._settings.repository != project.repository:
            self._settings = held_stated(project.repository)
        return self._settings.read()

    def objects(self, repository: Repository) -> Objects:
        place = (repository, opening(repository))
        if self._objects is None or self._objects[0] != place:
            self._close_objects()
            self._objects = (place, Objects(repository))
        found = self._objects[1]
        found.renew()
        return found

    def embedder(self, setting: str) -> Embedder | None:
        id_ = embedder_id(setting)
        if setting not in self._embedders or self._embedders[setting][0] != id_:
            self._embedders = {setting: (id_, load_embedder(setting))}
        return self._embedders[setting][1]

    def vectors(self) -> "VectorIndex":
        if self._vectors is None:
            self._vectors = super().vectors()
        return self._vectors

    def close(self) -> None:
        """Close the index, end git and the scout."""
        self._close_index()
        self._close_objects()
        self._scout.close()

    def _close_index(self) -> None:
        if self._index is not None:
            self._index[1].close()
        self._index = None

    def _close_objects(self) -> None:
        if self._objects is not None:
            self._objects[1].close()
        self._objects = None


class _Lent:
    """Postings that stay open when their borrower is done."""

    def __init__(self, postings: Postings) -> None:
        self._postings = postings

    def occurrences(self, field: str, term: str) -> Iterable[tuple[int, int]]:
        return self._postings.occurrences(field, term)

    def close(self) -> None:
        """Nothing: the holder closes them."""
