"""The shapes of config values: versions, dash-separated parts, intervals, dates.

Text in, a part or a truth value out; it knows neither keys nor blocks.
"""

from collections.abc import Callable

from ktw.text.late import late

Version = tuple[int, int, int]

_VERSION = late(r"([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})")
# The look-behind lets a match start only where a run of blanks starts: linear on any input.
_DASH = late(r"(?<!\s)\s+[\u2014\u2013-]\s+")
_DATE = late(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def parse_version(value: str) -> Version | None:
    """`X.Y.Z` as three numbers, or None for anything else."""
    match = _VERSION.fullmatch(value.strip())
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def split_value(value: str) -> tuple[str, str]:
    """What stands before and after the first ` — ` (or a shorter dash); "" when absent."""
    head, *rest = _DASH.split(value, maxsplit=1)
    return head.strip(), rest[0].strip() if rest else ""


def split_reference(value: str) -> tuple[str, str, str] | None:
    """The three dash-separated parts of `locator — id — as of DATE`, none of them empty."""
    parts = [part.strip() for part in _DASH.split(value.strip(), maxsplit=2)]
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 and all(parts) else None


def is_version(value: str) -> bool:
    """True for `X.Y.Z`."""
    return parse_version(value) is not None


def is_filter(value: str) -> bool:
    """`filtered` with its criteria after a dash, a colon or a blank."""
    head, rest = split_value(value)
    if head != "filtered" and not value.startswith(("filtered:", "filtered ")):
        return False
    return bool(rest or value.partition("filtered")[2].strip(":\u2014\u2013 -"))


def is_state_url(value: str) -> bool:
    """True for an https URL of a JSON file, on one line and without blanks."""
    blank = any(char.isspace() for char in value) or not value.isprintable()
    return value.startswith("https://") and value.endswith(".json") and not blank


def is_interval(value: str) -> bool:
    """True for `every N days`."""
    words = value.split()
    if len(words) != 3 or words[0] != "every" or words[2] not in ("day", "days"):
        return False
    return words[1].isdecimal()


def _is_dated(value: str, on_failure: bool) -> bool:
    interval, *rest = _DASH.split(value.strip(), maxsplit=2)
    if rest and _labelled(rest[0], "last:", _is_date):
        rest = rest[1:]
    if on_failure and rest and _labelled(rest[0], "on-failure:", _is_failure_answer):
        rest = rest[1:]
    return is_interval(interval) and not rest


def _labelled(part: str, label: str, accepts: Callable[[str], bool]) -> bool:
    return part.startswith(label) and accepts(part.removeprefix(label).strip())


def _is_date(value: str) -> bool:
    return bool(_DATE.fullmatch(value))


def _is_failure_answer(value: str) -> bool:
    return value in ("retry-quietly", "disabled")


def is_dated_interval(value: str) -> bool:
    """True for `every N days[ — last: DATE]`."""
    return _is_dated(value, on_failure=False)


def is_update_interval(value: str) -> bool:
    """True for `every N days[ — last: DATE][ — on-failure: retry-quietly | disabled]`."""
    return _is_dated(value, on_failure=True)


def is_declined_version(value: str) -> bool:
    """True for `X.Y.Z declined`."""
    version, _, answer = value.strip().partition(" ")
    return is_version(version) and answer.strip() == "declined"


def is_defaults_source(value: str) -> bool:
    """True for `project defaults (confirmed DATE)` or `… (accepted automatically)`."""
    inner = value.removeprefix("project defaults (").removesuffix(")")
    if value != f"project defaults ({inner})":
        return False
    return inner == "accepted automatically" or _labelled(inner, "confirmed ", _is_date)
