"""Put `index.md` in order: after a merge, a rename or a deletion, one command settles it."""

from ktw import contents
from ktw.atomic import styled_like
from ktw.errors import KtwError
from ktw.memory import normalise
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
