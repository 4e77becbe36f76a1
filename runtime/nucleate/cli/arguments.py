"""Turns `name=value` words into a tool's arguments."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate.errors import InputInvalid
from nucleate.shown.argument_text import read_value
from nucleate_sandbox import Json, JsonObject
from nucleate_tool_library import Signature


def parse_arguments(words: Sequence[str], signature: Signature) -> JsonObject:
    """Return the arguments; a text parameter takes the word as it is, any other takes JSON."""
    return parse_values(words, signature.parameters, name=signature.name, shown=f"the tool is {signature.text}")


def parse_values(words: Sequence[str], parameters: JsonObject, *, name: str, shown: str) -> JsonObject:
    """Return the arguments of anything that has a schema of parameters; `shown` tells in errors what it takes."""
    properties = parameters.get("properties")
    schemas = properties if isinstance(properties, dict) else {}
    return dict(_pair(word, schemas, name, shown) for word in words)


def _pair(word: str, schemas: JsonObject, owner: str, shown: str) -> tuple[str, Json]:
    name, equals, text = word.partition("=")
    if not equals:
        raise InputInvalid(f"{word!r} is not name=value; {shown}")
    if name not in schemas:
        raise InputInvalid(f"{owner} has no parameter {name!r}; {shown}")
    return name, read_value(text, schemas[name])
