"""What an OpenAPI operation is, as values: its arguments, their places in a request, its result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from nucleate_sandbox import Effect, FunctionSpec, Json, JsonObject

EFFECTS = {
    "get": Effect.READ,
    "head": Effect.READ,
    "options": Effect.READ,
    "trace": Effect.READ,
    "put": Effect.WRITE,
    "post": Effect.WRITE,
    "patch": Effect.WRITE,
    "delete": Effect.DESTRUCTIVE,
}
Place: TypeAlias = Literal["path", "query", "header", "field", "body"]


@dataclass(frozen=True, kw_only=True)
class Argument:
    """One argument and where it goes. `json` says that its value is written as JSON."""

    name: str
    wire: str
    place: Place
    schema: JsonObject
    required: bool = False
    style: str = "form"
    explode: bool = True
    reserved: bool = False
    json: bool = False


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation of a document. `security` lists alternatives, each of schemes that it takes together."""

    name: str
    doc: str
    method: str
    path: str
    arguments: tuple[Argument, ...]
    media: str
    parameters: JsonObject
    returns: JsonObject
    effect: Effect
    security: tuple[tuple[str, ...], ...] = ()
    server: str = ""

    def spec(self, name: str) -> FunctionSpec:
        """Return the operation as a function of this name."""
        return FunctionSpec(
            name=name, doc=self.doc, parameters=self.parameters, returns=self.returns, effect=self.effect
        )

    @property
    def function(self) -> JsonObject:
        """Return the operation in the form of a function file."""
        return {
            "name": self.name,
            "doc": self.doc,
            "parameters": self.parameters,
            "returns": self.returns,
            "effect": self.effect.value,
        }


@dataclass(frozen=True, kw_only=True)
class Unreadable:
    """An operation that cannot be read, and why."""

    name: str
    reason: str


def objects(value: Json) -> Iterator[tuple[str, JsonObject]]:
    """Yield the items of an object that are objects themselves."""
    pairs = value.items() if isinstance(value, dict) else ()
    return ((key, item) for key, item in pairs if isinstance(item, dict))


def items(value: Json) -> list[Json]:
    """Return a list as it is, and anything else as an empty one."""
    return value if isinstance(value, list) else []
