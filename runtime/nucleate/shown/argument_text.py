"""One argument as somebody typed it."""

from __future__ import annotations

import json

from nucleate_sandbox import Json


def read_value(text: str, schema: Json) -> Json:
    """Return the value: a text parameter takes the text as it is, any other takes JSON, or text that is none."""
    if isinstance(schema, dict) and schema.get("type") == "string":
        return text
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value
