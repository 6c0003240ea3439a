"""The command `ktw`: a table of commands, loaded when used, and the one boundary for errors."""

from __future__ import annotations

import gc
import os
import sys

from ktw.streams import claim

TYPE_CHECKING = False  # `typing` itself would cost a hook 2 ms
if TYPE_CHECKING:
    from typing import NoReturn

    from ktw.ahead import Ahead


def main() -> None:
    """Run `ktw` with the process's arguments and end the process.

    A command lives for a fraction of a second: looking for cycles among its many small lists,
    freeing them one by one at the end, and starting a thread a core for one dot product would each
    cost it a tenth of that.
    """
    gc.disable()
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"}.intersection(sys.argv):
        from ktw.hooks.process import main as hook

        hook(sys.argv[2:])  # before click is imported: an agent waits for it at every step
    _end_at_ctrl_c(True)
    claim()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    ahead = _ahead(sys.argv) if sys.argv[1:2] == ["recall"] else None
    from ktw.cli.boundary import run
    from ktw.cli.root import ktw

    _end_at_ctrl_c(False)
    _leave(run(ktw, ahead))


def _end_at_ctrl_c(is_so: bool) -> None:
    """Whether Ctrl-C ends the process without a word: until the boundary is there to say one, it
    would be a traceback. Where it is ignored, it stays so."""
    # `signal` makes enumerations of all names, which cost milliseconds.
    import _signal  # type: ignore[import-not-found]

    before, after = _signal.default_int_handler, _signal.SIG_DFL
    if not is_so:
        before, after = after, before
    if _signal.getsignal(_signal.SIGINT) == before:
        _signal.signal(_signal.SIGINT, after)


def _ahead(arguments: list[str]) -> Ahead | None:
    """What a recall can begin before its command line is read, which takes click 25 ms to load."""
    from ktw.ahead import begin_here

    try:
        cwd = os.getcwd()  # noqa: PTH109 (no pathlib yet)
    except OSError:
        return None
    is_cold = "--cold" in arguments or bool(os.environ.get("KTW_COLD"))
    return begin_here(cwd, os.environ, is_cold)


def _leave(code: int) -> NoReturn:
    """End the process once all that was printed is out; nothing here waits for an exit handler."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        from ktw.errors import EXIT_FINDINGS

        code = code or EXIT_FINDINGS
    os._exit(code)


__all__ = ["main"]
