"""What a finding is known by when lines move: its code, its path and the text of its line."""

import hashlib
from typing import NamedTuple

from keep_the_why_lint.finding import Finding


class Fingerprint(NamedTuple):
    """`text` is 16 hex digits of the SHA-256 of the line, its blanks collapsed; never a message."""

    code: str
    path: str
    text: str


def fingerprint(finding: Finding, line_text: str) -> Fingerprint:
    """The fingerprint of a finding whose line reads `line_text` ("" for the file as a whole)."""
    plain = " ".join(line_text.split())
    digest = hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()
    return Fingerprint(finding.code, finding.path, digest[:16])
