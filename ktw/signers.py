"""Whose signatures count in this clone: git's own allowed-signers and revocation files.

Both are named by git config; a name, or a file, that a work tree holds does not count.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ktw.git import Repository, Setting
from ktw.origins import in_work_tree

ALLOWED, REVOKED = "gpg.ssh.allowedSignersFile", "gpg.ssh.revocationFile"


class Signers(NamedTuple):
    """The files that say whose signatures count; `fault` says why none does."""

    allowed: Path | None = None
    revoked: Path | None = None
    fault: str = ""


def find_signers(repository: Repository, settings: Sequence[Setting]) -> Signers:
    """The files that git config names, as far as a work tree has no part in it."""
    places: dict[str, Path | None] = {}
    for key in (ALLOWED, REVOKED):
        stated = [setting for setting in settings if setting.key == key.lower()]
        place = _place(repository, stated[-1].value) if stated else None
        if any(in_work_tree(repository, setting.origin) for setting in stated):
            return Signers(fault=f"{key} is set by a file of the work tree and was refused")
        if place is not None and in_work_tree(repository, place):
            return Signers(fault=f"{key} names a file in the work tree, where anyone may change it")
        places[key] = place
    return Signers(places[ALLOWED], places[REVOKED])


def _place(repository: Repository, value: str) -> Path | None:
    """The file that a value names, read as git reads it: from the home or from the toplevel."""
    try:
        return repository.toplevel / Path(value).expanduser() if value else None
    except RuntimeError:  # a home that nobody has
        return repository.toplevel / value
