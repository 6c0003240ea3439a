"""What a finding is known by when lines move: its code, its path and the text of its line."""

import hashlib
from functools import lru_cache
from typing import NamedTuple

from keep_the_why_lint.finding import Finding


class Fingerprint(NamedTuple):
    """`text` is 16 hex digits of the SHA-256 of the line, its blanks collapsed; never a message."""

    code: str
    path: str
    text: str


def fingerprint(finding: Finding, line_text: str) -> Fingerprint:
    """The fingerprint of a finding whose line reads `line_text` ("" for the file as a whole)."""
    return Fingerprint(finding.code, finding.path, _digest(line_text))


@lru_cache(maxsize=2)  # a line of a megabyte may hold thousands of findings, one after the other
def collapsed(line_text: str) -> str:
    """A line's text, its blanks collapsed."""
    return " ".join(line_text.split())


@lru_cache(maxsize=2)
def _digest(line_text: str) -> str:
    plain = collapsed(line_text).encode("utf-8", "surrogatepass")
    return hashlib.sha256(plain).hexdigest()[:16]
