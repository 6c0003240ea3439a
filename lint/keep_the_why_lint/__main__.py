"""The process `keep-the-why-lint`: it starts the command, says nothing itself, and ends at once."""

import gc
import os
import sys
from typing import NoReturn

from ktw.errors import EXIT_FINDINGS
from ktw.streams import claim


def command() -> NoReturn:
    """Run the command with the process's arguments and end the process.

    Looking for cycles among the many small values of a run, and freeing them one by one at its
    end, would each cost a tenth of it.
    """
    gc.disable()
    claim()
    from keep_the_why_lint.cli import main

    code = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or EXIT_FINDINGS
    os._exit(code)


if __name__ == "__main__":
    command()
