"""One tool as each provider wants to be told of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nucleate.exports.schemas.gemini import subset
from nucleate.exports.schemas.provider_names import TOOL
from nucleate.exports.schemas.references import object_root
from nucleate.exports.schemas.schema_values import Described, LooseSchema, Unrepresentable, mapping
from nucleate.exports.schemas.short_descriptions import summary
from nucleate.exports.schemas.strict import strict
from nucleate_sandbox import JsonObject

ANTHROPIC_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
GEMINI_KEY = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A tool as a provider is told of it; `loose` says why not in its exact form, and is empty where it is in that."""

    body: JsonObject
    loose: str = ""


Define = Callable[[Described, str], Definition]


def openai_tool(tool: Described, name: str | None = None) -> JsonObject:
    """Return a tool for the Chat Completions API: strict where its schema can be, else as it is."""
    return define_openai(tool, name or tool.name).body


def anthropic_tool(tool: Described, name: str | None = None) -> JsonObject:
    """Return a tool for the Messages API: its root an object without alternatives."""
    return define_anthropic(tool, name or tool.name).body


def gemini_tool(tool: Described, name: str | None = None) -> JsonObject:
    """Return a function declaration for the Gemini API."""
    return define_gemini(tool, name or tool.name).body


def define_openai(tool: Described, name: str) -> Definition:
    """Define a tool for the Chat Completions API."""
    function, loose = _openai(tool, name)
    return Definition(body={"type": "function", "function": function}, loose=loose)


def define_responses(tool: Described, name: str) -> Definition:
    """Define a tool for the Responses API, which wants the same without its wrapping."""
    function, loose = _openai(tool, name)
    return Definition(body={"type": "function", **function}, loose=loose)


def define_anthropic(tool: Described, name: str) -> Definition:
    """Define a tool for the Messages API."""
    root = object_root(tool.parameters)
    _check_keys(root, ANTHROPIC_KEY)
    return Definition(body={**_head(tool, name), "input_schema": _first(root, "type", "properties", "required")})


def define_gemini(tool: Described, name: str) -> Definition:
    """Define a tool for the Gemini API; without parameters it has no schema at all."""
    root = object_root(tool.parameters)
    _check_keys(root, GEMINI_KEY)
    head = _head(tool, name)
    try:
        schema = subset(root)
    except LooseSchema as error:
        return Definition(body={**head, "parametersJsonSchema": root}, loose=str(error))
    return Definition(body={**head, "parameters": schema} if schema["properties"] else head)


def _openai(tool: Described, name: str) -> tuple[JsonObject, str]:
    root = object_root(tool.parameters)
    head = _head(tool, name)
    try:
        return {**head, "parameters": strict(root), "strict": True}, ""
    except LooseSchema as error:
        plain = _first(root, "type", "properties", "required", "additionalProperties")
        return {**head, "parameters": plain, "strict": False}, str(error)


def _head(tool: Described, name: str) -> JsonObject:
    if not TOOL.fullmatch(name):
        raise Unrepresentable(f"{name!r} is no name for a tool there; exports.schemas.mapped() gives one")
    words = summary(tool.doc)
    return {"name": name, **({"description": words} if words else {})}


def _check_keys(root: JsonObject, rule: re.Pattern[str]) -> None:
    bad = [name for name in mapping(root.get("properties")) if not rule.fullmatch(name)]
    if bad:
        raise Unrepresentable(f"the parameter {bad[0]!r:.80} is no name there; it must match {rule.pattern}")


def _first(root: JsonObject, *keys: str) -> JsonObject:
    """Return a schema whose keys have one order, however it was made."""
    rest = {key: root[key] for key in sorted(root.keys() - set(keys))}
    return {**{key: root[key] for key in keys if key in root}, **rest}


DEFINE: Mapping[str, Define] = {
    "openai": define_openai,
    "openai_responses": define_responses,
    "anthropic": define_anthropic,
    "gemini": define_gemini,
}
