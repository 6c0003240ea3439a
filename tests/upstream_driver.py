"""Answers for upstream's linter, many projects to one process. Run by the interpreter beside it.

Reads a project's path a line on stdin, writes one line of JSON each on stdout: the exit code and
what the command printed. It is never imported by ktw and knows nothing of it.
"""

import contextlib
import io
import json
import sys
import traceback
from importlib.metadata import entry_points


def main() -> None:
    (command,) = entry_points(group="console_scripts", name="ktw-lint")
    lint = command.load()
    for line in sys.stdin:
        path = json.loads(line)
        out, error = io.StringIO(), ""
        with contextlib.redirect_stdout(out):
            try:
                code = lint([path])
            except Exception:  # noqa: BLE001 (its fall is an answer too)
                code, error = 4, traceback.format_exc()
        print(json.dumps({"exit": code, "out": out.getvalue(), "error": error}), flush=True)


if __name__ == "__main__":
    main()
