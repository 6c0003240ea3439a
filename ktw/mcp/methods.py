"""What each method of the protocol answers. An explicit table; slow ones belong in the worker."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ktw.errors import UsageError, visible
from ktw.mcp import prompts, resources
from ktw.mcp.answers import Call, as_result, refusal
from ktw.mcp.arguments import faults, is_text
from ktw.mcp.protocol import (
    INVALID_PARAMS,
    NO_SUCH_RESOURCE,
    Client,
    ProtocolError,
    discovered,
)
from ktw.mcp.session import Session
from ktw.mcp.tools import TOOLS, Tool
from ktw.mcp.wire import Json


class Method(NamedTuple):
    """What answers a method. `slow`: it reads files, so it is kept off the thread that listens."""

    answer: Callable[[Session, Client, Json], Json]
    slow: bool = False


def _list_tools(session: Session, client: Client, params: Json) -> Json:
    return {"tools": [_described(tool) for tool in TOOLS.values()]}


def _described(tool: Tool) -> Json:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.schema,
        "outputSchema": output_schemas()[tool.output],
        "annotations": tool.annotations,
    }


@cache
def output_schemas() -> Mapping[str, Any]:
    """The schemas of `context-schema/output` as tools may show them, by name."""
    path = Path(__file__).with_name("output_schemas.json")
    schemas: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schemas


def _call_tool(session: Session, client: Client, params: Json) -> Json:
    tool, arguments = TOOLS[params["name"]], params.get("arguments") or {}
    return as_result(tool.perform(Call(session, client, arguments)))


def check(method: str, params: Json) -> Json | None:
    """What is wrong with a request before anything is opened: raises ProtocolError, or gives the
    result that refuses a tool's arguments; None where nothing is."""
    if not is_text(params):
        raise ProtocolError(INVALID_PARAMS, "a text in it holds half of a character (a surrogate)")
    if method != "tools/call":
        return None
    name, arguments = params.get("name"), params.get("arguments") or {}
    if not isinstance(name, str) or name not in TOOLS:
        raise ProtocolError(INVALID_PARAMS, f"there is no tool {visible(str(name), 60)}")
    if not isinstance(arguments, dict):
        raise ProtocolError(INVALID_PARAMS, "arguments must be an object")
    found = faults(TOOLS[name].schema, arguments)
    return refusal(f"{name}: {'; '.join(found)}", "Nothing was done.") if found else None


def _read_resource(session: Session, client: Client, params: Json) -> Json:
    try:
        return resources.read(session, client, params)
    except resources.NoResource as error:
        code = INVALID_PARAMS if client.is_modern else NO_SUCH_RESOURCE
        raise ProtocolError(code, error.what) from error


def _prompt(session: Session, client: Client, params: Json) -> Json:
    try:
        return prompts.prompt(params)
    except UsageError as error:
        raise ProtocolError(INVALID_PARAMS, error.what) from error


METHODS: Mapping[str, Method] = {
    "ping": Method(lambda session, client, params: {}),
    "server/discover": Method(lambda session, client, params: discovered()),
    "tools/list": Method(_list_tools),
    "tools/call": Method(_call_tool, slow=True),
    "resources/list": Method(resources.listed, slow=True),
    "resources/read": Method(_read_resource, slow=True),
    "resources/templates/list": Method(lambda session, client, params: resources.TEMPLATES),
    "prompts/list": Method(lambda session, client, params: prompts.PROMPTS),
    "prompts/get": Method(_prompt),
}
