"""What sandboxed code may reach: an environment's functions, and the subset that one session is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from nucleate_sandbox.json_values import Json, JsonObject


class Effect(StrEnum):
    """What a call does to the world outside."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


@dataclass(frozen=True, kw_only=True)
class FunctionSpec:
    """One environment function: `namespace.function`, JSON schemas, documentation, effect."""

    name: str
    doc: str = ""
    parameters: JsonObject = field(default_factory=lambda: {"type": "object", "properties": {}})
    returns: JsonObject = field(default_factory=dict)
    effect: Effect = Effect.WRITE


class FunctionError(Exception):
    """An environment function refused or failed: part of the program's world, not of the machine.

    `kind` is the name of the error class as the environment's author would say it (`OrderNotFound`).
    """

    def __init__(self, message: str, *, kind: str = "FunctionError") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Environment(Protocol):
    """Functions that an agent may call. `name` is the scope of what is learned in it."""

    @property
    def name(self) -> str: ...
    @property
    def functions(self) -> Mapping[str, FunctionSpec]: ...
    def call(self, name: str, arguments: JsonObject) -> Json:
        """Return the function's JSON result, or raise FunctionError."""
        ...

    def fork(self) -> Environment:
        """Return an independent copy in the same state; raise FunctionError where that cannot be done."""
        ...


@dataclass(frozen=True, kw_only=True)
class Functions:
    """The functions that one session may call: an environment and the names allowed in it (the manifest)."""

    environment: Environment | None = None
    allowed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, environment: Environment) -> Functions:
        """Allow every function of the environment."""
        return cls(environment=environment, allowed=frozenset(environment.functions))

    @classmethod
    def only(cls, environment: Environment, names: Iterable[str]) -> Functions:
        """Allow the named functions alone."""
        return cls(environment=environment, allowed=frozenset(names))


NONE = Functions()
