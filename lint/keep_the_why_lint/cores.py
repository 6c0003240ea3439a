"""Spreads a pure function over the cores of the machine; knows nothing of what it does."""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NoReturn, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST = 8  # processes
_BYTES = 4  # of the number of an item


def spread(work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """What `work` gives for each item, in order; results must be picklable.

    Other processes begin at once, while the caller goes on until it asks for the first result.
    The items reach the other processes by fork. Where that cannot be had (Windows) or is not safe
    (macOS, a process with threads), or with one core or item, all is done here; so is what a
    process leaves that is killed, or whose work raises. (A pool of the standard library would do
    too, but its import takes a fifth of the linter's start.)
    """
    count = min(_cores(), _MOST, len(items))
    safe = sys.platform == "linux" and threading.active_count() == 1
    if not safe or count < 2:
        return map(work, items)
    todo = _numbers(len(items))
    begun: list[tuple[int, int]] = []
    with suppress(OSError):  # no more processes or open files are allowed: fewer do
        while len(begun) < count:
            begun.append(_begin(work, items, todo))
    os.close(todo)
    return _completed(begun, work, items)


def _numbers(count: int) -> int:
    """A pipe from which each process takes the number of its next item, until there is none; it
    has as many as there is room for.
    """
    todo, told = os.pipe()
    os.set_blocking(told, False)
    os.write(told, b"".join(number.to_bytes(_BYTES, "big") for number in range(count)))
    os.close(told)
    return todo


def _begin(work: Callable[[Any], Any], items: Sequence[Any], todo: int) -> tuple[int, int]:
    """The id of a new process, and the pipe that it writes its results into at its end."""
    results, told = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(results)
        os.close(told)
        raise
    if not process:
        _do(work, items, todo, told)
    os.close(told)
    return process, results


def _do(work: Callable[[Any], Any], items: Sequence[Any], todo: int, told: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process alone answers to Ctrl-C
    try:
        done = {}
        while number := os.read(todo, _BYTES):
            at = int.from_bytes(number, "big")
            done[at] = work(items[at])
        with os.fdopen(told, "wb") as pipe:
            pickle.dump(done, pipe)
    finally:
        os._exit(0)


def _completed(
    begun: Sequence[tuple[int, int]], work: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[Result]:
    """The results, and those of the items that are left, worked out here."""
    done: dict[int, Result] = {}
    for process, results in begun:
        with os.fdopen(results, "rb") as pipe:
            done |= _read(pipe.read())
        with suppress(ChildProcessError):  # where whoever began all this ignores such ends
            os.waitpid(process, 0)
    for at, item in enumerate(items):
        yield done.pop(at) if at in done else work(item)


def _read(pickled: bytes) -> Any:
    try:
        return pickle.loads(pickled)
    except (EOFError, pickle.UnpicklingError):
        return {}  # the process was killed, or its work raised: here it will raise again


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
