"""The findings that a project had when it adopted the linter, as a file that merges line by line.

Text in, data out, and back. Each line is a fingerprint and how often it was found, never a message.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from keep_the_why_lint.fingerprints import Fingerprint
from keep_the_why_lint.suppression import Baseline, Known, is_silenceable
from ktw.atomic import replace, write_new
from ktw.boundaries import Unreadable, read_regular
from ktw.errors import UsageError, visible

NAME = ".keep-the-why-baseline.json"

OPENING = '[{"keep-the-why-baseline": 1}'
_CLOSING = "]"
_NAMED = len('[{"keep-the-why-baseline"')
_LARGEST = 8 * 1024 * 1024
_LONGEST_LINE = 8_192
_LARGEST_COUNT = 1_000_000


def load_baseline(path: Path, root: Path, name: str) -> Baseline | None:
    """Read the baseline at `path` inside `root`, which findings call `name`; None without one."""
    try:
        text = read_regular(path, root, _LARGEST).decode("utf-8")
    except Unreadable as refusal:
        if refusal.kind == "missing" and not path.is_symlink():
            return None
        return Baseline(name, faults=((0, f"the file was not read: {refusal.why}"),))
    except UnicodeDecodeError:
        return Baseline(name, faults=((0, "the file is not valid UTF-8"),))
    return parse_baseline(text, name)


def parse_baseline(text: str, name: str = NAME) -> Baseline:
    """Every line that is well formed; what is not is a fault at its line."""
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    faults = [] if lines[0] == OPENING else [(1, f"the first line is not {OPENING}")]
    if lines[-1] != _CLOSING:
        faults.append((len(lines), f"the last line is not {_CLOSING}"))
    known: dict[Fingerprint, Known] = {}
    for number, line in enumerate(lines[1:-1], start=2):
        found = _parse_line(line, number)
        if isinstance(found, str):
            faults.append((number, found))
        elif found.fingerprint not in known or known[found.fingerprint].count < found.count:
            # Two branches that were merged may both have a line: the larger count holds.
            known[found.fingerprint] = found
    return Baseline(name, tuple(known.values()), tuple(faults))


def _parse_line(line: str, number: int) -> Known | str:
    try:
        value = json.loads(line.removeprefix(",")) if len(line) <= _LONGEST_LINE else None
    except (ValueError, RecursionError):
        value = None
    if not line.startswith(",") or not isinstance(value, dict):
        return 'the line is not ,{"code": …, "path": …, "text": …, "count": …}'
    texts = [value.get(key) for key in ("code", "path", "text")]
    count = value.get("count")
    if len(value) != 4 or not all(isinstance(text, str) for text in texts):
        return "the line does not hold code, path, text and count, and nothing else"
    if type(count) is not int or not 1 <= count <= _LARGEST_COUNT:
        return "count is not a number from 1 on"
    if not is_silenceable(value["code"]):
        return "findings of this code cannot stand in a baseline"
    return Known(number, Fingerprint(value["code"], value["path"], value["text"]), count)


def format_baseline(found: Iterable[Fingerprint]) -> str:
    """The text of a baseline that knows exactly these findings, sorted by path, code and text."""
    counts: Mapping[Fingerprint, int] = Counter(found)
    ordered = sorted(counts, key=lambda one: (one.path, one.code, one.text))
    lines = [f",{json.dumps(one._asdict() | {'count': counts[one]})}" for one in ordered]
    return "\n".join([OPENING, *lines, _CLOSING, ""])


def save_baseline(path: Path, found: Sequence[Fingerprint]) -> None:
    """Write the baseline of these findings, whole or not at all.

    Raises UsageError where the file is something else, Changed where it changes meanwhile.
    """
    new = format_baseline(found).encode()
    try:
        old = read_regular(path, path.parent, _LARGEST)
    except Unreadable as refusal:
        if refusal.kind != "missing":
            raise
        write_new(path, new)
        return
    if old.strip() and not old.startswith(OPENING[:_NAMED].encode()):
        raise UsageError(f"{visible(path.name)} holds something else", "Name another file.")
    if old != new:
        replace(path, new, old)
