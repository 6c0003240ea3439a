"""Standard streams that are closed when a program starts."""

import os
import sys


def claim() -> None:
    """Put nothing in the place of each that is closed: the next file that is opened would be taken
    for it, and written to."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, closefd=False))
