"""Tools for smolagents: its input types, which know no references and no alternatives, around the same call."""

from __future__ import annotations

from typing import Any

from smolagents import Tool

from nucleate.errors import ToolFailed
from nucleate.exports.calling import call
from nucleate.exports.schemas.references import inlined, object_root
from nucleate.exports.schemas.schema_values import LooseSchema, branches, mapping, strings
from nucleate.exports.schemas.short_descriptions import noted, shown, summary
from nucleate.tools import CallableTool
from nucleate_sandbox import Json, JsonObject

TYPES = frozenset({"string", "boolean", "integer", "number", "array", "object", "null"})


class _Tool(Tool):  # type: ignore[misc]
    """The agent shows an exception's text to the model, so that it can correct itself."""

    skip_forward_signature_validation = True

    def __init__(self, tool: CallableTool, name: str) -> None:
        signature = tool.version.signature
        self.name = name
        self.description = summary(signature.doc) or name
        self.inputs = inputs(object_root(signature.parameters))
        found = signature.returns.get("type")
        self.output_type = found if isinstance(found, str) and found in TYPES else "any"
        self._tool = tool
        super().__init__()

    def forward(self, **arguments: Any) -> Json:
        answer = call(self._tool, arguments)
        if answer.error:
            raise ToolFailed(answer.error)
        return answer.value


def framework_tool(tool: CallableTool, name: str) -> Tool:
    """Return one tool."""
    return _Tool(tool, name)


def inputs(root: JsonObject) -> dict[str, JsonObject]:
    """Return the parameters as inputs: what may be left out, or may be null, is nullable."""
    required = strings(root.get("required"))
    return {
        name: _input(_plain(mapping(item), root), name, name in required)
        for name, item in mapping(root.get("properties")).items()
    }


def _plain(schema: JsonObject, root: JsonObject) -> JsonObject:
    """Write references out; a type that holds itself is an object of any keys here."""
    try:
        return inlined(schema, root)
    except LooseSchema:
        return {key: value for key, value in schema.items() if key in {"description", "default"}} | {"type": "object"}


def _input(schema: JsonObject, name: str, required: bool) -> JsonObject:
    alternatives = branches(schema)
    others = [item for item in alternatives if item.get("type") != "null"]
    body = {**others[0], **_words(schema)} if len(others) == 1 else _without_alternatives(schema)
    kinds = [kind for item in others or [body] for kind in _kinds(item)]
    nullable = len(others) < len(alternatives) or "null" in kinds or not required
    kinds = list(dict.fromkeys(kind for kind in kinds if kind != "null"))
    if "number" in kinds and len(kinds) > 1:
        kinds.append("integer")
    typed: JsonObject = {"type": list[Json](kinds) if len(kinds) > 1 else kinds[0] if kinds else "any"}
    note = f"default {shown(schema['default'])}" if schema.get("default") is not None else ""
    described = noted({"description": name.replace("_", " "), **body, **typed}, note)
    return {**described, "nullable": True} if nullable else described


def _kinds(schema: JsonObject) -> list[str]:
    kind = schema.get("type")
    found = kind if isinstance(kind, list) else [kind]
    known = [item for item in found if isinstance(item, str) and item in TYPES]
    values = schema.get("enum")
    if known or not isinstance(values, list):
        return known or ["any"]
    names = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    return list(dict.fromkeys(names.get(type(value), "any") for value in values))


def _words(schema: JsonObject) -> JsonObject:
    return {key: schema[key] for key in ("description", "default") if key in schema}


def _without_alternatives(schema: JsonObject) -> JsonObject:
    return {key: value for key, value in schema.items() if key not in {"anyOf", "oneOf"}}
