"""What a whole run is known by: a digest of all that its findings depend on.

It knows values alone: a project that was read, and what was asked of it.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import fields

from keep_the_why_lint.project import MemoryFiles, Project
from keep_the_why_lint.suppression import Baseline


def run_digest(project: Project, baseline: Baseline | None, select: Sequence[str]) -> str | None:
    """The SHA-256 of every value that rules see; None where trust is asked, which is no value.

    Texts are framed by their lengths, all else by `repr`, in which none can imitate the end of
    another. Memory files go in as bytes: what is read from these is a function of them.
    """
    if project.verdicts is not None or not isinstance(project.files, MemoryFiles):
        return None
    digest = hashlib.sha256(repr((baseline, tuple(select))).encode("utf-8", "surrogatepass"))
    for head, data in _parts(project, project.files):
        digest.update(repr((head, len(data))).encode("utf-8", "surrogatepass") + data)
    return digest.hexdigest()


def _parts(project: Project, files: MemoryFiles) -> Iterator[tuple[object, bytes]]:
    yield from files.sources
    for page in project.texts:
        yield (page.path, page.kind), page.text.encode("utf-8", "surrogatepass")
    for field in fields(project):
        value = getattr(project, field.name)
        if field.name not in ("files", "texts"):
            yield (field.name, sorted(value) if isinstance(value, frozenset) else value), b""
