"""The command `ktw`: a table of commands, loaded when used, and the one boundary for errors."""

import sys

from ktw.cli.boundary import run


def main() -> None:
    """Run `ktw` with the process's arguments and end the process."""
    from ktw.cli.root import ktw

    sys.exit(run(ktw))


__all__ = ["main"]
