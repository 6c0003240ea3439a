"""The signed lists beside the memories: which of them name a memory, and whose signature holds.

Opens nothing but that directory and the files that `signers` found; runs nothing itself.
"""

import os
from collections import defaultdict
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ktw.boundaries import Unreadable, read_regular
from ktw.checks import Checks, check_key
from ktw.ledger import Subject
from ktw.signers import ALLOWED, Signers
from ktw.sittings import (
    DIRECTORY,
    MAX_LIST_BYTES,
    NAMESPACE,
    is_list_name,
    list_name,
    parse_list,
    subject_lines,
)
from ktw.ssh import Check, Keyring, check
from ktw.store import Project
from ktw.trust import Approval, Backing

_MAX_ROWS, _MAX_TOTAL_BYTES = 20_000, 16 * 1024 * 1024
_MAX_SIGNATURE_BYTES = 64 * 1024
_MAX_CHECKS = 256  # new ones a run; the rest has its turn in the next
_TIME = "%Y-%m-%dT%H:%M:%SZ"


class _List(NamedTuple):
    name: str
    data: bytes


class SignedLists:
    """The lists of one project at one moment; `close` keeps what was found out about them."""

    def __init__(self, project: Project, signers: Signers) -> None:
        self._project = project
        self._signers = signers
        self._answers: dict[str, Backing] = {}
        self._checks = Checks(project.repository)
        self._all_seen = True
        self._unable: Check | None = None

    def close(self) -> None:
        """Keep what was found out."""
        self._checks.save()

    def backing(self, subject: Subject) -> Backing:
        """Whether some list with a valid signature names exactly this subject."""
        if self._signers.fault:
            return Backing(False, self._signers.fault)
        if self._signers.allowed is None:
            return Backing(False, f"no file of allowed signers is set ({ALLOWED})")
        answers = []
        for each in self._lists.get(subject.line.encode(), ()):
            answers.append(self._answer(each))
            if answers[-1].holds:
                return answers[-1]
        undecided = next((answer for answer in answers if answer.holds is None), None)
        if undecided is not None or answers:
            return undecided or answers[0]
        if not self._all_seen:
            return Backing(None, f"there is more in {DIRECTORY} than is looked through")
        return Backing(False, "no signed list names it")

    # --- the lists ---------------------------------------------------------------------------

    @cached_property
    def _lists(self) -> dict[bytes, list[_List]]:
        """The lists that name a subject, by the subject's line; their form is not checked yet."""
        found: dict[bytes, list[_List]] = defaultdict(list)
        for name in self._names():
            data = self._read(name, MAX_LIST_BYTES)
            if data is not None and list_name(data) == name:
                each = _List(name, data)
                for line in subject_lines(data):
                    found[line].append(each)
        return found

    def _names(self) -> list[str]:
        names, size = [], 0
        try:
            with os.scandir(self._project.context / DIRECTORY) as rows:
                for row in islice(rows, _MAX_ROWS):
                    if is_list_name(row.name) and row.is_file(follow_symlinks=False):
                        names.append(row.name)
                        size += row.stat(follow_symlinks=False).st_size
                self._all_seen = next(rows, None) is None and size <= _MAX_TOTAL_BYTES
        except OSError:
            return []
        return sorted(names) if size <= _MAX_TOTAL_BYTES else []

    def _read(self, name: str, limit: int) -> bytes | None:
        """A file of the directory, its line ends as they were signed; None for what is no file."""
        try:
            path = self._project.context / DIRECTORY / name
            return read_regular(path, self._project.context, limit).replace(b"\r\n", b"\n")
        except Unreadable:
            return None

    # --- their signatures --------------------------------------------------------------------

    def _answer(self, each: _List) -> Backing:
        if each.name not in self._answers:
            self._answers[each.name] = self._judge(each)
        return self._answers[each.name]

    def _judge(self, each: _List) -> Backing:
        told = f"in the list {each.name.removesuffix('.list')[:8]}"
        sitting = parse_list(each.data)
        signature = self._read(f"{each.name}.sig", _MAX_SIGNATURE_BYTES)
        if sitting is None:
            return Backing(False, f"{told}, which is not in the form of one")
        if signature is None:
            return Backing(False, f"{told}, which has no signature")
        if self._keyring is None:
            return Backing(None, f"{told}, and the file of allowed signers cannot be read")
        found = self._checked(each.data, signature, sitting.at, self._keyring)
        if not found.holds:
            return Backing(found.holds, f"{told}, but {found.why}")
        return Backing(True, told, Approval(found.principal, sitting.at.strftime(_TIME)))

    @cached_property
    def _keyring(self) -> Keyring | None:
        return read_keyring(self._signers)

    def _checked(self, data: bytes, signature: bytes, at: datetime, keyring: Keyring) -> Check:
        key = check_key(data, signature, keyring)
        known = self._checks.find(key)
        if known is not None:
            return known
        if self._checks.added >= _MAX_CHECKS:
            return Check(None, "there are more new ones than are checked at once; ask again")
        if self._unable is not None:
            return self._unable
        found = check(data, signature, NAMESPACE, keyring, at)
        if found.holds is None:
            self._unable = found  # a program that does not answer is not waited for twice
        else:
            self._checks.add(key, found)
        return found


def read_keyring(signers: Signers) -> Keyring | None:
    """What the files of allowed and of revoked keys hold, None where one cannot be read."""
    try:
        if signers.allowed is None:
            return None
        revoked = None if signers.revoked is None else _content(signers.revoked)
        return Keyring(_content(signers.allowed), revoked)
    except (Unreadable, OSError, ValueError, RuntimeError):
        return None


def _content(path: Path) -> bytes:
    place = path.resolve()
    return read_regular(place, place.parent)
