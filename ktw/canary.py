"""A tool server that leaves a mark when it is started and when its tool is called; no more.

`python -m ktw.canary DIRECTORY NAME`, MCP over stdio: planted for an agent's command that must not
reach it. See `ktw doctor --isolation`.
"""

import json
import sys
from pathlib import Path
from typing import Any

STARTED, CALLED = "server-started", "tool-called"
TOOL = "leave_mark"
_SHAPE = {"type": "object", "properties": {}, "additionalProperties": False}


def answer(request: dict[str, Any], directory: Path, name: str) -> dict[str, Any] | None:
    """The answer to one message of the protocol; None for a notification."""
    if "id" not in request:
        return None
    method = request.get("method")
    if method == "initialize":
        asked = request.get("params", {}).get("protocolVersion", "2025-06-18")
        about = {"name": name, "version": "1"}
        result: dict[str, Any] = {"protocolVersion": asked, "serverInfo": about}
        result["capabilities"] = {"tools": {}}
    elif method == "tools/list":
        told = "Leaves a mark, and says that it did."
        result = {"tools": [{"name": TOOL, "description": told, "inputSchema": _SHAPE}]}
    elif method == "tools/call":
        (directory / CALLED).touch()
        result = {"content": [{"type": "text", "text": "The mark was left."}], "isError": False}
    else:
        result = {}
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def main(arguments: list[str]) -> None:
    """Serve until standard input ends."""
    directory, name = Path(arguments[0]), arguments[1]
    (directory / STARTED).touch()
    for line in sys.stdin:
        try:
            request = json.loads(line)
        except ValueError:
            continue
        told = answer(request, directory, name) if isinstance(request, dict) else None
        if told is not None:
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
