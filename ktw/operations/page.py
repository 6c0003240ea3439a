"""Put `index.md` in order: after a merge, a rename or a deletion, one command settles it."""

from ktw import contents
from ktw.errors import KtwError
from ktw.memory import KINDS, ORIGINS
from ktw.search import parse_time
from ktw.store import Project, read_bytes, read_memory, replace, scan, writing

NAME = "index.md"


def tidy_page(project: Project) -> bool:
    """Give every memory file its row, sorted, and drop all others; False where that was so.

    The row of a file that ktw wrote is written anew; rows that people wrote are kept. Raises
    Unreadable where there is no page, KtwError where it is not text, Changed where it changes
    meanwhile.
    """
    with writing(project):
        old = read_bytes(project, NAME)
        try:
            text = old.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise KtwError(f"{NAME} is not text in UTF-8", "Mend it by hand first.") from error
        files = [seen.name for seen in scan(project)[0]]
        new = contents.tidied(text.replace("\r\n", "\n"), files, lambda name: _row(project, name))
        data = new.replace("\n", "\r\n" if "\r\n" in text else "\n").encode()
        if data == old:
            return False
        replace(project.context / NAME, data, old)
        return True


def _row(project: Project, name: str) -> str | None:
    """The row of a file that ktw wrote; None for any other: people describe those."""
    file = read_memory(project, name)
    made = parse_time(file.created_at or "")
    if file.kind not in KINDS or file.origin not in ORIGINS or made is None:
        return None
    return contents.row(name, file.kind, file.origin, made.strftime("%Y-%m-%d"))
