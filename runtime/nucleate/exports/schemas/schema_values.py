"""What the schemas of a provider are made from, and why one cannot be made."""

from __future__ import annotations

from typing import Protocol

from nucleate_sandbox import Json, JsonObject

DEFINITIONS = "#/$defs/"


class Described(Protocol):
    """A function as its signature says it: a tool's `Signature` and an environment's `FunctionSpec` both are one."""

    @property
    def name(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def parameters(self) -> JsonObject: ...


class Unrepresentable(ValueError):
    """A provider cannot be told of this tool; the message says which part and why."""


class LooseSchema(ValueError):
    """A schema does not fit a provider's exact form; the message says where and why, and a looser form remains."""


def mapping(value: Json | None) -> JsonObject:
    """Return a JSON object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: Json | None) -> list[JsonObject]:
    """Return the objects of a JSON list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def strings(value: Json | None) -> list[str]:
    """Return the texts of a JSON list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def branches(schema: JsonObject) -> list[JsonObject]:
    """Return the alternatives of a schema; none where it has one form only."""
    return objects(schema.get("anyOf") or schema.get("oneOf"))
