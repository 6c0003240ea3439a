"""Sign the list of one sitting with git's own signing key, before anything is written.

One signature, however many memories: one passphrase, one touch.
"""

import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ktw.errors import KtwError, UsageError, visible
from ktw.evidence import Evidence
from ktw.git import Repository, Setting, read_settings
from ktw.ledger import Subject
from ktw.operations.recording import Change
from ktw.origins import in_work_tree
from ktw.signatures import read_keyring
from ktw.signers import ALLOWED, Signers
from ktw.sittings import DIRECTORY, MAX_LIST_BYTES, NAMESPACE, Sitting, format_list, list_name
from ktw.ssh import check, is_literal, sign
from ktw.store import Project

_KEYS = r"^(user\.signingkey|gpg\.format|gpg\.ssh\.program)$"


class SigningKey(NamedTuple):
    """Git's signing key: a path or a public key as text, and the program if not `ssh-keygen`."""

    key: str
    program: str | None = None


def sign_list(
    project: Project, subjects: Sequence[Subject], now: datetime, person: bool = False
) -> list[Change]:
    """The list of these subjects and its signature, as files to be written; none where all of
    them are proved by signed lists already.

    Only where a `person` sits at the terminal may a passphrase be asked for. Raises UsageError
    where this clone cannot sign, CannotSign, and KtwError for a key that is no allowed signer's.
    """
    with Evidence(project) as evidence:
        signers = evidence.reading.signers
        new = tuple(subject for subject in subjects if not evidence.signed(subject).holds)
    if not new:
        return []
    data = format_list(Sitting(now, new))
    if len(data) > MAX_LIST_BYTES:
        raise KtwError(f"{len(new)} memories are too many for one list", "Approve fewer at once.")
    signature = _checked_signature(project.repository, signers, data, now, person)
    path = f"{project.context_name}/{DIRECTORY}/{list_name(data)}"
    return [Change(path, None, data), Change(f"{path}.sig", None, signature)]


def _checked_signature(
    repository: Repository, signers: Signers, data: bytes, now: datetime, person: bool
) -> bytes:
    if signers.allowed is None:
        what = signers.fault or f"no file of allowed signers is set ({ALLOWED})"
        raise UsageError(f"{what}, so no signature could count", SET_SIGNERS)
    key = signing_key(repository)
    keyring = read_keyring(signers)
    if keyring is None:
        raise UsageError(f"{visible(str(signers.allowed))} cannot be read", SET_SIGNERS)
    signature = sign(data, NAMESPACE, key.key, key.program, person)
    found = check(data, signature, NAMESPACE, keyring, now)
    if not found.holds:
        raise UsageError(
            f"your signature would not count here: {found.why}",
            f"Add your public key to {visible(str(signers.allowed))}: NAME KEY, one a line.",
        )
    return signature


NAME_KEY = "user.signingkey ~/.ssh/id_ed25519.pub"
SET_SIGNERS = (
    "Make a file outside of the repository that says `you@example.org ssh-ed25519 AAAA…`, and "
    f"name it: git config --global {ALLOWED} FILE"
)


def signing_key(repository: Repository) -> SigningKey:
    """The key that git signs with here; raises UsageError where there is none for SSH."""
    settings = read_settings(repository, _KEYS)
    format_ = _last(repository, settings, "gpg.format")
    key = _last(repository, settings, "user.signingkey")
    missing = {"gpg.format ssh": format_ == "ssh", NAME_KEY: bool(key)}
    wanted = [setting for setting, there in missing.items() if not there]
    if wanted:
        names = " and ".join(setting.partition(" ")[0] for setting in wanted)
        what = f"git has no SSH key to sign with here: set {names}"
        raise UsageError(what, "; ".join(f"git config --global {each}" for each in wanted))
    program = _last(repository, settings, "gpg.ssh.program")
    place = key if is_literal(key) else str(_path(repository, key))
    return SigningKey(place, _program(repository, program) if program else None)


def _last(repository: Repository, settings: Sequence[Setting], key: str) -> str:
    """The value that counts, "" for none; raises UsageError for one that the work tree states."""
    stated = [setting for setting in settings if setting.key == key]
    if any(in_work_tree(repository, setting.origin) for setting in stated):
        raise UsageError(
            f"{key} is set by a file of the work tree and was refused",
            "Take that file out of your git configuration: git config --show-origin --list",
        )
    return stated[-1].value if stated else ""


def _path(repository: Repository, value: str) -> Path:
    try:
        return repository.toplevel / Path(value).expanduser()
    except RuntimeError:  # a home that nobody has
        return repository.toplevel / value


def _program(repository: Repository, value: str) -> str:
    """Another program that signs, for instance a password store's; never a file of a work tree."""
    found = shutil.which(str(Path(value).expanduser()))
    if found is None or in_work_tree(repository, Path(found).absolute()):
        raise UsageError(
            f"gpg.ssh.program is {visible(value)}, which is not found outside of the work tree",
            "Correct it: git config --global gpg.ssh.program PROGRAM",
        )
    return str(Path(found).absolute())
