"""JSON-RPC 2.0, one message a line: bytes in, messages out, whole lines written.

Knows no method. What cannot be read still yields the id it belongs to, wherever that shows.
"""

import json
import re
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple, NoReturn

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
MAX_LINE = 16 * 1024 * 1024
Id = int | str
Json = dict[str, Any]

_KNOWN_ID = r'"id"\s*:\s*(-?[0-9]{1,18}|"[^"\\]{0,200}")'
# Where an id is the message's own and no argument's: ahead of the parameters, or last of all.
_HEAD = re.compile(
    r'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*|"method"\s*:\s*"[^"\\]{0,200}"\s*,\s*){0,2}'
    + _KNOWN_ID
)
_TAIL = re.compile(r'"jsonrpc"\s*:\s*"2\.0"\s*,\s*' + _KNOWN_ID + r"\s*\}\s*\Z")


class Request(NamedTuple):
    """Something that is to be answered under its id."""

    id: Id
    method: str
    params: Json


class Notification(NamedTuple):
    """Something that is told and not answered."""

    method: str
    params: Json


class Response(NamedTuple):
    """What the client answers to a request of ours; `result` is None where it is an error."""

    id: Id
    result: Json | None


class Unreadable(NamedTuple):
    """A line that is no message: the id it seems to carry, an error code, and why."""

    id: Id | None
    code: int
    why: str


Message = Request | Notification | Response | Unreadable


def messages(stream: BinaryIO) -> Iterator[Message]:
    """The messages of a stream until its end; blank lines are passed over."""
    while line := stream.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            _skip_line(stream, line)
            why = f"the message is longer than {MAX_LINE:,} bytes"
            yield Unreadable(_shown_id(line), INVALID_REQUEST, why)
        elif line.strip():
            yield read_message(line)


def _skip_line(stream: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(1 << 20)


def read_message(line: bytes) -> Message:
    """One line as the message it is; never raises."""
    try:
        # Bytes that are no UTF-8 become lone surrogates, which are refused by name further on.
        message = json.loads(line.decode("utf-8", "surrogateescape"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        return Unreadable(_shown_id(line), PARSE_ERROR, "the line is no JSON")
    if not isinstance(message, dict):
        why = "a message is one JSON object; batches are not served"
        return Unreadable(None, INVALID_REQUEST, why)
    return _message(message)


def _message(message: Json) -> Message:
    id_, method, params = _id(message), message.get("method"), message.get("params", {})
    if "method" not in message and id_ is not None:
        result = message.get("result")
        return Response(id_, result if isinstance(result, dict) else None)
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return Unreadable(id_, INVALID_REQUEST, "this is no JSON-RPC 2.0 request")
    if not isinstance(params, dict):
        return Unreadable(id_, INVALID_REQUEST, "params must be an object")
    if "id" not in message:
        return Notification(method, params)
    if id_ is None:
        return Unreadable(None, INVALID_REQUEST, "an id is a string or an integer")
    return Request(id_, method, params)


def _id(message: Json) -> Id | None:
    id_ = message.get("id")
    return id_ if isinstance(id_, int | str) and not isinstance(id_, bool) else None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _shown_id(line: bytes) -> Id | None:
    """The id that a broken line shows outside its parameters."""
    head, tail = line[:1000], line[-1000:]
    found = _HEAD.match(head.decode("utf-8", "replace"))
    found = found or _TAIL.search(tail.decode("utf-8", "replace"))
    if found is None:
        return None
    told = found[1]
    return told[1:-1] if told.startswith('"') else int(told)


class Output:
    """Where messages are written: whole lines of UTF-8, by one thread at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._lock, self.is_open = stream, threading.Lock(), True

    def result(self, id_: Id, result: Json) -> None:
        self.write({"jsonrpc": "2.0", "id": id_, "result": result})

    def error(self, id_: Id | None, code: int, message: str, data: Json | None = None) -> None:
        error = {"code": code, "message": message} | ({"data": data} if data is not None else {})
        self.write({"jsonrpc": "2.0", "id": id_, "error": error})

    def write(self, message: Json) -> None:
        """Write one message; nothing where the reader has gone."""
        line = _encoded(message) + b"\n"
        with self._lock:
            try:
                if self.is_open:
                    self._stream.write(line)
                    self._stream.flush()
            except (OSError, ValueError):
                self.is_open = False


def _encoded(message: Json) -> bytes:
    try:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # half a character, as in an id that came so: told by its escape
        return json.dumps(message, separators=(",", ":")).encode()
