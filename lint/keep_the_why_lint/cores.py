"""Spreads a pure function over the cores of the machine; knows nothing of what it does."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST = 8  # processes

_task: tuple[Callable[[Any], Any], Sequence[Any]]


def spread(work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """What `work` gives for each item, in order; results must be picklable.

    Other processes begin at once, while the caller goes on until it asks for the first result.
    The items reach the other processes by fork. Where that cannot be had (Windows) or is not safe
    (macOS, a process with threads), or with one core or item, all is done here; so is the rest
    where a process is killed, or none more may begin.
    """
    count = min(_cores(), _MOST, len(items))
    safe = sys.platform == "linux" and threading.active_count() == 1
    if not safe or count < 2:
        return map(work, items)
    results = _results(work, items, count)
    next(results, None)
    return _completed(results, work, items)


def _completed(
    results: Iterator[Result], work: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[Result]:
    """The results, and those of the items that are left, worked out here."""
    done = 0
    for result in results:
        done += 1
        yield result
    yield from map(work, islice(items, done, None))


def _results(work: Callable[[Any], Any], items: Sequence[Any], count: int) -> Iterator[Any]:
    """None once `count` processes have begun, then their results, up to the first that is lost
    with its process.
    """
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    fork = get_context("fork")
    with ProcessPoolExecutor(count, fork, initializer=_begin, initargs=(work, items)) as pool:
        try:
            results = pool.map(_do, range(len(items)))
            yield None
            yield from results
        except BrokenProcessPool:
            return
        except OSError:  # a limit on processes: those that have begun wait for no more work
            for process in active_children():
                process.terminate()
                process.join()


def _begin(work: Callable[[Any], Any], items: Sequence[Any]) -> None:
    global _task
    _task = (work, items)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process alone answers to Ctrl-C


def _do(index: int) -> Any:
    work, items = _task
    return work(items[index])


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
