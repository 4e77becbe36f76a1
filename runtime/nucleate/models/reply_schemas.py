"""A pydantic schema as providers take it: closed objects, every property required, nothing that only some know."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

REPLY = "reply"  # the function whose arguments are a reply
# Bounds and patterns are checked here anyway; strict modes refuse to promise them.
LEFT_OUT = frozenset(
    {"default", "description", "discriminator", "maxItems", "maxLength", "minItems", "minLength", "pattern", "title"}
)


def response_format(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the keyword that asks for a JSON object of this shape, in the form that LiteLLM gives each provider."""
    described = {"name": schema.__name__, "strict": True, "schema": strict(schema.model_json_schema())}
    return {"response_format": {"type": "json_schema", "json_schema": described}}


def reply_function(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the keywords that ask for the shape as the arguments of one function, which must be called."""
    function = {"name": REPLY, "parameters": strict(schema.model_json_schema())}
    choice = {"type": "function", "function": {"name": REPLY}}
    return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}


def strict(value: Any) -> Any:
    """Return a JSON schema within what strict modes promise."""
    if isinstance(value, list):
        return [strict(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {_NAMES.get(key, key): _entry(key, item) for key, item in value.items() if key not in LEFT_OUT}
    if "properties" in kept:
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    return kept


_NAMES = {"oneOf": "anyOf", "const": "enum"}


def _entry(key: str, value: Any) -> Any:
    if key == "const":
        return [value]
    if key in {"properties", "$defs"}:  # these keys are names of the schema's own, whatever they are called
        return {name: strict(item) for name, item in value.items()}
    return strict(value)
