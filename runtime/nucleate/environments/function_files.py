"""Function descriptions read from a file: Nucleate's own form, OpenAI tools, OpenAPI, or an MCP server's tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nucleate.environments.described_functions import FunctionsFileError, function_spec, namespace_of
from nucleate.environments.mcp.tool_descriptions import as_functions, tools_of
from nucleate.environments.openapi.document import MAX_DOCUMENT, content_of, is_openapi, operations
from nucleate_sandbox import FunctionSpec, Json, JsonError, JsonObject, parse

_FORMS = (
    'expected {"environment": NAME, "functions": [...]}, a list of OpenAI tools, an OpenAPI document, '
    "or an MCP server's answer to tools/list"
)


@dataclass(frozen=True, kw_only=True)
class FunctionsFile:
    """The functions of one environment by name. `environment` is the scope of what is learned with them."""

    environment: str
    functions: Mapping[str, FunctionSpec]


def read_functions(text: str | bytes, *, environment: str = "tools") -> FunctionsFile:
    """Read a functions file (JSON; OpenAPI also as YAML); `environment` names it where the file does not.

    A name without a namespace (OpenAI's tools have none) gets the environment's name as its namespace.
    """
    name, items = _content(_parsed(text), environment)
    functions: dict[str, FunctionSpec] = {}
    for number, item in enumerate(items, start=1):
        spec = function_spec(item, place=f"function {number}", namespace=namespace_of(name))
        if spec.name in functions:
            raise FunctionsFileError(f"function {number}: the name {spec.name!r} occurs twice; rename one of them")
        functions[spec.name] = spec
    return FunctionsFile(environment=name, functions=functions)


def _parsed(text: str | bytes) -> Json:
    try:
        return parse(text, max_bytes=MAX_DOCUMENT)
    except JsonError as error:
        reason = error
    try:
        content = content_of(text)
    except JsonError:
        content = None
    if is_openapi(content):  # nothing else is written as YAML
        return content
    raise FunctionsFileError(f"not a functions file: {reason}; {_FORMS}") from reason


def _content(content: Json, environment: str) -> tuple[str, list[Json]]:
    if isinstance(content, dict) and is_openapi(content):
        return environment, _operations(content)
    tools = tools_of(content)
    if tools is not None:
        return environment, as_functions(tools)
    if isinstance(content, list):
        return environment, content
    if isinstance(content, dict):
        items = content.get("functions", content.get("tools"))
        name = content.get("environment", environment)
        if isinstance(items, list) and isinstance(name, str) and name:
            return name, items
    raise FunctionsFileError(f"not a functions file; {_FORMS}")


def _operations(document: JsonObject) -> list[Json]:
    try:
        return [*operations(document)]
    except (ValueError, RecursionError) as error:
        raise FunctionsFileError(f"OpenAPI: {error}") from error
