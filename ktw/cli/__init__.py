"""The command `ktw`: a table of commands, loaded when used, and the one boundary for errors."""

import gc
import os
import sys

from ktw.cli.boundary import run


def main() -> None:
    """Run `ktw` with the process's arguments and end the process.

    A command lives for a fraction of a second: looking for cycles among its many small lists, and
    starting a thread a core for one dot product, would each cost it a tenth of that.
    """
    gc.disable()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ktw.cli.root import ktw

    sys.exit(run(ktw))


__all__ = ["main"]
