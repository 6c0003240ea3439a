"""Put `index.md` in order: after a merge, a rename or a deletion, one command settles it."""

from collections.abc import Sequence

from ktw import contents
from ktw.atomic import styled_like
from ktw.errors import KtwError
from ktw.memory import MemoryFile, normalise
from ktw.scan import scan
from ktw.store import Project, read_bytes, read_memory, replace, writing

NAME = "index.md"


def tidy_page(project: Project) -> bool:
    """Give every memory file its row, sorted, and drop all others; False where that was so.

    Rows that people wrote are kept. Raises Unreadable where there is no page, KtwError where it is
    not text or only a person can mend it, Changed where it changes meanwhile.
    """
    with writing(project):
        old = read_bytes(project, NAME)
        new = _tidied(project, old)
        if new is not None:
            replace(project.context / NAME, styled_like(old, new), old)
        return new is not None


def add_rows(project: Project, files: Sequence[MemoryFile]) -> list[str]:
    """Put the rows of files that were just written into the page, whose lock the caller holds.

    A page that cannot be changed is a warning.
    """
    names = [file.path.rsplit("/", 1)[-1] for file in files]
    rows = {
        name: contents.row_of(file) or contents.undescribed(name)
        for name, file in zip(names, files, strict=True)
    }
    try:
        old = read_bytes(project, NAME)
        new = contents.with_rows(normalise(old.decode("utf-8")), rows)
        replace(project.context / NAME, styled_like(old, new), old)
    except (UnicodeDecodeError, KtwError):
        if len(rows) > 1:
            return [f"{NAME} could not be updated: put it in order, then run: ktw index --page"]
        return [f"{NAME} could not be updated; add the row yourself: {rows[names[0]]}"]
    return []


def is_untidy(project: Project) -> bool:
    """True where `tidy_page` would change the page; raises as it does."""
    return _tidied(project, read_bytes(project, NAME)) is not None


def _tidied(project: Project, old: bytes) -> str | None:
    try:
        text = normalise(old.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise KtwError(f"{NAME} is not text in UTF-8", "Mend it by hand first.") from error
    if why := contents.obstacle(text):
        raise KtwError(f"{NAME} was left as it is: {why}", "Mend it by hand first.")
    files = scan(project)[0].names
    new = contents.tidied(text, files, lambda name: contents.row_of(read_memory(project, name)))
    return None if new == text else new
