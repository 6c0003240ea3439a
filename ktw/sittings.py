"""The list that one signature covers: which memories a person approved in one sitting, and when.

Pure text, in one canonical form: whatever would be written otherwise is no list.
"""

import hashlib
import re
from datetime import UTC, datetime
from typing import NamedTuple

from ktw.ledger import Subject, parse_subject

DIRECTORY = ".approvals"
NAMESPACE = "ktw-approval"
MAX_LIST_BYTES = 1024 * 1024
_HEADER = b"ktw-approval-list 1\n"
_FIRST_YEAR = 2000  # not every system knows the local time of much earlier days
_SHORTEST = len(Subject("", "", (), "sha256:" + "0" * 64).line)
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_NAME = re.compile(r"[0-9a-f]{32}\.list")


class Sitting(NamedTuple):
    """What one list says: when the sitting was, in UTC, and what was approved in it."""

    at: datetime
    subjects: tuple[Subject, ...]


def format_list(sitting: Sitting) -> bytes:
    """The one form of a list: header, time, then a line a subject, sorted, each once."""
    lines = sorted({subject.line for subject in sitting.subjects})
    text = "\n".join([sitting.at.astimezone(UTC).strftime(_TIME), *lines])
    return _HEADER + text.encode() + b"\n"


def parse_list(data: bytes) -> Sitting | None:
    """What a list says, None for anything that `format_list` would write differently."""
    if not data.startswith(_HEADER):
        return None
    try:
        time, *lines = data.removeprefix(_HEADER).decode("ascii").splitlines()
        at = datetime.strptime(time, _TIME).replace(tzinfo=UTC)
        subjects = tuple(parse_subject(line) for line in lines)
    except ValueError:
        return None
    sitting = Sitting(at, subjects)
    is_one = subjects and at.year >= _FIRST_YEAR and format_list(sitting) == data
    return sitting if is_one else None


def subject_lines(data: bytes) -> set[bytes]:
    """The lines of a list that may name a subject: long enough, and otherwise unchecked."""
    return {line for line in data.split(b"\n")[2:-1] if len(line) >= _SHORTEST}


def list_name(data: bytes) -> str:
    """The file name of a list: the first 32 hex digits of its SHA-256."""
    return f"{hashlib.sha256(data).hexdigest()[:32]}.list"


def is_list_name(name: str) -> bool:
    """True for a name that a list could have."""
    return _NAME.fullmatch(name) is not None
