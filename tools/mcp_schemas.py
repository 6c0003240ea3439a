"""Write `ktw/mcp/output_schemas.json`: the schemas of `context-schema/output` that MCP tools show.

    python tools/mcp_schemas.py

A client takes each for itself and follows no reference to a file, so each carries what it uses of
the shared parts; without the descriptions, which every client would load at every start.
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE, TARGET = ROOT / "context-schema" / "output", ROOT / "ktw" / "mcp" / "output_schemas.json"
SHARED = "memory.schema.json#/$defs/"
Json = Any


def schema(name: str) -> Json:
    return json.loads((SOURCE / f"{name}.schema.json").read_text(encoding="utf-8"))


def local(node: Json, is_name: bool = False) -> Json:
    """A schema with its references made local and without what only people read."""
    if isinstance(node, list):
        return [local(item) for item in node]
    if not isinstance(node, dict):
        return node
    told = {} if is_name else {"description", "title", "$id", "$schema"}
    kept = {key: value for key, value in node.items() if key not in told}
    if isinstance(kept.get("$ref"), str):
        kept["$ref"] = kept["$ref"].replace(SHARED, "#/$defs/")
    names = ("properties", "$defs")
    return {key: local(value, key in names and not is_name) for key, value in kept.items()}


def used(node: Json, defs: Json, found: dict[str, Json]) -> dict[str, Json]:
    """The shared parts that a schema refers to, and those that these refer to."""
    for reference in references(node):
        name = reference.removeprefix("#/$defs/")
        if name in defs and name not in found:
            found[name] = defs[name]
            used(defs[name], defs, found)
    return found


def references(node: Json) -> list[str]:
    if isinstance(node, list):
        return [found for item in node for found in references(item)]
    if not isinstance(node, dict):
        return []
    here = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
    return here + [found for value in node.values() for found in references(value)]


def bundled(names: list[str]) -> dict[str, Json]:
    """One schema a name, each whole in itself."""
    defs = local(schema("memory"))["$defs"]
    bundle = {}
    for name in names:
        body = {"type": "object"} | local(schema(name))
        parts = used(body, defs, {})
        bundle[name] = body | ({"$defs": dict(sorted(parts.items()))} if parts else {})
    return bundle


def text() -> str:
    from ktw.mcp.tools import TOOLS

    names = sorted({tool.output for tool in TOOLS.values()})
    return json.dumps(bundled(names), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
    sys.exit(0)
