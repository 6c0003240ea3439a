"""JSON without the module `json`, whose regular expressions cost a hook an eighth of its time.

The parts in C that it is built on do the work; where they are missing, `json` itself does. Same
values, same text, and ValueError for what is none: a test holds both to each other.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` itself would cost 2 ms
if TYPE_CHECKING:
    from typing import Any

try:
    import _json
except ImportError:
    _json = None  # type: ignore[assignment]


def loads(text: str) -> Any:
    """The value that a text holds; raises ValueError and RecursionError, as `json` does."""
    if _json is not None:
        bare = text.strip(" \t\n\r")
        scan: Any = _json.make_scanner(_Choices)  # type: ignore[arg-type]
        try:
            value, end = scan(bare, 0)
        except (StopIteration, ValueError, SystemError):  # the last: it takes its error from `json`
            end = -1
        if end == len(bare):
            return value
    import json

    return json.loads(text)  # which says what is wrong


def dumps(value: object) -> str:
    """The text of a value, in ASCII; raises TypeError for what JSON has no name for."""
    if _json is None:
        import json

        return json.dumps(value)
    marks = (None, ": ", ", ")  # no indent
    encode = _json.make_encoder(
        None, _refuse, _json.encode_basestring_ascii, *marks, False, False, True
    )
    return "".join(encode(value, 0))


class _Choices:
    """What the scanner asks for, as it is where nothing is chosen."""

    strict, object_hook, object_pairs_hook = True, None, None
    parse_float, parse_int = float, int
    parse_constant = {"-Infinity": -1e999, "Infinity": 1e999, "NaN": 1e999 - 1e999}.__getitem__


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} has no name in JSON")
