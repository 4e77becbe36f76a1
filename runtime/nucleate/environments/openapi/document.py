"""An OpenAPI 3 document as descriptions of functions: each operation is one, its method says what it does."""

from __future__ import annotations

from collections.abc import Iterator

from nucleate.environments.openapi.openapi_values import Unreadable
from nucleate.environments.openapi.operations import read_operations
from nucleate.environments.openapi.swagger import is_swagger, upgraded
from nucleate.environments.yaml_values import yaml_value
from nucleate.errors import InputInvalid
from nucleate_sandbox import Json, JsonError, JsonObject, parse

MAX_DOCUMENT = 32 * 1024 * 1024
MAX_YAML = 1024 * 1024


def is_openapi(content: Json) -> bool:
    """Return whether this is an OpenAPI document of version 3, or of the generation before it (Swagger 2.0)."""
    return isinstance(content, dict) and (str(content.get("openapi", "")).startswith("3.") or is_swagger(content))


def operations(document: JsonObject) -> Iterator[JsonObject]:
    """Yield every operation in the form of a function file, without those that cannot be read."""
    for operation in read_operations(as_version_3(document)):
        if not isinstance(operation, Unreadable):
            yield operation.function


def parsed(text: str | bytes) -> JsonObject:
    """Return the document that a text (JSON or YAML) is, in version 3; InputInvalid for anything else."""
    try:
        content = content_of(text)
    except JsonError as error:
        raise InputInvalid(f"not an OpenAPI document: {error}") from error
    if not isinstance(content, dict) or not is_openapi(content):
        raise InputInvalid("not an OpenAPI document: it begins with `openapi: 3…` or `swagger: 2.0`")
    return as_version_3(content)


def content_of(text: str | bytes) -> Json:
    """Return what a text says as JSON, else as YAML; raise JsonError."""
    try:
        return parse(text, max_bytes=MAX_DOCUMENT)
    except JsonError:
        if len(text) > MAX_YAML and text.lstrip()[:1] in ("{", b"{"):
            raise  # JSON with a fault: to read it as YAML takes minutes and comes to nothing
    return yaml_value(text)


def as_version_3(document: JsonObject) -> JsonObject:
    """Return a document as one of version 3."""
    return upgraded(document) if is_swagger(document) else document
