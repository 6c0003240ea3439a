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
    try:
        old = read_bytes(project, NAME)
        new = _with_rows(normalise(old.decode("utf-8")), files)
        replace(project.context / NAME, styled_like(old, new), old)
    except (UnicodeDecodeError, KtwError):
        if len(files) > 1:
            return [f"{NAME} could not be updated: put it in order, then run: ktw index --page"]
        return [f"{NAME} could not be updated; add the row yourself: {_row(files[0])[1]}"]
    return []


def _with_rows(text: str, files: Sequence[MemoryFile]) -> str:
    return contents.with_rows(text, dict(map(_row, files))) if files else text


def _row(file: MemoryFile) -> tuple[str, str]:
    name = file.path.rsplit("/", 1)[-1]
    return name, contents.row_of(file) or contents.undescribed(name)


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
    rowless = set(files) - contents.files_with_rows(new)
    found = filter(_is_imported, (read_memory(project, name) for name in sorted(rowless)))
    new = _with_rows(new, list(found))
    return None if new == text else new


def _is_imported(file: MemoryFile) -> bool:
    """True for a file that ktw wrote without a kind: nobody has described it, so it gets a row."""
    return file.origin == "imported" and not file.kind and file.content_hash is not None
