"""The list `revoked` of the context directory: content hashes whose words are withdrawn.

Text in, text out. Whose list counts is for `evidence` to say.
"""

import re
from collections.abc import Iterable

from ktw.memory import normalise

REVOKED_FILE = "revoked"
MAX_REASON = 200
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


def parse_revoked(data: bytes) -> frozenset[str]:
    """The content hashes of a `revoked` list: each line that begins with one."""
    lines = normalise(data.decode("utf-8", "replace")).split("\n")
    return frozenset(match[0] for line in lines if (match := _HASH.match(line)))


def with_revoked(data: bytes, hashes: Iterable[str], day: str, reason: str) -> bytes:
    """The list with a line for each hash that it lacks, sorted; other lines stay as they are.

    `day` is YYYY-MM-DD, `reason` one line of at most MAX_REASON characters.
    """
    known = parse_revoked(data)
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    added = [f"{hash_} {day} {reason}".encode() for hash_ in hashes if hash_ not in known]
    kept = [line for line in data.replace(b"\r\n", b"\n").split(b"\n") if line.strip()]
    return b"".join(line + newline for line in sorted({*kept, *added}))
