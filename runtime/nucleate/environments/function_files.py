"""Function descriptions read from a file: Nucleate's own form, OpenAI tools, OpenAPI, or an MCP server's tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import jsonschema
from jsonschema.validators import validator_for

from nucleate.environments.mcp.tool_descriptions import as_functions, tools_of
from nucleate.environments.openapi.document import is_openapi, operations
from nucleate.environments.yaml_values import yaml_value
from nucleate_sandbox import Effect, FunctionSpec, Json, JsonError, JsonObject, parse

_FORMS = (
    'expected {"environment": NAME, "functions": [...]}, a list of OpenAI tools, an OpenAPI 3 document, '
    "or an MCP server's answer to tools/list"
)
_ANYTHING: JsonObject = {"type": "object", "properties": {}}


class FunctionsFileError(ValueError):
    """The text is no list of functions; the message names the place and what is expected there."""


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
        return parse(text)
    except JsonError as error:
        reason = error
    try:
        content = yaml_value(text)
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


def namespace_of(environment: str) -> str:
    """Return the namespace of an environment's functions that have none of their own."""
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in environment)
    return name if name.isidentifier() else f"env_{name}"


def function_spec(item: Json, *, place: str, namespace: str) -> FunctionSpec:
    """Return one item of a file as a function; FunctionsFileError says what is wrong with it, at which place."""
    if not isinstance(item, dict):
        raise FunctionsFileError(f"{place}: {item!r} is not an object with a name")
    body = cast("JsonObject", item["function"]) if isinstance(item.get("function"), dict) else item
    name = _text(body, "name", place)
    if not all(part.isidentifier() for part in name.split(".")) or name.count(".") > 1:
        raise FunctionsFileError(f"{place}: name {name!r} is not `namespace.function`; use letters, digits and _")
    place = f"{place} ({name!r})"
    return FunctionSpec(
        name=name if "." in name else f"{namespace}.{name}",
        doc=_text(body, "doc", place, default=_text(body, "description", place, default="")),
        parameters=_parameters(body, place),
        returns=_schema(body, "returns", place),
        effect=_effect(body, place),
    )


def _text(body: JsonObject, key: str, place: str, *, default: str | None = None) -> str:
    value = body.get(key, default)
    if not isinstance(value, str):
        raise FunctionsFileError(f"{place}: {key} is {value!r}; expected a text")
    return value


def _schema(body: JsonObject, key: str, place: str) -> JsonObject:
    value = body.get(key) or {}
    if not isinstance(value, dict):
        raise FunctionsFileError(f"{place}: {key} is not a JSON schema: {value!r} is not an object")
    try:
        validator_for(cast("dict[str, Any]", value)).check_schema(value)
    except jsonschema.SchemaError as error:
        raise FunctionsFileError(f"{place}: {key} is not a JSON schema: {error.message}") from error
    return value


def _parameters(body: JsonObject, place: str) -> JsonObject:
    schema = _schema(body, "parameters", place)
    kind = schema.get("type", "object")
    if kind != "object":
        raise FunctionsFileError(
            f"{place}: parameters is of type {kind!r}; arguments have names, so it must be 'object'"
        )
    return schema or _ANYTHING


def _effect(body: JsonObject, place: str) -> Effect:
    value = body.get("effect", Effect.WRITE)
    try:
        return Effect(cast("str", value))
    except ValueError as error:
        choices = ", ".join(item.value for item in Effect)
        raise FunctionsFileError(f"{place}: effect {value!r} is unknown; one of {choices}") from error
