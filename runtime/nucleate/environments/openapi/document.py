"""An OpenAPI 3 document as descriptions of functions: each operation is one, its method says what it does."""

from __future__ import annotations

from collections.abc import Iterator

from nucleate.environments.openapi.openapi_values import Unreadable
from nucleate.environments.openapi.operations import read_operations
from nucleate.environments.yaml_values import yaml_value
from nucleate.errors import InputInvalid
from nucleate_sandbox import Json, JsonError, JsonObject, parse


def is_openapi(content: Json) -> bool:
    """Return whether this is an OpenAPI document of version 3."""
    return isinstance(content, dict) and str(content.get("openapi", "")).startswith("3.")


def operations(document: JsonObject) -> Iterator[JsonObject]:
    """Yield every operation in the form of a function file; raise ValueError for one that cannot be read."""
    for operation in read_operations(document):
        if isinstance(operation, Unreadable):
            raise ValueError(f"{operation.name}: {operation.reason}")
        yield operation.function


def parsed(text: str | bytes) -> JsonObject:
    """Return the document that a text (JSON or YAML) is; InputInvalid for anything else."""
    try:
        content = parse(text)
    except JsonError:
        try:
            content = yaml_value(text)
        except JsonError as error:
            raise InputInvalid(f"not an OpenAPI document: {error}") from error
    if not isinstance(content, dict) or not is_openapi(content):
        raise InputInvalid("not an OpenAPI 3 document: it begins with `openapi: 3…`")
    return content
